import Foundation
import Testing

@testable import App

/// What holds of days and times in every zone of the world on each day in 2026 and 2027 on which its clocks are set
/// anew, and on the days beside it.
@Suite struct ZoneChangeTests {
    /// A change of a zone's clocks.
    struct Night: Sendable, CustomStringConvertible {
        let zone: Zone
        let change: Zone.Change
        /// By how much that day is shorter.
        var shorter: Duration { .seconds(change.to - change.from) }
        /// The day before the change, its day and the day after it.
        var days: [Day] { (-1...1).map { zone.day(of: change.at).advanced(by: $0) } }
        var description: String { "\(zone.identifier), \(zone.timestamp(change.at))" }
    }

    /// One zone for all whose clocks change at the same moments by the same.
    static let nights: [Night] = {
        let from = Zone.utc.instant(Day(iso: "2026-01-01")!, .midnight)
        let to = Zone.utc.instant(Day(iso: "2028-01-01")!, .midnight)
        var known: Set<String> = []
        return TimeZone.knownTimeZoneIdentifiers.sorted().flatMap { name in
            let zone = Zone(identifier: name)!
            let changes = zone.changes(after: from, before: to)
            let key = changes.map { "\($0.at.seconds) \($0.from) \($0.to)" }.joined(separator: ",")
            return known.insert(key).inserted ? changes.map { Night(zone: zone, change: $0) } : []
        }
    }()

    private static let times = stride(from: 0, to: 1_440, by: 30).map { TimeOfDay(minutes: $0)! }

    private func schedule(_ day: Day, _ start: TimeOfDay, hours: Int, in zone: Zone) -> Schedule {
        let end = start.moved(by: hours * 60).time
        let times = EventTimes(day, from: start, to: end, in: zone)
        return Schedule(day: day, start: start, end: end, startsAt: times.start, endsAt: times.end)
    }

    @Test func `there are changes all over the world, and each is one`() {
        #expect(Self.nights.count > 60)
        for night in Self.nights {
            let (zone, change) = (night.zone, night.change)
            #expect(change.from != change.to, "\(night)")
            #expect(zone.offset(at: change.at) == change.to, "\(night)")
            #expect(zone.offset(at: change.at - .seconds(1)) == change.from, "\(night)")
        }
    }

    @Test func `a day lasts from its midnight to the next, however long it is, and so does what expires with it`() {
        for night in Self.nights {
            let zone = night.zone
            for day in night.days {
                let (start, end) = (zone.instant(day, .midnight), zone.instant(day.advanced(by: 1), .midnight))
                #expect(zone.day(of: start - .seconds(1)) < day && zone.day(of: end) > day, "\(night)")
                var moment = start
                while moment < end {
                    if zone.day(of: moment) != day { Issue.record("\(night): \(zone.timestamp(moment))") }
                    moment = moment + .minutes(30)
                }
                #expect(zone.day(of: end - .seconds(1)) == day, "\(night)")
                #expect(Draw.end(of: day, in: zone) == end)
            }
            // The three of them together are shorter by the change.
            let whole = zone.instant(night.days[2].advanced(by: 1), .midnight) - zone.instant(night.days[0], .midnight)
            #expect(whole == .days(3) - night.shorter, "\(night)")
        }
    }

    @Test func `a time that is there comes back, one that isn’t is moved on by the gap, and of two the first counts`() {
        for night in Self.nights {
            let zone = night.zone
            for day in night.days {
                for time in Self.times {
                    let at = zone.instant(day, time)
                    let gap = zone.gap(day, time)
                    if zone.local(at) == (day, time) {
                        let before = at - .seconds(abs(night.change.to - night.change.from))
                        if gap != nil || zone.local(before) == (day, time) { Issue.record("\(night): \(time.iso)") }
                    } else {
                        let moved = time.moved(by: (night.change.to - night.change.from) / 60)
                        #expect(gap != nil && zone.local(at) == (day.advanced(by: moved.days), moved.time), "\(night)")
                    }
                }
            }
        }
    }

