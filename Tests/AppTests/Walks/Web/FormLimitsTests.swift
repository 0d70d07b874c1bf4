import Database
import Forms
import Testing

@testable import App

/// The site's forms on their pages: sent with what is at their limits, beyond them, and with what nobody can read.
/// `LimitsTests` tries each field of all forms alone.
@Suite struct FormLimitsTests {
    /// A page, and the forms with something to type that stand on it.
    private typealias Stand = (path: String, forms: [any Form.Type])

    private static let parent: [Stand] = [
        ("/me/profile", [PersonForm.self]), ("/me/family", [FamilyForm.self]), ("/me/settings", [PreferencesForm.self]),
        ("/me/children/1/edit", [ChildForm.self]), ("/me/children/new", [ChildForm.self]),
        ("/me/email", [EmailForm.self]), ("/me/invitations", [InvitationForm.self]), ("/blocks", [BlockForm.self]),
        ("/timeline/new", [PostForm.self]), ("/posts/1", [CommentForm.self]),
        ("/needs/new", [NeedForm.self]), ("/needs/1", [ClaimForm.self]),
        ("/kindness/acts/new", [ActForm.self]), ("/kindness/acts/204", [DeedForm.self]),
        ("/kindness/acts/204/challenge", [ChallengeForm.self]), ("/impact", [GiftForm.self, CertificateForm.self]),
        ("/events/1", [QuestionForm.self]), ("/claim", [TakeoverCodeForm.self]),
        ("/opportunities/1", [SignupForm.self]),
        ("/reviews/1/edit", [ReviewForm.self]), ("/reports/new?about=event-1", [ReportForm.self]),
    ]
    private static let owner: [Stand] = [
        ("/me/pets/new", [PetForm.self]), ("/me/pets/1/edit/name", [PetForm.self]),
        ("/me/pets/1/edit/bio", [PetForm.self]), ("/me/owner/name", [OwnerForm.self]),
        ("/me/owner/area", [OwnerForm.self]), ("/me/owner/other", [OwnerForm.self]),
    ]
    private static let match: [any Form.Type] = [MeetingForm.self, MessageForm.self]
    private static let provider: [Stand] = [
        ("/draws/new", [DrawForm.self]), ("/me/provider", [ProviderForm.self]),
        ("/me/imports/new?kind=file", [ImportForm.self]),
        ("/events/1/edit", [EventForm.self]), ("/events/new", [EventForm.self]), ("/events/1/copy", [CopyForm.self]),
        ("/events/1/announcements", [AnnouncementForm.self]), ("/events/1/held", [HoldForm.self]),
        ("/events/1/people/new", [GuestForm.self]),
        ("/questions/1/answer", [AnswerForm.self]), ("/reviews/1/answer", [ReviewAnswerForm.self]),
        ("/opportunities/1/edit", [OpportunityForm.self]),
        ("/opportunities/new?kind=volunteer", [OpportunityForm.self]),
        ("/opportunities/1/people/new", [GuestForm.self]),
        ("/events/1/cancel", [CancelForm.self]), ("/opportunities/1/close", [CloseForm.self]),
    ]
    private static let staff: [Stand] = [
        ("/admin/pages", [OwnPagesForm.self]), ("/admin/settings", [TownSettingsForm.self]),
        ("/admin/banner", [BannerForm.self]), ("/admin/face", [FaceForm.self]),
        ("/admin/letters/new", [TownLetterForm.self]), ("/admin/mail", [TestLetterForm.self]),
        ("/admin/invitations", [SiteInvitationForm.self]),
        ("/admin/domains", [DomainForm.self]), ("/admin/tags?tag=music", [TagForm.self]),
        ("/admin/queue/post-1", [DecisionForm.self]), ("/admin/events/1", [ReasonForm.self]),
        ("/admin/providers/1", [PlanForm.self, VerifiedForm.self]), ("/admin/people/1/role", [RoleForm.self]),
        ("/admin/people/1/email", [AddressForm.self]), ("/admin/people/1", [ReasonForm.self]),
    ]
    private static let visitor: [Stand] = [("/signup", [SignUpForm.self]), ("/forgot", [ForgotForm.self])]

