import Forms

/// Facts that a family may need to know before it comes. Stored as bits in this order: add new ones at the end.
enum Amenity: String, FormValue, CaseIterable {
    case stepFree = "step_free"
    case quiet, fenced
    case changingTable = "changing_table"
    case pram
    case nutFree = "nut_free"
    case rainPlan = "rain_plan"
    case siblings
    case spanish = "lang_es"
    case chinese = "lang_zh"
    case vietnamese = "lang_vi"
    case tagalog = "lang_tl"
    case arabic = "lang_ar"
    case french = "lang_fr"
    case german = "lang_de"
    case ukrainian = "lang_uk"
    case russian = "lang_ru"
    case hindi = "lang_hi"
    case korean = "lang_ko"
    case signLanguage = "lang_sign"

    var name: Words {
        switch self {
        case .stepFree: "Step-free"
        case .quiet: "Quiet hour"
        case .fenced: "Fenced in"
        case .changingTable: "Changing table"
        case .pram: "Room for strollers"
        case .nutFree: "No nuts"
        case .rainPlan: "Plan for rain"
        case .siblings: "Siblings welcome"
        case .spanish: "Spanish spoken"
        case .chinese: "Chinese spoken"
        case .vietnamese: "Vietnamese spoken"
        case .tagalog: "Tagalog spoken"
        case .arabic: "Arabic spoken"
        case .french: "French spoken"
        case .german: "German spoken"
        case .ukrainian: "Ukrainian spoken"
        case .russian: "Russian spoken"
        case .hindi: "Hindi spoken"
        case .korean: "Korean spoken"
        case .signLanguage: "Sign language"
        }
    }

    /// Only the language, for a list of languages.
    var language: Words {
        switch self {
        case .spanish: "Spanish"
        case .chinese: "Chinese"
        case .vietnamese: "Vietnamese"
        case .tagalog: "Tagalog"
        case .arabic: "Arabic"
        case .french: "French"
        case .german: "German"
        case .ukrainian: "Ukrainian"
        case .russian: "Russian"
        case .hindi: "Hindi"
        case .korean: "Korean"
        default: name
        }
    }

    var isLanguage: Bool { rawValue.hasPrefix("lang_") }

    static let comforts = allCases.filter { !$0.isLanguage }
    static let languages = allCases.filter(\.isLanguage)
    static let choices = allCases.map { Choice($0, $0.name) }

    fileprivate var bit: Int64 { 1 << Int64(Self.allCases.firstIndex(of: self)!) }
}

extension [Amenity] {
    /// The format in the database.
    var bits: Int64 { reduce(0) { $0 | $1.bit } }

    init(bits: Int64) {
        self = bits == 0 ? [] : Amenity.allCases.filter { bits & $0.bit != 0 }
    }
}
