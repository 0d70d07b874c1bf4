import Database
import Testing

@testable import App

/// A neighbor as host: who comes, as far as they choose to be seen; what is said to them, and asked.
@Suite struct HostingTests {
    private let fair: [String: Filling] = [
        "title": "Willow Street fair", "description": "Stalls, music and a long table for everybody.",
        "date": "2027-03-26", "start_time": "10:00", "end_time": "18:00", "address": "180 Park Ave",
        "city": "San Jose", "state": "CA", "zip": "95113",
    ]

    /// Ana's fair, the first event there is; she has neither family nor organization.
    private func announce(_ site: TestSite) async throws -> Browser {
        let ana = try await site.signIn(.ana)
        _ = try await ana.visit("/welcome?hat=neighbor").press("Continue")
        _ = try await ana.visit("/events/new?audience=everyone").press("Preview", filling: fair).press("Publish")
        return ana
    }

    /// The names on the page of who comes.
    private func names(_ browser: Browser, _ path: String = "/events/1/registrations") async throws -> [String] {
        try await browser.visit(path).html.all(ofClass: "what").map(\.text)
    }

    private let box = "Let the host see my first name: Cleo"

    @Test func `one who joins is a number, until they let the host read their first name`() async throws {
        try await withTestSite { site in
            let ana = try await announce(site)
            let list = "/events/1/registrations"
            #expect(try await ana.visit("/events/1").follow("Who comes").text.contains("No names yet"))
            let cleo = try await site.signIn(.cleo, as: .parent)
            var page = try await cleo.visit("/events/1")
            #expect(page.link("ana-ortiz") == "/people/ana-ortiz")
            #expect(try await site.browser().visit("/events/1").link("ana-ortiz") == nil)
            #expect(page.text.contains(box) && page.html.all("input").allSatisfy { $0["checked"] == nil }, "off")
            page = try await page.press("Join")
            #expect(page.text.contains("The host doesn’t see your name."))
            #expect(try await ana.visit(list).text.contains("No names yet"))
            page = try await page.press(box)
            #expect(page.flash == "Saved." && page.text.contains("The host reads that Cleo comes."))
            #expect(try await names(ana) == ["Cleo"])
            #expect(try await !ana.visit(list).string.contains("Park"), "no last name")
            // Nobody but its host comes there.
            let dan = try await site.signIn(.family(1))
            #expect(try await dan.visit(list).path == "/events/1")
            #expect(try await !dan.visit("/events/1").text.contains("Cleo"))
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit(list).status == 404)
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await !mira.visit(list).text.contains("Cleo"))
            page = try await cleo.visit("/events/1").press("Don’t let the host see my name")
            #expect(page.text.contains("The host doesn’t see your name."))
            #expect(try await names(ana) == [])
        }
    }

    @Test(arguments: [false, true])
    func `a host without a list who changes or cancels reads how many know, and no name, phone or address`(
        becomesProvider: Bool
    ) async throws {
        try await withTestSite { site in
            let ana = try await announce(site)
            for person: Person in [.cleo, .noor] {
                _ = try await site.signIn(person, as: .parent).visit("/events/1").press("Join")
            }
            site.clock.advance(by: .minutes(1))
            // A profile made afterwards opens no more.
            if becomesProvider { try await site.provider(of: .ana) }
            let host = becomesProvider ? try await site.signIn(.ana, as: .provider) : ana
            let form = try await host.visit("/events/1/edit").press("Preview", filling: ["start_time": "11:00"])
            #expect(try await form.press("Publish the change").text.contains("Seen by 0 of 2 people."))
            let paths = [
                "/events/1", "/changes/1", "/events/1/registrations", "/events/1/registrations?as=csv",
                "/events/1/registrations?as=print", "/events/1/announcements", "/events/1/cancel", "/events/1.json",
                "/inbox", "/me/events", "/week", "/undo",
            ]
            func expectNobody() async throws {
                for path in paths {
                    let page = try await host.visit(path).string
                    for planted in ["Cleo", "Haddad", "408 555 0177", "cleo-park", "noor-haddad", "bcc="] {
                        #expect(!page.contains(planted), "\(planted) on \(path)")
                    }
                }
            }
            try await expectNobody()
            #expect(try await host.visit("/events/1").link("Write to all who come") == "/events/1/announcements")
            _ = try await site.signIn(.cleo, as: .parent).visit("/changes/1")
            #expect(try await host.visit("/changes/1").text.contains("Seen by 1 of 2 people."))
            let canceling = try await host.visit("/events/1/cancel")
            #expect(canceling.text.contains("2 people are going. They are told at once."))
            _ = try await canceling.press("Cancel the event", filling: ["reason": "Rain."])
            #expect(try await host.visit("/events/1").text.contains("2 people haven’t seen yet what changed."))
            try await expectNobody()
            #expect(try await host.visit("/events/1/registrations").text.contains("2 people were going"))
        }
    }

    @Test func `it is chosen while joining, and gone with leaving; joining again is a new choice`() async throws {
        try await withTestSite { site in
            let ana = try await announce(site)
            let cleo = try await site.signIn(.cleo, as: .parent)
            _ = try await cleo.visit("/events/1").press("Join", filling: ["shown": true])
            // Somebody without a family is called as on their page.
            let dan = try await site.signIn(.family(1))
            _ = try await dan.visit("/me/profile").press("Save", filling: ["display_name": "Dan of the drums"])
            let joining = try await dan.visit("/events/1")
            #expect(joining.text.contains("Let the host see what I am called: Dan of the drums"))
            _ = try await joining.press("Join", filling: ["shown": true])
            #expect(try await names(ana) == ["Cleo", "Dan of the drums"])
            _ = try await cleo.visit("/events/1").press("Leave")
            #expect(try await names(ana) == ["Dan of the drums"])
            #expect(try site.count(of: "registration_person WHERE shows_name") == 1)
            _ = try await cleo.visit("/events/1").press("Join")
            #expect(try await names(ana) == ["Dan of the drums"])
        }
    }

    @Test func `children stand there under no name`() async throws {
        try await withTestSite { site in
            let ana = try await announce(site)
            try await site.child("Mo", of: .cleo)
            let cleo = try await site.signIn(.cleo, as: .parent)
            _ = try await cleo.visit("/events/1").press("Join", filling: ["person": ["child-1"], "shown": true])
            #expect(try site.count(of: "registration_person WHERE shows_name") == 0)
            _ = try await cleo.visit("/events/1").press("Join", filling: ["shown": true])
            let page = try await ana.visit("/events/1/registrations")
            #expect(page.text.contains("2 people are going") && !page.text.contains("Mo"))
            #expect(try await names(ana) == ["Cleo"])
        }
    }

    @Test func `a block, a deleted account and thirty days take the name away`() async throws {
        try await withTestSite { site in
            let ana = try await announce(site)
            let people: [Person] = [.cleo, .ben, .noor]
            for person in people {
                let browser = try await site.signIn(person, as: .parent)
                _ = try await browser.visit("/events/1").press("Join", filling: ["shown": true])
            }
            #expect(try await names(ana) == ["Cleo", "Ben", "Noor"])
            let (host, blocking) = (try await site.account(of: .ana), try await site.account(of: .cleo))
            let (leaving, now) = (try await site.account(of: .ben), site.clock.now)
            try await site.write(at: now) { tx in
                try Block.add(host, by: blocking, in: tx)
                try Account.leave(leaving, in: tx)
            }
            #expect(try await names(ana) == ["Noor"])
            #expect(try site.count(of: "registration_person WHERE shows_name AND cancelled_at IS NULL") == 2)
            // Thirty days after the end, for the host at once, and then for good.
            let end = try #require(try site.read { db in try Event.find(ID(1), in: db)?.endsAt })
            let event = try #require(try site.read { db in try Event.find(ID(1), in: db) })
            func count(at time: Instant) throws -> Int {
                try site.read(at: time) { tx in try Comer.all(at: event, after: nil, in: tx).items.count }
            }
            #expect(try count(at: end + Comer.kept - .seconds(1)) == 1)
            #expect(try count(at: end + Comer.kept) == 0)
            #expect(try await site.write(at: end + Comer.kept - .seconds(1)) { tx in try Comer.eraseOld(in: tx) } == 0)
            #expect(try await site.write(at: end + Comer.kept) { tx in try Comer.eraseOld(in: tx) } > 0)
            #expect(try site.count(of: "registration_person WHERE shows_name") == 0)
        }
    }

    @Test func `an organization with a list asks nobody, and a form that says so changes nothing`() async throws {
        try await withTestSite { site in
            let id = try await site.publish(by: .ben) { $0.audience = .everyone }
            let kite = try await site.publish(by: .ben)
            let cleo = try await site.signIn(.cleo, as: .parent)
            let page = try await cleo.visit("/events/\(id)")
            #expect(!page.text.contains(box) && page.text.contains("King Library has a list of names."))
            _ = try await page.press("Join")
            let token = try #require(try await cleo.visit("/me/settings").value(of: "csrf"))
            let pairs = [(name: "csrf", value: token), (name: "shown", value: "1")]
            _ = try await cleo.submit("/events/\(id)/shown", pairs)
            #expect(try site.count(of: "registration_person WHERE shows_name") == 0)
            #expect(try await cleo.submit("/events/\(kite)/shown", pairs).status == 404)
            // Those who don't come have nothing to show.
            let ana = try await announce(site)
            _ = try await cleo.submit("/events/3/shown", pairs)
            #expect(try await names(ana, "/events/3/registrations") == [])
        }
    }

    @Test func `a long list goes on, and nobody is on it twice`() async throws {
        try await withTestSite { site in
            let ana = try await announce(site)
            for number in 1...(Comer.pageSize + 2) {
                let (account, now) = (try await site.account(of: .family(number)), site.clock.now)
                try await site.write(at: now) { tx in
                    try Attendee.join([.me], of: account, at: ID(1), in: tx)
                    try Comer.show(true, account, at: ID(1), in: tx)
                }
            }
            let first = try await ana.visit("/events/1/registrations")
            let second = try await first.follow("Show more")
            #expect(first.html.all(ofClass: "what").count == Comer.pageSize)
            #expect(second.html.all(ofClass: "what").map(\.text) == ["family-51", "family-52"])
        }
    }

    // MARK: Talking

    @Test func `the host writes to all who come after a preview, and nobody else does`() async throws {
        try await withTestSite { site in
            let ana = try await announce(site)
            let path = "/events/1/announcements"
            #expect(try await ana.visit(path).text.contains("As soon as somebody joins"))
            let cleo = try await site.signIn(.cleo, as: .parent)
            _ = try await cleo.visit("/events/1").press("Join")
            let preview = try await ana.visit("/events/1").follow("Write to all who come").press(
                "Preview", filling: ["subject": "A cake", "body": "Bring one."])
            #expect(preview.text.contains("1 member will be told.") && preview.text.contains("Nothing is sent yet."))
            #expect(try site.count(of: "announcement") == 0)
            let sent = try await preview.press("Send it")
            #expect(sent.text.contains("Opened by 0 of 1 member.") && !sent.text.contains("Cleo"))
            let read = try await cleo.visit("/inbox").follow("Unread: A message about Willow Street fair, March 26")
            #expect(read.text.contains("Bring one.") && !read.text.contains("Opened by"))
            #expect(try await ana.visit(path).text.contains("Opened by 1 of 1 member."))
            // Under the parent's hat as well.
            let parent = try await site.signIn(.ana, as: .parent)
            #expect(try await parent.visit(path).buttons.contains("Preview"))
            // Of what is for children, a provider writes under the provider's hat alone.
            let kite = try await site.publish(by: .ben)
            let ben = try await site.signIn(.ben, as: .parent)
            let dan = try await site.signIn(.family(1))
            for (browser, event, status) in [(dan, ID<Event>(1), 404), (ben, ID(1), 404), (ben, kite, 403)] {
                let token = try await browser.visit("/me/settings").value(of: "csrf") ?? ""
                let pairs = [
                    (name: "csrf", value: token), (name: "subject", value: "Hello"),
                    (name: "body", value: "Hello all"), (name: "step", value: "publish"),
                ]
                #expect(try await browser.visit("/events/\(event)/announcements").status == status)
                #expect(try await browser.submit("/events/\(event)/announcements", pairs).status == status)
            }
            #expect(try site.count(of: "announcement") == 1)
        }
    }

    @Test func `any member asks about what is for everybody, and its host answers without an organization`()
        async throws
    {
        try await withTestSite { site in
            let ana = try await announce(site)
            let dan = try await site.signIn(.family(1))
            let asked = try await dan.visit("/events/1").press("Ask", filling: ["text": "Is there shade?"])
            #expect(asked.text.contains("Not answered yet"))
            let cleo = try await site.signIn(.cleo, as: .parent)
            #expect(try await cleo.visit("/questions/1/answer").status == 404)
            let told = try await ana.visit("/inbox").follow("Unread: A question about Willow Street fair, March 26")
            #expect(!told.text.contains("family-1"))
            let answered = try await told.follow("Answer: Is there shade?").press(
                "Answer", filling: ["text": "Under the trees."])
            #expect(answered.text.contains("Under the trees."))
            let seen = try await site.browser().visit("/events/1")
            #expect(seen.text.contains("Is there shade?") && seen.text.contains("Under the trees."))
            // About what is for children, families ask, and a provider answers under the provider's hat.
            let kite = try await site.publish(by: .ben)
            let token = try await dan.visit("/me/settings").value(of: "csrf") ?? ""
            let refused = try await dan.submit(
                "/events/\(kite)/questions", [("csrf", token), ("text", "Is there shade?")])
            #expect(refused.status == 403 && refused.text.contains("Is there shade?"))
            #expect(try await refused.follow("Go on").path.hasPrefix("/me/family?next="))
            _ = try await cleo.visit("/events/\(kite)").press("Ask", filling: ["text": "Is there wind?"])
            #expect(try await site.signIn(.ben, as: .parent).visit("/questions/2/answer").status == 403)
            #expect(try await site.signIn(.ben, as: .provider).visit("/questions/2/answer").status == 200)
        }
    }

    @Test func `what one hosts stands on Today, with a family or without, until it is over`() async throws {
        try await withTestSite { site in
            let ana = try await announce(site)
            let today = try await ana.visit("/")
            #expect(today.text.contains("You host") && today.rows.contains("Willow Street fair"))
            let parent = try await site.signIn(.ana, as: .parent)
            #expect(try await parent.visit("/").text.contains("You host"))
            let cleo = try await site.signIn(.cleo, as: .parent)
            #expect(try await !cleo.visit("/").text.contains("You host"))
            site.clock.advance(by: .days(20))
            let late = try await site.signIn(.ana)
            #expect(try await !late.visit("/").text.contains("You host"))
        }
    }

    @Test func `a fair is on Today, however many events for children come before it`() async throws {
        try await withTestSite { site in
            for number in 1...21 { try await site.publish(by: .ben) { $0.title = "Kite \(number)" } }
            try await site.publish(by: .ben) {
                ($0.title, $0.audience, $0.date) = ("Willow Street fair", .everyone, Day(iso: "2027-04-10")!)
            }
            let today = try await site.signIn(.ben, as: .parent).visit("/")
            #expect(today.text.contains("You host") && today.rows.contains("Willow Street fair"))
        }
    }

    @Test func `a host without a family chooses how to be told of questions and changes`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            let page = try await ana.visit("/me/notices")
            for kind in ["Questions about your events", "Messages to all who come or help"] {
                #expect(page.text.contains(kind))
            }
            #expect(!page.text.contains("Registrations for your events"))
        }
    }
}
