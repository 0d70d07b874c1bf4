import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/kindness`: kind acts, one's list, and one's deeds.
struct KindnessController {
    let site: Site

    // MARK: The catalog

    func index(_ context: PublicContext) throws -> Response {
        let query = String((context.query["q"] ?? "").prefix(100))
        let isList = !query.isEmpty || context.query["list"] == "all"
        let isMeant = KindAct.holds(query, in: context.language)
        let page = try page(query, isList: isList, context, where: isMeant)
        return context.page(Templates.helping.kindness.index(page: page))
    }

    func theme(_ context: PublicContext) throws -> Response {
        guard let theme = KindAct.Theme(rawValue: try context.word("name")) else { throw Refusal.notFound }
        let page = try page("", isList: true, context) { $0.theme == theme }
        return context.page(Templates.helping.kindness.theme(theme: theme, page: page))
    }

    /// The acts that are meant, as a list or by theme.
    private func page(
        _ query: String, isList: Bool, _ context: PublicContext, where isMeant: (KindAct) -> Bool
    ) throws -> KindnessPage {
        let (zone, reader) = (context.zone, context.visit.visitor?.account)
        return try site.read(at: context.now) { tx in
            let acts = try KindAct.all(for: reader, where: isMeant, in: tx)
            let mine = try reader.map { try MyKindness(of: $0, in: zone, tx) }
            return KindnessPage(
                ofDay: ActRow(.ofDay(context.today), for: mine, at: tx.now, in: zone),
                shelves: isList ? [] : KindnessPage.shelves(of: acts),
                total: try TownTotal.of(context.townDay, in: tx), query: query,
                rows: isList ? acts.map { ActRow($0, for: mine, at: tx.now, in: zone) } : nil, mine: mine,
                once: Submission<DeedForm>().once)
        }
    }

    func show(_ context: PublicContext) throws -> Response {
        let act = try act(context)
        return try show(act, Submission(), after: context.after(), context)
    }

    private func show(
        _ act: KindAct, _ form: Submission<DeedForm>, after: Cursor<ID<Deed>>? = nil, _ context: some Context
    ) throws -> Response {
        let (zone, today) = (context.zone, context.today)
        let (mine, log) = try site.read(at: context.now) { tx in
            let reader = context.visit.visitor?.account
            return (
                try reader.map { try MyKindness(of: $0, in: zone, tx) },
                try reader.map { try Deed.all(of: $0, act.id, after: after, in: tx) }
            )
        }
        let page = ActPage(
            row: ActRow(act, for: mine, at: context.now, in: zone), mine: mine,
            log: log ?? .empty,
            lastFeatured: act.written != nil ? nil : KindAct.lastFeatured(act.id, before: today),
            isOfDay: KindAct.ofDay(today).id == act.id, once: form.once)
        let view = Templates.helping.kindness.show(page: page, form: form)
        return form.problems.isEmpty ? context.page(view) : context.again(view)
    }

    // MARK: One's own acts

    func mine(_ context: MemberContext) throws -> Response {
        let (account, today, zone) = (context.member.account, context.today, context.zone)
        let page = try site.read(at: context.now) { tx in
            let mine = try MyKindness(of: account, in: zone, tx)
            let days = try Deed.days(of: account, from: today.advanced(by: -13), in: tx)
            return MyKindnessPage(
                ofDay: ActRow(.ofDay(today), for: mine, at: tx.now, in: zone),
                rows: mine.acts.map { ActRow($0, for: mine, at: tx.now, in: zone) }, mine: mine,
                marks: mine.streak.marks(days, on: today), badges: try Standing.badges(of: account, in: tx),
                pausedUntil: try Pause.all(of: account, in: tx).first { $0.contains(today) }?.upperBound,
                family: try FamilyStreak(of: account, on: today, in: tx),
                friends: try Challenge.all(of: account, after: context.after(), in: tx),
                undos: try Undo.all(.challenge, of: account, in: tx),
                once: Submission<DeedForm>().once)
        }
        return context.page(Templates.helping.kindness.mine(page: page))
    }

    func new(_ context: MemberContext) -> Response {
        context.page(Templates.helping.kindness.new(form: Submission(filled: ActForm())))
    }

    func create(_ context: MemberContext) async throws -> Response {
        var submission = context.submission(ActForm.self)
        if let form = submission.value {
            let (account, now, once) = (context.member.account, context.now, submission.once)
            // A member restricted to reading may still write what nobody else sees.
            if form.isForEverybody, let until = context.member.limitedUntil, until > now {
                throw Refusal.limited(until: until)
            }
            let (sent, rule) = (context.sent(submission), form.isForEverybody ? proposing(context) : nil)
            do {
                let act = try await site.carryOut(sent, counting: rule, by: account, at: now) { tx in
                    let (act, isProposed) = try KindAct.write(form, by: account, once: once, in: tx)
                    return (act, isProposed)
                }
                return context.redirect(to: .act(act), flash: .saved)
            } catch Refusal.tooMany(let wait) {
                submission.reject(\.isForEverybody, KindAct.Written.tooMany(wait))
            } catch is KindAct.TooMany {
                submission.reject("At most \(KindAct.most, as: "number") acts of your own fit here.")
            }
        }
        return context.again(Templates.helping.kindness.new(form: submission))
    }

    /// The rate limit for proposals, because staff must review each; nil for staff.
    private func proposing(_ context: MemberContext) -> RateRule? { context.member.isStaff ? nil : .proposals }

    /// Proposes one's own act for everyone.
    func propose(_ context: MemberContext) async throws -> Response {
        let act = try act(context)
        let account = context.member.account
        do {
            try await site.write(
                counting: proposing(context), by: account, at: context.now, isAgain: act.written?.state != .kept
            ) { tx in
                ((), try KindAct.propose(act.id, by: account, in: tx))
            }
        } catch Refusal.tooMany(let wait) {
            return context.visit.errorPage(.tooManyRequests, "Please wait a moment", KindAct.Written.tooMany(wait))
        }
        return context.redirect(to: act.link, flash: context.member.isStaff ? .saved : .actProposed)
    }

    func add(_ context: MemberContext) async throws -> Response {
        let act = try act(context)
        let account = context.member.account
        do {
            try await site.write(at: context.now) { tx in try KindAct.choose(act.id, by: account, in: tx) }
        } catch is KindAct.TooMany {
            return context.visit.errorPage(
                .conflict, "Your list is full",
                "At most \(KindAct.most, as: "number") acts fit on it. Take one off first.")
        }
        return context.redirect(to: context.next ?? act.link)
    }

    func remove(_ context: MemberContext) async throws -> Response {
        // An act that is no longer in the catalog can be removed, too.
        let id: ID<KindAct> = try context.id()
        let account = context.member.account
        try await site.write { db in try KindAct.drop(id, by: account, in: db) }
        return context.redirect(to: context.next ?? .act(id))
    }

    // MARK: Deeds

    func done(_ context: MemberContext) async throws -> Response {
        let act = try act(context)
        let submission = context.submission(DeedForm.self)
        guard let form = submission.value else { return try show(act, submission, context) }
        let account = context.member.account
        let entry = Deed.Entry(
            act: act, day: form.day(today: shownDay(context)), note: form.note ?? "",
            isWithChildren: form.isWithChildren, isFirst: context.body["first"] == "1", once: submission.once)
        let sent = context.sent(submission)
        try await site.carryOut(sent, counting: .deeds, by: account, at: context.now) { tx in
            ((), try Deed.record(entry, by: account, in: tx))
        }
        return context.redirect(to: context.next ?? act.link)
    }

    /// The day that the form showed: a form sent a moment after midnight means the day before. A page that was open
    /// overnight means the new day.
    private func shownDay(_ context: MemberContext) -> Day {
        let (today, time) = context.zone.local(context.now)
        let shown = context.body["shown"].flatMap { Day(iso: $0) }
        return shown == today.advanced(by: -1) && time.minutes < Deed.lateMinutes ? today.advanced(by: -1) : today
    }

    func undo(_ context: MemberContext) async throws -> Response {
        let id: ID<Deed> = try context.id()
        let account = context.member.account
        // The deed can be restored on that page.
        let need = try site.read { db in try Claim.need(of: id, by: account, in: db) }
        do {
            try await site.write(at: context.now) { tx in try Deed.undo(id, of: account, in: tx) }
        } catch is Deed.TooLate {
            return context.visit.errorPage(
                .conflict, "It can’t be taken back",
                "That was possible for \(Undo.time.inWords, as: "time"). What is done is done, and well done.")
        }
        if let need, site.opening.has(.needs) { return context.redirect(to: .need(need), flash: .notCounted) }
        return context.redirect(to: context.next ?? .myActs, flash: .takenBack)
    }

    /// The preview of a post about the deed; nothing is stored yet.
    func share(_ context: MemberContext) throws -> Response {
        let id: ID<Deed> = try context.id()
        let account = context.member.account
        let (what, author): (Words, Author) = try site.read { db in
            guard let deed = try Deed.find(id, of: account, in: db),
                let act = try KindAct.listed(deed.act) ?? KindAct.find(deed.act, for: account, in: db),
                let author = try Author.find(account, in: db)
            else { throw Refusal.notFound }
            let isNeed = act.id == KindAct.need.id
            let what: Words =
                isNeed ? "A neighbor needed something, and I could help." : "A small kind act: \(act.name, as: "act")."
            return (what, author)
        }
        var form = PostForm()
        form.text = what.text(in: context.language)
        form.audience = .members
        let row = PostRow(
            form.preview(by: author, with: [], about: nil, at: context.now), by: nil, at: context.now,
            in: context.zone)
        // One deed makes one post, however often its preview is opened.
        let number = "\(id)"
        let once = "deed" + String(repeating: "0", count: max(0, 18 - number.count)) + number
        return context.page(
            Templates.community.timeline.preview(
                row: row, form: Submission(filled: form, once: once), composition: Composition()))
    }

    /// Begins a pause today, or ends it.
    func pause(_ context: MemberContext) async throws -> Response {
        let days = context.body["days"].flatMap { Int($0) } ?? 0
        let (account, today) = (context.member.account, context.today)
        try await site.write { db in
            if days == 0 {
                try Pause.end(by: account, on: today, in: db)
            } else {
                try Pause.begin(days, by: account, on: today, in: db)
            }
        }
        return context.redirect(to: .myActs, flash: .saved)
    }

    /// Turns the common streak with the other parent on or off.
    func family(_ context: MemberContext) async throws -> Response {
        let (account, today, isOn) = (context.member.account, context.today, context.body["on"] == "1")
        try await site.write { db in try FamilyStreak.keep(isOn, by: account, on: today, in: db) }
        return context.redirect(to: .myActs, flash: .saved)
    }

    private func act(_ context: some Context) throws -> KindAct {
        let id: ID<KindAct> = try context.id()
        let reader = context.visit.visitor?.account
        guard let act = try site.read({ db in try KindAct.find(id, for: reader, in: db) }) else {
            throw Refusal.notFound
        }
        return act
    }
}
