import Forms

/// How far something is, as a person says it.
struct Distance: Sendable, Hashable {
    let kilometres: Double
    let unit: Unit

    enum Unit: String, FormValue, CaseIterable {
        case miles = "mi"
        case kilometres = "km"

        var name: Words { self == .miles ? Words("miles") : Words("kilometers") }
        var short: Words { self == .miles ? Words("mi") : Words("km") }

        /// A mile is 1.609344 km (international yard and pound agreement, 1959).
        var inKilometres: Double { self == .miles ? 1.609344 : 1 }
    }

    /// `0.4 mi`, `12 km`.
    var name: Words { "\(Length(number: kilometres / unit.inKilometres), as: "number") \(unit.short, as: "unit")" }

    /// How many miles or kilometers: below ten with a tenth.
    private struct Length: LocalValue {
        let number: Double

        func text(in locale: String) -> String {
            let tenths = Int((number * 10).rounded())
            let formats = Formats.of(locale)
            return tenths < 100 ? formats.text(tenths: tenths) : formats.text(Int(number.rounded()))
        }
    }
}
