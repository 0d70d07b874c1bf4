import Forms
import Testing

@testable import App

/// Which entry of a calendar is which of those that are known, and what follows from what is gone.
@Suite struct ImportPlanTests {
    private static let now = Clock.start
    private static let zone = Zone(identifier: "America/Los_Angeles")!
    private static let today = zone.day(of: now)

    private static func entry(
        _ title: String, _ uid: String?, day: Int = 10, hour: Int = 17, occurrence: String? = nil,
        place: String = "Library", isCanceled: Bool = false
    ) -> ImportedEntry {
        let start = now + .days(day) + .hours(hour)
        return ImportedEntry(
            uid: uid, occurrence: occurrence, title: title, text: "", place: place, link: nil, tags: [], start: start,
            end: start + .hours(1), isAllDay: false, zone: zone, isCanceled: isCanceled)
    }

    /// What the site would have by now, without a site.
    private struct Shelf {
        var entries: [ImportEntry] = []
        var off: [ImportContent] = []
        private var next: Int64 = 1

        private func made(_ old: ImportEntry, key: String, _ content: ImportContent) -> ImportEntry {
            var new = ImportEntry(id: old.id, key: key, says: content)
            (new.event, new.startsAt, new.taken) = (old.event, old.startsAt, old.taken)
            (new.isLeftOut, new.isEventOff) = (old.isLeftOut, old.isEventOff)
            return new
        }

        /// Reads, and publishes, changes and calls off as the night does.
        @discardableResult mutating func read(
            _ feed: [ImportedEntry], unreadable: [String] = [], isBelieved: Bool = false, isNight: Bool = true,
            at now: Instant
        ) -> ImportPlan {
            let plan = ImportPlan(
                entries, reading: feed, unreadable: unreadable, isBelieved: isBelieved, isNight: isNight,
                at: now)
            entries.removeAll { plan.dropped.contains($0.id) }
            for (id, item) in plan.found {
                let index = entries.firstIndex { $0.id == id }!
                entries[index] = made(entries[index], key: item.key, item.content)
                entries[index].isOff = item.isOff
                if entries[index].isToCallOff(at: now) {
                    off.append(entries[index].says)
                    entries.remove(at: index)
                } else if entries[index].isChanged(at: now) {
                    (entries[index].taken, entries[index].startsAt) = (item.content, item.content.startsAt)
                }
            }
            for item in plan.fresh {
                var new = ImportEntry(id: ID(next), key: item.key, says: item.content)
                (new.taken, new.event, new.startsAt) = (item.content, ID(next), item.content.startsAt)
                entries.append(new)
                next += 1
            }
            for (id, step) in plan.missing {
                let index = entries.firstIndex { $0.id == id }!
                switch step {
                case .note: entries[index].missedAt = now
                case .warn: entries[index].warnedAt = now
                case .callOff:
                    off.append(entries[index].says)
                    entries.remove(at: index)
                }
            }
            return plan
        }

        func live(at now: Instant) -> [ImportEntry] { entries.filter { $0.isAhead(at: now) } }
    }

    private func read(_ shelf: inout Shelf, _ feed: [ImportedEntry], night: Int = 0) -> ImportPlan {
        shelf.read(feed, at: Self.now + .days(night))
    }

    private static let four = ["A", "B", "C", "D"].enumerated().map { entry($1, "uid-\($1)", day: 20 + $0) }

    @Test func `the same calendar again changes nothing`() {
        var shelf = Shelf()
        #expect(read(&shelf, Self.four).fresh.count == 4)
        let again = read(&shelf, Self.four.reversed())
        #expect(again.changed.isEmpty, "nothing is written")
        #expect(again.fresh.isEmpty && again.missing.isEmpty && again.dropped.isEmpty && !again.isSuspicious)
        #expect(Set(shelf.entries.map(\.says.title)) == ["A", "B", "C", "D"])
    }

