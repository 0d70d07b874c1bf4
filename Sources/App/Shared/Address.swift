import Forms

/// A postal address.
struct Address: Sendable, Hashable {
    var street = ""
    var city = ""
    /// A two-letter code in the US, free text elsewhere, possibly empty.
    var state = ""
    /// A ZIP or postal code: text, because it may begin with a zero or contain letters.
    var zip = ""
    /// ISO 3166-1 alpha-2.
    var country = "US"

    /// Town, region and postal code in the country's format: `San Jose, CA 95113`, `10437 Berlin`, `Toronto ON M5V
    /// 2T6`.
    var town: String {
        let order = isNative ? .zipStateCity : TownOrder(of: country)
        return switch order {
        case .zipCity: commas(blanks(zip, city), state)
        case .zipCityState: blanks(zip, city, state)
        case .cityZip: commas(blanks(city, zip), state)
        case .cityStateZip: state.isEmpty ? blanks(city, zip) : commas(city, blanks(state, zip))
        case .cityStateZipInOne: blanks(city, state, zip)
        case .cityStateThenZip: commas(city, state, zip)
        case .zipStateCity: blanks(country == "JP" && !zip.isEmpty ? "〒\(zip)" : zip, state + city)
        }
    }

    /// The address on one line: `180 Park Ave, San Jose, CA 95113`.
    var line: String {
        guard !street.isEmpty else { return town }
        // From large to small.
        guard isNative else { return "\(street), \(town)" }
        return country == "KR" ? blanks(state, city, street, zip) : town + street
    }

    /// The address on one line, with its country if it differs from the town's: `10437 Berlin, Germany` on a site in
    /// the US.
    var words: Words { Words(AddressLine(name: "", address: self)) }

    /// The address on one line, with its country: `180 Park Ave, San Jose, CA 95113, United States`.
    /// Maps read it in each language, so no word stands between them.
    var withCountry: Words {
        Words(joining: [Words(verbatim: "\(line), "), Words(CountryName(code: country))])
    }

    /// Whether it is in the script of a country that writes the largest part first.
    private var isNative: Bool {
        guard ["JP", "KR", "CN", "TW", "HK", "MO"].contains(country) else { return false }
        return city.unicodeScalars.contains {
            0x3040...0x30FF ~= $0.value || 0x3400...0x9FFF ~= $0.value
                || 0xAC00...0xD7AF ~= $0.value
        }
    }

    private func blanks(_ parts: String...) -> String { joined(parts, " ") }
    private func commas(_ parts: String...) -> String { joined(parts, ", ") }

    private func joined(_ parts: [String], _ separator: String) -> String {
        var all = ""
        for part in parts where !part.isEmpty {
            if !all.isEmpty { all += separator }
            all += part
        }
        return all
    }
}

/// The order of town, region and postal code in a country, according to the Universal Postal Union and OpenCage's
/// address-formatting.
private enum TownOrder {
    /// `10437 Berlin`, the most common.
    case zipCity
    /// `00184 Roma RM`.
    case zipCityState
    /// `Auckland 1010`.
    case cityZip
    /// `San Jose, CA 95113`, or without a region `London SW1A 1AA`.
    case cityStateZip
    /// `Toronto ON M5V 2T6`.
    case cityStateZipInOne
    /// `Москва, 101000`.
    case cityStateThenZip
    /// `〒150-0001 東京都渋谷区`.
    case zipStateCity

    init(of country: String) { self = Self.others[country] ?? .zipCity }

    private static let others: [String: TownOrder] = {
        let lists: [(TownOrder, String)] = [
            (.zipCityState, "IT SM VA"),
            (
                .cityZip,
                """
                IN NZ ZA SG SA JO IL PS NG PK BD LK NP KH MN BN BM MT PE VE KE HK MO AE QA BH OM KW LB YE MV BT CK NU
                NA LS SZ
                """
            ),
            (
                .cityStateZip,
                """
                US PR GU VI AS MP UM GB IE IM JE GG GI FK SH GS IO PN KY VG TC AI MS JP KR CN TW TH ID VN CO EG IQ IR MM
                JM TT BS BB FM MH PW
                """
            ),
            (.cityStateZipInOne, "CA AU BR CX CC NF HM"),
            (.cityStateThenZip, "RU UA BY LV"),
        ]
        return Dictionary(
            lists.flatMap { order, codes in codes.split { $0 == " " || $0 == "\n" }.map { (String($0), order) } },
            uniquingKeysWith: { one, _ in one })
    }()
}

/// An address on one line after the name of its place, with its country if it differs from the town's, for pages and
/// letters. Calendars and maps always include the country.
struct AddressLine: LocalValue {
    let name: String
    let address: Address

    /// - Parameter locale: Its country is the town's.
    func text(in locale: String) -> String {
        let line = [name, address.line].filter { !$0.isEmpty }.joined(separator: ", ")
        let home = locale.parts(at: "-").last ?? ""
        guard !line.isEmpty, !address.country.isEmpty, home.utf8.count == 2, home != address.country else {
            return line
        }
        return "\(line), \(CountryName(code: address.country).text(in: locale))"
    }
}
