import Database
import Forms
import Passwords

@testable import App

/// A person of the test town. A test that isn't about signing up creates people directly.
struct Person: Sendable {
    var username: String
    var firstName: String
    var lastName: String
    var organization: String
    var city = "San Jose"
    var phone = "408 555 0100"

    var email: String { "\(username)@example.org" }

    /// The password of every person.
    static let password = "a village of our own"

    static let ana = Person(username: "ana-ortiz", firstName: "Ana", lastName: "Ortiz", organization: "Ana’s Kitchen")
    static let ben = Person(username: "ben-ruiz", firstName: "Ben", lastName: "Ruiz", organization: "King Library")
    static let cleo = Person(
        username: "cleo-park", firstName: "Cleo", lastName: "Park", organization: "Park Pool", city: "Campbell",
        phone: "408 555 0177")
    static let noor = Person(
        username: "noor-haddad", firstName: "Noor", lastName: "Haddad", organization: "The Desk")
    static let mira = Person(username: "mira-staff", firstName: "Mira", lastName: "Lund", organization: "The Desk")

    /// One of many families.
    static func family(_ number: Int) -> Person {
        Person(
            username: "family-\(number)", firstName: "Parent", lastName: "Number \(number)",
            organization: "Family \(number)")
    }
}

extension TestSite {
    private static let passwordHash = try! Password.hash(Person.password, cost: .cheap)

    /// A browser in which this person is signed in, with the profile for their current role.
    ///
    /// - Parameter withoutTwoStep: For staff: whether they still have to set up two-step log-in.
    func signIn(
        _ person: Person, as hat: Hat? = nil, isStaff: Bool = false, role: Role? = nil, withoutTwoStep: Bool = false
    ) async throws -> Browser {
        let role = role ?? (isStaff ? .admin : .member)
        let account = try await account(of: person, role: role)
        switch hat {
        case .parent?: _ = try await family(of: person)
        case .provider?: _ = try await provider(of: person)
        case nil: break
        }
        let token = Token()
        try await site.write(at: clock.now) { tx in
            try Session.start(token, for: account, device: "Firefox on Linux", in: tx)
            if role.isStaff, !withoutTwoStep {
                try tx.execute("UPDATE account SET two_step_by = NULL WHERE id = \(account)")
            }
            guard let hat, let session = try Session.all(of: account, in: tx).first else { return }
            try Session.wear(hat, in: session.id, of: account, in: tx)
        }
        let browser = browser()
        browser.keep(Cookie.name(Session.cookieName, in: site.settings), token.text)
        return browser
    }

    /// The person's account, created if it doesn't exist.
    @discardableResult
    func account(of person: Person, isStaff: Bool = false, role: Role? = nil) async throws -> ID<Account> {
        let role = role ?? (isStaff ? .admin : .member)
        return try await site.write(at: clock.now) { tx in
            if let account = try Account.credentials(for: person.username, in: tx) { return account.id }
            return try Account.insert(
                email: person.email, username: person.username, passwordHash: Self.passwordHash, role: role, in: tx)
        }
    }

    /// The person's family, created if it doesn't exist.
    @discardableResult
    func family(of person: Person) async throws -> ID<Family> {
        let account = try await account(of: person)
        return try await site.write(at: clock.now) { tx in
            if let family = try Family.find(of: account, in: tx) { return family.id }
            let form = FamilyForm(
                firstName: person.firstName, lastName: person.lastName, city: person.city, zip: "95112", country: "US",
                phone: person.phone)
            try Family.save(form, of: account, in: tx)
            return try Family.find(of: account, in: tx)!.id
        }
    }

    /// Lets somebody look after another parent's children, too.
    func guardian(_ second: Person, of head: Person) async throws {
        let (one, other) = (try await account(of: second), try await account(of: head))
        try await execute(
            "INSERT INTO guardian (account_id, head_id, since) VALUES (\(one), \(other), \(clock.now))")
    }

    /// The person's organization, created if it doesn't exist.
    @discardableResult
    func provider(of person: Person) async throws -> ID<Provider> {
        let account = try await account(of: person)
        return try await site.write(at: clock.now) { tx in
            if let provider = try Provider.find(of: account, in: tx) { return provider.id }
            let form = ProviderForm(
                firstName: person.firstName, lastName: person.lastName, organization: person.organization,
                designation: "librarian", street: "150 E San Fernando St", city: person.city, state: "CA", zip: "95112",
                country: "US", phone: person.phone)
            try Provider.save(form, of: account, in: tx)
            return try Provider.find(of: account, in: tx)!.id
        }
    }

    /// A child of the person's family. By default, the child is six years old on the day of the tests.
    @discardableResult
    func child(_ nickname: String, of person: Person, month: Int = 1, year: Int = 2021) async throws -> ID<Child> {
        let family = try await family(of: person)
        return try await site.write(at: clock.now) { tx in
            try Child.insert(ChildForm(nickname: nickname, birthMonth: month, birthYear: year), of: family, in: tx)
            return try tx.value("SELECT max(id) FROM child WHERE family_id = \(family)")!
        }
    }

    /// A published event: *Kite day* on Saturday, 27 March 2027, 10:00 to 12:00, with 20 places, unless changed.
    @discardableResult
    func publish(by person: Person, _ change: (inout EventForm) -> Void = { _ in }) async throws -> ID<Event> {
        try await provider(of: person)
        let account = try await account(of: person)
        var form = EventForm(
            title: "Kite day", description: "We build kites and let them fly.", date: Day(iso: "2027-03-27")!,
            startTime: TimeOfDay(hour: 10, minute: 0)!, endTime: TimeOfDay(hour: 12, minute: 0)!,
            street: "180 Park Ave", city: "San Jose", state: "CA", zip: "95113", country: "US", spots: 20)
        change(&form)
        let zone = site.settings.zone
        let currency = site.currency
        let once = Submission<EventForm>().once
        let filled = form
        return try await site.write(at: clock.now) { tx in
            var event = filled.preview(by: try Event.host(account, in: tx)!, zone: zone, currency: currency)
            try event.locate(in: tx)
            guard case .new(let id) = try Event.publish(event, once: once, in: tx) else {
                throw Refusal.malformed
            }
            return id
        }
    }

    /// Registers children without using a page.
    @discardableResult
    func register(_ children: [ID<Child>], of person: Person, at event: ID<Event>) async throws -> ID<Registration> {
        let account = try await account(of: person)
        let once = Submission<RegistrationForm>().once
        return try await site.write(at: clock.now) { tx in
            try Registration.insert(children, of: account, at: event, once: once, in: tx)
        }
    }
}