    @Test func `an entry is known by its UID, and else by start, title and place`() {
        var shelf = Shelf()
        _ = read(&shelf, Self.four)
        let ids = shelf.entries.map(\.id)
        let renamed = Self.four.map { entry in
            var entry = entry
            entry.uid = "other-\(entry.title)"
            return entry
        }
        #expect(read(&shelf, renamed).fresh.isEmpty && shelf.entries.map(\.id) == ids)
        var moved = renamed
        moved[0].start = moved[0].start + .days(3)
        moved[0].end = moved[0].end + .days(3)
        #expect(read(&shelf, moved).fresh.isEmpty && shelf.entries.map(\.id) == ids)
        #expect(shelf.entries[0].taken?.startsAt == moved[0].start)
        // The twin: another UID, another day and another title are another thing.
        moved[0] = Self.entry("E", "uid-e", day: 40)
        #expect(read(&shelf, moved).fresh.map(\.content.title) == ["E"])
    }

    @Test func `what was moved within its day is the same, though its UID changed`() {
        var shelf = Shelf()
        _ = read(&shelf, Self.four)
        var moved = Self.four
        (moved[1].uid, moved[1].start) = ("new", moved[1].start + .hours(1))
        let plan = read(&shelf, moved)
        #expect(plan.fresh.isEmpty && plan.missing.isEmpty)
    }

    @Test func `one that stands twice is one, and what is over, begun or called off is no new one`() {
        var shelf = Shelf()
        let feed =
            Self.four + [
                Self.entry("A", "copy", day: 20), Self.entry("over", "o", day: -3),
                Self.entry("off", "f", isCanceled: true),
            ]
        #expect(read(&shelf, feed).fresh.map(\.content.title) == ["A", "B", "C", "D"])
    }

    @Test func `dates of one UID are told apart by which they are`() {
        var shelf = Shelf()
        let weekly = (0..<4).map { Self.entry("Yoga", "y", day: 7 * $0 + 3, occurrence: "2027040\($0)T170000Z") }
        #expect(read(&shelf, weekly).fresh.count == 4)
        // An hour later, all of them: another original start.
        let later = weekly.enumerated().map { index, entry in
            var entry = entry
            (entry.occurrence, entry.start) = ("2027040\(index)T180000Z", entry.start + .hours(1))
            return entry
        }
        let plan = read(&shelf, later)
        #expect(plan.fresh.isEmpty && plan.found.count == 4 && plan.missing.isEmpty)
    }

    @Test func `what is gone is noted, told of on another day, and called off the day after`() {
        var shelf = Shelf()
        _ = read(&shelf, Self.four)
        let rest = Array(Self.four.dropFirst())
        #expect(read(&shelf, rest).missing.map(\.step) == [.note])
        #expect(read(&shelf, rest).missing.isEmpty, "twice on one day is once")
        // Nor does a press count, whenever it comes, or what is read twice in a night.
        #expect(shelf.read(rest, isNight: false, at: Self.now + .hours(30)).missing.isEmpty)
        #expect(shelf.read(rest, at: Self.now + .hours(4)).missing.isEmpty)
        #expect(read(&shelf, rest, night: 1).missing.map(\.step) == [.warn])
        #expect(read(&shelf, rest, night: 1).missing.isEmpty)
        #expect(shelf.off.isEmpty)
        // It comes back: all is forgotten.
        #expect(read(&shelf, Self.four, night: 2).found.count == 4 && shelf.entries.allSatisfy { $0.missedAt == nil })
        for night in 3...4 { _ = read(&shelf, rest, night: night) }
        #expect(read(&shelf, rest, night: 5).missing.map(\.step) == [.callOff])
        #expect(shelf.off.map(\.title) == ["A"])
        // And as a new one after that.
        #expect(read(&shelf, Self.four, night: 6).fresh.map(\.content.title) == ["A"])
    }

    @Test func `what is kept, over, unreadable or left out isn't called off`() {
        var shelf = Shelf()
        _ = read(&shelf, Self.four)
        shelf.entries[0].isKept = true
        let rest = [Self.four[2], Self.four[3]]
        for night in 0...4 {
            let plan = shelf.read(
                rest, unreadable: ["b"], at: Self.now + .days(night))
            #expect(plan.missing.isEmpty && !plan.isSuspicious)
        }
        #expect(read(&shelf, [], night: 60).gone == 0)
    }