    /// Forms that no walk here meets, and why; their fields are tried alone all the same.
    private static let apart: [(forms: [any Form.Type], why: String)] = [
        (
            [
                LogInForm.self, ResumeForm.self, ResumeCodeForm.self, CodeForm.self, RecoveryForm.self,
                BothStepsForm.self,
            ],
            "What opens an account is a guess, and isn't shown again."
        ),
        ([ActivityForm.self, AskForm.self, ReplyForm.self], "Rows of a larger form, added by a button."),
        (
            [Headcount.self, WalkInsForm.self, HoursForm.self, AfterForm.self, CallOffForm.self],
            "It stands there after, or before, something that took place."
        ),
        ([CohostForm.self], "Of a neighbor's event."), ([DeadlineForm.self, SeedForm.self], "Of a draw."),
        ([AnswerDecisionForm.self, WaveForm.self], "An answer to one decision, and the choice among many accounts."),
        ([OutsideLogInForm.self, OutsideEndForm.self], "With an issuer alone."),
        ([PictureForm.self], "It begins with a file."), ([PromiseForm.self], "Its number is chosen, not typed."),
        ([ComponentForm.self], "Samples that are sent nowhere."),
    ]

    /// A form with something to type is on a page that is walked, or named with the reason: also one that is new.
    @Test func `each form is tried on its page, or it is said why not`() throws {
        let stands = [Self.parent, Self.owner, Self.provider, Self.staff, Self.visitor].flatMap(\.self)
        let tried = Set((stands.flatMap(\.forms) + Self.match).map { "\($0)" })
        let apart = Set(Self.apart.flatMap(\.forms).map { "\($0)" })
        let all = try EveryForm.found()
        let typed = Set(all.filter { !Self.names(of: $0).isEmpty }.map { "\($0)" })
        #expect(typed.count > 65)
        #expect(typed.subtracting(tried).subtracting(apart).sorted() == [], "add the page that it stands on")
        #expect(tried.intersection(apart).sorted() == [], "they aren't apart")
        #expect(apart.union(tried).subtracting(all.map { "\($0)" }).sorted() == [])
    }

    /// The names of what is typed into a form.
    private static func names(of form: any Form.Type) -> [String] {
        func names<F: Form>(_: F.Type) -> [String] {
            Submission<F>().inputs.filter {
                [.text, .email, .area, .number, .date, .time, .moment, .search, .telephone, .url].contains($0.control)
            }.map(\.name)
        }
        return names(form)
    }

    @Test(.tags(.slow)) func `a parent's forms keep what is typed`() async throws {
        try await withTestSite { site in
            try await Self.furnish(site)
            try await Self.walk(Self.parent, as: site.signIn(.ana, as: .parent), trying: 20)
        }
    }

    @Test(.tags(.slow)) func `an owner's forms keep what is typed`() async throws {
        try await withTestSite { site in
            let (ana, _, match) = try await PlaydatesTests.matched(in: site)
            try await Self.walk(Self.owner + [(match, Self.match)], as: ana, trying: 8)
        }
    }

    @Test(.tags(.slow)) func `an organization's forms keep what is typed`() async throws {
        try await withTestSite { site in
            try await Self.furnish(site)
            try await Self.walk(Self.provider, as: site.signIn(.ben, as: .provider), trying: 15)
        }
    }

    @Test(.tags(.slow)) func `forms of the desk and of visitors keep what is typed`() async throws {
        try await withTestSite { site in
            try await Self.furnish(site)
            try await Self.walk(Self.staff, as: site.signIn(.mira, isStaff: true), trying: 15)
            try await Self.walk(Self.visitor, as: site.browser(), trying: 2)
        }
    }

    /// Pages whose forms change what is stored, by who looks at them.
    private static let edits: (parent: [String], owner: [String], provider: [String], staff: [String]) = (
        ["/me/profile", "/me/family", "/me/settings", "/me/children/1/edit", "/reviews/1/edit"],
        [
            "/me/pets/1/edit/name", "/me/pets/1/edit/bio", "/me/owner/name", "/me/owner/area", "/me/owner/other",
        ],
        [
            // A post can be changed for half an hour.
            "/posts/1/edit", "/me/provider", "/events/1/edit", "/events/1/held", "/opportunities/1/edit",
            "/needs/1/edit",
        ],
        ["/admin/pages", "/admin/settings", "/admin/banner", "/admin/face", "/admin/modules"]
    )

