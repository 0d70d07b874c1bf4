import Forms
import Templating
import Testing

@testable import App

/// When families register: from when on, until when, and who first.
@Suite struct WindowRulesTests {
    private let zone = Zone(identifier: "America/Los_Angeles")!
    private let opens = Instant(milliseconds: 1_900_000_000_000)

    private var window: Window {
        Window(
            opensAt: opens, closesAt: opens + .days(10), firstZIPs: ["95112", "951 13", "SW1A"],
            firstUntil: opens + .days(2))
    }

    @Test func `a window opens and closes at its moment, and not one before`() {
        let just = Duration.milliseconds(1)
        #expect(window.gate(zip: "95112", at: opens - just) == .opens(at: opens))
        #expect(window.gate(zip: "95112", at: opens) == .open)
        #expect(window.gate(zip: "94000", at: opens) == .nearbyFirst(until: opens + .days(2)))
        #expect(window.gate(zip: nil, at: opens + .days(2) - just) == .nearbyFirst(until: opens + .days(2)))
        #expect(window.gate(zip: "94000", at: opens + .days(2)) == .open)
        #expect(window.gate(zip: "95112", at: opens + .days(10) - just) == .open)
        #expect(window.gate(zip: "95112", at: opens + .days(10)) == .closed(at: opens + .days(10)))
        #expect(Window().gate(zip: nil, at: opens) == .open)
    }

    @Test func `a family from elsewhere reads its own day from the first, and not when others can`() {
        let before = opens - .days(1)
        #expect(window.gate(zip: "94000", at: before) == .nearbyFirst(until: opens + .days(2)))
        #expect(window.gate(zip: nil, at: before) == .opens(at: opens))
        func lines(_ zip: String?, _ now: Instant) -> [String] {
            window.lines(zip: zip, at: now, in: zone, for: zone).map {
                $0.text(by: nil, in: "en-US").replacing(/\s/, with: " ")
            }
        }
        #expect(
            lines("94000", before) == [
                "Families nearby (95112, 951 13, and SW1A) can register first. You can register from Tuesday, "
                    + "March 19, 2030, 10:46 AM, in 3 days.",
                "Registration closes Wednesday, March 27, 2030, 10:46 AM.",
            ])
        #expect(
            lines(nil, before) == [
                "Registration opens Sunday, March 17, 2030, 10:46 AM, in 24 hours.",
                "Until Tuesday, March 19, 2030, 10:46 AM, only families nearby (95112, 951 13, and SW1A) can register.",
                "Registration closes Wednesday, March 27, 2030, 10:46 AM.",
            ])
        #expect(lines(nil, opens + .days(10)) == ["Registration closed Wednesday, March 27, 2030, 10:46 AM."])
        #expect(window.opensForAll == opens + .days(2))
        #expect(Window().lines(zip: nil, at: opens, in: zone, for: zone).isEmpty)
    }

    @Test func `a copy closes at the same time of day, over the night in which clocks change, too`() {
        let closes = LocalTime(typed: "2027-11-06T18:00")!
        let moved = Window(opensAt: opens, closesAt: closes.instant(in: zone)).moved(by: 7, in: zone)
        #expect(moved.closesAt == LocalTime(typed: "2027-11-13T18:00")!.instant(in: zone) && moved.opensAt == opens)
    }

    @Test func `ZIP codes are compared as people write them, and by their beginnings`() {
        for zip in ["95112", " 95112-1234", "95113", "sw1a 1aa", "SW1A2AA"] {
            #expect(window.gate(zip: zip, at: opens) == .open, "\(zip)")
        }
        for zip in ["9511", "", "W1A 1AA", "95114"] {
            #expect(window.gate(zip: zip, at: opens) == .nearbyFirst(until: opens + .days(2)), "\(zip)")
        }
        #expect(Window.zips(typed: "95112، 95113;95112\n sw1a  1aa , - ,") == ["95112", "95113", "sw1a 1aa"])
        #expect(Window.zips(typed: "95112 95113/95114, 941 10, SW1A 1AA").count == 5)
        #expect(window.gate(zip: "٩٥١١٢", at: opens) == .open && window.gate(zip: "９５１１２", at: opens) == .open)
        for zip in ["95112", "951", "SW", "SW1A 1AA", "95112-1234", "1234-567", "D02", "٩٥١١٢"] {
            #expect(Window.isZIP(zip), "\(zip)")
        }
        for other in ["95112-95120", "SCAM", "call 95112", "www.example.com 1", "95113 and 95114", "%"] {
            #expect(!Window.isZIP(other), "\(other)")
        }
    }

    @Test func `a day with its time is read back as it was typed`() {
        for typed in [
            "2027-03-25T09:00", "2027-03-25 9am", "2027-03-25, 09:00", "2027-03-25، 9 am", "March 25, 2027, 9 AM",
        ] {
            #expect(LocalTime(typed: typed)?.typed == "2027-03-25T09:00", "\(typed)")
        }
        for typed in [
            "", "2027-03-25", "T09:00", "2027-02-30T09:00", "2027-03-25T25:00", "tomorrow 9am", "2027-03-25T09:00 x",
        ] {
            #expect(LocalTime(typed: typed) == nil, "\(typed)")
        }
        let summer = LocalTime(typed: "2027-07-01T09:00")!
        #expect(LocalTime(summer.instant(in: zone), in: zone) == summer)
    }
}
