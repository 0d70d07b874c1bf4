import Database
import Forms
import Testing

@testable import App

/// What a member saves to come back to, without registering.
@Suite struct FavoritesTests {
    @Test func `what a member saves is in their list, soonest first, until they take it off`() async throws {
        try await withTestSite { site in
            let fair = try await site.publish(by: .ben) {
                $0.title = "Late fair"
                $0.date = Day(iso: "2027-04-10")!
            }
            let kites = try await site.publish(by: .ben)
            let lunch = try await site.ask(by: .ben)
            // Without a hat, too.
            let ana = try await site.signIn(.ana)
            #expect(try await ana.visit("/favorites").text.contains("Nothing saved yet"))
            let saved = try await ana.visit("/events/\(fair)").press("Save")
            #expect(saved.path == "/events/\(fair)" && saved.buttons.contains("Saved, take it off your list"))
            #expect(saved.html.all("button").first { $0["name"] == "on" }?["value"] == "0")
            _ = try await ana.visit("/events/\(kites)").press("Save")
            let help = try await ana.visit("/opportunities/\(lunch)").press("Save")
            #expect(help.path == "/opportunities/\(lunch)" && help.buttons.contains("Saved, take it off your list"))
            // The same twice is once.
            let token = try #require(saved.value(of: "csrf"))
            for path in ["/events/\(kites)", "/opportunities/\(lunch)"] {
                #expect(try await ana.post("\(path)/favorite", [("csrf", token), ("on", "1")]).status == 200)
            }
            #expect(try site.count(of: "saved_event") == 2 && site.count(of: "saved_opportunity") == 1)
            var list = try await ana.visit("/me").follow("Saved")
            #expect(list.path == "/favorites")
            #expect(list.cards == ["Kite day", "Late fair", "Serve Saturday lunch"])
            #expect(list.text.contains("Only you see what you save"))
            #expect(try await ana.visit("/week").link("Saved") == "/favorites")
            list = try await list.press("Remove: Kite day")
            #expect(list.path == "/favorites" && list.cards == ["Late fair", "Serve Saturday lunch"])
            #expect(try await ana.visit("/events/\(kites)").buttons.contains("Save"))
            let off = try await ana.post("/events/\(kites)/favorite", [("csrf", token), ("on", "0")])
            #expect(off.status == 200 && off.buttons.contains("Save"))
            // A page of the list that is empty by now says so, beside what is left of the other one.
            let further = try await ana.visit("/favorites?after=1900000000000_9")
            #expect(further.cards == ["Serve Saturday lunch"] && further.text.contains("That was the last one"))
            #expect(try await further.follow("Back to the first").cards == ["Late fair", "Serve Saturday lunch"])
        }
    }

    @Test func `taking one off the list leads to the one that comes up in its place`() async throws {
        try await withTestSite { site in
            let account = try await site.account(of: .ana)
            for day in 1...3 {
                try await site.publish(by: .ben) {
                    $0.title = "Fair \(day)"
                    $0.date = Day(iso: "2027-04-01")!.advanced(by: day)
                }
            }
            let lunch = try await site.ask(by: .ben)
            try await site.write(at: site.clock.now) { tx in
                for id in 1...3 { _ = try Favorite.event(ID(Int64(id))).save(by: account, in: tx) }
                _ = try Favorite.opportunity(lunch).save(by: account, in: tx)
            }
            let ana = try await site.signIn(.ana)
            let list = try await ana.visit("/favorites")
            let ids = Set(list.html.all("li").compactMap { $0["id"] })
            for (name, place) in [
                ("Fair 1", "event-2"), ("Fair 2", "event-3"), ("Fair 3", "event-2"),
                ("Serve Saturday lunch", "help-\(lunch)"),
            ] {
                let next = try list.form(with: "Remove: \(name)").pairs.first { $0.name == "next" }?.value
                #expect(next == "/favorites#\(place)" && ids.contains(place), "\(name)")
            }
            let left = try await list.press("Remove: Fair 1")
            #expect(left.redirects == ["/favorites#event-2"], "\(left.redirects)")
            #expect(left.cards == ["Fair 2", "Fair 3", "Serve Saturday lunch"])
        }
    }

