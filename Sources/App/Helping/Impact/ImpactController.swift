import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/impact`, `/certificates`: what came of it.
struct ImpactController {
    let site: Site

    func show(_ context: MemberContext) throws -> Response {
        let page = try page(context)
        return context.page(
            Templates.helping.impact.show(page: page, gift: gift(), certificate: certificate(page, context)))
    }

    private func gift() -> Submission<GiftForm> { Submission() }

    private func certificate(_ page: ImpactPage, _ context: MemberContext) -> Submission<CertificateForm> {
        var form = Submission<CertificateForm>()
        form.fill(\.year, page.impact.year ?? context.today.year)
        return form
    }

    private func impact(_ all: [Contribution], _ context: MemberContext) -> Impact {
        let typed = context.query["year"]
        let year = typed == "all" ? nil : typed.flatMap { Int($0) } ?? context.today.year
        return Impact(all, year: year, today: context.today)
    }

    private func page(_ context: MemberContext) throws -> ImpactPage {
        let (account, now) = (context.member.account, context.now)
        return try site.read { db in
            let ahead = try Signup.ahead(of: account, at: now, in: db)
            let all = try Contribution.all(of: account, in: db)
            return ImpactPage(
                impact: impact(all, context), unsaid: try Signup.past(of: account, at: now, in: db),
                // What has no shift stands where its hours are said.
                ahead: ahead.filter { $0.shift != nil },
                promises: try Promise.open(of: account, in: db), certificates: try Certificate.all(of: account, in: db),
                acts: try Standing.of(account, in: db).acts,
                certifiable: Set(all.filter { $0.confirmed != nil }.map(\.day.year)).sorted(by: >),
                map: try MapDrawing.ahead(
                    of: ahead, country: site.settings.country, outlines: site.outlines, at: now, in: db))
        }
    }

    func csv(_ context: MemberContext) throws -> Response {
        let all = try site.read { db in try Contribution.all(of: context.member.account, in: db) }
        return Response(csv: impact(all, context).csv(in: context.language), name: "impact")
    }

    /// Notes a gift of money.
    func note(_ context: MemberContext) async throws -> Response {
        var submission = context.submission(GiftForm.self)
        let money = Money(typed: submission.form.amount, currency: site.currency)
        if submission.accepts(\.amount), (money?.minorUnits ?? 0) <= 0 {
            submission.reject(\.amount, "Write the amount like 20 or 20.50.")
        }
        if let day = submission.form.day, day > context.today || day.year < 2000 {
            submission.reject(\.day, "Choose a day that has been.")
        }
        guard let form = submission.value, let money else {
            let page = try page(context)
            return context.again(
                Templates.helping.impact.show(
                    page: page, gift: submission, certificate: certificate(page, context)))
        }
        let (account, now, once, today) = (context.member.account, context.now, submission.once, context.today)
        try await site.write { db in
            try Contribution.note(
                money, to: form.organization, on: form.day ?? today, by: account, once: once, at: now, in: db)
        }
        return context.redirect(to: .impact, flash: .saved)
    }

    func certify(_ context: MemberContext) async throws -> Response {
        var submission = context.submission(CertificateForm.self)
        if let form = submission.value {
            let (account, now, once) = (context.member.account, context.now, submission.once)
            do {
                let code = try await site.write { db in
                    try Certificate.make(form, of: account, once: once, at: now, in: db)
                }
                return context.redirect(to: .certificate(code))
            } catch is Certificate.Nothing {
                submission.reject(\.year, "Nothing is confirmed of that year yet.")
            }
        }
        return context.again(
            Templates.helping.impact.show(page: try page(context), gift: gift(), certificate: submission))
    }

    /// What a sheet says, for anybody who has its code.
    func certificate(_ context: PublicContext) throws -> Response {
        guard let code = Certificate.code(typed: try context.word("code")),
            let sheet = try site.read({ db in try Certificate.find(code, in: db) })
        else { throw Refusal.notFound }
        let day = site.settings.zone.day(of: sheet.madeAt)
        let standings = try site.read { db in try sheet.standings(at: context.now, in: db) }
        return context.page(
            Templates.helping.impact.certificate(
                sheet: sheet, standings: standings, day: day, isOwn: context.visit.visitor?.account == sheet.account)
        ).withoutReferrer
    }

    func withdraw(_ context: MemberContext) async throws -> Response {
        guard let code = Certificate.code(typed: try context.word("code")) else { throw Refusal.notFound }
        let (account, now) = (context.member.account, context.now)
        try await site.write { db in try Certificate.withdraw(code, of: account, at: now, in: db) }
        return context.redirect(to: .certificate(code), flash: .saved)
    }
}
