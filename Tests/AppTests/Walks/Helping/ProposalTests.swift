import Database
import Templating
import Testing

@testable import App

/// Acts that neighbors write for everybody: looked at first.
@Suite struct ProposalTests {
    private static let page = "/kindness/acts/10001"

    private func write(_ browser: Browser, isForEverybody: Bool) async throws -> Page {
        try await browser.visit("/kindness/acts/new").press(
            "Put it on my list",
            filling: [
                "name": "Sweep the shared stairs", "theme": "neighbors",
                "propose": isForEverybody ? ["1"] : [],
            ])
    }

    private func decide(_ choice: String, by browser: Browser, reason: String = "") async throws -> Page {
        try await browser.visit("/admin/queue/act-1").press(
            "Decide", filling: ["act": .text(choice), "ground": "other", "reason": .text(reason)])
    }

    @Test func `an act is proposed, looked at, and then everybody's`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = (try await site.signIn(.ana, as: .parent), try await site.signIn(.cleo, as: .parent))
            let noor = try await site.signIn(.noor, role: .moderator)
            _ = try await write(ana, isForEverybody: false)
            // One's own: staff read it as little as anybody.
            #expect(try await noor.visit("/admin/queue/act-1").status == 404)
            let proposed = try await ana.visit(Self.page).press("Propose it for everybody")
            #expect(proposed.text.contains("Proposed for everybody. Somebody looks at it, and you are told."))
            for browser in [cleo, site.browser()] {
                #expect(try await browser.visit(Self.page).status == 404)
                #expect(try await !browser.visit("/kindness?q=stairs").text.contains("Sweep"))
            }
            #expect(try await cleo.visit("/reports/new?about=act-1").status == 404)
            let queue = try await noor.visit("/admin/queue").follow("Proposed acts 1")
            #expect(queue.text.contains("Proposed"))
            let matter = try await queue.follow("Kind act: Sweep the shared stairs")
            #expect(matter.text.contains("Its author proposes it for everybody."))
            #expect(matter.text.contains("Take it into the catalog"))
            #expect(try await decide("fine", by: noor).flash == "Decided. What staff did")

