import Database
import Forms
import SMTP
import Testing

@testable import App

/// Waiting for a place: who is asked, for how long, and what happens then.
@Suite struct WaitingTests {
    /// An event with these places, all taken by Cleo's children.
    private func full(_ site: TestSite, spots: Int = 1) async throws -> (event: ID<Event>, party: ID<Registration>) {
        let event = try await site.publish(by: .ben) { $0.spots = spots }
        var children: [ID<Child>] = []
        for number in 0..<spots { children.append(try await site.child("Cleo \(number)", of: .cleo)) }
        return (event, try await site.register(children, of: .cleo, at: event))
    }

    private func giveBack(_ party: ID<Registration>, of person: Person, _ site: TestSite) async throws {
        let account = try await site.account(of: person)
        let now = site.clock.now
        try await site.write(at: now) { tx in try Registration.giveBack(party, children: [], of: account, in: tx) }
    }

    @Test func `a family joins the list, is asked when a place is given back, and takes it`() async throws {
        try await withTestSite { site in
            let (event, party) = try await full(site)
            let mo = try await site.child("Mo", of: .ana)
            let zoe = try await site.child("Zoe", of: .family(7))
            let ana = try await site.signIn(.ana, as: .parent)
            let other = try await site.signIn(.family(7), as: .parent)
            var page = try await ana.visit("/events/\(event)")
            #expect(!page.buttons.contains("Register"))
            page = try await page.press("Join the waiting list", filling: ["child": ["\(mo)"]])
            #expect(page.heading == "You are on the waiting list" && page.text.contains("You are next"))
            page = try await other.visit("/events/\(event)")
            #expect(page.text.contains("1 family waits already."))
            page = try await page.press("Join the waiting list", filling: ["child": ["\(zoe)"]])
            #expect(page.text.contains("Number 2 in line"))
            page = try await ana.visit("/events/\(event)")
            #expect(page.text.contains("Mo is on the waiting list") && !page.buttons.contains("Join the waiting list"))
            #expect(try await ana.visit("/me/registrations?list=waiting").text.contains("On the waiting list"))
            #expect(try await !ana.visit("/week").text.contains("Kite day"))

            try await giveBack(party, of: .cleo, site)
            // What is promised is nobody else's.
            #expect(try await site.browser().visit("/events/\(event)").text.contains("The only place is taken"))
            #expect(try await ana.visit("/inbox").text.contains("A place is free for you: Kite day"))
            #expect(try site.count(of: "letter WHERE kind = 'offered'") == 1)
            page = try await ana.visit("/")
            #expect(page.text.contains("A place is free for you") && page.text.contains("yours until Sun, Mar 21"))
            page = try await page.follow("Answer: Kite day")
            #expect(page.heading == "A place is free for you" && page.text.contains("1 place"))
            page = try await page.press("Take the place")
            #expect(page.text.contains("Mo has a place"))
            // Both sides are told, and nothing is asked anymore.
            #expect(try site.count(of: "notice WHERE kind = 'registered'") == 1)
            #expect(try site.count(of: "notice WHERE kind = 'booked'") == 1)
            #expect(try site.count(of: "notice WHERE kind = 'offered' AND read_at IS NULL") == 0)
            #expect(
                try site.count(
                    of: """
                        account WHERE unread <> (SELECT count(*) FROM notice
                            WHERE notice.account_id = account.id AND read_at IS NULL)
                        """) == 0)
            #expect(try await ana.visit("/week").text.contains("Kite day"))
            let roster = try await site.signIn(.ben, as: .provider).visit("/events/\(event)/registrations")
            #expect(roster.text.contains("1 of 1 place taken") && roster.text.contains("Mo"))
            page = try await other.visit("/me/registrations?list=waiting").follow("Kite day")
            #expect(page.text.contains("You are next"))
            page = try await ana.visit("/week?from=2027-03-27").follow("Open Kite day")
            // Pressed twice it stays taken, and is said to nobody as too late.
            let id = try #require(page.path.split(separator: "/").last)
            let csrf = try #require(page.value(of: "csrf"))
            page = try await ana.submit("/registrations/\(id)/accept", [("csrf", csrf)])
            #expect(page.status == 303 && !(page["Set-Cookie"] ?? "").contains("flash"))
            #expect(try site.count(of: "registration WHERE state = 'confirmed'") == 1)
        }
    }

    @Test func `no and no answer both pass the place on`() async throws {
        try await withTestSite { site in
            let (event, party) = try await full(site)
            var pages: [Page] = []
            for number in 1...3 {
                let child = try await site.child("Kid \(number)", of: .family(number))
                let browser = try await site.signIn(.family(number), as: .parent)
                pages.append(
                    try await browser.visit("/events/\(event)").press(
                        "Join the waiting list", filling: ["child": ["\(child)"]]))
            }
            try await giveBack(party, of: .cleo, site)
            var first = try await pages[0].browser.visit(pages[0].path)
            first = try await first.press("No, thank you")
            #expect(first.heading == "You no longer wait for a place")
            let second = try await pages[1].browser.visit(pages[1].path)
            #expect(second.heading == "A place is free for you")
            site.clock.advance(by: .hours(24) - .minutes(1))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try await pages[1].browser.visit(pages[1].path).heading == "A place is free for you")
            site.clock.advance(by: .minutes(1))
            // Before the clock has passed it on, too late is too late.
            let late = try await second.press("Take the place")
            #expect(late.text.contains("The time for an answer is over"))
            for _ in 0..<2 { await Housekeeping(site: site.site).tidyUp(at: site.clock.now) }
            #expect(try await pages[1].browser.visit(pages[1].path).heading == "You no longer wait for a place")
            #expect(
                try await pages[1].browser.visit("/inbox").text.contains("Your offer for Kite day, March 27 ran out"))
            let third = try await pages[2].browser.visit(pages[2].path)
            #expect(third.heading == "A place is free for you")
            #expect(try await third.press("Take the place").text.contains("Kid 3 has a place"))
            #expect(try site.count(of: "event WHERE taken = 1") == 1)
        }
    }

    @Test func `an offer that ran out is over at once, wherever it is shown`() async throws {
        try await withTestSite { site in
            let (event, party) = try await full(site)
            let (mo, zoe) = (try await site.child("Mo", of: .ana), try await site.child("Zoe", of: .family(7)))
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/events/\(event)").press("Join the waiting list", filling: ["child": ["\(mo)"]])
            try await giveBack(party, of: .cleo, site)
            #expect(try await ana.visit("/events/\(event)").text.contains("A place is free"))
            #expect(try await site.browser().visit("/events/\(event)").text.contains("The only place is taken"))
            site.clock.advance(by: .hours(24))
            // The clock hasn't passed it on, and nobody waits: the place is free for everybody.
            #expect(try site.count(of: "event WHERE taken = 1") == 1)
            #expect(try await !site.browser().visit("/events/\(event)").text.contains("The only place is taken"))
            let again = try await ana.visit("/events/\(event)")
            #expect(again.buttons.contains("Register") && !again.text.contains("Mo is on the waiting list"))
            let other = try await site.signIn(.family(7), as: .parent)
            let page = try await other.visit("/events/\(event)").press("Register", filling: ["child": .text("\(zoe)")])
            #expect(page.path.hasPrefix("/registrations/"))
            #expect(try site.count(of: "event WHERE taken = 1") == 1)
            #expect(try site.count(of: "registration WHERE state = 'confirmed'") == 1)
            #expect(try await ana.visit("/inbox").text.contains("Your offer for Kite day, March 27 ran out"))
        }
    }

    @Test func `the letter of an offer answers it without a log-in, and without a name`() async throws {
        let office = try PostOffice()
        try await withTestSite { site in
            let (event, party) = try await full(site)
            for (number, name) in [(1, "Lulu"), (2, "Zaza")] {
                let child = try await site.child(name, of: .family(number))
                _ = try await site.signIn(.family(number), as: .parent).visit("/events/\(event)").press(
                    "Join the waiting list", filling: ["child": ["\(child)"]])
            }
            let client = MailClient(MailServer(url: office.url)!, name: "village.example")
            func link(_ number: Int) async throws -> String {
                #expect(await Postman(site: site.site).deliverAll(by: client))
                let letters = try office.letters.filter { $0.subject == "A place is free: Kite day, March 27" }
                let link = letters[number].text.firstMatch(of: /http:\/\/localhost:8080(\/offers\/\S+)/)
                return String(try #require(link).1)
            }
            try await giveBack(party, of: .cleo, site)
            let first = try await link(0)
            var page = try await site.browser().visit(first)
            #expect(page.heading == "A place is free for you" && page["Referrer-Policy"] == "same-origin")
            #expect(!page.string.contains("Lulu") && !page.string.contains("Number 1"))
            #expect(try site.count(of: "registration WHERE state = 'offered'") == 1)
            page = try await page.press("No, thank you")
            #expect(page.heading == "Thank you for saying so")
            // The next family was asked at once: there is nothing to take back.
            #expect(page.text.contains("The next family has it now."))
            #expect(!page.buttons.contains("I want it after all"))
            let second = try await link(1)
            page = try await site.browser().visit(second).press("Take the place")
            #expect(page.heading == "The place is yours")
            #expect(try await site.browser().visit(second).heading == "The place is yours")
            #expect(try site.count(of: "event WHERE taken = 1") == 1)
            // The first link opens nothing anymore; a changed one never did.
            site.clock.advance(by: .minutes(11))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try await site.browser().visit(first).heading == "The place went to the next family")
            for wrong in [
                first + "A", "/offers/offer-1.x", first.replacing("/offers/offer-", with: "/give-back/back-"),
            ] {
                #expect(try await site.browser().visit(wrong).status == 404)
            }
            // Staff who read a letter get no link that answers for others.
            let mira = try await site.signIn(.mira, isStaff: true)
            for number in try site.read({ db in
                try db.all("SELECT id FROM letter WHERE kind = 'offered' LIMIT 9") { try $0.next() as Int64 }
            }) {
                #expect(try await !mira.visit("/admin/mail/\(number)").string.contains("/offers/"))
            }
        }
    }

    @Test func `no is taken back while the place is free`() async throws {
        try await withTestSite { site in
            let (event, party) = try await full(site)
            let mo = try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/events/\(event)").press(
                "Join the waiting list", filling: ["child": ["\(mo)"]])
            try await giveBack(party, of: .cleo, site)
            page = try await ana.visit(page.path).press("No, thank you")
            #expect(page.text.contains("You said no to the place at “Kite day”."))
            #expect(try site.count(of: "event WHERE taken = 0") == 1)
            page = try await page.press("Undo: Kite day")
            #expect(page.heading == "A place is free for you")
            #expect(try site.count(of: "event WHERE taken = 1") == 1)
            page = try await page.press("No, thank you")
            try await site.register([try await site.child("Vy", of: .family(1))], of: .family(1), at: event)
            page = try await page.press("Undo: Kite day")
            #expect(page.heading == "It can’t be taken back")
            #expect(try site.count(of: "event WHERE taken = 1") == 1)
        }
    }

    @Test func `how long an offer lasts is a setting`() async throws {
        try await withTestSite { site in
            let (event, party) = try await full(site)
            try await site.write { db in try Offer.use(hours: 3, in: db) }
            let mo = try await site.child("Mo", of: .ana)
            _ = try await site.signIn(.ana, as: .parent).visit("/events/\(event)").press(
                "Join the waiting list", filling: ["child": ["\(mo)"]])
            try await giveBack(party, of: .cleo, site)
            let end = site.clock.now + .hours(3)
            #expect(try site.count(of: "registration WHERE offer_ends_at = \(end)") == 1)
            #expect(try site.count(of: "letter WHERE kind = 'offered' AND ends_at = \(end)") == 1)
        }
    }

    @Test func `a party waits for all of its places, or takes as many as there are`() async throws {
        try await withTestSite { site in
            let (event, party) = try await full(site, spots: 2)
            let ana = try await site.signIn(.ana, as: .parent)
            let dan = try await site.signIn(.family(2), as: .parent)
            let (mo, lu) = (try await site.child("Mo", of: .ana), try await site.child("Lu", of: .ana))
            let (kim, pat) = (try await site.child("Kim", of: .family(2)), try await site.child("Pat", of: .family(2)))
            let whole = try await ana.visit("/events/\(event)").press(
                "Join the waiting list", filling: ["child": ["\(mo)", "\(lu)"], "as": "whole"])
            let fits = try await dan.visit("/events/\(event)").press(
                "Join the waiting list", filling: ["child": ["\(kim)", "\(pat)"], "as": "fits"])
            #expect(whole.text.contains("You are waiting for places for all of you together."))
            #expect(fits.text.contains("You take fewer places than children, too."))
            let cleo = try await site.account(of: .cleo)
            let now = site.clock.now
            let one: ID<Child>? = try site.read { db in
                try db.value("SELECT child_id FROM registration_person ORDER BY id LIMIT 1")
            }
            try await site.write(at: now) { tx in try Registration.giveBack(party, children: [one!], of: cleo, in: tx) }
            // One place does nothing for a party of two that stays together.
            #expect(try await ana.visit(whole.path).heading == "You are on the waiting list")
            var page = try await dan.visit(fits.path)
            #expect(page.text.contains("Who takes the place? The others keep their turn."))
            page = try await page.press("Take the place")
            #expect(page.status == 422 && page.text.contains("Choose who comes, no more than there are places."))
            page = try await page.press("Take the place", filling: ["child": ["\(kim)", "\(pat)"]])
            #expect(page.status == 422)
            page = try await page.press("Take the place", filling: ["child": ["\(pat)"]])
            #expect(page.text.contains("Pat has a place") && !page.text.contains("Kim"))
            page = try await dan.visit("/events/\(event)")
            #expect(page.text.contains("Pat is registered") && page.text.contains("Kim is on the waiting list"))
            // The one left keeps its turn, behind the party that came first.
            #expect(try await page.follow("See where you stand").text.contains("Number 2 in line"))
        }
    }

    @Test func `who takes whoever fits gets the places there are, and the others wait`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.spots = 1 }
            let (mo, lu) = (try await site.child("Mo", of: .ana), try await site.child("Lu", of: .ana))
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/events/\(event)")
            #expect(page.text.contains("If there aren’t places for all of them"))
            // All together: nobody, and it is said how to go on.
            page = try await page.press("Register", filling: ["child": ["\(mo)", "\(lu)"]])
            #expect(page.status == 422 && page.problems.contains { $0.contains("only 1 place left") })
            #expect(try site.count(of: "registration") == 0)
            page = try await page.press("Register", filling: ["child": ["\(mo)", "\(lu)"], "as": "fits"])
            #expect(page.heading == congratulations && page.text.contains("Mo has a place"))
            page = try await ana.visit("/events/\(event)")
            #expect(page.text.contains("Lu is on the waiting list"))
            #expect(try site.count(of: "event WHERE taken = 1") == 1)
        }
    }

    private let congratulations = "Congratulations! You are registered for the event."

    @Test func `more places are offered at once, and fewer than taken and promised are refused`() async throws {
        try await withTestSite { site in
            let (event, _) = try await full(site)
            let child = try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let waiting = try await ana.visit("/events/\(event)").press(
                "Join the waiting list", filling: ["child": ["\(child)"]])
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/events/\(event)").text.contains("1 family waits"))
            var page = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["spots": "2"])
            page = try await page.press("Publish the change")
            #expect(try await ana.visit(waiting.path).heading == "A place is free for you")
            page = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["spots": "1"])
            #expect(page.status == 422)
            _ = try await ana.visit(waiting.path).press("No, thank you")
            page = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["spots": "1"])
            #expect(page.status == 200)
        }
    }

    @Test func `a family that waited until the event began is told that no place became free, by no letter`()
        async throws
    {
        try await withTestSite { site in
            let (event, _) = try await full(site)
            let mo = try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/events/\(event)").press("Join the waiting list", filling: ["child": ["\(mo)"]])
            site.clock.advance(by: .days(8))
            let now = site.clock.now
            for _ in 0..<2 { try await site.write(at: now) { tx in _ = try Registration.tidyWaiting(in: tx) } }
            #expect(try await ana.visit("/inbox").text.contains("No place became free: Kite day"))
            #expect(try site.count(of: "notice WHERE kind = 'lapsed'") == 1)
            #expect(try site.count(of: "letter WHERE kind = 'lapsed'") == 0)
        }
    }

    @Test func `who waits for what is cancelled is let go, and nothing is promised anymore`() async throws {
        try await withTestSite { site in
            let (event, party) = try await full(site, spots: 2)
            for number in 1...3 {
                let child = try await site.child("Kid", of: .family(number))
                _ = try await site.signIn(.family(number), as: .parent).visit("/events/\(event)").press(
                    "Join the waiting list", filling: ["child": ["\(child)"]])
            }
            try await giveBack(party, of: .cleo, site)
            #expect(try site.count(of: "registration WHERE state = 'offered'") == 2)
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(event)/cancel").press("Cancel the event", filling: ["reason": "Rain."])
            #expect(try site.count(of: "registration WHERE state <> 'cancelled'") == 0)
            #expect(try site.count(of: "event WHERE taken = 0") == 1)
            let first = try await site.signIn(.family(1), as: .parent)
            let inbox = try await first.visit("/inbox").text
            #expect(inbox.contains("Canceled: Kite day") && inbox.contains("Rain."))
        }
    }

    @Test func `the provider invites out of turn, and more places than there are become some`() async throws {
        try await withTestSite { site in
            let (event, _) = try await full(site)
            var browsers: [Browser] = []
            for number in 1...2 {
                let child = try await site.child("Kid \(number)", of: .family(number))
                let browser = try await site.signIn(.family(number), as: .parent)
                _ = try await browser.visit("/events/\(event)").press(
                    "Join the waiting list", filling: ["child": ["\(child)"]])
                browsers.append(browser)
            }
            let ben = try await site.signIn(.ben, as: .provider)
            var page = try await ben.visit("/events/\(event)/waiting")
            // The waiting list names no child, and stands among one's own pages, as the list of who comes does.
            #expect(!page.text.contains("Kid") && page.text.contains("inviting them makes it 2 places."))
            let tabs = page.html.all("a").filter { $0["aria-current"] == "page" }.map { $0["href"] }
            #expect(Set(tabs) == ["/me"])
            let second = try site.read { db in
                try db.value("SELECT max(id) FROM registration WHERE state = 'waiting'") as Int?
            }!
            page = try await ben.submit(
                "/events/\(event)/waiting", [("csrf", page.value(of: "csrf")!), ("registration", "\(second)")])
            #expect(page.status == 303)
            #expect(try await browsers[1].visit("/registrations/\(second)").heading == "A place is free for you")
            #expect(try site.count(of: "event WHERE spots = 2 AND taken = 2") == 1)
            // It is no longer waiting; a number of elsewhere is nobody's.
            let csrf = try await ben.visit("/help").value(of: "csrf")!
            for (wrong, status) in [("\(second)", 303), ("999", 404), ("x", 400)] {
                let again = try await ben.submit(
                    "/events/\(event)/waiting", [("csrf", csrf), ("registration", wrong)])
                #expect(again.status == status, "\(wrong): \(again.status)")
            }
        }
    }

    @Test func `who needs more places than there are in all is told so, and stands in nobody's way`() async throws {
        try await withTestSite { site in
            let (event, _) = try await full(site, spots: 2)
            let kids = [try await site.child("Mo", of: .ana), try await site.child("Lu", of: .ana)]
            let zoe = try await site.child("Zoe", of: .family(7))
            let ana = try await site.signIn(.ana, as: .parent)
            let other = try await site.signIn(.family(7), as: .parent)
            let first = try await ana.visit("/events/\(event)").press(
                "Join the waiting list", filling: ["child": .texts(kids.map { "\($0)" })])
            let second = try await other.visit("/events/\(event)").press(
                "Join the waiting list", filling: ["child": ["\(zoe)"]])
            #expect(first.text.contains("You are next") && second.text.contains("Number 2 in line"))
            try await site.execute("UPDATE event SET spots = 1, taken = 1")
            let waits = try await ana.visit(first.path)
            #expect(waits.text.contains("There is only 1 place in all now") && !waits.text.contains("You are next"))
            #expect(try await other.visit(second.path).text.contains("You are next"))
            // Taking one child off the list keeps the turn.
            let fewer = try await waits.press("Take off the list: Lu")
            #expect(fewer.text.contains("You are next") && fewer.text.contains("no longer waits"))
            #expect(try await other.visit(second.path).text.contains("Number 2 in line"))
        }
    }

    @Test func `a page about the waiting list gives no place back that came meanwhile`() async throws {
        try await withTestSite { site in
            let (event, _) = try await full(site, spots: 2)
            let kids = [try await site.child("Mo", of: .ana), try await site.child("Lu", of: .ana)]
            let ana = try await site.signIn(.ana, as: .parent)
            let waits = try await ana.visit("/events/\(event)").press(
                "Join the waiting list", filling: ["child": .texts(kids.map { "\($0)" })])
            try await site.execute("UPDATE registration SET state = 'confirmed' WHERE state = 'waiting'")
            let late = try await waits.press("Take off the list: Lu")
            #expect(late.flash == "That changed meanwhile, so nothing was done. This is how it is now.")
            #expect(try site.count(of: "registration_person WHERE cancelled_at IS NOT NULL") == 0)
            _ = try await late.press("Give this place back: Lu")
            #expect(try site.count(of: "registration_person WHERE cancelled_at IS NOT NULL") == 1)
        }
    }

    @Test func `an offer waits while staff hide its event, and is made again in its turn`() async throws {
        try await withTestSite { site in
            let (event, party) = try await full(site)
            let mo = try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/events/\(event)").press(
                "Join the waiting list", filling: ["child": ["\(mo)"]])
            try await giveBack(party, of: .cleo, site)
            #expect(try site.count(of: "registration WHERE state = 'offered'") == 1)
            try await site.execute("UPDATE event SET hidden_at = 1, listed = FALSE")
            try await site.write(at: site.clock.now) { tx in _ = try Registration.tidyWaiting(in: tx) }
            #expect(try site.count(of: "registration WHERE state = 'waiting' AND offered = 0") == 1)
            #expect(try site.count(of: "event WHERE taken = 0") == 1)
            #expect(try site.count(of: "notice WHERE kind = 'offered' AND read_at IS NULL") == 0)
            // A day later it is shown again: they have their day for an answer from then on.
            site.clock.advance(by: .hours(30))
            let later = site.clock.now
            try await site.write(at: later) { tx in _ = try Registration.tidyWaiting(in: tx) }
            #expect(try site.count(of: "notice WHERE kind = 'lapsed'") == 0)
            try await site.execute("UPDATE event SET hidden_at = NULL, listed = TRUE")
            try await site.write(at: later) { tx in _ = try Registration.tidyWaiting(in: tx) }
            #expect(try await ana.visit(page.path).press("Take the place").text.contains("Mo has a place"))
        }
    }

    @Test func `in the minute before places are offered no newcomer overtakes who waits`() async throws {
        try await withTestSite { site in
            let (event, party) = try await full(site)
            let mo = try await site.child("Mo", of: .ana)
            let zoe = try await site.child("Zoe", of: .family(7))
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/events/\(event)").press(
                "Join the waiting list", filling: ["child": ["\(mo)"]])
            // Free in a way that offers it within the minute, as after staff hid it for a while.
            try await site.execute("UPDATE event SET taken = 0")
            try await site.execute("UPDATE registration SET state = 'cancelled' WHERE id = \(party)")
            let other = try await site.signIn(.family(7), as: .parent)
            let late = try await other.visit("/events/\(event)").press("Register", filling: ["child": ["\(zoe)"]])
            #expect(late.status == 422)
            #expect(try site.count(of: "registration WHERE state = 'confirmed'") == 0)
        }
    }

    @Test func `before a change and a cancellation its host reads who has places and who waits`() async throws {
        try await withTestSite { site in
            let (event, _) = try await full(site)
            for number in 1...2 {
                let child = try await site.child("Kid", of: .family(number))
                _ = try await site.signIn(.family(number), as: .parent).visit("/events/\(event)").press(
                    "Join the waiting list", filling: ["child": ["\(child)"]])
            }
            let ben = try await site.signIn(.ben, as: .provider)
            let change = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["city": "Oakland"])
            #expect(change.text.contains("1 family is registered. 2 families wait. They will be told"))
            let cancel = try await ben.visit("/events/\(event)/cancel")
            #expect(cancel.text.contains("1 family is registered. 2 families wait. They are told at once."))
            let roster = try await ben.visit("/events/\(event)/registrations")
            let list = try await roster.follow("2 families wait for a place, or were offered one")
            #expect(list.heading == "Waiting list")
        }
    }

    @Test func `a long waiting list goes on, each party once`() async throws {
        try await withTestSite { site in
            let (event, _) = try await full(site)
            let account = try await site.account(of: .ana)
            try await site.family(of: .ana)
            let now = site.clock.now
            try await site.write { db in
                for number in 1...(WaitingList.pageSize + 2) {
                    try db.execute(
                        """
                        INSERT INTO registration (event_id, account_id, state, fits, turn, once, created_at, updated_at)
                        VALUES (\(event), \(account), 'waiting', TRUE, \(number / 2), \("once-\(number)"), \(now),
                            \(now))
                        """)
                }
            }
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/\(event)/waiting")
            let next = try await page.follow("Show more")
            func parties(_ page: Page) -> [String] {
                page.html.all("button").filter { $0["name"] == "registration" }.compactMap { $0["value"] }
            }
            #expect(parties(page).count == WaitingList.pageSize && parties(next).count == 2)
            #expect(Set(parties(page) + parties(next)).count == WaitingList.pageSize + 2)
        }
    }

    @Test func `another family's turn is nobody else's to take or give up`() async throws {
        try await withTestSite { site in
            let (event, party) = try await full(site)
            let child = try await site.child("Mo", of: .ana)
            let mine = try await site.signIn(.ana, as: .parent).visit("/events/\(event)").press(
                "Join the waiting list", filling: ["child": ["\(child)"]])
            try await giveBack(party, of: .cleo, site)
            try await site.family(of: .family(5))
            let stranger = try await site.signIn(.family(5), as: .parent)
            let csrf = try await stranger.visit("/me/family").value(of: "csrf")!
            for act in ["accept", "decline", "cancel"] {
                #expect(try await stranger.submit("\(mine.path)/\(act)", [("csrf", csrf)]).status == 404)
            }
            let other = try await site.signIn(.cleo, as: .provider)
            #expect(try await other.visit("/events/\(event)/waiting").status == 404)
            #expect(try site.count(of: "registration WHERE state = 'offered'") == 1)
        }
    }

    @Test func `a place that was given back and promised to others can't be taken back, but a turn can`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.spots = 1 }
            let lu = try await site.child("Lu", of: .cleo)
            let mo = try await site.child("Mo", of: .ana)
            let cleo = try await site.signIn(.cleo, as: .parent)
            let ana = try await site.signIn(.ana, as: .parent)
            let had = try await cleo.visit("/events/\(event)").press("Register", filling: ["child": ["\(lu)"]])
            let waits = try await ana.visit("/events/\(event)").press(
                "Join the waiting list", filling: ["child": ["\(mo)"]])
            let given = try await cleo.visit(had.path).press("Give all places back")
            #expect(given.text.contains("Others have it by now.") && !given.buttons.contains("Undo: Lu"))
            let undo = try #require(try site.read { db in try db.value("SELECT max(id) FROM undo") as Int? })
            let late = try await cleo.post("/undo/\(undo)", [("csrf", try #require(given.value(of: "csrf")))])
            #expect(late.text.contains("Someone else has the place now"))
            let left = try await ana.visit(waits.path).press("No, thank you")
            #expect(left.buttons.contains("Undo: Kite day"))
            #expect(try await cleo.visit(had.path).press("Undo: Lu").text.contains("Lu has a place"))
            // A turn can.
            let turn = try await ana.visit("/events/\(event)").press(
                "Join the waiting list", filling: ["child": ["\(mo)"]])
            let gone = try await turn.press("Leave the waiting list")
            #expect(gone.buttons.contains("Undo: Kite day"))
        }
    }

    @Test func `who waits reads no private link, and has nothing in the calendar`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) {
                $0.spots = 1
                $0.onlineURL = "https://meet.example/secret-room"
            }
            let lu = try await site.child("Lu", of: .cleo)
            try await site.register([lu], of: .cleo, at: event)
            let mo = try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let turn = try await ana.visit("/events/\(event)").press(
                "Join the waiting list", filling: ["child": ["\(mo)"]])
            let made = try await ana.visit("/me/calendar").press("Make an address: What my family goes to")
            let address = made.html.first("code")?.text ?? ""
            let path = address.dropFirst("http://localhost:8080".count)
            let seen = [turn.path, "/events/\(event)", "/events/\(event).ics", "/", "/week", "/inbox", String(path)]
            for path in seen {
                let page = try await ana.visit(path)
                #expect(page.status == 200 && !page.string.contains("secret-room"), "\(path)")
            }
            #expect(try await !ana.visit(path).string.contains("BEGIN:VEVENT"))
            // The twin: the family with the place reads it.
            let cleo = try await site.signIn(.cleo, as: .parent)
            #expect(try await cleo.visit("/events/\(event)").string.contains("secret-room"))
        }
    }

    @Test func `a suspended family is asked for nothing, and who only waits isn't ticked in`() async throws {
        try await withTestSite { site in
            let (event, party) = try await full(site)
            var turns: [Page] = []
            for number in 1...2 {
                let child = try await site.child("Kid \(number)", of: .family(number))
                turns.append(
                    try await site.signIn(.family(number), as: .parent).visit("/events/\(event)").press(
                        "Join the waiting list", filling: ["child": ["\(child)"]]))
            }
            let first = try await site.account(of: .family(1))
            let now = site.clock.now
            let waiting: ID<Registration.Person>? = try site.read { db in
                try db.value("SELECT max(id) FROM registration_person")
            }
            await #expect(throws: Refusal.notFound) {
                try await site.write(at: now) { tx in try Roster.mark(waiting!, .here, at: event, in: tx) }
            }
            try await site.execute("UPDATE account SET suspended_at = 1 WHERE id = \(first)")
            try await giveBack(party, of: .cleo, site)
            #expect(try await turns[1].browser.visit(turns[1].path).heading == "A place is free for you")
            // Suspended with an offer, it loses that within the minute.
            let second = try await site.account(of: .family(2))
            try await site.execute("UPDATE account SET suspended_at = NULL WHERE id = \(first)")
            try await site.execute("UPDATE account SET suspended_at = 1 WHERE id = \(second)")
            await Housekeeping(site: site.site).tidyUp(at: now)
            #expect(
                try site.count(of: "registration WHERE state = 'offered' AND account_id = \(first)") == 1)
        }
    }

    @Test func `an answer has a day, half of what is left, or half an hour`() {
        let now = Clock.start
        func time(_ left: Duration) -> Duration { Offer.end(from: now, closing: now + left) - now }
        #expect(time(.days(10)) == .hours(24) && time(.hours(48)) == .hours(24))
        #expect(time(.hours(10)) == .hours(5) && time(.hours(1)) == .minutes(30))
        #expect(time(.minutes(40)) == .minutes(30) && time(.minutes(10)) == .minutes(10))
        #expect(time(.zero) == .zero && time(.zero - .hours(1)) == .zero)
    }

    // MARK: Any order

    /// What must hold whatever happened: children with a place, promised places and walk-ins are those taken, no more
    /// than there are, and no place is free while a party waits that it would do for.
    private static func faults(of event: ID<Event>, in db: Connection) throws -> [String] {
        let (taken, spots, walkIns): (Int, Int, Int) = try db.first(
            "SELECT taken, spots, walk_ins FROM event WHERE id = \(event)",
            { (try $0.next(), try $0.next(), try $0.next()) })!
        let seated: Int =
            try db.value(
                """
                SELECT count(*) FROM registration_person JOIN registration ON registration.id = registration_id
                WHERE registration.event_id = \(event) AND state = 'confirmed'
                    AND registration_person.cancelled_at IS NULL
                """) ?? 0
        let promised: Int = try db.value("SELECT sum(offered) FROM registration WHERE event_id = \(event)") ?? 0
        let smallest: Int? = try db.value(
            """
            SELECT min(CASE WHEN fits THEN 1 ELSE \(Registration.size) END)
            FROM registration WHERE event_id = \(event) AND state = 'waiting'
            """)
        var faults: [String] = []
        if seated + promised + walkIns != taken {
            faults.append("\(seated) + \(promised) + \(walkIns) is not \(taken)")
        }
        if taken > spots { faults.append("\(taken) of \(spots)") }
        if let smallest, smallest <= spots - taken { faults.append("\(spots - taken) free, \(smallest) would do") }
        return faults
    }

    /// Families with one to three children each.
    private func families(_ count: Int, _ site: TestSite) async throws -> [(ID<Account>, [ID<Child>])] {
        try await site.write(at: Clock.start) { tx in
            try (0..<count).map { number in
                let id = try Account.insert(
                    email: "w\(number)@example.org", username: "waits-\(number)", passwordHash: "-", in: tx)
                let form = FamilyForm(firstName: "A", lastName: "B", city: "C", zip: "95112", country: "US")
                try Family.save(form, of: id, in: tx)
                let family = try Family.find(of: id, in: tx)!.id
                for child in 0...number % 3 {
                    let form = ChildForm(nickname: "K\(child)", birthMonth: 1, birthYear: 2021)
                    try Child.insert(form, of: family, in: tx)
                }
                return (id, try Child.all(of: family, in: tx).map(\.id))
            }
        }
    }

    /// What a family does as the dice fall: comes, answers, is invited, goes, gives some places back, or nothing.
    private static func act(
        _ dice: Int, _ account: ID<Account>, _ children: [ID<Child>], some: [ID<Child>],
        manner: Registration.Manner, at event: ID<Event>, once: String, in tx: Transaction
    ) throws {
        let mine: (id: ID<Registration>, state: Registration.State)? = try tx.first(
            "SELECT id, state FROM registration WHERE account_id = \(account) AND state <> 'cancelled'"
        ) { (try $0.next(), try $0.next()) }
        do {
            switch (mine, dice) {
            case (nil, 0...11):
                _ = try Registration.insert(
                    children, of: account, at: event, manner: manner, waits: true, once: once, in: tx)
            case (let party?, 0...3) where party.state == .offered:
                try Registration.accept(party.id, children: some, of: account, in: tx)
            case (let party?, 0...1) where party.state == .waiting:
                if let spots: Int = try tx.value("SELECT spots FROM event WHERE id = \(event)"), spots < 20 {
                    try WaitingList.invite(party.id, to: event, in: tx)
                }
            case (let party?, 4...5): try Registration.leave(party.id, of: account, in: tx)
            case (let party?, 6...8):
                try Registration.giveBack(party.id, children: some, of: account, in: tx)
            default: break
            }
        } catch is Offer.IsOver {
        } catch is Offer.NamesNobody {
        } catch is Event.NoRoom {
        } catch is Registration.ChildrenChanged {}
    }

    @Test func `two hundred families at once leave every count the same: list, page, roster and table`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.spots = 40 }
            let all = try await families(200, site)
            try await withThrowingTaskGroup { group in
                for (index, (account, children)) in all.enumerated() {
                    group.addTask {
                        var random = SeededGenerator(seed: UInt64(index))
                        for round in 0..<8 {
                            let (dice, some) = (random.number(in: 0...11), Array(children.prefix(1)))
                            let now = Clock.start + .minutes(round)
                            try await site.write(at: now) { tx in
                                try Self.act(
                                    dice, account, children, some: some, manner: index % 2 == 0 ? .whole : .fits,
                                    at: event, once: "\(index)-\(round)", in: tx)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let (faults, taken) = try site.read { db in
                (try Self.faults(of: event, in: db), try Event.find(event, in: db)!.taken)
            }
            #expect(faults == [])
            let promised: Int = try site.read { db in
                try db.value("SELECT sum(offered) FROM registration WHERE event_id = \(event)") ?? 0
            }
            let spots: Int = try site.read { db in try db.value("SELECT spots FROM event WHERE id = \(event)")! }
            let ben = try await site.signIn(.ben, as: .provider)
            let table = try await ben.send("GET", "/events/\(event)/registrations?as=csv")
            let rows = String(decoding: table.body, as: UTF8.self).split(separator: "\r\n").dropFirst()
            #expect(rows.count == taken - promised)
            let roster = try await ben.visit("/events/\(event)/registrations")
            #expect(roster.text.contains("\(taken) of \(spots)"), "\(roster.text.prefix(400))")
            let left = spots - taken
            let words = left == 0 ? ["Full", "full"] : [left == 1 ? "1 place left" : "\(left) places left"]
            let list = try await site.browser().visit("/events").text
            #expect(words.contains { list.contains($0) }, "\(words): \(list.prefix(600))")
            let page = try await site.browser().visit("/events/\(event)").text
            let whole = left == 0 ? words : ["\(left) of \(spots) place\(spots == 1 ? "" : "s") left"]
            #expect(whole.contains { page.contains($0) }, "\(whole): \(page.prefix(600))")
        }
    }

    @Test func `in any order of coming, waiting, answering and going each place is somebody's once`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.spots = 12 }
            let all = try await families(200, site)
            var random = SeededGenerator(seed: 12)
            for step in 0..<1500 {
                let (account, children) = all[random.number(in: 0...199)]
                let dice = random.number(in: 0...15)
                let manner: Registration.Manner = random.number(in: 0...1) == 0 ? .whole : .fits
                let some = Array(children.prefix(random.number(in: 1...3)))
                let (walkIns, spots) = (random.number(in: 0...2), random.number(in: 10...14))
                let now = Clock.start + .minutes(step * 5)
                let faults = try await site.write(at: now) { tx in
                    try Self.act(
                        dice, account, children, some: some, manner: manner, at: event, once: "\(step)", in: tx)
                    do {
                        switch dice {
                        case 12: try tx.execute("UPDATE event SET listed = NOT listed WHERE id = \(event)")
                        case 13: try Roster.count(walkIns: walkIns, at: event, in: tx)
                        case 14:
                            var changed = try Event.find(event, in: tx)!
                            changed.admission.spots = max(changed.taken, spots)
                            try Event.update(changed, in: tx)
                        default: break
                        }
                    } catch is Event.NoRoom {}
                    // As each minute does: for what became free in another way than by being given back.
                    if dice >= 12 { try Registration.tidyWaiting(in: tx) }
                    let isListed = try tx.exists("SELECT 1 FROM event WHERE id = \(event) AND listed")
                    return try Self.faults(of: event, in: tx).filter { isListed || !$0.contains("free") }
                }
                guard faults.isEmpty else { return #expect(faults == [], "step \(step), \(dice)") }
            }
            #expect(try site.count(of: "registration WHERE state = 'confirmed'") > 3)
            #expect(try site.count(of: "registration WHERE state = 'waiting'") > 10)
            #expect(try site.count(of: "registration WHERE state = 'cancelled' AND turn IS NOT NULL") > 50)
        }
    }

    @Test func `where promised places aren't counted as taken, others take them too`() async throws {
        try await withTestSite { site in
            let (event, party) = try await full(site)
            let child = try await site.child("Mo", of: .ana)
            let waits = try await site.signIn(.ana, as: .parent).visit("/events/\(event)").press(
                "Join the waiting list", filling: ["child": ["\(child)"]])
            try await giveBack(party, of: .cleo, site)
            try await site.execute("UPDATE event SET taken = 0")
            let dan = try await site.child("Dan", of: .family(3))
            try await site.register([dan], of: .family(3), at: event)
            _ = try await waits.browser.visit(waits.path).press("Take the place")
            // Two have the one place.
            #expect(try site.count(of: "registration WHERE state = 'confirmed'") == 2)
        }
    }
}