    @Test func `a calendar that lost more than half, or all, is suspected, until somebody says that it is meant`() {
        for feed in [[], [Self.four[0]]] {
            var shelf = Shelf()
            _ = read(&shelf, Self.four)
            for night in 1...5 {
                let plan = read(&shelf, feed, night: night)
                #expect(plan.isSuspicious && plan.missing.isEmpty && plan.gone == 4 - feed.count)
            }
            for night in 6...8 {
                shelf.read(feed, isBelieved: true, at: Self.now + .days(night))
            }
            #expect(shelf.off.count == 4 - feed.count)
        }
        // The twin: half is believed.
        var shelf = Shelf()
        _ = read(&shelf, Self.four)
        #expect(!read(&shelf, Array(Self.four.prefix(2)), night: 1).isSuspicious)
    }

    @Test func `an exhibition whose first days are gone from the calendar is the same`() {
        var shelf = Shelf()
        func show(from first: Int) -> ImportedEntry {
            var entry = Self.entry("Masks", "m", day: first, hour: 0)
            (entry.end, entry.isAllDay) = (Self.now + .days(25), true)
            entry.uid = "m-\(first)"
            return entry
        }
        _ = read(&shelf, [show(from: 5)])
        let plan = read(&shelf, [show(from: 8)], night: 7)
        #expect(plan.fresh.isEmpty && plan.found.count == 1 && plan.missing.isEmpty)
    }

    @Test(arguments: [false, true])
    func `what is on every day comes in, and for forty nights each day has one event, which stays as it is`(
        isPastDropped: Bool
    ) throws {
        let text = """
            BEGIN:VCALENDAR
            BEGIN:VEVENT
            UID:play
            SUMMARY:Play room
            LOCATION:Hall
            DTSTART:20270313T100000
            DURATION:PT7H
            RRULE:FREQ=DAILY
            END:VEVENT
            END:VCALENDAR
            """
        var shelf = Shelf()
        var taken: [ID<Event>: ImportContent] = [:]
        for night in 0..<40 {
            let (now, today) = (Self.now + .days(night), Self.today.advanced(by: night))
            let span = CalendarImport.span(at: now)
            var calendar = try ImportedCalendar(iCalendar: Array(text.utf8), zone: Self.zone, span: span)
            if isPastDropped { calendar.entries.removeAll { $0.start <= now } }
            let joined = calendar.joiningExhibitions(at: now, until: span.upperBound)
            let plan = shelf.read(joined.entries, at: now)
            #expect(plan.missing.isEmpty && !plan.isSuspicious, "night \(night)")
            for entry in shelf.entries {
                guard let event = entry.event, let content = entry.taken else { continue }
                #expect(taken[event] == nil || taken[event] == content, "night \(night)")
                taken[event] = content
            }
            let spans = taken.values.map { $0.day.number...Self.zone.day(of: $0.endsAt).number }
            let days = spans.flatMap { Array($0) }
            let next = Set(today.number + 1...today.number + 300)
            #expect(next.isSubset(of: days) && Set(days).count == days.count, "night \(night)")
            #expect(spans.allSatisfy { $0.count <= ImportedCalendar.mostJoined })
        }
    }

    @Test func `two thousand long exhibitions are compared with two thousand others, each with those of its name`() {
        func show(_ number: Int, _ uid: String, day: Int, of name: String) -> ImportedEntry {
            let title = name + String(repeating: "Ausstellung übers Ästhetische, ", count: 3) + String(number)
            var entry = Self.entry(title, "\(uid)-\(number)", day: day, hour: 0, place: "Größe Ä \(number % 7)")
            (entry.end, entry.isAllDay) = (entry.start + .days(9), true)
            return entry
        }
        var shelf = Shelf()
        _ = shelf.read((0..<2_000).map { show($0, "one", day: 20, of: "Één ") }, at: Self.now)
        // Each is compared with all others only where it has their name, of which there is one, or none.
        let same = (0..<1_000).map { show($0, "two", day: 22, of: "Één ") }
        let others = (0..<1_000).map { show($0, "three", day: 22, of: "Zwölf ") }
        let plan = ImportPlan(
            shelf.entries, reading: same + others, isBelieved: true, at: Self.now)
        #expect(plan.found.count == 1_000 && plan.fresh.count == 1_000 && plan.missing.count == 1_000)
        #expect(zip(plan.found, shelf.entries).allSatisfy { $0.id == $1.id })
    }

