import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// The pages that explain the site.
struct PageController {
    let site: Site

    func privacy(_ context: PublicContext) -> Response {
        context.page(
            Templates.people.town.privacy(
                backups: Backups(site.settings), isOnServer: site.settings.databaseURL != nil))
    }
    func about(_ context: PublicContext) throws -> Response {
        let kept = try site.read { db in
            let backup = site.backupAge(try JobRun.all(in: db), at: context.now)
            return try KeptNow(backup: backup, in: site.settings.zone, db: db)
        }
        return context.page(Templates.people.town.about(kept: kept))
    }

    /// The accessibility statement and its evidence.
    func accessibility(_ context: PublicContext) -> Response {
        context.page(Templates.people.town.accessibility())
    }

    /// The machine-readable accessibility report: an OpenACR.
    func accessibilityReport(_ context: PublicContext) -> Response {
        let report = Accessibility.report(version: Site.version, site: site.settings.publicURL, town: site.town)
        return context.document(Array(YAML(report).text.utf8), type: "application/yaml")
    }

    /// The rules of conduct, to which new members agree.
    func rules(_ context: PublicContext) throws -> Response {
        try own(!site.town.pages.rules.isEmpty, Templates.people.town.rules(), context)
    }
    func terms(_ context: PublicContext) throws -> Response {
        let text = site.town.pages.terms
        return try own(
            !text.isEmpty, Templates.people.town.own(title: "Terms of use", text: text, link: .terms), context)
    }
    func imprint(_ context: PublicContext) throws -> Response {
        let text = site.town.pages.imprint
        return try own(
            !text.isEmpty, Templates.people.town.own(title: "Legal notice", text: text, link: .imprint), context)
    }

    /// A page with the town's own text, if there is one.
    private func own(_ isThere: Bool, _ view: View<Frame>, _ context: PublicContext) throws -> Response {
        guard isThere else { throw Refusal.notFound }
        return context.page(view)
    }

    func help(_ context: PublicContext) -> Response { context.page(Templates.people.town.help()) }

    /// `/help/home-screen`: how to install the site as an app, and why.
    func homeScreen(_ context: PublicContext) -> Response {
        context.page(Templates.people.town.homeScreen())
    }

    /// The page that browsers show offline in place of others (`worker.js`); it contains no personal data.
    func offline(_ context: PublicContext) -> Response {
        return context.page(Templates.people.town.offline()).unlisted
    }

    /// Every component in every state, for developers.
    func components(_ context: PublicContext) throws -> Response {
        guard site.isDemo || context.visit.visitor?.isStaff == true else { throw Refusal.notFound }
        return context.page(
            Templates.people.town.components(sample: ComponentSamples(now: context.now, today: context.townDay)))
    }
}
