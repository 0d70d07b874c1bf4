import Database
import Forms
import Testing

@testable import App

/// Waiting for a full shift, being reminded of one, and being told when it changes.
@Suite struct WaitingToHelpTests {
    /// A shift of one, with Ana in it.
    private static func full(_ site: TestSite, _ change: (inout OpportunityForm) -> Void = { _ in }) async throws -> (
        ID<Opportunity>, Browser
    ) {
        let id = try await site.ask(by: .ben) {
            $0.shifts[0].spots = 1
            change(&$0)
        }
        let ana = try await site.signIn(.ana, as: .parent)
        _ = try await ana.visit("/opportunities/\(id)").press("Sign up", filling: ["shift": ["1"]])
        return (id, ana)
    }

    @Test func `who waits has the place that is given back, in the order in which they came`() async throws {
        try await withTestSite { site in
            let (id, ana) = try await Self.full(site)
            let cleo = try await site.signIn(.cleo, as: .parent)
            let form = try await cleo.visit("/opportunities/\(id)")
            #expect(form.text.contains("Full: choose it to wait for a place"))
            // A helper who takes it as if there were room is told, and doesn't wait.
            let token = form.value(of: "csrf") ?? ""
            let wrong = try await cleo.post("/opportunities/\(id)/signups", [("csrf", token), ("shift", "1")])
            // The hours say which it is of several that day.
            let said = wrong.text.matches(of: /The shift on [^.]+(AM|PM) is full now\./)
            #expect(wrong.status == 422 && said.count > 0, "\(wrong.text)")
            #expect(try site.count(of: "shift_wait") == 0)
            let page = try await form.press("Wait for a place", filling: ["wait": ["1"], "message": "I am Cleo."])
            #expect(page.text.contains("You wait for a place"))
            _ = try await form.press("Wait for a place", filling: ["wait": ["1"]])
            #expect(try site.count(of: "shift_wait") == 1)
            let later = try await site.signIn(.family(1), as: .parent)
            _ = try await later.visit("/opportunities/\(id)").press("Wait for a place", filling: ["wait": ["1"]])
            let ben = try await site.signIn(.ben, as: .provider)
            let list = try await ben.visit("/opportunities/\(id)/signups")
            #expect(list.text.contains("Waiting") && list.text.contains("I am Cleo."))
            let visitor = try await site.browser().visit("/opportunities/\(id)")
            #expect(!visitor.text.contains("Cleo"))

            _ = try await ana.visit("/signups/1").press("Give my place back")
            #expect(try site.count(of: "signup WHERE state = 'confirmed'") == 1)
            #expect(try site.count(of: "shift WHERE taken = 1") == 1)
            #expect(try await cleo.visit("/inbox").text.contains("A place became free, and it is yours"))
            #expect(try await cleo.visit("/week").text.contains("Serve Saturday lunch"))
            #expect(try await !later.visit("/inbox").text.contains("A place became free"))
            _ = try await later.visit("/opportunities/\(id)").press("Stop waiting: Saturday, March 27, 11 AM to 2 PM")
            #expect(try site.count(of: "shift_wait") == 0)
        }
    }

    @Test func `nobody who is suspended, or blocks the organization, has a place; and more places are passed on`()
        async throws
    {
        try await withTestSite { site in
            let (id, _) = try await Self.full(site)
            for person in [Person.cleo, .family(1), .family(2)] {
                let browser = try await site.signIn(person, as: .parent)
                _ = try await browser.visit("/opportunities/\(id)").press(
                    "Wait for a place", filling: ["wait": ["1"]])
            }
            try await site.execute("UPDATE account SET suspended_at = 1 WHERE username = 'cleo-park'")
            let (one, ben) = (try await site.account(of: .family(1)), try await site.account(of: .ben))
            try await site.write(at: Clock.start) { tx in try Block.add(ben, by: one, in: tx) }
            let host = try await site.signIn(.ben, as: .provider)
            _ = try await host.visit("/opportunities/\(id)/edit").press("Preview", filling: ["shift.0.spots": "4"])
                .press("Publish the change")
            #expect(try site.count(of: "signup WHERE state = 'confirmed'") == 2)
            // A suspended member waits on; one who blocks the organization doesn't.
            #expect(try site.count(of: "shift_wait") == 1)
            try await site.execute("UPDATE account SET suspended_at = NULL WHERE username = 'cleo-park'")
            let now = site.clock.now
            let told = try await site.write(at: now) { tx in try Shift.tidyWaiting(in: tx) }
            #expect(told == 1)
            #expect(try site.count(of: "shift WHERE taken = 3") == 1)
            try await site.execute("UPDATE shift SET spots = 3")
            let late = try await site.signIn(.family(3), as: .parent)
            _ = try await late.visit("/opportunities/\(id)").press("Wait for a place", filling: ["wait": ["1"]])
            let over = now + .days(8)
            #expect(try await site.write(at: over) { tx in try Shift.tidyWaiting(in: tx) } == 1)
        }
    }

