import Forms
import Templating

/// A report about content, possibly by somebody without an account.
struct Report: Sendable {
    let ground: Ground
    let note: String
    /// The text at that time.
    let words: String
    let at: Instant
    /// The reporting account; nil if there is none.
    let reporter: Author?
    /// The reporter's address if they have no account; erased after the answer.
    var email = ""
    /// The reporter's decided reports, and how many of them were right.
    let decided: Int
    let right: Int

    var noted: HTML { .paragraphs(of: note) }
    var said: HTML { .paragraphs(of: words) }

    /// The reporter, and how often their reports were right.
    var who: Words {
        guard let reporter else { return "Somebody without an account" }
        guard decided > 0 else { return "\(reporter.name, as: "name"), a first report" }
        return "\(reporter.name, as: "name"), \(right, as: "right") of \(decided, as: "decided") reports were right"
    }

    /// The most reports shown.
    static let limit = 50
    /// How many reports by trusted members hide content until it is reviewed.
    static let enough = 3
    /// For how long the same report from somebody without an account and address counts as sent again.
    static let again = Duration.minutes(10)
    /// How long a member must be here before their reports count.
    static let trial = Duration.days(30)

    /// The page with the outcome, for a reporter without an account.
    static func link(to id: ID<Report>, _ seal: Seal) -> Link {
        .report(seal.sealed("\(id)", as: "report"))
    }

    /// The report for such a link; nil if the seal is invalid.
    static func open(_ token: String, _ seal: Seal) -> ID<Report>? {
        seal.open(token, of: "report").flatMap { ID($0) }
    }

    /// The result of reporting.
    enum Outcome: Sendable, Equatable {
        case taken
        /// It was reviewed and hasn't changed since.
        case foundFine
        /// It is the reporter's own.
        case own
    }
}

struct ReportForm: Form {
    var ground = Ground.other
    var note: String?
    /// The address for an answer, if there is no account.
    var email: String?

    static let fields: [Field<ReportForm>] = [
        .choice(
            "reason", \.ground, "What is wrong with it?",
            options: Ground.allCases.map { Choice($0, $0.name, detail: $0.hint) }
        ).drawn(as: .radios).missing("Say what is wrong with it."),
        .area("note", \.note, "Anything else to know", 1...1_000)
            .hint("Only those who run this site read it. Its author isn’t told who reported it."),
        .email("email", \.email, "Your e-mail address, for the answer")
            .hint("One letter tells you what was decided; then the address is erased. Only those who decide see it."),
    ]
}

/// `/reports/{token}`: the outcome of a report, for anyone who has the link.
struct ReportAnswer: Sendable {
    /// Whether it was right; nil while it is undecided.
    let wasRight: Bool?
    let at: Instant
    /// Whether a letter to the address that the reporter left will say the outcome.
    var isWritten = false

    /// The outcome in a line.
    var words: Words {
        switch wasRight {
        case nil: "Your report waits for a look"
        case true?: "Something was done about what you reported"
        case false?: "What you reported was looked at and found fine"
        }
    }

    var more: Words {
        switch wasRight {
        case nil where isWritten:
            """
            Somebody who runs this site looks at it soon. Then one letter to the address you left tells you the \
            outcome, and the address is erased.
            """
        case nil: "Somebody who runs this site looks at it soon. Come back to this page to see the outcome."
        case true?: "Thank you for telling us. Somebody who runs this site decided, and its author was told why."
        case false?: "Thank you for looking out. If it changes, you can report it again."
        }
    }
}

extension LetterText {
    static func report(_ answer: ReportAnswer, _ link: Link?) -> LetterText {
        LetterText(
            subject: "About your report", heading: answer.words, lines: [answer.more],
            action: link.map { Action(name: "See it", link: $0) })
    }
}
