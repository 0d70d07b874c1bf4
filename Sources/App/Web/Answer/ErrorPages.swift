import Database
import Forms
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import Passwords
import Templating
import Wire

/// The content of an error page.
struct ErrorPage: Sendable {
    let status: HTTPResponse.Status
    let title: Words
    let text: Words
    /// The link to continue.
    var link: (to: Link, label: Words) = (Link.events, "See what’s on")
    /// Shown if the error is ours.
    var requestID: String?
    /// Whether it says how to reach the site's operator.
    var showsContact = false
    /// The texts in the form that was refused.
    var written: [String] = []

    var code: Int { status.code }
    /// The page's drawing.
    var drawing: Drawing { status == .notFound ? .lost : .broken }
}

extension Visit {
    /// The only place where an error becomes a response. An internal error's description is logged, never shown.
    func answer(to error: any Error) -> Response {
        switch error {
        case let refusal as Refusal: answer(to: refusal)
        case let end as LinkEnd: page(Templates.people.accounts.linkEnded(end: end), status: .gone).withoutReferrer
        case let problem as PictureProblem: answer(to: problem)
        case let overtaken as AuditEntry.Overtaken:
            page(
                Templates.people.admin.overtaken(
                    rows: overtaken.acts.map { StaffLogRow($0, in: site.settings.zone) }, link: overtaken.link,
                    written: body.written),
                status: .conflict)
        case let error as HTTPError: errorPage(error.status)
        // The visitor left during the upload, so nobody sees this response.
        case is BodyCutOff: errorPage(.badRequest)
        case DatabaseError.busy, DatabaseError.tooSlow, DatabaseError.full, DatabaseError.readOnly,
            DatabaseError.disk, DatabaseError.lost, DatabaseError.away, DatabaseError.locked, is PasswordQueue.Full:
            failure(error, .serviceUnavailable)
        default: failure(error, .internalServerError)
        }
    }

    private func answer(to refusal: Refusal) -> Response {
        switch refusal {
        case .notFound: errorPage(.notFound)
        case .noCertificate:
            errorPage(
                .notFound, "No certificate has this code",
                """
                Compare it with the sheet, letter by letter. If it is the same, this site didn’t make that \
                certificate, or its holder left.
                """)
        case .switchedOff:
            errorPage(
                .notFound, "This isn’t here at the moment",
                "The people who run this site have switched this part of it off. Nothing in it is lost.")
        case .notAllowed: errorPage(.forbidden)
        case .twoStepFirst: first(.twoStep)
        case .suspended(let account): suspended(account)
        case .limited(let until):
            errorPage(
                .forbidden, "You can’t write here at the moment",
                """
                The people who run this site let you only read until \
                \(zone.words(until, \.shortName), as: "until"). Your inbox says why, and you can answer \
                there.
                """)
        case .waiting: first(.waiting)
        case .newHere(let wait):
            retry(
                after: wait,
                page(
                    Templates.people.joining.slower(
                        wait: wait.inWords, action: Link(onSite: path) ?? Link.start, kept: body.kept),
                    status: .tooManyRequests))
        case .tooLateToAnswer:
            errorPage(
                .conflict, "It is too late for an answer",
                "It has begun meanwhile, or ran out. They are told, and no place is held anymore.")
        case .overtaken(let link): redirect(to: link, flash: .overtaken)
        case .tooLate: tooLate()
        case .forged:
            errorPage(
                .forbidden, "This form is no longer valid",
                """
                Somebody logged in or out meanwhile, or it was sent from another site. Go back, reload, and send it \
                again.
                """
            )
        case .malformed: errorPage(.badRequest)
        case .tooLarge: errorPage(.contentTooLarge)
        case .unsupportedType: errorPage(.unsupportedMediaType)
        case .signInFirst: signIn()
        case .signedOut:
            errorPage(
                .forbidden, "Log in, then send it again",
                """
                You are not logged in, or were logged out meanwhile. Log in in another tab, come back here, and send \
                the picture again.
                """)
        case .noProfile(let hat): first(hat.form.with("next", readable).with("back", back?.string))
        case .wrongHat(let hat):
            page(
                Templates.errors.hat(hat: hat, next: readable, written: losesText ? body.written : []),
                status: .forbidden)
        case .tooMany(let wait):
            retry(
                after: wait,
                errorPage(
                    .tooManyRequests, "Please wait a moment",
                    "That was a lot in a short time. Try again in \(wait.inWords, as: "time")."))
        }
    }