    @Test func `thirty who wait race for the places that ten give back at once`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben) { $0.shifts[0].spots = 10 }
            let now = site.clock.now
            let accounts: [ID<Account>] = try await site.write(at: now) { tx in
                try (0..<40).map { number in
                    try Account.insert(
                        email: "racer-\(number)@example.org", username: "racer-\(number)", passwordHash: "x", in: tx)
                }
            }
            for (number, account) in accounts.enumerated() {
                try await site.write(at: now) { tx in
                    try Signup.take(
                        number < 10 ? [ID(1)] : [], waitingFor: number < 10 ? [] : [ID(1)], message: "", of: account,
                        at: id, in: tx)
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...10 {
                    group.addTask {
                        try await site.write(at: now) { tx in
                            _ = try Signup.giveBack(ID(Int64(number)), of: accounts[number - 1], in: tx)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try site.count(of: "signup WHERE state = 'confirmed'") == 10)
            #expect(try site.count(of: "shift WHERE taken = 10") == 1)
            #expect(try site.count(of: "shift_wait") == 20)
            // The first ten in line, and no other.
            let last = accounts[19]
            #expect(try site.count(of: "signup WHERE state = 'confirmed' AND account_id > \(last)") == 0)
        }
    }

    @Test func `who is in a shift is reminded the day before and two hours before, each as they chose`() async throws {
        try await withTestSite { site in
            let (_, ana) = try await Self.full(site)
            // 11 in the morning in the town is 18 UTC.
            let start = Clock.start + .days(7) + .hours(8)
            func send(_ time: Instant) async throws -> Int {
                try await site.write(at: time) { tx in try Reminder.sendOfShifts(in: tx) }
            }
            #expect(try await send(start - .hours(24) - .minutes(1)) == 0)
            #expect(try await send(start - .hours(24)) == 1)
            #expect(try await send(start - .hours(24)) == 0)
            let inbox = try await ana.visit("/inbox")
            #expect(inbox.text.contains("Coming up: Serve Saturday lunch"))
            #expect(inbox.text.contains("Saturday, March 27, 11 AM to 2 PM"))
            let choices = try await ana.visit("/me/notices")
            #expect(choices.text.contains("A reminder two hours before"))
            try await site.execute(
                """
                INSERT INTO notice_choice (account_id, kind, channel, is_on)
                SELECT id, 'hoursBefore', 'inbox', FALSE FROM account WHERE username = 'ana-ortiz'
                """)
            #expect(try await send(start - .hours(2)) == 1)
            #expect(try site.count(of: "notice WHERE kind = 'dayBefore'") == 1)
            #expect(try site.count(of: "notice WHERE kind = 'hoursBefore'") == 0)
            #expect(try await send(start + .hours(1)) == 0)
        }
    }

    @Test func `a shift that moves is told with before and after, and so is another place`() async throws {
        try await withTestSite { site in
            let (id, ana) = try await Self.full(site)
            try await site.execute("UPDATE account SET confirmed_at = 1")
            let ben = try await site.signIn(.ben, as: .provider)
            let form = try await ben.visit("/opportunities/\(id)/edit")
            _ = try await form.press(
                "Preview", filling: ["shift.0.start_time": "12:00", "address": "1 Main St"]
            ).press("Publish the change")
            let inbox = try await ana.visit("/inbox").text
            #expect(inbox.contains("Your shift has moved: Serve Saturday lunch"))
            #expect(
                inbox.contains(
                    "Now Saturday, March 27, noon to 2 PM; before Saturday, March 27, 11 AM to 2 PM")
                    || inbox.contains(
                        "Now Saturday, March 27, 12 PM to 2 PM; before Saturday, March 27, 11 AM to 2 PM")
            )
            #expect(inbox.contains("It is at another place") && inbox.contains("1 Main St"))
            let due: Int64? = try site.read { db in
                try db.value("SELECT due_at FROM shift_reminder WHERE lead = 'hours'")
            }
            #expect(due == (Clock.start + .days(7) + .hours(7)).milliseconds)
            func letters(in zone: Zone) throws -> [LetterText] {
                try site.read(at: site.clock.now) { tx in
                    try tx.all("SELECT \(Letter.columns) FROM letter WHERE kind = 'helping' LIMIT 9") {
                        try $0.next() as Letter
                    }.compactMap { try $0.text(country: "US", zone: zone, in: tx) }
                }
            }
            let near = try letters(in: site.site.settings.zone)
            #expect(near.count == 2)
            #expect(near.allSatisfy { $0.facts.first?.before != nil })
            // One whose time moved also says where it is.
            let places = near.flatMap(\.facts).filter { $0.name.plain == "Where" && $0.before == nil }
            #expect(places.map { $0.words.plain.contains("1 Main St") } == [true])
            // Elsewhere the time is said with its zone.
            let zones = try letters(in: .utc).flatMap(\.facts).filter { $0.name.plain == "Time zone" }
            #expect(zones.map(\.words.plain) == ["Pacific Time"])
        }
    }

    @Test func `a shift that moves twice is told once, from the first time to the last`() async throws {
        try await withTestSite { site in
            let (id, ana) = try await Self.full(site)
            let ben = try await site.signIn(.ben, as: .provider)
            for start in ["10:00", "10:30"] {
                _ = try await ben.visit("/opportunities/\(id)/edit").press(
                    "Preview", filling: ["shift.0.start_time": .text(start)]
                ).press("Publish the change")
            }
            let inbox = try await ana.visit("/inbox").text
            #expect(
                inbox.contains("Now Saturday, March 27, 10:30 AM to 2 PM; before Saturday, March 27, 11 AM to 2 PM"))
            // An earlier time doesn't stand below as if it held.
            #expect(!inbox.contains("Now Saturday, March 27, 10 AM"))
            let unread: SQL = "notice WHERE kind = 'helping' AND detail LIKE 'moved%' AND read_at IS NULL"
            #expect(try site.count(of: unread) > 1)
            // Opening the row reads both.
            let newest: Int64? = try site.read { db in
                try db.value(
                    """
                    SELECT max(notice.id) FROM notice JOIN account ON account.id = notice.account_id
                    WHERE detail LIKE 'moved%' AND username = 'ana-ortiz'
                    """)
            }
            _ = try await ana.visit("/inbox/\(try #require(newest))")
            #expect(
                try site.count(of: "\(unread) AND account_id = (SELECT id FROM account WHERE username = 'ana-ortiz')")
                    == 0)
            // Moved back, the row says what holds, and what was before it.
            _ = try await ben.visit("/opportunities/\(id)/edit").press(
                "Preview", filling: ["shift.0.start_time": "11:00"]
            ).press("Publish the change")
            let back = try await ana.visit("/inbox").text
            #expect(
                back.contains("Now Saturday, March 27, 11 AM to 2 PM; before Saturday, March 27, 10:30 AM to 2 PM"))
        }
    }

    @Test func `what is told of helping is kept with its facts, whatever stands in them`() {
        let day = Day(iso: "2027-03-27")!
        let (start, end) = (TimeOfDay(hour: 11, minute: 0)!, TimeOfDay(hour: 14, minute: 0)!)
        for (before, now) in [
            (HelpNews.Fact?.none, HelpNews.Fact?.some(.time(day, start, end))),
            (.some(.text("1 Main St")), .some(.text("@ the = gate"))), (.none, .none), (.some(.text("")), .none),
        ] {
            let news = HelpNews(.moved, ID(7), "Lunch", before: before, now: now)
            let read = HelpNews(detail: news.detail, subject: 7)
            #expect(read?.before == before && read?.now == now && read?.title == "Lunch", "\(news.detail)")
        }
        // The same time by another clock says which.
        let zones = ["America/Los_Angeles", "America/Denver"].map { Zone(identifier: $0)! }
        let times = zones.map { HelpNews.Fact.time(day, start, end, in: $0) }
        let news = HelpNews(.moved, ID(7), "Lunch", before: times[0], now: times[1])
        let read = HelpNews(detail: news.detail, subject: 7)
        #expect(read?.before == times[0] && read?.now == times[1])
        #expect(
            read?.more.plain(in: "en-US")
                == "Now Saturday, March 27, 11 AM to 2 PM (Mountain Time); before Saturday, March 27, 11 AM to 2 PM "
                + "(Pacific Time)")
        #expect(HelpNews(detail: "moved\u{1F}Lunch", subject: 7)?.title == "Lunch")
        #expect(HelpNews(detail: "moved", subject: 7) == nil && HelpNews(detail: "x\u{1F}y", subject: 7) == nil)
    }

    @Test func `a draft is kept, taken up, thrown away, taken back and published`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let form = try await ben.visit("/opportunities/new?kind=volunteer")
            let drafts = try await form.press("Keep as draft", filling: ["title": "Lunch", "shift.0.spots": "8"])
            #expect(drafts.path.hasPrefix("/me/opportunities") && drafts.text.contains("Lunch"))
            #expect(try site.count(of: "opportunity") == 0)
            let back = try await drafts.follow("Lunch")
            #expect(back.value(of: "title") == "Lunch" && back.value(of: "shift.0.spots") == "8")
            _ = try await back.press("Keep as draft", filling: ["title": "Serve lunch"])
            #expect(try site.count(of: "draft WHERE kind = 'opportunity' AND title = 'Serve lunch'") == 1)
            let gone = try await ben.visit("/me/opportunities?list=draft").press("Throw away: Serve lunch")
            #expect(gone.path.hasPrefix("/me/opportunities") && gone.text.contains("No drafts"))
            #expect(try await !ben.visit("/me/events?list=draft").text.contains("Serve lunch"))
            #expect(try site.count(of: "draft") == 0)
            let again = try await gone.press("Undo: Serve lunch")
            #expect(again.text.contains("Serve lunch"))
            #expect(try site.count(of: "draft WHERE kind = 'opportunity'") == 1)
            let number: Int64 = try site.read { db in try db.value("SELECT max(id) FROM draft")! }
            #expect(try await ben.visit("/events/new?draft=\(number)").status == 404)
            let cleo = try await site.signIn(.cleo, as: .provider)
            #expect(try await cleo.visit("/opportunities/new?draft=\(number)").status == 404)
            let page = try await ben.visit("/opportunities/new?draft=\(number)").press(
                "Preview",
                filling: [
                    "description": "You carry plates.", "shift.0.date": "2027-03-27", "shift.0.start_time": "11:00",
                    "shift.0.end_time": "14:00",
                ]
            ).press("Publish")
            #expect(page.heading == "Serve lunch")
            #expect(try site.count(of: "draft") == 0)
        }
    }

    @Test func `one is copied without its days, and closed with a reason`() async throws {
        try await withTestSite { site in
            let (id, ana) = try await Self.full(site)
            let ben = try await site.signIn(.ben, as: .provider)
            let copy = try await ben.visit("/opportunities/\(id)").follow("Copy it")
            #expect(copy.value(of: "title") == "Serve Saturday lunch" && copy.value(of: "shift.0.date") == "")
            #expect(copy.value(of: "shift.0.start_time") == "11:00")
            let cleo = try await site.signIn(.cleo, as: .provider)
            #expect(try await cleo.visit("/opportunities/new?copy=\(id)").status == 404)
            _ = try await copy.press("Preview", filling: ["shift.0.date": "2027-04-03"]).press("Publish")
            #expect(try site.count(of: "opportunity") == 2)
            #expect(try site.count(of: "shift WHERE taken = 1") == 1)
            let closed = try await ben.visit("/opportunities/\(id)/close").press(
                "Close it", filling: ["reason": "The kitchen is being painted."])
            #expect(closed.text.contains("The kitchen is being painted."))
            #expect(try await ana.visit("/inbox").text.contains("The kitchen is being painted."))
            #expect(try site.count(of: "shift_reminder WHERE shift_id = 1") == 0)
        }
    }
}
