import Forms

/// What stands behind the @ of addresses that are refused.
struct MailDomain: Sendable, Equatable {
    let name: String

    /// - Parameter text: `spam.example`, `@spam.example` or a whole address; nil for what is no domain.
    init?(_ text: String) {
        let typed = text.lowercased().filter { !$0.isWhitespace }
        var name = typed.lastIndex(of: "@").map { String(typed[typed.index(after: $0)...]) } ?? typed
        // The root may be written out, and is the same domain.
        if name.hasSuffix(".") { name.removeLast() }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, name.utf8.count <= 253,
            labels.allSatisfy({ label in
                !label.isEmpty && label.utf8.count <= 63
                    && label.unicodeScalars.allSatisfy {
                        $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "-"
                    }
            })
        else { return nil }
        self.name = name
    }

    /// The domain and those it belongs to: `a.b.example`, `b.example`; of a long one the widest, since whoever owns
    /// those makes up what stands in front.
    var ancestors: [String] {
        let labels = name.split(separator: ".")
        return (0..<max(0, labels.count - 1)).suffix(Self.mostAncestors).map { labels[$0...].joined(separator: ".") }
    }

    static let mostAncestors = 8

    /// Where half the world has its address: who blocks these blocks the neighbors.
    static let ofEverybody: Set<String> = [
        "gmail.com", "googlemail.com", "outlook.com", "hotmail.com", "live.com", "msn.com", "yahoo.com", "icloud.com",
        "me.com", "mac.com", "aol.com", "proton.me", "protonmail.com", "gmx.com", "gmx.net", "gmx.de", "web.de",
        "mail.com", "comcast.net", "verizon.net", "att.net", "co.uk", "com.au", "co.nz", "co.jp", "com.br",
    ]

    /// Why an address can't be used.
    static let refused: Words =
        "Addresses of this mail provider can’t be used here. Give another one, or ask the people who run this site."

    /// Why a domain can't be blocked.
    enum Unblockable: Error {
        case ofEverybody, ofStaff

        var words: Words {
            switch self {
            case .ofEverybody: "Too many neighbors have their address there. Suspend the accounts, and leave it open."
            case .ofStaff: "Somebody who runs this site has an address there."
            }
        }
    }

    /// A domain that is blocked, with who did it and why.
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
            .hint("What stands behind the @, such as spam.example. Those below it are blocked too.")
            .missing("Give the mail domain."),
        .text("reason", \.reason, "Reason", 3...300)
            .hint("It is written to the log that all staff can read.").autocomplete("off")
            .missing("Give a reason, so that others understand it later."),
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