    @Test func `what moves by a week, lasts several days or is reminded of goes by the clock on the wall`() {
        for night in Self.nights {
            let zone = night.zone
            for day in night.days {
                for time in Self.times {
                    let before = schedule(day.advanced(by: -7), time, hours: 2, in: zone)
                    let moved = before.moved(by: 7, in: zone)
                    #expect(moved.isSame(byClockAs: schedule(day, time, hours: 2, in: zone)), "\(night)")
                    #expect(moved.endsAt >= moved.startsAt && moved.startsAt > before.startsAt, "\(night)")
                    if zone.gap(day, time) == nil { #expect(moved.time(in: zone) == nil, "\(night): \(time.iso)") }
                    // A day before, by the clock: 23, 24 or 25 hours, and never after the start.
                    let due = Reminder.day.due(for: moved, in: zone)
                    let ahead = moved.startsAt - due
                    #expect(ahead >= .hours(21) && ahead <= .hours(27), "\(night): \(time.iso)")
                    #expect(moved.startsAt - Reminder.hours.due(for: moved, in: zone) == .hours(2))
                }
            }
            // Three mornings of a camp are three mornings.
            var camp = schedule(night.days[0], TimeOfDay(hour: 9, minute: 0)!, hours: 3, in: zone)
            camp.endDay = night.days[2]
            let days = camp.eachDay(in: zone)
            #expect(days.map(\.day) == night.days && days.allSatisfy { $0.time(in: zone) == nil }, "\(night)")
            #expect(days.allSatisfy { $0.endsAt - $0.startsAt == .hours(3) }, "\(night)")
        }
    }

    @Test func `today, tomorrow and the last day are those of the clock on the wall, also before it is set anew`() {
        for night in Self.nights {
            let zone = night.zone
            let noon = TimeOfDay(hour: 12, minute: 0)!
            let event = schedule(night.days[1], noon, hours: 2, in: zone)
            var fair = event
            (fair.day, fair.endDay) = (night.days[0], night.days[1])
            fair.startsAt = zone.instant(night.days[0], noon)
            for day in night.days[...1] {
                for time in Self.times where zone.gap(day, time) == nil {
                    let now = zone.instant(day, time)
                    let said = event.moment(at: now, for: zone).plain
                    #expect(said.hasPrefix(day == night.days[1] ? "Today, " : "Tomorrow, "), "\(night): \(time.iso)")
                    let left = fair.remaining(at: now, for: zone)?.plain
                    let isLast = day == night.days[1] && now < event.endsAt
                    #expect((left == "until 2 PM today") == isLast, "\(night): \(time.iso) \(left ?? "")")
                }
            }
        }
    }

    @Test func `what shows the reader’s clock says it in brackets, and a session’s hours are those of its first day`() {
        let (berlin, town) = (Zone(identifier: "Europe/Berlin")!, Zone(identifier: "America/Los_Angeles")!)
        let day = Day(iso: "2027-03-27")!
        var session = schedule(day, TimeOfDay(hour: 10, minute: 0)!, hours: 2, in: berlin)
        let mine = "2 AM to 4 AM by your clock"
        #expect(session.when(for: town).plain == "Saturday, March 27, 2027, 10 AM to 12 PM (\(mine))")
        #expect(session.when(for: berlin).plain == "Saturday, March 27, 2027, 10 AM to 12 PM")
        session.endDay = Day(iso: "2027-03-31")!
        session.endsAt = berlin.instant(Day(iso: "2027-03-31")!, TimeOfDay(hour: 12, minute: 0)!)
        #expect(session.firstDay.time(in: town)?.plain == mine)
        // A moment says whose clock it is only where another shows another time.
        let moment = session.startsAt
        #expect(town.words(moment, besides: berlin).plain == "Sat, Mar 27, 2 AM by your clock")
        #expect(town.words(moment, besides: town).plain == "Sat, Mar 27, 2 AM")
    }
}
