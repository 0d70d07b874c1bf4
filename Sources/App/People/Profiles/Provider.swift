import Domains
import Forms
import Templating

/// A provider of events: PRO-02.
struct Provider: Sendable {
    let id: ID<Provider>
    let account: ID<Account>
    /// The account's user name, which is the public page's address.
    let username: String
    var firstName: String
    var lastName: String
    var organization: String
    /// The person's role, such as librarian.
    var designation: String
    var address: Address
    var phone: String
    var email: String?
    var website: String?
    var scope: String?
    /// Its mission, in a few sentences.
    var mission: String?
    var kind: Kind?
    /// What people may ask it about.
    var asks: String?
    var plan = Plan.basic
    var portrait: Portrait?
    /// The verification by an admin.
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

    /// What it is and where, on one line.
    var sort: Words {
        guard let kind, kind != .other else { return Words(verbatim: address.town) }
        return "\(kind.name, as: "kind") · \(address.town, as: "town")"
    }

    var person: String { "\(firstName) \(lastName)" }

    var initials: String { organization.initials() }

    var asksText: HTML? { asks.map { .paragraphs(of: $0) } }

    /// The description of its offers, as safe markup.
    var scopeText: HTML? { scope.map { .paragraphs(of: $0) } }

    /// The website as a link; nil if it isn't a URL.
    var websiteLink: Link? { website.flatMap { Link(outside: $0) } }

    /// Its phone numbers.
    var numbers: [PhoneNumber] { PhoneNumber.all(in: phone) }
    /// A link to write to its public address.
    var mail: Link? { email.flatMap { Link(writingTo: $0) } }

    /// The website's name for display: without the scheme.
    var websiteName: String {
        let name = (website ?? "").replacing("https://", with: "").replacing("http://", with: "")
        let host = name.prefix { !"/?#:".contains($0) }
        return Punycode.shown(host: host) + name[host.endIndex...]
    }
}

extension Provider {
    /// A position in a list sorted by name, given by the search key.
    typealias Position = Cursor<String, ID<Provider>>
}

/// Organizations by name.
struct OrganizationList: Sendable {
    let typed: String
    let organizations: [Provider]
    let more: Link?

    static let mostTyped = 100

    init(typed: String, _ page: Page<Provider>) {
        self.typed = typed
        organizations = page.items
        more = page.more(at: .organizations(called: typed))
    }
}

extension Link {
    /// A link to the organizations that match a typed name; without one to all.
    static func organizations(called typed: String) -> Link {
        Link.organizations.with("q", typed.nonEmpty)
    }
}
