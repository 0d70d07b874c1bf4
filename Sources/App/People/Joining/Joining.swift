import Forms
import Templating

/// How one comes to have an account, as an admin chose.
enum Joining: String, CaseIterable, Sendable, FormValue {
    case open, approval, invitation, closed

    var name: Words {
        switch self {
        case .open: "Anybody may sign up"
        case .approval: "Somebody lets each one in"
        case .invitation: "By invitation"
        case .closed: "Nobody, for now"
        }
    }

    var hint: Words {
        switch self {
        case .open: "New members can begin at once"
        case .approval: "New members wait until one of you has looked, under “To review”"
        case .invitation: "Members invite up to \(Invitation.most, as: "most") people at a time, with a link each"
        case .closed: "The page says whom to ask. People with an account still log in"
        }
    }

    /// Whether somebody may fill in the form.
    func admits(invited: Bool) -> Bool {
        switch self {
        case .open, .approval: true
        case .invitation: invited
        case .closed: false
        }
    }

    /// Whether who signed up waits to be let in: not whom those who run the site invited themselves.
    func waits(invitedByStaff: Bool) -> Bool { self == .approval && !invitedByStaff }
}

/// `/waiting`: what somebody reads who isn't let in yet.
struct WaitingPage: Sendable {
    let since: Words
    /// What was decided, and what they were asked.
    let decisions: [Decision]
    let isConfirmed: Bool
    let hasMail: Bool

    /// Why they weren't let in.
    var refusal: Decision? { decisions.first { $0.verdict == .refuse && $0.isOpen } }
    /// What those who decide want to know.
    var notes: [Decision] { decisions.filter { $0.verdict == .note } }
}

/// When the form was drawn, sealed, so that it works without a script and nobody makes one up.
struct SignUpTime: Sendable {
    /// Faster than that no person is, nor a program that fills in passwords together with its owner.
    static let least = Duration.seconds(3)
    /// A page that was open for longer is drawn anew.
    static let most = Duration.hours(24)
    static let field = "drawn"
    /// A field that people don't see; only a machine fills it in.
    static let trap = "website"

    let drawnAt: Instant
    /// Which form it is: each signs up one account.
    let form: String

    init(_ instant: Instant) { (drawnAt, form) = (instant, String(Token().text.prefix(22))) }

    init?(_ text: String?, _ seal: Seal) {
        let word = text.flatMap { seal.open($0, of: "sign-up") } ?? ""
        let parts = word.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let milliseconds = Int64(parts[0]), parts[1].utf8.count == 22 else { return nil }
        (drawnAt, form) = (Instant(milliseconds: milliseconds), parts[1])
    }

    func text(_ seal: Seal) -> String { seal.sealed("\(drawnAt.milliseconds) \(form)", as: "sign-up") }

    /// What is wrong with a form that was sent now; nil where a person may have filled it in.
    ///
    /// - Parameter time: When it was drawn; nil where it doesn't say so in a way that can be believed.
    static func problem(_ time: SignUpTime?, trap: String, at now: Instant) -> Words? {
        if !trap.isEmpty {
            return """
                Something filled in a field that people don’t see. It is empty again: please type your password, and \
                sign up once more.
                """
        }
        guard let time, now - time.drawnAt <= most else {
            return """
                This page was open for a long time, or was sent before. Please type your password, and sign up once \
                more.
                """
        }
        return now - time.drawnAt < least
            ? "That was very quick. Please look over it, type your password, and sign up once more." : nil
    }
}

/// What stands around the form at `/signup`.
struct SignUpPage: Sendable {
    let joining: Joining
    var next = ""
    /// The invitation that was opened, and by whom it is.
    var invitation: (token: String, inviter: Words)?
    /// When it was drawn; empty where the brakes are off.
    var drawn = ""
}
