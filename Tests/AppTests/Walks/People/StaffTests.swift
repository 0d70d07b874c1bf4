import Database
import Foundation
import Testing

@testable import App

/// `/setup`, `/admin`, `/reset`: the first admin, and looking after the site.
@Suite struct StaffTests {
    private func path(of link: String) -> String { String(link.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }) }

    // MARK: The first admin

    @Test func `the set-up link makes the first admin, once`() async throws {
        try await withTestSite { site in
            let link = try #require(try await site.site.setupLink())
            let form = try await site.browser().visit(path(of: link))
            #expect(form["Referrer-Policy"] == "same-origin")
            var page = try await form.press(
                "Make the first account",
                filling: ["email": "mira@example.org", "username": "mi", "password": "look after it", "adult": true])
            #expect(page.status == 422 && page.value(of: "email") == "mira@example.org")
            #expect(page["Referrer-Policy"] == "same-origin")
            page = try await page.press(
                "Make the first account", filling: ["username": "mira-lund", "password": "look after it"])
            #expect(page.path == "/admin" && page.status == 200)
            #expect(try site.count(of: "account WHERE is_staff") == 1)

            let stranger = site.browser()
            let ended = try await stranger.visit(path(of: link))
            #expect(ended.status == 410 && ended.heading == "This link was used already")
            #expect(ended["Referrer-Policy"] == "same-origin" && ended.link("Log in") == "/login")
            let pairs = [
                ("email", "eve@example.org"), ("username", "eve-eve"), ("password", "look after me"), ("adult", "1"),
            ]
            #expect(try await stranger.post(path(of: link), pairs.map { (name: $0.0, value: $0.1) }).status == 410)
            #expect(try site.count(of: "account") == 1)
            #expect(try await site.site.setupLink() == nil)
        }
    }

    @Test func `a new start tells the same link, and with another key a new one, and the old one is void`() async throws
    {
        try await withTestSite { site in
            let old = try #require(try await site.site.setupLink())
            site.clock.advance(by: .days(1))
            #expect(try await site.site.setupLink() == old)
            let other = SiteKey(folder: "/nowhere")
            let token = try await site.write(at: site.clock.now) { tx in try SetupLink.token(of: other, in: tx) }
            let new = "https://village.example/setup/\(token.text)"
            let page = try await site.browser().visit(path(of: old))
            #expect(page.status == 410 && page.heading == "There is a newer link")
            #expect(try await site.browser().visit(path(of: new)).status == 200)
            for token in ["x", String(repeating: "A", count: 43), "..", "%00"] {
                #expect(try await site.browser().visit("/setup/\(token)").status == 404)
            }
        }
    }

    // MARK: Rights

    @Test(arguments: [
        "/admin", "/admin/people", "/admin/people/1", "/admin/events", "/admin/events/1", "/admin/log",
        "/admin/settings", "/admin/waves", "/admin/domains", "/admin/log-ins", "/help/components",
    ])
    func `staff pages are for staff only`(path: String) async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben)
            #expect(try await site.signIn(.mira, isStaff: true).visit(path).status == 200)
            let isSecret = path == "/help/components"
            for hat in Hat.allCases {
                #expect(try await site.signIn(.ana, as: hat).visit(path).status == (isSecret ? 404 : 403))
            }
            let page = try await site.browser().visit(path)
            #expect(isSecret ? page.status == 404 : page.path.hasPrefix("/login?next=%2Fadmin"))
        }
    }

    @Test func `nobody else can act`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            let token = try #require(try await ana.visit("/me").value(of: "csrf"))
            for path in ["/admin/people/1/suspension", "/admin/people/1/reset-link", "/admin/events/1/hide"] {
                let page = try await ana.post(path, [("csrf", token), ("reason", "Just because")])
                #expect(page.status == 403)
            }
            #expect(try site.count(of: "staff_act") == 0)
            #expect(try site.count(of: "one_time_link WHERE kind = 'reset'") == 0)
        }
    }

    // MARK: People

    @Test func `people are found by how any word of their names or their address begins`() async throws {
        try await withTestSite { site in
            for person in [Person.ana, .ben, .cleo] { try await site.account(of: person) }
            _ = try await site.signIn(.ana, as: .parent)
            _ = try await site.signIn(.ben, as: .provider)
            let mira = try await site.signIn(.mira, isStaff: true)
            func found(_ words: String) async throws -> [String] {
                let page = try await mira.visit("/admin/people").press("Find", filling: ["q": .text(words)])
                return page.html.first("main")!.all(ofClass: "what").compactMap { $0.first("a")?.text }
            }
            #expect(try await found("") == ["ana-ortiz", "ben-ruiz", "cleo-park", "mira-staff"])
            #expect(try await found("ANA") == ["ana-ortiz"])
            #expect(try await found("ben-ruiz@example.org") == ["ben-ruiz"])
            #expect(try await found("ortiz") == ["ana-ortiz"])
            #expect(try await found("Ort ana") == ["ana-ortiz"])
            #expect(try await found("library") == ["ben-ruiz"])
            #expect(try await found("ben library") == ["ben-ruiz"])
            for words in ["ana library", "brary", "%", "🎪"] { #expect(try await found(words) == []) }
            #expect(try await mira.visit("/admin/people/999").status == 404)
        }
    }

    @Test func `people from before the index of names are found by each word from the next start on`() async throws {
        try await withTestSite { site in
            _ = try await site.provider(of: .ben)
            try await site.execute(
                """
                INSERT INTO account (email, username, password, created_at, updated_at)
                VALUES ('nobody@example.org', 'nobody-yet', '-', 1, 1)
                """)
            // As an upgrade leaves it: an index of another edition, which knows nobody.
            try await site.write { db in
                try db.execute("DELETE FROM person_word")
                try Note.set("name_index", "1", in: db)
            }
            func found(_ words: String) throws -> [String] {
                try site.read { db in try Account.search(words, after: nil, in: db).items.map(\.username) }
            }
            #expect(try found("library") == [])
            try await site.site.prepare()
            for words in ["library", "king library", "Ben", "rui lib"] { #expect(try found(words) == ["ben-ruiz"]) }
            // Once is enough.
            try await site.execute("DELETE FROM person_word")
            try await site.site.prepare()
            #expect(try found("library") == [])
        }
    }

    @Test func `a reset link works once, for half an hour, and ends all sessions`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let mira = try await site.signIn(.mira, isStaff: true)
            var page = try await mira.visit("/admin/people?q=ana").follow("ana-ortiz").press(
                "Make a link", filling: ["reason": "She called me"])
            let link = try #require(page.html.first("code")?.text)
            #expect(link.hasPrefix("http://localhost:8080/reset/"))
            #expect(page["Cache-Control"] == "private, no-store")

            let visitor = site.browser()
            page = try await visitor.visit(path(of: link))
            #expect(page.status == 200 && page["Referrer-Policy"] == "same-origin")
            let again = try await site.browser().visit(path(of: link))
            page = try await page.press("Save the password", filling: ["password": "short"])
            #expect(page.status == 422 && page.problems.count == 1)
            page = try await page.press("Save the password", filling: ["password": "kites and kites"])
            #expect(page.path == "/login" && page.flash == "The password is changed.")
            #expect(try await ana.visit("/week").path.hasPrefix("/login"))
            page = try await page.press("Log in", filling: ["login": "ana-ortiz", "password": "kites and kites"])
            #expect(page.status == 200 && page.path == "/")
            page = try await again.press("Save the password", filling: ["password": "other kites"])
            #expect(page.status == 410 && page.heading == "This link was used already")
            #expect(try await site.browser().visit(path(of: link)).heading == "This link was used already")
            #expect(
                try await mira.visit("/admin/log").text.contains(
                    "mira-staff made a reset link for ana-ortiz She called me"))
        }
    }

    @Test func `a reset link opens for somebody who is still signed in, too`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let link = path(of: try #require(try await site.site.resetLink(for: "ana-ortiz")))
            let page = try await ana.visit(link).press("Save the password", filling: ["password": "kites and kites"])
            #expect(page.path == "/login" && page.flash == "The password is changed.")
        }
    }

    @Test func `a reset link ends after 30 minutes, and a second one voids the first`() async throws {
        try await withTestSite { site in
            try await site.account(of: .ana)
            let first = path(of: try #require(try await site.site.resetLink(for: "ana-ortiz")))
            let second = path(of: try #require(try await site.site.resetLink(for: "Ana-Ortiz@example.org")))
            let nobody = site.browser()
            let newer = try await nobody.visit(first)
            #expect(newer.status == 410 && newer.heading == "There is a newer link")
            site.clock.advance(by: .minutes(30) - .seconds(1))
            let form = try await nobody.visit(second)
            #expect(form.status == 200)
            site.clock.advance(by: .seconds(1))
            let late = try await nobody.visit(second)
            #expect(late.status == 410 && late.heading == "This link is too old")
            #expect(try await form.press("Save the password", filling: ["password": "kites and kites"]).status == 410)
            #expect(try await nobody.visit("/reset/\(String(repeating: "A", count: 43))").status == 404)
            #expect(try await site.site.resetLink(for: "nobody-here") == nil)
        }
    }

    @Test func `a suspended person is signed out and stays out until restored`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let mira = try await site.signIn(.mira, isStaff: true)
            func logIn() async throws -> Int {
                try await site.browser().visit("/login").press(
                    "Log in", filling: ["login": "ana-ortiz", "password": .text(Person.password)]
                ).status
            }
            let form = try await ana.visit("/me/family")
            var page = try await mira.visit("/admin/people/1").press(
                "Suspend the account", filling: ["reason": "Spam, twice"])
            #expect(page.path == "/admin/people/1" && page.flash == "The account is suspended.")
            #expect(page.text.contains("This account is suspended"))
            #expect(try await ana.visit("/week").path.hasPrefix("/login"))
            #expect(try await logIn() == 403)
            // A form that was open is no way in, and says the same.
            let told = try await form.press("Save").press(
                "Log in and go on", filling: ["session_login": "ana-ortiz", "session_password": .text(Person.password)])
            #expect(told.status == 403 && told.heading == "This account is suspended")
            page = try await page.press("Restore the account", filling: ["reason": "A mistake"])
            #expect(page.flash == "The account is restored.")
            #expect(try await ana.visit("/week").path.hasPrefix("/login"))
            #expect(try await logIn() == 200)
            let log = try await mira.visit("/admin/log").html.all("tr").dropFirst().map(\.text)
            #expect(
                log == [
                    "Mar 20, 2027, 3 AM mira-staff restored the account of ana-ortiz A mistake",
                    "Mar 20, 2027, 3 AM mira-staff suspended the account of ana-ortiz Spam, twice",
                ])
        }
    }

    @Test func `an event's page says who hid it, when and why, and lists say the time`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await mira.visit("/admin/events").text.contains("Saturday, March 27, 2027, 10 AM to 12 PM"))
            var page = try await mira.visit("/admin/events/\(event)")
            #expect(!page.text.contains("What staff did"))
            page = try await page.press("Hide the event", filling: ["reason": "An advertisement"])
            #expect(page.text.contains("mira-staff hid it on Mar 20, 2027, 3 AM: An advertisement"))
            page = try await page.press("Show it again", filling: ["reason": "They changed it"])
            #expect(!page.text.contains("hid it on"))
            let line = "mira-staff showed the event again Kite day, by ben-ruiz Mar 20, 2027, 3 AM · They changed it"
            #expect(page.text.contains(line))
        }
    }

    @Test func `before suspending staff read how many places it concerns`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let ana = try await site.account(of: .ana)
            let ben = try await site.account(of: .ben)
            let children = [try await site.child("Mo", of: .ana), try await site.child("Lu", of: .ana)]
            func says(_ person: ID<Account>) async throws -> String {
                try await mira.visit("/admin/people/\(person)").text
            }
            #expect(try await !says(ana).contains("They hold"))
            #expect(try await !says(ben).contains("Their events to come"))
            let event = try await site.publish(by: .ben)
            try await site.register(children, of: .ana, at: event)
            let off = try await site.publish(by: .ben) { $0.title = "Off" }
            try await site.register([children[0]], of: .ana, at: off)
            try await site.write(at: site.clock.now) { tx in
                try Event.cancel(Event.find(off, in: tx)!, reason: "Rain", in: tx)
            }
            #expect(try await says(ana).contains("They hold 2 places at coming events."))
            #expect(try await says(ben).contains("Their events to come: 1, with 2 places taken."))
            site.clock.advance(by: .days(8))
            let later = try await site.signIn(.mira, isStaff: true)
            #expect(try await !later.visit("/admin/people/\(ana)").text.contains("They hold"))
        }
    }

    @Test func `providers go on page by page, also those of one name`() async throws {
        try await withTestSite { site in
            for number in 0..<53 {
                try await site.provider(
                    of: Person(username: "host-\(number)", firstName: "A", lastName: "B", organization: "Same name"))
            }
            let mira = try await site.signIn(.mira, isStaff: true)
            var page = try await mira.visit("/admin/providers?q=same")
            var seen = page.links.map(\.href).filter { $0.hasPrefix("/admin/providers/") }
            #expect(seen.count == 50)
            page = try await page.follow("Show more")
            seen += page.links.map(\.href).filter { $0.hasPrefix("/admin/providers/") }
            #expect(Set(seen).count == 53 && seen.count == 53 && page.link("Show more") == nil)
        }
    }

    @Test func `of two who do the same at once the log names the one who changed something`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ben = try await site.account(of: .ben)
            let mira = try await site.signIn(.mira, isStaff: true)
            let cleo = try await site.signIn(.cleo, isStaff: true)
            func both(
                _ path: String, _ button: String, _ fields: [String: Filling] = ["reason": "a test"], adding: Int = 1
            ) async throws {
                let lines = try site.count(of: "staff_act")
                let pages = [try await mira.visit(path), try await cleo.visit(path)]
                for page in pages { #expect(try await page.press(button, filling: fields).status == 200) }
                #expect(try site.count(of: "staff_act") == lines + adding, "\(button)")
            }
            try await both("/admin/events/\(event)", "Hide the event")
            try await both("/admin/events/\(event)", "Show it again")
            try await both("/admin/people/\(ben)", "Suspend the account")
            try await both("/admin/people/\(ben)", "Restore the account")
            try await both("/admin/providers/1", "Grant the plan", ["plan": "gold", "reason": "a test"])
            // A line for each setting.
            try await both("/admin/settings", "Save", town, adding: 8)
            #expect(try site.count(of: "staff_act WHERE account_id = \(try await site.account(of: .cleo))") == 0)
            for _ in 0..<2 {
                let token = try await mira.visit("/help").value(of: "csrf")!
                let pairs = [(name: "csrf", value: token), (name: "prices", value: "1")]
                _ = try await mira.submit("/admin/providers", pairs)
            }
            #expect(try site.count(of: "staff_act WHERE verb = 'ask_for_prices'") == 1)
        }
    }

    @Test func `what staff did to somebody has the newest on top, whatever it was`() async throws {
        try await withTestSite { site in
            let (mira, ben) = (try await site.account(of: .mira), try await site.account(of: .ben))
            let (few, many) = try await site.write(at: site.clock.now) { tx in
                func record(_ verb: AuditEntry.Verb, on subject: Int64) throws {
                    try AuditEntry.record(verb, "somebody", subject, reason: "test", by: mira, in: tx)
                }
                for verb in [AuditEntry.Verb.suspend, .limit, .restore] { try record(verb, on: ben.rawValue) }
                // An event and other people have such a number, too.
                try record(.hide, on: ben.rawValue)
                try record(.suspend, on: mira.rawValue)
                try record(.grantPlan, on: 99)
                try record(.unlimit, on: ben.rawValue)
                let few = try AuditEntry.on(ben, provider: ID(99), in: tx).map(\.verb)
                for _ in 0..<20 { try record(.resetLink, on: ben.rawValue) }
                return (few, try AuditEntry.on(ben, provider: ID(99), in: tx).map(\.verb))
            }
            #expect(few == [.unlimit, .grantPlan, .restore, .limit, .suspend])
            #expect(many == Array(repeating: .resetLink, count: 20))
        }
    }

    @Test func `an event that is on is coming up until it is over, and a canceled one is not`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana)
            try await site.register([mo], of: .ana, at: event)
            func says(_ coming: Int, over: Int = 0, canceled: Int = 0) async throws {
                let mira = try await site.signIn(.mira, isStaff: true)
                let desk = try await mira.visit("/admin").text
                #expect(desk.contains(coming == 1 ? "1 event coming up" : "\(coming) events coming up"))
                let ben = try await mira.visit("/admin/people/\(try await site.account(of: .ben))").text
                #expect(ben.contains("\(coming) coming up, \(over) over, \(canceled) canceled"))
                let ana = try await mira.visit("/admin/people/\(try await site.account(of: .ana))").text
                #expect(ana.contains("\(coming) for events coming up, 1 in all"))
                let map = try await site.browser().visit("/sitemap.xml").string
                #expect(map.contains("/events/\(event)<") == (coming == 1))
            }
            try await site.write(at: site.clock.now) { tx in
                try Event.cancel(Event.find(event, in: tx)!, reason: "Rain", in: tx)
            }
            try await says(0, canceled: 1)
            try await site.execute("UPDATE event SET cancelled_at = NULL, listed = TRUE")
            site.clock.advance(by: .days(7) + .hours(8))
            try await says(1)
            site.clock.advance(by: .hours(1))
            try await says(0, over: 1)
        }
    }

    @Test func `each act wants a reason, and nobody suspends themselves`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben)
            let mira = try await site.signIn(.mira, isStaff: true)
            for (path, button) in [
                ("/admin/people/1", "Suspend the account"), ("/admin/people/1", "Make a link"),
                ("/admin/events/1", "Hide the event"),
            ] {
                let page = try await mira.visit(path).press(button)
                #expect(page.status == 422)
                #expect(page.problems == ["Give a reason, so that others understand it later."])
            }
            #expect(
                try await mira.visit("/admin/people/2").press("Suspend the account", filling: ["reason": "Tired"])
                    .status == 403)
            let token = try #require(try await mira.visit("/me").value(of: "csrf"))
            for path in ["/admin/people/1/hide", "/admin/people/1/promotion", "/admin/events/1/suspension"] {
                let page = try await mira.post(path, [("csrf", token), ("reason", "Just because")])
                #expect(page.status == 404)
            }
            #expect(try site.count(of: "staff_act") == 0)
            #expect(try site.count(of: "account WHERE suspended_at IS NOT NULL") == 0)
        }
    }

    @Test func `the summary of an act’s problem leads to its reason`() async throws {
        try await withTestSite { site in
            try await site.account(of: .ana)
            let mira = try await site.signIn(.mira, isStaff: true)
            let page = try await mira.visit("/admin/people/1").press("Suspend the account", filling: ["reason": "no"])
            let links = page.html.all(ofClass: "problems").flatMap { $0.all("a") }.compactMap { $0["href"] }
            #expect(links.count == 1)
            for link in links { #expect(page.html.all { $0["id"] == String(link.dropFirst()) }.count == 1) }
            #expect(page.values(of: "reason").contains("no"))
        }
    }

    @Test func `staff without a hat land on their desk, and on the page they were on their way to`() async throws {
        try await withTestSite { site in
            _ = try await site.signIn(.mira, isStaff: true)
            let typed: [String: Filling] = ["login": "mira-staff", "password": .text(Person.password)]
            let mira = site.browser()
            let page = try await mira.visit("/login").press("Log in", filling: typed)
            #expect(page.path == "/admin" && page.heading == "The desk")
            #expect(try await mira.visit("/").link("The desk") == "/admin")
            let log = try await site.browser().visit("/admin/log").press("Log in", filling: typed)
            #expect(log.path == "/admin/log")
        }
    }

    @Test func `the desk counts people, events and what is hidden or suspended`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            _ = try await site.signIn(.ana, as: .parent)
            let mira = try await site.signIn(.mira, isStaff: true)
            func counts() async throws -> [String] {
                try await mira.visit("/admin").html.all(ofClass: "counts").flatMap { $0.all("li") }.map(\.text)
            }
            #expect(
                try await counts() == [
                    "0 things wait for a look", "3 people", "3 new in the last 7 days", "1 family", "1 provider",
                    "1 event coming up",
                    "0 hidden events", "0 suspended accounts",
                ])
            _ = try await mira.visit("/admin/events/\(event)").press("Hide the event", filling: ["reason": "a test"])
            let ana = try await mira.visit("/admin/people?q=ana").follow("ana-ortiz")
            _ = try await ana.press("Suspend the account", filling: ["reason": "a test"])
            site.clock.advance(by: .days(7) - .hours(1))
            // Staff's own log-in ended meanwhile.
            let later = try await site.signIn(.mira, isStaff: true).visit("/admin")
            #expect(later.html.all(ofClass: "counts").first?.text.contains("1 suspended account") == true)
            let suspended = try await later.follow("suspended account")
            #expect(suspended.link("ana-ortiz") != nil && suspended.link("ben-ruiz") == nil)
        }
    }

    @Test func `a person’s page helps, and says nothing about children`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            _ = try await site.signIn(.ana, as: .parent)
            let mo = try await site.child("Moritz", of: .ana)
            _ = try await site.register([mo], of: .ana, at: event)
            let mira = try await site.signIn(.mira, isStaff: true)
            var page = try await mira.visit("/admin/people?q=ana").follow("ana-ortiz")
            #expect(page.text.contains("Ana Ortiz") && page.text.contains("1 for events coming up, 1 in all"))
            #expect(page.text.contains("Last seen") && !page.text.contains("Moritz"))
            page = try await page.press("Make a link", filling: ["reason": "She called me"])
            #expect(page.text.contains("mira-staff made a reset link for ana-ortiz"))
            page = try await mira.visit("/admin/people?q=ben").follow("ben-ruiz")
            #expect(page.text.contains("1 coming up, 0 over, 0 canceled, 0 hidden"))
            #expect(page.text.contains("King Library") && !page.text.contains("She called me"))
        }
    }

    // MARK: The town

    private let town: [String: Filling] = [
        "town": "San José", "time_zone": "America/New_York", "country": "DE", "contact_name": "The library’s friends",
        "contact_email": "hello@village.example", "contact_phone": "+1 408 555 0100",
        "privacy_email": "data@village.example",
    ]

    @Test func `the first admin is told what is missing, and says who runs the site`() async throws {
        try await withTestSite { site in
            let visitor = site.browser()
            #expect(try await visitor.visit("/about").text.contains("not yet said how to reach them"))
            let mira = try await site.signIn(.mira, isStaff: true)
            func missing() async throws -> [String] {
                try await mira.visit("/admin").html.all(ofClass: "check").filter { !$0.text.contains("Done") }
                    .compactMap { $0.first("a")?["href"] }
            }
            let fields = ["town", "time_zone", "country", "contact_email", "privacy_email"]
            let others = ["/admin/people", "/admin/mail", "/admin/modules"]
            #expect(
                try await missing() == (fields + ["joining"]).map { "/admin/settings#\($0)" } + others)
            let form = try await mira.visit("/admin/settings")
            for field in fields { #expect(form.html.all { $0["id"] == field }.count == 1) }
            #expect(form.value(of: "time_zone") == site.site.settings.zone.identifier)
            let page = try await form.press("Save", filling: town)
            #expect(page.path == "/admin" && page.flash == "Saved.")
            #expect(try await missing() == others)
            _ = try await site.account(of: .noor, role: .moderator)
            try await site.execute("INSERT INTO note (name, value) VALUES ('mail_tested', '1')")
            _ = try await mira.visit("/admin/modules").press("Save")
            #expect(try await mira.visit("/admin").html.all(ofClass: "check").isEmpty)

            for path in ["/about", "/help", "/privacy", "/accessibility"] {
                let page = try await visitor.visit(path)
                #expect(page.link("hello@village.example") == "mailto:hello@village.example", "\(path)")
                #expect(page.link("+1 408 555 0100") == "tel:+14085550100", "\(path)")
                #expect(page.text.contains("The library’s friends"), "\(path)")
                #expect(page.html.all(ofClass: "brand").first?.text.contains("San José") == true, "\(path)")
            }
            // A person kept out learns whom to ask.
            try await site.account(of: .ana)
            try await site.execute("UPDATE account SET suspended_at = 1 WHERE username = 'ana-ortiz'")
            let kept = try await site.browser().visit("/login").press(
                "Log in", filling: ["login": "ana-ortiz", "password": .text(Person.password)])
            #expect(kept.link("hello@village.example") == "mailto:hello@village.example")
            #expect(try await visitor.visit("/privacy").link("data@village.example") == "mailto:data@village.example")
            // Both count at once, before what the program was started with.
            #expect(site.site.settings.zone.identifier == "America/New_York" && site.site.settings.country == "DE")
            #expect(try await site.signIn(.cleo).visit("/me/family").value(of: "country") == "DE")
            #expect(try await mira.visit("/admin/log").text.contains("mira-staff changed the settings of the site"))
        }
    }

    @Test func `settings with problems are kept as typed and change nothing`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let page = try await mira.visit("/admin/settings").press(
                "Save", filling: ["town": "Kite & Co", "time_zone": "Kiteland", "contact_phone": ""])
            #expect(page.status == 422 && page.value(of: "town") == "Kite & Co")
            #expect(page.problems.contains("Write the time zone like America/Los_Angeles."))
            #expect(page.problems.contains("Give an e-mail address or a phone, so that people can reach you."))
            #expect(try site.count(of: "note WHERE name LIKE 'town_%'") == 0)
            #expect(site.site.town == Town())
        }
    }

    @Test func `what an admin wrote is there after the next start`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await mira.visit("/admin/settings").press("Save", filling: town)
            let town = try site.read { db in try Town(in: db) }
            #expect(town == site.site.town && town.name == "San José" && town.zone?.identifier == "America/New_York")
        }
    }

    // MARK: Events

    @Test func `a hidden event is gone for everybody else, until it is shown again`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben)
            let mira = try await site.signIn(.mira, isStaff: true)
            let nobody = site.browser()
            var page = try await mira.visit("/admin/events?q=kite").follow("Kite day").press(
                "Hide the event", filling: ["reason": "Not for children"])
            #expect(page.path == "/admin/events/1" && page.flash == "The event is hidden.")
            #expect(try await nobody.visit("/events/1").status == 404)
            // Its provider learns why, on its page and in the list.
            let ben = try await site.signIn(.ben, as: .provider)
            for path in ["/events/1", "/me/events", "/"] {
                let text = try await ben.visit(path).text
                #expect(text.contains("Not for children"), "\(path): \(text)")
            }
            #expect(try await ben.visit("/events/1").text.contains("This event is hidden."))
            #expect(try await mira.visit("/events/1").link("Show it again") == "/admin/events/1")
            #expect(try await nobody.visit("/events").cards == [])
            #expect(try await nobody.visit("/events?q=kite").cards == [])
            #expect(try await mira.visit("/admin/events").text.contains("Hidden Kite day"))
            page = try await page.press("Show it again", filling: ["reason": "It is after all"])
            #expect(try await nobody.visit("/events?q=kite").cards == ["Kite day"])
            let shown = try await nobody.visit("/events/1")
            #expect(shown.status == 200 && !shown.text.contains("Not for children") && shown.link("Hide it") == nil)
            #expect(try await !ben.visit("/me/events").text.contains("Not for children"))
            #expect(try await mira.visit("/events/1").link("Hide it") == "/admin/events/1")
            let log = try await mira.visit("/admin/log").html.all("tr").dropFirst().map(\.text)
            let day = "Kite day, by ben-ruiz"
            #expect(log.first?.hasSuffix("mira-staff showed the event again \(day) It is after all") == true)
            #expect(log.last?.hasSuffix("mira-staff hid the event \(day) Not for children") == true)
            #expect(try await mira.visit("/admin/events/999").status == 404)
        }
    }

    @Test func `whom hiding concerns is said before the press`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await !mira.visit("/admin/events/\(event)").text.contains("registered"))
            let (mo, lu) = (try await site.child("Mo", of: .ana), try await site.child("Lu", of: .ana))
            try await site.register([mo, lu], of: .ana, at: event)
            try await site.register([try await site.child("Vy", of: .cleo)], of: .cleo, at: event)
            var text = try await mira.visit("/admin/events/\(event)").text
            #expect(text.contains("2 families are registered. 3 places are taken."))
            site.clock.advance(by: .days(8))
            text = try await mira.visit("/admin/events/\(event)").text
            #expect(!text.contains("families are registered"))
        }
    }

    @Test func `the list of hidden events goes on, page by page`() async throws {
        try await withTestSite { site in
            for number in 1...Event.pageSize + 3 { try await site.publish(by: .ben) { $0.title = "Kite \(number)" } }
            // Some were hidden in the same moment.
            try await site.execute("UPDATE event SET hidden_at = id / 4 + 1, listed = FALSE")
            let mira = try await site.signIn(.mira, isStaff: true)
            let first = try await mira.visit("/admin/events")
            let second = try await first.follow("More hidden events")
            #expect(first.rows.count == Event.pageSize && Set(first.rows + second.rows).count == Event.pageSize + 3)
            #expect(second.link("More hidden events") == nil && second.link("All events") == "/admin/events")
        }
    }

    @Test func `the people's list leads back to its first page`() async throws {
        try await withTestSite { site in
            _ = try await site.account(of: .ana)
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await mira.visit("/admin/people").link("Back to the first page") == nil)
            let later = try await mira.visit("/admin/people?after=ana-ortiz&only=suspended")
            #expect(later.link("Back to the first page") == "/admin/people?only=suspended")
        }
    }

    @Test func `all events to come are found page by page, and an empty list says what it looked for`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await mira.visit("/admin/events").text.contains("No events are coming up."))
            let none = try await mira.visit("/admin/events?q=kite")
            #expect(none.text.contains("No upcoming event was found for “kite”."))
            #expect(try await mira.visit("/admin/people?q=zz").text.contains("Nobody was found for “zz”."))
            #expect(try await mira.visit("/admin/people?only=suspended").text.contains("No account is suspended."))
            #expect(try await mira.visit("/admin/providers").text.contains("No organization is here yet."))
            for number in 1...43 { try await site.publish(by: .ben) { $0.title = "Kite \(number)" } }
            for words in ["", "?q=kite"] {
                var page = try await mira.visit("/admin/events\(words)")
                var rows = page.rows
                while page.link("Show more events") != nil {
                    page = try await page.follow("Show more events")
                    rows += page.rows
                }
                #expect(rows.count == 43 && Set(rows).count == 43, "\(words): \(rows)")
            }
        }
    }

    @Test func `the log goes back page by page`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await mira.visit("/admin/log").text.contains("Staff did nothing yet."))
            try await site.write(at: site.clock.now) { tx in
                for number in 1...120 {
                    try AuditEntry.record(.hide, "Event \(number)", 1, reason: "Because", by: nil, in: tx)
                }
            }
            var page = try await mira.visit("/admin/log")
            var rows: [String] = []
            while true {
                rows += page.html.all("tr").dropFirst().map(\.text)
                guard page.link("Show older") != nil else { break }
                page = try await page.follow("Show older")
            }
            #expect(rows.count == 120 && Set(rows).count == 120)
            #expect(rows.first?.contains("the command line hid the event Event 120 Because") == true)
        }
    }
}