    @Test(.onFiles, .tags(.slow)) func `a form that changes nothing writes nothing down, and tells nobody`()
        async throws
    {
        try await withTestSite { site in
            try await Self.furnish(site)
            // Ben has had colleagues, so that what is done for the library is written down.
            let (ben, now) = (try await site.account(of: .ben), site.clock.now)
            try await site.execute(
                "INSERT INTO team_act (host_id, verb, title, at) VALUES (\(ben), 'changed', 'Kites', \(now))")
            try await Self.pressTwice(Self.edits.provider, as: site.signIn(.ben, as: .provider), in: site)
            try await Self.pressTwice(Self.edits.parent, as: site.signIn(.ana, as: .parent), in: site)
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await mira.visit("/admin/settings").press(
                "Save", filling: ["town": "San Jose", "contact_phone": "408 555 0100"])
            try await Self.pressTwice(Self.edits.staff, as: mira, in: site)
            #expect(try site.count(of: "team_act") == 1)
        }
        try await withTestSite { site in
            try await site.gazetteer()
            let (ana, _, _) = try await PlaydatesTests.matched(in: site)
            try await Self.pressTwice(Self.edits.owner, as: ana, in: site)
        }
    }

    /// The twin: one that changes something is found.
    @Test(.onFiles) func `a form that changes something writes it down`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let before = try await Self.rows(of: site)
            _ = try await ana.visit("/me/profile").press("Save", filling: ["about": "I knit."])
            let after = try await Self.rows(of: site)
            #expect(before.keys.filter { before[$0] != after[$0] }.contains("person"))
        }
    }

    /// Sends the form of each page as it is, twice: the second time stores nothing. By then what opening a page leaves
    /// is there.
    private static func pressTwice(_ paths: [String], as browser: Browser, in site: TestSite) async throws {
        let walk = FormLimitsWalk(browser)
        for path in paths {
            var before: [String: [String]] = [:]
            for press in 1...2 {
                before = try await rows(of: site)
                // A row that was written would have another time.
                site.clock.advance(by: .minutes(2))
                let page = try await walk.sendUnchanged(on: path)
                #expect(!page.redirects.isEmpty, "\(path), press \(press): \(page.status) \(page.problems)")
            }
            let after = try await rows(of: site)
            let changed = before.keys.filter { before[$0] != after[$0] }.sorted()
            #expect(changed == [], "\(path) writes though nothing changed")
        }
    }

    /// What stands in the site's tables; not in those that say only that somebody was here.
    private static func rows(of site: TestSite) async throws -> [String: [String]] {
        // A read has less time than all tables together take.
        try await site.write { db in
            let tables: [String] = try db.all(
                """
                SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'
                    AND name NOT LIKE '%\\_search%' ESCAPE '\\'
                    AND name NOT IN ('session', 'town', 'zip') ORDER BY name LIMIT 500
                """
            ) { try $0.next() }
            var rows: [String: [String]] = [:]
            for table in tables {
                let columns: [String] = try db.all("SELECT name FROM pragma_table_info(\(table)) LIMIT 100") {
                    try $0.next()
                }
                let texts = columns.map { "coalesce(CAST(\(SQL(named: $0)) AS TEXT), '')" as SQL }
                let lines: [String] = try db.all(
                    "SELECT \(texts.joined(separator: " || '|' || ")) FROM \(SQL(named: table)) LIMIT 100000"
                ) { try $0.next() }
                rows[table] = lines.sorted()
            }
            return rows
        }
    }

    /// *Kite day*, to which Cleo's child comes, another event and a way to help of Ben's, who wrote a post and has a
    /// need, too; Ana has a child, asked about the event, helped, and said how it was.
    private static func furnish(_ site: TestSite) async throws {
        try await site.publish(by: .ben) { ($0.price, $0.tags) = ("10", "music") }
        // Its places can be drawn, since nobody has one.
        try await site.publish(by: .ben) { ($0.title, $0.spots) = ("Clay day", 5) }
        try await site.ask(by: .ben)
        try await site.child("Mo", of: .ana)
        try await site.register([try await site.child("Ida", of: .cleo)], of: .cleo, at: ID(1))
        let need: [String: Filling] = [
            "title": "A ladder", "kind": "things", "description": "For an afternoon.", "until": "2027-04-01",
            "address": "1 Main St", "city": "San Jose", "state": "CA", "zip": "95112",
        ]
        _ = try await site.signIn(.ben, as: .provider).visit("/needs/new").press("Preview", filling: need).press("Ask")
        let (ana, ben) = (try await site.account(of: .ana), try await site.account(of: .ben))
        let now = site.clock.now
        try await site.write { db in
            try db.execute(
                """
                INSERT INTO question (event_id, account_id, text, is_private, answer, once, asked_at)
                VALUES (1, \(ana), 'Where?', FALSE, '', 'where', \(now))
                """)
            try db.execute(
                """
                INSERT INTO post (account_id, text, kind, audience, once, created_at)
                VALUES (\(ben), 'Hello.', 'done', 'everyone', 'hello', \(now))
                """)
            try db.execute(
                """
                INSERT INTO contribution (account_id, kind, host_id, host_name, title, day, minutes, confirmed,
                    confirmed_at, currency, once, at)
                VALUES (\(ana), 'hours', \(ben), 'King Library', 'Lunch', '2027-03-01', 60, 60, \(now), '', 'lunch',
                    \(now))
                """)
            try db.execute(
                """
                INSERT INTO review (host_id, account_id, stars, comment, year, created_at)
                VALUES (\(ben), \(ana), 4, 'A warm place.', 2027, \(now))
                """)
            try OrganizationTotal.make(ben, in: db)
            try db.execute("UPDATE organization_total SET stars_4 = 1")
        }
    }

    /// - Parameter fewest: How many forms are there at least.
    private static func walk(_ stands: [Stand], as browser: Browser, trying fewest: Int) async throws {
        var walk = FormLimitsWalk(browser)
        for stand in stands {
            try await walk.tryForms(on: stand.path, each: stand.forms.map { ("\($0)", names(of: $0)) })
        }
        #expect(walk.count >= fewest, "\(stands.map(\.path)) have \(walk.count) forms")
        for problem in walk.problems { Issue.record("\(problem)") }
    }
}

