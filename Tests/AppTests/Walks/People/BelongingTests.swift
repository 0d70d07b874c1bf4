import Database
import Forms
import Templating
import Testing

@testable import App

/// What belongs to one isn't another's: photos, a newcomer's brakes, copies of what was hidden, twins.
@Suite struct BelongingTests {
    private func photo(_ site: TestSite, of person: Person) async throws -> Picture {
        let file = FormFile(name: "image", filename: "p", contentType: "image/jpeg", bytes: Pictures.photo)
        return try await site.site.keep(file, of: try await site.account(of: person), at: site.clock.now)
    }

    @Test func `a photo is served to those who may see its post, and to nobody once that is gone`() async throws {
        try await withTestSite { site in
            let (ana, ben, visitor) = (try await site.signIn(.ana), try await site.signIn(.ben), site.browser())
            let mira = try await site.signIn(.mira, isStaff: true)
            let picture = try await photo(site, of: .ana)
            let link = picture.link(.card).string
            let account = try await site.account(of: .ana)
            func statuses() async throws -> [Int] {
                var found: [Int] = []
                for browser in [visitor, ben, ana, mira] { found.append(try await browser.visit(link).status) }
                return found
            }
            #expect(try await statuses() == [404, 404, 200, 404], "nothing shows it yet")
            try await site.execute(
                """
                INSERT INTO post (id, account_id, text, kind, audience, once, created_at)
                VALUES (1, \(account), 'Look.', 'done', 'members', 'o', 1)
                """)
            try await site.execute(
                "INSERT INTO post_picture (post_id, place, picture_id) VALUES (1, 1, \(picture.id))")
            #expect(try await statuses() == [404, 200, 200, 200])
            #expect(try await ben.visit(link)["Cache-Control"] == "private, no-store")
            try await site.execute("UPDATE post SET audience = 'everyone'")
            #expect(try await statuses() == [200, 200, 200, 200])
            #expect(try await visitor.visit(link)["Cache-Control"] == "public, no-cache")
            try await site.execute("UPDATE post SET hidden_at = 1")
            #expect(try await statuses() == [404, 404, 200, 200])
            try await site.execute("UPDATE post SET hidden_at = NULL")
            try await site.execute("UPDATE account SET suspended_at = 1 WHERE id = \(account)")
            #expect(try await visitor.visit(link).status == 404)
            try await site.execute("UPDATE account SET suspended_at = NULL")
            let (cleo, now) = (try await site.account(of: .ben), site.clock.now)
            try await site.execute("UPDATE post SET audience = 'members'")
            try await site.write(at: now) { tx in try Block.add(cleo, by: account, in: tx) }
            #expect(try await statuses() == [404, 404, 200, 200], "whoever is blocked sees none")
            try await site.write(at: now) { tx in try Post.delete(ID(1), by: account, in: tx) }
            #expect(try await statuses() == [404, 404, 200, 404])
        }
    }

    @Test func `every other picture is for those who may see what carries it`() async throws {
        try await withTestSite { site in
            let (ana, ben, visitor) = (
                try await site.signIn(.ana, as: .parent), try await site.signIn(.ben), site.browser()
            )
            let picture = try await photo(site, of: .ana)
            let link = picture.link(.thumb).string
            try await site.publish(by: .ana)
            try await PlaydatesTests.pet("Clover", of: .ana, in: site)
            for (show, isForVisitors, isForMembers) in [
                (
                    """
                    INSERT INTO person (account_id, name, about, town, is_open, updated_at, picture_id)
                    SELECT id, username, '', '', TRUE, 0, \(picture.id) FROM account WHERE username = 'ana-ortiz'
                    """ as SQL, false, false
                ),
                ("UPDATE owner SET picture_id = \(picture.id)", false, false),
                ("INSERT INTO pet_picture (pet_id, place, picture_id) VALUES (1, 1, \(picture.id))", false, true),
                ("UPDATE provider SET picture_id = \(picture.id)", true, true),
                ("UPDATE event SET picture_id = \(picture.id)", true, true),
            ] {
                try await site.execute(show)
                #expect(try await visitor.visit(link).status == (isForVisitors ? 200 : 404), "\(show)")
                #expect(try await ben.visit(link).status == (isForMembers ? 200 : 404), "\(show)")
                #expect(try await ana.visit(link).status == 200)
            }
            try await site.execute("UPDATE provider SET picture_id = NULL")
            try await site.execute("UPDATE event SET hidden_at = 1")
            #expect(try await visitor.visit(link).status == 404)
        }
    }

