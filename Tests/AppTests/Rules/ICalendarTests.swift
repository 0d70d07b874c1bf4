import Testing

@testable import App

/// RFC 5545 as we write it, and what a QR code and a flyer need.
@Suite struct ICalendarTests {
    private func text(_ write: (inout ICalendar) -> Void) -> String {
        var calendar = ICalendar()
        write(&calendar)
        return String(decoding: calendar.bytes, as: UTF8.self)
    }

    /// Section 3.1: a line end with a blank behind it is no line end.
    private func unfolded(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.split(separator: Array("\r\n ".unicodeScalars)).joined()))
    }

    @Test(arguments: [
        String(repeating: "x", count: 300), String(repeating: "ü", count: 150), String(repeating: "子", count: 120),
        String(repeating: "👨‍👩‍👧", count: 40), "a" + String(repeating: "é", count: 80),
        String(repeating: "🪁", count: 64),
    ])
    func `no line is longer than 75 octets, and no letter is cut`(value: String) {
        let text = text { $0.add("SUMMARY", text: value) }
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            #expect(line.count <= 76 && line.last == UInt8(ascii: "\r"), "75 and the carriage return")
            #expect(String(validating: line, as: UTF8.self) != nil)
        }
        #expect(unfolded(text) == "SUMMARY:\(value)\r\n")
        // Cut after so many bytes, the same words are no text anymore.
        let bytes = Array("SUMMARY:\(value)".utf8)
        let blindly = stride(from: 0, to: bytes.count, by: 75).map { bytes[$0..<min($0 + 75, bytes.count)] }
        let isTorn = blindly.contains { String(validating: $0, as: UTF8.self) == nil }
        #expect(isTorn == (value.utf8.count != value.count))
    }

    @Test func `what parts values and ends lines is escaped, and nothing written begins a line`() {
        let hostile = "Kites; wind, sun\\rain\nATTENDEE:mailto:x@example.org\r\nBEGIN:VALARM\u{2028}END\u{0}\u{7F}"
        let text = text { $0.add("DESCRIPTION", text: hostile) }
        #expect(
            unfolded(text)
                == "DESCRIPTION:Kites\\; wind\\, sun\\\\rain\\nATTENDEE:mailto:x@example.org\\nBEGIN:VALARM\\nEND\r\n")
        #expect(self.text { $0.add("CATEGORIES", list: ["a,b", "c"]) } == "CATEGORIES:a\\,b,c\r\n")
        // A value that needs no escapes has no line ends either.
        #expect(
            self.text { $0.add("URL", "https://x.example/\r\nATTENDEE:y") } == "URL:https://x.example/ATTENDEE:y\r\n")
        // Put together as it comes, it would invite somebody.
        #expect("DESCRIPTION:\(hostile)\r\n".split(whereSeparator: \.isNewline).contains { $0.hasPrefix("ATTENDEE:") })
    }

    private func zone(_ identifier: String, _ first: String = "2027-03-27", _ last: String? = nil) -> [String] {
        let zone = Zone(identifier: identifier)!
        let start = zone.instant(Day(iso: first)!, TimeOfDay(hour: 10, minute: 0)!)
        let end = zone.instant(Day(iso: last ?? first)!, TimeOfDay(hour: 10, minute: 0)!)
        return text { $0.add(zone, from: start, to: end) }.split(separator: "\r\n").map(String.init)
    }

    @Test func `daylight saving time that follows a rule is told by it`() {
        #expect(
            zone("America/Los_Angeles") == [
                "BEGIN:VTIMEZONE", "TZID:America/Los_Angeles",
                "BEGIN:STANDARD", "DTSTART:20261101T020000", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU",
                "TZOFFSETFROM:-0700", "TZOFFSETTO:-0800", "END:STANDARD",
                "BEGIN:DAYLIGHT", "DTSTART:20270314T020000", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU",
                "TZOFFSETFROM:-0800", "TZOFFSETTO:-0700", "END:DAYLIGHT", "END:VTIMEZONE",
            ])
        #expect(
            zone("Europe/Berlin") == [
                "BEGIN:VTIMEZONE", "TZID:Europe/Berlin",
                "BEGIN:DAYLIGHT", "DTSTART:20260329T020000", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
                "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200", "END:DAYLIGHT",
                "BEGIN:STANDARD", "DTSTART:20261025T030000", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
                "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", "END:STANDARD", "END:VTIMEZONE",
            ])
        let lordHowe = zone("Australia/Lord_Howe")
        #expect(lordHowe.contains("TZOFFSETTO:+1030") && lordHowe.contains("TZOFFSETTO:+1100"))
    }

    @Test(arguments: [("Asia/Kolkata", "+0530"), ("UTC", "+0000"), ("Pacific/Marquesas", "-0930")])
    func `a zone without daylight saving time has one offset`(identifier: String, offset: String) {
        #expect(
            zone(identifier) == [
                "BEGIN:VTIMEZONE", "TZID:\(identifier)", "BEGIN:STANDARD", "DTSTART:19700101T000000",
                "TZOFFSETFROM:\(offset)", "TZOFFSETTO:\(offset)", "END:STANDARD", "END:VTIMEZONE",
            ])
    }

    @Test func `changes that follow no rule are listed one by one`() {
        // Clocks in Morocco follow the moon.
        let morocco = zone("Africa/Casablanca", "2025-06-01")
        #expect(!morocco.contains { $0.hasPrefix("RRULE") })
        #expect(morocco.filter { $0 == "BEGIN:STANDARD" }.count >= 4 && morocco.contains("DTSTART:20250223T030000"))
        // Kazakhstan gave up an hour, once and for all.
        let almaty = zone("Asia/Almaty", "2024-02-01", "2024-04-01")
        #expect(!almaty.contains { $0.hasPrefix("RRULE") })
        #expect(almaty.contains("DTSTART:20240301T000000") && almaty.contains("TZOFFSETTO:+0500"))
        #expect(almaty.contains("DTSTART:19700101T000000") && almaty.contains("TZOFFSETTO:+0600"))
    }

    @Test func `a moment is written with the offset its zone has then`() {
        let zone = Zone(identifier: "America/Los_Angeles")!
        #expect(zone.timestamp(Instant(milliseconds: 1_806_166_800_000)) == "2027-03-27T10:00:00-07:00")
        #expect(zone.timestamp(Instant(milliseconds: 1_800_000_000_000)) == "2027-01-15T00:00:00-08:00")
        let kolkata = Zone(identifier: "Asia/Kolkata")!
        #expect(kolkata.timestamp(Instant(milliseconds: 1_806_166_800_000)) == "2027-03-27T22:30:00+05:30")
        #expect(Zone.utc.timestamp(Instant(milliseconds: -1_000)) == "1969-12-31T23:59:59+00:00")
    }

    @Test func `a child stands in a calendar by initials`() {
        #expect(CalendarLink.initials(of: "Mo") == "M.")
        #expect(CalendarLink.initials(of: "Ana Ortiz") == "A.O.")
        #expect(CalendarLink.initials(of: "  ólafur-jón (tall) ") == "Ó.J.T.")
        #expect(CalendarLink.initials(of: "🦊") == "")
    }

    @Test func `a QR code has its three corners and a quiet zone, whatever the length`() throws {
        for text in ["https://village.example/events/7", String(repeating: "x", count: 2_000)] {
            let code = try #require(QRCode(text))
            #expect((code.size - 8 - 17) % 4 == 0 && code.viewBox == "0 0 \(code.size) \(code.size)")
            // The first row of the upper corners: seven dark modules, four from each edge.
            #expect(code.path.hasPrefix("M4 4h7v1h-7z") && code.path.contains("M\(code.size - 11) 4h7v1h-7z"))
            #expect(code.path.contains("M4 \(code.size - 5)h7v1h-7z"))
        }
        #expect(QRCode(String(repeating: "x", count: 3_000)) == nil)
    }

    @Test func `XML holds whatever somebody wrote`() {
        var xml = XML()
        xml.element("a", ["b": "\"<&>\"\n"]) { $0.element("c", [:], "<d>&\u{1}\u{FFFF}ﾾ]]>") }
        #expect(
            String(decoding: xml.bytes, as: UTF8.self).hasSuffix(
                "<a b=\"&quot;&lt;&amp;&gt;&quot;&#10;\">\n<c>&lt;d&gt;&amp;\u{FFFD}\u{FFFD}ﾾ]]&gt;</c>\n</a>\n"))
    }
}
