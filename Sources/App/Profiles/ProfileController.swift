import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/me`, `/me/family`, `/me/provider`, `/providers/{username}`: what people say of themselves.
struct ProfileController {
    let site: Site

    func show(_ context: MemberContext) throws -> Response {
        let account = context.member.account
        let page = try site.read { db in
            guard let own = try Account.find(account, in: db) else { throw Refusal.notFound }
            let family = try Family.find(of: account, in: db)
            return ProfilePage(
                account: own, family: family,
                children: try family.map { try Child.all(of: $0.id, in: db) } ?? [],
                provider: try Provider.find(of: account, in: db), today: context.today)
        }
        return context.page(Templates.profiles.me(profile: page))
    }

    func editFamily(_ context: MemberContext) throws -> Response {
        let account = context.member.account
        let family = try site.read { db in try Family.find(of: account, in: db) }
        var submission = family.map { Submission(filled: FamilyForm($0)) } ?? Submission()
        if family == nil { submission.fill(\.country, site.settings.country) }
        return context.page(
            Templates.profiles.family(form: submission, isNew: family == nil, next: context.nextText))
    }

    func updateFamily(_ context: MemberContext) async throws -> Response {
        var submission = context.submission(FamilyForm.self)
        submission.checkTown()
        let member = context.member
        let now = context.now
        guard let form = submission.value else {
            return context.again(
                Templates.profiles.family(
                    form: submission, isNew: member.family == nil, next: context.nextText))
        }
        try await site.write { db in
            try Family.save(form, of: member.account, at: now, in: db)
            try Session.wear(.parent, in: member.session, of: member.account, in: db)
        }
        // A new family goes on to its children, unless it was on its way somewhere.
        let onward = context.next ?? (member.family == nil ? Link("/me/children/new") : Link("/me"))
        return context.redirect(to: onward, flash: .saved)
    }

    func editProvider(_ context: MemberContext) throws -> Response {
        let account = context.member.account
        let provider = try site.read { db in try Provider.find(of: account, in: db) }
        var submission = provider.map { Submission(filled: ProviderForm($0)) } ?? Submission()
        if provider == nil { submission.fill(\.country, site.settings.country) }
        return context.page(
            Templates.profiles.provider(form: submission, isNew: provider == nil, next: context.nextText))
    }

    func updateProvider(_ context: MemberContext) async throws -> Response {
        var submission = context.submission(ProviderForm.self)
        submission.form.check(&submission)
        let member = context.member
        let now = context.now
        guard let form = submission.value else {
            return context.again(
                Templates.profiles.provider(
                    form: submission, isNew: member.provider == nil, next: context.nextText))
        }
        try await site.write { db in
            try Provider.save(form, of: member.account, at: now, in: db)
            try Session.wear(.provider, in: member.session, of: member.account, in: db)
            if let provider = member.provider, provider.organization != form.organization {
                try Event.reindex(of: provider.id, in: db)
            }
        }
        let onward = context.next ?? (member.provider == nil ? Link("/events/new") : Link("/me"))
        return context.redirect(to: onward, flash: .saved)
    }

    func provider(_ context: PublicContext) throws -> Response {
        let username = try context.word("username")
        let (provider, events) = try site.read { db in
            guard let provider = try Provider.find(username: username, in: db) else { throw Refusal.notFound }
            return (provider, try Event.upcoming(by: provider.id, from: context.now, in: db))
        }
        return context.page(
            Templates.profiles.publicProvider(
                provider: provider, days: EventDay.grouped(events, today: context.today)))
    }
}

/// What `/me` shows.
struct ProfilePage: Sendable {
    let account: Account
    let family: Family?
    let children: [Child]
    let provider: Provider?
    let today: Day

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
        numberOfChildren = family.numberOfChildren
        ageGroups = family.ageGroups
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
    }
}
