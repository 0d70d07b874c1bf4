/// The paper sizes of home printers.
enum Paper: Sendable {
    case a4, letter

    /// The countries that use Letter: according to Unicode CLDR (`paperSize`), plus the Dominican Republic and the
    /// territories of the United States.
    private static let countriesOfLetter: Set<String> = [
        "AS", "BZ", "CA", "CL", "CO", "CR", "DO", "GT", "GU", "MP", "MX", "NI", "PA", "PH", "PR", "SV", "UM", "US",
        "VE", "VI",
    ]

    /// The usual paper size in a country.
    static func usual(in country: String) -> Paper { countriesOfLetter.contains(country) ? .letter : .a4 }
}
