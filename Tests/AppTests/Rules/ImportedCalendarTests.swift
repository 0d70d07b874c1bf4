import Foundation
import Testing

@testable import App

/// Calendars and tables as other programs write them.
@Suite struct ImportedCalendarTests {
    private static let home = Zone(identifier: "America/Los_Angeles")!
    private static let span = Instant(timestamp: "2026-11-01T00:00Z")!..<Instant(timestamp: "2027-07-01T00:00Z")!
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../Fixtures/Calendars")

    private static let names: [String] = {
        let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (files ?? []).filter { $0.hasSuffix(".ics") }.map { String($0.dropLast(4)) }.sorted()
    }()

    private static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: name + ".ics")))
    }

    private func read(_ text: String) throws -> ImportedCalendar {
        try ImportedCalendar(iCalendar: Array(text.utf8), zone: Self.home, span: Self.span)
    }

    private func calendar(_ events: String...) -> String {
        "BEGIN:VCALENDAR\n" + events.map { "BEGIN:VEVENT\n\($0)\nEND:VEVENT\n" }.joined() + "END:VCALENDAR\n"
    }

    private func line(_ entry: ImportedEntry) -> String {
        let parts = [
            ICalendar.utc(entry.start), ICalendar.utc(entry.end), entry.isAllDay ? "day" : "no",
            entry.zone.identifier, entry.title, entry.place ?? "",
        ]
        return (parts + (entry.isCanceled ? ["canceled"] : [])).joined(separator: "|")
    }

    private func why(_ problem: ImportProblem) -> String {
        guard case .unreadable(_, _, let why) = problem else { return "\(problem)" }
        return "\(why)"
    }

    // MARK: - Files

    @Test func `there are forty calendars to read`() { #expect(Self.names.count == 40) }

    @Test(arguments: Self.names)
    func `a calendar of another program says what a person reads in it`(name: String) throws {
        let text = try String(contentsOf: Self.folder.appending(path: name + ".txt"), encoding: .utf8)
        let lines = text.split(separator: "\n").map(String.init)
        let zone = try #require(Zone(identifier: String(lines[0].dropFirst("zone ".count))))
        let calendar = try ImportedCalendar(iCalendar: Self.bytes(name), zone: zone, span: Self.span)
        #expect(calendar.entries.map(line) == lines.dropFirst().filter { !$0.hasPrefix("! ") })
        #expect(
            calendar.problems.map(why) == lines.filter { $0.hasPrefix("! ") }.map { String($0.dropFirst(2)) })
        // An entry has the same names each time it is read.
        let again = try ImportedCalendar(iCalendar: Self.bytes(name), zone: zone, span: Self.span)
        #expect(again.entries == calendar.entries)
        let keys = calendar.entries.compactMap { entry in entry.uid.map { "\($0) \(entry.occurrence ?? "")" } }
        #expect(Set(keys).count == keys.count, "no two entries have one name")
    }

    @Test(arguments: Self.names)
    func `a calendar that is cut off anywhere is read as far as it goes`(name: String) throws {
        let bytes = try Self.bytes(name)
        for end in stride(from: 0, through: bytes.count, by: name == "google" ? 1 : 31) {
            let calendar = try? ImportedCalendar(iCalendar: bytes[..<end], zone: Self.home, span: Self.span)
            #expect(calendar?.entries.allSatisfy { $0.start <= $0.end && !$0.title.isEmpty } ?? true)
        }
    }

    @Test func `what is no calendar, and what is too large, is refused`() {
        for text in ["", "<!doctype html><title>Log in</title>", "BEGIN:VCARD\nFN:Ada\nEND:VCARD\n", "Title\nKites"] {
            #expect(throws: ImportProblem.notACalendar) { try read(text) }
        }
        let large = [UInt8](repeating: 10, count: ImportedCalendar.mostBytes + 1)
        #expect(throws: ImportProblem.tooLarge) {
            try ImportedCalendar(iCalendar: large, zone: Self.home, span: Self.span)
        }
    }

    // MARK: - Names and words

    @Test func `one of a repeated entry is called by its original start`() throws {
        let google = try ImportedCalendar(iCalendar: Self.bytes("google"), zone: Self.home, span: Self.span)
        #expect(google.name == "Library")
        let chess = google.entries.filter { $0.uid == "3@google.com" }
        #expect(chess.map(\.occurrence) == ["20261204T000000Z", "20261211T000000Z", "20261218T000000Z"])
        #expect(google.entries.first?.occurrence == nil && google.entries.first?.text == "For kids\n\nFree")
        let series = try ImportedCalendar(iCalendar: Self.bytes("all-day-series"), zone: Self.home, span: Self.span)
        #expect(series.entries.map(\.occurrence) == ["20261207", "20261210", "20261209"])
    }

    @Test func `a text in HTML is told as paragraphs, and plain text stays as it is`() {
        func text(_ written: String) -> String { ForeignText.paragraphs(written, most: 4_000) }
        #expect(text("1 < 2 & 3 > 2\n\n\n\nEnd  of it") == "1 < 2 & 3 > 2\n\nEnd of it")
        #expect(text("<b>Bring</b><ul><li>a hat</li><li>water</li></ul>") == "Bring\n\n– a hat\n– water")
        #expect(
            text("See <a href=\"https://x.example/a?b=1&amp;c=2\">here</a>.")
                == "See here (https://x.example/a?b=1&c=2).")
        #expect(text("<a href='https://x.example'>https://x.example</a>") == "https://x.example")
        #expect(text("<p>One\ntwo</p><script>alert(1)</script><p>Tür &#38; T&uuml;r</p>") == "One two\n\nTür & Tür")
        #expect(text("<p><a href=\"javascript:alert(1)\">press</a></p>") == "press")
    }

    @Test func `links are web addresses, and tags are told one by one`() throws {
        let read = try self.read(
            calendar(
                "SUMMARY:A\nDTSTART:20261201T100000\nURL:https://x.example/a\nCATEGORIES:Music,Arts\\, crafts\n"
                    + "CATEGORIES:Music",
                "SUMMARY:B\nDTSTART:20261202T100000\nURL:javascript:alert(1)",
                "SUMMARY:C\nDTSTART:20261203T100000\nURL:https://me:secret@x.example/"))
        #expect(read.entries.map(\.link) == ["https://x.example/a", nil, nil])
        #expect(read.entries[0].tags == ["Music", "Arts, crafts"])
    }

    @Test func `every zone that Windows has a name for is known`() {
        for (name, identifier) in WindowsZone.names {
            #expect(Zone(identifier: identifier) != nil, "\(identifier)")
            #expect(Zone(foreign: name.lowercased()) != nil, "\(name)")
        }
        #expect(WindowsZone.names.count > 130)
        #expect(Zone(foreign: "Narnia") == nil && Zone(foreign: "(UTC+01:00) Narnia") == nil)
    }

    // MARK: - Bounds

    @Test func `what would take forever is bounded`() throws {
        let day = "SUMMARY:A\nDTSTART:20261201T100000\nDURATION:PT1H\nRRULE:FREQ=DAILY"
        let many = try read(calendar(day) + String(repeating: calendar("\(day);INTERVAL=1"), count: 60))
        #expect(many.entries.count == ImportedCalendar.mostEntries)
        #expect(many.problems == [.tooMany(limit: ImportedCalendar.mostEntries)])
        // Rules that count from long ago use up what may be looked at; what comes behind them is still read.
        let old = calendar("SUMMARY:Old\nDTSTART:00010101T100000\nRRULE:FREQ=DAILY;COUNT=700000")
        let rest = try read(String(repeating: old, count: 20) + calendar("SUMMARY:B\nDTSTART:20261201T100000"))
        #expect(rest.entries.map(\.title) == ["B"])
        #expect(rest.problems.map(why) == Array(repeating: "badRule", count: 20))
        let dates = String(repeating: "20261202T100000,", count: 20_000)
        let left = try read(calendar("\(day);COUNT=3\nEXDATE:\(dates)"))
        #expect(left.entries.count == 2)
        let long = try read(calendar("SUMMARY:\(String(repeating: "word ", count: 200_000))\nDTSTART:20261201T100000"))
        #expect(long.entries[0].title.count <= 120 && long.entries[0].title.hasSuffix("word…"))
    }

    @Test func `a rule with many weekdays and places takes its steps, and a count that never ends it takes none`()
        throws
    {
        let weekdays = (1...39).map { "\($0)MO" }.joined(separator: ",")
        let places = (1...59).map(String.init).joined(separator: ",")
        func old(_ count: Int) -> String {
            calendar(
                "SUMMARY:Old\nDTSTART:00010101T100000Z\n"
                    + "RRULE:FREQ=YEARLY;COUNT=\(count);BYDAY=\(weekdays);BYSETPOS=\(places)")
        }
        // There can't be that many until the end of the span: nothing needs to be counted from the year 1.
        let endless = try read(String(repeating: old(999_999_999), count: 50))
        #expect(endless.problems.isEmpty && !endless.entries.isEmpty)
        // Where it is to be counted, the steps of the whole file are soon spent.
        let counted = try read(String(repeating: old(70_000), count: 100))
        #expect(counted.entries.isEmpty && counted.problems.map(why) == Array(repeating: "badRule", count: 100))
        // What ended long ago takes no steps from what is read behind it.
        let over = calendar(
            "SUMMARY:Over\nDTSTART:20150101T100000Z\nRRULE:FREQ=YEARLY;UNTIL=20160101T000000Z;BYDAY=\(weekdays)")
        let rest = try read(
            String(repeating: over, count: 1_000)
                + calendar("SUMMARY:B\nDTSTART:20261201T100000\nRRULE:FREQ=DAILY;COUNT=2"))
        #expect(rest.entries.map(\.title) == ["B", "B"] && rest.problems.isEmpty)
    }

    @Test func `a text that is all tags is looked at as far as an event has text`() throws {
        let text = String(repeating: "&<p><a href=x>", count: 7_000)
        let events = String(repeating: calendar("SUMMARY:A\nDTSTART:20261201T100000\nDESCRIPTION:\(text)"), count: 40)
        let read = try self.read(events)
        #expect(read.entries.count == 40 && read.entries.allSatisfy { $0.text.hasPrefix("&\n\n&") })
        let late = ForeignText.paragraphs(String(repeating: "<b> </b>", count: 4_000) + "late", most: 4_000)
        #expect(late.isEmpty, "what stands behind so much isn't looked at")
    }

    @Test func `what was moved has the words of the repeated entry, and stays as private as that`() throws {
        let text = String(repeating: "<b>word</b> ", count: 4_000)
        let one = "UID:a\nSUMMARY:A\nDESCRIPTION:\(text)\nDTSTART:20261201T100000\nRRULE:FREQ=DAILY;COUNT=150"
        let moved = (10...29).map { "UID:a\nRECURRENCE-ID:202612\($0)T100000\nDTSTART:202612\($0)T120000" }
        func file(_ events: [String]) -> String {
            "BEGIN:VCALENDAR\n" + events.map { "BEGIN:VEVENT\n\($0)\nEND:VEVENT\n" }.joined()
        }
        let read = try self.read(file([one] + moved))
        #expect(read.entries.count == 150 && Set(read.entries.map(\.text)).count == 1)
        let hidden = try self.read(file([one + "\nCLASS:PRIVATE"] + moved.map { $0 + "\nSUMMARY:A" }))
        #expect(hidden.entries.isEmpty && hidden.problems.map(why) == ["notPublic"])
    }

    // MARK: - Exhibitions

    private func joining(_ calendar: ImportedCalendar) -> [ImportedEntry] {
        calendar.joiningExhibitions(at: Self.span.lowerBound, until: Self.span.upperBound).entries
    }

    @Test func `five days in a row of one thing are one exhibition, and four aren't`() throws {
        func daily(_ count: Int, _ more: String = "") -> String {
            "UID:show\nSUMMARY:Wings\nLOCATION:Hall\nDTSTART:20261201T100000\nDURATION:PT7H\n"
                + "RRULE:FREQ=DAILY;COUNT=\(count)\n\(more)"
        }
        let four = try read(calendar(daily(4)))
        #expect(joining(four) == four.entries && four.entries.count == 4)
        let all = try read(calendar(daily(30))).entries
        let joined = try joining(read(calendar(daily(30))))
        #expect(all.count == 30 && joined.count == 1)
        #expect(joined[0].start == all[0].start && joined[0].end == all[29].end)
        #expect(joined[0].uid == "show" && joined[0].occurrence == "20261201T180000Z")
        // A day between parts it: the second one has a name of its own.
        let parted = try joining(read(calendar(daily(30, "EXDATE;VALUE=DATE:20261210"))))
        #expect(parted.map(\.occurrence) == ["20261201T180000Z", "20261211T180000Z"])
        let days = (1...6).map { "SUMMARY:Fair\nDTSTART;VALUE=DATE:2026120\($0)" }
        let fair = try read("BEGIN:VCALENDAR\n" + days.map { "BEGIN:VEVENT\n\($0)\nEND:VEVENT\n" }.joined())
        #expect(fair.entries.count == 6 && joining(fair).map(\.isAllDay) == [true])
        // Half an hour a day is no exhibition.
        let stories = try read(
            calendar("UID:s\nSUMMARY:Stories\nDTSTART:20261207T100000\nDURATION:PT30M\nRRULE:FREQ=DAILY;COUNT=5"))
        #expect(joining(stories) == stories.entries && stories.entries.count == 5)
        // Of what runs, the days to come are left.
        let later = try read(calendar(daily(30))).joiningExhibitions(at: all[9].start, until: Self.span.upperBound)
        #expect(later.entries.map(\.start) == [all[10].start] && later.entries[0].occurrence == joined[0].occurrence)
    }

    // MARK: - Tables

    private func table(_ text: String, country: String) throws -> ImportedCalendar {
        try ImportedCalendar(sheet: Array(text.utf8), zone: Self.home, country: country, span: Self.span)
    }

    @Test func `a table is read in each language that ships, whatever parts its cells`() throws {
        let english = try table(
            "Title,Date,Start,End,Place,Tags,ID\r\n\"Kites, big\",12/1/2026,6pm,8:30 PM,Hill,\"wind, sun\",k1\r\n",
            country: "US")
        #expect(
            english.entries.map(line)
                == ["20261202T020000Z|20261202T043000Z|no|America/Los_Angeles|Kites, big|Hill"])
        #expect(english.entries[0].uid == "k1" && english.entries[0].tags == ["wind", "sun"])
        let german = try table("\u{FEFF}Titel;Datum;Beginn;Ende;Ort\nFest;1.12.2026;18:00;24:00;Halle\n", country: "DE")
        #expect(german.entries.map(line) == ["20261202T020000Z|20261202T080000Z|no|America/Los_Angeles|Fest|Halle"])
        let spanish = try table("Título\tFecha\tLugar\nFeria\t1/12/2026\tPlaza\n", country: "MX")
        #expect(spanish.entries.map(line) == ["20261201T080000Z|20261202T080000Z|day|America/Los_Angeles|Feria|Plaza"])
        let arabic = try table(
            "اسم الفعالية;التاريخ;يبدأ;إلى;المكان;الوسوم;الحالة\nمعرض;2026-12-01;18:00;20:30;الساحة;فن;ملغى\n",
            country: "EG")
        #expect(
            arabic.entries.map(line)
                == ["20261202T020000Z|20261202T043000Z|no|America/Los_Angeles|معرض|الساحة|canceled"])
        #expect(arabic.entries[0].tags == ["فن"] && arabic.entries[0].isCanceled)
        // A language that ships has its line above.
        #expect(Set(Catalogues.shipped.all.map(\.language)) == ["ar", "de", "es"])
    }

    @Test func `a table is read as far as it has twice as many rows as are taken`() throws {
        let rows = String(repeating: "A,\n", count: 2 * ImportedCalendar.mostEntries)
        let late = "B,12/1/2026\n"
        let whole = try table("Title,Date\n\(rows.dropLast(3))\(late)", country: "US")
        #expect(whole.entries.map(\.title) == ["B"] && whole.problems.count == ImportedCalendar.mostProblems)
        let cut = try table("Title,Date\n\(rows)\(late)\(String(repeating: rows, count: 50))", country: "US")
        #expect(cut.entries.isEmpty && cut.problems.count == ImportedCalendar.mostProblems)
        #expect(cut.problems.last == .tooMany(limit: ImportedCalendar.mostEntries))
    }

    @Test func `a row that can't be read never stops the others`() throws {
        let read = try table(
            "sep=,\nEvent,Start,End\n,2026-12-01 10:00,\nA,someday,\nB,2026-12-01 10:00,2026-12-01 09:00\n"
                + "\"C\n\"\"c\"\"\",2026-12-02 22:00,01:00\n", country: "US")
        #expect(read.problems.map(why) == ["noTitle", "badTime", "endsBeforeStart"])
        #expect(read.entries.map(line) == ["20261203T060000Z|20261203T090000Z|no|America/Los_Angeles|C \"c\"|"])
        #expect(throws: ImportProblem.notACalendar) { try table("Name,Phone\nAda,1\n", country: "US") }
        #expect(throws: ImportProblem.notACalendar) { try table("", country: "US") }
    }
}
