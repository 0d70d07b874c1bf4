import Forms
import Templating

/// The way to get an account, chosen by an admin.
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

    /// Whether a visitor may fill in the form.
    func admits(invited: Bool) -> Bool {
        switch self {
        case .open, .approval: true
        case .invitation: invited
        case .closed: false
        }
    }

    /// Whether new members wait to be let in; those invited by staff don't.
    func waits(invitedByStaff: Bool) -> Bool { self == .approval && !invitedByStaff }
}

/// `/waiting`: the page for members who aren't let in yet.
struct WaitingPage: Sendable {
    let since: Words
    /// The decision, and questions to them.
    let decisions: [Decision]
    let isConfirmed: Bool
    let hasMail: Bool

    /// The reason why they weren't let in.
    var refusal: Decision? { decisions.first { $0.verdict == .refuse && $0.isOpen } }
    /// The questions of the people who decide.
    var notes: [Decision] { decisions.filter { $0.verdict == .note } }
}

/// When the sign-up form was drawn: sealed, so that it works without a script and can't be forged.
struct SignUpTime: Sendable {
    /// The minimum time for a person, or for a password manager with its owner.
    static let least = Duration.seconds(3)
    /// After this time the page is drawn again.
    static let most = Duration.hours(24)
    static let field = "drawn"
    /// A field that people don't see; only bots fill it in.
    static let trap = "website"

    let drawnAt: Instant
    /// Identifies the form: each creates only one account.
    let form: String

    init(_ instant: Instant) { (drawnAt, form) = (instant, String(Token().text.prefix(22))) }

    init?(_ text: String?, _ seal: Seal) {
        let word = text.flatMap { seal.open($0, of: "sign-up") } ?? ""
        let parts = word.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let milliseconds = Int64(parts[0]), parts[1].utf8.count == 22 else { return nil }
        (drawnAt, form) = (Instant(milliseconds: milliseconds), parts[1])
    }

    func text(_ seal: Seal) -> String { seal.sealed("\(drawnAt.milliseconds) \(form)", as: "sign-up") }

    /// An error message for a sent form; nil if a person may have filled it in.
    ///
    /// - Parameter time: When it was drawn; nil if it isn't validly sealed.
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

/// The content of `/signup` around the form.
struct SignUpPage: Sendable {
    let joining: Joining
    var next = ""
    /// The invitation that was opened, and its inviter; nil if the site itself invites.
    var invitation: (token: String, inviter: Words?)?
    /// Whether staff, or the site itself, invite: nobody has to let them in.
    var isInvitedByStaff = false
    /// When the form was drawn; empty if rate limits are off.
    var drawn = ""
}
