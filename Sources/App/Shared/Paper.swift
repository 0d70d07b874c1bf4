/// The sheets that people have in their printers.
enum Paper: Sendable {
    case a4, letter

    /// Where Letter is usual: as Unicode's CLDR has it (`paperSize`), and in the Dominican Republic and the territories
    /// of the United States.
    private static let countriesOfLetter: Set<String> = [
        "AS", "BZ", "CA", "CL", "CO", "CR", "DO", "GT", "GU", "MP", "MX", "NI", "PA", "PH", "PR", "SV", "UM", "US",
        "VE", "VI",
    ]

    /// What people of a country print on.
    static func usual(in country: String) -> Paper { countriesOfLetter.contains(country) ? .letter : .a4 }
}
