import Crypto
import Database
import SMTP
import Templating
import Testing

@testable import App

/// Asking a friend to do something kind: by a link, by a letter, and what comes back.
@Suite struct ChallengeTests {
    private static let act = "/kindness/acts/204"
    private static let name = "Bring soup to a family with a newborn"

    /// Somebody who asks, called Ana Ortiz.
    private func asker(_ site: TestSite, isConfirmed: Bool = true) async throws -> Browser {
        let ana = try await site.signIn(.ana, as: .parent)
        _ = try await ana.visit("/me/profile").press("Save", filling: ["display_name": "Ana Ortiz"])
        if isConfirmed { try await site.execute("UPDATE account SET confirmed_at = 1 WHERE username = 'ana-ortiz'") }
        return ana
    }

    /// The path of a link that was just made.
    private func path(on page: Page) -> String {
        String((page.html.first("code")?.text ?? "").dropFirst("http://localhost:8080".count))
    }

    private func ask(_ browser: Browser, _ message: String = "") async throws -> String {
        path(
            on: try await browser.visit(Self.act + "/challenge").press(
                "Make a link", filling: ["message": .text(message)]))
    }

    @Test func `a friend without an account takes an act up, and whoever asked hears once it is done`() async throws {
        try await withTestSite { site in
            let ana = try await asker(site)
            let made = try await ana.visit(Self.act).follow("Ask a friend").press(
                "Make a link", filling: ["message": "You make the best soup."])
            let link = path(on: made)
            #expect(link.hasPrefix("/challenges/") && made["Referrer-Policy"] == "same-origin")
            for scheme in ["sms:?&", "mailto:?subject="] {
                let href = try #require(made.links.first { $0.href.hasPrefix(scheme) }?.href)
                #expect(href.contains("challenges%2F") && href.contains("best%20soup"), "\(href)")
            }
            // Nothing but the hash of the link is kept.
            let token = try #require(Token(link.dropFirst("/challenges/".count)))
            #expect(try site.count(of: "challenge WHERE token_hash = \(token.hash)") == 1)

            let friend = site.browser()
            let page = try await friend.visit(link)
            #expect(page.heading == Self.name && page.text.contains("Ana asks you"))
            #expect(page.text.contains("You make the best soup.") && !page.string.contains("Ortiz"))
            #expect(page["X-Robots-Tag"] == "noindex" && page["Referrer-Policy"] == "same-origin")
            let form = try await page.follow("Sign up and do it")
            #expect(form.text.contains("Ana invites you to the village.") && !form.string.contains("Ortiz"))
            let taken = try await form.press(
                "Sign up",
                filling: [
                    "email": "paolo@example.org", "username": "paolo-conti", "password": "two children, one week",
                    "adult": true,
                ])
            // Signing up takes it up: what one is here for besides can be said later.
            #expect(taken.path == "/" && taken.text.contains(Self.name))
            #expect(taken.link("Parent, Provider or Neighbor?") != nil)
            #expect(taken.flash == "Lovely. It is on your Today, and your friend hears once you have done it.")
            #expect(try await friend.visit(link).text.contains("You took it up. It is on your Today."))
            let mine = try await ana.visit("/kindness/mine").text
            let day = site.site.today.shortName.plain
            #expect(mine.contains("paolo-conti took it up · asked on \(day) · taken up on \(day)"), "\(mine)")
            #expect(try site.count(of: "notice") == 0)

            _ = try await friend.visit("/").press("Done: \(Self.name)")
            #expect(try await ana.visit("/inbox").text.contains("Your friend did it: \(Self.name)"))
            #expect(try await ana.visit("/kindness/mine").text.contains("paolo-conti did it"))
            #expect(try await friend.visit(link).text.contains("You did it, and Ana knows."))
            // The invitation counts as soon as the address is confirmed, and not before.
            #expect(try site.count(of: "badge WHERE kind = 'first_friend'") == 0)
            let secret: String = try site.read { db in
                try db.value("SELECT secret FROM letter WHERE kind = 'welcome'") ?? ""
            }
            _ = try await friend.visit("/verify/\(secret)").press("Confirm it")
            #expect(try site.count(of: "standing WHERE friends = 1") == 1)
            #expect(try site.count(of: "badge WHERE kind = 'first_friend'") == 1)
        }
    }