    @Test func `nobody else sees what a member saved, and visitors come back after logging in`() async throws {
        try await withTestSite { site in
            let kites = try await site.publish(by: .ben)
            _ = try await site.signIn(.ana).visit("/events/\(kites)").press("Save")
            for reader in [try await site.signIn(.cleo, as: .parent), try await site.signIn(.mira, isStaff: true)] {
                #expect(try await reader.visit("/favorites").cards.isEmpty)
                #expect(try await reader.visit("/events/\(kites)").buttons.contains("Save"))
            }
            // Its host has no button, and reads nothing of it.
            let own = try await site.signIn(.ben, as: .provider).visit("/events/\(kites)")
            #expect(!own.buttons.contains("Save") && !own.text.contains("Saved"))
            let visitor = site.browser()
            #expect(try await visitor.visit("/favorites").path.hasPrefix("/login"))
            let door = try await visitor.visit("/events/\(kites)").follow("Save")
            #expect(door.path.hasPrefix("/login"))
            let back = try await door.press(
                "Log in", filling: ["login": "cleo-park", "password": .text(Person.password)])
            #expect(back.path == "/events/\(kites)" && back.buttons.contains("Save"))
            #expect(try site.count(of: "saved_event") == 1)
        }
    }

    @Test func `what is hidden can't be saved and is in no list, and no event tells who blocks whom`() async throws {
        try await withTestSite { site in
            let kites = try await site.publish(by: .ben)
            let lunch = try await site.ask(by: .ben)
            let (ana, eve) = (try await site.signIn(.ana), try await site.signIn(.family(1)))
            let token = try #require(try await eve.visit("/me/settings").value(of: "csrf"))
            func save(_ path: String) async throws -> Int {
                try await eve.submit("\(path)/favorite", [("csrf", token), ("on", "1")]).status
            }
            for path in ["/events/\(kites)", "/opportunities/\(lunch)"] { _ = try await ana.visit(path).press("Save") }
            let now = site.clock.now
            try await site.write(at: now) { tx in
                try Event.hide(kites, at: now, in: tx)
                try Opportunity.hide(lunch, at: now, in: tx)
            }
            #expect(try await ana.visit("/favorites").cards.isEmpty)
            for path in ["/events/\(kites)", "/opportunities/\(lunch)"] {
                #expect(try await save(path) == 303)
                #expect(try await eve.visit(path).status == 404)
            }
            #expect(try site.count(of: "saved_event") == 1 && site.count(of: "saved_opportunity") == 1)
            try await site.write(at: now) { tx in
                try Event.hide(kites, at: nil, in: tx)
                try Opportunity.hide(lunch, at: nil, in: tx)
            }
            #expect(try await ana.visit("/favorites").cards == ["Kite day", "Serve Saturday lunch"])
            let (ben, one) = (try await site.account(of: .ben), try await site.account(of: .ana))
            let other = try await site.account(of: .family(1))
            try await site.write(at: now) { tx in
                try Block.add(ben, by: one, in: tx)
                try Block.add(other, by: ben, in: tx)
            }
            #expect(try await ana.visit("/favorites").cards == ["Kite day"])
            #expect(try await eve.visit("/events/\(kites)").buttons.contains("Save"))
            #expect(try await save("/events/\(kites)") == 303)
            #expect(try await save("/opportunities/\(lunch)") == 303)
            #expect(try await save("/events/999") == 303)
            #expect(try site.count(of: "saved_event") == 2 && site.count(of: "saved_opportunity") == 1)
        }
    }

