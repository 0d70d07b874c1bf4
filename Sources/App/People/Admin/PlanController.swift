import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/admin/providers`: providers' plans, and whether events must state a price.
struct PlanController {
    let site: Site

    func index(_ context: AdminContext) throws -> Response {
        let words = context.query["q"] ?? ""
        let (page, asksForPrices) = try site.read { db in
            (
                try Provider.search(words, after: context.after(), in: db),
                try Plan.pricesAreRequired(in: db)
            )
        }
        let here = Link.adminProviders.with("q", words.nonEmpty)
        return context.page(
            Templates.people.admin.providers(
                words: words, providers: page.items, more: page.more(at: here), asksForPrices: asksForPrices))
    }

    /// Sets whether every event must state a price.
    func setPrices(_ context: AdminContext) async throws -> Response {
        let isRequired = context.body["prices"] == "1"
        let staff = context.member.account
        try await context.decide(
            about: [.named([""], [.askForPrices, .forgoPrices])], at: .adminProviders,
            unless: .init(verb: isRequired ? .askForPrices : .forgoPrices)
        ) { tx in
            guard try Plan.pricesAreRequired(in: tx) != isRequired else { return }
            try Plan.requirePrices(isRequired, in: tx)
            try AuditEntry.record(isRequired ? .askForPrices : .forgoPrices, "", 0, reason: "", by: staff, in: tx)
        }
        return context.redirect(to: .adminProviders, flash: .saved)
    }

    func show(_ context: AdminContext) throws -> Response { try page(context, Submission()) }

    func grant(_ context: AdminContext) async throws -> Response {
        let id: ID<Provider> = try context.id()
        let submission = context.submission(PlanForm.self)
        guard let form = submission.value else { return try page(context, submission, isAgain: true) }
        let staff = context.member.account
        try await context.decide(
            about: [.provider(id)], at: .desk(of: id),
            unless: .init(verb: .grantPlan, beginning: AuditEntry.subject(granting: form.plan, to: ""))
        ) { tx in
            guard let provider = try Provider.find(id, in: tx) else { throw Refusal.notFound }
            guard provider.plan != form.plan else { return }
            try Plan.grant(form.plan, to: provider.account, in: tx)
            try AuditEntry.record(
                .grantPlan, AuditEntry.subject(granting: form.plan, to: provider.organization), id.rawValue,
                was: provider.plan.rawValue, became: form.plan.rawValue, reason: form.reason, by: staff, in: tx
            )
        }
        return context.redirect(to: .desk(of: id), flash: .planGranted)
    }

    /// Marks an organization as “verified”, or renews the mark.
    func verify(_ context: AdminContext) async throws -> Response {
        var submission = context.submission(VerifiedForm.self)
        submission.form.check(&submission, today: context.townDay)
        guard let form = submission.value else {
            return try page(context, Submission(), verified: submission, isAgain: true)
        }
        return try await mark(context, form.verified(at: context.now, in: site.settings.zone))
    }

    /// Removes the mark.
    func unverify(_ context: AdminContext) async throws -> Response { try await mark(context, nil) }

    private func mark(_ context: AdminContext, _ verified: Verified?) async throws -> Response {
        let id: ID<Provider> = try context.id()
        let admin = context.member.account
        try await context.decide(
            about: [.provider(id)], at: .desk(of: id), unless: verified == nil ? .init(verb: .unverify) : nil
        ) { tx in
            guard let provider = try Provider.find(id, in: tx) else { throw Refusal.notFound }
            try Verified.set(verified, of: provider, reason: "", by: admin, in: tx)
        }
        return context.redirect(to: .desk(of: id), flash: .saved)
    }

    private func page(
        _ context: AdminContext, _ submission: Submission<PlanForm>,
        verified: Submission<VerifiedForm>? = nil, isAgain: Bool = false
    ) throws -> Response {
        let id: ID<Provider> = try context.id()
        let year = context.townDay.year
        let (provider, uses) = try site.read { db in
            guard let provider = try Provider.find(id, in: db) else { throw Refusal.notFound }
            return (provider, try [year, year + 1].map { try Plan.use(by: provider.account, in: $0, db) })
        }
        var submission = submission
        if !submission.isSent { submission.fill(\.plan, uses[0].plan) }
        let filled = VerifiedForm(provider.verified, in: site.settings.zone, today: context.townDay)
        let view = Templates.people.admin.plan(
            provider: provider, uses: uses, form: submission, verified: verified ?? Submission(filled: filled))
        return isAgain ? context.again(view) : context.page(view)
    }
}

/// A provider's new plan, and the reason.
struct PlanForm: Form {
    var plan = Plan.basic
    var reason = ""

    static let fields: [Field<PlanForm>] = [
        .choice(
            "plan", \.plan, "Plan",
            options: Plan.allCases.map {
                Choice(
                    $0, $0.name,
                    detail: Words("{count} event a year", plural: "{count} events a year", count: $0.events))
            }
        ).drawn(as: .radios),
        .reason(\.reason),
    ]
}
