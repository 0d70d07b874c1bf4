import Forms

/// How far something is, as a person says it.
struct Distance: Sendable, Hashable {
    let kilometres: Double
    let unit: Unit

    enum Unit: String, FormValue, CaseIterable {
        case miles = "mi"
        case kilometres = "km"

        var name: Words { self == .miles ? "miles" : "kilometers" }

        /// A mile is 1.609344 km (international yard and pound agreement, 1959).
        var inKilometres: Double { self == .miles ? 1.609344 : 1 }
    }

    /// `0.4 mi`, `12 km`.
    var name: Words { Words(self) }
}

extension Distance: LocalValue {
    func text(in locale: String) -> String {
        let length = kilometres / unit.inKilometres
        let tenths = Int((length * 10).rounded())
        let formats = Formats.of(locale)
        let number = tenths < 100 ? formats.text(tenths: tenths) : formats.text(Int(length.rounded()))
        return "\(number) \(unit.rawValue)"
    }
}
