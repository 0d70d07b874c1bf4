import Forms

/// A form that asks for a town; the country determines the other address fields.
protocol TownForm: Form {
    var city: String { get }
    var state: String { get set }
    var zip: String { get set }
    var country: String { get }
    static var asksForState: Bool { get }
    static var statePath: any WritableKeyPath<Self, String> & Sendable { get }
    static var zipPath: any WritableKeyPath<Self, String> & Sendable { get }
}

extension TownForm {
    static var asksForState: Bool { true }
}

extension Country {
    static let choices = all.map { Choice($0.code, Words(CountryName(code: $0.code))) }
}

extension Field where F: TownForm {
    static func country(_ path: Path<String>) -> Self {
        .choice("country", path, "Country", options: Country.choices).autocomplete("country")
    }

    static func city(_ path: Path<String>) -> Self {
        .text("city", path, "City or town", 1...80).autocomplete("address-level2").missing("Give the city or town.")
    }

    static func state(_ path: Path<String>) -> Self {
        .text("state", path, "State or region", 0...60).conditional
            .hint("In the US, choose the state. Elsewhere it may stay empty.")
            .autocomplete("address-level1").suggestions(Country.states.map(\.name))
    }

    static func zip(_ path: Path<String>) -> Self {
        .text("zip", path, "ZIP or postal code", 0...12).conditional.autocomplete("postal-code").narrow
    }
}

extension Submission where F: TownForm {
    /// Requires state and ZIP code in the US, and writes the postal code as its country does.
    mutating func checkTown() {
        let code = PostalCode.written(form.zip, in: form.country)
        let isHere = form.country == "US"
        if isHere, !PostalCode.isWhole(code, in: form.country) {
            reject(F.zipPath, "Give the ZIP code: five digits, such as 95113.")
        } else if code != form.zip {
            fill(F.zipPath, code)
        }
        guard isHere else { return }
        if F.asksForState {
            if let code = Country.state(typed: form.state) {
                fill(F.statePath, code)
            } else {
                reject(F.statePath, "Choose a state of the US, such as CA or California.")
            }
        }
    }
}
