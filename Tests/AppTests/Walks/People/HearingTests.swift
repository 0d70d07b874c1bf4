import Database
import Testing

@testable import App

/// Somebody who holds a place, or promised something, hears of what concerns it: in the inbox and by letter, at an
/// address that nobody confirmed, too.
@Suite struct HearingTests {
    /// What can happen to a place that somebody holds.
    private enum Concern: CaseIterable {
        case changed, manyDates, onlineOrPlace, programme, canceled, series, eventHidden, hostSuspended, hostLeft
        case shiftMoved, shiftOff, listingHidden, listingOrganizationSuspended, thingOff
        case needClosed, needMoved, needHidden, needAuthorSuspended, needAuthorLeft, helperLeft
        case meetingOff, cohosted, calendarChanged, drawnAndHidden
    }

    /// The test that shows who hears of it.
    private static func shown(_ concern: Concern) -> String {
        switch concern {
        case .changed, .onlineOrPlace: "each change is told with before and now, and the host sees who knows"
        case .manyDates, .series: "a family of several dates is told once, and sees all of them"
        case .programme: "what moves or is called off is told to those who are in it, before and after"
        case .canceled: "a change, a message and a cancellation go to an address that nobody confirmed"
        case .eventHidden, .hostSuspended: "what staff hides is told to each family once, with whom to call"
        case .hostLeft: "what others were told of somebody’s events says no place and no organization once they left"
        case .shiftMoved: "a shift that moves is told with before and after, and so is another place"
        case .shiftOff: "who helps hears that a shift was called off, at an address that nobody confirmed"
        case .listingHidden, .listingOrganizationSuspended:
            "those who help hear once that the page of it isn't shown, and keep their places"
        case .thingOff: "coats are promised, taken back, brought, and run out by themselves"
        case .needClosed, .needAuthorLeft:
            "whose author leaves is told as not needed anymore, and earlier news of it go"
        case .needMoved: "those who promised something hear that it is needed at another place"
        case .needHidden, .needAuthorSuspended: "those who promised something hear that the page of it isn't shown"
        case .helperLeft: "an author hears that a helper who left the site brings nothing"
        case .meetingOff: "whoever saw in the inbox that a meeting is off hears that it is on again, the others nothing"
        case .cohosted: "who hosts it together hears that it is called off, and doesn't read whom they block"
        case .calendarChanged: "what changed follows, but for what somebody changed here, and families are told"
        case .drawnAndHidden: "an event that staff hide before its places are given out loses nobody a place"
        }
    }

    @Test func `each thing that happens to somebody's place has a test of who hears it`() throws {
        let sentences = try SecurityTableTests.sentences()
        for concern in Concern.allCases {
            #expect(sentences.contains(Self.shown(concern)), "\(concern)")
        }
    }

    /// How many notices and letters say this.
    private func told(_ what: String, in site: TestSite) throws -> [Int] {
        let detail = "\(what)\u{1F}%"
        return [
            try site.count(of: "notice WHERE detail LIKE \(detail)"),
            try site.count(of: "letter WHERE detail LIKE \(detail)"),
        ]
    }

    @Test(arguments: [false, true])
    func `those who help hear once that the page of it isn't shown, and keep their places`(
        _ isSuspended: Bool
    ) async throws {
        try await withTestSite(hasMail: true) { site in
            let id = try await site.ask(by: .ben)
            let (coats, _, _) = try await RunningOutTests.promised(site)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/opportunities/\(id)").press("Sign up", filling: ["shift": ["1"]])
            let (host, now) = (try await site.account(of: .ben), site.clock.now)
            for _ in 0..<2 {
                try await site.write(at: now) { tx in
                    if isSuspended {
                        try Account.suspend(host, in: tx)
                    } else {
                        for one in [id, coats] { try Opportunity.hide(one, at: tx.now, in: tx) }
                    }
                }
            }
            // A shift and a promise, each once, also to an address that nobody confirmed.
            #expect(try site.count(of: "account WHERE username = 'ana-ortiz' AND confirmed_at IS NULL") == 1)
            #expect(try told("hidden", in: site) == [2, 2])
            #expect(try site.count(of: "signup WHERE state = 'confirmed'") == 1)
            #expect(try site.count(of: "promise WHERE state = 'open'") == 1)
            let page = try await ana.visit("/inbox")
            #expect(page.text.contains("The page of Serve Saturday lunch isn’t shown at the moment"))
            // What is shown again is told once, and the news before it asks for nothing anymore.
            for _ in 0..<2 {
                try await site.write(at: now) { tx in
                    if isSuspended {
                        try Account.restore(host, in: tx)
                    } else {
                        for one in [id, coats] { try Opportunity.hide(one, at: nil, in: tx) }
                    }
                }
            }
            #expect(try told("shown", in: site) == [2, 2])
            #expect(try site.count(of: "notice WHERE detail LIKE 'hidden%' AND read_at IS NULL") == 0)
            let back = try await ana.visit("/inbox").follow("Unread: The page of Serve Saturday lunch is shown again")
            #expect(back.status == 200 && back.path == "/opportunities/\(id)")
        }
    }

