import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// Floods of accounts: `POST /admin/people` stops them, `/admin/waves` revokes that; and `/admin/domains`, the mail
/// domains that can't be used to sign up.
struct WaveController {
    let site: Site

    /// The accounts chosen in the list of people: first a preview, then they are suspended with their content.
    func stop(_ context: StaffContext) async throws -> Response {
        var submission = context.submission(WaveForm.self)
        let named = Set(context.body.all("account").compactMap { ID<Account>($0) })
        let chosen = named.subtracting([context.member.account]).sorted()
        let ticked = Array(context.body.all("block").prefix(20))
        let typed = (submission.form.domain ?? "").split { $0.isComma || $0.isSemicolon || $0 == " " }.map(String.init)
        var domains: [MailDomain] = []
        for name in typed + ticked {
            guard let domain = MailDomain(name) else {
                submission.reject(\.domain, "Write each domain like spam.example.")
                continue
            }
            if !domains.contains(where: { $0.name == domain.name }) { domains.append(domain) }
        }
        let preview = try await site.readSlowly { db in try Wave.preview(chosen, in: db) }
        if preview.people.isEmpty { submission.reject("Choose somebody first: those who run the site don’t count.") }
        if chosen.count > Wave.most {
            submission.reject("Up to \(Wave.most, as: "most") at a time, please.")
        }
        guard context.body["step"] == "publish" else {
            guard !preview.people.isEmpty else { return show(submission, preview, ticked, context) }
            var form = WaveForm()
            form.domain = preview.commonDomain
            return show(Submission(filled: form), preview, ticked, context)
        }
        guard let form = submission.value else { return show(submission, preview, ticked, context) }
        let (staff, people) = (context.member.account, preview.people.map(\.id))
        let blocked = domains
        do {
            let wave = try await context.decide(about: people.map { .subject(.person($0)) }, at: .adminPeople) { tx in
                try Wave.stop(
                    people, ground: form.ground, reason: form.reason ?? "", domains: blocked, by: staff, in: tx)
            }
            // Somebody else did it first.
            guard wave != nil else { return context.redirect(to: .waves) }
        } catch let problem as MailDomain.Unblockable {
            submission.reject(\.domain, problem.words)
            return show(submission, preview, ticked, context)
        }
        return context.redirect(to: .waves, flash: .waveStopped)
    }

    private func show(
        _ form: Submission<WaveForm>, _ preview: WavePreview, _ ticked: [String], _ context: StaffContext
    ) -> Response {
        let view = Templates.people.admin.wave(preview: preview, ticked: Set(ticked), form: form)
        return form.problems.isEmpty ? context.page(view) : context.again(view)
    }

    func index(_ context: StaffContext) throws -> Response {
        let zone = site.settings.zone
        let rows = try site.read { db in try Wave.latest(in: db) }
        return context.page(
            Templates.people.admin.waves(
                page: WavesPage(rows: rows.map { .init(wave: $0, time: zone.words($0.at, \.shortName)) })))
    }

    func undo(_ context: StaffContext) async throws -> Response {
        let id: ID<Wave> = try context.id()
        let staff = context.member.account
        try await context.decide(about: [.wave(id)], at: .waves, unless: .init(verb: .undoWave)) { tx in
            try Wave.undo(id, by: staff, in: tx)
        }
        return context.redirect(to: .waves, flash: .waveUndone)
    }

    // MARK: Mail domains

    func domains(_ context: StaffContext) throws -> Response { context.page(try domainsPage(Submission())) }

    /// Blocks a domain.
    func block(_ context: StaffContext) async throws -> Response {
        var submission = context.submission(DomainForm.self)
        guard let (domain, reason) = named(&submission) else { return context.again(try domainsPage(submission)) }
        let staff = context.member.account
        do {
            try await context.decide(
                about: [.domain(domain)], at: .mailDomains, unless: .init(verb: .blockDomain)
            ) { tx in try MailDomain.block(domain, reason: reason, by: staff, in: tx) }
        } catch let problem as MailDomain.Unblockable {
            submission.reject(\.domain, problem.words)
            return context.again(try domainsPage(submission))
        }
        return context.redirect(to: .mailDomains, flash: .domainBlocked)
    }

    /// Unblocks a domain.
    func unblock(_ context: StaffContext) async throws -> Response {
        var submission = context.submission(DomainForm.self)
        guard let (domain, reason) = named(&submission) else { return context.again(try domainsPage(submission)) }
        let staff = context.member.account
        try await context.decide(
            about: [.domain(domain)], at: .mailDomains, unless: .init(verb: .unblockDomain)
        ) { tx in try MailDomain.unblock(domain.name, reason: reason, by: staff, in: tx) }
        return context.redirect(to: .mailDomains, flash: .domainUnblocked)
    }

    /// The domain and reason in a form; nil if they are invalid.
    private func named(_ submission: inout Submission<DomainForm>) -> (MailDomain, reason: String)? {
        let domain = MailDomain(submission.form.domain)
        if domain == nil { submission.reject(\.domain, "Write the domain like spam.example.") }
        guard let form = submission.value, let domain else { return nil }
        return (domain, form.reason)
    }

    private func domainsPage(_ form: Submission<DomainForm>) throws -> View<Frame> {
        let zone = site.settings.zone
        let blocked = try site.read { db in try MailDomain.all(in: db) }
        return Templates.people.admin.domains(
            page: DomainsPage(rows: blocked.map { .init(blocked: $0, time: zone.words($0.at, \.shortName)) }),
            form: form)
    }
}
