import Foundation

extension TimeOfDay {
    /// Parses a time as people type it: `19:00`, `7pm`, `7.30 p.m.`, `7.30`, `1900`, `19h30`, `19 Uhr`, `12 noon`,
    /// `19.30 uur`, `7:00 م`, `午後7時半`, `7 in the evening`, `8 de la tarde`.
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
        var half: PartOfDay?
        for (word, part) in parts {
            if text.hasSuffix(word) {
                text = String(text.dropLast(word.count))
            } else if text.hasPrefix(word) {
                text = String(text.dropFirst(word.count).drop { $0 == "." })
            } else {
                continue
            }
            half = part
            break
        }
        // 7p, 10:30a
        if half == nil, let last = text.last, "ap".contains(last), text.dropLast().last?.isNumber == true {
            half = last == "a" ? .am : .pm
            text.removeLast()
        }
        // The hour is labeled, before the minutes or at the end.
        var isCalled = half != nil
        for word in hours {
            guard let place = text.firstRange(of: word) else { continue }
            isCalled = true
            let behind = text[place.upperBound...].drop { $0 == "." }
            text = behind.isEmpty ? String(text[..<place.lowerBound]) : text[..<place.lowerBound] + ":" + behind
            break
        }
        for word in ["半", "반"] where text.hasSuffix(":" + word) { text = text.dropLast(word.count) + "30" }
        // 19h30m
        let minutes = ["分", "분", "min", "мин", "хв", "phút"] + (text.contains("h") ? ["m"] : [])
        for word in minutes where text.hasSuffix(word) { text = String(text.dropLast(word.count)) }
        // 19.00 h, 19h, 19h30
        if let last = text.last, "hu".contains(last) {
            isCalled = true
            text.removeLast()
        }
        // 19:30 Uhr has become 19:30 by now; nothing follows the colon in 19:30:.
        var parts = text.split(omittingEmptySubsequences: false) { ":.,hug".contains($0) }
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
            guard let named = half.hour(hour) else { return nil }
            hour = named
        }
        guard hour < 24 || (hour == 24 && minute == 0) else { return nil }
        return (hour, minute)
    }

    private static func plain(_ typed: String) -> String {
        let text = typed.plainSigns.lowercased().filter { $0 != " " }
        return text.replacing("·", with: ".").replacing("’", with: "'")
    }

    private static let noons: Set<String> = [
        "noon", "midday", "12noon", "12midday", "12:00noon", "12.00noon", "12:00midday", "midi", "12hmidi", "mittag",
        "12uhrmittags", "mediodía", "mediodia", "mezzogiorno", "meio-dia", "meiodia", "południe", "полдень", "полудень",
        "12ظهرا", "12ظهرًا", "正午", "中午", "中午12点", "中午12點", "정오",
    ]

    private static let midnights: Set<String> = [
        "midnight", "12midnight", "12:00midnight", "minuit", "mitternacht", "medianoche", "منتصفالليل", "mezzanotte",
        "meia-noite", "meianoite", "północ", "полночь", "північ", "middernacht", "midnatt", "午夜", "자정",
    ]

    /// Words before a time, each before those that it begins with.
    private static let openings = [
        "klockan", "ogodz.", "ogodz", "godz.", "godz", "alleore", "alle", "alas", "las", "saat", "kello", "klo", "kl.",
        "kl", "ore", "ora", "um", "at", "às", "à", "h.", "h", "в", "о", "o", "u", "v", "στις", "pukul", "pkl.", "pkl",
        "jam", "الساعة", "ساعت",
    ]

    /// Words for the hour, the longest first.
    private static let hours = [
        "นาฬิกา", "heures", "часов", "heure", "hours", "horas", "часа", "hora", "sati", "uhr", "hrs", "uur", "óra",
        "giờ", "hod", "час", "год", "hr", "hs", "时", "時", "点", "點", "시", "น", "ч",
    ]

    /// A part of the day by which an hour of a 12-hour clock is one of 24.
    private enum PartOfDay {
        case am, pm, morning, afternoon, evening

        /// The hour of the day; nil if it isn't in this part, or people disagree: midnight may be the evening’s.
        func hour(_ hour: Int) -> Int? {
            switch (self, hour) {
            case (.am, 1...12): hour % 12
            case (.pm, 1...12): hour % 12 + 12
            case (.morning, 4...11), (.afternoon, 12...18), (.evening, 16...23): hour
            case (.afternoon, 1...8), (.evening, 4...11): hour + 12
            default: nil
            }
        }
    }

    /// The words for the parts of a day, the longest first: common ones, and what CLDR has for the halves.
    private static let parts: [(word: String, part: PartOfDay)] = {
        var parts: [String: PartOfDay] = [
            "a.m": .am, "p.m": .pm, "am": .am, "pm": .pm, "午前": .am, "午後": .pm, "上午": .am, "下午": .pm,
            "오전": .am, "오후": .pm, "凌晨": .am, "早上": .morning, "晚上": .evening, "朝": .morning, "夜": .evening,
            "π.μ": .am, "μ.μ": .pm, "صباحا": .am, "صباحًا": .am, "مساء": .pm, "مساءً": .pm, "ق.ظ": .am, "ب.ظ": .pm,
            "بعدالظهر": .afternoon,
            "inthemorning": .morning, "intheafternoon": .afternoon, "intheevening": .evening,
            "morgens": .morning, "vormittags": .morning, "nachmittags": .afternoon, "abends": .evening,
            "dumatin": .morning, "del'après-midi": .afternoon, "dusoir": .evening,
            "delamañana": .morning, "delatarde": .afternoon, "delanoche": .evening,
            "damanhã": .morning, "datarde": .afternoon, "danoite": .evening,
            "delmattino": .morning, "delpomeriggio": .afternoon, "disera": .evening,
            "утра": .morning, "дня": .afternoon, "вечера": .evening, "ранку": .morning, "вечора": .evening,
            "sáng": .morning, "chiều": .afternoon, "tối": .evening,
        ]
        for language in ["ar", "fa", "ur", "he", "el", "hi", "bn", "ta", "sq", "tr", "am", "vi", "fi", "hu"] {
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: language)
            for (symbol, part) in [(formatter.amSymbol, PartOfDay.am), (formatter.pmSymbol, .pm)] {
                parts[symbol.hasSuffix(".") ? plain(String(symbol.dropLast())) : plain(symbol)] = part
            }
        }
        return parts.map { (word: $0.key, part: $0.value) }.sorted {
            ($1.word.count, $0.word) < ($0.word.count, $1.word)
        }
    }()
}
