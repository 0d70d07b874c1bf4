import Database
import Fetching
import Forms
import Testing

@testable import App

/// Calendars that an organization has elsewhere, and the events here that come from them.
@Suite struct ImportTests {
    private static let job = "read calendars that events come from"

    /// A calendar with these entries: a title, a day of May 2027, and what else is said.
    private static func calendar(_ entries: [(title: String, day: Int, more: String)]) -> Filling {
        let lines = entries.map { title, day, more in
            """
            BEGIN:VEVENT
            UID:\(title)@library.example
            SUMMARY:\(title)
            DESCRIPTION:We meet and have a good time together.
            DTSTART;TZID=America/Los_Angeles:202705\(digits(day, 2))T100000
            DTEND;TZID=America/Los_Angeles:202705\(digits(day, 2))T110000
            \(more.isEmpty ? "LOCATION:Room 2" : more)
            END:VEVENT
            """
        }
        let text = (["BEGIN:VCALENDAR", "VERSION:2.0"] + lines + ["END:VCALENDAR"]).joined(separator: "\n")
        return .file(SentFile("events.ics", Array(text.replacing("\n", with: "\r\n").utf8)))
    }

    private static let three: [(title: String, day: Int, more: String)] = [
        ("Stories", 3, ""), ("Clay and colors", 4, ""), ("Chess club", 5, ""),
    ]

    private func bring(_ file: Filling, by ben: Browser) async throws -> Page {
        try await ben.visit("/me/imports/new?kind=file").press("Look at what it says", filling: ["file": file])
    }

    /// What the calendar says at night, as its server would.
    private func entries(_ feed: [(title: String, day: Int)], in site: TestSite) -> ImportedCalendar {
        let zone = site.site.settings.zone
        return ImportedCalendar(
            name: nil,
            entries: feed.map { title, day in
                let start = zone.instant(Day(year: 2027, month: 5, day: day)!, TimeOfDay(hour: 10, minute: 0)!)
                return ImportedEntry(
                    uid: title, occurrence: nil, title: title, text: "We meet and have a good time.", place: "Room 2",
                    link: nil, tags: [], start: start, end: start + .hours(1), isAllDay: false, zone: zone,
                    isCanceled: false)
            }, problems: [])
    }

    /// A night later: it is read, and what follows is done.
    private func night(_ feed: [(title: String, day: Int)], _ item: CalendarImport, in site: TestSite) async throws {
        site.clock.advance(by: .days(1))
        let (now, language) = (site.clock.now, site.site.languages[0])
        try await site.site.take(
            entries(feed, in: site), into: item, language: language, isNight: true, at: now)
        _ = try await site.site.publish(item, language: language, at: now)
    }

    private func find(_ site: TestSite) async throws -> CalendarImport {
        let ben = try await site.account(of: .ben)
        return try site.read { db in try CalendarImport.find(ID(1), of: ben, in: db) }
    }

