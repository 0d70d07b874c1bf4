import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/impact`, `/certificates`: the results of a member's help.
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
        form.fill(\.saysWhat, true)
        return form
    }

    /// The requested year; nil for all.
    private func year(_ context: MemberContext) -> Int? {
        let typed = context.query["year"]
        return typed == "all" ? nil : typed.flatMap { Int($0) } ?? context.today.year
    }

    private func page(_ context: MemberContext) throws -> ImpactPage {
        let (account, year, today) = (context.member.account, year(context), context.today)
        return try site.read(at: context.now) { tx in
            let ahead = try Signup.ahead(of: account, after: context.after(.ahead), in: tx)
            let all = try Contribution.all(of: account, in: tx)
            return ImpactPage(
                impact: try Impact(of: account, year: year, today: today, in: tx),
                unsaid: try Signup.past(of: account, after: context.after(.unsaid), in: tx), ahead: ahead,
                promises: try Promise.open(of: account, alsoWaiting: true, after: context.after(.promised), in: tx),
                certificates: try Certificate.all(of: account, after: context.after(.certificates), in: tx),
                acts: try Standing.of(account, in: tx).acts,
                certifiable: Set(all.filter { $0.confirmed != nil }.map(\.day.year)).sorted(by: >),
                map: try MapDrawing.ahead(
                    of: ahead.items, country: site.settings.country, outlines: site.outlines, in: tx))
        }
    }

    func csv(_ context: MemberContext) throws -> Response {
        let (account, year, today) = (context.member.account, year(context), context.today)
        let impact = try site.read { db in try Impact(of: account, year: year, today: today, in: db) }
        return context.file(impact.sheet, name: "impact")
    }

    /// `/me/opportunities/hours`: the hours that an organization confirmed in a period; `as=csv` for a spreadsheet.
    func hours(_ context: ProviderContext) async throws -> Response {
        let (search, host) = (AnnualReportSearch(context.query, today: context.townDay), context.host)
        let isFile = context.query["as"] == "csv"
        let after: Cursor<String, ID<Contribution>>? = isFile ? nil : context.after()
        let sheet = try await site.readSlowly { db in
            try HoursSheet(
                of: host, search, after: after, atMost: isFile ? 100_000 : HoursSheet.pageSize, in: db)
        }
        guard isFile else { return context.page(Templates.helping.impact.hours(sheet: sheet)) }
        return context.file(
            sheet.sheet, name: "hours \(sheet.days.lowerBound.iso) \(sheet.days.upperBound.iso)")
    }

    /// Records a gift of money.
    func note(_ context: MemberContext) async throws -> Response {
        var submission = context.submission(GiftForm.self)
        let country = site.settings.country
        guard let (form, amount) = submission.checked(in: site.currency, of: country, today: context.today) else {
            let page = try page(context)
            return context.again(
                Templates.helping.impact.show(
                    page: page, gift: submission, certificate: certificate(page, context)))
        }
        let (account, once, today) = (context.member.account, submission.once, context.today)
        let sent = context.sent(submission)
        try await site.write(at: context.now) { tx in
            try sent.remember(by: account, in: tx)
            try Contribution.note(amount, to: form.organization, on: form.day ?? today, by: account, once: once, in: tx)
        }
        return context.redirect(to: Impact.link((form.day ?? today).year), flash: .saved)
    }

    private func gift(_ context: MemberContext) throws -> (Contribution, GiftForm) {
        let id: ID<Contribution> = try context.id()
        let gift = try site.read { db in try Contribution.gift(id, of: context.member.account, in: db) }
        guard let form = GiftForm(gift) else { throw Refusal.notFound }
        return (gift, form)
    }

    func editGift(_ context: MemberContext) throws -> Response {
        let (gift, form) = try gift(context)
        return context.page(Templates.helping.impact.gift(gift: gift, form: Submission(changing: form)))
    }

    func updateGift(_ context: MemberContext) async throws -> Response {
        let (gift, stored) = try gift(context)
        var submission = context.submission(changing: stored, by: nil)
        let (currency, country) = (gift.amount?.currency ?? site.currency, site.settings.country)
        guard let (form, amount) = submission.checked(in: currency, of: country, today: context.today) else {
            return context.again(Templates.helping.impact.gift(gift: gift, form: submission))
        }
        let (account, sent) = (context.member.account, submission)
        try await site.write { db in
            let current = try Contribution.gift(gift.id, of: account, in: db)
            guard try sent.isChange(of: Submission(changing: GiftForm(current) ?? stored)) else { return }
            try Contribution.change(current, to: amount, for: form.organization, on: form.day ?? current.day, in: db)
        }
        return context.redirect(to: Impact.link((form.day ?? gift.day).year), flash: .saved)
    }

    func deleteGift(_ context: MemberContext) async throws -> Response {
        let (id, account): (ID<Contribution>, ID<Account>) = (try context.id(), context.member.account)
        let year = try await site.write { db in try Contribution.deleteGift(id, of: account, in: db) }
        return context.redirect(to: Impact.link(year), flash: .saved)
    }

    func certify(_ context: MemberContext) async throws -> Response {
        var submission = context.submission(CertificateForm.self)
        if let form = submission.value {
            let (account, once) = (context.member.account, submission.once)
            let sent = context.sent(submission)
            do {
                let code = try await site.write(at: context.now) { tx in
                    try sent.remember(by: account, in: tx)
                    return try Certificate.make(form, of: account, once: once, in: tx)
                }
                return context.redirect(to: .certificate(code))
            } catch is Certificate.Nothing {
                submission.reject(\.year, "Nothing is confirmed of that year yet.")
            }
        }
        return context.again(
            Templates.helping.impact.show(page: try page(context), gift: gift(), certificate: submission))
    }

    /// A certificate, for anyone who has its code.
    func certificate(_ context: PublicContext) throws -> Response {
        guard let code = Certificate.code(typed: try context.word("code")),
            let sheet = try site.read({ db in try Certificate.find(code, in: db) })
        else { throw Refusal.noCertificate }
        let day = context.zone.day(of: sheet.madeAt)
        let standings = try site.read(at: context.now) { tx in try sheet.standings(in: tx) }
        return context.page(
            Templates.helping.impact.certificate(
                sheet: sheet, code: QRCode(site.settings.publicURL + sheet.link.string), standings: standings, day: day,
                isOwn: context.visit.visitor?.account == sheet.account)
        ).unlisted.withoutReferrer
    }

    func withdraw(_ context: MemberContext) async throws -> Response {
        guard let code = Certificate.code(typed: try context.word("code")) else { throw Refusal.notFound }
        let account = context.member.account
        try await site.write(at: context.now) { tx in try Certificate.withdraw(code, of: account, in: tx) }
        return context.redirect(to: .certificate(code), flash: .saved)
    }
}

extension Submission<GiftForm> {
    /// The organization and the amount; nil if there are problems.
    fileprivate mutating func checked(
        in currency: String, of country: String, today: Day
    ) -> (form: GiftForm, amount: Money)? {
        let money = Money(typed: form.amount, currency: currency, in: country)
        if accepts(\.amount), let problem = Money.problem(with: form.amount, currency: currency, in: country) {
            reject(\.amount, problem)
        }
        if let day = form.day, day > today || day.year < 2000 { reject(\.day, "Choose a day that has been.") }
        guard let form = value, let money else { return nil }
        return (form, money)
    }
}
