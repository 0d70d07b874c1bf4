import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/admin/queue`: waiting matters, and decisions about them.
struct QueueController {
    let site: Site

    func index(_ context: StaffContext) async throws -> Response {
        try await index(Submission(), context)
    }

    private func index(_ form: Submission<ManyForm>, _ context: StaffContext) async throws -> Response {
        let show = context.query["show"].flatMap(Matter.Show.init(rawValue:))
        let zone = site.settings.zone
        let page = try await site.readSlowly { db in try QueuePage(show, after: context.after(), in: zone, db: db) }
        // A form that comes back still leads to the part of the list that it was on.
        let list = context.next ?? Link(onSite: context.visit.pathAndQuery) ?? QueuePage.link(show)
        let view = Templates.community.moderation.queue(page: page, form: form, list: list)
        return form.problems.isEmpty ? context.page(view) : context.again(view)
    }

    /// One decision about all chosen matters, or none: first a preview, then carried out.
    func decideMany(_ context: StaffContext) async throws -> Response {
        var submission = context.submission(ManyForm.self)
        var chosen = Array(context.body.all("subject").prefix(Matter.most).compactMap(Subject.init(rawValue:)))
        if context.body["all"] == "1" {
            let show = context.query["show"].flatMap(Matter.Show.init(rawValue:))
            chosen = try await site.readSlowly { db in try Matter.first(Matter.most, for: show, in: db) }
        }
        let subjects = chosen
        if subjects.isEmpty { submission.reject("Choose something first.") }
        guard let form = submission.value else { return try await index(submission, context) }
        let (staff, list) = (context.member.account, context.next ?? .queue)
        if context.body["step"] == "decide" {
            let seen = context.body.all("seen")
            let sent = context.sent(submission, beside: subjects.map { ("subject", $0.rawValue) })
            do {
                try await context.decide(about: subjects.map { .subject($0) }, at: .queue) { tx in
                    guard try sent.remember(by: staff, in: tx) else { return }
                    try ManyPage.decide(subjects, form, seen: seen, by: staff, in: tx)
                }
                return context.redirect(to: list, flash: .decided)
            } catch let changed as Decision.Changed {
                submission.reject(changed.words)
            }
        }
        let page = try await site.readSlowly { db in try ManyPage(subjects, form, by: staff, in: db) }
        let view = Templates.community.moderation.many(page: page, form: submission, list: list)
        return submission.problems.isEmpty ? context.page(view) : context.again(view)
    }

    func show(_ context: StaffContext) async throws -> Response {
        try await show(Submission(), context)
    }

    private func show(_ form: Submission<DecisionForm>, _ context: StaffContext) async throws -> Response {
        let subject = try subject(context)
        let (zone, reader) = (site.settings.zone, context.member.account)
        let page = try await site.readSlowly(at: context.now) { tx in
            try MatterPage(subject, for: reader, in: zone, tx: tx)
        }
        // Staff who read a conversation between two people are named in the log.
        if !page.around.isEmpty {
            try await site.write(at: context.now) { tx in
                try AuditEntry.record(
                    .readChat, "", subject.number, about: subject, of: page.author.account, reason: "",
                    by: reader, in: tx)
            }
        }
        var form = form
        page.offer(in: &form)
        form.offer(\.rule, site.town.pages.choices)
        let view = Templates.community.moderation.matter(page: page, form: form)
        return form.problems.isEmpty ? context.page(view) : context.again(view)
    }

    func decide(_ context: StaffContext) async throws -> Response {
        let subject = try subject(context)
        let (zone, staff) = (site.settings.zone, context.member.account)
        let page = try await site.readSlowly(at: context.now) { tx in
            try MatterPage(subject, for: staff, in: zone, tx: tx)
        }
        var submission = context.submission(DecisionForm.self)
        page.offer(in: &submission)
        submission.offer(\.rule, site.town.pages.choices)
        if submission.value?.saysWhy == false {
            submission.reject(\.ground, "Say why: its author reads it, and others understand it later.")
        }
        if submission.value?.isWordless == true {
            submission.reject(\.reason, "Answer in your own words: the member reads them.")
        }
        guard var ruling = submission.value?.ruling else {
            // Matters that can't be chosen anymore were decided by somebody else, which is reported first.
            try await context.decide(about: [.subject(subject)], at: subject.queueLink) { _ in }
            return try await show(submission, context)
        }
        ruling.seen = context.body["seen"] ?? ""
        do {
            let (ruling, sent) = (ruling, context.sent(submission))
            try await context.decide(about: [.subject(subject)], at: subject.queueLink) { tx in
                // Pressing twice decides, and tells the author, once.
                guard try sent.remember(by: staff, in: tx) else { return }
                _ = try Decision.make(ruling, about: subject, by: staff, in: tx)
            }
        } catch let changed as Decision.Changed {
            submission.reject(changed.words)
            return try await show(submission, context)
        }
        // Continue with the next matter, for a moderator who has ten minutes.
        let next =
            context.body["then"] == "next"
            ? try site.read { db in try Matter.waiting(for: nil, after: nil, in: db).items.first?.subject.queueLink }
            : nil
        return context.redirect(to: next ?? Link.queue, flash: .decided)
    }

    /// `POST /decisions/{id}/undo`: revokes a decision.
    func undo(_ context: StaffContext) async throws -> Response {
        let id: ID<Decision> = try context.id()
        let staff = context.member.account
        guard let subject = try site.read({ db in try Decision.find(id, in: db) })?.subject else {
            throw Refusal.notFound
        }
        try await context.decide(about: [.subject(subject)], at: subject.queueLink) { tx in
            try Decision.undo(id, reason: "", by: staff, in: tx)
        }
        return context.redirect(to: subject.queueLink, flash: .decisionUndone)
    }

    private func subject(_ context: StaffContext) throws -> Subject {
        guard let subject = Subject(rawValue: try context.word("subject")) else { throw Refusal.notFound }
        return subject
    }
}
