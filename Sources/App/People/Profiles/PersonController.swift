import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/people/{username}` and `/me/profile`: members' pages.
struct PersonController {
    let site: Site

    /// Searches people by name.
    func index(_ context: PublicContext) throws -> Response {
        let search = PeopleSearch(context.query, for: context.visit.visitor)
        let page = PeoplePage(search, try site.read { db in try search.found(in: db) })
        return context.page(Templates.people.profiles.people(page: page)).unlisted
    }

    func show(_ context: PublicContext) throws -> Response {
        let username = try context.word("username").lowercased()
        let reader = context.visit.visitor
        let after: Cursor<ID<Post>>? = context.after()
        guard let person = try site.read({ db in try Person.find(username, for: reader?.account, in: db) }) else {
            throw Refusal.notFound
        }
        // A reader who may not see the page isn't told whether it exists.
        guard person.isOpen || reader != nil else { throw Refusal.notFound }
        let posts = try site.read { db in
            try Post.timeline(for: reader?.account, by: person.account, after: after, in: db)
        }
        let page = TimelinePage(
            posts, at: person.link, by: reader, isFirst: after == nil, now: context.now, in: context.zone)
        let zone = site.settings.zone
        let kindness =
            try site.opening.has(.kindness)
            ? site.read(at: context.now) { tx in try ShownKindness(person.shows, of: person.account, in: zone, tx) }
            : ShownKindness()
        let response = try context.page(
            Templates.people.profiles.person(person: person, kindness: kindness, page: page), by: person.account)
        return person.isOpen ? response : response.unlisted
    }

    func edit(_ context: MemberContext) throws -> Response {
        let form = PersonForm(try own(context))
        return context.page(Templates.people.profiles.editPerson(form: Submission(changing: form)))
    }

    func update(_ context: MemberContext) async throws -> Response {
        let submission = context.submission(changing: PersonForm(try own(context)), by: nil)
        guard let form = submission.value else {
            return context.again(Templates.people.profiles.editPerson(form: submission))
        }
        let member = context.member
        try await site.write(at: context.now) { tx in
            guard let stored = try Person.find(member.username, for: member.account, in: tx) else {
                throw Refusal.notFound
            }
            guard try submission.isChange(of: Submission(changing: PersonForm(stored))) else { return }
            try Person.save(form, of: member.account, in: tx)
        }
        return context.redirect(to: .person(context.member.username), flash: .saved)
    }

    private func own(_ context: MemberContext) throws -> Person {
        let (name, account) = (context.member.username, context.member.account)
        guard let person = try site.read({ db in try Person.find(name, for: account, in: db) }) else {
            throw Refusal.notFound
        }
        return person
    }
}

extension PersonForm {
    init(_ person: Person) {
        self.init(
            name: person.name, town: person.town.nonEmpty,
            about: person.about.nonEmpty, isOpen: person.isOpen, isFound: person.isFound,
            shows: person.shows)
    }
}
