import Database
import Forms
import SMTP
import Testing

@testable import App

/// What hosts tell all who come, and what parents ask.
@Suite struct TalkingTests {
    private func deliver(_ site: TestSite, to office: PostOffice) async {
        let client = MailClient(MailServer(url: office.url)!, name: "village.example")
        #expect(await Postman(site: site.site).deliverAll(by: client))
    }

    // MARK: Messages

    @Test func `the same message again, from a page that came back, is one; so is the same question`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            let ben = try await site.signIn(.ben, as: .provider)
            for subject in ["A hat", "A hat", "A coat"] {
                let form = try await ben.visit("/events/\(event)/announcements")
                _ = try await form.press("Preview", filling: ["subject": .text(subject), "body": "Bring it."])
                    .press("Send it")
            }
            #expect(try site.count(of: "announcement") == 2)
            let cleo = try await site.signIn(.cleo, as: .parent)
            for text in ["Is there a swing?", "Is there a swing?", "Is there a slide?"] {
                _ = try await cleo.visit("/events/\(event)").press("Ask", filling: ["text": .text(text)])
            }
            #expect(try site.count(of: "question") == 2)
        }
    }

    @Test func `a host writes to all who come, sees it first, and how many opened it`() async throws {
        let office = try PostOffice()
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.spots = 2 }
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/events/\(event)/announcements").text.contains("Nobody to tell"))
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            try await site.register([try await site.child("Vy", of: .cleo)], of: .cleo, at: event)
            let kid = try await site.child("Kid", of: .family(1))
            let patient = try await site.signIn(.family(1), as: .parent)
            _ = try await patient.visit("/events/\(event)").press(
                "Join the waiting list", filling: ["child": ["\(kid)"]])
            try await site.execute("UPDATE account SET confirmed_at = 1")
            try await site.execute("DELETE FROM letter")
            let body = "Bring <b>a hat</b>.\n\nThe way: https://maps.example.org/?a=1&b=2."
            let preview = try await ben.visit("/events/\(event)").follow("Write to all who come")
                .press("Preview", filling: ["subject": "Mo & the sun", "body": .text(body)])
            #expect(preview.text.contains("2 families will be told.") && preview.text.contains("Nothing is sent yet."))
            #expect(try site.count(of: "announcement") == 0)
            var sent = try await preview.press("Send it")
            #expect(sent.text.contains("Opened by 0 of 2 families."))
            #expect(try site.count(of: "notice WHERE kind = 'announced'") == 2)
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await ana.visit("/inbox").text.contains("Mo & the sun"))
            let read = try await ana.visit("/inbox").follow("Unread: A message about Kite day, March 27")
            #expect(read.text.contains("Mo & the sun") && read.text.contains("Bring <b>a hat</b>."))
            #expect(read.string.contains("href=\"https://maps.example.org/?a=1&amp;b=2\""))
            #expect(!read.text.contains("Opened by"))
            sent = try await ben.visit(sent.path)
            #expect(sent.text.contains("Opened by 1 of 2 families."))
            await deliver(site, to: office)
            let letters = try office.letters
            // What the host chose as a subject may hold a name, so it is none of the letter's.
            #expect(letters.count == 2 && letters.allSatisfy { $0.subject == "A message about Kite day, March 27" })
            #expect(letters[0].html.contains("&lt;b&gt;a hat") && letters[0].text.contains("Bring <b>a hat</b>."))
            #expect(letters[0].html.contains("href=\"https://maps.example.org/?a=1&amp;b=2\""))
            // It is nobody else's.
            #expect(try await patient.visit("/events/\(event)/announcements").status == 404)
            let cleo = try await site.signIn(.cleo, as: .provider)
            #expect(try await cleo.visit("/events/\(event)/announcements").status == 200)
            // It stands on the page of the event for those who were told, and for nobody else.
            let messages = "Messages about this event"
            let parent = try await site.signIn(.cleo, as: .parent)
            #expect(try await parent.visit("/events/\(event)").link(messages) == "/events/\(event)/announcements")
            #expect(try await patient.visit("/events/\(event)").link(messages) == nil)
            let token = try await cleo.visit("/help").value(of: "csrf")!
            let foreign = [
                (name: "csrf", value: token), (name: "subject", value: "Hello"), (name: "body", value: "Hello all"),
                (name: "step", value: "publish"),
            ]
            #expect(try await cleo.submit("/events/\(event)/announcements", foreign).status == 404)
            // Waiting families are told where the host says so.
            let more = try await ben.visit("/events/\(event)/announcements").press(
                "Preview", filling: ["subject": "Maybe", "body": "More places soon.", "waiting": true])
            #expect(more.text.contains("3 families will be told."))
            _ = try await more.press("Send it")
            #expect(try await patient.visit("/events/\(event)/announcements").text.contains("More places soon."))
        }
    }

    @Test func `the same message is sent once, and three within a day are enough`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            let ben = try await site.signIn(.ben, as: .provider)
            func preview(_ subject: Filling) async throws -> Page {
                try await ben.visit("/events/\(event)/announcements").press(
                    "Preview", filling: ["subject": subject, "body": "Something to know."])
            }
            let first = try await preview("One more")
            // The second press leads to what was sent, and says so.
            for answer in ["Sent. Everybody finds it in the inbox.", "You already sent this. It went out once."] {
                let page = try await first.press("Send it")
                #expect(page.flash == answer && page.text.contains("One more"))
            }
            // So do the same words in a form that a browser filled again.
            #expect(
                try await preview("One more").press("Send it").flash == "You already sent this. It went out once.")
            #expect(try site.count(of: "announcement") == 1)
            for subject in ["Two more", "Three more"] { _ = try await preview(.text(subject)).press("Send it") }
            let fourth = try await preview("Four more").press("Send it")
            #expect(fourth.status == 422 && fourth.text.contains("3 messages within a day are enough."))
            #expect(fourth.value(of: "subject") == "Four more")
            #expect(try site.count(of: "notice WHERE kind = 'announced'") == 3)
            site.clock.advance(by: .hours(25))
            _ = try await preview("Four more").press("Send it")
            #expect(try site.count(of: "announcement") == 4)
        }
    }

    // MARK: Questions

    @Test func `a parent asks, the host answers, and everybody reads it without a name`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            let ana = try await site.signIn(.ana, as: .parent)
            let cleo = try await site.signIn(.cleo, as: .parent)
            var page = try await ana.visit("/events/\(event)").press(
                "Ask", filling: ["text": "Is there a swing?\nOr a slide?"])
            #expect(page.text.contains("Is there a swing?") && page.text.contains("Not answered yet"))
            #expect(try await !cleo.visit("/events/\(event)").text.contains("Is there a swing?"))
            let form = try await ben.visit("/inbox").follow("Unread: A question about Kite day, March 27")
            #expect(form.text.contains("Is there a swing?") && !form.text.contains("Ana"))
            page = try await form.follow("Answer: Is there a swing? Or a slide?")
            page = try await page.press("Answer", filling: ["text": "Both, see https://swing.example.org"])
            #expect(page.text.contains("Both, see"))
            for browser in [cleo, site.browser()] {
                let seen = try await browser.visit("/events/\(event)")
                #expect(seen.text.contains("Is there a swing?") && seen.text.contains("Both, see"))
                #expect(!seen.text.contains("Ana") && seen.string.contains("href=\"https://swing.example.org\""))
            }
            let told = try await ana.visit("/inbox").follow(
                "Unread: An answer to your question about Kite day, March 27")
            #expect(told.path.hasPrefix("/events/\(event)"))
            // Others neither answer nor close.
            let stranger = try await site.signIn(.family(1), as: .provider)
            _ = try await site.provider(of: .family(1))
            let token = try await stranger.visit("/help").value(of: "csrf")!
            for path in ["/questions/1/answer", "/questions/1/close"] {
                let sent = try await stranger.submit(path, [("csrf", token), ("text", "No swing")])
                #expect(sent.status == 404, "\(path)")
            }
            #expect(try await stranger.visit("/questions/1/answer").status == 404)
            // Staff hide it, with a reason.
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await mira.visit("/admin/questions/1").press("Hide the question", filling: ["reason": "rude"])
            #expect(try await !cleo.visit("/events/\(event)").text.contains("Is there a swing?"))
            #expect(try await ana.visit("/events/\(event)").text.contains("Hidden by the people"))
            #expect(try await mira.visit("/admin/log").text.contains("hid a question about Kite day"))
            _ = try await mira.visit("/admin/questions/1").press("Show it again", filling: ["reason": "fine"])
            #expect(try await cleo.visit("/events/\(event)").text.contains("Is there a swing?"))
        }
    }

    @Test func `a private question stays between two, and no child is named for all`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/events/\(event)").press(
                "Ask", filling: ["text": "Can mo bring a dog?"])
            #expect(page.status == 422 && page.text.contains("Leave out your child’s name"))
            #expect(try site.count(of: "question") == 0)
            page = try await page.press("Ask", filling: ["text": "Can Mo bring a dog?", "private": true])
            #expect(page.text.contains("Private") && page.text.contains("Can Mo bring a dog?"))
            _ = try await ben.visit("/questions/1/answer").press("Answer", filling: ["text": "A small one."])
            #expect(try await ana.visit("/events/\(event)").text.contains("A small one."))
            for browser in [site.browser(), try await site.signIn(.cleo, as: .parent)] {
                #expect(try await !browser.visit("/events/\(event)").text.contains("a dog"))
            }
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await mira.visit("/admin/questions/1").status == 404)
            #expect(try await !mira.visit("/events/\(event)").text.contains("a dog"))
            #expect(try site.count(of: "letter WHERE detail LIKE '%dog%'") == 0)
        }
    }

    @Test func `questions are closed by both sides, and there are not too many of them`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            let ana = try await site.signIn(.ana, as: .parent)
            func ask(_ text: String) async throws -> Page {
                try await ana.visit("/events/\(event)").press("Ask", filling: ["text": .text(text)])
            }
            for number in 1...3 { #expect(try await ask("Question number \(number)?").status == 200) }
            let fourth = try await ask("Question number 4?")
            #expect(fourth.status == 422 && fourth.text.contains("Please wait for the answers."))
            let first = try await ana.visit("/events/\(event)")
            let here = try #require(first.forms.first { $0.action == "/questions/1/close" })
            #expect(here.pairs.contains { $0.name == "next" && $0.value == "/events/\(event)" })
            // On a later page of the questions one stays there.
            let later = "/events/\(event)?after=4"
            let second = try await ana.visit(later)
            let there = try #require(second.forms.first { $0.action == "/questions/1/close" })
            #expect(there.pairs.contains { $0.name == "next" && $0.value == later })
            #expect(try await ana.post("/questions/1/close", there.pairs).path == later)
            #expect(try await ask("Question number 4?").text.contains("Closed without an answer"))
            let own = try await ben.visit("/help").value(of: "csrf")!
            #expect(try await ben.submit("/questions/2/close", [("csrf", own)]).status == 303)
            // What is closed isn't answered.
            #expect(try await ben.visit("/questions/2/answer").text.contains("This question is closed."))
            _ = try await ben.submit("/questions/2/answer", [("csrf", own), ("text", "Too late")])
            #expect(try site.count(of: "question WHERE answer <> ''") == 0)
        }
    }

    // MARK: One letter a day, one row

    @Test func `a host who wants it gets one letter a day, at seven, once`() async throws {
        let office = try PostOffice()
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            try await site.execute("UPDATE account SET confirmed_at = 1")
            _ = try await ben.visit("/me/notices").press(
                "Save",
                filling: ["on": ["booked.inbox", "booked.mail", "booked.daily", "published.inbox", "asked.inbox"]])
            for number in 1...3 {
                let child = try await site.child("Lu", of: .family(number))
                let account = try await site.account(of: .family(number))
                try await site.write(at: site.clock.now) { tx in
                    _ = try Registration.register(
                        [child], of: account, at: event, sharesNotes: false, once: "once-\(number)", in: tx)
                }
            }
            try await site.execute("DELETE FROM letter WHERE kind <> 'booked'")
            #expect(try site.count(of: "letter") == 0 && site.count(of: "digest WHERE count = 3") == 1)
            // It is three in the morning.
            site.clock.advance(by: .hours(4) - .minutes(1))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try site.count(of: "letter") == 0)
            site.clock.advance(by: .minutes(1))
            for _ in 0..<3 { await Housekeeping(site: site.site).tidyUp(at: site.clock.now) }
            #expect(try site.count(of: "letter") == 1 && site.count(of: "digest") == 0)
            await deliver(site, to: office)
            let letter = try #require(try office.letters.first)
            #expect(letter.subject == "3 new registrations" && letter.text.contains("3 of 20 places taken"))
            #expect(letter["List-Unsubscribe"]?.contains("-booked") == true)
        }
    }

    @Test(arguments: [
        ("America/Los_Angeles", "2027-03-13T20:00-08:00", "2027-03-14T07:00-07:00"),
        ("America/Los_Angeles", "2027-11-07T00:30-07:00", "2027-11-07T07:00-08:00"),
        ("Australia/Sydney", "2027-10-02T07:00+10:00", "2027-10-03T07:00+11:00"),
    ])
    func `the daily letter comes at seven on the clock there`(zone: String, now: String, due: String) throws {
        let zone = try #require(Zone(identifier: zone))
        let now = try #require(Instant(timestamp: now))
        #expect(Digest.due(after: now, in: zone) == Instant(timestamp: due))
    }

    @Test func `several notices of one kind about one event are one row, and are read as one`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            let ben = try await site.signIn(.ben, as: .provider)
            let ana = try await site.signIn(.ana, as: .parent)
            for time in ["11:00", "11:30"] {
                site.clock.advance(by: .minutes(1))
                _ = try await ben.visit("/events/\(event)/edit").press(
                    "Preview", filling: ["start_time": .text(time)]
                ).press("Publish the change")
            }
            let inbox = try await ana.visit("/inbox")
            let told = inbox.html.all(ofClass: "told")
            #expect(told.count == 1 && told.first?.text.contains("2 times") == true)
            // From the first to the last.
            #expect(told.first?.all("del").first?.text.contains("10 AM") == true)
            #expect(told.first?.all("ins").first?.text.contains("11:30 AM") == true)
            _ = try await inbox.follow("Unread: Kite day, March 27 has changed")
            #expect(try site.count(of: "notice WHERE kind = 'changed' AND read_at IS NULL") == 0)
            #expect(try site.count(of: "change_seen WHERE at IS NULL") == 0)
            #expect(
                try site.count(
                    of: """
                        account WHERE unread <> (SELECT count(*) FROM notice
                            WHERE notice.account_id = account.id AND read_at IS NULL)
                        """) == 0)
        }
    }
}
