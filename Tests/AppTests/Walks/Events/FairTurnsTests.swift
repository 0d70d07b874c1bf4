import Database
import Templating
import Testing

@testable import App

/// A party passed over in a line reads why and has the next places; and an event that grew for an invited family
/// is as large as before once they decline.
@Suite struct FairTurnsTests {
    /// An event of three places, full, at which a party of three waits before two that are alone.
    private struct Line {
        let event: ID<Event>
        let holders: [(person: Person, party: ID<Registration>)]
        let three: ID<Registration>
        let ana: Browser
        let alone: [ID<Registration>]
    }

    private func line(_ site: TestSite, inDays days: Int = 7) async throws -> Line {
        let event = try await site.publish(by: .ben) { $0.spots = 3 }
        let start = site.clock.now + .days(days)
        try await site.execute(
            "UPDATE event SET starts_at = \(start), ends_at = \(start + .hours(2)) WHERE id = \(event)")
        var holders: [(person: Person, party: ID<Registration>)] = []
        for number in 1...3 {
            let child = try await site.child("Seat \(number)", of: .family(number))
            holders.append((.family(number), try await site.register([child], of: .family(number), at: event)))
        }
        func wait(_ names: [String], _ person: Person) async throws -> ID<Registration> {
            var children: [ID<Child>] = []
            for name in names { children.append(try await site.child(name, of: person)) }
            let (account, now, all) = (try await site.account(of: person), site.clock.now, children)
            return try await site.write(at: now) { tx in
                try Registration.insert(all, of: account, at: event, waits: true, once: "\(person.username)", in: tx)
            }
        }
        let three = try await wait(["Mo", "Lu", "Vy"], .ana)
        let alone = [try await wait(["Kim"], .family(8)), try await wait(["Pat"], .family(9))]
        return Line(
            event: event, holders: holders, three: three, ana: try await site.signIn(.ana, as: .parent), alone: alone)
    }

    private func giveBack(_ number: Int, _ line: Line, _ site: TestSite) async throws {
        let (person, party) = line.holders[number]
        let (account, now) = (try await site.account(of: person), site.clock.now)
        try await site.write(at: now) { tx in try Registration.giveBack(party, children: [], of: account, in: tx) }
    }

    private func state(_ id: ID<Registration>, _ site: TestSite) throws -> Registration.State? {
        try site.read { db in try db.value("SELECT state FROM registration WHERE id = \(id)") }
    }

