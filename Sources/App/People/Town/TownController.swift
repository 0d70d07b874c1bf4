import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/admin/settings`: the town and the operator.
struct TownController {
    let site: Site

    func edit(_ context: AdminContext) -> Response {
        var form = Submission(changing: form(of: site.town))
        form.offer(\.language, site.languageChoices)
        return context.page(page(form))
    }

    func update(_ context: AdminContext) async throws -> Response {
        let admin = context.member.account
        var submission = try context.submission(
            changing: form(of: site.town),
            by: try site.read { db in try AuditEntry.last([.changeSettings], besides: admin, in: db) })
        submission.offer(\.language, site.languageChoices)
        submission.form.check(&submission)
        guard let form = submission.value else { return context.again(page(submission)) }
        let sent = submission
        try await site.changeTown(by: admin, at: context.now) { town in
            try sent.requireUnchanged(since: Submission(changing: self.form(of: town)))
            form.apply(to: &town)
        }
        return context.redirect(to: .admin, flash: .saved)
    }

    private func form(of town: Town) -> TownSettingsForm {
        TownSettingsForm(
            town, zone: site.settings.zone, country: site.settings.country,
            language: town.language.flatMap { site.language(named: $0) }?.name ?? site.languages[0].name)
    }

    private func page(_ form: Submission<TownSettingsForm>) -> View<Frame> {
        Templates.people.admin.settings(form: form, hasLanguages: site.hasLanguages)
    }
}

extension Site {
    /// Stores an admin's change, which all pages drawn from then on show.
    ///
    /// - Parameter change: Changes the town as stored now, or throws.
    func changeTown(
        by staff: ID<Account>, at now: Instant, _ change: @escaping @Sendable (inout Town) throws -> Void
    ) async throws {
        do {
            try await write(at: now) { tx in
                let stored = try Town(in: tx)
                var town = stored
                try change(&town)
                guard stored != town else { return }
                try town.save(in: tx)
                for change in town.changes(since: stored) {
                    try AuditEntry.record(
                        .changeSettings, change.field, 0, was: String(change.was.prefix(1_000)),
                        became: String(change.became.prefix(1_000)), reason: "", by: staff, in: tx)
                }
                // Before the data's version rises, so that no earlier page is cached under the new version.
                self.use(town)
                if town.zone != stored.zone { try ActReminder.renewAll(in: self.settings.zone, tx: tx) }
            }
        } catch {
            use(try read { db in try Town(in: db) })
            throw error
        }
    }
}