/// The forms of pages, each sent in ways of which all but the last are wrong.
private struct FormLimitsWalk {
    private let browser: Browser
    private(set) var problems: [String] = []
    /// How many forms were tried.
    private(set) var count = 0

    /// What is nearly a number or a date, in a field for whatever.
    private static let values = [
        "-1", "99999999999999999999", "1e9", "٣", "2027-02-31", "9999-12-31", "<b>&amp;'\"", "🙂\u{200D}\u{301}x",
    ]

    init(_ browser: Browser) { self.browser = browser }

    /// - Parameter expected: The forms that stand there, and what is typed into each.
    mutating func tryForms(on path: String, each expected: [(form: String, names: [String])]) async throws {
        let page = try await browser.visit(path)
        guard page.status == 200 else { return problems.append("\(path): \(page.status)") }
        let forms = page.forms.filter { form in
            form.isPost && form.controls.contains { Self.isText($0) } && form.action != "/logout"
        }
        let typed = Set(forms.flatMap(\.controls).filter(Self.isText).map(\.name))
        for (form, names) in expected where typed.isDisjoint(with: names) {
            problems.append("\(path) has no \(form)")
        }
        for form in forms {
            count += 1
            try await tryTooLong(form, on: path)
            try await tryUnreadable(form, on: path)
            try await tryValues(form, on: path)
            try await tryFull(form, on: path)
        }
    }

    /// Words to find a place by aren't kept, so they are cut to the length of the box.
    private static func isText(_ control: PageForm.Control) -> Bool {
        control.isTyped && control.kind != "password" && control.name != "find"
    }

    /// The same form on the page as it is now; nil where it isn't there anymore.
    private func fresh(_ form: PageForm, on path: String) async throws -> PageForm? {
        let page = try await browser.visit(path)
        return page.status == 200 ? page.forms.first { $0.isPost && $0.action == form.action } : nil
    }

    /// Sends the form with these texts, and goes on from a preview that is right.
    private func send(_ form: PageForm, _ texts: [String: String]) async throws -> Page {
        var form = form
        form.type { texts[$0.name] }
        press(&form)
        let page = try await form.send(from: browser)
        guard page.status == 200, page.redirects.isEmpty,
            var next = page.forms.first(where: { other in
                other.action == form.action && other.buttons.contains { $0.value == "publish" }
            })
        else { return page }
        press(&next)
        return try await next.send(from: browser)
    }

    /// Sends the page's form that changes what is stored as it is.
    func sendUnchanged(on path: String) async throws -> Page {
        let page = try await browser.visit(path)
        guard let form = page.forms.first(where: { form in form.controls.contains { $0.name == "drawn" } }) else {
            throw Missing("a form that changes something", on: page, page.forms.map(\.action))
        }
        return try await send(form, [:])
    }

