import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/signup`: making an account.
struct AccountController {
    let site: Site

    func new(_ context: PublicContext) throws -> Response {
        guard context.visit.visitor == nil else { return context.redirect(to: context.next ?? Link("/")) }
        return context.page(Templates.people.accounts.signUp(form: Submission(), next: context.nextText))
    }

    func create(_ context: PublicContext) async throws -> Response {
        var submission = context.submission(SignUpForm.self)
        submission.form.check(&submission, guessed: try site.guessedFirst())
        guard let form = submission.value else {
            return context.again(Templates.people.accounts.signUp(form: submission, next: context.nextText))
        }
        if let wait = site.limits.take(.signUps, by: context.visit.address.subscriber, at: context.now) {
            throw Refusal.tooMany(retryAfter: wait)
        }
        do {
            let id = try await site.createAccount(form, isStaff: false, at: context.now)
            var response = context.redirect(to: context.onward(Link("/welcome")), flash: .welcome)
            response.headers.append(try await site.startSession(of: id, visit: context.visit))
            return response
        } catch let taken as Account.Taken {
            submission.reject(taken)
            return context.again(Templates.people.accounts.signUp(form: submission, next: context.nextText))
        }
    }
}

/// `/setup/{token}`: the first admin, once.
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
            let id = try await site.createAccount(form, isStaff: true, setup: token, at: context.now)
            var response = context.redirect(to: Link("/admin"), flash: .welcome)
            response.headers.append(try await site.startSession(of: id, visit: context.visit))
            return response
        } catch let taken as Account.Taken {
            submission.reject(taken)
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

extension Submission<SignUpForm> {
    /// Turns the database's refusal of a second account into problems beside the fields.
    fileprivate mutating func reject(_ taken: Account.Taken) {
        switch taken {
        case .email:
            reject(\.email, "There is an account with this e-mail address already. Log in, or give another one.")
        case .username: reject(\.username, "This user name is taken. Choose another one.")
        }
    }
}

extension Site {
    /// Adds an account, and writes the letter that confirms its address; with `setup`, the first admin's, in the same
    /// transaction as the end of the link.
    func createAccount(
        _ form: SignUpForm, isStaff: Bool, setup: Token? = nil, at now: Instant
    ) async throws -> ID<Account> {
        let hash = try await hash(form.password)
        return try await write { db in
            if let setup {
                guard let link = try SetupLink.find(setup, in: db) else { throw Refusal.notFound }
                _ = try link.opened()
                try SetupLink.end(in: db)
            }
            let id = try Account.insert(
                email: form.email.lowercased(), username: form.username.lowercased(), passwordHash: hash,
                role: isStaff ? .admin : .member, at: now, in: db)
            try ConfirmLink.send(to: id, at: now, in: db)
            return id
        }
    }
}

extension Context {
    /// The text of `next` for a hidden field; empty when there is none.
    var nextText: String { next?.string ?? "" }

    /// `link`, carrying `next` along.
    func onward(_ link: Link) -> Link { next.map { link.with("next", $0.string) } ?? link }
}
