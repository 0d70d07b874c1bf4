import Forms
import Templating

/// `/admin/mail`: what waits, what was sent, what failed.
struct Outbox: Sendable {
    static let pageSize = 50

    let state: Letter.State
    let rows: [LetterRow]
    let counts: [(state: Letter.State, count: Int)]
    let hasServer: Bool
    /// What keeps all letters from being sent, in the mail server's words.
    let trouble: String?
    let more: Link?

    static func link(_ state: Letter.State) -> Link { Link.outbox.with("show", state.rawValue) }
}

/// What came of a test letter.
struct Trial: Sendable {
    let isSent: Bool
    /// What the mail server answered; nil without one.
    let answer: String?
}

/// A letter as staff see it: to whom, of which kind, and what became of it.
struct LetterRow: Sendable {
    let letter: Letter
    let written: Words
    /// When it is tried next.
    let due: Words?

    init(_ letter: Letter, in zone: Zone) {
        self.letter = letter
        written = zone.words(letter.createdAt, \.shortName)
        due = letter.state == .waiting ? zone.words(letter.dueAt, \.shortName) : nil
    }

    var link: Link { Link.letter(letter.id) }

    /// Where it goes. The address of a reporter without an account is seen beside the report alone.
    var to: Words {
        letter.isAboutReport ? "somebody who reported something" : Words(verbatim: letter.address)
    }
}

extension Letter {
    /// When it would come too late if it was tried again now.
    func end(retriedAt now: Instant) -> Instant {
        [.chosen, .wished].contains(kind.rule(of: .mail)) ? now + kind.shelfLife : endsAt
    }

    func canRetry(at now: Instant) -> Bool {
        (state == .failed || state == .waiting) && !address.isEmpty && end(retriedAt: now) > now
    }

    /// What the link in it leads to; nil where there is none anymore.
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