    /// The page for a visitor who entered the right password of a suspended account: the reason, and a form for the one
    /// answer they have, regardless of whether a letter could have told them.
    private func suspended(_ account: ID<Account>) -> Response {
        let found = try? site.read { db -> (Decision, Link)? in
            guard let decision = try Decision.suspension(of: account, in: db), let seal = try Seal(in: db) else {
                return nil
            }
            return (decision, LetterLink.appeal.link(to: decision.id, for: account, seal))
        }
        guard let (decision, link) = found ?? nil, !isForPrograms else {
            return errorPage(
                .forbidden, "This account is suspended",
                "Nobody can log in with it at the moment. Please ask the people who look after this site.",
                showsContact: true)
        }
        let about = DecisionPage(
            decision: decision, time: zone.words(decision.at, \.shortName), until: nil, exhibit: nil,
            action: link)
        return page(
            Templates.community.moderation.suspended(page: about, form: Submission<AnswerDecisionForm>()),
            status: .forbidden
        ).withoutReferrer
    }

    private func answer(to problem: PictureProblem) -> Response {
        let title: Words = "We can’t take this picture"
        return switch problem {
        case .busy, .unavailable: retry(after: .seconds(30), errorPage(.serviceUnavailable, title, problem.words))
        case .tooMany(let wait): retry(after: wait, errorPage(.tooManyRequests, title, problem.words))
        case .tooLarge: errorPage(.contentTooLarge, title, problem.words)
        default: errorPage(.unprocessableContent, title, problem.words)
        }
    }

    /// Whether a redirect would lose what its reader wrote.
    private var losesText: Bool { request.method == .post && !isForPrograms && !body.written.isEmpty }

    /// Leads to the page that comes first, and shows before it what was written.
    private func first(_ link: Link) -> Response {
        guard losesText else { return redirect(to: link) }
        return errorPage(
            .forbidden, "Something else comes first", "This wasn’t sent. Go on, and send it again after that.",
            link: (link, "Go on"))
    }

    /// The address to return to by GET: the page itself, or the start page for a POST without a page.
    private var readable: String {
        request.method == .post && pattern != "none" && !isReadable ? "/" : pathAndQuery
    }

    private var isReadable: Bool {
        pattern.hasSuffix("/new") || pattern.hasSuffix("/edit") || pattern.hasPrefix("/me/")
    }

    /// The log-in page for a visitor without a session; after a sent form, a page that keeps the form and contains a
    /// log-in.
    private func signIn() -> Response {
        if isForPrograms {
            var response = problem(.unauthorized, "Log in on the site first: this needs its cookie.")
            response.headers[.wwwAuthenticate] = "Cookie realm=\"Village\""
            return response
        }
        // The event stream of a page that was left open: 204 ends it; a log-in page would look like an error.
        if request.headers[.accept] == "text/event-stream" { return Response(status: .noContent) }
        guard request.method == .post else { return redirect(to: .logIn.with("next", pathAndQuery)) }
        let action = Link(onSite: path) ?? Link.start
        if asksForCode {
            let code = Templates.people.accounts.resumeCode(
                form: Submission(), action: action, kept: body.kept, isWrong: body["session_code"] != nil)
            return page(code, status: .unprocessableContent)
        }
        let view = Templates.people.accounts.resume(
            form: Submission(), action: action, kept: body.kept, isWrong: body["session_login"] != nil)
        return page(view, status: .unprocessableContent)
    }

    /// - Parameter flash: The message about the completed action on the next page.
    func redirect(to link: Link, flash: Flash? = nil) -> Response {
        var response = Response(status: .seeOther, headers: [.location: link.string])
        if let flash { response.headers.append(flash.cookie(in: site.settings)) }
        return response
    }

    /// Has the browser send the form once more, to another address of this site.
    func resend(to link: Link, flash: Flash? = nil) -> Response {
        var response = redirect(to: link, flash: flash)
        response.status = .temporaryRedirect
        return response
    }

