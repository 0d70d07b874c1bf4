import Forms
import Templating

@testable import App

extension FuzzTarget {
    static let site = [
        FuzzTarget(
            text: "day",
            seeds: [
                "2026-11-21", "21.11.2026", "11/21/2026", "21 Nov 2026", "November 21st, 2026", "29-02-2028",
                "1 May 9999",
            ],
            words: ["-", ".", "/", "Feb", "September", "2027", "9999", "0001", "th", ", ", "²", "٣", "März", "年", "26"]
        ) { text throws(Broken) in
            for day in [
                Day(typed: text, in: "US"), Day(typed: text, in: "DE"), Day(typed: text, in: "JP"), Day(iso: text),
            ] {
                guard let day else { continue }
                try hold((1...9999).contains(day.year) && (0...6).contains(day.weekday), "\(day.iso)")
                let (year, month, date) = day.components
                try hold(Day(year: year, month: month, day: date) == day, "\(day.iso) has another number")
                for country in ["US", "DE", "JP"] {
                    try hold(Day(typed: day.iso, in: country) == day, "\(day.iso) came back otherwise")
                    guard year >= 1000 else { continue }  // "21 November 26" is of this century
                    let month = Day.monthNames[month - 1].english
                    for name in ["\(date) \(month) \(year)", "\(month) \(date), \(year)"] {
                        try hold(Day(typed: name, in: country) == day, "\(name) came back otherwise")
                    }
                }
                try hold(Day(iso: day.iso) == day, "\(day.iso) came back otherwise")
                try hold(day.advanced(by: 1).advanced(by: -1) == day && !day.shortName.english.isEmpty, "\(day.iso)")
            }
        },
        FuzzTarget(
            text: "time",
            seeds: ["19:00", "7pm", "7:30 p.m.", "7.30", "1900", "12am", "noon", "midnight", "19h30", "9:05:59"],
            words: [":", ".", "am", "pm", "a.m.", "h", " ", "00", "59", "24", "٣", "Uhr", "noon", "時"]
        ) { text throws(Broken) in
            guard let time = TimeOfDay(typed: text) else { return }
            try hold((0..<1_440).contains(time.minutes), "\(time.minutes) minutes")
            for written in [time.iso, time.text(in: "en-US"), time.text(in: "en-DE")] {
                try hold(TimeOfDay(typed: written) == time, "\(written) came back otherwise")
            }
        },
        FuzzTarget(
            text: "money",
            seeds: ["8", "8.50", "8,5", "$8", "free", "12 CHF", "100000", "€ 0.05"],
            words: [".", ",", "$", "€", "£", "usd", "chf", "kr", "٫", "٬", "’", ".-", " ", "00", "100000", "\u{301}"]
        ) { text throws(Broken) in
            for currency in ["USD", "EUR", "CHF", "JPY", "KWD", "TND"] {
                guard let money = Money(typed: text, currency: currency) else { continue }
                try hold((0...Money.most * 1_000).contains(money.minorUnits), "\(money)")
                // In Tunisia pages in English write thousands as thousandths are typed.
                for written in [money.typed] + (currency == "TND" ? [] : [money.text(in: "en-US")]) {
                    try hold(Money(typed: written, currency: currency) == money, "\(written) came back otherwise")
                }
            }
        },
        FuzzTarget(
            text: "cursor",
            seeds: ["1795284000000_12", "0_1", "999999999999999_999999999999999999", "1.5_7_1795284000000_12"],
            words: ["_", "-", "+", "0", "9", "."]
        ) { text throws(Broken) in
            if let name = Provider.Position(text: text) {
                try hold(Provider.Position(text: name.text) == name, "\(name.text) came back otherwise")
            }
            guard let cursor = EventFilter.Position(text: text) else { return }
            try hold(EventFilter.Position(text: cursor.text) == cursor, "\(cursor.text) came back otherwise")
            let (place, at, id) = cursor.keys
            try hold(id.rawValue > 0 && place.map { $0.kilometres >= 0 } ?? true, "\(cursor.text) is no place")
            _ = SearchKey(at, id)
        },
        FuzzTarget(
            "query",
            seeds: [
                "q=kite&city=San+Jos%C3%A9&from=2026-11-21&to=12/24/2026&age=3&age=9&free_places=2&price=free"
                    + "&covid_safe=1&tag=Music&tag=art&after=1795284000000_12",
                "when=weekend&city=", "q=a%E2%80%A8%CC%81b",
                "from=9999-12-31&to=0001-01-01",
                "near=San+Jos%C3%A9%2C+CA&within=25&unit=km&sort=nearest&zip=95112&after=1.5_7_1795284000000_12",
                "event=3",
            ],
            words: [
                "&q=", "&city=", "&from=", "&to=", "&when=today", "&when=week", "&age=", "&free_places=", "&price=free",
                "&covid_safe=1", "&near=", "&within=200", "&unit=mi", "&sort=newest", "&zip=", "&event=1", "&tag=",
                "&after=", "%00", "%CC%81", "%E2%80%A8", "%0A", "+", "9999-12-31", "%C4%B0",
            ]
        ) { bytes throws(Broken) in
            guard let query = try? FormBody(query: String(decoding: bytes, as: UTF8.self)) else { return }
            let filter = EventFilter(query, country: "US")
            for text in [filter.words, filter.city, filter.near, filter.zip] + filter.tags {
                try hold(!text.utf8.contains(0), "NUL in \(filter)")
            }
            // The link that shows this feed again shows the same.
            let again = EventFilter(try read(filter.link), country: "US")
            try hold(again == filter, "\(filter) came back as \(again)")
            let now = Instant(milliseconds: 1_795_284_000_000)
            let bounds = filter.bounds(in: .utc, now: now)
            try hold(bounds.from >= now - EventTimes.longest, "\(filter) looks at the past")
            _ = SearchKey(before: bounds.from)
        },
        FuzzTarget(
            text: "names",
            seeds: [
                "San José", "san jose", "O'Fallon", "St.  Louis ", "Ørsted", "İstanbul", "ab^c`d", "²",
            ],
            words: [" ", "-", "'", "\u{301}", "^", "`", "ß", "Ⅷ", "\u{345}", "New "]
        ) { text throws(Broken) in
            let key = folded(text)
            try hold(folded(key) == key, "“\(key)” is folded to “\(folded(key))”")
            if let quick = foldedASCII(text) {
                try hold(quick == foldedUnicode(text), "“\(quick)”, “\(foldedUnicode(text))”")
            }
            let synopsis = Event.synopsis(of: text)
            try hold(
                synopsis == text || text.utf8.starts(with: synopsis.utf8.dropLast(3)), "“\(synopsis)” of “\(text)”")
        },
    ]

    private static func read(_ link: Link) throws(Broken) -> FormBody {
        guard let query = try? FormBody(query: link.string.drop { $0 != "?" }.dropFirst()) else {
            throw Broken(description: "\(link.string) can't be read")
        }
        return query
    }
}
