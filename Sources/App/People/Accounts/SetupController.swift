import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/setup/{token}`: creates the first admin, once.
struct SetupController {
    let site: Site

    func new(_ context: PublicContext) throws -> Response {
        _ = try token(context)
        return context.page(Templates.people.accounts.setup(form: Submission())).withoutReferrer
    }

    func create(_ context: PublicContext) async throws -> Response {
        let token = try token(context)
        var submission = context.submission(SignUpForm.self)
        submission.form.check(&submission, guessed: try site.guessedFirst())
        guard let form = submission.value else {
            return context.again(Templates.people.accounts.setup(form: submission)).withoutReferrer
        }
        do {
            let id = try await site.createAccount(
                form, role: .admin, setup: token, reading: context.visit.ownLanguage, at: context.now
            ).account
            var response = context.redirect(to: .admin, flash: .welcome)
            response.headers.append(try await site.startSession(of: id, visit: context.visit))
            return response
        } catch let taken as Account.Taken {
            try site.reject(&submission, taken, at: context.now)
            return context.again(Templates.people.accounts.setup(form: submission)).withoutReferrer
        }
    }

    private func token(_ context: PublicContext) throws -> Token {
        guard let token = Token(try context.word("token")),
            let link = try site.read({ db in try SetupLink.find(token, in: db) })
        else { throw Refusal.notFound }
        return try link.opened()
    }
}