    @Test(arguments: [false, true])
    func `those who promised something hear that it is needed at another place`(_ toHome: Bool) async throws {
        try await withTestSite(hasMail: true) { site in
            try await site.gazetteer()
            let id = try await NeedsTests().ask(site, isHome: false)
            _ = try await NeedsTests().known(site, .family(1))
            _ = try await site.signIn(.family(1)).visit("/needs/\(id)").press("I’ll take it")
            // Another text is no other place.
            let now = site.clock.now
            func change(_ body: @escaping @Sendable (inout Need) -> Void) async throws {
                try await site.write(at: now) { tx in
                    var need = try #require(try Need.find(id, in: tx))
                    body(&need)
                    try Need.update(need, in: tx)
                }
            }
            try await change { $0.description = "Until it is warm." }
            #expect(try told("moved", in: site) == [0, 0])
            try await change {
                $0.place.address.street = "1 Other Street"
                if toHome { $0.place.isHome = true }
            }
            #expect(try told(toHome ? "movedHome" : "moved", in: site) == [1, 1])
            #expect(try site.count(of: "claim WHERE state = \(toHome ? "asked" : "taken")") == 1)
        }
    }

    @Test(arguments: [false, true])
    func `those who promised something hear that the page of it isn't shown`(_ isSuspended: Bool) async throws {
        try await withTestSite(hasMail: true) { site in
            try await site.gazetteer()
            let id = try await NeedsTests().ask(site, isHome: false)
            _ = try await NeedsTests().known(site, .family(1))
            let helper = try await site.signIn(.family(1))
            _ = try await helper.visit("/needs/\(id)").press("I’ll take it")
            let (author, now) = (try await site.account(of: .ana), site.clock.now)
            for _ in 0..<2 {
                try await site.write(at: now) { tx in
                    if isSuspended {
                        try Account.suspend(author, in: tx)
                    } else {
                        try Need.hide(id, at: tx.now, in: tx)
                    }
                }
            }
            #expect(try told("hidden", in: site) == [1, 1])
            // It leads to a page that is open to them.
            let page = try await helper.visit("/inbox").follow(
                "Unread: The page of Three warm blankets isn’t shown at the moment")
            #expect(page.status == 200 && page.path == "/needs/mine")
            for _ in 0..<2 {
                try await site.write(at: now) { tx in
                    if isSuspended {
                        try Account.restore(author, in: tx)
                    } else {
                        try Need.hide(id, at: nil, in: tx)
                    }
                }
            }
            #expect(try told("shown", in: site) == [1, 1])
            let back = try await helper.visit("/inbox").follow(
                "Unread: The page of Three warm blankets is shown again")
            #expect(back.status == 200 && back.path == "/needs/\(id)")
        }
    }

    @Test func `an author hears that a helper who left the site brings nothing`() async throws {
        try await withTestSite(hasMail: true) { site in
            try await site.gazetteer()
            let id = try await NeedsTests().ask(site, isHome: false)
            let helper = try await NeedsTests().known(site, .family(1))
            _ = try await site.signIn(.family(1)).visit("/needs/\(id)").press("I’ll take it")
            let now = site.clock.now
            try await site.write(at: now) { tx in try Account.leave(helper, in: tx) }
            #expect(try told("dropped", in: site) == [1, 1])
            #expect(try site.count(of: "need WHERE promised = 0") == 1)
        }
    }
}
