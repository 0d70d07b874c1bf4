import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/admin/face` and `/admin/pages`: the site's look and its own texts.
struct FaceController {
    let site: Site

    func edit(_ context: AdminContext) -> Response {
        context.page(page(Submission(changing: FaceForm(site.town.face))))
    }

    func update(_ context: AdminContext) async throws -> Response {
        var submission = try context.submission(changing: FaceForm(site.town.face), by: try changer(context))
        try await takeLogo(&submission, context)
        submission.form.check(&submission)
        guard let form = submission.value else { return context.again(page(submission)) }
        let sent = submission
        try await site.changeTown(by: context.member.account, at: context.now) { town in
            try sent.requireUnchanged(since: Submission(changing: FaceForm(town.face)))
            town.face = form.value
        }
        return context.redirect(to: .face, flash: .saved)
    }

    /// The logo that a form uploads, or names if it is stored already, in which case the form keeps it despite other
    /// problems.
    private func takeLogo(_ submission: inout Submission<FaceForm>, _ context: AdminContext) async throws {
        do {
            if let file = submission.file(named: FaceForm.logoFile) {
                let picture = try await site.keep(file, of: context.member.account, at: context.now)
                submission.fill(\.logo, Logo(picture))
                submission.fill(\.isLogoOff, false)
            } else if let logo = submission.form.logo, try site.media.bytes(logo.hash, .thumb) == nil {
                submission.fill(\.logo, nil)
                submission.reject(named: FaceForm.logoFile, PictureProblem.gone.words)
            }
        } catch let problem as PictureProblem {
            submission.reject(named: FaceForm.logoFile, problem.words)
        }
    }

    func editPages(_ context: AdminContext) -> Response {
        context.page(pages(Submission(changing: OwnPagesForm(site.town.pages))))
    }

    func updatePages(_ context: AdminContext) async throws -> Response {
        var submission = try context.submission(changing: OwnPagesForm(site.town.pages), by: try changer(context))
        submission.form.check(&submission)
        guard let form = submission.value else { return context.again(pages(submission)) }
        let sent = submission
        try await site.changeTown(by: context.member.account, at: context.now) { town in
            try sent.requireUnchanged(since: Submission(changing: OwnPagesForm(town.pages)))
            town.pages = form.value
        }
        return context.redirect(to: .ownPages, flash: .saved)
    }

    private func page(_ form: Submission<FaceForm>) -> View<Frame> { Templates.people.admin.face(form: form) }

    private func pages(_ form: Submission<OwnPagesForm>) -> View<Frame> { Templates.people.admin.pages(form: form) }

    private func changer(_ context: AdminContext) throws -> String? {
        try site.read { db in try AuditEntry.last([.changeSettings], besides: context.member.account, in: db) }
    }
}
