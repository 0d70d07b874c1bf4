import Database
import Forms
import Testing

@testable import App

/// What suits somebody, by the tags of what they go to.
@Suite struct SuggestionTests {
    private func event(
        _ site: TestSite, _ title: String, _ tags: String, on day: String, spots: Int? = 20
    ) async throws -> ID<Event> {
        try await site.publish(by: .ben) { form in
            form.audience = .everyone
            form.title = title
            form.tags = tags
            form.date = Day(iso: day)!
            form.spots = spots
        }
    }

    @Test func `most tags in common come first, each with its reason, and less of it is heeded`() async throws {
        try await withTestSite { site in
            let spring = try await event(site, "Spring fair", "outdoors, music", on: "2027-03-26")
            _ = try await event(site, "Concert", "music", on: "2027-03-28")
            _ = try await event(site, "Picnic with a band", "music, outdoors, food", on: "2027-04-09")
            _ = try await event(site, "Chess", "games", on: "2027-03-27")
            let full = try await event(site, "Tiny", "music, outdoors", on: "2027-03-29", spots: 1)
            _ = try await event(site, "Same hour", "music", on: "2027-03-26")
            let other = try await site.account(of: .mira)
            _ = try await site.write(at: site.clock.now) { tx in try Attendee.join([.me], of: other, at: full, in: tx) }
            let dan = try await site.signIn(.family(1))
            var page = try await dan.visit("/events/for-you")
            #expect(page.text.contains("what most people go to in the next seven days"))
            _ = try await dan.visit("/events/\(spring)").press("Join")
            page = try await dan.visit("/events/for-you")
            #expect(page.cards == ["Picnic with a band", "Concert", "Same hour"])
            #expect(page.text.contains("2 tags you know from “Spring fair”: music, outdoors"), "\(page.text)")
            page = try await page.press("Less of outdoors")
            #expect(page.flash == "You won’t be suggested that anymore.")
            #expect(page.cards == ["Concert", "Picnic with a band", "Same hour"])
            page = try await page.press("Not this one: Concert")
            #expect(page.cards == ["Picnic with a band", "Same hour"])
            page = try await page.press("outdoors: suggest it again")
            #expect(page.flash == "It may be suggested again.")
            #expect(page.text.contains("2 tags you know"))
            // Somebody else's list doesn't change.
            let eve = try await site.signIn(.family(2))
            #expect(try await !eve.visit("/events/for-you").text.contains("What you want less of"))
            #expect(try await site.browser().visit("/events/for-you").cards.contains("Spring fair"))
            let token = try await eve.visit("/me/settings").value(of: "csrf") ?? ""
            #expect(try await eve.submit("/events/less", [("csrf", token), ("event", "999")]).status == 404)
            #expect(try await eve.submit("/events/less", [("csrf", token)]).status == 400)
            let long = String(repeating: "w", count: 31)
            #expect(try await eve.submit("/events/less", [("csrf", token), ("tag", long)]).status == 400)
        }
    }

    @Test(arguments: 0..<1_000) func `the list is what the rule says, in any town`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let tags = ["a", "b", "c", "d", "e"]
        func some() -> [String] { tags.filter { _ in random.number(in: 0...1) == 1 } }
        let base = Instant(milliseconds: 1_800_000_000_000)
        var taste = Suggestion.Taste()
        let town = (1...30).map { number -> (event: EventCard, tags: [String]) in
            let start = base + .hours(random.number(in: 0..<20))
            return (EventCard(number: Int64(number), from: start, taken: random.number(in: 0...1)), some())
        }
        for known in town.prefix(random.number(in: 0...5)) {
            taste.known.append((known.event.id, EventTitle(title: known.event.title), known.tags))
            taste.busy.append((known.event.startsAt, known.event.endsAt))
        }
        taste.lessTags = Set(tags.filter { _ in random.number(in: 0..<6) == 0 })
        taste.lessEvents = [ID(Int64(random.number(in: 1...30)))]
        let expected = Self.reference(town, taste)
        let candidates = town.map { event, tags in
            Suggestion.Candidate(
                id: event.id, startsAt: event.startsAt, endsAt: event.endsAt, isFull: event.isFull, tags: tags)
        }
        #expect(Suggestion.ranked(candidates, by: taste).map(\.id) == expected.prefix(20).map(\.id))
    }

    @Test func `what the query finds in a large town is what the rule says of all of it`() async throws {
        try await withTestSite { site in
            try await site.site.seedLoad(
                .init(
                    families: 3, providers: 3, events: 600, registrations: 0, seed: 5,
                    password: "a village of our own", cities: []))
            let now = site.clock.now
            try await site.execute("UPDATE event SET taken = spots WHERE id % 7 = 0")
            let town = try site.read { db in
                try db.all("SELECT \(EventCard.columns), event.tags FROM event \(EventCard.host) LIMIT 1000") {
                    (event: try $0.next() as EventCard, tags: Suggestion.split(try $0.next()))
                }
            }
            #expect(town.count == 600)
            for seed in 0..<100 {
                var random = SeededGenerator(seed: UInt64(seed))
                var taste = Suggestion.Taste()
                for _ in 0..<random.number(in: 1...40) {
                    let known = town[random.number(in: 0..<town.count)]
                    taste.known.append((known.event.id, EventTitle(title: known.event.title), known.tags))
                }
                // A long journey, over much of what is near.
                taste.busy = [(now, now + .days(random.number(in: 0...60)))]
                taste.lessTags = seed % 3 == 0 ? ["music"] : []
                taste.lessEvents = [town[seed].event.id]
                let found = try site.read(at: now) { tx in try Suggestion.all(for: taste, in: tx) }
                let expected = Self.reference(town, taste).prefix(Suggestion.most)
                #expect(found.map(\.event.id) == expected.map(\.id), "\(seed)")
            }
        }
    }

    /// The rule once more, written apart from the query.
    private static func reference(
        _ town: [(event: EventCard, tags: [String])], _ taste: Suggestion.Taste
    ) -> [EventCard] {
        let set = Set(taste.known.flatMap(\.tags)).subtracting(taste.lessTags)
        var expected: [(shared: Int, isBusy: Bool, event: EventCard)] = []
        for (event, tags) in town where !event.isFull && !taste.lessEvents.contains(event.id) {
            let shared = set.intersection(tags).count
            if shared == 0 || taste.known.contains(where: { $0.id == event.id }) { continue }
            let isBusy = taste.busy.contains { $0.from < event.endsAt && event.startsAt < $0.to }
            expected.append((shared, isBusy, event))
        }
        expected.sort { a, b in
            if a.shared != b.shared { return a.shared > b.shared }
            if a.isBusy != b.isBusy { return b.isBusy }
            if a.event.startsAt != b.event.startsAt { return a.event.startsAt < b.event.startsAt }
            return a.event.id < b.event.id
        }
        return expected.map(\.event)
    }
}

extension EventCard {
    /// An event of one place, an hour long.
    fileprivate init(number: Int64, from start: Instant, taken: Int) {
        let day = Zone.utc.day(of: start)
        self.init(
            id: ID(number), host: "King Library", audience: .everyone, title: "Event \(number)", synopsis: "",
            schedule: Schedule(day: day, start: .midnight, startsAt: start, endsAt: start + .hours(1)), placeName: "",
            street: "", city: "San Jose", admission: Admission(spots: 1), taken: taken, motif: .party)
    }
}
