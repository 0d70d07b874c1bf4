import Database
import Testing

@testable import App

/// Small kind acts: chosen, done, taken back, counted.
@Suite struct KindnessTests {
    private static let soup = "/kindness/acts/204"

    @Test func `somebody finds an act, puts it on the list once, does it and takes it back`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let found = try await ana.visit("/kindness?q=soup+newborn")
            #expect(found.rows.count == 1)
            let listed = try await found.press("Put on my list: Bring soup to a family with a newborn")
            #expect(listed.buttons.contains("Take off my list: Bring soup to a family with a newborn"))
            _ = try await found.press("Put on my list: Bring soup to a family with a newborn")
            #expect(try site.count(of: "my_act") == 1)

            let today = try await ana.visit("/")
            let done = try await today.press("Done: Bring soup to a family with a newborn")
            #expect(done.path.hasPrefix("/") && done.text.contains("Done: Bring soup to a family with a newborn."))
            #expect(done.text.contains("You reached level 2.") && done.text.contains("A new badge: First act."))
            #expect(try site.count(of: "standing WHERE points = 20 AND acts = 1 AND streak_length = 1") == 1)
            let mine = try await ana.visit("/kindness/mine")
            #expect(mine.text.contains("Level 2") && mine.text.contains("1 day in a row"))
            let back = try await mine.press("Undo: Bring soup to a family with a newborn")
            #expect(back.flash == "Taken back: it is as it was.")
            #expect(try site.count(of: "deed") == 0)
            #expect(try site.count(of: "badge") == 0)
            #expect(try site.count(of: "standing WHERE points = 0 AND acts = 0 AND themes = 0") == 1)
            #expect(try site.count(of: "town_total WHERE count > 0") == 0)
            _ = try await back.press("Take off my list: Bring soup to a family with a newborn")
            #expect(try site.count(of: "my_act") == 0)
        }
    }

    @Test func `an act is taken back for ten minutes, by whoever did it alone`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let done = try await ana.visit(Self.soup).press("I did it: Bring soup to a family with a newborn")
            let cleo = try await site.signIn(.cleo, as: .parent)
            let token = try await cleo.visit("/kindness/mine").value(of: "csrf") ?? ""
            #expect(try await cleo.post("/deeds/1/undo", [("csrf", token)]).status == 404)
            #expect(try await cleo.post("/deeds/99/undo", [("csrf", token)]).status == 404)
            site.clock.advance(by: .minutes(10))
            let late = try await done.press("Undo: Bring soup to a family with a newborn")
            #expect(late.status == 409 && late.text.contains("What is done is done"))
            #expect(try await ana.visit(Self.soup).buttons.contains("Once more: Bring soup to a family with a newborn"))
        }
    }

    @Test func `fifty presses at once are one act`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit(Self.soup).form(with: "I did it: Bring soup to a family with a newborn")
            try await Self.send(form, from: ana)
            #expect(try site.count(of: "deed") == 1)
            #expect(try site.count(of: "standing WHERE points = 20") == 1)
            #expect(try site.count(of: "town_total WHERE count = 1") == 1)
        }
    }

    @Test func `without the form's word they are many`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let token = try await ana.visit(Self.soup).value(of: "csrf") ?? ""
            for _ in 0..<5 { _ = try await ana.post(Self.soup + "/done", [("csrf", token)]) }
            #expect(try site.count(of: "deed") == 5)
            // But no more than three of a day give points.
            #expect(try site.count(of: "standing WHERE points = 60 AND acts = 5") == 1)
        }
    }

    private static func send(_ form: PageForm, from browser: Browser) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let status = try await form.send(from: browser).status
                    #expect(status == 200)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `yesterday is entered with a note, and the streak counts both days`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit(Self.soup).press("I did it: Bring soup to a family with a newborn")
            let page = try await ana.visit(Self.soup).press(
                "Enter it", filling: ["day": "yesterday", "with": ["1"], "note": "Lentils."])
            #expect(page.text.contains("Lentils.") && page.text.contains("with children"))
            #expect(try site.count(of: "standing WHERE streak_length = 2 AND with_children = 1") == 1)
            #expect(try site.count(of: "deed WHERE day = '2027-03-19'") == 1)
            let long = try await ana.visit(Self.soup).press(
                "Enter it", filling: ["note": .text(String(repeating: "x", count: 501))])
            #expect(long.status == 422 && long.value(of: "note")?.count == 501)
            let other = try await ana.visit(Self.soup)
            let (csrf, once) = (other.value(of: "csrf") ?? "", other.value(of: "once") ?? "")
            let wrong = try await ana.post(
                Self.soup + "/done", [("csrf", csrf), ("once", once), ("day", "1999-01-01")])
            #expect(wrong.status == 422)
            #expect(try site.count(of: "deed") == 2)
        }
    }

    @Test func `an act of one's own is seen by nobody else`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/kindness/acts/new")
            #expect(try await form.press("Put it on my list").status == 422)
            let page = try await form.press(
                "Put it on my list", filling: ["name": "Sing for <b>Jo</b>", "theme": "family", "difficulty": "brave"])
            #expect(page.path == "/kindness/acts/10001" && page.heading == "Sing for <b>Jo</b>")
            #expect(try await ana.visit("/kindness/mine").text.contains("Sing for <b>Jo</b>"))
            let done = try await page.press("I did it: Sing for <b>Jo</b>")
            #expect(done.text.contains("25 points"))
            let cleo = try await site.signIn(.cleo, as: .parent)
            #expect(try await cleo.visit("/kindness/acts/10001").status == 404)
            let token = try await cleo.visit("/kindness/mine").value(of: "csrf") ?? ""
            for verb in ["add", "remove", "done"] {
                #expect(try await cleo.post("/kindness/acts/10001/\(verb)", [("csrf", token)]).status == 404)
            }
            #expect(try await site.browser().visit("/kindness/acts/10001").status == 404)
            #expect(try await ana.visit("/kindness/acts/9999").status == 404)
        }
    }

    @Test func `an act is told on the timeline only once its preview was seen`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let done = try await ana.visit(Self.soup).press("I did it: Bring soup to a family with a newborn")
            let preview = try await done.press("Tell the town: Bring soup to a family with a newborn")
            #expect(preview.heading == "Preview of your post" && preview.text.contains("A small kind act:"))
            #expect(try site.count(of: "post") == 0)
            #expect(try await preview.press("Post it").path == "/posts/1")
            #expect(try site.count(of: "post WHERE kind = 'done' AND audience = 'members'") == 1)
            let cleo = try await site.signIn(.cleo, as: .parent)
            let token = try await cleo.visit("/kindness/mine").value(of: "csrf") ?? ""
            #expect(try await cleo.post("/deeds/1/share", [("csrf", token)]).status == 404)
        }
    }

    @Test func `a visitor reads the catalog and is led to log in`() async throws {
        try await withTestSite { site in
            let visitor = site.browser()
            let page = try await visitor.visit("/kindness")
            #expect(page.heading == "Kind acts" && page.link("Log in to say you did it") != nil)
            #expect(try await visitor.visit("/kindness?list=all").rows.count == 100)
            #expect(try await visitor.visit("/kindness?q=xyzzy").text.contains("Nothing found"))
            #expect(try await visitor.visit("/kindness/themes/animals").heading == "Animals")
            #expect(try await visitor.visit("/kindness/themes/money").status == 404)
            #expect(try await visitor.visit("/kindness/mine").path.hasPrefix("/login"))
        }
    }

    @Test func `the town sees a total, and every count is what it counts`() async throws {
        try await withTestSite { site in
            for (person, acts) in [(Person.ana, [101, 204, 501]), (.cleo, [204, 610])] {
                let browser = try await site.signIn(person, as: .parent)
                for act in acts {
                    let page = try await browser.visit("/kindness/acts/\(act)")
                    let button = page.buttons.first { $0.hasPrefix("I did it") } ?? ""
                    _ = try await page.press(button)
                }
            }
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/kindness/acts/501").press("Undo: A bowl of water on a hot day")
            #expect(try await site.browser().visit("/kindness").text.contains("4 kind acts in March"))
            let recount: SQL = """
                standing WHERE points = (SELECT sum(points) FROM deed WHERE deed.account_id = standing.account_id)
                    AND acts = (SELECT count(*) FROM deed WHERE deed.account_id = standing.account_id)
                """
            #expect(try site.count(of: recount) == 2)
            let total: SQL = """
                town_total WHERE count = (SELECT count(*) FROM deed WHERE deed.theme = town_total.theme
                    AND substr(deed.day, 1, 7) = substr(town_total.month, 1, 7))
                """
            #expect(try site.count(of: total) == site.count(of: "town_total"))
        }
    }

    @Test func `a pause lets the streak wait, and ends when one is back`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit(Self.soup).press("I did it: Bring soup to a family with a newborn")
            let page = try await ana.visit("/kindness/mine").press("14 days")
            #expect(page.text.contains("Your streak waits until"))
            site.clock.advance(by: .days(13))
            #expect(try await ana.visit("/kindness/mine").text.contains("1 day in a row"))
            _ = try await page.press("I’m back")
            #expect(try await ana.visit("/kindness/mine").text.contains("Going away?"))
            site.clock.advance(by: .days(9))
            #expect(try await ana.visit("/kindness/mine").text.contains("A fresh start"))
        }
    }

    @Test func `what somebody did goes with the account, and the town's total stays`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit(Self.soup).press("I did it: Bring soup to a family with a newborn")
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.write { db in try Account.leave(account, at: now, in: db) }
            for table: SQL in ["deed", "badge", "standing", "my_act", "own_act", "pause"] {
                #expect(try site.count(of: table) == 0)
            }
            #expect(try site.count(of: "town_total WHERE count = 1") == 1)
        }
    }
}
