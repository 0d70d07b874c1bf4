import Database
import Forms
import Testing

@testable import App
@testable import Templating

/// Cards and texts that are drawn once and used again. Each time one is, a debug build draws it again and compares,
/// here and in all other tests (`withTestSite`).
@Suite struct KeptPartsTests {
    @Test(arguments: [UInt64(1), 2, 3])
    func `whatever is written and however time passes, kept is what would be drawn anew`(seed: UInt64) async throws {
        let catalogues = ["de", "ar"].map { Catalogue(parsing: "msgid \"\"\nmsgstr \"Language: \($0)\\n\"\n") }
        try await withTestSite(pageCache: 0, catalogues: catalogues) { site in
            var random = SeededGenerator(seed: seed)
            // Two times the same é to Swift, and other bytes.
            let titles = ["Kite day", "Caf\u{E9}", "Cafe\u{301}", "Chess & tea", "יום עפיפונים"]
            let mia = try await site.child("Mia", of: .ana)
            let readers = [
                site.browser(), try await site.signIn(.ana, as: .parent), try await site.signIn(.ben, as: .provider),
                try await site.signIn(.cleo, as: .parent),
            ]
            var events: [ID<Event>] = []
            for turn in 0..<40 {
                let title = random.pick(titles)
                let event = events.isEmpty ? nil : random.pick(events)
                switch (random.number(in: 0..<8), event) {
                case (0, _), (1, _), (_, nil):
                    let day = Day(iso: "2027-03-20")!.advanced(by: random.number(in: 1...4))
                    let price = random.pick(["free", "9", nil])
                    events.append(
                        try await site.publish(by: .ben) {
                            ($0.title, $0.date) = (title, day)
                            $0.price = price
                        })
                case (2, let event?): try await site.execute("UPDATE event SET title = \(title) WHERE id = \(event)")
                case (3, let event?):
                    try await site.execute(
                        "UPDATE event SET description = \(title), synopsis = \(title) WHERE id = \(event)")
                case (4, let event?):
                    let taken = random.number(in: 1...20)
                    try await site.execute("UPDATE event SET taken = \(taken) WHERE id = \(event)")
                case (5, let event?): try await site.execute("UPDATE event SET cancelled_at = 1 WHERE id = \(event)")
                case (6, let event?): _ = try? await site.register([mia], of: .ana, at: event)
                default: site.clock.advance(by: .seconds(random.number(in: 1...30_000)))
                }
                let reader = readers[turn % readers.count]
                let language = random.pick(["en", "de", "ar"])
                #expect(try await reader.visit("/events?lang=\(language)").status == 200)
                let shown = random.pick(events)
                #expect(try await reader.visit("\(Link.event(shown).string)?lang=\(language)").status == 200)
            }
            #expect(site.site.drawn.differences.isEmpty)
            #expect(site.site.drawn.uses > 20)
        }
    }

    @Test(arguments: [UInt64(1), 2])
    func `whatever is written and however time passes, a kept list is what would be found anew`(
        seed: UInt64
    ) async throws {
        try await withTestSite { site in
            var random = SeededGenerator(seed: seed)
            let zone = site.site.settings.zone
            let filters = (0..<6).map { number in
                var filter = EventFilter()
                switch number {
                case 1: filter.city = "San Jose"
                case 2: filter.freePlaces = 1
                case 3: filter.when = .today
                case 4: filter.ages = [6]
                case 5: filter.tags = ["kites"]
                default: break
                }
                return filter
            }
            @Sendable func list(_ filter: EventFilter, in tx: Transaction) throws -> (words: String, number: Int?) {
                let found = try Event.search(filter, in: zone, in: tx)
                #expect(found.cards.allSatisfy { $0.endsAt > tx.now })
                let tally = try Event.tally(filter, behind: found.cards, in: zone, in: tx)
                return (String(describing: (found.cards, tally)), found.number)
            }
            var event = try await site.publish(by: .ben)
            for _ in 0..<40 {
                switch random.number(in: 0..<6) {
                case 0:
                    let day = Day(iso: "2027-03-20")!.advanced(by: random.number(in: 0...2))
                    let start = TimeOfDay(hour: random.number(in: 0...10), minute: random.number(in: 0...59))!
                    let window = random.pick([nil, LocalTime(day: day, time: start)])
                    event = try await site.publish(by: .ben) {
                        ($0.date, $0.startTime, $0.endTime) = (day, start, TimeOfDay(hour: 12, minute: 30)!)
                        $0.closesAt = window
                    }
                case 1:
                    let taken = random.pick([0, 20])
                    try await site.execute("UPDATE event SET taken = \(taken) WHERE id = \(event)")
                case 2: try await site.execute("UPDATE event SET cancelled_at = 1 WHERE id = \(event)")
                default: site.clock.advance(by: .milliseconds(random.number(in: 1...3_000_000)))
                }
                let now = site.clock.now
                for filter in filters {
                    let kept = try site.site.read(at: now) { tx in try list(filter, in: tx) }
                    let again = try site.site.read(at: now) { tx in try list(filter, in: tx) }
                    // Nothing is kept for what writes.
                    let anew = try await site.site.writeQuietly(at: now) { tx in try list(filter, in: tx).words }
                    #expect(kept.words == anew && again.words == anew)
                    #expect(again.number != nil && (kept.number ?? again.number) == again.number)
                }
            }
        }
    }

