import Database
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
            #expect(form["Referrer-Policy"] == "no-referrer")
            var page = try await form.press(
                "Make the first account",
                filling: ["email": "mira@example.org", "username": "mi", "password": "look after it", "adult": true])
            #expect(page.status == 422 && page.value(of: "email") == "mira@example.org")
            #expect(page["Referrer-Policy"] == "no-referrer")
            page = try await page.press(
                "Make the first account", filling: ["username": "mira-lund", "password": "look after it"])
            #expect(page.path == "/admin" && page.status == 200)
            #expect(try site.count(of: "account WHERE is_staff") == 1)

            let stranger = site.browser()
            #expect(try await stranger.visit(path(of: link)).status == 404)
            let pairs = [
                ("email", "eve@example.org"), ("username", "eve-eve"), ("password", "look after me"), ("adult", "1"),
            ]
            #expect(try await stranger.post(path(of: link), pairs.map { (name: $0.0, value: $0.1) }).status == 404)
            #expect(try site.count(of: "account") == 1)
            #expect(try await site.site.setupLink() == nil)
        }
    }

    @Test func `a new start makes a new link, and the old one is void`() async throws {
        try await withTestSite { site in
            let old = try #require(try await site.site.setupLink())
            let new = try #require(try await site.site.setupLink())
            #expect(try await site.browser().visit(path(of: old)).status == 404)
            #expect(try await site.browser().visit(path(of: new)).status == 200)
            for token in ["x", String(repeating: "A", count: 43), "..", "%00"] {
                #expect(try await site.browser().visit("/setup/\(token)").status == 404)
            }
        }
    }

    // MARK: Rights

    @Test(arguments: [
        "/admin", "/admin/people", "/admin/people/1", "/admin/events", "/admin/events/1", "/admin/log",
        "/help/components",
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
            for (path, act) in [
                ("/admin/people/1", "suspend"), ("/admin/people/1", "reset_link"), ("/admin/events/1", "hide"),
            ] {
                let page = try await ana.post(path, [("csrf", token), ("act", act), ("reason", "Just because")])
                #expect(page.status == 403)
            }
            #expect(try site.count(of: "staff_act") == 0)
            #expect(try site.count(of: "reset_link") == 0)
        }
    }

    // MARK: People

    @Test func `people are found by the beginning of a name or an address`() async throws {
        try await withTestSite { site in
            for person in [Person.ana, .ben, .cleo] { try await site.account(of: person) }
            let mira = try await site.signIn(.mira, isStaff: true)
            func found(_ words: String) async throws -> [String] {
                let page = try await mira.visit("/admin/people").press("Find", filling: ["q": .text(words)])
                return page.html.first("main")!.all(ofClass: "what").compactMap { $0.first("a")?.text }
            }
            #expect(try await found("") == ["ana-ortiz", "ben-ruiz", "cleo-park", "mira-staff"])
            #expect(try await found("ANA") == ["ana-ortiz"])
            #expect(try await found("ben-ruiz@example.org") == ["ben-ruiz"])
            for words in ["ortiz", "%", "🎪"] { #expect(try await found(words) == []) }
            #expect(try await mira.visit("/admin/people/999").status == 404)
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
            #expect(page.status == 200 && page["Referrer-Policy"] == "no-referrer")
            let again = try await site.browser().visit(path(of: link))
            page = try await page.press("Save the password", filling: ["password": "short"])
            #expect(page.status == 422 && page.problems.count == 1)
            page = try await page.press("Save the password", filling: ["password": "kites and kites"])
            #expect(page.path == "/login" && page.flash == "The password is changed.")
            #expect(try await ana.visit("/week").path.hasPrefix("/login"))
            page = try await page.press("Log in", filling: ["login": "ana-ortiz", "password": "kites and kites"])
            #expect(page.status == 200 && page.path == "/")
            #expect(try await again.press("Save the password", filling: ["password": "other kites"]).status == 404)
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
            #expect(try await nobody.visit(first).status == 404)
            site.clock.advance(by: .minutes(30) - .seconds(1))
            let form = try await nobody.visit(second)
            #expect(form.status == 200)
            site.clock.advance(by: .seconds(1))
            #expect(try await nobody.visit(second).status == 404)
            #expect(try await form.press("Save the password", filling: ["password": "kites and kites"]).status == 404)
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
            var page = try await mira.visit("/admin/people/1").press(
                "Suspend the account", filling: ["reason": "Spam, twice"])
            #expect(page.path == "/admin/people/1" && page.flash == "The account is suspended.")
            #expect(page.text.contains("This account is suspended"))
            #expect(try await ana.visit("/week").path.hasPrefix("/login"))
            #expect(try await logIn() == 422)
            page = try await page.press("Restore the account", filling: ["reason": "A mistake"])
            #expect(page.flash == "The account is restored.")
            #expect(try await ana.visit("/week").path.hasPrefix("/login"))
            #expect(try await logIn() == 200)
            let log = try await mira.visit("/admin/log").html.all("tr").dropFirst().map(\.text)
            #expect(
                log == [
                    "2027-03-20 03:00 mira-staff restored ana-ortiz A mistake",
                    "2027-03-20 03:00 mira-staff suspended ana-ortiz Spam, twice",
                ])
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
            for (path, act) in [
                ("/admin/people/1", "hide"), ("/admin/people/1", "promote"), ("/admin/events/1", "suspend"),
            ] {
                let page = try await mira.post(path, [("csrf", token), ("act", act), ("reason", "Just because")])
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
            #expect(try await nobody.visit("/events").cards == [])
            #expect(try await nobody.visit("/events?q=kite").cards == [])
            #expect(try await mira.visit("/admin/events").text.contains("Hidden Kite day"))
            page = try await page.press("Show it again", filling: ["reason": "It is after all"])
            #expect(try await nobody.visit("/events?q=kite").cards == ["Kite day"])
            #expect(try await nobody.visit("/events/1").status == 200)
            let log = try await mira.visit("/admin/log").html.all("tr").dropFirst().map(\.text)
            #expect(log.first?.hasSuffix("mira-staff showed the event again Kite day It is after all") == true)
            #expect(log.last?.hasSuffix("mira-staff hid the event Kite day Not for children") == true)
            #expect(try await mira.visit("/admin/events/999").status == 404)
        }
    }

    @Test func `the log goes back page by page`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await mira.visit("/admin/log").text.contains("Nothing yet."))
            let now = site.clock.now
            try await site.site.write { db in
                for number in 1...120 {
                    try StaffAct.record(.hide, "Event \(number)", 1, reason: "Because", by: nil, at: now, in: db)
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
