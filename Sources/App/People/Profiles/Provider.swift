import Templating

/// Somebody who offers events: PRO-02.
struct Provider: Sendable {
    let id: ID<Provider>
    let account: ID<Account>
    /// The account's user name: the public page's address.
    let username: String
    var firstName: String
    var lastName: String
    var organization: String
    /// What the person is there, such as librarian.
    var designation: String
    var address: Address
    var phone: String
    var email: String?
    var website: String?
    var scope: String?
    var plan = Plan.basic
    var portrait: Portrait?
    /// What an admin made sure of.
    var verified: Verified?

    var person: String { "\(firstName) \(lastName)" }

    var initials: String {
        organization.split { !$0.isLetter && !$0.isNumber }.prefix(2).compactMap(\.first).map { $0.uppercased() }
            .joined()
    }

    /// What the provider offers, as safe markup.
    var scopeText: HTML? { scope.map { .paragraphs(of: $0) } }

    /// The website as a link, where it is one.
    var websiteLink: Link? { website.flatMap { Link(outside: $0) } }

    /// Calls the provider.
    var call: Link? { Link(calling: phone) }
    /// Writes to the address that the provider made public.
    var mail: Link? { email.flatMap { Link(writingTo: $0) } }

    /// The website as a reader says it: without the scheme.
    var websiteName: String {
        (website ?? "").replacing("https://", with: "").replacing("http://", with: "")
    }
}

extension Link {
    static func provider(_ username: String) -> Link { Link("/providers") / username }
}