    private func press(_ form: inout PageForm) {
        let values = form.buttons.map(\.value)
        if let value = ["publish", "preview"].first(where: values.contains) {
            form.press { $0.value == value }
        } else {
            form.press { _ in true }
        }
    }

    /// What the page has in a field, wherever it stands.
    private static func has(_ page: Page, _ name: String, _ text: String) -> Bool {
        page.forms.contains { form in form.controls.contains { $0.name == name && $0.values == [text] } }
    }

    private static func hasProblem(_ page: Page, at name: String) -> Bool {
        page.html.all(ofClass: "problem").contains { $0["id"] == "\(name)-problem" }
    }

    /// Sends what can't be right, and looks at each field.
    private mutating func refuse(
        _ form: PageForm, _ texts: [String: String], as shown: (String) -> String, _ what: String
    ) async throws {
        guard !texts.isEmpty else { return }
        let page = try await send(form, texts)
        guard page.status == 422 else { return problems.append("\(form.action) answers \(what) with \(page.status)") }
        for (name, text) in texts {
            if !Self.has(page, name, shown(text)) { problems.append("\(form.action) loses \(name), \(what)") }
            if !Self.hasProblem(page, at: name) { problems.append("\(form.action) has no problem at \(name), \(what)") }
        }
    }

    private static func texts(of form: PageForm, _ text: (PageForm.Control) -> String?) -> [String: String] {
        var texts: [String: String] = [:]
        for control in form.controls where isText(control) { texts[control.name] = text(control) }
        return texts
    }

    private mutating func tryTooLong(_ form: PageForm, on path: String) async throws {
        guard let first = try await fresh(form, on: path) else { return }
        let long = Self.texts(of: first) { control in control.most.map { String(repeating: "木", count: $0 + 1) } }
        try await refuse(first, long, as: \.self, "one letter too many")
        guard let second = try await fresh(form, on: path) else { return }
        // More than a form may have in all is refused as a whole.
        let longer = Self.texts(of: second) { control in
            control.most.flatMap { $0 > 5_000 ? nil : String(repeating: "x", count: 10 * $0) }
        }
        try await refuse(second, longer, as: \.self, "ten times too long")
    }

    private mutating func tryUnreadable(_ form: PageForm, on path: String) async throws {
        guard let form = try await fresh(form, on: path) else { return }
        let texts = Self.texts(of: form) { _ in "a\u{0}b" }
        try await refuse(form, texts, as: { _ in "a\u{FFFD}b" }, "a NUL")
    }

    /// Either is right; what comes back is everything that was typed.
    private mutating func tryValues(_ form: PageForm, on path: String) async throws {
        for value in Self.values {
            guard let form = try await fresh(form, on: path) else { return }
            let texts = Self.texts(of: form) { _ in value }
            let page = try await send(form, texts)
            switch page.status {
            case 200, 201: continue
            case 409, 422:
                for name in texts.keys where !Self.has(page, name, value) {
                    problems.append("\(form.action) loses “\(value)” of \(name)")
                }
            default: problems.append("\(form.action) answers “\(value)” with \(page.status)")
            }
        }
    }

    /// Each text alone, full to its limit, in a form that changes what is stored: it isn't too long, and where it is
    /// taken the form shows it.
    private mutating func tryFull(_ form: PageForm, on path: String) async throws {
        guard form.controls.contains(where: { $0.name == "drawn" }) else { return }
        let texts = form.controls.filter { control in
            Self.isText(control) && ["text", "textarea"].contains(control.kind) && control.most != nil
        }
        for (index, control) in texts.enumerated() {
            guard let form = try await fresh(form, on: path), let most = control.most else { return }
            // A family has 25 bytes: no page of them is read.
            let letter = ["木", most > 5_000 ? "🙂" : "👨‍👩‍👧‍👦", "e\u{301}", "𐐷"][index % 4]
            let full = String(repeating: letter, count: most)
            let page = try await send(form, [control.name: full])
            if page.problems.contains(where: { $0.hasPrefix("Shorten") }) || ![200, 422].contains(page.status) {
                problems.append("\(form.action) refuses \(most) × \(letter) for \(control.name): \(page.status)")
            } else if page.status == 200, !page.redirects.isEmpty {
                let shown = try await browser.visit(path)
                if !Self.has(shown, control.name, full) {
                    problems.append("\(form.action) keeps \(control.name) otherwise than it was typed")
                }
            }
        }
    }
}