    @Test func `what was called off says so, what is over stands apart, and goes after 30 days`() async throws {
        try await withTestSite { site in
            let kites = try await site.publish(by: .ben)
            let lunch = try await site.ask(by: .ben)
            let ana = try await site.signIn(.ana)
            for path in ["/events/\(kites)", "/opportunities/\(lunch)"] { _ = try await ana.visit(path).press("Save") }
            let ben = try await site.signIn(.ben, as: .provider)
            // It moves, and what is saved with it.
            _ = try await ben.visit("/events/\(kites)/edit").press("Preview", filling: ["date": "2027-03-28"])
                .press("Publish the change")
            let same: SQL = """
                saved_event JOIN event ON event.id = saved_event.event_id AND event.starts_at = saved_event.starts_at
                    AND event.ends_at = saved_event.ends_at
                """
            #expect(try site.count(of: same) == 1)
            let old = try await site.signIn(.cleo, as: .parent).visit("/events/\(kites)")
            _ = try await ben.visit("/events/\(kites)/cancel").press("Cancel the event", filling: ["reason": "Rain."])
            _ = try await ben.visit("/opportunities/\(lunch)/close").press("Close it")
            let list = try await ana.visit("/favorites")
            #expect(list.cards == ["Kite day"] && list.text.contains("Canceled"))
            // A page from before leads to what holds now, and saves nothing.
            let late = try await old.press("Save")
            #expect(late.path == "/events/\(kites)" && late.text.contains("canceled"))
            #expect(try site.count(of: "saved_event") == 1)
            #expect(try await list.follow("Over").cards == ["Serve Saturday lunch"])
            let account = try await site.account(of: .ana)
            #expect(try site.count(of: "notice WHERE account_id = \(account)") == 0)
            // The event ends in eight days and nine hours.
            site.clock.advance(by: .days(9))
            let later = try await site.signIn(.ana)
            #expect(try await later.visit("/favorites").cards.isEmpty)
            #expect(try await later.visit("/favorites?list=over").cards == ["Kite day", "Serve Saturday lunch"])
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try site.count(of: "saved_event") == 1 && site.count(of: "saved_opportunity") == 1)
            site.clock.advance(by: .days(22))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try site.count(of: "saved_event") == 1 && site.count(of: "saved_opportunity") == 0)
            site.clock.advance(by: .days(8))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try site.count(of: "saved_event") == 0)
        }
    }

    @Test func `a long list goes on to its end`() async throws {
        try await withTestSite { site in
            for day in 1...22 {
                try await site.publish(by: .ben) {
                    $0.title = "Fair \(day)"
                    $0.date = Day(iso: "2027-04-01")!.advanced(by: day)
                }
            }
            // These end at the same time.
            for number in 1...22 { try await site.ask(by: .ben) { $0.title = "Help \(number)" } }
            let account = try await site.account(of: .ana)
            try await site.execute(
                """
                INSERT INTO saved_event (account_id, event_id, at, starts_at, ends_at)
                SELECT \(account), event.id, 1, event.starts_at, event.ends_at FROM event WHERE event.id > 0
                """)
            try await site.execute(
                """
                INSERT INTO saved_opportunity (account_id, opportunity_id, at, ends_at)
                SELECT \(account), opportunity.id, 1, opportunity.ends_at FROM opportunity WHERE opportunity.id > 0
                """)
            func readsAll(_ path: String, _ numbers: [Int]) async throws {
                let ana = try await site.signIn(.ana)
                let page = try await ana.visit(path)
                let events = try await page.follow("Show more events")
                let help = try await page.follow("Show more ways to help")
                for (kind, more) in [("Fair", events), ("Help", help)] {
                    let cards = (page.cards + more.cards).filter { $0.hasPrefix(kind) }
                    // The other list stands on both pages as it begins.
                    #expect(cards.uniqued() == numbers.map { "\(kind) \($0)" }, "\(path)")
                }
                #expect(events.link("Show more events") == nil && help.link("Show more ways to help") == nil)
            }
            try await readsAll("/favorites", Array(1...22))
            site.clock.advance(by: .days(300))
            try await readsAll("/favorites?list=over", Array((1...22).reversed()))
        }
    }

    @Test func `what somebody saved is taken along, and goes with the account`() async throws {
        try await withTestSite { site in
            let kites = try await site.publish(by: .ben)
            let lunch = try await site.ask(by: .ben)
            let ana = try await site.signIn(.ana)
            for path in ["/events/\(kites)", "/opportunities/\(lunch)"] { _ = try await ana.visit(path).press("Save") }
            let account = try await site.account(of: .ana)
            let taken = try site.read { db in
                try RetentionRule.favorites.exports(of: account).flatMap { try $0.entries(in: db) }.joined()
            }
            #expect(taken.contains("Kite day") && taken.contains("Serve Saturday lunch"))
            _ = try await ana.visit("/me/delete").press(
                "Delete my account", filling: ["current_password": .text(Person.password)])
            #expect(try site.count(of: "saved_event") == 0 && site.count(of: "saved_opportunity") == 0)
        }
    }
}
