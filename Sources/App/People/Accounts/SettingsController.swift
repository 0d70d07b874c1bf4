import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/me/settings`: preferences, and links to everything else of one's own.
struct SettingsController {
    let site: Site

    func edit(_ context: MemberContext) throws -> Response {
        var form = Submission(changing: PreferencesForm(context.member.preferences))
        form.offer(\.language, languages)
        return context.page(try page(form, context))
    }

    func update(_ context: MemberContext) async throws -> Response {
        let account = context.member.account
        let stored = try site.read { db in try Preferences.find(of: account, in: db) }
        var form = context.submission(changing: PreferencesForm(stored), by: nil)
        form.offer(\.language, languages)
        form.form.check(&form)
        guard let preferences = form.value?.preferences else { return context.again(try page(form, context)) }
        let (sent, town) = (form, site.settings.zone)
        try await site.writeQuietly(at: context.now) { tx in
            let stored = try Preferences.find(of: account, in: tx)
            guard try sent.isChange(of: Submission(changing: PreferencesForm(stored))) else { return }
            try preferences.save(of: account, in: tx)
            if preferences.zone != stored.zone {
                try ActReminder.renew(of: account, in: preferences.zone ?? town, tx: tx)
            }
        }
        var response = context.redirect(to: .settings, flash: .saved)
        // The language chosen in this browser before log-in no longer applies.
        if context.visit.choice.kept != nil {
            response.headers.append(LanguageChoice.line(keeping: nil, in: site.settings))
        }
        return response
    }

    /// `POST /language`: sets the language for this browser, and for a member in all browsers.
    func choose(_ context: PublicContext) async throws -> Response {
        guard let language = context.body["language"].flatMap({ site.language(named: $0) }) else {
            throw Refusal.notFound
        }
        let account = context.visit.visitor?.account
        if let account, context.visit.visitor?.preferences.language != language.name {
            try await site.writeQuietly(at: context.now) { tx in
                try Preferences.set(language: language.name, of: account, in: tx)
            }
        }
        let back = context.body["back"].map { LanguageChoice.taken(from: $0).address }
        var response = context.redirect(to: back.flatMap { Link(onSite: $0) } ?? .start)
        if account == nil || context.visit.choice.kept != nil {
            let kept = account == nil ? language.name : nil
            response.headers.append(LanguageChoice.line(keeping: kept, in: site.settings))
        }
        return response
    }

    private var languages: [Choice] { [Choice(PreferencesForm.usual, "As the browser")] + site.languageChoices }

    private func page(_ form: Submission<PreferencesForm>, _ context: MemberContext) throws -> View<Frame> {
        let id = context.member.account
        let (account, two) = try site.read(at: context.now) { tx in
            (try Account.find(id, in: tx), try TwoStep.find(of: id, in: tx))
        }
        guard let account else { throw Refusal.notFound }
        return Templates.people.accounts.settings(
            account: account, form: form, hasMail: site.settings.smtp != nil, hasLanguages: site.hasLanguages,
            hasTwoStep: two?.isOn == true)
    }
}