            #expect(try await ana.visit("/inbox").text.contains("Your kind act is in the catalog now"))
            #expect(try await ana.visit("/decisions/1").heading == "Your kind act is in the catalog now")
            for path in ["/kindness?q=stairs", "/kindness/themes/neighbors", "/kindness?list=all"] {
                for browser in [cleo, site.browser()] {
                    #expect(try await browser.visit(path).text.contains("Sweep the shared stairs"), "\(path)")
                }
            }
            #expect(try await noor.visit("/admin/queue/act-1").text.contains("Taken into the catalog: Kind act"))
            let seen = try await cleo.visit(Self.page)
            #expect(seen.text.contains("a neighbor wrote it") && !seen.string.contains("ana-ortiz"))
            _ = try await seen.press("Put it on my list")
            #expect(try await cleo.visit("/").press("Done: Sweep the shared stairs").text.contains("Done: Sweep"))
            // Friends can be asked, too.
            _ = try await cleo.visit(Self.page + "/challenge").press("Make a link")
            #expect(try site.count(of: "challenge WHERE act = 10001") == 1)
            // The words that one decided on are those that stand there: nobody changes them.
            _ = try await cleo.visit("/reports/new?about=act-1").press(
                "Send the report", filling: ["reason": "spam"])
            _ = try await decide("fine", by: noor)
            let again = try await noor.visit("/admin/queue/act-1").text
            #expect(again.contains("Found fine: Kind act") && again.contains("Taken into the catalog: Kind act"))
            // Its author leaves; the act stays, and names nobody.
            _ = try await write(ana, isForEverybody: false)
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.write(at: now) { tx in try Account.leave(account, in: tx) }
            #expect(try site.count(of: "own_act") == 1)
            #expect(try await cleo.visit(Self.page).status == 200)
            // Hidden later, it is gone for all, and so is what asks for it.
            try await site.write(at: site.clock.now) { tx in try KindAct.hide(ID(1), at: now, in: tx) }
            #expect(try await cleo.visit(Self.page).status == 404)
            #expect(try await !cleo.visit("/").text.contains("Sweep the shared stairs."))
        }
    }

    @Test func `what was taken in by mistake is out of the catalog again, and waits`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = (try await site.signIn(.ana, as: .parent), try await site.signIn(.cleo, as: .parent))
            let noor = try await site.signIn(.noor, role: .moderator)
            _ = try await write(ana, isForEverybody: true)
            _ = try await decide("fine", by: noor)
            #expect(try await cleo.visit(Self.page).status == 200)
            // Nothing is wrong with what is fine: its author reads no reason.
            #expect(try await !ana.visit("/decisions/1").text.contains("Why"))
            let (staff, now) = (try await site.account(of: .noor), site.clock.now)
            try await site.write(at: now) { tx in try Decision.undo(ID(1), reason: "By mistake.", by: staff, in: tx) }
            #expect(try await cleo.visit(Self.page).status == 404)
            #expect(try await ana.visit("/decisions/1").heading.contains("waits for another look"))
            #expect(try await noor.visit("/admin/queue?show=acts").text.contains("Sweep the shared stairs"))
            #expect(try await noor.visit("/admin/queue?show=first").rows.isEmpty)
            _ = try await decide("fine", by: noor)
            #expect(try await cleo.visit(Self.page).status == 200)
        }
    }

    @Test func `what isn't for everybody stays its author's, who reads why`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let noor = try await site.signIn(.noor, role: .moderator)
            _ = try await write(ana, isForEverybody: true)
            // A confirmed address shows the first post of somebody, and no act.
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.write(at: now) { tx in try Matter.showFirst(of: account, in: tx) }
            #expect(try site.count(of: "own_act WHERE hidden_at IS NULL") == 0)
            _ = try await decide("hide", by: noor, reason: "There is one like it.")
            let decision = try await ana.visit("/decisions/1")
            #expect(decision.heading == "Your kind act isn’t in the catalog")
            #expect(decision.text.contains("There is one like it."))
            #expect(try await ana.visit(Self.page).text.contains("It isn’t in the catalog, and stays yours."))
            #expect(try await site.browser().visit(Self.page).status == 404)
            #expect(try await ana.visit("/").text.contains("Sweep the shared stairs"))
            // Asking again changes nothing.
            let token = try await ana.visit("/me/settings").value(of: "csrf") ?? ""
            _ = try await ana.submit(Self.page + "/propose", [("csrf", token)])
            #expect(try await noor.visit("/admin/queue").text.contains("Nothing waits"))
            let cleo = try await site.signIn(.cleo)
            let other = try await cleo.visit("/me/settings").value(of: "csrf") ?? ""
            #expect(try await cleo.submit(Self.page + "/propose", [("csrf", other)]).status == 404)
        }
    }

    @Test func `whoever may only read proposes nothing, and writes for themselves`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            try await site.execute("UPDATE account SET limited_until = \(site.clock.now + .days(2))")
            #expect(try await write(ana, isForEverybody: true).status == 403)
            #expect(try await write(ana, isForEverybody: false).path == Self.page)
            #expect(try await ana.visit(Self.page).press("Propose it for everybody").status == 403)
            #expect(try site.count(of: "own_act WHERE proposed_at > 0") == 0)
        }
    }

    @Test func `those who run the site extend the catalog themselves`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await write(mira, isForEverybody: true)
            #expect(try site.count(of: "matter") == 0)
            #expect(try await site.browser().visit(Self.page).heading == "Sweep the shared stairs")
        }
    }

    @Test func `an act that staff take out of the catalog counts on nobody's list but its author's`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await write(mira, isForEverybody: true)
            let (ana, now) = (try await site.account(of: .ana), site.clock.now)
            func choose(_ acts: [ID<KindAct>]) async throws {
                try await site.write(at: now) { tx in
                    for act in acts { try KindAct.choose(act, by: ana, in: tx) }
                }
            }
            func hide(_ instant: Instant?) async throws {
                try await site.write(at: site.clock.now) { tx in try KindAct.hide(ID(1), at: instant, in: tx) }
            }
            let browser = try await site.signIn(.ana, as: .parent)
            func sees(_ browser: Browser) async throws -> Bool {
                try await browser.visit("/kindness/mine").text.contains("Sweep the shared stairs")
            }
            try await choose(KindAct.catalog.prefix(99).map(\.id) + [ID(10_001)])
            let last = KindAct.catalog[99].id
            await #expect(throws: KindAct.TooMany.self) { try await choose([last]) }
            try await hide(now)
            // There is room for another one in its place.
            try await choose([last])
            #expect(try await !sees(browser))
            #expect(try await sees(mira))
            // Back in the catalog it is back on the list, beside that.
            try await hide(nil)
            #expect(try await sees(browser))
            #expect(try site.read { db in try KindAct.chosen(by: ana, in: db) }.count == 101)
        }
    }

    @Test func `the newest of a full catalog are there, and words find the oldest`() async throws {
        try await withTestSite { site in
            let (ana, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.write { db in
                for number in 1...KindAct.mostOfTown + 20 {
                    let (name, once) = (number == 1 ? "Greet the elm" : "Wave number \(number)", "once-\(number)")
                    _ = try db.insert(
                        """
                        INSERT INTO own_act (account_id, name, description, theme, difficulty, once, created_at,
                            proposed_at)
                        VALUES (\(ana), \(name), '', 'town', 'easy', \(once), \(now), \(now))
                        """)
                }
            }
            let visitor = site.browser()
            for path in ["/kindness?list=all", "/kindness/themes/town"] {
                let rows = try await visitor.visit(path).rows
                #expect(
                    rows.last == "Wave number \(KindAct.mostOfTown + 20)" && !rows.contains("Greet the elm"), "\(path)")
            }
            #expect(try await visitor.visit("/kindness?q=elm").rows == ["Greet the elm"])
        }
    }

    @Test func `whoever proposes many waits with the next, and keeps it for themselves`() async throws {
        try await withTestSite(limits: true) { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            for _ in 1...5 { #expect(try await site.site.take(.proposals, by: account, at: now) == nil) }
            let page = try await write(ana, isForEverybody: true)
            #expect(page.status == 422 && page.value(of: "name") == "Sweep the shared stairs")
            #expect(page.problems.first?.hasPrefix("You proposed several in a short time") == true)
            #expect(try site.count(of: "own_act") == 0)
            #expect(try await write(ana, isForEverybody: false).path == Self.page)
            let refused = try await ana.visit(Self.page).press("Propose it for everybody")
            #expect(refused.status == 429 && refused.text.contains("You proposed several in a short time"))
            site.clock.advance(by: .hours(5))
            #expect(try await ana.visit(Self.page).press("Propose it for everybody").status == 200)
            #expect(try site.count(of: "matter WHERE waits_for = 'first'") == 1)
        }
    }

    @Test func `a proposal that is sent twice counts once`() async throws {
        try await withTestSite(limits: true) { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/kindness/acts/new")
            let filling: [String: Filling] = [
                "name": "Sweep the shared stairs", "theme": "neighbors", "propose": ["1"],
            ]
            for _ in 1...4 { #expect(try await form.press("Put it on my list", filling: filling).path == Self.page) }
            #expect(try site.count(of: "own_act") == 1)
            // Four more may be proposed.
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            for _ in 1...4 { #expect(try await site.site.take(.proposals, by: account, at: now) == nil) }
            #expect(try await site.site.take(.proposals, by: account, at: now) != nil)
            // Nor does a fresh form of the same make another.
            _ = try await ana.visit("/kindness/acts/new").press(
                "Put it on my list", filling: filling.filter { $0.key != "propose" })
            #expect(try site.count(of: "own_act") == 1)
            // Nor is the form told now that it were one too many.
            #expect(try await form.press("Put it on my list", filling: filling).path == Self.page)
        }
    }

    @Test func `an act of somebody who is suspended is nobody's`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await write(mira, isForEverybody: true)
            try await site.execute("UPDATE account SET suspended_at = 1 WHERE username = 'mira-staff'")
            #expect(try await site.browser().visit(Self.page).status == 404)
            // Twin: without that it is everybody's again.
            try await site.execute("UPDATE account SET suspended_at = NULL")
            #expect(try await site.browser().visit(Self.page).status == 200)
        }
    }
}
