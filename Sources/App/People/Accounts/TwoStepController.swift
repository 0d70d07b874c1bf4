import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/me/two-step` and `/login/code`: the second step of the log-in.
struct TwoStepController {
    let site: Site

    // MARK: Logging in

    func ask(_ context: PublicContext) throws -> Response {
        guard try site.pending(of: context.visit) != nil else { return context.redirect(to: logIn(context)) }
        return context.page(page(isRecovery: context.query["recovery"] != nil, context))
    }

    /// `POST /login/code`: completes the log-in.
    func answer(_ context: PublicContext) async throws -> Response {
        guard let (token, account) = try site.pending(of: context.visit) else {
            return context.redirect(to: logIn(context))
        }
        let isRecovery = context.body["recovery"] != nil
        let typed = context.body["code"] ?? ""
        guard try await site.isCode(typed, of: account, visit: context.visit) else {
            return context.again(page(isRecovery: isRecovery, isWrong: true, context))
        }
        guard let person = try site.read({ db in try Account.credentials(of: account, in: db) }) else {
            throw Refusal.notFound
        }
        var response = context.redirect(to: context.start(for: person))
        response.headers.append(
            try await site.startSession(of: account, visit: context.visit) { tx in
                try PendingLogIn.use(token, in: tx)
            })
        response.headers.append(PendingLogIn.endedCookie(site.settings))
        return response
    }

    private func logIn(_ context: PublicContext) -> Link { Link.logIn.with("next", context.next?.string) }

    private func page(isRecovery: Bool, isWrong: Bool = false, _ context: PublicContext) -> View<Frame> {
        let wrong: Words = "This code doesn’t open it. Wait for the next one, and try again."
        let next = context.nextText
        if isRecovery {
            var form = Submission<RecoveryForm>()
            if isWrong { form.reject(\.code, "This isn’t one of your recovery codes, or it was used already.") }
            return Templates.people.accounts.loginCode(
                title: form.title("The second step"), problems: form.problems, input: form[\.code], next: next,
                isRecovery: true)
        }
        var form = Submission<CodeForm>()
        if isWrong { form.reject(\.code, wrong) }
        return Templates.people.accounts.loginCode(
            title: form.title("The second step"), problems: form.problems, input: form[\.code], next: next,
            isRecovery: false)
    }

    // MARK: Setting it up

    func show(_ context: MemberContext) throws -> Response {
        let member = context.member
        let (two, codes) = try site.read(at: context.now) { tx in
            (try TwoStep.find(of: member.account, in: tx), try TwoStep.recoveryCodes(of: member.account, in: tx))
        }
        return context.page(
            Templates.people.accounts.twoStep(page: page(two, codes, context), again: Submission(), form: Submission()))
    }

    /// `POST /me/two-step/secret`: makes a secret for the app, for a member who knows the password.
    func begin(_ context: MemberContext) async throws -> Response {
        var submission = context.submission(AgainForm.self)
        let member = context.member
        guard try await site.opened(&submission, with: \.current, by: member, context.visit) != nil else {
            return context.again(
                Templates.people.accounts.twoStep(
                    page: page(nil, 0, context), again: submission, form: Submission()))
        }
        try await site.writeQuietly(at: context.now) { tx in try TwoStep.begin(of: member.account, in: tx) }
        return context.redirect(to: .twoStep)
    }

    /// `POST /me/two-step`: turns it on, with a code that proves that the app has the secret.
    func turnOn(_ context: MemberContext) async throws -> Response {
        let (member, now) = (context.member, context.now)
        let two = try site.read(at: now) { tx in try TwoStep.find(of: member.account, in: tx) }
        guard let two, !two.isOn else { return context.redirect(to: .twoStep) }
        var submission = context.submission(CodeForm.self)
        if let form = submission.value {
            let typed = form.code.plainCode
            if two.code.step(of: typed, at: now, after: 0) != nil {
                let (codes, hashes) = try await freshCodes()
                let isOn = try await site.write(at: now) { tx in
                    try TwoStep.turnOn(typed, codes: hashes, of: member.account, in: tx)
                }
                if isOn { return show(codes, context) }
            }
            submission.reject(\.code, "This is not the code that the app shows now. Is the phone’s clock right?")
        }
        return context.again(
            Templates.people.accounts.twoStep(page: page(two, 0, context), again: Submission(), form: submission))
    }

    // MARK: While it is on

    func codes(_ context: MemberContext) throws -> Response { try both(context, Submission(), isOff: false) }
    func off(_ context: MemberContext) throws -> Response { try both(context, Submission(), isOff: true) }

    /// `POST /me/two-step/codes`: replaces the recovery codes.
    func renewCodes(_ context: MemberContext) async throws -> Response {
        if let problem = try await checkBoth(context, isOff: false) { return problem }
        let account = context.member.account
        let (codes, hashes) = try await freshCodes()
        try await site.writeQuietly { db in try TwoStep.setRecoveryCodes(hashes, of: account, in: db) }
        return show(codes, context)
    }

    func turnOff(_ context: MemberContext) async throws -> Response {
        if let problem = try await checkBoth(context, isOff: true) { return problem }
        let account = context.member.account
        try await site.write(at: context.now) { tx in _ = try TwoStep.turnOff(of: account, due: tx.now, in: tx) }
        return context.redirect(to: .twoStep, flash: .twoStepOff)
    }

    /// - Returns: The page again if the password or code is wrong.
    private func checkBoth(_ context: MemberContext, isOff: Bool) async throws -> Response? {
        var submission = context.submission(BothStepsForm.self)
        let member = context.member
        guard let form = try await site.opened(&submission, with: \.current, by: member, context.visit) else {
            return try both(context, submission, isOff: isOff)
        }
        guard try await site.isCode(form.code, of: member.account, visit: context.visit) else {
            submission.reject(\.code, "This code doesn’t open it. Wait for the next one, and try again.")
            return try both(context, submission, isOff: isOff)
        }
        return nil
    }

    private func both(_ context: MemberContext, _ form: Submission<BothStepsForm>, isOff: Bool) throws -> Response {
        let account = context.member.account
        guard try site.read(at: context.now, { tx in try TwoStep.find(of: account, in: tx) })?.isOn == true else {
            return context.redirect(to: .twoStep)
        }
        let view = Templates.people.accounts.twoStepAgain(form: form, isOff: isOff)
        return form.isSent ? context.again(view) : context.page(view)
    }

    private func freshCodes() async throws -> (codes: [RecoveryCode], hashes: [String]) {
        let codes = RecoveryCode.fresh()
        var hashes: [String] = []
        for code in codes { hashes.append(try await site.hash(code.text)) }
        return (codes, hashes)
    }

    /// Shown only once, on this page; the database only has the hashes.
    private func show(_ codes: [RecoveryCode], _ context: MemberContext) -> Response {
        context.page(Templates.people.accounts.recoveryCodes(codes: codes.map(\.shown)))
    }

    private func page(_ two: TwoStep?, _ codes: Int, _ context: MemberContext) -> TwoStepPage {
        let zone = context.zone
        let state: TwoStepPage.State
        if let since = two?.turnedOnAt {
            state = .on(since: zone.day(of: since).fullName, codesLeft: codes)
        } else if let code = two?.code {
            let link = code.link(of: context.member.username, at: site.town.siteName)
            state = .begun(code: QRCode(link.string), link: link, secret: code.text)
        } else {
            state = .off
        }
        var page = TwoStepPage(state: state)
        if let by = context.member.twoStepBy {
            page.due = zone.words(by, \.shortName)
            page.isOverdue = by <= context.now
        }
        return page
    }
}

extension PublicContext {
    /// The page after logging in.
    func start(for account: Account.Credentials) -> Link {
        switch account.lastHat {
        case .some: next ?? Link.start
        case nil where account.isStaff: next ?? Link.admin
        case nil: onward(Link.welcome)
        }
    }
}