    @Test func `a party of three is passed over once, reads why, and has the next three`() async throws {
        try await withTestSite { site in
            let line = try await line(site)
            #expect(try await !line.ana.visit("/registrations/\(line.three)").text.contains("at once are needed"))
            try await giveBack(0, line, site)
            // Somebody alone has the first one.
            #expect(try state(line.alone[0], site) == .offered)
            let page = try await line.ana.visit("/registrations/\(line.three)")
            #expect(page.text.contains("3 places at once are needed for you."))
            // The next ones are kept, and nobody else has them.
            try await giveBack(1, line, site)
            #expect(try state(line.alone[1], site) == .waiting)
            #expect(
                try await line.ana.visit("/registrations/\(line.three)").text.contains("1 of 3 is kept for you."))
            try await giveBack(2, line, site)
            #expect(try site.count(of: "event WHERE taken = 3 AND spots = 3") == 1)
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(
                try await ben.visit("/events/\(line.event)/waiting").text.contains(
                    "3 places at once are needed; kept so far: 2"))
            let late = try await site.child("Late", of: .family(20))
            await #expect(throws: Event.NoRoom.self) {
                try await site.register([late], of: .family(20), at: line.event)
            }
            // The third one comes back from the one who was alone.
            let (account, now) = (try await site.account(of: .family(8)), site.clock.now)
            let first = line.alone[0]
            try await site.write(at: now) { tx in try Registration.leave(first, of: account, in: tx) }
            #expect(try state(line.three, site) == .offered)
            #expect(try await line.ana.visit("/registrations/\(line.three)").heading == "Places are free for you")
            #expect(try site.count(of: "event WHERE taken = 3") == 1)
        }
    }

    @Test func `close to the event nothing is kept: it goes to the first it is enough for`() async throws {
        try await withTestSite { site in
            let line = try await line(site)
            for number in 0...1 { try await giveBack(number, line, site) }
            #expect(try state(line.alone[1], site) == .waiting)
            site.clock.advance(by: .days(5) + .hours(1))
            try await site.write(at: site.clock.now) { tx in _ = try Registration.tidyWaiting(in: tx) }
            #expect(try state(line.alone[1], site) == .offered)
            #expect(try site.count(of: "registration WHERE state = 'waiting' AND offered > 0") == 0)
        }
    }

    @Test func `a place given back too late for an answer is anybody's, and all in line are told once`() async throws {
        try await withTestSite { site in
            let line = try await line(site)
            site.clock.advance(by: .days(7) - .minutes(20))
            try await giveBack(0, line, site)
            // One place: it would do for the two alone, not for the party of three, and is promised to nobody.
            #expect(try state(line.alone[0], site) == .waiting && state(line.alone[1], site) == .waiting)
            #expect(try site.count(of: "event WHERE id = \(line.event) AND taken = 2") == 1)
            for _ in 0..<2 { await Housekeeping(site: site.site).tidyUp(at: site.clock.now) }
            #expect(try site.count(of: "notice WHERE kind = 'offered'") == 2)
            #expect(try site.count(of: "letter WHERE kind = 'offered'") == 2)
            #expect(try await line.ana.visit("/registrations/\(line.three)").heading == "You are on the waiting list")
            let eighth = try await site.signIn(.family(8), as: .parent)
            let ninth = try await site.signIn(.family(9), as: .parent)
            #expect(try await eighth.visit("/inbox").text.contains("A place is free at the last minute: Kite day"))
            let event = try await eighth.visit("/events/\(line.event)")
            let first = try await event.follow("A place is free: take it")
            let second = try await ninth.visit("/registrations/\(line.alone[1])")
            #expect(second.heading == "A place is free" && second.text.contains("The first to take it has it."))
            #expect(!second.buttons.contains("No, thank you"))
            #expect(try await first.press("Take the place").text.contains("Kim has a place"))
            let late = try await second.press("Take the place")
            #expect(late.heading == "You are on the waiting list" && late.text.contains("Somebody else was faster"))
            #expect(try site.count(of: "event WHERE id = \(line.event) AND taken = 3") == 1)
            // The next one is told anew, and goes to a family that wasn't in line, if it is faster.
            site.clock.advance(by: .minutes(2))
            try await giveBack(1, line, site)
            for _ in 0..<2 { await Housekeeping(site: site.site).tidyUp(at: site.clock.now) }
            #expect(try site.count(of: "notice WHERE kind = 'offered'") == 3)
            #expect(try await ninth.visit("/").text.contains("the first to take it has it"))
            let zoe = try await site.child("Zoe", of: .family(7))
            let other = try await site.signIn(.family(7), as: .parent)
            let page = try await other.visit("/events/\(line.event)").press("Register", filling: ["child": ["\(zoe)"]])
            #expect(page.path.hasPrefix("/registrations/"))
            #expect(try state(line.alone[1], site) == .waiting)
            #expect(try site.count(of: "event WHERE id = \(line.event) AND taken = 3") == 1)
        }
    }

    @Test func `half an hour before it closes is the last moment at which a place is promised`() async throws {
        for (left, expected) in [(Duration.minutes(31), Registration.State.offered), (.minutes(30), .waiting)] {
            try await withTestSite { site in
                let line = try await line(site)
                site.clock.advance(by: .days(7) - left)
                try await giveBack(0, line, site)
                #expect(try state(line.alone[0], site) == expected)
            }
        }
    }

    @Test func `the letter of a place that is anybody's takes it, or says that somebody was faster`() async throws {
        try await withTestSite { site in
            let line = try await line(site)
            site.clock.advance(by: .days(7) - .minutes(20))
            try await giveBack(0, line, site)
            var pages: [Page] = []
            for (number, party) in zip(8...9, line.alone) {
                let reader = try await site.account(of: .family(number))
                let link = try await site.write { db in
                    LetterLink.offer.link(to: party, for: reader, try Seal.make(in: db)).string
                }
                pages.append(try await site.browser().visit(link))
            }
            #expect(pages.allSatisfy { $0.text.contains("The first to take it has it.") })
            #expect(try await pages[0].press("Take the place").heading == "The place is yours")
            #expect(try await pages[1].press("Take the place").heading == "Somebody else was faster")
            #expect(try site.count(of: "event WHERE id = \(line.event) AND taken = 3") == 1)
        }
    }

    @Test func `what is kept for a party is free as soon as it leaves, or is suspended`() async throws {
        for isSuspended in [false, true] {
            try await withTestSite { site in
                let line = try await line(site)
                for number in 0...1 { try await giveBack(number, line, site) }
                let (ana, now, three) = (try await site.account(of: .ana), site.clock.now, line.three)
                try await site.write(at: now) { tx in
                    if isSuspended {
                        _ = try Account.suspend(ana, in: tx)
                    } else {
                        try Registration.leave(three, of: ana, in: tx)
                    }
                }
                #expect(try state(line.alone[1], site) == .offered, "\(isSuspended)")
                #expect(try site.count(of: "event WHERE taken = 3") == 1)
            }
        }
    }

    @Test func `an invited family that declines takes its extra place away, and has it again when it takes that back`()
        async throws
    {
        try await withTestSite { site in
            let line = try await line(site)
            let (event, now, invited) = (line.event, site.clock.now, line.alone[1])
            try await site.write(at: now) { tx in try WaitingList.invite(invited, to: event, in: tx) }
            #expect(try site.count(of: "event WHERE spots = 4 AND taken = 4") == 1)
            let family = try await site.signIn(.family(9), as: .parent)
            let declined = try await family.visit("/registrations/\(invited)").press("No, thank you")
            #expect(try site.count(of: "event WHERE spots = 3 AND taken = 3") == 1)
            #expect(try state(line.alone[0], site) == .waiting)
            #expect(declined.buttons.contains { $0.hasPrefix("Undo") })
            _ = try await declined.press("Undo: Kite day")
            #expect(try site.count(of: "event WHERE spots = 4 AND taken = 4") == 1)
            #expect(try state(invited, site) == .offered)
            // And so does an answer that never comes.
            let later = now + .days(3)
            try await site.write(at: later) { tx in _ = try Registration.tidyWaiting(in: tx) }
            #expect(try site.count(of: "event WHERE spots = 3 AND taken = 3") == 1)
        }
    }
}
