import Forms

/// A distance for people.
struct Distance: Sendable, Hashable {
    let kilometres: Double
    let unit: Unit

    enum Unit: String, FormValue, CaseIterable {
        case miles = "mi"
        case kilometres = "km"

        var name: Words { self == .miles ? Words("miles") : Words("kilometers") }
        var short: Words { self == .miles ? Words("mi") : Words("km") }

        /// The usual unit in a country.
        static func usual(in country: String) -> Unit {
            ["US", "GB", "PR", "GU", "VI", "AS", "MP"].contains(country) ? .miles : .kilometres
        }

        /// The size of the area in which a pet's home is known to be.
        var ofCell: Words { self == .miles ? "about a mile" : "about 2 km" }
        /// A rough distance, shown to others.
        var ofBand: Words { self == .miles ? "3 to 6 miles" : "5 to 10 km" }
        /// The precision to which a device's location is rounded.
        var ofDevice: Words { self == .miles ? "about half a mile" : "about a kilometer" }

        /// A mile is 1.609344 km (international yard and pound agreement, 1959).
        var inKilometres: Double { self == .miles ? 1.609344 : 1 }
    }

    /// `0.4 mi`, `12 km`.
    var name: Words { "\(Length(number: kilometres / unit.inKilometres), as: "number") \(unit.short, as: "unit")" }

    /// A number of miles or kilometers: with one decimal below ten.
    private struct Length: LocalValue {
        let number: Double

        func text(in locale: String) -> String {
            let tenths = Int((number * 10).rounded())
            let formats = Formats.of(locale)
            return tenths < 100 ? formats.text(tenths: tenths) : formats.text(Int(number.rounded()))
        }
    }
}
