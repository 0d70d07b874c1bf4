@testable import App

extension FuzzTarget {
    private static let zone = Zone(identifier: "America/Los_Angeles") ?? .utc
    private static let span = Instant(milliseconds: 1_793_500_000_000)..<Instant(milliseconds: 1_820_000_000_000)

    private static func holdAll(_ calendar: ImportedCalendar) throws(Broken) {
        try hold(calendar.entries.count <= ImportedCalendar.mostEntries, "there are too many entries")
        try hold(calendar.problems.count <= ImportedCalendar.mostProblems + 1, "there are too many problems")
        for entry in calendar.entries {
            try hold(entry.start <= entry.end, "\(entry) ends before it starts")
            try hold(entry.start < span.upperBound && entry.end >= span.lowerBound, "\(entry) is beyond the span")
            try hold(!entry.title.isEmpty && entry.title.count <= 120, "\(entry) has no title, or a long one")
            try hold(entry.text.count <= 4_000, "\(entry) has a long text")
            try hold(!hasControl(entry.title) && !hasControl(entry.place ?? ""), "\(entry) has control characters")
            try hold(!hasControl(entry.text, but: ["\n"]), "\(entry) has control characters")
        }
        let joined = calendar.joiningExhibitions(at: span.lowerBound, until: span.upperBound)
        try hold(joined.entries.count <= calendar.entries.count, "joining made more of them")
    }

    static let calendars = [
        FuzzTarget(
            "calendar",
            seeds: [
                "BEGIN:VCALENDAR\r\nX-WR-TIMEZONE:Europe/Berlin\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Tag\\, Nacht\r\n"
                    + "DTSTART;TZID=W. Europe Standard Time:20261201T180000\r\nDURATION:PT1H\r\n"
                    + "RRULE:FREQ=WEEKLY;COUNT=5;BYDAY=TU,TH\r\nEXDATE;VALUE=DATE:20261203\r\nEND:VEVENT\r\n"
                    + "BEGIN:VEVENT\r\nUID:1\r\nRECURRENCE-ID:20261208T170000Z\r\nSTATUS:CANCELLED\r\nEND:VEVENT\r\n"
                    + "END:VCALENDAR\r\n",
                "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:X\nBEGIN:STANDARD\nDTSTART:16010101T030000\n"
                    + "TZOFFSETFROM:+0200\nTZOFFSETTO:+0100\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\nEND:STANDARD\n"
                    + "END:VTIMEZONE\nBEGIN:VEVENT\nSUMMARY:A &amp; b\nDTSTART;TZID=X:20270101T000000\n"
                    + "DTEND;TZID=X:20270102T000000\nDESCRIPTION:<p>a<br><a href=\"https://x.example\">b</a></p>\n"
                    + "RRULE:FREQ=MONTHLY;BYMONTHDAY=-1;BYSETPOS=1\nRDATE;VALUE=PERIOD:20270105T100000Z/PT1H\n",
                "BEGIN:VEVENT\nSUMMARY:Day\nDTSTART;VALUE=DATE:20261224\nDURATION:P2D\nRRULE:FREQ=DAILY;COUNT=9",
            ],
            words: [
                "\r\n", "\r\n ", "BEGIN:VEVENT\n", "END:VEVENT\n", "BEGIN:VALARM\n", "BEGIN:VTIMEZONE\n", "TZID=",
                "T240000",
                "00010101", "99991231T235959Z", "FREQ=YEARLY", "COUNT=99999999999999999999", "INTERVAL=100000",
                "UNTIL=", "BYDAY=-53SU", "BYSETPOS=-1", "P999999999D", "-PT1H", "+2359", "\\", "\\n", "<", "&#1;", "\"",
            ]
        ) { bytes throws(Broken) in
            guard let calendar = try? ImportedCalendar(iCalendar: bytes, zone: zone, span: span) else { return }
            try Self.holdAll(calendar)
        },
        FuzzTarget(
            "table",
            seeds: [
                "Title,Date,Start,End,Place\r\n\"Kites, \"\"big\"\" ones\",12/1/2026,6pm,8pm,Hill\r\n,12/2/2026,,,\r\n",
                "sep=;\nTitel;Datum;Beginn;Ende\nFest;1.12.2026;18:00;24:00\nMarkt;2.12.2026;;",
            ],
            words: [",", ";", "\t", "\"", "\r\n", "24:00", "2026-12-01T10:00:00Z", "12/31/9999", "noon", "'="]
        ) { bytes throws(Broken) in
            guard let calendar = try? ImportedCalendar(sheet: bytes, zone: zone, country: "US", span: span) else {
                return
            }
            try Self.holdAll(calendar)
        },
        FuzzTarget(
            "people",
            seeds: [
                "Name,E-mail,Child\r\n\"Ana\nOrtiz\",ana@example.org,Mo\r\n,ben@b\u{FC}cher.example,\r\n",
                "Ana Ortiz <ana@example.org>, Ben <ben@example.org>\ncleo@example.org cleo",
                "sep=;\nEltern;E-Mail;Kind;Alter\nEva;eva@example.org;Mo;7\n",
            ],
            words: [",", ";", "\t", "\"", "\r\n", "@", "<", ">", "e-mail", "age", "parent", "child", "sep=", "'="]
        ) { bytes throws(Broken) in
            let list = InvitationList(bytes)
            try hold(list.entries.count <= InvitationList.mostRows * 200, "there are too many people")
            try hold(Set(list.entries.map(\.address)).count == list.entries.count, "an address is there twice")
            try hold(list.unread.count <= InvitationList.mostNoted, "too many problems are kept")
            for entry in list.entries {
                try hold(!entry.address.contains { $0.isWhitespace || $0.isUppercase }, "\(entry.address)")
                try hold(!hasControl(entry.name) && entry.name.count <= 60, "\(entry.name) is no name")
                let again = InvitationList(addresses: entry.address, most: 1).entries.map(\.address)
                try hold(again == [entry.address], "\(entry.address) came back as \(again)")
            }
        },
    ]
}