    private func retry(after wait: Duration, _ response: Response) -> Response {
        var response = response
        response.headers[.retryAfter] = String(max(1, wait.secondsRoundedUp))
        return response
    }

    private func failure(_ error: any Error, _ status: HTTPResponse.Status) -> Response {
        site.log.error(
            "\(String(reflecting: type(of: error)))",
            metadata: ["request": "\(id)", "error": "\(error.logged)"])
        let response = errorPage(status)
        return status == .serviceUnavailable ? retry(after: .seconds(5), response) : response
    }

    /// The page for an event that has begun, is over or was canceled.
    private func tooLate() -> Response {
        let parts = path.split(separator: "/").prefix(2)
        let link = parts.count == 2 ? Link(onSite: "/" + parts.joined(separator: "/")) : nil
        return errorPage(
            .forbidden, "It is too late for that",
            parts.first == "registrations"
                ? "The event has begun, is over or was canceled. If you can’t come, please call the provider."
                : "It has begun, is over, or was canceled or closed meanwhile.",
            link: link.map { ($0, "Open its page") })
    }

    func errorPage(
        _ status: HTTPResponse.Status, _ title: Words? = nil, _ text: Words? = nil,
        link: (to: Link, label: Words)? = nil, showsContact: Bool = false
    ) -> Response {
        let words = Self.words(for: status)
        if isForPrograms { return problem(status, text ?? words.text) }
        var error = ErrorPage(
            status: status, title: title ?? words.title, text: text ?? words.text, showsContact: showsContact)
        if let link { error.link = link }
        if status.code >= 500 { error.requestID = id }
        if request.method == .post { error.written = body.written }
        return page(Templates.errors.refusal(error: error), status: status)
    }

    /// For a form that ends something, if there is nothing to end: it was ended by an earlier press or on another page.
    /// Somebody else's is answered in the same way.
    func nothingToEnd(next: Link) -> Response {
        errorPage(
            .notFound, "It isn’t there anymore", "It was removed meanwhile, maybe by you in another window.",
            link: (next, "See what is there now"))
    }

    /// A friendly message for each status.
    static func words(for status: HTTPResponse.Status) -> (title: Words, text: Words) {
        switch status {
        case .badRequest:
            ("We could not read that", "Your browser sent something we don't understand. Please try again.")
        case .forbidden: ("This is not for you", "Your account may not open this page.")
        case .notFound:
            (
                "We can't find this page",
                "It may have moved, or it was never here. The events are still where they were."
            )
        case .methodNotAllowed: ("This page can't do that", "Open it by its link, please.")
        case .requestTimeout: ("That took too long", "Your connection was very slow. Please try again.")
        case .contentTooLarge: ("That is too much at once", "Please send less: shorter text, or a smaller file.")
        case .uriTooLong: ("This address is too long", "Please use fewer filters or shorter words.")
        case .unsupportedMediaType: ("We can't read this kind of form", "Please send it from the page itself.")
        case .requestHeaderFieldsTooLarge:
            ("Your browser sent too much", "Clearing this site's cookies usually helps.")
        case .serviceUnavailable:
            ("A lot is going on", "We can't do this right now. Nothing was lost; please try again.")
        case .tooManyRequests: ("Please wait a moment", "That was a lot in a short time.")
        default: ("Something broke", "It is our fault, not yours. Nothing half-done was kept. Please try again.")
        }
    }
}

extension FormBody {
    /// The form's texts that can be sent again: all but the token, the language and passwords.
    var kept: [(name: String, value: String)] {
        entries.filter {
            !["csrf", Link.languageParameter].contains($0.name) && !$0.name.contains("password")
                && !$0.name.hasPrefix("session_")
        }
    }

    /// The form's longer texts, which would have to be written again; none if the form asks for a password.
    var written: [String] {
        guard !entries.contains(where: { $0.name.contains("password") }) else { return [] }
        let prose: Set = ["text", "note", "message", "comment", "body", "description", "reason", "answer"]
        return kept.filter { name, value in
            prose.contains(name) && !value.isEmpty || value.utf8.count >= 20 && value.contains(where: \.isWhitespace)
        }.map(\.value)
    }
}
