import Database
import Testing

@testable import App

/// What happens to the rest of the town when staff suspend an account.
@Suite struct SuspensionTests {
    @Test func `a suspended provider's events vanish, and come back with the account`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let hidden = try await site.publish(by: .ben) { $0.title = "Hidden before" }
            try await site.execute("UPDATE event SET hidden_at = 1, listed = FALSE WHERE id = \(hidden)")
            let mira = try await site.signIn(.mira, isStaff: true)
            let person = "/admin/people/\(try await site.account(of: .ben))"

            _ = try await mira.visit(person).press("Suspend the account", filling: ["reason": "Advertising"])
            var feed = try await site.browser().visit("/events")
            #expect(feed.cards.isEmpty)
            let page = try await site.browser().visit("/events/\(event)")
            #expect(page.status == 404)

            _ = try await mira.visit(person).press("Restore the account", filling: ["reason": "A mistake"])
            feed = try await site.browser().visit("/events")
            #expect(feed.cards == ["Kite day"])
        }
    }

    @Test func `two acts in any order and number end in what the last of each says`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let account = try await site.account(of: .ben)
            let now = site.clock.now
            enum Act: CaseIterable { case suspend, restore, hide, show }
            func act(_ act: Act, _ moment: Int) async throws {
                _ = try await site.write(at: now + .seconds(moment)) { tx in
                    switch act {
                    case .suspend: try Account.suspend(account, in: tx)
                    case .restore: try Account.restore(account, in: tx)
                    case .hide: try Event.hide(event, at: tx.now, in: tx)
                    case .show: try Event.hide(event, at: nil, in: tx)
                    }
                }
            }
            // Every row of four acts, one after the other without a fresh start between them.
            var isSuspended = false
            var isHidden = false
            for number in 0..<256 {
                for place in 0..<4 {
                    let next = Act.allCases[number >> (2 * place) & 3]
                    try await act(next, number)
                    switch next {
                    case .suspend: isSuspended = true
                    case .restore: isSuspended = false
                    case .hide: isHidden = true
                    case .show: isHidden = false
                    }
                }
                let isListed = !isSuspended && !isHidden
                #expect(try site.count(of: "event WHERE listed") == (isListed ? 1 : 0), "row \(number)")
                let stored = try site.read { db in try Event.find(event, in: db) }
                #expect(stored?.isHidden == !isListed && stored?.isHiddenByStaff == isHidden, "row \(number)")
            }
        }
    }

    @Test func `what staff hid is shown by no copy, change or cancelling`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            let form = try await ben.visit("/events/\(event)/copy")
            _ = try await form.press("Publish these dates", filling: ["dates": ["2027-04-03"]])
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await mira.visit("/admin/events/\(event)").press("Hide the event", filling: ["reason": "a test"])

            var page = try await form.press("Publish these dates", filling: ["dates": ["2027-04-10"]])
            #expect(page.status == 422 && page.problems.contains { $0.contains("can’t have more dates") })
            page = try await ben.visit("/events/\(event)/copy")
            #expect(page.problems.contains { $0.contains("can’t have more dates") })
            #expect(try site.count(of: "event") == 2)

            _ = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["title": "Balloons"])
                .press("Publish the change")
            let other = try await ben.visit("/events/2/edit").press(
                "Preview", filling: ["title": "Dragons", "scope": "all"])
            _ = try await other.press("Publish the change")
            #expect(try site.count(of: "event WHERE title = 'Dragons'") == 2)
            #expect(try await site.browser().visit("/events").cards == ["Dragons"])
            #expect(try site.count(of: "event WHERE listed") == 1)

            _ = try await ben.visit("/events/\(event)/cancel").press(
                "Cancel the event", filling: ["reason": "No wind."])
            _ = try await mira.visit("/admin/events/\(event)").press("Show it again", filling: ["reason": "a test"])
            #expect(try site.count(of: "event WHERE listed AND id = \(event)") == 0)
            #expect(try await site.browser().visit("/events/\(event)").text.contains("This event was canceled."))
        }
    }

    @Test func `hidden, deleted and taken back in any order an event is as the last of each left it`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ben = try await site.account(of: .ben)
            let now = site.clock.now
            enum Act: CaseIterable { case hide, show, delete, undo }
            func act(_ act: Act) async throws -> Bool {
                try await site.write(at: now) { tx -> Bool in
                    switch act {
                    case .hide, .show:
                        let wasHidden = try Event.find(event, in: tx)?.isHidden
                        try Event.hide(event, at: act == .hide ? tx.now : nil, in: tx)
                        return try Event.find(event, in: tx)?.isHidden != wasHidden
                    case .delete: try Undo.deleting(event, of: ben, in: tx)
                    case .undo:
                        let last: ID<Undo> = try tx.value("SELECT max(id) FROM undo") ?? ID(0)
                        _ = try Undo.take(last, of: ben, in: tx)
                    }
                    return true
                }
            }
            var isThere = true
            var isHidden = false
            for number in 0..<256 {
                for place in 0..<4 {
                    let next = Act.allCases[number >> (2 * place) & 3]
                    let changes = try? await act(next)
                    switch next {
                    case .hide, .show:
                        #expect(changes == (isThere ? isHidden != (next == .hide) : nil), "row \(number)")
                        if isThere { isHidden = next == .hide }
                    case .delete: isThere = false
                    // There is something to take back only once it was deleted.
                    case .undo: if changes == true { isThere = true }
                    }
                    let stored = try site.read { db in try Event.find(event, in: db) }
                    #expect((stored != nil) == isThere && (stored?.isHidden ?? isHidden) == isHidden, "row \(number)")
                }
                #expect(try site.count(of: "event WHERE listed") == (isThere && !isHidden ? 1 : 0), "row \(number)")
            }
        }
    }

    @Test func `what a suspended provider sent a moment before is not shown`() async throws {
        try await withTestSite { site in
            let account = try await site.account(of: .ben)
            try await site.provider(of: .ben)
            _ = try await site.write(at: site.clock.now) { tx in try Account.suspend(account, in: tx) }
            try await site.publish(by: .ben)
            #expect(try await site.browser().visit("/events").cards.isEmpty)
            _ = try await site.write(at: site.clock.now) { tx in try Account.restore(account, in: tx) }
            #expect(try await site.browser().visit("/events").cards == ["Kite day"])
        }
    }

    @Test func `promises that a suspension ended count again once it is lifted, but for what others took`()
        async throws
    {
        try await withTestSite { site in
            let (id, _, _) = try await RunningOutTests.promised(site)
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            let open: SQL = "promise WHERE state = 'open' AND account_id = \(account)"
            let counts: SQL = "thing JOIN opportunity ON opportunity.id = thing.opportunity_id"
            try await site.write(at: now) { tx in try Account.suspend(account, in: tx) }
            #expect(try site.count(of: open) == 0)
            #expect(try site.count(of: "\(counts) WHERE thing.promised = 0 AND opportunity.promised = 0") == 1)
            try await site.write(at: now + .hours(1)) { tx in try Account.restore(account, in: tx) }
            #expect(try site.count(of: open) == 1)
            #expect(try site.count(of: "\(counts) WHERE thing.promised = 3 AND opportunity.promised = 3") == 1)
            // Somebody else brings eight of the ten meanwhile.
            try await site.write(at: now + .hours(2)) { tx in try Account.suspend(account, in: tx) }
            let cleo = try await site.signIn(.cleo, as: .parent)
            _ = try await cleo.visit("/opportunities/\(id)").press("I’ll bring it: Coats", filling: ["count": "8"])
            try await site.write(at: now + .hours(3)) { tx in try Account.restore(account, in: tx) }
            #expect(try site.count(of: open) == 0)
            #expect(try site.count(of: "\(counts) WHERE thing.promised = 8 AND opportunity.promised = 8") == 1)
        }
    }

    @Test func `an offer to a neighbor that a suspension ended waits for a yes again`() async throws {
        try await withTestSite { site in
            _ = try await AwaitedTests().offered(site)
            let (account, now) = (try await site.account(of: .family(1)), site.clock.now)
            for (hours, isYes) in [(1, false), (3, true)] {
                if isYes {
                    let author = try await site.account(of: .ana)
                    try await site.write(at: now) { tx in _ = try Claim.answer(ID(1), yes: true, by: author, in: tx) }
                }
                try await site.write(at: now + .hours(hours)) { tx in try Account.suspend(account, in: tx) }
                #expect(try site.count(of: "claim WHERE state = 'ended'") == 1)
                #expect(try site.count(of: "need WHERE promised = 0") == 1)
                try await site.write(at: now + .hours(hours + 1)) { tx in try Account.restore(account, in: tx) }
                #expect(try site.count(of: "claim WHERE state = \(isYes ? "taken" : "asked")") == 1)
                #expect(try site.count(of: "need WHERE promised = 1") == 1)
            }
        }
    }

    @Test func `a place is given back whatever became of the event, the hat and the provider`() async throws {
        try await withTestSite { site in
            let mo = try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            try await site.provider(of: .ana)
            let mira = try await site.signIn(.mira, isStaff: true)
            var number = 0
            func givesBack(_ change: (ID<Event>) async throws -> Void) async throws {
                number += 1
                let event = try await site.publish(by: .ben)
                let registration = try await site.register([mo], of: .ana, at: event)
                try await change(event)
                let page = try await ana.visit("/registrations/\(registration)")
                #expect(page.status == 200, "\(number)")
                _ = try await page.press("Give all places back")
                #expect(try site.count(of: "event WHERE taken > 0") == 0, "\(number)")
            }
            try await givesBack { event in
                let ben = try await site.signIn(.ben, as: .provider)
                _ = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["date": "2027-03-21"])
                    .press("Publish the change")
            }
            try await givesBack { event in
                _ = try await mira.visit("/admin/events/\(event)").press(
                    "Hide the event", filling: ["reason": "a test"])
            }
            try await givesBack { _ in
                let token = try await ana.visit("/help").value(of: "csrf")!
                _ = try await ana.submit("/hat", [(name: "csrf", value: token), (name: "hat", value: "provider")])
            }
            let account = try await site.account(of: .ben)
            try await givesBack { _ in
                _ = try await site.write(at: site.clock.now) { tx in try Account.suspend(account, in: tx) }
            }
        }
    }

    @Test func `the same child sent twice is added once`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/me/children/new")
            for _ in 0..<2 {
                _ = try await form.press(
                    "Save", filling: ["nickname": "Mo", "birth_month": "2", "birth_year": "2021"])
            }
            let count = try site.count(of: "child")
            #expect(count == 1)
        }
    }
}
