import Domains
import Forms
import Templating

/// The domain of blocked addresses.
struct MailDomain: Sendable, Equatable {
    /// In ASCII, as stored addresses.
    let name: String

    /// - Parameter text: `spam.example`, `@spam.example` or a whole address, in any script; nil if it isn't a domain.
    init?(_ text: String) {
        let typed = text.filter { !$0.isWhitespace }
        let behind = typed.lastIndex(of: "@").map { String(typed[typed.index(after: $0)...]) } ?? typed
        guard behind.utf8.count <= 1_000, behind.unicodeScalars.allSatisfy(Self.isSpelled) else { return nil }
        var name = Punycode.domain(behind)
        // A trailing dot, the DNS root, doesn't change the domain.
        if name.hasSuffix(".") { name.removeLast() }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, name.utf8.count <= 253,
            labels.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 63 && $0.utf8.allSatisfy(Self.isPlain) })
        else { return nil }
        self.name = name
    }

    /// Whether a character may be in a typed domain.
    private static func isSpelled(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? scalar == "." || isPlain(UInt8(scalar.value)) || scalar.properties.isUppercase : true
    }

    /// Whether a byte may be in a domain for mail servers.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (48...57).contains(byte) || byte == 45
    }

    /// The domain and its parents: `a.b.example`, `b.example`. For a long one only the top ones, because their owner
    /// can invent any name below them.
    var ancestors: [String] {
        let labels = name.split(separator: ".")
        return (0..<max(0, labels.count - 1)).suffix(Self.mostAncestors).map { labels[$0...].joined(separator: ".") }
    }

    static let mostAncestors = 8

    /// Domains used by half the world: blocking them would block the neighbors.
    static let ofEverybody: Set<String> = [
        "gmail.com", "googlemail.com", "outlook.com", "hotmail.com", "live.com", "msn.com", "yahoo.com", "icloud.com",
        "me.com", "mac.com", "aol.com", "proton.me", "protonmail.com", "gmx.com", "gmx.net", "gmx.de", "web.de",
        "mail.com", "comcast.net", "verizon.net", "att.net", "co.uk", "com.au", "co.nz", "co.jp", "com.br",
    ]

    /// The message for a blocked address.
    static let refused: Words =
        "Addresses of this mail provider can’t be used here. Give another one, or ask the people who run this site."

    /// The reasons why a domain can't be blocked.
    enum Unblockable: Error {
        case ofEverybody, ofStaff

        var words: Words {
            switch self {
            case .ofEverybody: "Too many neighbors have their address there. Suspend the accounts, and leave it open."
            case .ofStaff: "Somebody who runs this site has an address there."
            }
        }
    }

    /// A blocked domain, with the staff member and the reason.
    struct Blocked: Sendable {
        let domain: String
        let staff: String?
        let reason: String
        let at: Instant
    }

    static let limit = 500
}

struct DomainForm: Form {
    var domain = ""
    var reason = ""

    static let fields: [Field<DomainForm>] = [
        .text("domain", \.domain, "Mail domain", 3...254).autocomplete("off")
            .hint("What comes after the @, such as spam.example. Those below it are blocked too.")
            .missing("Give the mail domain."),
        .reason(\.reason),
    ]
}

/// `/admin/domains`.
struct DomainsPage: Sendable {
    let rows: [Row]

    struct Row: Sendable {
        let blocked: MailDomain.Blocked
        let time: Words
    }
}