    @Test func `over thirty nights of a calendar that does what it likes there is no duplicate and no ghost`() {
        var random = Dice(state: 7)
        var feed = (0..<60).map { Self.entry("Event \($0)", "u\($0)", day: 5 + $0 % 50, hour: $0 % 8) }
        var resting: [ImportedEntry] = []
        var shelf = Shelf()
        for night in 0..<36 {
            let now = Self.now + .days(night)
            let isQuiet = night >= 31
            if !isQuiet, night > 0 {
                feed += resting
                resting = []
                let isOutlook = random.roll(3) == 0
                for index in feed.indices {
                    if isOutlook { feed[index].uid = "n\(night)-\(index)" }
                    if feed[index].start > now, random.roll(12) == 0 {
                        let shift = isOutlook ? Duration.minutes(30) : Duration.days(1)
                        (feed[index].start, feed[index].end) = (feed[index].start + shift, feed[index].end + shift)
                    }
                    if random.roll(15) == 0 { feed[index].text = "As of night \(night)" }
                }
                if random.roll(2) == 0 { feed.remove(at: random.roll(feed.count)) }
                if random.roll(2) == 0 { resting.append(feed.remove(at: random.roll(feed.count))) }
                if random.roll(2) == 0 { feed.append(Self.entry("Late \(night)", "l\(night)", day: night + 12)) }
                if random.roll(3) == 0 { feed.shuffle(using: &random) }
            }
            shelf.read(feed, at: now)
            let live = shelf.live(at: now)
            let names = Set(live.map { "\($0.says.title)|\($0.says.place)" })
            #expect(names.count == live.count, "no duplicate, night \(night)")
            let wanted = feed.filter { $0.start > now }
            for entry in wanted {
                let ofIt = live.filter { $0.says.title == entry.title }
                #expect(ofIt.count == 1 && ofIt.first?.taken == ImportContent(entry), "\(entry.title), night \(night)")
            }
            if night >= 34 { #expect(live.count == wanted.count, "no ghost, night \(night)") }
        }
        #expect(!shelf.off.isEmpty)
    }

    /// The same numbers each time.
    private struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }

        mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &self) }
    }
}

/// What an entry becomes, and what of an event stays as somebody changed it.
@Suite struct ImportFormTests {
    private static let zone = Zone(identifier: "America/Los_Angeles")!

    private func form() -> ImportForm {
        var form = ImportForm()
        (form.name, form.placeName) = ("Library", "King Library")
        (form.street, form.city, form.state) = ("150 E San Fernando St", "San Jose", "CA")
        (form.zip, form.country, form.tags) = ("95112", "US", "books")
        return form
    }

    private func content(_ change: (inout ImportContent) -> Void = { _ in }) -> ImportContent {
        let start = Self.zone.instant(Day(iso: "2027-05-01")!, TimeOfDay(hour: 10, minute: 0)!)
        var content = ImportContent(
            ImportedEntry(
                uid: "u", occurrence: nil, title: "Stories", text: "We read stories to all who come.", place: nil,
                link: nil, tags: ["Books", "kids"], start: start, end: start + .hours(1), isAllDay: false, zone: .utc,
                isCanceled: false))
        change(&content)
        return content
    }

    private func event(_ content: ImportContent, at now: Instant = Clock.start) -> EventForm {
        form().event(saying: content, at: form().place(of: content, among: form().places()), in: Self.zone, now: now)
    }

    @Test func `its times are those of the clock at its place, whatever clock the calendar goes by`() {
        let event = event(content())
        #expect(event.date.iso == "2027-05-01" && event.startTime.iso == "10:00" && event.endTime?.iso == "11:00")
        #expect(event.endDate == nil && event.tagList == ["books", "kids"])
        let night = self.event(content { $0.end = $0.start + 15 * 3_600_000 })
        #expect(night.endDate == nil && night.endTime?.iso == "01:00")
        let none = self.event(content { $0.end = $0.start })
        #expect(none.endTime == nil)
    }

