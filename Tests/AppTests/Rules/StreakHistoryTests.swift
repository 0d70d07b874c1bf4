import Database
import Foundation
import Testing

@testable import App

/// Streaks in the lives of people who change their minds, enter yesterday, go away and travel: what the site makes of
/// them, and what a model makes of them that was written apart.
@Suite struct StreakHistoryTests {
    private static let isLong = ProcessInfo.processInfo.environment["VILLAGE_LONG"] != nil
    /// How many histories the rules are held to, and how many of them the ledger itself.
    private static let histories = isLong ? 100_000 : 3_000
    private static let written = isLong ? 2_000 : 60

    private static let places = ["America/Los_Angeles", "Europe/Berlin", "Pacific/Auckland", "Asia/Kolkata"]
    private static let zones = places.map { Zone(identifier: $0)! }
    private static let clocks = places.map { TimeZone(identifier: $0)! }
    /// Both days on which clocks are set, on three sides of the earth, leap days, and the turn of a year.
    private static let dates = [
        "2027-03-14", "2027-03-28", "2027-04-04", "2027-09-26", "2027-10-31", "2027-11-07", "2027-12-31",
        "2028-02-29", "2032-02-29",
    ]

    /// What somebody does.
    private struct Step {
        enum Kind: CaseIterable { case act, yesterday, undo, pause, back, travel, wait }
        let kind: Kind
        /// Days of a pause, minutes of waiting, the number of a place.
        var amount = 0

        /// What is sent to enter it.
        var form: DeedForm {
            var form = DeedForm()
            form.when = kind == .yesterday ? .yesterday : .today
            return form
        }
    }

    private struct History {
        let start: Instant
        var steps: [Step] = []

        init(_ random: inout SeededGenerator) {
            let day = Day(iso: random.pick(StreakHistoryTests.dates))!.advanced(by: -random.number(in: 0...25))
            start = StreakHistoryTests.zones[0].instant(day, .midnight) + .minutes(random.number(in: 0..<1_440))
            for _ in 0..<random.number(in: 10...60) {
                switch random.number(in: 0..<24) {
                case 0..<8: steps.append(Step(kind: .act))
                case 8..<10: steps.append(Step(kind: .yesterday))
                case 10..<12: steps.append(Step(kind: .undo))
                case 12: steps.append(Step(kind: .pause, amount: random.number(in: 0...31)))
                case 13: steps.append(Step(kind: .back))
                case 14: steps.append(Step(kind: .travel, amount: random.number(in: 0..<4)))
                case 15..<18: steps.append(Step(kind: .wait, amount: random.pick([4, 9, 10, 11])))
                default:
                    let hours = random.pick([3, 8, 11, 20, 24, 24, 24, 25, 36, 47, 49, 72])
                    steps.append(Step(kind: .wait, amount: 60 * hours))
                }
            }
        }
    }

    /// How a streak stands.
    private struct Outcome: Equatable {
        var length = 0, record = 0, rests = 0

        init(_ length: Int, _ record: Int, _ rests: Int) {
            (self.length, self.record, self.rests) = (length, record, rests)
        }

        init(_ streak: Streak) { self.init(streak.length, streak.record, streak.rests) }
    }

    // MARK: The model

    /// Thirty lines: a list of what is entered, days that somebody is away, and a walk over every day.
    private struct Model {
        var entries: [(at: Instant, day: Int)] = []
        var away: Set<Int> = []

        mutating func take(_ step: Step, at now: Instant, on today: Int) {
            switch step.kind {
            case .act: entries.append((now, today))
            case .yesterday: entries.append((now, today - 1))
            case .undo: if let last = entries.last, now - last.at < .minutes(10) { entries.removeLast() }
            case .pause:
                if 1...30 ~= step.amount, !away.contains(where: { $0 >= today }) {
                    away.formUnion(today..<today + step.amount)
                }
            case .back: away = away.filter { $0 < today }
            case .travel, .wait: break
            }
        }

        func outcome(on today: Int) -> Outcome {
            let days = Set(entries.map(\.day))
            guard let first = days.min(), let last = days.max() else { return Outcome(0, 0, 0) }
            var (isOn, length, saved, record, rested) = (false, 0, 0, 0, 0)
            // A traveler going west may have done something tomorrow.
            let end = max(last, today)
            for day in first...end {
                // The first of January 1970 was a Thursday.
                if isOn, day % 7 == 4, saved < 2 { saved += 1 }
                if days.contains(day) {
                    (length, saved, isOn) = isOn ? (length + rested + 1, saved, true) : (1, 1, true)
                    (rested, record) = (0, max(record, length))
                } else if isOn, day < end, !away.contains(day) {
                    (saved, rested, isOn) = saved > 0 ? (saved - 1, rested + 1, true) : (0, 0, false)
                }
            }
            let now = isOn ? length + rested : 0
            return Outcome(now, max(record, now), isOn ? saved : 0)
        }
    }

    // MARK: The rules

    /// The same by the rules of the site: what one enters, how long it can be taken back, which day it is where.
    private struct Life {
        var deeds: [Deed] = []
        var pauses: [ClosedRange<Day>] = []

