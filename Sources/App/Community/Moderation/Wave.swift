import Forms
import Templating

/// Many accounts of one flood, suspended at once with what they wrote, and taken back as one.
struct Wave: Sendable {
    let id: ID<Wave>
    let staff: String?
    let ground: Ground
    let reason: String
    let accounts: Int
    /// What they wrote that was hidden.
    let things: Int
    let domains: [String]
    let at: Instant
    let endedAt: Instant?

    /// The most accounts at a time.
    static let most = 100
    /// The most things of a kind; the rest is out of sight as long as the accounts are suspended.
    static let mostOfKind = 10_000
    static let pageSize = 50

    var why: Words { reason.isEmpty ? ground.sentence : Words(verbatim: reason) }
}

/// What is to be done with those chosen.
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

/// Before it is done: the people and things it concerns.
struct WavePreview: Sendable {
    let people: [Account]
    let things: Int
    /// The mail domains of those chosen, the most frequent first, each with how many of them have it, and how many
    /// others.
    let domains: [(name: String, chosen: Int, others: Int)]

    /// Those that can be blocked at all: no provider of everybody’s.
    var blockable: Set<String> { Set(domains.map(\.name)).subtracting(MailDomain.ofEverybody) }

    /// The one domain that all of them have and nobody else.
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