    @Test func `what lasts all day has the hours of the place, and of several days the last one`() {
        let days = content {
            ($0.isAllDay, $0.zone) = (true, Self.zone.identifier)
            $0.start = Self.zone.instant(Day(iso: "2027-05-01")!, .midnight).milliseconds
            $0.end = Self.zone.instant(Day(iso: "2027-05-08")!, .midnight).milliseconds
        }
        let event = event(days)
        #expect(event.date.iso == "2027-05-01" && event.endDate?.iso == "2027-05-07")
        #expect(event.startTime.iso == "10:00" && event.endTime?.iso == "18:00")
    }

    @Test func `a place that is known has its address, any other one its name at the usual address`() {
        let pool = Place(name: "Park Pool", address: Address(street: "1 Pool Rd", city: "Campbell", country: "US"))
        let places = form().places(beside: [pool])
        func place(_ said: String) -> Place { form().place(of: content { $0.place = said }, among: places) }
        #expect(place("park pool") == pool && place("Park Pool, Campbell") == pool && place(pool.line) == pool)
        #expect(place("") == form().place)
        #expect(place("Room 2").name == "Room 2" && place("Room 2").address == form().address)
    }

    @Test func `an exhibition that is on is posted from the next time on that it opens`() {
        func moment(_ day: String, _ hour: Int) -> Instant {
            Self.zone.instant(Day(iso: day)!, TimeOfDay(hour: hour, minute: 0)!)
        }
        let show = content {
            ($0.isAllDay, $0.zone) = (true, Self.zone.identifier)
            ($0.start, $0.end) = (moment("2027-05-01", 0).milliseconds, moment("2027-08-01", 0).milliseconds)
        }
        for (day, hour, first, last) in [
            ("2027-04-20", 12, "2027-05-01", "2027-07-31"), ("2027-06-10", 9, "2027-06-10", "2027-07-31"),
            ("2027-06-10", 10, "2027-06-11", "2027-07-31"), ("2027-07-30", 12, "2027-07-31", nil),
        ] as [(String, Int, String, String?)] {
            let now = moment(day, hour)
            let event = event(show, at: now)
            #expect(show.isToCome(at: now) && event.date.iso == first && event.endDate?.iso == last, "\(day) \(hour)")
        }
        #expect(!show.isToCome(at: moment("2027-07-31", 0)), "on its last day")
        let fair = content { $0.end = $0.start + Duration.days(3).wholeMilliseconds }
        #expect(!fair.isToCome(at: fair.startsAt + .hours(1)), "what is as short as a fair or a camp has begun")
    }

    @Test func `an address in a calendar is read where there surely is one`() {
        func read(_ text: String, in country: String = "US") -> String? {
            SaidAddress(text, country: country).map {
                [$0.name, $0.address.street, $0.address.city, $0.address.state, $0.address.zip].joined(separator: "|")
            }
        }
        for (text, said) in [
            ("East Branch, 5 Elm St, Campbell, CA 95008", "East Branch|5 Elm St|Campbell|CA|95008"),
            ("5 Elm St, Campbell, CA 95008, USA", "|5 Elm St|Campbell|CA|95008"),
            ("Hall\n5 Elm St\nCampbell CA 95008-1234", "Hall|5 Elm St|Campbell|CA|95008-1234"),
            ("Room 2, Hall, 5 Elm St, Suite 3, Campbell, CA", "Room 2, Hall|5 Elm St, Suite 3|Campbell|CA|"),
            ("Hall, 5 Elm St, Campbell, Ca 95008", "Hall|5 Elm St|Campbell|CA|95008"), ("5 Oaks, Oak Ct", nil),
            ("Main Library, 12 Oak St", nil), ("Room 2", nil), ("Park, Campbell, CA 95008", nil), ("", nil),
            ("Bücherei, Hauptstr. 5, 70173 Stuttgart", nil),
        ] as [(String, String?)] {
            #expect(read(text) == said, "\(text)")
        }
        #expect(read("Bücherei, Hauptstr. 5, 70173 Stuttgart", in: "DE") == "Bücherei|Hauptstr. 5|Stuttgart||70173")
        #expect(read("Hauptstr. 5a, 70173 Bad Cannstatt, Germany", in: "DE") == "|Hauptstr. 5a|Bad Cannstatt||70173")
        #expect(read("Raum 3, Bücherei", in: "DE") == nil && read("70173 Stuttgart", in: "DE") == nil)
    }

