import Forms
import Testing

@testable import App

/// What a family gets when it registers for several dates at once.
@Suite struct TermRulesTests {
    private let mo = Child(id: ID(1), nickname: "Mo", birthMonth: 4, birthYear: 2020)
    private let lu = Child(id: ID(2), nickname: "Lu", birthMonth: 1, birthYear: 2021)

    /// Dates a week apart from April 24, 2027, on; Mo is seven on each, and on the first may be six.
    private func term(
        _ booking: Series.Booking, held: [[ID<Child>: Registration.State]] = [[:], [:], [:]], ageTo: Int? = nil
    ) -> Term {
        var event = sample(ageTo: ageTo)
        event.admission.booking = booking
        let dates = held.enumerated().map { number, held in
            let day = Day(iso: "2027-04-24")!.advanced(by: 7 * number)
            let start = Zone.utc.instant(day, .midnight)
            return Term.Date(
                card: EventCard(
                    id: ID(Int64(number + 1)), host: "Library", audience: .kids, title: "Kite day", synopsis: "",
                    schedule: Schedule(day: day, start: .midnight, startsAt: start, endsAt: start + .hours(1)),
                    placeName: "", street: "", city: "San Jose", admission: event.admission, taken: 0, motif: .party),
                held: held)
        }
        return Term(event: event, dates: dates, children: [mo, lu])
    }

    /// What a form comes to: how many get a place on each date that has one for them, or what is wrong.
    private func result(
        _ term: Term, _ children: [Child], on dates: [Int64]
    ) throws -> (places: [Int], problems: [String]) {
        let pairs = children.map { "child=\($0.id)" } + dates.map { "dates=\($0)" }
        var submission = Submission<TermForm>(try FormBody(query: pairs.joined(separator: "&")))
        term.offer(in: &submission)
        term.check(&submission)
        let places = submission.value.map { term.parties($0).map(\.children.count) } ?? []
        return (places, submission.problems.map(\.words.english))
    }

    @Test func `each child gets what it doesn’t have yet, and no more`() throws {
        let held: [[ID<Child>: Registration.State]] = [[mo.id: .confirmed, lu.id: .waiting], [mo.id: .confirmed], [:]]
        let (places, problems) = try result(term(.together, held: held), [mo, lu], on: [1, 2, 3])
        #expect(problems == [])
        #expect(places == [1, 2])
    }

    @Test func `dates that overlap say so before they are ticked together`() {
        #expect(term(.each).advised(beside: []).clashes.isEmpty)
        var event = sample()
        event.admission.booking = .each
        let day = Day(iso: "2027-04-24")!
        let dates = [10, 11, 12].map { hour in
            let start = TimeOfDay(hour: hour, minute: 0)!
            let startsAt = Zone.utc.instant(day, start)
            return Term.Date(
                card: EventCard(
                    id: ID(Int64(hour)), host: "Library", audience: .kids, title: "Kite day", synopsis: "",
                    schedule: Schedule(
                        day: day, start: start, end: TimeOfDay(hour: hour + 1, minute: hour == 10 ? 30 : 0),
                        startsAt: startsAt, endsAt: startsAt + .minutes(hour == 10 ? 90 : 60)),
                    placeName: "", street: "", city: "San Jose", admission: event.admission, taken: 0, motif: .party),
                held: [:])
        }
        let said = Term(event: event, dates: dates, children: [mo]).advised(beside: []).clashes
        #expect(
            said.map(\.clash.words.plain) == [
                "Overlaps with Saturday, April 24, 2027, 11 AM to 12 PM.",
                "Overlaps with Saturday, April 24, 2027, 10 AM to 11:30 AM.",
            ])
    }

    @Test func `all together means every date on which something is missing`() throws {
        let whole = try result(term(.together), [mo], on: [1, 3])
        #expect(whole.problems == ["These dates belong to it, too: May 1. Look at all dates again."])
        #expect(try result(term(.either), [mo], on: [1, 3]).places == [1, 1])
        // A date at which they have all there is to have isn't missed.
        let held: [[ID<Child>: Registration.State]] = [[:], [mo.id: .confirmed], [:]]
        #expect(try result(term(.together, held: held), [mo], on: [1, 3]).places == [1, 1])
    }

    @Test func `a child too old on one date can’t have all, and where dates are chosen has those that fit`() throws {
        let whole = try result(term(.together, ageTo: 6), [mo, lu], on: [1, 2, 3])
        #expect(whole.problems == ["Mo: 7 years on May 1: this event is for up to 6 years"])
        #expect(try result(term(.together, ageTo: 6), [lu], on: [1, 2, 3]).places == [1, 1, 1])
        #expect(try result(term(.each, ageTo: 6), [mo], on: [1]).places == [1])
        #expect(
            try result(term(.each, ageTo: 6), [mo], on: [1, 2]).problems == [
                "Mo is 7 years on May 1: this event is for up to 6 years."
            ])
    }

    @Test func `a date that isn’t there anymore is said, and so is a child that has everything`() throws {
        #expect(
            try result(term(.together), [mo], on: [1, 2, 3, 9]).problems == [
                "A date has begun by now, or was canceled. Look at the dates again."
            ])
        let all = Array(repeating: [mo.id: Registration.State.confirmed], count: 3)
        #expect(try result(term(.together, held: all), [mo], on: [1, 2, 3]).problems == ["Mo: has every date"])
    }

    @Test func `a fresh form has what may be had together: all dates, or those with room`() {
        let held: [[ID<Child>: Registration.State]] = [[mo.id: .confirmed], [:], [:]]
        #expect(term(.together).form().form.dates == [ID(1), ID(2), ID(3)])
        #expect(term(.either).form().form.dates == [ID(1), ID(2), ID(3)])
        #expect(term(.each).form().form.dates == [])
        #expect(term(.each, held: held).form().form.children == [mo.id])
    }

    @Test func `what is full is said with its day, what is left and what is needed`() {
        let day = Day(iso: "2027-05-01")!
        func words(_ left: Int) -> String {
            Term.words(Term.Full.Date(day: day, left: left, needed: 3, mayWait: true)).english
        }
        #expect(words(0) == "May 1 is full: 3 places are needed there.")
        #expect(words(1) == "May 1: 1 place is left, 3 are needed.")
        #expect(words(2) == "May 1: 2 places are left, 3 are needed.")
    }
}
