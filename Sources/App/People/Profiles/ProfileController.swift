import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/me`, `/me/family`, `/me/provider`, `/providers/{username}`: profiles.
struct ProfileController {
    let site: Site

    func show(_ context: MemberContext) throws -> Response {
        context.page(Templates.people.profiles.me(profile: try page(context)))
    }

    /// Sets or removes a picture of the member or of the organization they look after, and sets whether others see the
    /// member's.
    func updatePicture(_ context: MemberContext) async throws -> Response {
        let isLogo = context.body["of"] == "provider"
        guard !isLogo || context.member.has(.provider) else { throw Refusal.malformed }
        let account = isLogo ? try context.organization() : context.member.account
        let (member, now, isShown) = (context.member, context.now, context.body["shown"] == "1")
        do {
            let isGone = context.body["remove"] != nil
            let file = context.body.file("picture")
            let isKept = !isLogo && member.own != nil
            guard isGone || isKept || file != nil else { throw PictureProblem.missing }
            var picture: Picture?
            if let file, !isGone { picture = try await site.keep(file, of: account, at: now) }
            let new = picture
            try await site.write(at: now) { tx in
                if isLogo {
                    let isNew = try Picture.setLogo(new, of: account, in: tx)
                    try Colleague.authorize(.picture, of: account, by: member, isNew: isNew, in: tx)
                } else if new == nil, !isGone {
                    try Person.showPicture(isShown, of: account, in: tx)
                } else {
                    try Person.setPicture(new, isShown: isShown && !isGone, of: account, in: tx)
                }
            }
            return context.redirect(to: .me, flash: .saved)
        } catch let problem as PictureProblem {
            var page = try page(context)
            page.pictureProblem = (isLogo, problem.words)
            return context.again(Templates.people.profiles.me(profile: page))
        }
    }

    private func page(_ context: MemberContext) throws -> ProfilePage {
        let account = context.member.account
        let helps = site.opening.has(.helping)
        let parts = site.opening.has(.kindness) ? KindnessPart.allCases : []
        return try site.read(at: context.now) { tx in
            guard let own = try Account.find(account, in: tx) else { throw Refusal.notFound }
            guard let person = try Person.find(own.username, for: account, in: tx) else { throw Refusal.notFound }
            let family = try Family.find(of: account, in: tx)
            return try ProfilePage(
                account: own, person: person, family: family,
                children: try context.member.family.map { try Child.all(of: $0.id, in: tx) } ?? [],
                provider: try context.member.provider.flatMap { try Provider.find($0.id, in: tx) },
                duty: context.member.duty, resting: try Colleague.resting(context.member, in: tx),
                hasOwner: try Owner.exists(account, in: tx),
                pets: try Pet.all(of: account, in: tx), today: context.today,
                impact: helps ? Impact(of: account, year: nil, today: context.today, in: tx) : nil,
                reviews: helps ? Review.all(by: account, after: context.after(.reviews), in: tx) : .empty,
                kindness: ShownKindness(parts, of: account, in: site.settings.zone, tx))
        }
    }

    func editFamily(_ context: MemberContext) throws -> Response {
        let account = context.member.account
        let family = try site.read { db in try Family.find(of: account, in: db) }
        var submission = Submission(changing: family.map(FamilyForm.init) ?? FamilyForm())
        if family == nil { submission.fill(\.country, site.settings.country) }
        return context.page(
            Templates.people.profiles.family(
                form: submission, isNew: family == nil, next: context.nextText, back: context.visit.back))
    }

    func updateFamily(_ context: MemberContext) async throws -> Response {
        let member = context.member
        let stored = try site.read { db in try Family.find(of: member.account, in: db) }
        var submission = context.submission(changing: stored.map(FamilyForm.init) ?? FamilyForm(), by: nil)
        submission.checkTown()
        guard let form = submission.value else {
            return context.again(
                Templates.people.profiles.family(
                    form: submission, isNew: member.family == nil, next: context.nextText,
                    back: context.visit.back))
        }
        let sent = submission
        try await site.write(at: context.now) { tx in
            let stored = try Family.find(of: member.account, in: tx)
            let page = Submission(changing: stored.map(FamilyForm.init) ?? FamilyForm())
            if try sent.isChange(of: page) || stored == nil {
                try Family.save(form, of: member.account, in: tx)
                if !form.keepsPast { try RetentionRule.eraseKept(of: member.account, in: tx) }
            }
            try Session.wear(.parent, in: member.session, of: member.account, in: tx)
        }
        // A new family continues to its children, unless it was on its way elsewhere.
        let onward = context.next ?? (member.family == nil ? Link.newChild : Link.me)
        return context.redirect(to: onward, flash: .saved)
    }

    func editProvider(_ context: MemberContext) throws -> Response {
        let account = try context.organization()
        let provider = try site.read { db in try Provider.find(of: account, in: db) }
        var submission = Submission(changing: provider.map(ProviderForm.init) ?? ProviderForm())
        if provider == nil { submission.fill(\.country, site.settings.country) }
        return context.page(
            Templates.people.profiles.provider(
                form: submission, isNew: provider == nil, next: context.nextText, back: context.visit.back))
    }

    func updateProvider(_ context: MemberContext) async throws -> Response {
        let (account, member) = (try context.organization(), context.member)
        let stored = try site.read { db in try Provider.find(of: account, in: db) }
        var submission = try context.submission(
            changing: stored.map(ProviderForm.init) ?? ProviderForm(),
            by: try site.read { db in try TeamAct.last(.page, of: account, besides: member.account, in: db) })
        submission.form.check(&submission)
        guard let form = submission.value else {
            return context.again(
                Templates.people.profiles.provider(
                    form: submission, isNew: member.provider == nil, next: context.nextText,
                    back: context.visit.back))
        }
        let sent = submission
        try await site.write(at: context.now) { tx in
            let stored = try Provider.find(of: account, in: tx)
            let page = Submission(changing: stored.map(ProviderForm.init) ?? ProviderForm())
            let isNew = try sent.isChange(of: page) || stored == nil
            if isNew { try Provider.save(form, of: account, in: tx) }
            try Session.wear(.provider, in: member.session, of: member.account, in: tx)
            if let provider = member.provider, provider.organization != form.organization {
                try SearchIndex.rename(account, in: tx)
            }
            try Colleague.authorize(.page, of: account, by: member, isNew: isNew, in: tx)
        }
        let onward = context.next ?? (member.provider == nil ? Link.newEvent : Link.me)
        return context.redirect(to: onward, flash: .saved)
    }

    /// Organizations by name.
    func organizations(_ context: PublicContext) throws -> Response {
        let typed = String((context.query["q"] ?? "").prefix(OrganizationList.mostTyped))
        let after: Provider.Position? = context.after()
        let found = try site.read { db in try Provider.search(typed, after: after, isOpen: true, in: db) }
        return context.page(
            Templates.people.profiles.organizations(
                list: OrganizationList(typed: typed, found)))
    }

    func provider(_ context: PublicContext) throws -> Response {
        let username = try context.word("username")
        let isPast = context.query["list"] == "past"
        let found = try site.read(at: context.now) { tx in
            guard let provider = try Provider.find(username: username, in: tx) else {
                return nil as (Provider, Page<EventCard>, OrganizationPage)?
            }
            let reader = context.visit.visitor
            // Hidden content is visible to its owner and to staff.
            if try Person.isHidden(provider.account, in: tx), reader?.acting != provider.account,
                reader?.isStaff != true
            {
                throw Refusal.notFound
            }
            let events = try Event.offered(by: provider.account, upcoming: !isPast, after: context.after(), in: tx)
            let organization = try OrganizationPage(
                of: provider, reviewsAfter: context.after(.reviews), for: reader, outlines: site.outlines,
                today: context.today, in: tx)
            return (provider, events, organization)
        }
        guard let (provider, events, organization) = found else { return try moved(username, context) }
        let link = Link.provider(username).with("list", isPast ? "past" : nil)
        return try context.page(
            Templates.people.profiles.publicProvider(
                provider: provider, days: EventDay.grouped(events.items, today: context.townDay), isPast: isPast,
                more: events.more(at: link), organization: organization), by: provider.account)
    }

    /// The current address of the organization whose owner had this user name.
    private func moved(_ username: String, _ context: PublicContext) throws -> Response {
        guard let heir = try site.read({ db in try Colleague.heir(ofOwner: username, in: db) }) else {
            throw Refusal.notFound
        }
        return context.redirect(to: .provider(heir))
    }
}

extension MemberContext {
    /// The organization they edit: their own, or one that they look after as a colleague.
    fileprivate func organization() throws(Refusal) -> ID<Account> {
        guard member.host == member.account || member.editing == member.host else { throw .wrongHat(.provider) }
        return member.host
    }
}

/// The data for `/me`.
struct ProfilePage: Sendable {
    let account: Account
    /// The member's page for others.
    let person: Person
    let family: Family?
    let children: [Child]
    let provider: Provider?
    /// Their duty at the provider's organization.
    let duty: Colleague.Duty?
    /// An organization they look after that is closed because its owner's account is suspended.
    let resting: String?
    /// Whether they look after pets here, and which.
    let hasOwner: Bool
    let pets: [Pet]
    let today: Day
    /// Their contributions in total; nil if helping is switched off.
    let impact: Impact?
    /// Their reviews of organizations, newest first.
    let reviews: Page<Review>
    /// All of their kind acts, which only they see.
    let kindness: ShownKindness
    /// A problem with a picture just sent, of the organization or the member.
    var pictureProblem: (isLogo: Bool, words: Words)?

    /// The problem for the summary at the top.
    var problems: [Problem] {
        pictureProblem.map { [Problem(name: $0.isLogo ? "picture-provider" : "picture-member", words: $0.words)] } ?? []
    }

    func pictureProblem(ofLogo isLogo: Bool) -> Words? {
        pictureProblem.flatMap { $0.isLogo == isLogo ? $0.words : nil }
    }

    var name: String { family?.name ?? provider?.person ?? account.username }
}

extension FamilyForm {
    init(_ family: Family) {
        firstName = family.firstName
        lastName = family.lastName
        city = family.city
        zip = family.zip
        country = family.country
        phone = family.phone
        sharesPhone = family.sharesPhone
        numberOfChildren = family.numberOfChildren
        ageGroups = family.ageGroups
        keepsPast = family.keepsPast
    }
}

extension ProviderForm {
    init(_ provider: Provider) {
        firstName = provider.firstName
        lastName = provider.lastName
        organization = provider.organization
        designation = provider.designation
        street = provider.address.street
        city = provider.address.city
        state = provider.address.state
        zip = provider.address.zip
        country = provider.address.country
        phone = provider.phone
        email = provider.email
        website = provider.website
        scope = provider.scope
        mission = provider.mission
        kind = provider.kind
        asks = provider.asks
    }
}