        mutating func take(_ step: Step, at now: Instant, on today: Day) {
            switch step.kind {
            case .act, .yesterday:
                deeds.append(
                    Deed(
                        id: ID(Int64(deeds.count + 1)), act: ID(204), day: step.form.day(today: today), points: 10,
                        note: "", isWithChildren: false, level: 0, doneAt: now))
            case .undo: if deeds.last?.isUndoable(at: now) == true { deeds.removeLast() }
            case .pause:
                let isOn = pauses.contains { $0.upperBound >= today }
                guard !isOn, 1...Streak.longestPause ~= step.amount else { return }
                pauses.append(today...today.advanced(by: step.amount - 1))
            case .back:
                pauses = pauses.filter { $0.lowerBound < today }
                    .map { $0.lowerBound...min($0.upperBound, today.advanced(by: -1)) }
            case .travel, .wait: break
            }
        }

        func outcome(on today: Day) -> Outcome {
            let days = Set(deeds.map(\.day)).sorted()
            return Outcome(Streak(of: days, pauses: pauses).seen(on: today, pauses: pauses))
        }
    }

    /// Which day it is in a place, as the clock on a wall there shows it.
    private static func day(_ now: Instant, in place: Int) -> Int {
        let date = Date(timeIntervalSince1970: Double(now.milliseconds) / 1_000)
        let seconds = Int(now.milliseconds / 1_000) + clocks[place].secondsFromGMT(for: date)
        return seconds / 86_400
    }

    /// Both ends of a history.
    ///
    /// - Parameter deaf: What the site doesn't hear of, so that it must come to something else.
    private static func play(
        _ history: History, deaf: Step.Kind? = nil, seeing look: (Step.Kind, Day) -> Void = { _, _ in }
    ) -> (site: Outcome, model: Outcome) {
        var (life, model, now) = (Life(), Model(), history.start)
        var (place, known) = (0, 0)
        for step in history.steps {
            if step.kind == .wait { now = now + .minutes(step.amount) }
            if step.kind == .travel { place = step.amount }
            if step.kind == .travel, deaf != .travel { known = step.amount }
            let today = zones[known].day(of: now)
            model.take(step, at: now, on: day(now, in: place))
            if step.kind != deaf { life.take(step, at: now, on: today) }
            look(step.kind, today)
        }
        return (life.outcome(on: zones[known].day(of: now)), model.outcome(on: day(now, in: place)))
    }

    @Test func `streaks agree with the model in any history, travel and changed clocks among them`() {
        var random = SeededGenerator(seed: 1_610)
        var (days, longest): (Set<String>, Int) = ([], 0)
        for turn in 0..<Self.histories {
            let history = History(&random)
            let (site, model) = Self.play(history) { kind, day in
                if kind == .act, turn < 3_000 { days.insert(day.iso) }
            }
            longest = max(longest, site.length)
            guard site == model else {
                Issue.record("turn \(turn): \(site) is not \(model), \(history.steps.count) steps")
                return
            }
        }
        #expect(days.isSuperset(of: Self.dates), "something is done on each of the days that are unlike others")
        #expect(longest > 10)
    }

    /// Each kind of step counts: a site that doesn't hear of it comes to something else.
    @Test(arguments: [0, 1, 2, 3, 4, 5]) func `without one kind of step the model notices`(number: Int) {
        let deaf = Step.Kind.allCases[number]
        var random = SeededGenerator(seed: 1_610)
        let differ = (0..<3_000).count { _ in
            let (site, model) = Self.play(History(&random), deaf: deaf)
            return site != model
        }
        #expect(differ > 10, "\(deaf)")
    }

    /// The ledger, with its undos and pauses as they are stored. It knows one zone, the town's: nobody's days there
    /// depend on where somebody is.
    @Test func `the ledger agrees with the model, whatever is entered, taken back and paused`() async throws {
        try await withTestSite { site in
            let ana = try await site.account(of: .ana)
            var random = SeededGenerator(seed: 1_611)
            for turn in 0..<Self.written {
                let history = History(&random)
                let (found, acts, model) = try await site.write { db in
                    for table in ["deed", "standing", "badge", "pause"] as [SQL] {
                        try db.execute("DELETE FROM \(table)")
                    }
                    return try Self.write(history, of: ana, in: db)
                }
                guard found == model.outcome, acts == model.acts else {
                    Issue.record("turn \(turn): \(found), \(acts) acts, is not \(model)")
                    return
                }
            }
        }
    }

    /// Plays a history through the ledger.
    private static func write(
        _ history: History, of account: ID<Account>, in db: Connection
    ) throws -> (site: Outcome, acts: Int, model: (outcome: Outcome, acts: Int)) {
        var (model, now, ids): (Model, Instant, [ID<Deed>]) = (Model(), history.start, [])
        for (number, step) in history.steps.enumerated() {
            if step.kind == .wait { now = now + .minutes(step.amount) }
            let today = zones[0].day(of: now)
            model.take(step, at: now, on: day(now, in: 0))
            switch step.kind {
            case .act, .yesterday:
                let entry = Deed.Entry(
                    act: KindAct.catalog[number % 100], day: step.form.day(today: today), once: "step-\(number)")
                try Deed.record(entry, by: account, in: db.at(now))
                ids.append(try db.value("SELECT max(id) FROM deed")!)
            case .undo:
                guard let last = ids.last else { continue }
                do {
                    try Deed.undo(last, of: account, in: db.at(now))
                    ids.removeLast()
                } catch is Deed.TooLate {}
            case .pause: try Pause.begin(step.amount, by: account, on: today, in: db)
            case .back: try Pause.end(by: account, on: today, in: db)
            case .travel, .wait: break
            }
        }
        let (today, standing) = (zones[0].day(of: now), try Standing.of(account, in: db))
        let streak = standing.streak.seen(on: today, pauses: try Pause.all(of: account, in: db))
        return (Outcome(streak), standing.acts, (model.outcome(on: day(now, in: 0)), model.entries.count))
    }
}
