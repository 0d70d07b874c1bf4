import Database
import Testing

@testable import App

/// News that asks for something asks nothing anymore once that is done, wherever it is done, or can't be done anymore.
@Suite struct SettledNewsTests {
    /// Whether a kind of news asks its readers for something.
    private enum Fate {
        /// It only says something.
        case informs
        /// It asks for something. The test that shows where it is settled.
        case asks(String)
    }

    private static let byYes =
        "the organization reads on Today who waits, and has a letter after two days, once"
    private static let byBringing = "a promise that ends tomorrow asks neither side once it was brought or taken back"
    private static let byTime = "an offer that ran out waits for nobody's yes"
    private static let byCalendar = "what is gone twice is called off after a notice, unless it is kept"
    private static let byMark = "an organization whose mark was renewed is asked about by nobody"

    private static func fate(_ what: HelpNews.What) -> Fate {
        switch what {
        case .asked, .askedAlong, .waits: .asks(byYes)
        case .given, .ending, .endingThere: .asks(byBringing)
        case .ended: .asks("hours that are noted are asked for no longer, whatever it is called by then")
        case .asksAgain: .asks("a parent without an account agrees, and nothing is kept but that")
        case .stale: .asks("a listing that is closed isn't asked about anymore")
        case .reviewed: .asks("a review that was answered asks for no answer")
        case .accepted, .declined, .moved, .relocated, .calledOff, .confirmed, .lapsed, .thanked, .won, .kept,
            .corrected, .missed, .agreed, .unagreed, .closedToChildren, .thereAlready, .unanswered, .reopened, .counts,
            .dayBefore, .hoursBefore, .hidden, .shown, .joined, .brought, .left, .promised, .dropped, .lapsedThere,
            .unlisted, .notYet:
            .informs
        }
    }

    private static func fate(_ what: NeedNews.What) -> Fate {
        switch what {
        case .asked, .waits: .asks(byTime)
        case .brought: .asks("the author reads on Today that somebody says it came, until they answer")
        case .ending, .endingThere: .asks("a need that ends tomorrow asks neither side once it came")
        case .stale: .asks("a need that was changed is still needed")
        case .accepted, .declined, .missed, .lapsed, .closed, .thanked, .unanswered, .taken, .dropped, .verified,
            .overlooked, .lapsedThere, .forgotten, .over, .resumed, .notYet, .moved, .movedHome, .hidden, .shown:
            .informs
        }
    }

    private static func fate(_ what: CohostNews.What) -> Fate {
        switch what {
        case .asked: .asks("an invitation to an event that is canceled asks for no answer")
        case .removed, .canceled, .joined, .left: .informs
        }
    }

    private static func fate(_ what: ImportNews.What) -> Fate {
        switch what {
        case .gone, .severalGone, .suspicious: .asks(byCalendar)
        case .failing, .stopped: .asks("a calendar that can be read again asks for no look")
        }
    }

    private static func fate(_ what: DeskNews.What) -> Fate {
        switch what {
        case .renew, .renamed, .handedOver, .ends: .asks(byMark)
        // It comes anew each day, and says how much waits when it is opened.
        case .waits: .informs
        // A step that only its reader can take; the desk itself asks for it.
        case .moderator, .admin: .informs
        case .member, .verified, .unverified: .informs
        }
    }

    /// Kinds whose notices are all alike, or aren't a `TitledNews`.
    private static func fate(_ kind: NoticeKind) -> Fate {
        switch kind {
        case .offered: .asks("a family joins the list, is asked when a place is given back, and takes it")
        case .asked: .asks("a host who answers in the messages isn't asked for an answer anymore")
        case .decided: .asks("what is to be changed is hidden until its author changes it, and is looked at again")
        case .met: .asks("a time to meet that nobody answered asks for no answer once it is over")
        case .dayAct: .asks("a kind act that was done is reminded of no longer")
        case .registered, .changed, .cancelled, .hidden, .lapsed, .drawn, .dayBefore, .hoursBefore, .announced,
            .answered, .booked, .published, .imported, .matched, .messaged, .meeting, .helping, .helpers, .followed,
            .searched, .aboutEvents, .aboutHelping, .aboutKindness, .aboutPets, .aboutSite, .talked, .needs, .wrote,
            .challenged, .role, .desk, .verified, .team, .cohosting, .guardianOn, .guardianOff, .welcome, .reset,
            .address, .moved, .newPassword, .twoStepOn, .twoStepOff, .recovered, .deleted, .test, .invited,
            .invitedHere:
            .informs
        }
    }

