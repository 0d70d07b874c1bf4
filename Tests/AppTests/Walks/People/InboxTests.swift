import Database
import Forms
import SMTP
import Testing

@testable import App

/// Being told: in the inbox, and by mail.
@Suite struct InboxTests {
    private func deliver(_ site: TestSite, to office: PostOffice) async {
        let client = MailClient(MailServer(url: office.url)!, name: "village.example")
        #expect(await Postman(site: site.site).deliverAll(by: client))
    }

    /// Ana, whose address is confirmed, with Mo at an event of Ben's.
    private func registered(_ site: TestSite) async throws -> (ana: Browser, ben: Browser, event: ID<Event>) {
        let event = try await site.publish(by: .ben)
        let ben = try await site.signIn(.ben, as: .provider)
        let mo = try await site.child("Mo", of: .ana)
        try await site.execute("UPDATE account SET confirmed_at = 1")
        let ana = try await site.signIn(.ana, as: .parent)
        _ = try await ana.visit("/events/\(event)").press("Register", filling: ["child": ["\(mo)"]])
        return (ana, ben, event)
    }

    private func bell(_ page: Page) -> String {
        page.html.all(ofClass: "bell").first?.all(ofClass: "hidden").first?.text ?? ""
    }

    /// Recounts what is kept in the accounts' rows.
    private func checkCounts(_ site: TestSite) throws {
        #expect(
            try site.count(
                of: """
                    account WHERE unread <> (
                        SELECT count(*) FROM notice WHERE account_id = account.id AND read_at IS NULL)
                    """) == 0)
    }

    @Test func `a registration tells both sides, and the bell counts`() async throws {
        let office = try PostOffice()
        try await withTestSite { site in
            let (ana, ben, event) = try await registered(site)
            #expect(bell(try await ana.visit("/")) == "Inbox, 1 unread")
            let inbox = try await ana.visit("/inbox")
            #expect(inbox.text.contains("You have places at Kite day") && inbox.text.contains("Today"))
            let there = try await inbox.follow("Unread: You have places at Kite day, March 27")
            #expect(there.path.hasPrefix("/registrations/"))
            #expect(bell(there) == "Inbox")
            #expect(
                try await ben.visit("/inbox").follow("Unread: A new registration for Kite day, March 27").status
                    == 200)
            try checkCounts(site)
            await deliver(site, to: office)
            let letters = try office.letters
            #expect(
                letters.map(\.subject) == ["Registered: Kite day, March 27", "A new registration: Kite day, March 27"])
            let hers = try #require(letters.first)
            #expect(
                hers.files.first?.type == "text/calendar"
                    && hers.files.first?.text.contains("Kite day") == true)
            // An appointment comes to those alone who want it.
            #expect(hers.files.first?.text.contains("METHOD:PUBLISH") == true)
            #expect(hers.text.contains("1 child is registered.") && hers.text.contains("180 Park Ave"))
            // A child's name is in no letter.
            for letter in letters {
                #expect(!"\(letter)".contains("Mo,") && !letter.html.contains(">Mo<"))
            }
            #expect(event.rawValue > 0)
        }
    }

    @Test func `who wants to hear of no more registrations keeps what was told before`() async throws {
        try await withTestSite { site in
            let (_, ben, event) = try await registered(site)
            let now = site.clock.now
            let host = try await site.account(of: .ben)
            // One that was told of is unread, and something else came after it.
            try await site.write(at: now) { tx in try Notice.tellHost(.init(kind: .published, event: event), in: tx) }
            _ = try await ben.visit("/me/notices").press("Save", filling: ["on": []])
            let before = try site.count(of: "notice WHERE account_id = \(host)")
            try await site.write(at: now) { tx in try Notice.tellHost(.init(kind: .booked, event: event), in: tx) }
            #expect(try site.count(of: "notice WHERE account_id = \(host)") == before)
            #expect(try site.count(of: "notice WHERE kind <> 'booked' AND times > 1") == 0)
            try checkCounts(site)
        }
    }

    @Test func `an appointment comes with these letters for who wants it, moves with the event and goes with it`()
        async throws
    {
        let office = try PostOffice()
        try await withTestSite { site in
            let (_, ben, event) = try await registered(site)
            let account = try await site.account(of: .ana)
            try await site.write { db in try Notice.choose(.registered, .calendar, true, by: account, in: db) }
            /// The lines of the calendar in the last letter to her.
            func lines() throws -> Set<String> {
                let letter = try office.letters.last { $0.to == [Person.ana.email] }
                let text = letter?.files.first?.text.replacing("\r\n", with: "\n").replacing("\n ", with: "") ?? ""
                return Set(text.split(separator: "\n").map(String.init))
            }
            func sequence() throws -> Int? {
                try lines().first { $0.hasPrefix("SEQUENCE:") }.flatMap { Int($0.dropFirst(9)) }
            }
            await deliver(site, to: office)
            let first = try lines()
            #expect(first.contains("METHOD:REQUEST") && first.contains("STATUS:CONFIRMED"))
            #expect(first.contains("ATTENDEE;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:\(Person.ana.email)"))
            #expect(first.contains { $0.hasPrefix("ORGANIZER;CN=") && $0.hasSuffix(":mailto:village@localhost") })
            #expect(first.contains { $0.hasPrefix("UID:event-\(event)@") })
            // By initials alone.
            #expect(first.contains("SUMMARY:M.: Kite day"))
            // Calendar programs don't ask: an address that may be somebody else's gets none.
            let sent: Letter? = try site.read { db in
                try db.first("SELECT \(Letter.columns) FROM letter WHERE kind = 'registered'")
            }
            let letter = try #require(sent)
            func method() async throws -> String? {
                try await site.site.message(of: letter, at: site.clock.now)?.attachments.first?.type.split(
                    separator: "="
                ).last.map(String.init)
            }
            #expect(try await method() == "REQUEST")
            try await site.execute("UPDATE account SET confirmed_at = NULL")
            #expect(try await method() == "PUBLISH")
            try await site.execute("UPDATE account SET confirmed_at = 1")
            let before = try #require(try sequence())
            site.clock.advance(by: .minutes(5))
            _ = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["start_time": "11:00"])
                .press("Publish the change")
            await deliver(site, to: office)
            let moved = try lines()
            #expect(moved.contains("METHOD:REQUEST"))
            #expect(moved.contains { $0.hasPrefix("DTSTART") && $0.hasSuffix("20270327T110000") })
            #expect(try #require(try sequence()) > before)
            _ = try await ben.visit("/events/\(event)/cancel").press(
                "Cancel the event", filling: ["reason": "It rains."])
            await deliver(site, to: office)
            let gone = try lines()
            #expect(gone.contains("METHOD:CANCEL") && gone.contains("STATUS:CANCELLED"))
            #expect(gone.contains { $0.hasPrefix("UID:event-\(event)@") })
        }
    }

    @Test
    func `a change and the end of an event reach the families, with a receipt, and the calendar`()
        async throws
    {
        let office = try PostOffice()
        try await withTestSite { site in
            let (ana, ben, event) = try await registered(site)
            await deliver(site, to: office)
            site.clock.advance(by: .minutes(5))
            _ = try await ben.visit("/events/\(event)/edit").press(
                "Preview", filling: ["start_time": "11:00"]
            )
            .press("Publish the change")
            let inbox = try await ana.visit("/inbox")
            #expect(bell(inbox) == "Inbox, 2 unread")
            let told = try #require(inbox.html.all(ofClass: "told").first)
            #expect(
                told.all("del").first?.text.contains("10") == true
                    && told.all("ins").first?.text.contains("11") == true)
            _ = try await ben.visit("/events/\(event)/cancel").press(
                "Cancel the event", filling: ["reason": "It rains."])
            #expect(try await ana.visit("/inbox").text.contains("It rains."))
            await deliver(site, to: office)
            // What changed about it is of no use anymore.
            let letters = try office.letters.dropFirst(2)
            #expect(letters.map(\.subject) == ["Canceled: Kite day, March 27"])
            #expect(letters.first?.text.contains("It rains.") == true)
            #expect(letters.first?.files.first?.text.contains("STATUS:CANCELLED") == true)
            try checkCounts(site)
            #expect(
                try await ana.visit("/inbox").press("Mark all as read").buttons.contains("Mark all as read")
                    == false)
            try checkCounts(site)
        }
    }

    @Test func `registrations that nobody looked at are one notice`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            for number in 1...3 {
                let child = try await site.child("Lu", of: .family(number))
                let account = try await site.account(of: .family(number))
                try await site.write(at: site.clock.now) { tx in
                    _ = try Registration.register(
                        [child], of: account, at: event, sharesNotes: false, once: "once-\(number)", in: tx)
                }
            }
            let inbox = try await ben.visit("/inbox")
            #expect(
                inbox.text.contains("3 new registrations for Kite day") && bell(inbox) == "Inbox, 1 unread"
            )
            try checkCounts(site)
            #expect(try site.count(of: "notice WHERE kind = 'booked'") == 1)
            #expect(try site.count(of: "letter WHERE kind = 'booked'") == 3)
        }
    }

    @Test func `nobody reads or opens what another was told`() async throws {
        try await withTestSite { site in
            let (_, ben, _) = try await registered(site)
            let hers = try site.read { db in
                try db.value("SELECT id FROM notice WHERE kind = 'registered'") as ID<Notice>?
            }
            #expect(try await ben.visit("/inbox/\(try #require(hers))").status == 404)
            #expect(try site.count(of: "notice WHERE read_at IS NOT NULL") == 0)
        }
    }

    @Test func `a kind is switched off by channel; what must be known stays in the inbox`()
        async throws
    {
        let office = try PostOffice()
        try await withTestSite { site in
            let (ana, ben, event) = try await registered(site)
            try await site.execute("DELETE FROM letter")
            let page = try await ana.visit("/me/notices")
            let saved = try await page.press(
                "Save", filling: ["on": ["registered.inbox", "cancelled.mail"]])
            #expect(saved.flash == "Saved.")
            // What was off stays as it was, and nothing else is on.
            let choices = NoticeKind.allCases.filter { $0.hat == .parent || $0.isOfMembers }.flatMap { kind in
                NoticeKind.Channel.allCases.filter { kind.rule(of: $0) == .chosen }
            }
            #expect(try site.count(of: "notice_choice WHERE NOT is_on") == choices.count - 2)
            #expect(try site.count(of: "notice_choice WHERE is_on") == 0)
            site.clock.advance(by: .minutes(5))
            _ = try await ben.visit("/events/\(event)/edit").press(
                "Preview", filling: ["start_time": "11:00"]
            )
            .press("Publish the change")
            #expect(try await ana.visit("/inbox").text.contains("Kite day, March 27 has changed"))
            await deliver(site, to: office)
            #expect(try office.letters.isEmpty)
        }
    }

    @Test func `a host hears of registrations also where nobody confirmed the address`() async throws {
        try await withTestSite { site in
            let (_, _, event) = try await registered(site)
            try await site.execute("UPDATE account SET confirmed_at = NULL")
            try await site.execute("DELETE FROM letter")
            let vy = try await site.child("Vy", of: .cleo)
            let cleo = try await site.signIn(.cleo, as: .parent)
            _ = try await cleo.visit("/events/\(event)").press("Register", filling: ["child": ["\(vy)"]])
            // Her own registration is told to her, and to the host who waits for families.
            #expect(try site.count(of: "letter WHERE kind = 'registered'") == 1)
            #expect(
                try site.count(of: "letter WHERE kind = 'booked'") == 1
                    && site.count(of: "notice WHERE kind = 'booked'") == 1)
        }
    }

    @Test func `one click ends a kind of letter, from anywhere, by its token alone`() async throws {
        let office = try PostOffice()
        try await withTestSite { site in
            let (ana, _, _) = try await registered(site)
            await deliver(site, to: office)
            let letter = try #require(try office.letters.first)
            #expect(letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click")
            let url = try #require(letter["List-Unsubscribe"]).dropFirst().dropLast()
            let path = String(url.dropFirst("http://localhost:8080".count))
            let page = try await site.browser().visit(path)
            #expect(
                page.heading == "No more letters like this?" && page["Referrer-Policy"] == "same-origin")
            #expect(try site.count(of: "notice_choice") == 0)
            // As a mail program sends it: no Origin, another host, no cookie.
            let headers = ["Origin": "", "Host": "village.example", "Sec-Fetch-Site": ""]
            let done = try await site.browser().submit(path, [("List-Unsubscribe", "One-Click")], headers)
            #expect(done.status == 200 && done.heading == "No more letters like this")
            #expect(
                try site.count(
                    of: "notice_choice WHERE kind = 'registered' AND channel = 'mail' AND NOT is_on") == 1)
            #expect(try await ana.visit("/me/notices").text.contains("What you registered for"))
            // The twin: no other form is taken without showing where it comes from.
            #expect(try await site.browser().submit("/signup", [], headers).status == 403)
            let forged = path.replacing("-registered", with: "-cancelled")
            for token in [forged, path + "A", "/unsubscribe/1-registered.", "/unsubscribe/x"] {
                #expect(try await site.browser().submit(token, []).status == 404)
            }
            #expect(try site.count(of: "notice_choice") == 1)
            #expect(
                site.site.routes().all.filter { $0.traits.contains(.needsOnlyItsToken) }.map(\.pattern)
                    == ["/unsubscribe/:token"]
            )
        }
    }

    @Test func `old notices and those of a deleted event are erased, and the count stays right`()
        async throws
    {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let event = try await site.publish(by: .ben)
            let now = site.clock.now
            try await site.write(at: now) { tx in try Notice.tellHost(.init(kind: .published, event: event), in: tx) }
            #expect(bell(try await ben.visit("/")) == "Inbox, 1 unread")
            _ = try await ben.visit("/events/\(event)/cancel").press("Delete the event")
            #expect(try site.count(of: "notice") == 0)
            try checkCounts(site)
            let (_, _, _) = try await registered(site)
            site.clock.advance(by: .days(366))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try site.count(of: "notice") == 0)
            try checkCounts(site)
        }
    }

    @Test func `every kind has a name, a reason and a rule, and whoever can be told can choose`()
        throws
    {
        for kind in NoticeKind.allCases {
            #expect(MadeUp.knows(kind.name) && MadeUp.knows(kind.why), "\(kind)")
            let rules = NoticeKind.Channel.allCases.map { kind.rule(of: $0) }
            #expect(rules.contains { $0 != .never }, "\(kind)")
            // What can be ended has a place where it is chosen.
            #expect(
                !rules.contains(.chosen) || kind.hat != nil || kind.isOfPets || kind.isOfMembers || kind.isOfStaff,
                "\(kind)")
        }
    }

    @Test func `each kind that stands in the inbox has news for it, and no other has`() {
        for kind in NoticeKind.allCases {
            for isAtEvent in [false, true] {
                let told = kind.told(isAtEvent: isAtEvent)
                #expect((told is any InboxNews.Type) == (kind.rule(of: .inbox) != .never), "\(kind)")
                #expect(told != EventNews.self || EventNews.What(kind) != nil, "\(kind)")
            }
        }
        // Nothing is left that no kind has.
        for what in EventNews.What.allCases {
            #expect(NoticeKind(rawValue: what.rawValue)?.told(isAtEvent: true) == EventNews.self, "\(what)")
        }
    }

    @Test func `a letter of each kind about an account finds its text`() async throws {
        try await withTestSite { site in
            _ = try await site.signIn(.ana, as: .parent)
            let ana = try await site.account(of: .ana)
            for kind in NoticeKind.allCases where kind.told(isAtEvent: false) == AccountLetter.self {
                // Two go to people without an account.
                let reader = [.deleted, .test].contains(kind) ? nil : ana
                let now = site.clock.now
                let letter = Letter(
                    id: ID(1), kind: kind, account: reader, address: "", event: nil, registration: nil, detail: "",
                    subject: nil, secret: "", state: .waiting, tries: 0, answer: "", createdAt: now, dueAt: now,
                    endsAt: now, doneAt: nil)
                let text = try site.read(at: now) { tx in try letter.text(country: "US", zone: .utc, in: tx) }
                #expect(text != nil, "\(kind)")
            }
        }
    }

    /// What letters of a kind say, each sentence at least once. A new kind needs its own here.
    private func letters(_ kind: NoticeKind, _ event: Event) -> [LetterText] {
        func all<News: TitledNews>(_: News.Type, _ text: (News) -> LetterText) -> [LetterText] {
            News.What.allCases.map { News($0, ID(1), "Γάτες") }.filter { $0.kind == kind }.map(text)
        }
        func meeting(_ words: String...) -> [LetterText] {
            words.map { .playdate(kind, "\($0)\u{1F}Γάτα", ID(1)) }
        }
        let change = Change(event: event.id, what: .time, before: "2027-03-27 10:00 12:00", now: "2027-03-28 10:00")
        let question = Question(
            id: ID(1), event: event.id, asker: ID(1), text: "Γάτες;", isPrivate: false, answer: "",
            isSettled: false, askedAt: Clock.start, isClosed: false, isHidden: false)
        let act = KindAct.catalog[0]
        return switch kind {
        case .welcome: [.welcome("Γάτα", token: "x")]
        case .reset: [.reset("Γάτα", token: "x")]
        case .address: [.address(token: "x")]
        case .moved: [.moved("Γάτα", token: "x"), .moved("Γάτα", token: "")]
        case .newPassword: [.newPassword("Γάτα")]
        case .twoStepOn: [.twoStep("Γάτα", isOn: true)]
        case .twoStepOff: [.twoStep("Γάτα", isOn: false)]
        case .recovered: [.recovered("Γάτα", left: 9)]
        case .deleted: [.deleted]
        case .guardianOn: [.guardian(isOn: true)]
        case .guardianOff: [.guardian(isOn: false)]
        case .test: [.test]
        case .registered: [.registered(event, ID(1), places: 2, in: .utc)]
        case .changed: [.changed(event, [change], in: .utc)]
        case .cancelled: [.cancelled(event, in: .utc)]
        case .hidden: [.hidden(event, ID(1), in: .utc), .shownAgain(event, ID(1), in: .utc)]
        case .offered:
            [
                .offered(event, ID(1), Offer(places: 1, endsAt: Clock.start), to: ID(1), in: .utc),
                .won(event, "Γάτες\u{1D}\u{1D}2027-03-27 10:00", in: .utc),
            ].compactMap(\.self)
        case .lapsed: [.lapsed(event, in: .utc)]
        case .drawn:
            [LetterText.drawn(.off, nil, code: nil, held: [], event)]
                + [DrawNews.What.wished, .later, .drawn].map { news -> LetterText in
                    let draw = Draw(
                        id: ID(1), host: ID(1), hostName: "Γάτες", title: "Γάτες", firstZIPs: [],
                        lastDay: event.day, until: Clock.start, sealedAt: nil, hash: "", families: 1, wishes: 1,
                        seed: nil, drawnAt: nil,
                        doneAt: nil, progress: 0, isHidden: false)
                    let held = DrawPage.Held(
                        registration: ID(1), title: event.readersTitle, count: 2, isWaiting: news == .wished,
                        open: 2)
                    return .drawn(news, draw, code: "Γ", held: [held], event)
                }
        case .dayBefore, .hoursBefore:
            [.reminder(event, ID(1), places: 2, to: ID(1), in: .utc, nil)] + all(HelpNews.self) { .help($0) }
        case .announced:
            [
                .announced(
                    event, Announcement(id: ID(1), subject: "Γάτες", body: "Γάτες", at: Clock.start, families: 1),
                    in: .utc)
            ]
        case .answered: [.answered(event, 1, in: .utc)]
        case .asked: [.asked(event, question, in: .utc)]
        case .booked: [.booked(event, in: .utc), .digest([(event: event, count: 2)])]
        case .published: [.published(event, in: .utc)]
        case .decided:
            Decision.Verdict.allCases.map { act in
                .decided(
                    Decision(
                        id: ID(1), subject: .post(ID(1)), author: ID(1), staff: nil, staffID: nil, verdict: act,
                        ground: .spam, reason: "", until: nil, at: Clock.start, endedAt: nil, answer: "",
                        answeredAt: nil), nil)
            }
        case .matched, .messaged: meeting("Γάτα")
        case .meeting: meeting("soon", "tomorrow")
        case .met: meeting("after", "changed", "agreed", "declined", "canceled", "proposed")
        case .helping, .helpers: all(HelpNews.self) { .help($0) }
        case .followed:
            [
                .followed([
                    FollowNews("Γάτες", .event(ID(1)), EventTitle(title: "Γάτες")),
                    FollowNews("Γάτες", .opportunity(ID(1)), EventTitle(title: "Γ")),
                ])
            ]
        case .searched:
            [
                .searched(
                    SearchNews.Told(
                        parts: [
                            .init(
                                search: SavedSearch(id: ID(1), query: "city=", savedAt: Clock.start), words: "Events",
                                events: [event], hasMore: true)
                        ], opening: [(event: event, at: Clock.start)]), in: .utc),
                .searched(SearchNews.Told(parts: [], opening: [(event: event, at: Clock.start)]), in: .utc),
            ]
        case .aboutEvents, .aboutHelping, .aboutKindness, .aboutPets, .aboutSite: [.town("Γάτες", "Γάτες")]
        case .talked: PostNews.What.allCases.map { .post(PostNews($0, ID(1), by: ID(1))) }
        case .needs: all(NeedNews.self, \.letter)
        case .wrote: all(ThreadNews.self, \.letter)
        case .role, .desk, .verified: all(DeskNews.self, \.letter)
        case .team: all(TeamNews.self, \.letter)
        case .cohosting: all(CohostNews.self, \.letter)
        case .imported: all(ImportNews.self, \.letter)
        case .invited:
            [
                .invited(
                    Challenge(
                        id: ID(1), act: act.id, asker: ID(1), name: "Γάτα", message: "Γάτα", expiresAt: Clock.start,
                        isTaken: false, taker: nil, isDone: false, madeAt: Clock.start), act, token: "x")
            ]
        case .invitedHere: [.invitedHere(to: "Γάτες", token: "x")]
        case .challenged: [.challenged(ChallengeNews(act))]
        case .dayAct: []
        }
    }

    @Test func `each kind has a letter, and none has English left in another language`() async throws {
        try await withTestSite(catalogues: [MadeUp.catalogue]) { site in
            let theo = Person(username: "theo-pappas", firstName: "Θεό", lastName: "Παππάς", organization: "Αυλή")
            let id = try await site.publish(by: theo) { $0.title = "Γάτες" }
            let event = try #require(try site.read { db in try Event.find(id, in: db) })
            for kind in NoticeKind.allCases {
                let texts = letters(kind, event)
                #expect(!texts.isEmpty || kind.rule(of: .mail) == .never, "\(kind)")
                for text in texts {
                    var words =
                        [text.subject, text.heading] + text.lines + text.closing + text.facts.map(\.name)
                        + [text.action?.name, text.second?.name].compactMap(\.self)
                    for section in text.sections {
                        words += [section.heading] + section.facts.map(\.name)
                        if let more = section.more { words.append(more.name) }
                    }
                    for words in words { #expect(MadeUp.knows(words), "\(kind): \(words.message)") }
                }
            }
        }
    }

    /// What notices of a kind say, each sentence at least once. A new kind whose words depend on more needs its own
    /// here.
    private func notices(_ kind: NoticeKind, _ event: Event) -> [Notice] {
        let happening = Notice.Happening(
            event: event.id, title: event.eventTitle, schedule: event.schedule, cancelReason: "",
            isCancelled: false)
        func notice(_ detail: String = "", times: Int = 1, isBeside: Bool = false, subject: Int64 = 1) -> Notice {
            var notice = Notice(
                id: ID(1), kind: kind, registration: nil, detail: detail, subject: subject, times: times,
                at: Clock.start, readAt: nil, isShown: false, happening: isBeside ? nil : happening, headline: "",
                helped: nil)
            notice.author = Words(verbatim: "Γάτα")
            return notice
        }
        func beside(_ details: [String]) -> [Notice] { details.map { notice($0, isBeside: true) } }
        func all<News: TitledNews>(_: News.Type) -> [Notice] {
            beside(News.What.allCases.map { News($0, ID(1), "Γάτες") }.filter { $0.kind == kind }.map(\.detail))
        }
        let later = "Γάτες\u{1D}\u{1D}2027-03-27 10:00"
        return switch kind {
        case .offered: ["0", "1", "3", later].map { notice($0) }
        case .lapsed: ["", Notice.inVain].map { notice($0) }
        case .drawn: ["wished", "later", "lost", "off", "drawn"].map { notice($0) }
        case .dayBefore, .hoursBefore: ["", later].map { notice($0) } + all(HelpNews.self)
        case .decided: beside(["admit", "refuse", "delete", "fine", "stands", ""])
        case .matched, .messaged: beside(["Γάτα\u{1F}Γάτα"])
        case .meeting: beside(["soon", "tomorrow", "waits", "unanswered"].map { "\($0)\u{1F}Γάτα" })
        case .met:
            beside(
                ["after", "changed", "agreed", "declined", "canceled", "proposed", "ended", "resumed", "waits"].map {
                    "\($0)\u{1F}Γάτα\u{1F}2027-03-27\u{1F}600"
                })
        case .helping, .helpers: all(HelpNews.self)
        case .needs: all(NeedNews.self)
        case .wrote: all(ThreadNews.self)
        case .role, .desk, .verified: all(DeskNews.self)
        case .team: all(TeamNews.self)
        case .cohosting: all(CohostNews.self)
        case .imported: all(ImportNews.self)
        case .followed:
            [notice("Αυλή"), notice("Αυλή\u{1F}3\u{1F}\(event.host.username)")]
                + beside([FollowNews("Αυλή", .opportunity(ID(1)), EventTitle(title: "Γάτες")).detail])
        case .talked:
            PostNews.What.allCases.map { notice(PostNews($0, ID(1), by: ID(1)).detail, isBeside: true) }
                + [notice(PostNews(.answered, ID(1), by: ID(1)).detail, times: 3, isBeside: true)]
        case .challenged: beside([ChallengeNews(KindAct.catalog[0]).detail])
        case .dayAct: [notice(isBeside: true, subject: KindAct.catalog[0].id.rawValue)]
        default: [notice(), notice(times: 3)]
        }
    }

    /// The faults of a text in which all that people wrote is Greek.
    private func faults(in text: String, _ language: Language) -> [String] {
        var faults: [String] = []
        if text.contains("{") { faults.append("a value is missing") }
        var depth = 0
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if scalar.value == 0x2068 { depth += 1 }
            if scalar.value == 0x2069 { depth -= 1 }
            guard scalar.value != 0x2068, scalar.value != 0x2069 else { continue }
            let isTyped = 0x370...0x3FF ~= scalar.value
            if isTyped, language.isRightToLeft, depth == 0 { faults.append("a name isn’t isolated") }
            if let last, last.properties.isAlphabetic, scalar.properties.isAlphabetic,
                isTyped != (0x370...0x3FF ~= last.value),
                // In Arabic some words of one letter are written together with the next.
                !(isTyped && language.isRightToLeft && "وفبلكـ".unicodeScalars.contains(last))
            {
                faults.append("words are glued together")
            }
            last = scalar
        }
        if depth != 0 { faults.append("an isolate has no end") }
        return faults
    }

    @Test func `each kind of notice, letter and push is whole in every language that ships`() async throws {
        try await withTestSite { site in
            let theo = Person(username: "theo-pappas", firstName: "Θεό", lastName: "Παππάς", organization: "Αυλή")
            let id = try await site.publish(by: theo) {
                ($0.title, $0.street, $0.city, $0.state, $0.zip) = ("Γάτες", "Οδός Γάτας", "Αθήνα", "CA", "95113")
            }
            let event = try #require(try site.read { db in try Event.find(id, in: db) })
            let english = Language(nil, country: "US")
            // Words that are the same in these languages, and names.
            let same: Set<Substring> = [
                "CA", "Link", "Name", "No", "Online", "Plan", "Text", "Total", "UTC", "Village", "Website",
            ]
            for language in [english] + Catalogues.shipped.all.map({ Language($0, country: "US") }) {
                for kind in NoticeKind.allCases {
                    var all = [kind.name, kind.why]
                    for notice in notices(kind, event) {
                        guard let news = notice.news else { continue }
                        all += [news.words, news.more(for: event.clock), news.more(for: .utc)]
                    }
                    for text in letters(kind, event) {
                        all += [text.subject, text.heading] + text.lines + text.closing
                        for fact in text.facts + text.sections.flatMap(\.facts) {
                            all += [fact.name, fact.words] + [fact.before].compactMap(\.self)
                        }
                        all += text.sections.map(\.heading)
                        all += ([text.action, text.second] + text.sections.map(\.more)).compactMap { $0?.name }
                    }
                    for words in all {
                        let said = words.letter(in: language)
                        #expect(faults(in: said, language).isEmpty, "\(kind), \(language.name): \(said)")
                        let latin = said.split { !($0.isASCII && $0.isLetter) }.filter {
                            $0.count > 1 && !same.contains($0)
                        }
                        let isSame = said == words.letter(in: english)
                        let isForeign = !latin.isEmpty && (language.isRightToLeft || isSame)
                        #expect(language.name == "en" || !isForeign, "\(kind), \(language.name): \(said)")
                    }
                }
            }
        }
    }

    @Test func `a letter keeps names and numbers in their order beside a language that runs the other way`() {
        let arabic = Language(Catalogues.shipped.all.first { $0.language == "ar" }, country: "US")
        let words: Words = "Canceled: \("Kites! (5)", as: "title")"
        #expect(words.letter(in: arabic).contains("\u{2068}Kites! (5)\u{2069}"))
        // Twin: as it was, the sign at its end stood at its beginning.
        #expect(!words.text(in: arabic).contains("\u{2068}"))
        let english = Language(nil, country: "US")
        #expect(words.letter(in: english) == "Canceled: Kites! (5)")
        let hebrew: Words = "Canceled: \("עפיפונים!", as: "title")"
        #expect(hebrew.letter(in: english) == "Canceled: \u{2068}עפיפונים!\u{2069}")
        // A program that finds addresses in a text takes all up to the next blank.
        let link = Words(verbatim: "https://village.example/events/1")
        #expect(link.letter(in: arabic) == "https://village.example/events/1")
    }
}