    @Test func `no list is kept that asks for the ages of children, or for words`() async throws {
        try await withTestSite { site in
            _ = try await site.publish(by: .ben)
            func isKept(_ filter: EventFilter) throws -> Bool {
                func found() throws -> FoundCards {
                    try site.site.read(at: site.clock.now) { tx in
                        try Event.search(filter, in: site.site.settings.zone, in: tx)
                    }
                }
                #expect(try found().cards.count == 1)
                return try found().number != nil
            }
            var (ages, words) = (EventFilter(), EventFilter())
            (ages.anyAges, words.words) = ([5...6], "kite")
            #expect(try isKept(EventFilter()) && !isKept(ages) && !isKept(words))
        }
    }

    @Test func `a card is kept until something on it changes, in each language`() async throws {
        let german = Catalogue(
            parsing: """
                msgid ""
                msgstr "Language: de\\n"

                msgid "On now"
                msgstr "Jetzt"
                """)
        try await withTestSite(pageCache: 0, catalogues: [german]) { site in
            let event = try await site.publish(by: .ben) { ($0.date, $0.spots) = (Day(iso: "2027-03-20")!, 2) }
            func card(_ language: String) async throws -> String {
                let page = try await site.browser().visit("/events?lang=\(language)")
                return try #require(page.html.all(ofClass: "card").first).text
            }
            let first = try await card("en")
            #expect(try await card("en") == first && site.site.drawn.uses > 0)
            try await site.execute("UPDATE event SET taken = 2, title = 'Kite night' WHERE id = \(event)")
            let full = try await card("en")
            #expect(full.contains("Kite night") && full.contains("Full") && !first.contains("Full"))
            // 10:30 in the town.
            site.clock.advance(by: .seconds(7 * 3_600 + 1_800))
            #expect(try await card("en").contains("On now"))
            #expect(try await card("de").contains("Jetzt"))
        }
    }

    @Test func `a form's filters are kept for what is chosen, not for another choice`() async throws {
        try await withTestSite(pageCache: 0) { site in
            func chosen(_ address: String) async throws -> [String] {
                let page = try await site.browser().visit(address).html
                let boxes = page.all("input").filter { $0["name"] == "age" || $0["name"] == "access" }
                let options = page.all("option").filter { $0["lang"] != nil }
                #expect(boxes.count > 30 && options.count == WrittenLanguage.all.count)
                return boxes.filter { $0["checked"] != nil }.compactMap { $0["value"] }
                    + options.filter { $0["selected"] != nil }.compactMap { $0["value"] }
            }
            for _ in 0..<2 {
                let nothing = try await chosen("/events")
                #expect(nothing.isEmpty)
                let ages = try await chosen("/events?age=6&age=9&access=quiet")
                #expect(ages == ["6", "9", "quiet"])
                let language = try await chosen("/events?access=online&written=de")
                #expect(language == ["online", "de"])
            }
            #expect(site.site.drawn.uses > 0)
        }
    }

    @Test func `the card of a way to help is kept until it changes`() async throws {
        try await withTestSite(pageCache: 0) { site in
            let id = try await SigningUpToHelpTests.coats(site)
            func cards() async throws -> [String] { try await site.browser().visit("/opportunities").cards }
            #expect(try await cards() == ["Winter coats"])
            #expect(try await cards() == ["Winter coats"] && site.site.drawn.uses > 0)
            try await site.execute("UPDATE opportunity SET title = 'Warm coats' WHERE id = \(id)")
            #expect(try await cards() == ["Warm coats"])
        }
    }

    @Test func `nothing that is hidden stays in memory`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let event = try await site.publish(by: .ben) { form in
                (form.description, form.onlineURL) = ("Behind the old mill.", "https://meet.example/kites")
            }
            func isKept(_ words: String = "old mill") -> Bool {
                site.site.drawn.parts.contains { String(decoding: $0.bytes, as: UTF8.self).contains(words) }
            }
            try await site.execute("UPDATE event SET hidden_at = 1, listed = FALSE WHERE id = \(event)")
            #expect(try await ben.visit(Link.event(event).string).text.contains("Behind the old mill."))
            #expect(!isKept())
            try await site.execute("UPDATE event SET hidden_at = NULL, listed = TRUE WHERE id = \(event)")
            let page = try await ben.visit(Link.event(event).string)
            // Its host sees the link for those who take part, but it isn't kept.
            #expect(isKept() && page.string.contains("meet.example") && !isKept("meet.example"))
        }
    }
}
