import Forms
import Templating

/// What a one-time link is good for now.
enum OneTimeLink<Opens: Sendable>: Sendable {
    case open(Opens)
    case ended(LinkEnd)

    /// What it opens.
    ///
    /// - Throws: `Refusal.linkEnded`.
    func opened() throws(Refusal) -> Opens {
        switch self {
        case .open(let value): return value
        case .ended(let end): throw .linkEnded(end)
        }
    }
}

/// Why a one-time link opens nothing anymore.
enum LinkEnd: Sendable, Equatable {
    case resetUsed, resetReplaced, resetTooOld
    case setupUsed, setupReplaced
    case confirmUsed, confirmReplaced, confirmTooOld, confirmTaken, confirmRefused
    case undoUsed, undoReplaced, undoTooOld
    case guardianUsed, guardianReplaced, guardianTooOld
    case colleagueUsed, colleagueReplaced, colleagueTooOld
    case invitationUsed, invitationReplaced, invitationTooOld
    case challengeUsed, challengeReplaced, challengeTooOld, challengeOver
    case youngOver

    var title: Words {
        switch self {
        case .resetUsed, .setupUsed, .confirmUsed, .undoUsed, .guardianUsed, .colleagueUsed, .invitationUsed,
            .challengeUsed:
            "This link was used already"
        case .resetReplaced, .setupReplaced, .confirmReplaced: "There is a newer link"
        case .guardianReplaced, .colleagueReplaced, .invitationReplaced, .challengeReplaced:
            "The invitation was taken back"
        case .confirmTaken: "This address is in use"
        case .confirmRefused: "This address can’t be used here"
        case .undoReplaced: "An older address came back"
        case .resetTooOld, .confirmTooOld, .undoTooOld, .guardianTooOld, .colleagueTooOld, .invitationTooOld,
            .challengeTooOld:
            "This link is too old"
        case .challengeOver: "This act isn’t in the catalog anymore"
        case .youngOver: "This isn’t open anymore"
        }
    }

    /// - Parameter isMember: Whether whoever reads it is logged in.
    func text(isMember: Bool) -> Words {
        switch self {
        case .invitationUsed where isMember:
            "You are here already, so you need none. For a friend, ask the person who invited you for another."
        case .challengeUsed where isMember:
            """
            It was for one friend, and somebody else took it up. Ask the person who sent it for another one, or \
            choose a kind act yourself.
            """
        case .resetUsed:
            """
            It set a new password once. Log in with that one; if it wasn’t you, ask the people who run this site for \
            another link right away.
            """
        case .resetReplaced:
            """
            Another link was made since, or the password was changed. Open the newest one, log in, or ask the people \
            who run this site for another.
            """
        case .resetTooOld:
            "A link from a letter works for 15 minutes. Ask for another one, and open it soon."
        case .setupUsed: "Somebody looks after this site already. If that is you, log in."
        case .confirmUsed: "Your e-mail address is confirmed. There is nothing more to do."
        case .confirmReplaced: "Another letter was sent since, or the address was changed. Open the newest one."
        case .confirmTooOld: "It worked for 24 hours. Log in, and have another letter sent from your settings."
        case .confirmRefused: MailDomain.refused
        case .confirmTaken: "Another account has it. Choose another address in your settings."
        case .undoUsed: "The address was put back. If you can’t log in, have a letter for a new password sent to it."
        case .undoReplaced: "The address before this one was put back, and what came after it is void."
        case .guardianUsed: "Under “Me”, “My children” you see who looks after the children."
        case .guardianReplaced: "Ask the parent who invited you whether there is another link."
        case .guardianTooOld: "It worked for 7 days. Ask the parent who invited you for another one."
        case .colleagueUsed: "Under “Me” you see who looks after the organization."
        case .colleagueReplaced: "Ask the person who invited you whether there is another link."
        case .colleagueTooOld: "It worked for 7 days. Ask the person who invited you for another one."
        case .invitationUsed:
            "Each invitation is for one person. If that was you, log in; if not, ask the sender for another."
        case .invitationReplaced: "Ask the person who invited you whether there is another link."
        case .invitationTooOld: "It worked for 14 days. Ask the person who invited you for another one."
        case .challengeUsed:
            """
            It was for one friend, who took it up. If that was you, log in: it is on your Today. Otherwise ask the \
            person who sent it for another one, or choose a kind act yourself.
            """
        case .challengeReplaced, .challengeOver: "Nothing is asked of you anymore. Small kind acts need no link."
        case .challengeTooOld: "It worked for 14 days. Ask the sender for another one, or choose an act yourself."
        case .youngOver:
            """
            The time for an answer is over, the place was given back, or nothing takes place. Ask the person who \
            gave you the link.
            """
        case .undoTooOld: "It worked for 72 hours. Please ask the people who run this site."
        case .setupReplaced: "The site started again since, and printed another link. Open the newest one."
        }
    }

    /// Where it led whoever used it, who may look at it again once they are logged in; nil where it led nowhere.
    var destination: Link? {
        switch self {
        case .guardianUsed: .guardian
        case .colleagueUsed: .colleagues
        default: nil
        }
    }

    /// Whether it asked for something kind, of which there is more.
    var wasChallenge: Bool {
        switch self {
        case .challengeUsed, .challengeReplaced, .challengeTooOld, .challengeOver: true
        default: false
        }
    }
}
