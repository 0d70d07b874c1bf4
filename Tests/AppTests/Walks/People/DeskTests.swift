import Database
import Forms
import Foundation
import HTTPTypes
import Testing

@testable import App

/// The desk of those who run the site: roles, what is open, the line on every page, marks, tags, operations.
@Suite struct DeskTests {
    private static let password: Filling = .text(Person.password)

    // MARK: Roles

    @Test func `an admin makes a moderator, who logs in anew and finds the desk without what runs the site`()
        async throws
    {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let mira = try await site.signIn(.mira, isStaff: true)
            let form = try await mira.visit("/admin/people?q=ben").follow("ben-ruiz").follow("Change the role")
            let answers: [String: Filling] = ["role": "moderator", "reason": "She reads along every day"]
            let wrong = try await form.press(
                "Save the role", filling: answers.merging(["current_password": "not mine at all"]) { $1 })
            #expect(wrong.status == 422 && wrong.problems == ["This is not your password. Try again."])
            #expect(try site.count(of: "account WHERE is_staff") == 1)
            let page = try await wrong.press("Save the role", filling: ["current_password": Self.password])
            #expect(page.flash == "Saved. They are told, and log in anew.")
            #expect(page.text.contains("mira-staff made a moderator of ben-ruiz"))
            // The old session gives no rights.
            #expect(try await ben.visit("/admin").path.hasPrefix("/login"))
            #expect(try site.count(of: "account WHERE is_staff AND NOT is_admin AND two_step_by IS NOT NULL") == 1)
            let again = try await site.browser().visit("/login").press(
                "Log in", filling: ["login": "ben-ruiz", "password": Self.password])
            let desk = try await again.browser.visit("/admin")
            #expect(desk.status == 200 && desk.link("Operations") == nil && desk.link("What staff did") != nil)
            #expect(try await again.browser.visit("/admin/operations").status == 403)
            #expect(try await again.browser.visit("/inbox").text.contains("as a moderator"))
            site.clock.advance(by: .hours(72))
            let late = try await site.signIn(.ben, role: .moderator, withoutTwoStep: true)
            #expect(try await late.visit("/admin").path == "/me/two-step")
        }
    }

    @Test func `the last admin neither leaves nor is made less, whoever else looks after the site`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let noor = try await site.signIn(.noor, role: .moderator)
            let id = try await site.account(of: .mira)
            let page = try await mira.visit("/admin/people/\(id)/role").press(
                "Save the role",
                filling: ["role": "member", "reason": "Tired", "current_password": Self.password])
            #expect(page.status == 422 && page.problems.first?.hasPrefix("Nobody else could run the site") == true)
            #expect(try await mira.visit("/me/delete").text.contains("You are the last one who runs this site"))
            // A moderator is no way around it.
            #expect(try await noor.visit("/admin/people/\(id)").text.contains("Only an admin decides about"))
            let token = try #require(try await noor.visit("/admin/people/\(id)").value(of: "csrf"))
            for act in ["suspension", "reset-link", "log-out"] {
                let pairs = [("csrf", token), ("reason", "Because I can")]
                let refused = try await noor.submit("/admin/people/\(id)/\(act)", pairs)
                #expect(refused.status == 403, "\(act)")
            }
            #expect(try site.count(of: "staff_act") == 0)
            #expect(try site.count(of: "account WHERE is_admin AND suspended_at IS NULL") == 1)
        }
    }

    @Test func `two admins who take each other's role at once leave one of them`() async throws {
        try await withTestSite { site in
            let mira = try await site.account(of: .mira, isStaff: true)
            let cleo = try await site.account(of: .cleo, isStaff: true)
            let now = site.clock.now
            func visitor(_ person: Person) async throws -> Visitor {
                let browser = try await site.signIn(person, isStaff: true)
                let cookie = Cookie.name(Session.cookieName, in: site.site.settings)
                let token = try #require(browser.cookie(cookie).flatMap { Token($0) })
                return try #require(try site.read(at: now) { tx in try Session.visitor(token.hash, in: tx) })
            }
            let (one, other) = (try await visitor(.mira), try await visitor(.cleo))
            @Sendable func take(_ id: ID<Account>, by admin: Visitor) async -> Bool {
                let result = try? await site.write(at: now) { tx in
                    let person = try Account.find(id, in: tx)!
                    return try Role.give(.member, to: person, reason: "-", by: admin, token: Token(), in: tx)
                }
                return result == true
            }
            async let first = take(cleo, by: one)
            async let second = take(mira, by: other)
            let done = await [first, second]
            #expect(done.count { $0 } == 1)
            #expect(try site.count(of: "account WHERE is_admin") == 1)
        }
    }

    @Test func `who gives up a role goes on with another token, and the old one opens nothing`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await site.account(of: .cleo, isStaff: true)
            let thief = mira.copy()
            let id = try await site.account(of: .mira)
            let page = try await mira.visit("/admin/people/\(id)/role").press(
                "Save the role",
                filling: ["role": "moderator", "reason": "Less time", "current_password": Self.password])
            #expect(page.status == 200 && page.path == "/admin/people/\(id)")
            #expect(try await mira.visit("/admin/queue").status == 200)
            #expect(try await mira.visit("/admin/settings").status == 403)
            #expect(try await thief.visit("/admin/queue").path.hasPrefix("/login"))
        }
    }

    // MARK: Modules

    @Test(arguments: Module.allCases)
    func `what is switched off isn't there, nothing leads to it, and it comes back as it was`(module: Module)
        async throws
    {
        try await withTestSite { site in
            try await site.publish(by: .ben)
            let event = try await site.publish(by: .ben) { $0.title = "Fair" }
            let ana = try await site.signIn(.ana, as: .parent)
            let mira = try await site.signIn(.mira, isStaff: true)
            let routes = site.site.routes().all.filter { $0.module == module }
            #expect(routes.count >= 2)
            func address(_ route: Route) -> String {
                route.pattern.split(separator: "/").map { part in
                    part.hasPrefix(":") || part.hasPrefix("{") ? "999999" : String(part)
                }.reduce("") { $0 + "/" + $1 }
            }
            let pages = ["/", "/events", "/events/\(event)", "/me", "/week", "/people", "/moderation", "/me/notices"]
            func leads(_ browser: Browser) async throws -> Set<String> {
                var found: Set<String> = []
                for path in pages {
                    for link in try await browser.visit(path).links {
                        let plain = String(link.href.prefix { $0 != "?" && $0 != "#" })
                        if !routes.matching(plain).isEmpty { found.insert(plain) }
                    }
                }
                return found
            }
            let before = try await leads(ana)
            if module != .programs { #expect(!before.isEmpty) }
            let page = try await mira.visit("/admin/modules").press(
                "Save",
                filling: ["module": .texts(Module.allCases.filter { $0 != module }.map(\.rawValue))])
            #expect(page.flash == "Saved.")
            #expect(try await leads(ana) == [])
            #expect(try await leads(site.browser()) == [])
            let token = try #require(try await ana.visit("/help").value(of: "csrf"))
            for route in routes {
                let answer =
                    route.method == .post
                    ? try await ana.submit(address(route), [("csrf", token)])
                    : try await ana.send("GET", address(route))
                #expect(answer.status == 404, "\(route.pattern)")
                // Programs are told in their own way.
                if route.pattern.hasSuffix(".ics") || route.pattern.hasPrefix("/api/") { continue }
                #expect(answer.heading == "This isn’t here at the moment", "\(route.pattern)")
            }
            _ = try await mira.visit("/admin/modules").press(
                "Save", filling: ["module": .texts(Module.allCases.map(\.rawValue))])
            #expect(try await leads(ana) == before)
            let log = try await mira.visit("/admin/log").text
            #expect(log.contains("switched off \(module.name.english)"))
        }
    }

    // MARK: A closed site

    @Test func `a closed site shows visitors what explains it, and nothing that was kept from before`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let visitor = site.browser()
            // The twin: before, everybody reads it, from the cache too.
            for _ in 0..<2 { #expect(try await visitor.visit("/events/\(event)").text.contains("Kite day")) }
            #expect(try await visitor.visit("/").text.contains("Kite day"))
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await mira.visit("/admin/modules").press("Save", filling: ["closed": true])
            let doors = [
                "/", "/login", "/signup", "/forgot", "/about", "/help", "/privacy", "/accessibility",
                "/accessibility.yaml", "/healthz", "/robots.txt",
            ]
            for path in doors {
                let page = try await site.browser().visit(path)
                #expect(page.status == 200 && page.path == path, "\(path)")
                #expect(!page.text.contains("Kite day"), "\(path)")
            }
            for route in site.site.routes().all
            where route.isForAnyone && !route.traits.contains(.openWhenClosed) && route.method == .get {
                let path = route.pattern.split(separator: "/").map { part in
                    part.hasPrefix(":") ? "1" : part.hasPrefix("{") ? "1.ics" : String(part)
                }.reduce("") { $0 + "/" + $1 }
                let page = try await site.browser().send("GET", path)
                let isAsked = page.status == 303 && page.location?.hasPrefix("/login?next=") == true
                #expect(isAsked || page.status == 401, "\(route.pattern): \(page.status)")
            }
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await ana.visit("/events/\(event)").text.contains("Kite day"))
            #expect(try await visitor.visit("/robots.txt").string.contains("Disallow: /\n"))
            _ = try await mira.visit("/admin/modules").press("Save", filling: ["closed": false])
            #expect(try await site.browser().visit("/events/\(event)").text.contains("Kite day"))
        }
    }

    // MARK: The line on every page

    @Test func `the line stands on every page until its last day, and whoever puts it away sees it no more`()
        async throws
    {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let visitor = site.browser()
            _ = try await visitor.visit("/events")
            let form = try await mira.visit("/admin/banner")
            let wrong = try await form.press(
                "Save", filling: ["text": .text("Closed <b>on Monday"), "until": "2027-03-19"])
            #expect(wrong.status == 422 && wrong.value(of: "text") == "Closed <b>on Monday")
            _ = try await wrong.press("Save", filling: ["until": "2027-03-21"])
            for path in ["/events", "/about", "/login", "/nothing-here"] {
                #expect(try await visitor.visit(path).string.contains("Closed &lt;b&gt;on Monday"), "\(path)")
            }
            let page = try await visitor.visit("/events").press("Put away")
            #expect(page.path == "/events" && !page.string.contains("on Monday"))
            #expect(try await !visitor.visit("/about").string.contains("on Monday"))
            // The page without it wasn't cached for others.
            #expect(try await site.browser().visit("/events").string.contains("on Monday"))
            // Another line comes to everybody.
            _ = try await mira.visit("/admin/banner").press("Save", filling: ["text": "The library is open again"])
            #expect(try await visitor.visit("/events").string.contains("open again"))
            site.clock.advance(by: .days(2))
            #expect(try await !site.browser().visit("/events").string.contains("open again"))
        }
    }

    // MARK: Marks

    @Test func `a mark says what was checked, is asked about, and runs out by itself`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            try await site.execute("UPDATE account SET confirmed_at = 1")
            let mira = try await site.signIn(.mira, isStaff: true)
            let provider = try await site.provider(of: .ben)
            let form = try await mira.visit("/admin/providers/\(provider)")
            let far = try await form.press(
                "Mark as verified", filling: ["checked": "its entry in the register", "until": "2030-01-01"])
            #expect(far.status == 422)
            _ = try await far.press("Mark as verified", filling: ["until": "2027-04-10"])
            for path in ["/providers/ben-ruiz", "/events/\(event)"] {
                let text = try await site.browser().visit(path).text
                #expect(text.contains("The people who run this site checked: its entry in the register."), "\(path)")
                #expect(text.contains("It counts until Apr 10, 2027"), "\(path)")
            }
            let log = try await mira.visit("/admin/log").text
            #expect(log.contains("mira-staff verified the organization King Library"))
            let now = site.clock.now
            func reminded(_ days: Int) async throws -> Int {
                try await site.write(at: now + .days(days)) { tx in try Verified.remind(in: tx) }
            }
            #expect(try await reminded(1) == 0)
            #expect(try await reminded(8) == 1)
            #expect(try await reminded(9) == 0)
            #expect(try await mira.visit("/inbox").text.contains("The mark of King Library runs out soon"))
            site.clock.advance(by: .days(22))
            for path in ["/providers/ben-ruiz", "/events/\(event)"] {
                #expect(try await !site.browser().visit(path).text.contains("Verified"), "\(path)")
            }
        }
    }

    @Test func `a link for money is shown only with the mark`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben) {
                $0.kind = .donate
                $0.title = "A roof"
                $0.rhythm = nil
                $0.url = "https://roof.example/give"
                $0.shifts[0] = OpportunityForm.ShiftRow()
                $0.things[0] = OpportunityForm.ThingRow(name: "Nails", wanted: 10)
            }
            #expect(try await !site.browser().visit("/opportunities/\(id)").string.contains("roof.example"))
            let provider = try await site.provider(of: .ben)
            let now = site.clock.now
            let admin = try await site.account(of: .mira, isStaff: true)
            try await site.write(at: now) { tx in
                try Verified.set(
                    Verified(checked: "its register", at: tx.now, until: tx.now + .days(10)),
                    of: Provider.find(provider, in: tx)!, reason: "", by: admin, in: tx)
            }
            #expect(try await site.browser().visit("/opportunities/\(id)").string.contains("roof.example"))
            #expect(try await site.browser().visit("/opportunities?verified=1").cards == ["A roof"])
            site.clock.advance(by: .days(10))
            #expect(try await !site.browser().visit("/opportunities/\(id)").string.contains("roof.example"))
            #expect(try await site.browser().visit("/opportunities?verified=1").cards == [])
        }
    }

    // MARK: The letter of the day

    @Test func `moderators get one letter a day from seven on, while something waits and they want it`() async throws {
        try await withTestSite { site in
            _ = try await site.account(of: .noor, role: .moderator)
            let cleo = try await site.account(of: .cleo, role: .moderator)
            let ana = try await site.account(of: .ana)
            try await site.execute("UPDATE account SET confirmed_at = 1")
            let (zone, start) = (site.site.settings.zone, site.clock.now)
            func send(_ hours: Int) async throws -> Int {
                try await site.write(at: start + .hours(hours)) { tx in try DeskNews.sendDigest(in: zone, tx: tx) }
            }
            #expect(try await send(5) == 0)
            try await site.write(at: start) { tx in
                try Matter.raise(.person(ana), of: ana, for: .look, in: tx)
                try Notice.choose(.desk, .mail, false, by: cleo, in: tx)
            }
            // Seven was looked at already; the next morning is another.
            #expect(try await send(6) == 0)
            #expect(try await send(27) == 0)
            #expect(try await send(28) == 1)
            #expect(try await send(29) == 0)
            let letter: Letter = try #require(
                try site.read { db in
                    try db.first("SELECT \(Letter.columns) FROM letter WHERE kind = 'desk'")
                })
            let text = try #require(
                try site.read(at: start) { tx in try letter.text(country: "US", zone: .utc, in: tx) })
            #expect(text.lines.first?.english == "1 thing waits for a look.")
        }
    }

    // MARK: Tags

    @Test func `a tag merged into another takes along events, searches and what people see less of`() async throws {
        try await withTestSite { site in
            let one = try await site.publish(by: .ben) {
                $0.title = "Pool day"
                $0.tags = "swiming, water"
            }
            let both = try await site.publish(by: .ben) {
                $0.title = "Lake day"
                $0.tags = "swiming, swimming"
            }
            let (ana, ben) = (try await site.account(of: .ana), try await site.account(of: .ben))
            try await site.execute(
                """
                INSERT INTO less (account_id, tag)
                VALUES (\(ana), 'swiming'), (\(ana), 'swimming'), (\(ben), 'swiming')
                """
            )
            let mira = try await site.signIn(.mira, isStaff: true)
            let page = try await mira.visit("/admin/tags").follow("swiming")
            #expect(try await page.press("Rename or merge", filling: ["into": "swiming"]).status == 422)
            _ = try await page.press("Rename or merge", filling: ["into": "Swimming"])
            let tags: [String] = try site.read { db in
                try db.all("SELECT tags FROM event WHERE id IN (\(one), \(both)) ORDER BY id") { try $0.next() }
            }
            #expect(tags == ["swimming,water", "swimming"])
            #expect(try site.count(of: "event_tag WHERE tag = 'swiming'") == 0)
            #expect(try site.count(of: "event_tag WHERE tag = 'swimming'") == 2)
            #expect(try site.count(of: "less WHERE tag = 'swimming'") == 2)
            #expect(try site.count(of: "less") == 2)
            for path in ["/events?tag=swiming", "/events?tag=swimming", "/events?q=swimming"] {
                #expect(try await site.browser().visit(path).cards.count == 2, "\(path)")
            }
            #expect(try await mira.visit("/admin/log").text.contains("merged tags: swiming → swimming"))
            // What is posted with the old one from now on has the new one.
            let later = try await site.publish(by: .ben) { $0.tags = "swiming" }
            #expect(try site.count(of: "event WHERE id = \(later) AND tags = 'swimming'") == 1)
            // A hidden one is offered to nobody; events keep it.
            _ = try await mira.visit("/admin/tags?tag=water").press("Hide it")
            #expect(try await site.browser().visit("/tags").link("water") == nil)
            #expect(try await site.browser().visit("/events?tag=water").cards == ["Pool day"])
        }
    }

    // MARK: The log

    @Test func `the log says from what to what, finds words in any script, and can be taken along`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await site.signIn(.ben, as: .provider)
            _ = try await mira.visit("/admin/people?q=ben").follow("ben-ruiz").follow("Change the role").press(
                "Save the role",
                filling: ["role": "moderator", "reason": "Чита́ет всё", "current_password": Self.password])
            let saved = try await mira.visit("/admin/settings").press(
                "Save", filling: ["town": "Villach", "contact_name": "=Volunteers", "contact_email": "a@b.example"])
            #expect(saved.problems == [])
            let all = try await mira.visit("/admin/log")
            #expect(all.text.contains("Before: member Now: moderator"))
            #expect(all.text.contains("changed the settings of the site: Name of the town"))
            #expect(all.text.contains("Now: Villach"))
            let found = try await mira.visit("/admin/log?q=%D1%87%D0%B8%D1%82%D0%B0%D0%B5%D1%82")
            #expect(found.text.contains("made a moderator of ben-ruiz") && !found.text.contains("Villach"))
            #expect(try await mira.visit("/admin/log?q=nothing").text.contains("Nothing in the log matches that."))
            #expect(try await mira.visit("/admin/log?by=noor-staff").text.contains("Nothing in the log matches that."))
            #expect(try await mira.visit("/admin/log?by=mira-staff&from=2027-03-20").text.contains("Villach"))
            #expect(try await !mira.visit("/admin/log?to=2027-03-19").text.contains("Villach"))
            let csv = try await mira.visit("/admin/log?q=town&as=csv").string
            #expect(csv.contains("\"Before\",\"After\"") && csv.contains("\"Villach\""))
            // What a spreadsheet would take for a formula is none.
            #expect(try await mira.visit("/admin/log?as=csv").string.contains("\"'=Volunteers\""))
        }
    }

    // MARK: Operations

    @Test func `a site that has just begun isn't broken for want of a backup, and is when none was made in time`()
        async throws
    {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await !mira.visit("/admin").text.contains("Broken now"))
            #expect(try await mira.visit("/admin/operations").text.contains("None yet"))
            site.clock.advance(by: .hours(49))
            let late = try await site.signIn(.mira, isStaff: true)
            let desk = try await late.visit("/admin").text
            #expect(desk.contains("Broken now") && desk.contains("None yet"))
        }
    }

    @Test func `the desk says first what is broken, to those who can mend it`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let noor = try await site.signIn(.noor, role: .moderator)
            let (now, database, media) = (site.clock.now, site.site.database, site.site.media.database)
            try await site.site.backups.make(of: database, and: media, at: now)
            #expect(try await !mira.visit("/admin").text.contains("Broken now"))
            _ = try await site.browser().visit("/forgot").press(
                "Ask for a link", filling: ["email": .text(Person.noor.email)])
            let desk = try await mira.visit("/admin").text
            // Staff can hand the link over: nobody is locked out for good.
            #expect(
                desk.contains("No mail server is set up (VILLAGE_SMTP_URL)")
                    && desk.contains("people who lost a password need a link from you"))
            #expect(try await !noor.visit("/admin").text.contains("VILLAGE_SMTP_URL"))
            // A file where the folder of the backups was.
            try FileManager.default.removeItem(atPath: site.site.backups.folder)
            try Data().write(to: URL(filePath: site.site.backups.folder))
            await #expect(throws: (any Error).self) {
                try await site.site.backups.make(of: database, and: media, at: now)
            }
            let page = try await mira.visit("/admin")
            #expect(page.text.contains("Broken now") && page.text.contains("The last try failed: "))
            #expect(!page.text.contains("NSCocoa") && !page.text.contains("Domain="))
            // The clock of the machine went back.
            site.clock.advance(by: .days(-2))
            #expect(try await mira.visit("/admin").text.contains("is behind what is stored already"))
        }
    }

    @Test func `load is counted by the hour, and what took longest is known to within a half`() {
        let load = Load()
        let now = Clock.start
        for number in 1...100 {
            load.note(.milliseconds(number <= 98 ? 2 : 900), isFailure: number == 1, at: now)
        }
        load.note(.milliseconds(1), isFailure: false, at: now - .hours(30))
        let hours = load.hours(at: now)
        #expect(hours.count == 24 && hours.last?.requests == 100 && hours.last?.failures == 1)
        #expect(hours.dropLast().allSatisfy { $0.requests == 0 && $0.percentile(50) == nil })
        let (median, most) = (hours.last?.percentile(50) ?? 0, hours.last?.percentile(99) ?? 0)
        #expect((2_000...3_000).contains(median) && (900_000...1_350_000).contains(most))
        // A day later the same slot holds another minute.
        load.note(.milliseconds(1), isFailure: false, at: now + .days(1))
        #expect(load.hours(at: now + .days(1)).last?.requests == 1)
        // A clock that is wrong by so much ends nothing.
        load.note(.milliseconds(1), isFailure: false, at: Instant(milliseconds: -90_000_000))
        #expect(Load.bucket(of: 0) == 0 && Load.bucket(of: .max) == Load.bounds.count)
    }

    @Test func `operations say how the machine is, and everybody reads how little is kept`() async throws {
        try await withTestSite { site in
            try await site.child("Mo", of: .ana)
            let mira = try await site.signIn(.mira, isStaff: true)
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            let page = try await mira.visit("/admin/operations")
            let engine = site.site.database.engine.name
            for words in ["Last backup", "None yet", "Room on the disk", engine, "of each child"] {
                #expect(page.text.contains(words), "\(words)")
            }
            #expect(!page.text.contains("Not since the start"))
            let about = try await site.browser().visit("/about").text
            #expect(about.contains("1 child’s record is kept") && about.contains("There is no backup yet."))
            #expect(!about.contains("Mo,"))
        }
    }
}
