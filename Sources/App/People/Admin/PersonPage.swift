import Forms
import Templating

/// A member's data for staff: enough to help, and nothing about children.
struct PersonPage: Sendable {
    let account: Account
    let since: Words
    let family: Family?
    /// The family's town with state and code.
    let home: Words?
    let provider: Provider?
    /// The numbers of their events: upcoming, past, canceled and hidden.
    let events: Events
    /// The numbers of events their family registered for: upcoming, and all.
    let registrations: Registrations
    /// The events to come that they host together with the neighbors who announced them.
    let together: [(event: ID<Event>, title: String)]
    let devices: [Device]
    let acts: [StaffLogRow]
    /// The team of their organization, and what each member did.
    let team: TeamPage?
    let tree: InvitationTree
    /// The requested deletion of the account, if any.
    let removal: Removal?
    /// Whether the reader requested it, so that somebody else must agree.
    let isOwnRemoval: Bool

    /// The mail domain with the sign in front: a wave of spam often shares one.
    var domain: String { String(account.email[(account.email.lastIndex(of: "@") ?? account.email.startIndex)...]) }

    struct Events: Sendable {
        let coming: Int
        let over: Int
        let canceled: Int
        let hidden: Int
        /// Places held by families at upcoming events.
        let held: Int
    }

    struct Registrations: Sendable {
        let coming: Int
        /// Places at upcoming events: one per child.
        let places: Int
        let all: Int
        let givenBack: Int
    }

    struct Device: Sendable {
        let name: Words
        let seen: Words
    }

    /// Their last visit, according to the devices that are logged in.
    var lastVisit: Words? { devices.first?.seen }
}