    @Test func `each kind of news that asks for something has a test that settles it`() throws {
        let all: [Fate] =
            HelpNews.What.allCases.map(Self.fate) + NeedNews.What.allCases.map(Self.fate)
            + CohostNews.What.allCases.map(Self.fate) + ImportNews.What.allCases.map(Self.fate)
            + DeskNews.What.allCases.map(Self.fate) + NoticeKind.allCases.map(Self.fate)
        let sentences = try SecurityTableTests.sentences()
        for case .asks(let sentence) in all { #expect(sentences.contains(sentence), "\(sentence)") }
    }

    /// How many unread notices say this.
    private func unread(_ what: String, in site: TestSite) throws -> Int {
        #expect(try site.count(of: AwaitedTests.miscounted) == 0)
        return try site.count(of: "notice WHERE detail LIKE \("\(what)\u{1F}%") AND read_at IS NULL")
    }

    @Test func `hours that are noted are asked for no longer, whatever it is called by then`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben)
            for (person, number) in [(Person.ana, 1), (.cleo, 2)] {
                let browser = try await site.signIn(person, as: .parent)
                _ = try await browser.visit("/opportunities/\(id)").press("Sign up", filling: ["shift": ["1"]])
                #expect(try site.count(of: "signup") == number)
            }
            site.clock.advance(by: .days(8))
            let now = site.clock.now
            try await site.execute("UPDATE shift SET ends_at = \(now - .minutes(1)) WHERE id = 1")
            _ = try await site.write(at: now) { tx in try Signup.askHours(in: tx) }
            #expect(try unread("ended", in: site) == 2)
            try await site.execute("UPDATE opportunity SET title = 'Serve a Saturday lunch'")
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/signups/1").press("Note my hours", filling: ["hours": "2"])
            #expect(try unread("ended", in: site) == 1, "Cleo’s")
            // The organization may be faster.
            let host = try await site.account(of: .ben)
            let day = try #require(Day(iso: "2027-03-27"))
            try await site.write(at: now) { tx in
                let hours = Contribution.Confirmation(of: .signup(ID(2)), day: day, minutes: 60)
                try Contribution.confirm([hours], at: id, by: host, in: tx)
            }
            #expect(try unread("ended", in: site) == 0)
        }
    }

    @Test func `a promise that ends tomorrow asks neither side once it was brought or taken back`() async throws {
        try await withTestSite { site in
            let (id, ana, _) = try await RunningOutTests.promised(site)
            let now = site.clock.now
            try await site.execute("UPDATE promise SET ends_at = \(now + .hours(5))")
            _ = try await site.write(at: now) { tx in try Promise.lapse(in: tx) }
            #expect(try unread("ending", in: site) == 1 && unread("endingThere", in: site) == 1)
            let page = try await ana.visit("/opportunities/\(id)").press("I brought it: 3 × Coats")
            #expect(try unread("ending", in: site) == 0 && unread("endingThere", in: site) == 0)
            #expect(try unread("given", in: site) == 1)
            _ = try await page.press("Not yet: 3 × Coats")
            #expect(try unread("given", in: site) == 0)
            // Asked again, and taken back.
            try await site.execute("UPDATE promise SET ends_at = \(now + .hours(5)), is_reminded = FALSE")
            _ = try await site.write(at: now) { tx in try Promise.lapse(in: tx) }
            #expect(try unread("ending", in: site) == 1 && unread("endingThere", in: site) == 1)
            _ = try await ana.visit("/opportunities/\(id)").press("Take it back: 3 × Coats")
            #expect(try unread("ending", in: site) == 0 && unread("endingThere", in: site) == 0)
        }
    }

    @Test func `an offer that ran out waits for nobody's yes`() async throws {
        try await withTestSite { site in
            _ = try await AwaitedTests().offered(site)
            #expect(try unread("asked", in: site) == 1)
            let now = site.clock.now
            try await site.execute("UPDATE claim SET ends_at = \(now - .minutes(1))")
            _ = try await site.write(at: now) { tx in try Claim.lapse(in: tx) }
            #expect(try unread("asked", in: site) == 0 && unread("overlooked", in: site) == 1)
        }
    }

    @Test func `a need that ends tomorrow asks neither side once it came`() async throws {
        try await withTestSite { site in
            _ = try await AwaitedTests().offered(site)
            let (author, helper) = (try await site.account(of: .ana), try await site.account(of: .family(1)))
            let now = site.clock.now
            try await site.write(at: now) { tx in
                _ = try Claim.answer(ID(1), yes: true, by: author, in: tx)
                try tx.execute("UPDATE claim SET ends_at = \(now + .hours(5)), made_at = \(now - .days(3))")
                _ = try Claim.lapse(in: tx)
            }
            #expect(try unread("ending", in: site) == 1 && unread("endingThere", in: site) == 1)
            let today = site.site.settings.zone.day(of: now)
            try await site.write(at: now) { tx in _ = try Claim.done(ID(1), by: helper, on: today, in: tx) }
            #expect(try unread("ending", in: site) == 0 && unread("endingThere", in: site) == 0)
            #expect(try unread("brought", in: site) == 1)
        }
    }

    @Test func `a need that was changed is still needed`() async throws {
        try await withTestSite { site in
            let ana = try await AwaitedTests().offered(site)
            let (author, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.write(at: now) { tx in
                try NeedNews(.stale, ID(1), "Three warm blankets").tell(author, in: tx)
            }
            #expect(try unread("stale", in: site) == 1)
            _ = try await ana.visit("/needs/1/edit").press("Preview", filling: ["title": "Three blankets"])
                .press("Publish the change")
            #expect(try site.count(of: "need WHERE title = 'Three blankets'") == 1)
            #expect(try unread("stale", in: site) == 0)
        }
    }

    @Test func `a listing that is closed isn't asked about anymore`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben) { $0.asksFirst = true }
            let (ana, ben) = (try await site.signIn(.ana, as: .parent), try await site.account(of: .ben))
            _ = try await ana.visit("/opportunities/\(id)").press("Ask to help", filling: ["shift": ["1"]])
            let now = site.clock.now
            try await site.write(at: now) { tx in
                try HelpNews(.stale, id, "Serve Saturday lunch").tellHost(ben, in: tx)
            }
            #expect(try unread("stale", in: site) == 1 && unread("asked", in: site) == 1)
            try await site.write(at: now) { tx in
                try Opportunity.close(try #require(try Opportunity.find(id, in: tx)), in: tx)
            }
            #expect(try unread("stale", in: site) == 0 && unread("asked", in: site) == 0)
        }
    }

    @Test func `a review that was answered asks for no answer`() async throws {
        try await withTestSite { site in
            _ = try await site.provider(of: .ben)
            let (host, ana) = (try await site.account(of: .ben), try await site.account(of: .ana))
            let now = site.clock.now
            try await site.execute(
                """
                INSERT INTO review (host_id, account_id, year, stars, comment, created_at)
                VALUES (\(host), \(ana), 2027, 4, 'Good people.', \(now))
                """)
            try await site.write(at: now) { tx in
                try HelpNews(.reviewed, ID(1), "King Library").tellHost(host, in: tx)
            }
            #expect(try unread("reviewed", in: site) == 1)
            _ = try await site.write(at: now) { tx in try Review.answer(ID(1), "Thank you.", by: host, in: tx) }
            #expect(try unread("reviewed", in: site) == 0)
        }
    }

    @Test func `an invitation to an event that is canceled asks for no answer`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let (host, ana) = (try await site.account(of: .ben), try await site.account(of: .ana))
            let now = site.clock.now
            // Only neighbors' events have co-hosts.
            try await site.execute("UPDATE event SET audience = 'everyone' WHERE account_id = \(host)")
            try await site.write(at: now) { tx in try CohostNews(.asked, event, "Kite day").tell(ana, in: tx) }
            #expect(try unread("asked", in: site) == 1)
            try await site.write(at: now) { tx in
                try Event.cancel(try #require(try Event.find(event, in: tx)), reason: "", in: tx)
            }
            #expect(try unread("asked", in: site) == 0)
        }
    }

    @Test func `a calendar that can be read again asks for no look`() async throws {
        try await withTestSite { site in
            let (ana, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.write(at: now) { tx in
                for what in [ImportNews.What.failing, .stopped] {
                    try ImportNews(what, ID(1), "Ours").tell(ana, in: tx)
                }
            }
            #expect(try unread("failing", in: site) == 1 && unread("stopped", in: site) == 1)
            try await site.write(at: now) { tx in try CalendarImport.noteRead(ID(1), in: tx) }
            #expect(try unread("failing", in: site) == 0 && unread("stopped", in: site) == 0)
        }
    }

    @Test func `an organization whose mark was renewed is asked about by nobody`() async throws {
        try await withTestSite { site in
            let id = try await site.provider(of: .ben)
            let (host, admin) = (
                try await site.account(of: .ben), try await site.account(of: .mira, role: .admin)
            )
            let now = site.clock.now
            try await site.write(at: now) { tx in
                for what in [DeskNews.What.renew, .renamed, .handedOver] {
                    try DeskNews(what, ID(id.rawValue), "King Library").tell(admin, in: tx)
                }
                try DeskNews(.ends, ID(id.rawValue), "King Library").tell(host, in: tx)
            }
            let asking: SQL = "notice WHERE kind IN ('desk', 'verified') AND read_at IS NULL"
            #expect(try site.count(of: asking) == 4)
            try await site.write(at: now) { tx in
                let provider = try #require(try Provider.find(of: host, in: tx))
                try Verified.set(
                    Verified(checked: "its office", at: now, until: now + .days(90)), of: provider, reason: "",
                    by: admin, in: tx)
            }
            #expect(try site.count(of: "\(asking) AND detail NOT LIKE 'verified%'") == 0)
        }
    }

    @Test func `a time to meet that nobody answered asks for no answer once it is over`() async throws {
        try await withTestSite { site in
            let (ana, _, path) = try await PlaydatesTests.matched(in: site)
            _ = try await ana.visit(path).press(
                "Propose these times", filling: ["day_1": "2027-03-21", "time_1": "10:00", "place": "The lawn"])
            #expect(try unread("proposed", in: site) == 1)
            site.clock.advance(by: .days(6))
            let (zone, now) = (site.site.settings.zone, site.clock.now)
            _ = try await site.write(at: now) { tx in try Meeting.call(in: zone, tx: tx) }
            #expect(try site.count(of: "meeting WHERE state = 'declined'") == 1)
            #expect(try unread("proposed", in: site) == 0)
        }
    }

    @Test func `a kind act that was done is reminded of no longer`() async throws {
        try await withTestSite { site in
            let (ana, now) = (try await site.account(of: .ana), site.clock.now)
            let today = site.site.settings.zone.day(of: now)
            let act = KindAct.ofDay(today)
            try await site.write(at: now) { tx in
                try Notice.tell(
                    Notice.News(kind: .dayAct, subject: act.id.rawValue), "account.id = \(ana)", in: tx)
            }
            #expect(try site.count(of: "account WHERE unread = 1") == 1)
            try await site.write(at: now) { tx in
                _ = try Deed.record(Deed.Entry(act: act, day: today, once: "one"), by: ana, in: tx)
            }
            #expect(try site.count(of: "account WHERE unread = 0 AND id = \(ana)") == 1)
        }
    }
}