    @Test func `an entry is where the calendar says, or where its settings say that this place is`() {
        var form = form()
        form.others = "East Branch: 5 Elm St, Campbell, CA 95008\n\nPool : 1 Pool Rd, Campbell, CA 95008"
        #expect(form.otherPlaces.map { $0.place?.name } == ["East Branch", "Pool"])
        let others = form.places()
        func place(_ said: String) -> Place { form.place(of: content { $0.place = said }, among: others) }
        #expect(place("east branch").address.street == "5 Elm St" && place("Pool, lane 3").name == "Pool")
        #expect(place("Barn, 9 Hill Rd, Campbell, CA 95008").line == "Barn, 9 Hill Rd, Campbell, CA 95008")
        // The same house, and another one of that name.
        #expect(place("King Library, 150 E San Fernando St, San Jose, CA 95112") == form.place)
        #expect(place("King Library, 9 Hill Rd, Campbell, CA 95008").address.street == "9 Hill Rd")
        let isNamed = [
            "Room 2", "East Branch", "", "Barn, 9 Hill Rd, Campbell, CA 95008",
            // The usual address, with and without a name of its own.
            "150 E San Fernando St, San Jose, CA 95112", "Main hall, 150 E San Fernando St, San Jose, CA 95112",
        ].filter { said in form.isOnlyNamed(said, among: others) }
        #expect(isNamed == ["Room 2"])
        form.others = "East Branch\nPool: 1 Pool Rd, Campbell, CA 95008"
        #expect(form.otherPlaces.map { $0.place == nil } == [true, false])
    }

    @Test func `a calendar of a thousand places is compared with two hundred in no time`() {
        // Each letter of such names is folded by tables.
        func name(_ number: Int) -> String { String(repeating: "Ḗ", count: 40) + " \(number)" }
        let used = (0..<200).map { number in
            Place(name: name(number), address: Address(street: "\(number) Elm St", city: "Campbell", country: "US"))
        }
        let form = form()
        let time = ContinuousClock().measure {
            let places = form.places(beside: used)
            let named = (100..<1_100).filter { form.isOnlyNamed(name($0), among: places) }
            #expect(named.count == 900)
        }
        #expect(time < .seconds(10), "each name was folded for each of the others: \(time)")
    }

    @Test func `what was changed by hand stays, and the rest follows`() {
        var stored = event(content())
        let taken = ImportForm.fields(of: stored)
        stored.title = "Stories, read aloud"
        let new = event(content { ($0.title, $0.start, $0.end) = ("Tales", $0.start + 3_600_000, $0.end + 3_600_000) })
        let pairs = ImportForm.following(stored, taken: taken, now: new)
        func value(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }
        #expect(value("title") == ["Stories, read aloud"])
        // And stays the next time, too.
        var now = new
        now.title = stored.title
        let next = ImportForm.taken(before: taken, stored, now: now)
        #expect(next.filter { $0.name == "title" }.map(\.value) == ["Stories"])
        #expect(next.filter { $0.name == "start_time" }.map(\.value) == ["11:00"])
        #expect(value("start_time") == ["11:00"] && value("end_time") == ["12:00"] && value("date") == ["2027-05-01"])
    }

    @Test func `settings are kept whole, and an address by webcal is one by https`() {
        var form = form()
        (form.publishes, form.about) = (false, "Just come, all of you.")
        #expect(ImportForm(kept: form.kept) == form)
        #expect(Town.calendarHost(of: "webcal://Library.example/a.ics") == "library.example")
        for wrong in ["file:///etc/passwd", "https://a@b.example/", "library", ""] {
            #expect(Town.calendarHost(of: wrong) == nil, "\(wrong)")
        }
        #expect(ImportContent(kept: content().kept) == content() && ImportContent(kept: "") == nil)
    }
}
