import Forms
import Templating

/// The reason why a one-time link no longer works. It is thrown as a `Refusal` is, and has a page of its own.
struct LinkEnd: Error, Equatable {
    let kind: OneTimeLink.Kind
    let why: Why

    enum Why: Sendable {
        case used
        /// It was replaced by a newer link, or withdrawn.
        case replaced
        case tooOld
        /// The address has been taken, or its domain blocked.
        case taken, refused
        /// Its purpose is over.
        case over
    }

    init(_ kind: OneTimeLink.Kind, _ why: Why) {
        self.kind = kind
        self.why = why
    }

    var title: Words {
        switch (kind, why) {
        case (.challenge, .over): "This act isn’t in the catalog anymore"
        case (.undo, .replaced): "An older address came back"
        case (.reset, .replaced), (.setup, .replaced), (.confirm, .replaced), (.change, .replaced):
            "There is a newer link"
        case (_, .replaced): "The invitation was taken back"
        case (_, .used): "This link was used already"
        case (_, .tooOld): "This link is too old"
        case (_, .taken): "This address is in use"
        case (_, .refused): "This address can’t be used here"
        case (_, .over): "This isn’t open anymore"
        }
    }

    /// - Parameter isMember: Whether the reader is logged in.
    func text(isMember: Bool) -> Words {
        switch (kind, why) {
        case (_, .refused): MailDomain.refused
        case (_, .taken): "Another account has it. Choose another address in your settings."
        case (.reset, .used):
            """
            It set a new password once. Log in with that one; if it wasn’t you, ask the people who run this site for \
            another link right away.
            """
        case (.reset, .tooOld):
            "A link from a letter works for 15 minutes. Ask for another one, and open it soon."
        case (.reset, _):
            """
            Another link was made since, or the password was changed. Open the newest one, log in, or ask the people \
            who run this site for another.
            """
        case (.setup, .used): "Somebody looks after this site already. If that is you, log in."
        case (.setup, _): "The site started again since, and printed another link. Open the newest one."
        case (.confirm, .used), (.change, .used): "Your e-mail address is confirmed. There is nothing more to do."
        case (.confirm, .tooOld), (.change, .tooOld):
            "It worked for 24 hours. Log in, and have another letter sent from your settings."
        case (.confirm, _), (.change, _):
            "Another letter was sent since, or the address was changed. Open the newest one."
        case (.undo, .used):
            "The address was put back. If you can’t log in, have a letter for a new password sent to it."
        case (.undo, .tooOld): "It worked for 72 hours. Please ask the people who run this site."
        case (.undo, _): "The address before this one was put back, and what came after it is void."
        case (.guardian, .used): "Under “Me”, “My children” you see who looks after the children."
        case (.guardian, .tooOld): "It worked for 7 days. Ask the parent who invited you for another one."
        case (.guardian, _): "Ask the parent who invited you whether there is another link."
        case (.colleague, .used): "Under “Me” you see who looks after the organization."
        case (.colleague, .tooOld): "It worked for 7 days. Ask the person who invited you for another one."
        case (.invitation, .used) where isMember:
            "You are here already, so you need none. For a friend, ask the person who invited you for another."
        case (.invitation, .used):
            "Each invitation is for one person. If that was you, log in; if not, ask the sender for another."
        case (.invitation, .tooOld): "It worked for 14 days. Ask the person who invited you for another one."
        case (.siteInvitation, .used): LinkEnd(.invitation, .used).text(isMember: isMember)
        case (.siteInvitation, .tooOld): "It worked for 14 days. Ask the people who run this site for another one."
        case (.siteInvitation, _): "Ask the people who run this site whether there is another one."
        case (.colleague, _), (.invitation, _): "Ask the person who invited you whether there is another link."
        case (.challenge, .used) where isMember:
            """
            It was for one friend, and somebody else took it up. Ask the person who sent it for another one, or \
            choose a kind act yourself.
            """
        case (.challenge, .used):
            """
            It was for one friend, who took it up. If that was you, log in: it is on your Today. Otherwise ask the \
            person who sent it for another one, or choose a kind act yourself.
            """
        case (.challenge, .tooOld): "It worked for 14 days. Ask the sender for another one, or choose an act yourself."
        case (.challenge, _): "Nothing is asked of you anymore. Small kind acts need no link."
        case (.young, _):
            """
            The time for an answer is over, the place was given back, or nothing takes place. Ask the person who \
            gave you the link.
            """
        }
    }

    /// Where the person who used it can see the result after logging in; nil if there is no such page.
    var destination: Link? {
        switch (kind, why) {
        case (.guardian, .used): .guardian
        case (.colleague, .used): .colleagues
        default: nil
        }
    }
}
