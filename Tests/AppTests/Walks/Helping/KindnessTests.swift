import Database
import Testing

@testable import App

/// Small kind acts: chosen, done, taken back, counted.
@Suite struct KindnessTests {
    private static let soup = "/kindness/acts/204"

    @Test func `what was brought to neighbors, and friends who came, are badges`() async throws {
        try await withTestSite { site in
            let ana = try await site.account(of: .ana)
            let (now, today) = (site.clock.now, site.site.settings.zone.day(of: site.clock.now))
            for number in 1...10 {
                try await site.write(at: now) { tx in
                    try Deed.record(Deed.Entry(act: .need, day: today, once: "claim-\(number)"), by: ana, in: tx)
                }
                #expect(try site.count(of: "badge WHERE kind = 'first_need'") == 1)
                #expect(try site.count(of: "badge WHERE kind = 'ten_needs'") == (number == 10 ? 1 : 0))
            }
            let last = ID<Deed>(10)
            try await site.write(at: now) { tx in try Deed.undo(last, of: ana, in: tx) }
            #expect(try site.count(of: "standing WHERE needs = 9") == 1)
            #expect(try site.count(of: "badge WHERE kind = 'ten_needs'") == 0)
            // An invited friend counts once the address is confirmed, and only once.
            for number in 0..<5 {
                let friend = try await site.account(of: .family(number))
                try await site.execute("UPDATE account SET inviter_id = \(ana) WHERE id = \(friend)")
                #expect(try site.count(of: "badge WHERE kind = 'first_friend'") == min(number, 1))
                for _ in 0..<2 {
                    let token = Token()
                    try await site.write(at: now) { tx in
                        try ConfirmLink.insert(token, for: friend, in: tx)
                        let link = try ConfirmLink.find(token, in: tx)!.opened()
                        try ConfirmLink.use(token, link, on: today, in: tx)
                    }
                }
                #expect(try site.count(of: "standing WHERE friends = \(number + 1)") == 1)
            }
            #expect(try site.count(of: "badge WHERE kind = 'five_friends' AND deed_id IS NULL") == 1)
            let page = try await site.signIn(.ana, as: .parent).visit("/kindness/mine")
            for name in ["First need met", "A friend", "Five friends"] { #expect(page.text.contains(name), "\(name)") }
        }
    }

    @Test func `the page of an act says when it was last the act of the day`() async throws {
        try await withTestSite { site in
            let today = site.site.settings.zone.day(of: site.clock.now)
            let act = KindAct.ofDay(today.advanced(by: -1))
            let page = try await site.browser().visit("/kindness/acts/\(act.id)")
            #expect(page.text.contains("last was the act of the day on"))
        }
    }

    @Test func `a day that a flight west makes longer stays done to its end`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/me/settings").press("Save", filling: ["time_zone": "Europe/Berlin"])
            // March 21, half past midnight.
            site.clock.advance(by: .hours(13) + .minutes(30))
            let page = try await ana.visit("/kindness/mine")
            let act = try #require(page.buttons.first { $0.hasPrefix("I did it: ") })
            _ = try await page.press(act)
            // March 21, half past eleven at night.
            _ = try await ana.visit("/me/settings").press("Save", filling: ["time_zone": "America/New_York"])
            site.clock.advance(by: .hours(28))
            let mine = try await ana.visit("/kindness/mine")
            #expect(mine.text.contains("1 day in a row") && !mine.buttons.contains(act))
            site.clock.advance(by: .hours(1))
            #expect(try await ana.visit("/kindness/mine").buttons.contains { $0.hasPrefix("I did it: ") })
        }
    }

    @Test func `two parents keep a streak together once both want it, and either of them keeps it`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = (try await site.account(of: .ana), try await site.account(of: .cleo))
            _ = (try await site.family(of: .ana), try await site.family(of: .cleo))
            let browser = try await site.signIn(.ana, as: .parent)
            #expect(try await !browser.visit("/kindness/mine").text.contains("As a family"))
            let (now, today) = (site.clock.now, site.site.settings.zone.day(of: site.clock.now))
            try await site.guardian(.cleo, of: .ana)
            // An act on each day, of one and the other in turn.
            func act(_ account: ID<Account>, _ day: Int) async throws {
                try await site.write(at: now) { tx in
                    let entry = Deed.Entry(act: KindAct.ofDay(today), day: today.advanced(by: day), once: "\(day)")
                    try Deed.record(entry, by: account, in: tx)
                }
            }
            for day in -4 ... -1 { try await act(day % 2 == 0 ? ana : cleo, day) }
            let asked = try await browser.visit("/kindness/mine").press("Keep one together")
            #expect(asked.text.contains("It begins as soon as Cleo Park wants it too."))
            let other = try await site.signIn(.cleo, as: .parent)
            let both = try await other.visit("/kindness/mine").press("Keep one together")
            // What was before stays each one’s own.
            #expect(both.text.contains("0 days as a family"))
            for day in 0...4 { try await act(day % 2 == 0 ? ana : cleo, day) }
            func length(on day: Int) throws -> Int? {
                try site.read { db in
                    try FamilyStreak(of: ana, on: today.advanced(by: day), in: db)?.streak?.length
                }
            }
            #expect(try length(on: 4) == 5)
            #expect(try length(on: 12) == 0)
            // One who wants it no more ends it for both; the end of the guardianship, too.
            _ = try await other.visit("/kindness/mine").press("Keep my own alone")
            #expect(try length(on: 4) == nil)
            try await site.write(at: now) { tx in try Guardian.end(by: ana, in: tx) }
            #expect(try site.count(of: "family_streak") == 0)
        }
    }

    @Test func `of a streak that is none nothing is said`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let before = try await ana.visit("/me").text
            #expect(before.contains("Level 1") && !before.contains("in a row") && !before.contains("Record"))
            _ = try await ana.visit("/kindness/acts/101").press("Enter it", filling: ["note": "For Mr. Weber"])
            let now = try await ana.visit("/me").text
            #expect(now.contains("1 day in a row") && now.contains("Record: 1 day"))
            site.clock.advance(by: .days(10))
            let later = try await ana.visit("/me").text
            #expect(!later.contains("in a row") && later.contains("Record: 1 day"))
        }
    }

    @Test func `others see of one’s kind acts what one shows them, and nothing else`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/kindness/acts/101").press(
                "Enter it", filling: ["note": "For old Mr. Weber"])
            _ = try await ana.visit("/kindness/acts/new").press(
                "Put it on my list", filling: ["name": "Sing to Otto"])
            _ = try await ana.visit("/kindness/mine").press("Done: Sing to Otto")
            let ben = try await site.signIn(.ben)
            let all: [(part: KindnessPart, words: String)] = [
                (.level, "Level "), (.badges, "First act"), (.streak, "1 day in a row"), (.record, "Record: 1 day"),
                (.history, KindAct.listed(ID(101))!.name.plain),
            ]
            #expect(all.map(\.part) == KindnessPart.allCases)
            func seen() async throws -> String { try await ben.visit("/people/ana-ortiz").text }
            let page = try await seen()
            for (_, words) in all { #expect(!page.contains(words), "\(words)") }
            for (part, words) in all {
                let saved = try await ana.visit("/me/profile").press(
                    "Save", filling: ["display_name": "Ana", "shows": .texts([part.rawValue])])
                #expect(saved.flash == "Saved.")
                let page = try await seen()
                #expect(page.contains(words), "\(part)")
                for (other, words) in all where other != part { #expect(!page.contains(words), "\(other)") }
                for secret in ["Weber", "Otto"] { #expect(!page.contains(secret)) }
            }
            let every = KindnessPart.allCases.map(\.rawValue)
            _ = try await ana.visit("/me/profile").press(
                "Save", filling: ["display_name": "Ana", "shows": .texts(every)])
            #expect(try await seen().contains("Level "))
            // Those who can't read her posts read nothing of this; what staff hid stays hidden.
            #expect(try await site.browser().visit("/people/ana-ortiz").status == 404)
            let account = try await site.account(of: .ana)
            let now = site.clock.now
            try await site.write(at: site.clock.now) { tx in try App.Person.hide(account, at: now, in: tx) }
            #expect(try await !seen().contains("Level "))
        }
    }

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
            #expect(back.flash == "Undone: it is as it was.")
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

    @Test func `an old tab doesn't do it a second time, and the page that offers to does`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let old = try await ana.visit(Self.soup)
            _ = try await ana.visit(Self.soup).press("I did it: Bring soup to a family with a newborn")
            for minutes in [0, 20] {
                site.clock.advance(by: .minutes(minutes))
                _ = try await old.press("I did it: Bring soup to a family with a newborn")
                #expect(try site.count(of: "deed") == 1)
                #expect(try site.count(of: "standing WHERE points = 20 AND acts = 1") == 1)
            }
            _ = try await ana.visit(Self.soup).press("Once more: Bring soup to a family with a newborn")
            #expect(try site.count(of: "deed") == 2)
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
            // With the page that follows each, one address has no more than 64 connections.
            for _ in 0..<30 {
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
            // Told once more, it is the same post.
            let again = try await done.press("Tell the town: Bring soup to a family with a newborn").press("Post it")
            #expect(again.path == "/posts/1" && again.flash == "You already sent this. It went out once.")
            #expect(try site.count(of: "post") == 1)
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
            try await site.write(at: now) { tx in try Account.leave(account, in: tx) }
            for table: SQL in ["deed", "badge", "standing", "my_act", "own_act", "pause"] {
                #expect(try site.count(of: table) == 0)
            }
            #expect(try site.count(of: "town_total WHERE count = 1") == 1)
        }
    }
}