    @Test func `each end of a link has its words`() async throws {
        try await withTestSite { site in
            let ana = try await asker(site)
            let (ben, cleo, visitor) = (
                try await site.signIn(.ben), try await site.signIn(.cleo), site.browser()
            )
            func end(_ link: String, _ browser: Browser) async throws -> String {
                let page = try await browser.visit(link)
                return page.status == 410 ? page.heading : "\(page.status)"
            }
            // Forged, and one's own.
            #expect(try await end("/challenges/" + Token().text, ben) == "404")
            #expect(try await end("/challenges/x", ben) == "404")
            let own = try await ask(ana)
            #expect(try await ana.visit(own).text.contains("So your friend reads it."))
            let csrf = try await ana.visit("/kindness/mine").value(of: "csrf") ?? ""
            #expect(try await ana.submit(own, [("csrf", csrf)]).status == 404)
            // Taken back.
            _ = try await ana.visit("/kindness/mine").press("Take it back: \(Self.name)")
            #expect(try await end(own, visitor) == "The invitation was taken back")
            #expect(try await end(own.replacing("challenges", with: "invitations"), visitor) != "200")
            // Used by somebody else.
            let used = try await ask(ana)
            _ = try await ben.visit(used).press("I’ll do it")
            for browser in [cleo, visitor] { #expect(try await end(used, browser) == "This link was used already") }
            #expect(try await ben.visit(used).status == 200)
            // This member didn't take it up; others may have, and log in to go on.
            let (other, stranger) = (try await cleo.visit(used), try await visitor.visit(used))
            #expect(other.text.contains("somebody else took it up") && other.link("Log in") == nil)
            #expect(other.link("Kind acts") == "/kindness" && other.link("Today") == "/")
            #expect(stranger.text.contains("If that was you, log in: it is on your Today."))
            #expect(stranger.link("Log in")?.hasPrefix("/login?next=%2Fchallenges%2F") == true)
            let invitation = used.replacing("challenges", with: "invitations")
            try await site.execute("UPDATE one_time_link SET ended = 'used' WHERE kind = 'challenge'")
            #expect(try await cleo.visit(invitation).text.contains("You are here already, so you need none."))
            #expect(try await visitor.visit(invitation).text.contains("If that was you, log in"))
            try await site.execute("UPDATE one_time_link SET ended = NULL WHERE kind = 'challenge'")
            // Between two of whom one blocks the other, and of somebody who is suspended.
            let blocked = try await ask(ana)
            let token = try await cleo.visit("/me/settings").value(of: "csrf") ?? ""
            _ = try await cleo.submit("/blocks", [("csrf", token), ("username", "ana-ortiz")])
            #expect(try await end(blocked, cleo) == "The invitation was taken back")
            #expect(try await cleo.submit(blocked, [("csrf", token)]).status == 410)
            #expect(try await end(blocked, visitor) == "200")
            try await site.execute("UPDATE account SET suspended_at = 1 WHERE username = 'ana-ortiz'")
            #expect(try await end(blocked, visitor) == "The invitation was taken back")
            try await site.execute("UPDATE account SET suspended_at = NULL")
            // Too old.
            site.clock.advance(by: Challenge.lifetime)
            #expect(try await end(blocked, visitor) == "This link is too old")
            // Of somebody who left.
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.write(at: now) { tx in try Account.leave(account, in: tx) }
            #expect(try await end(used, ben) == "404")
            #expect(try site.count(of: "challenge") == 0)
        }
    }

    @Test func `the list of friends goes on, with those who left and acts that are gone`() async throws {
        try await withTestSite { site in
            let ana = try await asker(site)
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            let (ben, cleo) = (try await site.account(of: .ben), try await site.account(of: .cleo))
            // The oldest is of an act that staff took away, the next was taken up by somebody who left.
            try await site.execute(
                """
                INSERT INTO own_act (account_id, name, description, theme, difficulty, once, created_at, proposed_at)
                VALUES (\(cleo), 'Greet the elm', '', 'town', 'easy', 'once', \(now), \(now))
                """)
            let tokens = (0..<25).map { _ in Token() }
            try await site.write(at: now) { tx in
                for (number, token) in tokens.enumerated() {
                    let act: ID<KindAct> = number == 0 ? ID(10_001) : ID(204)
                    try Challenge.make(token, of: act, ChallengeForm(), by: account, in: tx)
                    // No more than twenty are open at once.
                    if number < 20 {
                        try Challenge.take(token, by: number == 2 ? cleo : ben, in: tx)
                    }
                }
                try KindAct.hide(ID(1), at: tx.now, in: tx)
                try Account.leave(ben, in: tx)
            }
            let first = try await ana.visit("/kindness/mine")
            let former = { (page: Page) in page.text.ranges(of: "A former member took it up").count }
            #expect(former(first) == 15)
            // What is taken up isn't to be taken back by anybody.
            #expect(first.buttons.count { $0.hasPrefix("Take it back") } == 5)
            let next = try await first.follow("Show older")
            #expect(former(next) == 4 && next.text.contains("cleo-park took it up"))
            #expect(next.text.contains("An act that isn’t in the catalog anymore"))
            #expect(next.link("Show older") == nil)
            // Taking one back stays on that page.
            try await site.execute(
                "UPDATE challenge SET ended = NULL, taker_id = NULL, taken_at = NULL WHERE id = 3")
            let open = try await ana.visit(next.path)
            #expect(try await open.press("Take it back: \(Self.name)").path == next.path)
        }
    }

    @Test func `a link is one friend's, however many press at once`() async throws {
        try await withTestSite { site in
            let link = try await ask(try await asker(site))
            let token = try #require(Token(link.dropFirst("/challenges/".count)))
            var people: [ID<Account>] = []
            for number in 0..<20 { people.append(try await site.account(of: .family(number))) }
            let now = site.clock.now
            try await withThrowingTaskGroup(of: Void.self) { group in
                for person in people {
                    group.addTask {
                        do {
                            try await site.write(at: now) { tx in try Challenge.take(token, by: person, in: tx) }
                        } catch let end as LinkEnd where end == LinkEnd(.challenge, .used) {}
                    }
                }
                try await group.waitForAll()
            }
            #expect(try site.count(of: "my_act") == 1 && site.count(of: "challenge WHERE taker_id > 0") == 1)
            // A friend who signs up through the link too late is let in, without the act.
            let late = try await site.account(of: .family(20))
            let isTaken = try await site.write(at: now) { tx in try Challenge.takeOnArrival(token, by: late, in: tx) }
            #expect(!isTaken)
            // Twin: a link that doesn't end is taken up again and again.
            for person in people {
                try await site.execute("UPDATE challenge SET ended = NULL, taker_id = NULL")
                try await site.write(at: now) { tx in try Challenge.take(token, by: person, in: tx) }
            }
            #expect(try site.count(of: "my_act") == 20)
        }
    }

    @Test func `what is taken back is told no more, and told by one letter alone`() async throws {
        try await withTestSite { site in
            let link = try await ask(try await asker(site))
            let ben = try await site.signIn(.ben)
            _ = try await ben.visit(link).press("I’ll do it")
            for _ in 0..<3 {
                let done = try await ben.visit(Self.act).press("I did it: \(Self.name)")
                #expect(try site.count(of: "notice WHERE kind = 'challenged'") == 1)
                _ = try await done.press("Undo: \(Self.name)")
                #expect(try site.count(of: "notice WHERE kind = 'challenged'") == 0)
                #expect(try site.count(of: "account WHERE unread > 0") == 0)
            }
            #expect(try site.count(of: "letter WHERE kind = 'challenged'") == 1)
            // The letter, sent now, has nothing to say.
            let letter: Letter = try site.read { db in
                try #require(try db.first("SELECT \(Letter.columns) FROM letter WHERE kind = 'challenged'"))
            }
            #expect(
                try site.read(at: site.clock.now) { tx in try letter.text(country: "US", zone: .utc, in: tx) } == nil)
            _ = try await ben.visit(Self.act).press("I did it: \(Self.name)")
            #expect(
                try site.read(at: site.clock.now) { tx in try letter.text(country: "US", zone: .utc, in: tx) } != nil)
        }
    }

    // MARK: Letters

    private func mail(_ browser: Browser, _ address: String, _ message: String = "") async throws -> Page {
        try await browser.visit(Self.act + "/challenge").press(
            "Make a link", filling: ["to": .text(address), "message": .text(message)])
    }

    @Test func `the site writes five letters a day, one to an address a month, and keeps a hash alone`() async throws {
        try await withTestSite(hasMail: true) { site in
            let (ana, ben) = (try await asker(site), try await site.signIn(.ben))
            // Only for members whose own address is confirmed.
            #expect(try await !ben.visit(Self.act + "/challenge").string.contains("name=\"to\""))
            let token = try await ben.visit("/me/settings").value(of: "csrf") ?? ""
            let sent = try await ben.submit(
                Self.act + "/challenge", [("csrf", token), ("to", "x@example.org"), ("message", "")])
            #expect(sent.status == 422 && sent.problems.contains { $0.hasPrefix("Confirm your own address first.") })
            try await site.execute("UPDATE account SET confirmed_at = 1")

            let page = try await mail(ana, "Paolo@Example.org", "For you.")
            #expect(page.text.contains("The letter is on its way"))
            #expect(try site.count(of: "letter WHERE kind = 'invited' AND address = 'paolo@example.org'") <= 1)
            let unwelcome = "We don’t write to this address at the moment."
            for browser in [ana, ben] {
                let again = try await mail(browser, "paolo@example.org")
                #expect(again.status == 422 && again.problems.contains { $0.hasPrefix(unwelcome) })
                #expect(again.value(of: "to") == "paolo@example.org")
            }
            // A month later it may be.
            for number in 1...4 { _ = try await mail(ana, "friend-\(number)@example.org") }
            let sixth = try await mail(ana, "friend-6@example.org")
            #expect(sixth.problems.contains { $0.hasPrefix("We wrote 5 letters for you within a day.") })
            #expect(try site.count(of: "challenge WHERE mailed_at > 0") == 5 && site.count(of: "challenge") == 5)
            #expect(try site.count(of: "written_address") == 5)
            site.clock.advance(by: .days(31))
            let (now, later) = (site.clock.now, try await mail(try await site.signIn(.ben), "paolo@example.org"))
            #expect(later.status == 201)

            // What was sent, refused or came too late is known by no address anymore.
            try await site.execute("UPDATE letter SET ends_at = \(now) WHERE address LIKE 'friend-1@%'")
            try await site.write(at: now) { tx in
                _ = try Letter.giveUp(in: tx)
                let open: [(ID<Letter>, String)] = try tx.all(
                    "SELECT id, address FROM letter WHERE kind = 'invited' AND state = 'waiting' LIMIT 100"
                ) { (try $0.next(), try $0.next()) }
                for (id, address) in open {
                    try Letter.end(id, address.hasPrefix("friend") ? .failed : .sent, "", in: tx)
                }
            }
            #expect(try site.count(of: "letter WHERE kind = 'invited' AND (address <> '' OR secret <> '')") == 0)
            #expect(try site.count(of: "letter WHERE kind = 'invited'") == 6)
            // Without the key of the site the hash can't be computed: it isn't that of the address alone.
            for text in ["paolo@example.org", "address-paolo@example.org"] {
                let plain = Array(SHA256.hash(data: Array(text.utf8)))
                #expect(try site.count(of: "written_address WHERE hash = \(plain)") == 0)
            }
            // And it goes, too.
            site.clock.advance(by: .days(31))
            let end = site.clock.now
            try await site.write(at: end) { tx in _ = try RetentionRule.strangers.erase?(tx) }
            #expect(try site.count(of: "written_address") == 0)
        }
    }

    @Test func `whoever wants no such letters gets none, from nobody, for good`() async throws {
        try await withTestSite(hasMail: true) { site in
            let ana = try await asker(site)
            let link = path(on: try await mail(ana, "paolo@example.org", "For you."))
            let letter: Letter = try site.read { db in
                try #require(try db.first("SELECT \(Letter.columns) FROM letter WHERE kind = 'invited'"))
            }
            let message = try #require(try await site.site.message(of: letter, at: site.clock.now))
            #expect(message.subject == "Ana asks you to do something kind")
            #expect(message.text.contains(link) && message.text.contains("For you.") && !message.text.contains("Ortiz"))
            let ending = try #require(message.unsubscribe)
            let visitor = site.browser()
            let path = String(ending.dropFirst("http://localhost:8080".count))
            let page = try await visitor.visit(path).press("No more letters")
            #expect(page.text.contains("Nobody can have us write to this address anymore."))
            // What waited isn't sent, and nobody has another one written; not a year later either.
            #expect(try await site.site.message(of: letter, at: site.clock.now) == nil)
            site.clock.advance(by: .days(365))
            try await site.write(at: site.clock.now) { tx in _ = try RetentionRule.strangers.erase?(tx) }
            let again = try await mail(try await site.signIn(.ana), "PAOLO+club@example.org")
            #expect(again.problems.contains { $0.hasPrefix("We don’t write to this address at the moment.") })
            // A seal of our own for something else ends nothing.
            let forged = path.replacing("no-invitations", with: "offer")
            #expect(try await visitor.visit(forged).status == 404)
            // Twin: without what was refused a letter goes out.
            try await site.execute("DELETE FROM written_address")
            #expect(try await mail(try await site.signIn(.ana), "paolo@example.org").status == 201)
        }
    }

    @Test func `to somebody who blocks one no letter is written, and nobody reads that`() async throws {
        try await withTestSite(hasMail: true) { site in
            let (ana, ben) = (try await asker(site), try await site.signIn(.ben))
            let token = try await ben.visit("/me/settings").value(of: "csrf") ?? ""
            _ = try await ben.submit("/blocks", [("csrf", token), ("username", "ana-ortiz")])
            #expect(try await mail(ana, Person.ben.email).text.contains("The letter is on its way"))
            #expect(try site.count(of: "letter WHERE kind = 'invited'") == 0)
            #expect(try await mail(ana, Person.cleo.email).text.contains("The letter is on its way"))
            #expect(try site.count(of: "letter WHERE kind = 'invited'") == 1)
        }
    }

    @Test func `a word holds no link and two hundred characters at most`() async throws {
        try await withTestSite { site in
            let ana = try await asker(site)
            let form = try await ana.visit(Self.act + "/challenge")
            for text in [
                "Look at https://evil.example", "www.evil.example", "evil.example/x", "me@evil.example",
                String(repeating: "x", count: 201),
            ] {
                let page = try await form.press("Make a link", filling: ["message": .text(text)])
                #expect(page.status == 422 && page.value(of: "message") == text, "\(text)")
            }
            #expect(try site.count(of: "challenge") == 0)
            // Nor does the name, which stands in the subject.
            #expect(Invitation.firstName("Ana\u{A0}Ortiz") == "Ana")
            for name in ["win.example/x now", "https://evil.example", "\u{A0}"] {
                #expect(Invitation.firstName(name) == "–")
            }
            for text in ["It takes 2.5 hours. Really... and e.g. soup!", String(repeating: "ü", count: 200)] {
                #expect(!Newcomer.hasLink(text))
                let fresh = try await ana.visit(Self.act + "/challenge")
                #expect(
                    try await fresh.press("Make a link", filling: ["message": .text(text)]).status == 201, "\(text)")
            }
        }
    }

    @Test func `twenty links are open at most, and where one comes in by invitation alone five`() async throws {
        try await withTestSite { site in
            let ana = try await site.account(of: .ana)
            let (now, form) = (site.clock.now, ChallengeForm())
            func make() async throws {
                try await site.write(at: now) { tx in try Challenge.make(Token(), of: ID(204), form, by: ana, in: tx) }
            }
            for _ in 1...Invitation.mostChallenges { try await make() }
            await #expect(throws: Challenge.Refused.tooMany) { try await make() }
            // Invitations are counted apart.
            try await site.write(at: now) { tx in try Invitation.make(Token(), for: "Jo", by: ana, in: tx) }
            #expect(try site.read(at: now) { tx in try Invitation.open(of: ana, in: tx) }.count == 1)
            try await site.execute("DELETE FROM one_time_link")
            try await site.execute("DELETE FROM challenge")
            try await site.execute("INSERT INTO note (name, value) VALUES ('town_joining', 'invitation')")
            for _ in 1...4 { try await make() }
            try await site.write(at: now) { tx in try Invitation.make(Token(), for: "Jo", by: ana, in: tx) }
            await #expect(throws: Challenge.Refused.tooMany) { try await make() }
            #expect(try site.count(of: "challenge") == 4)
        }
    }

    @Test func `an act of one's own is asked of nobody, nor somebody else's link taken back`() async throws {
        try await withTestSite { site in
            let ana = try await asker(site)
            let own = try await ana.visit("/kindness/acts/new").press(
                "Put it on my list", filling: ["name": "Sing to Otto"])
            #expect(own.path == "/kindness/acts/10001" && !own.links.contains { $0.text == "Ask a friend" })
            #expect(try await ana.visit("/kindness/acts/10001/challenge").status == 404)
            let link = try await ask(ana)
            let ben = try await site.signIn(.ben)
            let token = try await ben.visit("/me/settings").value(of: "csrf") ?? ""
            _ = try await ben.submit(Self.act + "/challenge", [("csrf", token), ("withdraw", "1")])
            #expect(try await ben.visit(link).status == 200)
        }
    }

    @Test func `while kind acts are switched off a link opens nothing`() async throws {
        try await withTestSite { site in
            let link = try await ask(try await asker(site))
            let staff = try await site.account(of: .mira, isStaff: true)
            try await site.site.change(by: staff, at: site.clock.now) { $0.off = [.kindness] }
            #expect(try await site.browser().visit(link).status == 404)
        }
    }

    @Test func `the same form makes one link, whatever makes it, and none that was taken back`() async throws {
        try await withTestSite { site in
            let ana = try await asker(site)
            let form = try await ana.visit(Self.act + "/challenge")
            let made = try await form.press("Make a link", filling: ["message": "For you."])
            let again = try await form.press("Make a link", filling: ["message": "For you."])
            #expect(path(on: made) == path(on: again) && !path(on: made).isEmpty)
            #expect(try site.count(of: "challenge") == 1)
            let other = try await form.press("Make a link", filling: ["message": "For somebody else."])
            #expect(other.status == 409 && other.html.first("textarea")?.text == "For somebody else.")
            let second = try await other.press("Make a link")
            #expect(path(on: second) != path(on: made))
            #expect(try site.count(of: "challenge") == 2)
            let token = try #require(form.value(of: "csrf"))
            for id in ["1", "2"] {
                _ = try await ana.post(Self.act + "/challenge", [("csrf", token), ("withdraw", id)])
            }
            let late = try await form.press("Make a link", filling: ["message": "For you."])
            #expect(late.status == 409 && late.text.contains("what it made was removed since"))
            #expect(try site.count(of: "challenge WHERE ended IS NULL") == 0)

            let inviting = try await ana.visit("/me/invitations")
            let one = path(on: try await inviting.press("Make a link"))
            #expect(try await path(on: inviting.press("Make a link")) == one && one.hasPrefix("/invitations/"))
            let ben = try await site.signIn(.ben, as: .provider)
            let team = try await ben.visit("/me/organization/colleagues")
            let password: [String: Filling] = ["role": "edit", "current_password": .text(Person.password)]
            let join = path(on: try await team.press("Make a link", filling: password))
            let rejoin = path(on: try await team.press("Make a link", filling: password))
            #expect(rejoin == join && join.hasPrefix("/join/"))
            #expect(try site.count(of: "one_time_link WHERE kind IN ('invitation', 'colleague')") == 2)
        }
    }
}
