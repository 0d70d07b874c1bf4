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
        let text = typed.plainSigns
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

        /// Whether it is a time range: `9-17`, `9.00-17.00`.
        var isOfTimes: Bool {
            // A pattern is compiled each time that it is used, which takes longer than all else here.
            guard text.utf8.contains(UInt8(ascii: "-")), 2...8 ~= digits else { return false }
            return text.wholeMatch(of: #/[ (]*[0-9]{1,2}(\.[0-9]{2})? *- *[0-9]{1,2}(\.[0-9]{2})?[ )]*/#) != nil
        }
    }

    private static func found(in text: String) -> [(text: String, number: String)] {
        let runs = runs(of: text)
        let isAlone = runs.count { $0.digits > 0 } == 1
        var numbers: [(text: String, number: String)] = []
        for run in runs where !run.isCode && !besides.contains(run.word) && !run.isOfTimes {
            for part in parts(of: run.text) {
                let number = number(part)
                let digits = number.count(where: \.isNumber)
                // Emergency numbers are short; other short runs could be hours, or part of the number before.
                let fewest = isAlone && !run.isLettered ? 3 : numbers.isEmpty ? 5 : 6
                let isInternational = number.hasPrefix("+") || number.hasPrefix("00")
                guard digits >= (isInternational ? 8 : fewest), digits <= (isInternational ? 17 : 13) else { continue }
                // A short number with a leading zero is a room or an extension, except Australia's emergency number.
                guard digits >= 5 || !number.hasPrefix("0") || number == "000" else { continue }
                numbers.append((part.blanksTrimmed, number))
            }
        }
        return numbers
    }

    /// Words before digits that aren't a phone number.
    private static let besides: Set<String> = [
        "ext", "extension", "x", "durchwahl", "dw", "nst", "poste", "int", "interno", "anexo", "ramal", "fax",
        "telefax",
    ]

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
                runs[runs.count - 1].isCode = runs[runs.count - 1].digits > 0
                runs.append(Run(isCode: true))
            default:
                if runs[runs.count - 1].digits > 0 || runs[runs.count - 1].text.contains("+") { word = "" }
                if sign.isLetter { word += sign.lowercased() } else { word = "" }
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
        for part in run.split(separator: "/") {
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
        for country in withZero where number.hasPrefix("+\(country)0") {
            return "+\(country)" + number.dropFirst(country.count + 2)
        }
        return number
    }

    /// Countries whose area codes have a leading zero only domestically.
    private static let withZero = [
        "20", "27", "31", "32", "33", "40", "41", "43", "44", "46", "49", "60", "61", "62", "63", "64", "66", "81",
        "82", "84", "86", "90", "91", "92", "94", "98", "353", "358", "380", "381", "385", "386", "387", "421", "962",
        "966", "971", "972",
    ]

    /// A North American number with letters: `1-800-FLOWERS` is 1 800 356 9377.
    private static func lettered(_ text: String) -> String? {
        // Most numbers have no letter, and for them the pattern needn't be compiled.
        guard text.utf8.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else { return nil }
        let shape = #/ *(?:\+?1[-. ]*)?\(?([2-9][0-9]{2})\)?[-. ]*([0-9A-Z][0-9A-Z-]{6,}) */#
        guard let match = text.wholeMatch(of: shape), match.2.contains(where: \.isLetter) else { return nil }
        let word = match.2.filter { $0 != "-" }
        guard word.count >= 7 else { return nil }
        // Exchanges ignore digits after the seventh.
        let dialled = word.prefix(7).map { sign in
            sign.isNumber ? String(sign) : "\(2 + (keys.firstIndex { $0.contains(sign) } ?? 0))"
        }
        return "+1\(match.1)\(dialled.joined())"
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
