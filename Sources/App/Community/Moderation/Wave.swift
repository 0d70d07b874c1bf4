import Forms
import Templating

/// A flood of accounts that were suspended together with their content, which can be revoked together.
struct Wave: Sendable {
    let id: ID<Wave>
    let staff: String?
    let ground: Ground
    let reason: String
    let accounts: Int
    /// The number of hidden items.
    let things: Int
    let domains: [String]
    let at: Instant
    let endedAt: Instant?

    /// The most accounts at a time.
    static let most = 100
    /// The most items of a kind; the rest is invisible while the accounts are suspended.
    static let mostOfKind = 10_000
    static let pageSize = 50

    var why: Words { reason.isEmpty ? ground.sentence : Words(verbatim: reason) }
}

/// The form for the chosen accounts.
struct WaveForm: Form {
    var ground = Ground.spam
    var reason: String?
    var domain: String?

    static let fields: [Field<WaveForm>] = [
        .choice("ground", \.ground, "Why", options: Ground.allCases.map { Choice($0, $0.sentence) }),
        .text("reason", \.reason, "In your own words", 3...300).autocomplete("off")
            .hint("They read these words, or else the sentence chosen above. No names."),
        .text("domain", \.domain, "Mail domains to block too", 3...1_000).autocomplete("off")
            .hint("Such as spam.example, several with commas: nobody new comes in from there."),
    ]
}

/// The preview: the people and content affected.
struct WavePreview: Sendable {
    let people: [Account]
    let things: Int
    /// The mail domains of the chosen accounts, most frequent first, with the number of chosen and of other accounts.
    let domains: [(name: String, chosen: Int, others: Int)]

    /// The domains that can be blocked: not the large providers.
    var blockable: Set<String> { Set(domains.map(\.name)).subtracting(MailDomain.ofEverybody) }

    /// The domain that all of them and nobody else have.
    var commonDomain: String? {
        guard domains.count == 1, let only = domains.first, only.others == 0 else { return nil }
        return MailDomain.ofEverybody.contains(only.name) ? nil : only.name
    }
}

/// `/admin/waves`.
struct WavesPage: Sendable {
    let rows: [Row]

    struct Row: Sendable {
        let wave: Wave
        let time: Words
    }
}