    @Test func `a file is looked at, some of it left out, and the rest published by one press, once`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            // Ben has had colleagues, so that what is done is written down.
            let (host, now) = (try await site.account(of: .ben), site.clock.now)
            try await site.execute(
                "INSERT INTO team_act (host_id, verb, title, at) VALUES (\(host), 'page', '', \(now))")
            let page = try await bring(Self.calendar(Self.three), by: ben)
            #expect(page.path == "/me/imports/1" && page.text.contains("Clay and colors"))
            #expect(try site.count(of: "event") == 0, "nothing is public yet")
            let form = try page.form(with: "Publish", filling: ["take": ["1", "2"]])
            let done = try await form.send(from: ben)
            #expect(try site.count(of: "event") == 2 && done.text.contains("2 entries are as they were"))
            #expect(done.flash == "Published. Your events say what the calendar says.")
            _ = try await form.send(from: ben)
            #expect(try site.count(of: "event") == 2, "pressed twice")
            #expect(try site.count(of: "team_act WHERE verb = 'took'") == 1)
            #expect(try site.count(of: "event WHERE place_name = 'Room 2' AND audience = 'everyone'") == 2)
            // The same file again is the same, and what was left out stays so.
            let again = try await ben.visit("/me/imports/1").press(
                "Read it now", filling: ["file": Self.calendar(Self.three)])
            #expect(again.text.contains("2 entries are as they were") && again.text.contains("Left out"))
            #expect(try site.count(of: "event") == 2 && site.count(of: "import_entry") == 3)
            _ = try await ben.visit("/me/imports/1/settings").press("Save")
            #expect(try site.count(of: "team_act WHERE verb = 'changed'") == 0, "nothing was new")
            _ = try await again.press("Publish", filling: ["take": ["3"]])
            #expect(try site.count(of: "event") == 3)
            #expect(try site.count(of: "team_act WHERE verb = 'took'") == 2)
            let more = Self.three + [("Puppets", 6, "")]
            _ = try await ben.visit("/me/imports/1").press("Read it now", filling: ["file": Self.calendar(more)])
            #expect(try site.count(of: "team_act WHERE verb = 'changed'") == 1)
            #expect(try await site.browser().visit("/events/1").text.contains("From the calendar of King Library"))
            let typed = try await site.publish(by: .ben)
            #expect(try await !site.browser().visit("/events/\(typed)").text.contains("From the calendar of"))
        }
    }

    @Test func `a press publishes what was seen: after another reading it shows what is new first`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let old = try await bring(Self.calendar(Array(Self.three.prefix(2))), by: ben)
            site.clock.advance(by: .minutes(1))
            let new = try await ben.visit("/me/imports/1").press(
                "Read it now", filling: ["file": Self.calendar(Self.three)])
            let again = try await old.press("Publish")
            #expect(try site.count(of: "event") == 0 && again.text.contains("Chess club"))
            _ = try await new.press("Publish")
            #expect(try site.count(of: "event") == 3)
        }
    }

    @Test func `what changed follows, but for what somebody changed here, and families are told`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await bring(Self.calendar(Self.three), by: ben).press("Publish")
            _ = try await ben.visit("/events/1/edit").press("Preview", filling: ["title": "Stories, read aloud"])
                .press("Publish the change")
            var moved = Self.three
            moved[0].day = 6
            moved[0].more = "LOCATION:Room 3"
            let page = try await ben.visit("/me/imports/1").press(
                "Read it now", filling: ["file": Self.calendar(moved)])
            #expect(page.text.contains("Room 3") && page.text.contains("2 entries are as they were"))
            #expect(try site.count(of: "event WHERE day = '2027-05-06'") == 0, "not before the press")
            _ = try await page.press("Publish")
            #expect(
                try site.count(
                    of: """
                        event WHERE id = 1 AND title = 'Stories, read aloud' AND day = '2027-05-06'
                            AND place_name = 'Room 3'
                        """) == 1)
            #expect(try site.count(of: "event") == 3)
        }
    }

    @Test func `what takes place online is told to those who come, and is nowhere in town`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await bring(
                Self.calendar([("Tax help", 3, "LOCATION:https://meet.example/123")]), by: ben)
            #expect(!page.text.contains("They will be shown at"))
            _ = try await page.press("Publish")
            #expect(
                try site.count(
                    of: "event WHERE online_url = 'https://meet.example/123' AND place_name = '' AND city = ''") == 1)
            let shown = try await site.browser().visit("/events/1")
            #expect(shown.text.contains("Tax help") && shown.text.contains("Online"))
            #expect(!shown.text.contains("meet.example") && !shown.text.contains("Directions"))
            // Twin: once the calendar names a room, it is there, and the link is gone.
            let moved = try await ben.visit("/me/imports/1").press(
                "Read it now", filling: ["file": Self.calendar([("Tax help", 3, "LOCATION:Room 2")])])
            _ = try await moved.press("Publish")
            #expect(
                try site.count(of: "event WHERE online_url = '' AND place_name = 'Room 2' AND city <> ''") == 1)
        }
    }

    @Test func `one that can't follow never stops the others, and its reason is said`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await bring(Self.calendar(Self.three), by: ben).press("Publish")
            // The places of the first are drawn, and wishes are taken until the day before.
            let (host, until) = (try await site.account(of: .ben), Instant(timestamp: "2027-05-02T20:00Z")!)
            try await site.write { db in
                try db.execute("UPDATE event SET spots = 5 WHERE id = 1")
                try db.execute(
                    """
                    INSERT INTO draw (account_id, title, first_zips, last_day, until_at, once, created_at)
                    VALUES (\(host), 'Stories', '', '2027-05-02', \(until), 'once', 1)
                    """)
                try db.execute("INSERT INTO draw_event (draw_id, number, event_id) VALUES (1, 1, 1)")
            }
            var moved = Self.three
            moved[0].day = 1
            moved[1].more = "LOCATION:Room 3"
            let page = try await ben.visit("/me/imports/1").press(
                "Read it now", filling: ["file": Self.calendar(moved)])
            let done = try await page.press("Publish")
            #expect(done.text.contains("let it begin after the last day for wishes"))
            #expect(try site.count(of: "event WHERE place_name = 'Room 3'") == 1)
            #expect(try site.count(of: "event WHERE day = '2027-05-01'") == 0)
        }
    }

    @Test func `one bad entry never stops the others, and its reason is said`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            var entries = Self.three
            entries[0].title = "No"
            entries[1].more = "DTSTART:tomorrow"
            let page = try await bring(Self.calendar(entries), by: ben)
            #expect(page.text.contains("Not taken, and why") && page.text.contains("Chess club"))
            _ = try await page.press("Publish")
            #expect(try site.count(of: "event WHERE title = 'Chess club'") == 1)
            #expect(try site.count(of: "event WHERE title = 'No'") == 0)
            let none = try await bring(.file(SentFile("a.ics", Array("Hello".utf8))), by: ben)
            #expect(none.status == 422)
        }
    }

    @Test func `a missing price is said in the form, and never 85 times`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let form = try await ben.visit("/me/imports/new?kind=file")
            #expect(!form.text.contains("File (optional)"))
            let brought = try await bring(Self.calendar(Self.three), by: ben)
            #expect(brought.text.contains("Monday, May 3, 2027"))
            try await site.write { db in try Plan.requirePrices(true, in: db) }
            let page = try await bring(Self.calendar(Self.three), by: ben)
            #expect(page.status == 422 && page.problems.contains("State the price, and 0 for free."))
            #expect(try site.count(of: "calendar_import") == 1)
            // Of one that was brought before, the reason stands there once.
            let again = try await ben.visit("/me/imports/1").press(
                "Read it now", filling: ["file": Self.calendar(Self.three)])
            #expect(again.string.ranges(of: "State the price").count == 1)
            #expect(again.text.contains("(3 entries)"))
        }
    }

    @Test func `what has no room in the plan waits, is counted before and after, and holds up nothing else`()
        async throws
    {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await bring(Self.calendar(Self.three), by: ben).press("Publish")
            #expect(try site.count(of: "event") == 3)
            let room = Plan.basic.events - 4
            for _ in 0..<room { try await site.publish(by: .ben) }
            var more = Self.three
            more.append((title: "Drums", day: 6, more: ""))
            more.append((title: "Flutes", day: 7, more: ""))
            more[2].more = "LOCATION:Room 9"
            let page = try await ben.visit("/me/imports/1").press("Read it now", filling: ["file": Self.calendar(more)])
            #expect(page.text.contains("2 entries are new."))
            #expect(page.text.contains("Your plan has room for 1 more event in 2027."))
            let done = try await page.press("Publish")
            #expect(done.status == 409 && !done.text.contains("Nothing was published now"))
            #expect(done.text.contains("1 event is published now. 1 waits for room in your plan. 1 was changed."))
            #expect(try site.count(of: "event WHERE place_name = 'Room 9'") == 1)
        }
    }

    @Test func `files are read as seldom as addresses are`() async throws {
        try await withTestSite(limits: true) { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let wrong = Filling.file(SentFile("a.ics", Array("Hello".utf8)))
            for _ in 0..<30 { #expect(try await bring(wrong, by: ben).status == 422) }
            #expect(try await bring(wrong, by: ben).status == 429)
            #expect(try await bring(Self.calendar(Self.three), by: ben).status == 429)
            #expect(try site.count(of: "calendar_import") == 0)
            // The twin: another organization’s, and an hour later.
            let cleo = try await site.signIn(.cleo, as: .provider)
            #expect(try await bring(wrong, by: cleo).status == 422)
            site.clock.advance(by: .hours(1))
            #expect(try await bring(Self.calendar(Self.three), by: ben).path == "/me/imports/1")
        }
    }

    @Test func `a calendar is its organization's alone, and files are all there is without allowed hosts`()
        async throws
    {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await bring(Self.calendar(Self.three), by: ben)
            let cleo = try await site.signIn(.cleo, as: .provider)
            for path in ["/me/imports/1", "/me/imports/1/settings"] {
                #expect(try await cleo.visit(path).status == 404, "\(path)")
            }
            let token = try #require(try await cleo.visit("/me/settings").value(of: "csrf"))
            for path in ["", "/settings", "/read", "/keep", "/gone", "/remove"] {
                let page = try await cleo.submit("/me/imports/1\(path)", [("csrf", token), ("entry", "1")])
                #expect(page.status == 404, "\(path)")
            }
            #expect(try site.count(of: "calendar_import") == 1 && site.count(of: "event") == 0)
            #expect(try await ben.visit("/me/imports/new").text.contains("Bring a file"))
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await ana.visit("/me/imports").path != "/me/imports")
        }
    }

    @Test func `an exhibition that is on comes in with its last day, once, and each entry at the address of its place`()
        async throws
    {
        try await withTestSite { site in
            let text = """
                BEGIN:VCALENDAR
                BEGIN:VEVENT
                UID:birds
                SUMMARY:Birds of the bay
                LOCATION:East Branch
                DTSTART;VALUE=DATE:20270301
                DTEND;VALUE=DATE:20270901
                END:VEVENT
                BEGIN:VEVENT
                UID:clay
                SUMMARY:Clay and colors
                LOCATION:Barn\\, 9 Hill Rd\\, Campbell\\, CA 95008
                DTSTART:20270504T100000
                DTEND:20270504T110000
                END:VEVENT
                END:VCALENDAR
                """
            let file = Filling.file(SentFile("events.ics", Array(text.utf8)))
            let ben = try await site.signIn(.ben, as: .provider)
            var page = try await bring(file, by: ben)
            #expect(page.text.contains("2 entries are new.") && page.text.contains("Birds of the bay"))
            #expect(page.text.contains("The calendar gives no address for these places: East Branch."))
            let form = try await page.follow("Give one another address")
            let wrong = try await form.press("Save", filling: ["others": "East Branch"])
            #expect(wrong.problems.count == 1 && wrong.text.contains("“East Branch” isn’t read as a place."))
            page = try await form.press("Save", filling: ["others": "East Branch: 5 Elm St, Campbell, CA 95008"])
            #expect(!page.text.contains("gives no address"))
            page = try await page.press("Publish")
            let published: [String] = try site.read { db in
                try db.all(
                    """
                    SELECT place_name || ': ' || street || ', ' || city || ', ' || day || ' to '
                        || COALESCE(end_day, day)
                    FROM event ORDER BY id LIMIT 3
                    """
                ) { try $0.next() }
            }
            #expect(
                published == [
                    "East Branch: 5 Elm St, Campbell, 2027-03-20 to 2027-08-31",
                    "Barn: 9 Hill Rd, Campbell, 2027-05-04 to 2027-05-04",
                ])
            #expect(try site.count(of: "event WHERE is_long") == 1)
            // Read again on its second day, it is the same.
            site.clock.advance(by: .days(1))
            page = try await ben.visit("/me/imports/1").press("Read it now", filling: ["file": file])
            #expect(page.text.contains("2 entries are as they were") && !page.buttons.contains("Publish"))
        }
    }

    @Test func `a place that was used before is found and filled in, and nothing else of the form is lost`()
        async throws
    {
        try await withTestSite { site in
            try await site.publish(by: .ben) { ($0.placeName, $0.street) = ("Barn", "9 Hill Rd") }
            let ben = try await site.signIn(.ben, as: .provider)
            let form = try await ben.visit("/me/imports/new?kind=file")
            let found = try await form.press("Find", filling: ["find": "barn", "tags": "books"])
            let choice = try #require(found.buttons.first { $0.hasPrefix("Barn") })
            let filled = try await found.press(choice)
            #expect(filled.value(of: "place_name") == "Barn" && filled.value(of: "address") == "9 Hill Rd")
            #expect(filled.value(of: "tags") == "books" && filled.value(of: "kind") == "file")
            #expect(filled.problems.isEmpty)
            // And in the settings, where it is saved only by its button.
            var page = try await bring(Self.calendar(Self.three), by: ben)
            let settings = try await ben.visit("\(page.path)/settings")
            page = try await settings.press("Find", filling: ["find": "barn"])
            page = try await page.press(try #require(page.buttons.first { $0.hasPrefix("Barn") }))
            #expect(page.value(of: "address") == "9 Hill Rd")
            #expect(try await ben.visit("/me/imports/1/settings").value(of: "address") != "9 Hill Rd")
            _ = try await page.press("Save")
            #expect(try await ben.visit("/me/imports/1/settings").value(of: "address") == "9 Hill Rd")
        }
    }

    @Test func `those who follow are told of all new events once`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let (ana, host) = (try await site.account(of: .ana), try await site.account(of: .ben))
            try await site.execute("INSERT INTO follow (account_id, host_id, at) VALUES (\(ana), \(host), 1)")
            _ = try await bring(Self.calendar(Self.three), by: ben).press("Publish")
            #expect(try site.count(of: "notice WHERE kind = 'followed'") == 1)
            let reader = try await site.signIn(.ana, as: .parent)
            #expect(try await reader.visit("/inbox").text.contains("King Library announces 3 new events"))
            #expect(try site.count(of: "notice WHERE kind = 'published'") == 0)
        }
    }

    @Test func `what is gone twice is called off after a notice, unless it is kept`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await bring(Self.calendar(Self.three), by: ben).press("Publish")
            try await site.execute("UPDATE calendar_import SET address = 'https://library.example/a.ics'")
            let item = try await find(site)
            let all: [(title: String, day: Int)] = [
                ("Stories", 3), ("Clay and colors", 4), ("Chess club", 5), ("Songs", 6), ("Kites", 7),
            ]
            // Other UIDs than in the file, all of them.
            try await night(all, item, in: site)
            #expect(try site.count(of: "event") == 5)
            for _ in 0..<2 { try await night(Array(all.dropFirst(2)), item, in: site) }
            #expect(try site.count(of: "event WHERE cancelled_at IS NOT NULL") == 0)
            #expect(try site.count(of: "notice WHERE kind = 'imported'") == 1)
            #expect(try await ben.visit("/inbox").text.contains("2 events are no longer in the calendar"))
            let page = try await ben.visit("/me/imports/1")
            #expect(page.text.contains("No longer in the calendar") && page.text.contains("called off tonight"))
            _ = try await page.press("Keep: Stories")
            let unread: SQL = "notice WHERE kind = 'imported' AND read_at IS NULL"
            #expect(try site.count(of: unread) == 1, "another one is still called off tonight")
            try await night(Array(all.dropFirst(2)), item, in: site)
            #expect(try site.count(of: unread) == 0)
            #expect(try site.count(of: "event WHERE cancelled_at IS NOT NULL AND title = 'Clay and colors'") == 1)
            #expect(try site.count(of: "event WHERE cancelled_at IS NOT NULL") == 1)
            // All of it gone: nothing more happens, and its organization hears of it.
            for _ in 0..<4 { try await night([], item, in: site) }
            #expect(try site.count(of: "event WHERE cancelled_at IS NOT NULL") == 1)
            #expect(try site.count(of: "notice WHERE kind = 'imported' AND detail LIKE 'suspicious%'") == 1)
            #expect(try await ben.visit("/me/imports/1").text.contains("A lot is gone from this calendar at once"))
            // What somebody deleted here doesn't come back.
            #expect(try site.count(of: "\(unread) AND detail LIKE 'suspicious%'") == 1)
            _ = try await ben.visit("/me/imports/1").press("It is meant to be so")
            #expect(try site.count(of: "\(unread) AND detail LIKE 'suspicious%'") == 0)
            try await night(all, item, in: site)
            #expect(try site.count(of: "event WHERE cancelled_at IS NULL") == 5)
            try await site.execute("DELETE FROM event WHERE title = 'Kites'")
            try await night(all, item, in: site)
            #expect(try site.count(of: "event WHERE title = 'Kites'") == 0)
        }
    }

    @Test func `a calendar that is as it was is read whole again after a week, for the days to come`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await bring(Self.calendar(Self.three), by: ben)
            try await site.execute("UPDATE calendar_import SET validators = 'known'")
            let whole = site.clock.now
            for (days, asked) in [(6, "known"), (8, "")] {
                let now = whole + .days(days)
                // Each night it said that it is as it was.
                try await site.write(at: now) { tx in try CalendarImport.noteRead(ID(1), in: tx) }
                #expect(try await find(site).asked(at: now).validators == asked)
            }
        }
    }

    @Test func `an address on an allowed host is read each night, and one that fails keeps what was read`()
        async throws
    {
        try await withTestSite(calendarReach: .loopback) { site in
            let source = try await site.publish(by: .cleo)
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await mira.visit("/admin/settings").press(
                "Save", filling: ["town": "San Jose", "contact_phone": "408 555 0100", "calendar_hosts": "127.0.0.1"])
            #expect(site.site.town.calendarHosts == ["127.0.0.1"])
            let ben = try await site.signIn(.ben, as: .provider)
            let address = "http://127.0.0.1:\(site.port)/events/\(source).ics"
            let refused = try await ben.visit("/me/imports/new").press(
                "Look at what it says", filling: ["calendar": "https://evil.example/a.ics"])
            #expect(refused.status == 422 && refused.text.contains("evil.example"))
            let page = try await ben.visit("/me/imports/new").press(
                "Look at what it says", filling: ["calendar": .text(address)])
            #expect(page.text.contains("Kite day"))
            _ = try await page.press("Publish")
            #expect(try site.count(of: "event WHERE title = 'Kite day'") == 2)
            try await site.execute("UPDATE event SET title = 'Kite night', sequence = 1 WHERE id = \(source)")
            site.clock.advance(by: .days(1))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now) { $0.name == Self.job }
            #expect(try site.count(of: "event WHERE title = 'Kite night'") == 2)
            // It is read once a night.
            #expect(try await site.site.readCalendars(at: site.clock.now) == 0)
            try await site.execute("UPDATE calendar_import SET address = \("http://127.0.0.1:\(site.port)/nothing")")
            for _ in 0..<3 {
                site.clock.advance(by: .days(1))
                _ = try await site.site.readCalendars(at: site.clock.now)
            }
            #expect(try site.count(of: "calendar_import WHERE failed = 3 AND problem <> ''") == 1)
            #expect(try site.count(of: "notice WHERE kind = 'imported' AND detail LIKE 'failing%'") == 1)
            #expect(try site.count(of: "event WHERE cancelled_at IS NULL") == 2)
            // After a month it is given up, until somebody read it by hand.
            try await site.execute("UPDATE calendar_import SET failed = \(CalendarImport.longestPatience - 1)")
            site.clock.advance(by: .days(1))
            _ = try await site.site.readCalendars(at: site.clock.now)
            #expect(try site.count(of: "calendar_import WHERE due_at IS NULL") == 1)
            #expect(try await ben.visit("/me/imports/1").text.contains("It isn’t read at night anymore"))
            try await site.execute("UPDATE calendar_import SET address = \(address)")
            let again = try await ben.visit("/me/imports/1").press("Read it now")
            #expect(!again.text.contains("isn’t read at night"))
            #expect(try site.count(of: "calendar_import WHERE due_at IS NOT NULL AND failed = 0") == 1)
        }
    }
}