/// `/admin/mail`.
@Suite struct AdminMailTests {
    @Test func `without a mail server it says so, and a link can be handed over`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await site.browser().visit("/signup").press(
                "Sign up", filling: SigningUpTests.answers)
            let page = try await mira.visit("/admin").follow("Letters")
            #expect(
                page.html.all(ofClass: "danger").first?.text.contains("No mail server is set up") == true)
            #expect(page.text.contains("ana@example.org") && page.text.contains("Confirm your address"))
            let href = try #require(page.html.first("tbody")?.first("a")?["href"])
            let letter = try await mira.visit(href)
            #expect(!letter.string.contains("/verify/"))
            #expect(try await letter.press("Show the link").status == 422)
            let shown = try await letter.press(
                "Show the link", filling: ["reason": "She stands beside me"])
            let link = try #require(shown.html.first("code")?.text)
            #expect(
                try await site.browser().visit(link.dropFirst("http://localhost:8080".count)).buttons == [
                    "Confirm it"
                ])
            #expect(try await mira.visit("/admin/log").text.contains("She stands beside me"))
            let tried = try await page.press(
                "Send a test letter", filling: ["address": "mira@example.org"])
            #expect(tried.text.contains("No letter was sent."))
        }
    }

    @Test func `what the mail server refused is read there, and tried again`() async throws {
        let office = try PostOffice()
        try office.set("550-rcpt")
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            try await site.account(of: .ana)
            let event = try await site.publish(by: .ben)
            let now = site.clock.now
            try await site.write(at: now) { tx in try Notice.tellHost(.init(kind: .published, event: event), in: tx) }
            let client = MailClient(MailServer(url: office.url)!, name: "village.example")
            let postman = Postman(site: site.site)
            #expect(await postman.deliverAll(by: client))
            let page = try await mira.visit("/admin/mail?show=failed")
            #expect(page.text.contains("550 not this one"))
            let letter = try await mira.visit(try #require(page.html.first("tbody")?.first("a")?["href"]))
            #expect(letter.text.contains("Kite day, March 27 is published"))
            try office.set("accept")
            #expect(try await letter.press("Try again now").flash == "The letter is tried again at once.")
            #expect(await postman.deliverAll(by: client))
            #expect(try office.letters.map(\.subject) == ["Published: Kite day, March 27"])
            #expect(try await mira.visit("/admin/mail?show=sent").text.contains("250 kept as 1"))
            try office.set("silent")
        }
    }

    @Test func `what would come too late isn't tried again`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let account = try await site.account(of: .ana)
            let now = site.clock.now
            try await site.write(at: now) { tx in
                try Letter.write(.newPassword, to: account, token: nil, in: tx)
                try tx.execute("UPDATE letter SET state = 'failed'")
            }
            let page = try await mira.visit("/admin/mail?show=failed")
            let letter = try await mira.visit(try #require(page.html.first("tbody")?.first("a")?["href"]))
            site.clock.advance(by: NoticeKind.newPassword.shelfLife)
            let mira2 = try await site.signIn(.mira, isStaff: true)
            let again = try await mira2.visit(letter.path)
            #expect(!again.buttons.contains("Try again now"))
            let token = try #require(again.value(of: "csrf"))
            let late = try await mira2.post(letter.path + "/retry", [("csrf", token)])
            #expect(late.status == 409 && late.flash == nil)
            #expect(try site.count(of: "letter WHERE state = 'waiting'") == 0)
        }
    }

    @Test func `who deleted the account gets one letter more, and then their address is forgotten`() async throws {
        let office = try PostOffice()
        try await withTestSite(hasMail: true) { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let ben = try await site.signIn(.ben, as: .parent)
            try await site.execute("UPDATE account SET confirmed_at = 1")
            _ = try await ana.visit("/me/delete").press(
                "Delete my account", filling: ["current_password": .text(Person.password)])
            let client = MailClient(MailServer(url: office.url)!, name: "village.example")
            #expect(await Postman(site: site.site).deliverAll(by: client))
            let letter = try #require(try office.letters.first)
            #expect(letter.to == [Person.ana.email] && letter.subject == "Your account was deleted")
            #expect(try site.count(of: "letter WHERE kind = 'deleted' AND address = '' AND state = 'sent'") == 1)
            // Where the mail server doesn't answer it waits for a day, and no longer.
            _ = try await ben.visit("/me/delete").press(
                "Delete my account", filling: ["current_password": .text(Person.password)])
            #expect(try site.count(of: "letter WHERE address = \(Person.ben.email)") == 1)
            site.clock.advance(by: NoticeKind.deleted.shelfLife)
            try await site.write(at: site.clock.now) { tx in _ = try Letter.giveUp(in: tx) }
            #expect(try site.count(of: "letter WHERE address = \(Person.ben.email)") == 0)
        }
    }
}
