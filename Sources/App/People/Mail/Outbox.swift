import Forms
import Templating

/// `/admin/mail`: waiting, sent and failed letters.
struct Outbox: Sendable {
    static let pageSize = 50

    let state: Letter.State
    let rows: [LetterRow]
    let counts: [(state: Letter.State, count: Int)]
    let hasServer: Bool
    /// The problem that keeps all letters from being sent, in the mail server's words.
    let trouble: String?
    let more: Link?

    static func link(_ state: Letter.State) -> Link { Link.outbox.with("show", state.rawValue) }
}

/// The result of a test letter.
struct Trial: Sendable {
    let isSent: Bool
    /// The mail server's answer; nil if there was none.
    let answer: String?
}

/// A letter for staff: recipient, kind, and outcome.
struct LetterRow: Sendable {
    let letter: Letter
    let written: Words
    /// The time of the next attempt.
    let due: Words?

    init(_ letter: Letter, in zone: Zone) {
        self.letter = letter
        written = zone.words(letter.createdAt, \.shortName)
        due = letter.state == .waiting ? zone.words(letter.dueAt, \.shortName) : nil
    }

    var link: Link { Link.letter(letter.id) }

    /// The recipient. The address of a reporter without an account is only shown with the report.
    var to: Words {
        letter.isAboutReport ? "somebody who reported something" : Words(verbatim: letter.address)
    }
}

extension Letter {
    /// When it would be too late if it was retried now.
    func end(retriedAt now: Instant) -> Instant {
        [.chosen, .wished].contains(kind.rule(of: .mail)) ? now + kind.shelfLife : endsAt
    }

    func canRetry(at now: Instant) -> Bool {
        (state == .failed || state == .waiting) && !address.isEmpty && end(retriedAt: now) > now
    }

    /// The page that its link leads to; nil if there is no link anymore.
    var link: Link? {
        guard !secret.isEmpty else { return nil }
        return switch kind {
        case .welcome, .address: Link.verify(secret)
        case .reset: Link.reset(secret)
        case .moved: Link.undoEmail(secret)
        default: nil
        }
    }
}

extension Letter.State {
    var name: Words {
        switch self {
        case .waiting: "Waiting"
        case .sent: "Sent"
        case .failed: "Refused"
        case .late: "Too late"
        }
    }
}
