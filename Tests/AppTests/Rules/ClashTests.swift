import Forms
import Testing

@testable import App

/// What doesn't add up in a family's plans.
@Suite struct ClashTests {
    private let library = Address(
        street: "150 E San Fernando St", city: "San Jose", state: "CA", zip: "95112", country: "US")
    private let pool = Address(street: "1 Park Rd", city: "Campbell", state: "CA", zip: "95008", country: "US")
    private let near = Coordinate(latitude: 37.3352, longitude: -121.8811)!
    private let far = Coordinate(latitude: 37.2872, longitude: -121.9500)!
    private let nine = Instant(milliseconds: 1_800_000_000_000)

    private func plan(
        _ name: String, _ people: Set<String>, _ from: Int, _ to: Int, event: Int64, at address: Address,
        _ coordinate: Coordinate? = nil, isActivity: Bool = false, isOff: Bool = false
    ) -> TimeSlot {
        TimeSlot(
            Words(verbatim: name), people, from: nine + .minutes(from), to: nine + .minutes(to), event: ID(event),
            isActivity: isActivity, address: address, coordinate: coordinate, isOff: isOff)
    }

    private func kinds(_ plans: [TimeSlot]) -> [Clash.Kind] {
        // Each is said at both.
        Clash.all(of: plans).map(\.kind).enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    }

    @Test func `one person in two places at once is said at the later one`() {
        let clashes = Clash.all(of: [
            plan("Swimming", ["Mo"], 30, 90, event: 2, at: pool),
            plan("Kites", ["Mo", "Lu"], 0, 60, event: 1, at: library),
        ])
        #expect(clashes.map(\.kind) == [.same, .same] && clashes.map(\.place) == [1, 0])
        #expect(
            clashes.map(\.words.plain) == [
                "At the same time Mo is at “Swimming”.", "At the same time Mo is at “Kites”.",
            ])
        #expect(
            kinds([plan("A", [""], 0, 60, event: 1, at: library), plan("B", [""], 59, 90, event: 2, at: library)]) == [
                .same
            ])
        // One after the other is fine at one place.
        #expect(
            kinds([plan("A", ["Mo"], 0, 60, event: 1, at: library), plan("B", ["Mo"], 60, 90, event: 2, at: library)])
                == [])
    }

    @Test func `a shift at the same door isn't elsewhere`() {
        let event = Event(
            id: ID(1), host: Event.Host(id: ID(1), username: "", name: "", person: nil), title: "Story time",
            schedule: Schedule(
                day: Day(iso: "2027-03-27")!, start: .midnight, startsAt: nine, endsAt: nine + .hours(1)),
            venue: Venue(address: library, zone: "UTC"), admission: Admission(), details: EventDetails(description: ""))
        func shift(_ address: Address) -> TimeSlot {
            let shift = Shift(
                id: ID(1), day: Day(iso: "2027-03-27")!, start: .midnight, end: .midnight, startsAt: nine + .hours(1),
                endsAt: nine + .hours(2), spots: 1, lead: "")
            return TimeSlot(
                .shift(
                    Signup(
                        id: ID(1), opportunity: ID(1), title: "Shelves", kind: .volunteer, host: ID(1), hostName: "",
                        account: ID(1), shift: shift, state: .confirmed, message: "", createdAt: nine,
                        placeName: "King Library", address: address, coordinate: nil, zone: "UTC", changedAt: nine)))
        }
        #expect(kinds([TimeSlot(event, [""]), shift(library)]) == [])
        #expect(kinds([TimeSlot(event, [""]), shift(pool)]) == [.tight])
    }

    @Test func `advice compares shifts and meetings with each other, and an event not with itself`() {
        func advice(_ one: Int64, _ other: Int64) -> [Clash.Kind] {
            Clash.advice(
                for: plan("A", [""], 0, 60, event: one, at: library),
                beside: [plan("B", [""], 30, 90, event: other, at: pool)]
            ).map(\.kind)
        }
        #expect(advice(0, 0) == [.same] && advice(1, 0) == [.same] && advice(1, 1) == [])
    }

    @Test func `what can be chosen in one press says at each what it overlaps with, three by name`() {
        func said(_ offered: [TimeSlot]) -> [String: String] {
            let clashes = Clash.among(offered.map { ($0, $0.name) })
            return Dictionary(uniqueKeysWithValues: clashes.map { (offered[$0.place].name.plain, $0.words.plain) })
        }
        #expect(
            said([
                plan("A", [""], 60, 120, event: 0, at: library), plan("B", [""], 0, 61, event: 0, at: library),
                plan("C", [""], 120, 180, event: 0, at: library), plan("D", ["Mo"], 0, 60, event: 0, at: library),
                plan("E", [""], 0, 60, event: 0, at: library, isOff: true),
            ]) == ["A": "Overlaps with B.", "B": "Overlaps with A."])
        let many = (1...6).map { plan("\($0)", [""], $0, 90, event: 0, at: library) }
        #expect(said(many)["1"] == "Overlaps with 2, 3, 4, and 2 more.")
        // Dates of a series are events of their own.
        let dates = [plan("A", ["Mo"], 0, 60, event: 1, at: library), plan("B", ["Mo"], 30, 90, event: 2, at: library)]
        #expect(said(dates)["A"] == "Overlaps with B.")
    }

    @Test func `two children elsewhere at the same time need two adults`() {
        #expect(
            kinds([plan("A", ["Mo"], 0, 60, event: 1, at: library), plan("B", ["Lu"], 30, 90, event: 2, at: pool)]) == [
                .apart
            ])
        #expect(
            kinds([plan("A", ["Mo"], 0, 60, event: 1, at: library), plan("B", ["Lu"], 30, 90, event: 2, at: library)])
                == [])
    }

    @Test func `less time than the way takes is probably tight`() {
        func gap(_ minutes: Int) -> [Clash.Kind] {
            kinds([
                plan("A", ["Mo"], 0, 60, event: 1, at: library, near),
                plan("B", ["Mo"], 60 + minutes, 120 + minutes, event: 2, at: pool, far),
            ])
        }
        // About 8.1 kilometers at 25 an hour: 19 minutes and a half.
        #expect(gap(19) == [.tight] && gap(20) == [])
        #expect(Clash.way(from: near, to: near) == .zero)
        let close = Coordinate(latitude: 37.3380, longitude: -121.8811)!
        #expect(Clash.way(from: near, to: close) == .minutes(15))
    }

    @Test func `an event and its own activities are one thing, and what is off is nothing`() {
        #expect(
            kinds([
                plan("Fair", ["Mo"], 0, 120, event: 1, at: library),
                plan("Puppets", ["Mo"], 30, 60, event: 1, at: library, isActivity: true),
            ]) == [])
        // Two activities of one fair do clash.
        #expect(
            kinds([
                plan("Race", ["Mo"], 30, 60, event: 1, at: library, isActivity: true),
                plan("Puppets", ["Mo"], 45, 90, event: 1, at: library, isActivity: true),
            ]) == [.same])
        #expect(
            kinds([
                plan("A", ["Mo"], 0, 60, event: 1, at: library),
                plan("B", ["Mo"], 0, 60, event: 2, at: pool, isOff: true),
            ]) == [])
        // At a fair of a whole day one comes and goes.
        #expect(
            kinds([plan("Fair", ["Mo"], 0, 600, event: 1, at: library), plan("B", ["Mo"], 60, 120, event: 2, at: pool)])
                == [])
    }
}
