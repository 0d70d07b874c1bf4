import Foundation

extension TimeOfDay {
    /// Parses a time as people type it: `19:00`, `7pm`, `7.30 p.m.`, `7.30`, `1900`, `19h30`, `19 Uhr`, `12 noon`,
    /// `19.30 uur`, `7:00 م`, `午後7時半`.
    ///
    /// Only unambiguous times are accepted: `7` isn't one.
    ///
    /// - Parameter isEnd: Whether it is an end time: then `24:00` is allowed.
    init?(typed: String, isEnd: Bool = false) {
        if isEnd, Self.isEndOfDay(typed) {
            self = .midnight
            return
        }
        guard let (hour, minute) = Self.read(typed) else { return nil }
        self.init(hour: hour, minute: minute)
    }

    /// Whether an end time of `24:00` was typed.
    static func isEndOfDay(_ typed: String) -> Bool {
        read(typed).map { $0 == (24, 0) } ?? false || midnights.contains(plain(typed))
    }

    /// The hour, up to 24, and the minute.
    private static func read(_ typed: String) -> (hour: Int, minute: Int)? {
        var text = plain(typed)
        guard text.utf8.count <= 40 else { return nil }
        while text.hasSuffix(".") { text.removeLast() }
        if noons.contains(text) { return (12, 0) }
        if midnights.contains(text) { return (0, 0) }
        for word in openings where text.hasPrefix(word) {
            text = String(text.dropFirst(word.count))
            break
        }
        var half: Int?
        for (word, hours) in halves {
            if text.hasSuffix(word) {
                text = String(text.dropLast(word.count))
            } else if text.hasPrefix(word) {
                text = String(text.dropFirst(word.count))
            } else {
                continue
            }
            half = hours
            break
        }
        // 7p, 10:30a
        if half == nil, let last = text.last, "ap".contains(last), text.dropLast().last?.isNumber == true {
            half = last == "a" ? 0 : 12
            text.removeLast()
        }
        // The hour is labeled, before the minutes or at the end.
        var isCalled = half != nil
        for word in hours {
            guard let place = text.firstRange(of: word) else { continue }
            isCalled = true
            let behind = text[place.upperBound...]
            text = behind.isEmpty ? String(text[..<place.lowerBound]) : text[..<place.lowerBound] + ":" + behind
            break
        }
        for word in ["半", "반"] where text.hasSuffix(":" + word) { text = text.dropLast(word.count) + "30" }
        // 19h30m
        let minutes = text.contains("h") ? ["分", "분", "min", "m"] : ["分", "분", "min"]
        for word in minutes where text.hasSuffix(word) { text = String(text.dropLast(word.count)) }
        // 19.00 h, 19h, 19h30
        if let last = text.last, "hu".contains(last) {
            isCalled = true
            text.removeLast()
        }
        // 19:30 Uhr has become 19:30 by now; nothing follows the colon in 19:30:.
        var parts = text.split(omittingEmptySubsequences: false) { ":.hu".contains($0) }
        if parts.count == 1, (3...4).contains(text.utf8.count) {
            parts = [text.dropLast(2), text.suffix(2)]
        }
        guard (1...3).contains(parts.count), parts.allSatisfy(\.isDigits), parts[0].utf8.count <= 2,
            parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }), var hour = Int(parts[0]),
            let minute = parts.count > 1 ? Int(parts[1]) : 0, minute < 60
        else { return nil }
        // A bare number is an hour only if a 12-hour clock doesn't have it.
        guard parts.count > 1 || isCalled || (13...23).contains(hour) else { return nil }
        if let half {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + half
        }
        guard hour < 24 || (hour == 24 && minute == 0) else { return nil }
        return (hour, minute)
    }

    private static func plain(_ typed: String) -> String { typed.plainSigns.lowercased().filter { $0 != " " } }

    private static let noons: Set<String> = [
        "noon", "midday", "12noon", "12midday", "12:00noon", "12.00noon", "12:00midday", "midi", "mittag",
        "mediodía", "mediodia",
    ]

    private static let midnights: Set<String> = [
        "midnight", "12midnight", "12:00midnight", "minuit", "mitternacht", "medianoche", "منتصفالليل",
    ]

    /// Words before a time.
    private static let openings = [
        "klockan", "godz.", "godz", "alle", "alas", "saat", "klo", "kl.", "kl", "ore", "um", "at", "às", "à", "h.",
        "h", "в",
    ]

    /// Words for the hour, the longest first.
    private static let hours = [
        "heures", "часов", "heure", "hours", "horas", "часа", "hora", "uhr", "hrs", "uur", "óra", "giờ", "hod", "час",
        "hs", "时", "時", "点", "點", "시", "น", "ч",
    ]

    /// The words for the halves of a day, the longest first: Western and East Asian ones, and what CLDR has for others.
    private static let halves: [(word: String, hours: Int)] = {
        var halves: [String: Int] = [
            "a.m": 0, "p.m": 12, "am": 0, "pm": 12, "午前": 0, "午後": 12, "上午": 0, "下午": 12,
            "오전": 0, "오후": 12, "凌晨": 0, "早上": 0, "π.μ": 0, "μ.μ": 12, "صباحا": 0, "صباحًا": 0, "مساء": 12, "مساءً": 12,
        ]
        for language in ["ar", "fa", "ur", "he", "el", "hi", "bn", "ta", "sq", "tr", "am"] {
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: language)
            for (symbol, hours) in [(formatter.amSymbol, 0), (formatter.pmSymbol, 12)] {
                halves[symbol.hasSuffix(".") ? plain(String(symbol.dropLast())) : plain(symbol)] = hours
            }
        }
        return halves.map { (word: $0.key, hours: $0.value) }.sorted {
            ($1.word.count, $0.word) < ($0.word.count, $1.word)
        }
    }()
}