    @Test func `whatever shows a picture stands in the list of uses`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let database = try Database(at: folder.path + "/new.sqlite", migrations: Schema.migrations)
        defer { database.close() }
        let tables: [String] = try database.read { db in
            try db.all(
                """
                SELECT DISTINCT tables.name FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS info
                WHERE tables.type = 'table' AND info.name = 'picture_id' LIMIT 100
                """
            ) { try $0.next() }
        }
        #expect(Set(tables) == Set(PictureUse.allCases.map(\.table.description)))
    }

    // MARK: Newcomers

    @Test func `needs and comments of newcomers are held back as posts are`() async throws {
        try await withTestSite(limits: true) { site in
            let (ana, ben) = (try await site.signIn(.ana), try await site.signIn(.ben))
            let links = "https://a.example https://b.example https://c.example"
            func ask(_ title: String, _ text: String = "For a family.") async throws -> Page {
                try await ana.visit("/needs/new").press(
                    "Preview",
                    filling: [
                        "kind": "things", "title": .text(title), "description": .text(text), "count": "3",
                        "address": "17 Hidden Lane", "city": "San Jose", "state": "CA", "zip": "95112", "is_home": true,
                    ])
            }
            let refused = try await ask("Blankets", links)
            #expect(refused.status == 422 && refused.text.contains("In your first days here up to 2 links are taken."))
            let page = try await ask("Blankets").press("Ask")
            #expect(page.flash == "Thank you. Somebody looks at it before others see it.", "\(page.problems)")
            #expect(try await ben.visit("/needs/1").status == 404)
            #expect(try site.count(of: "matter WHERE subject = 'need-1' AND waits_for = 'first'") == 1)
            try await site.execute("UPDATE account SET confirmed_at = 1")
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.write(at: now) { tx in try Matter.showFirst(of: account, in: tx) }
            #expect(try await site.browser().visit("/needs/1")["X-Robots-Tag"] == "noindex")
            for number in 2...3 {
                // Pressed twice, it counts once.
                let page = try await ask("Number \(number)")
                for _ in 1...2 { #expect(try await page.press("Ask").path == "/needs/\(number)") }
            }
            #expect(try await ask("Number 4").status == 429)
            #expect(try site.count(of: "need") == 3)
            // Nor by the mark of a form that was sent, beside one of another.
            var form = try await ana.visit("/needs/new").form(with: "Preview").pairs.filter { $0.name != "step" }
            let sent: String? = try site.read { db in try db.value("SELECT once FROM sent_form LIMIT 1") }
            form.insert(("once", try #require(sent)), at: 0)
            #expect(try await ana.submit("/needs/new", form + [("step", "publish")]).status == 429)
        }
    }

    @Test func `a form of a newcomer that is sent again counts for no more`() async throws {
        try await withTestSite(limits: true) { site in
            let id = try await site.ask(by: .ben) {
                $0.shifts[1] = $0.shifts[0]
                $0.shifts[1].date = Day(iso: "2027-03-28")!
            }
            let eve = try await site.signIn(.ana, as: .parent)
            let account = try await site.account(of: .ana)
            let newcomer = try #require(Newcomer(since: site.clock.now, at: site.clock.now))
            func left() async throws -> Int {
                var count = 0
                while try await site.site.take(newcomer.pace, by: account, at: site.clock.now) == nil { count += 1 }
                for _ in 0..<count { try await site.site.giveBack(newcomer.pace, by: account) }
                return count
            }
            let most = try await left()
            let page = try await eve.visit("/opportunities/\(id)")
            for _ in 1...3 {
                let sent = try await page.press("Sign up", filling: ["shift": ["1"]])
                #expect(sent.status == 200 && sent.problems.isEmpty, "\(sent.problems)")
            }
            #expect(try await left() == most - 1 && site.count(of: "signup") == 1)
            // Nor at the same moment: the second finds nothing stored yet.
            let other = try await eve.visit("/opportunities/\(id)").form(with: "Sign up").pairs + [("shift", "2")]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...4 {
                    group.addTask { _ = try await eve.submit("/opportunities/\(id)/signups", other) }
                }
                try await group.waitForAll()
            }
            #expect(try await left() == most - 2 && site.count(of: "signup") == 2)
            // What was given back isn't taken again by the page from before.
            _ = try await eve.visit("/signups/1").press("Give my place back")
            let stale = try await page.press("Sign up", filling: ["shift": ["1"]])
            #expect(stale.status == 409 && stale.text.contains("what it made was removed since"), "\(stale.status)")
            #expect(try await left() == most - 2)
        }
    }

    @Test func `what a newcomer wrote and removed isn't written again for nothing`() async throws {
        try await withTestSite(limits: true) { site in
            let id = try await site.ask(by: .ben)
            let (account, host) = (try await site.account(of: .ana), try await site.account(of: .ben))
            let now = site.clock.now
            try await site.write(at: now) { tx in
                try Signup.take([ID(1)], message: "", of: account, at: id, in: tx)
                let day = Day(iso: "2027-03-27")!
                try Contribution.confirm(
                    [Contribution.Confirmation(of: .signup(ID(1)), day: day, minutes: 90)], at: id, by: host,
                    in: tx.at(tx.now + .days(8)))
            }
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/providers/ben-ruiz/reviews")
            let words: [String: Filling] = ["stars": "4", "comment": "Good people."]
            for _ in 1...2 {
                let page = try await form.press("Publish the review", filling: words)
                #expect(page.status == 200 && page.text.contains("Good people."), "\(page.problems)")
            }
            #expect(try site.count(of: "review") == 1)
            _ = try await ana.visit("/me").follow("Delete: King Library").press("Delete the review")
            #expect(try await form.press("Publish the review", filling: words).status == 409)
            #expect(try site.count(of: "review") == 0)
        }
    }

    @Test func `another shift on the page that the browser went back to is taken with one press`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben) {
                $0.shifts[1] = $0.shifts[0]
                $0.shifts[1].date = Day(iso: "2027-03-28")!
            }
            let page = try await site.signIn(.ana, as: .parent).visit("/opportunities/\(id)")
            for shift in ["1", "2"] {
                let sent = try await page.press("Sign up", filling: ["shift": .texts([shift])])
                #expect(sent.status == 200 && sent.problems.isEmpty, "\(sent.problems)")
            }
            #expect(try site.count(of: "signup WHERE state = 'confirmed'") == 2)
        }
    }

    @Test func `a comment with a link waits while its author's address isn't confirmed`() async throws {
        try await withTestSite(limits: true) { site in
            let (ana, ben) = (try await site.signIn(.ana), try await site.signIn(.ben))
            let account = try await site.account(of: .ben)
            try await site.execute(
                """
                INSERT INTO post (account_id, text, kind, audience, once, created_at)
                VALUES (\(account), 'Hello.', 'done', 'everyone', 'o', 1)
                """)
            var page = try await ana.visit("/posts/1").press("Send the comment", filling: ["text": "Hello."])
            #expect(page.flash == nil && page.text.contains("1 comment"))
            page = try await ana.visit("/posts/1").press(
                "Send the comment", filling: ["text": "Buy at https://spam.example"])
            #expect(page.flash == "Thank you. Somebody looks at it before others see it.")
            #expect(page.text.contains("Waiting: somebody looks at it"))
            let seen = try await ben.visit("/posts/1").text
            #expect(!seen.contains("spam.example") && seen.contains("1 comment"))
            #expect(try site.count(of: "notice WHERE kind = 'talked' AND times > 1") == 0)
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await mira.visit("/admin/queue/comment-2").press("Decide", filling: ["act": "fine"])
            #expect(try await ben.visit("/posts/1").text.contains("spam.example"))
        }
    }

    // MARK: Staff

    @Test func `what staff hid doesn't come back as a copy`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            let (staff, now) = (try await site.account(of: .mira, isStaff: true), site.clock.now)
            let form = try await ben.visit("/events/new?copy=\(event)")
            #expect(form.value(of: "title") == "Kite day", "the twin: until it is hidden")
            try await site.write(at: now) { tx in
                try Decision.make(.init(verdict: .hide, reason: "Spam."), about: .event(event), by: staff, in: tx)
            }
            #expect(try await ben.visit("/events/new?copy=\(event)").path == "/events/\(event)")
            for (title, isHidden) in [("Kite day", true), ("Chess", false)] {
                let page = try await ben.visit("/events/new").press(
                    "Preview",
                    filling: [
                        "title": .text(title), "description": .text("About \(title)."), "date": "2027-03-27",
                        "start_time": "10:00", "address": "180 Park Ave", "spots": "20",
                    ]
                ).press("Publish")
                #expect(page.path.hasSuffix("/published"), "\(page.problems)")
                #expect(
                    try site.count(of: "event WHERE id > 1 AND title = \(title) AND hidden_at IS NOT NULL")
                        == (isHidden ? 1 : 0))
            }
            #expect(try site.count(of: "matter WHERE subject LIKE 'event-%' AND waits_for = 'first'") == 1)
            // Nor once it is deleted and written anew.
            let host = try await site.account(of: .ben)
            try await site.write(at: now) { tx in
                try Undo.deleting(event, of: host, in: tx)
                try tx.execute("DELETE FROM event WHERE id = 2")
            }
            let anew = try await ben.visit("/events/new").press(
                "Preview",
                filling: [
                    "title": "  KITE day", "description": "Quite another text.", "date": "2027-03-28",
                    "start_time": "10:00", "address": "180 Park Ave", "spots": "20",
                ]
            ).press("Publish")
            #expect(anew.path.hasSuffix("/published"))
            #expect(try site.count(of: "event WHERE day = '2027-03-28' AND hidden_at IS NOT NULL") == 1)
        }
    }

    @Test func `what staff hid doesn't come back by an edit of something else`() async throws {
        try await withTestSite { site in
            let hidden = try await site.publish(by: .ben)
            let other = try await site.publish(by: .ben) { $0.title = "Chess" }
            let ben = try await site.signIn(.ben, as: .provider)
            let (staff, host) = (try await site.account(of: .mira, isStaff: true), try await site.account(of: .ben))
            let now = site.clock.now
            func change(to title: String) async throws -> Int {
                _ = try await ben.visit("/events/\(other)/edit").press("Preview", filling: ["title": .text(title)])
                    .press("Publish the change")
                #expect(try site.count(of: "event WHERE id = \(other) AND title = \(title)") == 1)
                return try site.count(of: "event WHERE id = \(other) AND hidden_at IS NOT NULL")
            }
            #expect(try await change(to: "Kite  DAY") == 0, "the twin: until it is hidden")
            _ = try await change(to: "Chess")
            try await site.write(at: now) { tx in
                try Decision.make(.init(verdict: .hide, reason: "Spam."), about: .event(hidden), by: staff, in: tx)
                try Undo.deleting(hidden, of: host, in: tx)
            }
            #expect(try await change(to: "Chess for all") == 0)
            #expect(try await change(to: "Kite  DAY") == 1)
            #expect(try site.count(of: "matter WHERE subject = \("event-\(other)") AND waits_for = 'first'") == 1)
            // Found fine, it is shown, and later edits are looked at by themselves.
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await mira.visit("/admin/queue/event-\(other)").press("Decide", filling: ["act": "fine"])
            #expect(try site.count(of: "event WHERE id = \(other) AND hidden_at IS NULL") == 1)
        }
    }

    @Test func `what is written anew is recognized of each kind that stands by itself, and of its author alone`()
        async throws
    {
        try await withTestSite { site in
            let (ana, ben) = (try await site.account(of: .ana), try await site.account(of: .ben))
            let (staff, now) = (try await site.account(of: .mira, isStaff: true), site.clock.now)
            let posts = [(1, ana, "Buy my pills"), (2, ana, "buy  my PILLS"), (3, ben, "Buy my pills")]
            for (number, author, text) in posts {
                try await site.execute(
                    """
                    INSERT INTO post (id, account_id, text, kind, audience, once, created_at)
                    VALUES (\(number), \(author), \(text), 'done', 'everyone', \("o\(number)"), 1)
                    """)
            }
            try await site.write(at: now) { tx in
                try Decision.make(.init(verdict: .hide), about: .post(ID(1)), by: staff, in: tx)
                for number in 2...3 { try Decision.wasChanged(Post.self, ID(Int64(number)), in: tx) }
            }
            #expect(try site.count(of: "post WHERE id = 2 AND hidden_at IS NOT NULL") == 1)
            #expect(try site.count(of: "post WHERE id = 3 AND hidden_at IS NULL") == 1)
            // Once what was hidden is lifted, its words are free.
            try await site.execute("UPDATE decision SET ended_at = 1")
            try await site.execute("UPDATE post SET hidden_at = NULL")
            try await site.write(at: now) { tx in try Decision.wasChanged(Post.self, ID(2), in: tx) }
            #expect(try site.count(of: "post WHERE hidden_at IS NOT NULL") == 0)
        }
    }

    @Test func `a moderator neither hides what an admin wrote nor writes about it`() async throws {
        try await withTestSite { site in
            let admin = try await site.account(of: .mira, isStaff: true)
            let moderator = try await site.account(of: .noor, role: .moderator)
            let other = try await site.account(of: .cleo, isStaff: true)
            let now = site.clock.now
            try await site.execute(
                """
                INSERT INTO post (account_id, text, kind, audience, once, created_at)
                VALUES (\(admin), 'Hello.', 'done', 'everyone', 'o', 1)
                """)
            for act in [Decision.Verdict.hide, .note, .ask] {
                await #expect(throws: Refusal.notAllowed, "\(act)") {
                    try await site.write(at: now) { tx in
                        _ = try Decision.make(.init(verdict: act), about: .post(ID(1)), by: moderator, in: tx)
                    }
                }
            }
            let page = try await site.signIn(.noor, role: .moderator).visit("/admin/queue/post-1")
            #expect(
                page.text.contains("An admin wrote it")
                    && page.html.all("input").filter { $0["name"] == "act" }.count == 1)
            try await site.write(at: now) { tx in
                _ = try Decision.make(.init(verdict: .hide), about: .post(ID(1)), by: other, in: tx)
            }
            #expect(try site.count(of: "post WHERE hidden_at IS NOT NULL") == 1, "the twin: another admin may")
        }
    }

    @Test func `moderation sees every text of an event, and who reports reads what everybody does`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) {
                ($0.bring, $0.safety, $0.tags) = ("A spoon", "Nuts about", "kites")
                $0.onlineURL = "https://secret.example/room"
            }
            try await site.execute(
                "UPDATE event SET place_name = 'Willow field', cancel_reason = 'Rain' WHERE id = \(event)")
            try await site.execute(
                """
                INSERT INTO announcement (event_id, subject, body, tells_waiting, once, at)
                VALUES (\(event), 'Note', 'Come early', FALSE, 'x', 1)
                """)
            let mira = try await site.signIn(.mira, isStaff: true)
            let seen = try await mira.visit("/admin/queue/event-\(event)").text
            for words in ["Willow field", "A spoon", "Nuts about", "kites", "Rain", "secret.example", "Come early"] {
                #expect(seen.contains(words), "\(words)")
            }
            let form = try await site.browser().visit("/reports/new?about=event-\(event)").text
            #expect(form.contains("Nuts about") && !form.contains("secret.example") && !form.contains("Come early"))
        }
    }

    // MARK: Twins

    @Test func `two children of one name are two, told apart, and are no clash`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/me/children/new").form(
                with: "Save", filling: ["nickname": "Bo", "birth_month": "5", "birth_year": "2020"])
            for _ in 1...2 { _ = try await ana.post(form.action, form.pairs) }
            #expect(try site.count(of: "child") == 1, "the same form twice is one child")
            var page = try await ana.visit("/me/children/new").press(
                "Save", filling: ["nickname": "Bo", "birth_month": "5", "birth_year": "2020"])
            #expect(try site.count(of: "child") == 2)
            #expect(page.text.contains("Bo (2020 · 1)") && page.text.contains("Bo (2020 · 2)"))
            page = try await ana.visit("/me/children/new").press(
                "Save", filling: ["nickname": "Bo", "birth_month": "5", "birth_year": "2018"])
            #expect(page.text.contains("Bo (2018)"))
            let (one, two) = (try await site.publish(by: .ben), try await site.publish(by: .ben))
            try await site.register([ID(1)], of: .ana, at: one)
            page = try await ana.visit("/events/\(two)")
            #expect(page.text.contains("Bo (2018)"))
            try await site.register([ID(3)], of: .ana, at: two)
            #expect(try await !ana.visit("/week?from=2027-03-27").text.contains("At the same time Bo"))
        }
    }

    @Test func `a notice of several comments counts those one meets`() async throws {
        try await withTestSite { site in
            let (ana, ben, cleo) = (
                try await site.signIn(.ana), try await site.signIn(.ben), try await site.signIn(.cleo)
            )
            _ = try await ana.visit("/timeline/new").press("Preview", filling: ["text": "By Ana."]).press("Post it")
            for browser in [ben, cleo] {
                _ = try await browser.visit("/posts/1").press("Send the comment", filling: ["text": "Hm."])
            }
            #expect(try await ana.visit("/inbox").text.contains("2 new comments on your post"))
            _ = try await ana.visit("/people/cleo-park").press("Block cleo-park")
            let inbox = try await ana.visit("/inbox").text
            #expect(inbox.contains("ben-ruiz commented on your post") && !inbox.contains("2 new comments"))
            _ = try await cleo.visit("/timeline/new").press("Preview", filling: ["text": "By Cleo."]).press("Post it")
            #expect(try await !ana.visit("/timeline.atom").string.contains("By Cleo."))
            #expect(try await ben.visit("/timeline.atom").string.contains("By Cleo."), "the twin")
        }
    }
}
