import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/admin/settings`: which town the site is for, and who runs it.
struct TownController {
    let site: Site

    func edit(_ context: AdminContext) -> Response {
        let form = TownSettingsForm(site.town, zone: site.settings.zone, country: site.settings.country)
        return context.page(Templates.people.admin.settings(form: Submission(filled: form)))
    }

    func update(_ context: AdminContext) async throws -> Response {
        var submission = context.submission(TownSettingsForm.self)
        submission.form.check(&submission)
        guard let form = submission.value else {
            return context.again(Templates.people.admin.settings(form: submission))
        }
        try await site.change(form.value, by: context.member.account, at: context.now)
        return context.redirect(to: Link("/admin"), flash: .saved)
    }
}

extension Site {
    /// Stores what an admin wrote; pages drawn from then on say so.
    func change(_ town: Town, by staff: ID<Account>, at now: Instant) async throws {
        do {
            try await write { db in
                guard try Town(in: db) != town else { return }
                try town.save(in: db)
                try StaffAct.record(.changeSettings, "", 0, reason: "", by: staff, at: now, in: db)
                // Before the data's version rises: no page with the old words is kept under the new one.
                self.use(town)
            }
        } catch {
            use(try read { db in try Town(in: db) })
            throw error
        }
    }
}
