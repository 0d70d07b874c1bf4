import Templating

/// A phone number in a typed text, to read and to dial.
struct PhoneNumber: Sendable, Equatable {
    /// The number as typed; if it is the only one, with the text around it, such as an extension.
    let text: String
    /// A link that calls it.
    let link: Link

    /// The numbers in a text that can be dialed; none if it is unclear which digits belong to a number, so that nobody
    /// calls a wrong one.
    ///
    /// Anything after a letter, such as an extension, is dialed by hand.
    static func all(in typed: String) -> [PhoneNumber] {
        // Some write other signs between the parts of a number: `030·1234567`, `030_1234567`.
        var text = typed.plainSigns
        if text.utf8.contains(where: { $0 == UInt8(ascii: "_") || $0 >= 0x80 }) {
            text.replace("_", with: "-")
            text.replace(" · ", with: ", ")
            text.replace("·", with: "-")
        }
        // A time with a colon isn't part of a number: `9:00-17:00 030 1234567`.
        // A pattern is compiled each time that it is used, which takes longer than all else here.
        if text.utf8.contains(UInt8(ascii: ":")) { text.replace(#/[0-9]{1,2}:[0-9]{2}/#, with: ",") }
        let found = Self.lettered(text).map { [(text: text, number: $0)] } ?? Self.found(in: text)
        return found.compactMap { text, number in
            Link(outside: "tel:\(number)").map { PhoneNumber(text: found.count == 1 ? typed : text, link: $0) }
        }
    }

    /// A run of characters that occur in numbers, and its surroundings.
    private struct Run {
        var text = ""
        /// The word before it, in lowercase.
        var word = ""
        /// Whether letters follow, which may belong to it.
        var isLettered = false
        /// Whether it is part of a service code: `*100#`.
        var isCode = false

        var digits: Int { text.count(where: \.isNumber) }

        /// Whether it follows a word that says that it isn't a number to call: `ext. 12`, `Fax-Nr. 030 1234568`.
        var isBeside: Bool { PhoneNumber.besides.contains(word) || isOfFax }

        private var isOfFax: Bool { word.hasPrefix("telefax") || (word.hasPrefix("fax") && !word.contains("tel")) }

        /// Whether it is a time range: `9-17`, `9.00-17.00`.
        var isOfTimes: Bool {
            guard text.utf8.contains(UInt8(ascii: "-")), 2...8 ~= digits else { return false }
            return text.wholeMatch(of: #/[ (]*[0-9]{1,2}(\.[0-9]{2})? *- *[0-9]{1,2}(\.[0-9]{2})?[ )]*/#) != nil
        }

        /// The text without a time range at its end; nil if that may be the end of the number: `123 45 9-17`.
        var withoutTimes: String? {
            guard text.utf8.contains(UInt8(ascii: "-")) else { return text }
            let range = #/ ([0-9]{1,2})(\.[0-9]{2})? *- *([0-9]{1,2})(\.[0-9]{2})? *$/#
            guard let match = text.firstMatch(of: range),
                let from = Int(match.1), let to = Int(match.3), from < to, to <= 24
            else { return text }
            let rest = text[..<match.range.lowerBound]
            return rest.count(where: \.isNumber) >= 10 ? String(rest) : nil
        }
    }

    /// Words before digits that aren't a phone number.
    private static let besides: Set<String> = [
        "ext", "extension", "x", "durchwahl", "dw", "nst", "poste", "int", "interno", "anexo", "ramal", "fax",
        "telefax", "room", "raum", "zimmer", "pin", "code", "zip", "plz", "since",
        "seit", "suite", "apt", "floor", "sala", "f", "faks", "факс", "ф", "传真", "傳真", "ファックス", "ファクス",
        "팩스", "فاكس", "φαξ", "פקס", "toestel", "anknytning", "dahili", "вн", "доб", "内線", "分機", "分机", "내선", "تحويلة",
    ]

    private static func found(in text: String) -> [(text: String, number: String)] {
        let runs = runs(of: text)
        let isAlone = runs.count { $0.digits > 0 } == 1
        var numbers: [(text: String, number: String)] = []
        for run in runs where !run.isCode && !run.isBeside && !run.isOfTimes {
            for part in run.withoutTimes.map(parts) ?? [] {
                let number = number(part)
                let digits = number.count(where: \.isNumber)
                // Emergency numbers are short; other short runs could be hours, or part of the number before.
                let fewest = isAlone && !run.isLettered ? 3 : numbers.isEmpty ? 5 : 6
                let isInternational =
                    number.hasPrefix("+") || (number.hasPrefix("00") && number != "000") || number.hasPrefix("011")
                guard digits >= (isInternational ? 8 : fewest), digits <= (isInternational ? 17 : 13) else { continue }
                // A short number with a leading zero is a room or an extension, except Australia's emergency number.
                guard digits >= 5 || !number.hasPrefix("0") || number == "000" else { continue }
                numbers.append((part.blanksTrimmed, number))
            }
        }
        return numbers
    }

    private static func runs(of text: String) -> [Run] {
        var runs = [Run()]
        var word = ""
        for sign in text {
            switch sign {
            case "0"..."9", " ", "-", ".", "/", "(", ")", "[", "]", "+":
                let run = runs[runs.count - 1]
                // A number has at most one plus, at its beginning; after it a parenthesis begins another number.
                let isNext =
                    sign == "+"
                    ? run.digits > 0 || run.text.contains("+") : "([".contains(sign) && run.digits >= 6
                if isNext { runs.append(Run()) }
                if runs[runs.count - 1].text.isEmpty { runs[runs.count - 1].word = word }
                runs[runs.count - 1].text.append(sign)
                if sign.isNumber { word = "" }
            case "*", "#":
                // After a whole number it begins an extension: `408-555-0100 #5`.
                if 1..<7 ~= runs[runs.count - 1].digits { runs[runs.count - 1].isCode = true }
                runs.append(Run(isCode: true))
            default:
                if runs[runs.count - 1].digits > 0 || runs[runs.count - 1].text.contains("+") { word = "" }
                if sign.isLetter { word += sign.lowercased() } else if sign != ":" { word = "" }
                if runs[runs.count - 1].text.contains(where: { $0 != " " && $0 != "." }) {
                    runs[runs.count - 1].isLettered = sign.isLetter
                    runs.append(Run())
                } else {
                    runs[runs.count - 1].text = ""
                }
            }
        }
        return runs
    }

    /// Adjacent numbers are separated by a slash. Within one number, a slash follows the area code, `030/1234567`, or
    /// precedes alternative last digits, `1234567/68`.
    private static func parts(of run: String) -> [String] {
        var parts: [String] = []
        var open = ""
        let pieces = run.split(separator: "/")
        // Short numbers stand each for themselves, as do those of police and ambulance: `110 / 112`.
        let isOfShort = pieces.allSatisfy { $0.count(where: \.isNumber) == 3 && $0.first(where: \.isNumber) != "0" }
        if isOfShort, pieces.count > 1 { return [] }
        for part in pieces {
            open += (open.isEmpty ? "" : "/") + part
            if open.count(where: \.isNumber) >= 6 {
                parts.append(open)
                open = ""
            }
        }
        return parts.isEmpty ? [run] : parts
    }

    /// The number to dial. A zero in parentheses between country and area code is dialed only domestically, except in
    /// Italy, where it is always dialed.
    private static func number(_ part: String) -> String {
        var text = part.filter { $0 != " " }
        for zero in ["(0)", "[0]"] {
            guard let place = text.firstRange(of: zero) else { continue }
            let before = text[..<place.lowerBound].filter { $0.isNumber || $0 == "+" }
            guard before.hasPrefix("+") || before.hasPrefix("00") else { continue }
            let isItaly = before == "+39" || before == "0039"
            text.replaceSubrange(place, with: isItaly ? "0" : "")
        }
        let number = text.filter { $0.isNumber || $0 == "+" }
        // A zero without parentheses is a common mistake: no number has one there.
        for sign in ["+", "00"] {
            for country in withZero where number.hasPrefix("\(sign)\(country)0") {
                return sign + country + number.dropFirst(sign.count + country.count + 1)
            }
        }
        return number
    }

    /// Countries whose area codes have a leading zero only domestically.
    private static let withZero = [
        "20", "27", "31", "32", "33", "40", "41", "43", "44", "46", "49", "51", "53", "54", "55", "57", "58", "60",
        "61", "62", "63", "64", "66", "81", "82", "84", "86", "90", "91", "92", "93", "94", "95", "98", "211", "212",
        "213", "218", "231", "232", "233", "234", "243", "249", "250", "251", "252", "254", "255", "256", "260", "261",
        "262", "263", "264", "265", "291", "353", "355", "358", "359", "370", "373", "374", "380", "381", "382",
        "383", "385", "386", "387", "389", "421", "590", "591", "593", "594", "595", "596", "598", "850", "855", "856",
        "880", "886", "961", "962", "963", "964", "966", "967", "970", "971", "972", "976", "977", "994", "995", "996",
    ]

    /// A North American number with letters: `1-800-FLOWERS` is 1 800 356 9377.
    private static func lettered(_ text: String) -> String? {
        // Most numbers have no letter, and for them the pattern needn't be compiled.
        let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
        guard text.utf8.contains(where: { letters.contains($0 & 0xDF) }) else { return nil }
        let shape = #/ *(?:\+?1[-. ]*)?\(?([2-9][0-9]{2})\)?[-. ]*([0-9A-Z][0-9A-Z-]{6,}) */#
        let capitals = text.uppercased()
        guard let match = capitals.wholeMatch(of: shape), match.2.contains(where: \.isLetter) else { return nil }
        // Small letters may be any words, but not after the beginning of a toll-free number.
        guard isTollFree(match.1) || !text.utf8.contains(where: { $0 >= UInt8(ascii: "a") }) else { return nil }
        let word = match.2.filter { $0 != "-" }
        guard word.count >= 7 else { return nil }
        // Exchanges ignore digits after the seventh.
        let dialled = word.prefix(7).map { sign in
            sign.isNumber ? String(sign) : "\(2 + (keys.firstIndex { $0.contains(sign) } ?? 0))"
        }
        return "+1\(match.1)\(dialled.joined())"
    }

    private static func isTollFree(_ code: Substring) -> Bool {
        ["800", "833", "844", "855", "866", "877", "888"].contains(code)
    }

    /// The letters on the keys from 2 on.
    private static let keys = ["ABC", "DEF", "GHI", "JKL", "MNO", "PQRS", "TUV", "WXYZ"]
}

extension String {
    fileprivate var blanksTrimmed: String {
        let ends: Set<Character> = [" ", "-", ".", "/", "(", ")"]
        var text = self[...]
        while let last = text.last, ends.contains(last), last != ")" || !text.contains("(") { text.removeLast() }
        while let first = text.first, ends.contains(first), first != "(" || !text.contains(")") { text.removeFirst() }
        return String(text)
    }
}
