import Domains
import Forms
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
    /// What it is there for, in a few sentences.
    var mission: String?
    var kind: Kind?
    /// What people may ask it for.
    var asks: String?
    var plan = Plan.basic
    var portrait: Portrait?
    /// What an admin made sure of.
    var verified: Verified?

    /// What kind of place it is.
    enum Kind: String, CaseIterable, FormValue {
        case library, school, clinic, care, food, shelter, animals, museum, nature, sports, faith, club, town
        case business, other

        var name: Words {
            switch self {
            case .library: "Library"
            case .school: "School or kindergarten"
            case .clinic: "Clinic or practice"
            case .care: "Nursing home or care at home"
            case .food: "Food pantry or kitchen"
            case .shelter: "Shelter"
            case .animals: "Animal shelter"
            case .museum: "Museum, theater or music"
            case .nature: "Park, farm or garden"
            case .sports: "Sports club"
            case .faith: "Church, mosque, synagogue or temple"
            case .club: "Club or group"
            case .town: "Office of the town"
            case .business: "Business"
            case .other: "Something else"
            }
        }
    }

    /// What it is and where, in a line.
    var sort: Words {
        guard let kind, kind != .other else { return Words(verbatim: address.town) }
        return "\(kind.name, as: "kind") · \(address.town, as: "town")"
    }

    var person: String { "\(firstName) \(lastName)" }

    var initials: String {
        organization.split { !$0.isLetter && !$0.isNumber }.prefix(2).compactMap(\.first).map { $0.uppercased() }
            .joined()
    }

    var asksText: HTML? { asks.map { .paragraphs(of: $0) } }

    /// What the provider offers, as safe markup.
    var scopeText: HTML? { scope.map { .paragraphs(of: $0) } }

    /// The website as a link, where it is one.
    var websiteLink: Link? { website.flatMap { Link(outside: $0) } }

    /// Where the provider can be called.
    var numbers: [PhoneNumber] { PhoneNumber.all(in: phone) }
    /// Writes to the address that the provider made public.
    var mail: Link? { email.flatMap { Link(writingTo: $0) } }

    /// The website as a reader says it: without the scheme.
    var websiteName: String {
        let name = (website ?? "").replacing("https://", with: "").replacing("http://", with: "")
        let host = name.prefix { !"/?#:".contains($0) }
        return Punycode.shown(host: host) + name[host.endIndex...]
    }
}

extension Provider {
    /// Where one stands in a list by name: by the words it is found by.
    typealias Position = Cursor<String, ID<Provider>>
}

/// Organizations by name.
struct OrganizationList: Sendable {
    let typed: String
    let isFirst: Bool
    let organizations: [Provider]
    let more: Link?

    static let mostTyped = 100

    init(typed: String, isFirst: Bool, _ page: Page<Provider>) {
        self.typed = typed
        self.isFirst = isFirst
        organizations = page.items
        more = page.more(at: .organizations(called: typed))
    }
}

extension Link {
    /// The organizations that are called so; all of them for nothing typed.
    static func organizations(called typed: String) -> Link {
        Link.organizations.with("q", typed.nonEmpty)
    }
}
