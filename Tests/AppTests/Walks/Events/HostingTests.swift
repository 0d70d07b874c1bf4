import Database
import Testing

@testable import App

/// A neighbor as host: who comes, as far as they choose to be seen.
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
            #expect(page.text.contains(box) && page.html.all("input").allSatisfy { $0["checked"] == nil }, "off")
            page = try await page.press("Join")
            #expect(page.text.contains("The host doesn’t read that it is you who comes."))
            #expect(try await ana.visit(list).text.contains("No names yet"))
            page = try await page.press(box)
            #expect(page.flash == "Saved." && page.text.contains("The host reads that Cleo comes."))
            #expect(try await names(ana) == ["Cleo"])
            #expect(try await !ana.visit(list).string.contains("Park"), "no last name")
            // Whoever isn't its host doesn't come there.
            let dan = try await site.signIn(.family(1))
            #expect(try await dan.visit(list).path == "/events/1")
            #expect(try await !dan.visit("/events/1").text.contains("Cleo"))
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit(list).status == 404)
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await !mira.visit(list).text.contains("Cleo"))
            page = try await cleo.visit("/events/1").press("Don’t let the host see my name")
            #expect(page.text.contains("The host doesn’t read that it is you who comes."))
            #expect(try await names(ana) == [])
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
            try await site.write { db in
                try Block.add(host, by: blocking, at: now, in: db)
                try Account.leave(leaving, at: now, in: db)
            }
            #expect(try await names(ana) == ["Noor"])
            #expect(try site.count(of: "registration_person WHERE shows_name AND cancelled_at IS NULL") == 2)
            // Thirty days after the end, for the host at once, and then for good.
            let end = try #require(try site.read { db in try Event.find(ID(1), in: db)?.endsAt })
            let event = try #require(try site.read { db in try Event.find(ID(1), in: db) })
            func count(at time: Instant) throws -> Int {
                try site.read { db in try Comer.all(at: event, after: nil, now: time, in: db).items.count }
            }
            #expect(try count(at: end + Comer.kept - .seconds(1)) == 1)
            #expect(try count(at: end + Comer.kept) == 0)
            #expect(try await site.write { db in try Comer.eraseOld(at: end + Comer.kept - .seconds(1), in: db) } == 0)
            #expect(try await site.write { db in try Comer.eraseOld(at: end + Comer.kept, in: db) } > 0)
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
                try await site.write { db in
                    try Attendee.join([.me], of: account, at: ID(1), now: now, in: db)
                    try Comer.show(true, account, at: ID(1), in: db)
                }
            }
            let first = try await ana.visit("/events/1/registrations")
            let second = try await first.follow("Show more")
            #expect(first.html.all(ofClass: "what").count == Comer.pageSize)
            #expect(second.html.all(ofClass: "what").map(\.text) == ["family-51", "family-52"])
        }
    }
}
