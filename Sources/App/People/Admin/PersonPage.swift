import Forms
import Templating

/// What staff see of somebody: enough to help, and nothing about children.
struct PersonPage: Sendable {
    let account: Account
    let since: Words
    let family: Family?
    /// Where the family lives: its town with the state, and the code.
    let home: Words?
    let provider: Provider?
    /// Of the events they posted: those coming up, those over, those canceled, those hidden.
    let events: Events
    /// Of the events their family is registered for: those coming up, and all.
    let registrations: Registrations
    /// The events to come that they host together with the neighbors who announced them.
    let together: [(event: ID<Event>, title: String)]
    let devices: [Device]
    let acts: [StaffLogRow]
    /// Those who look after their organization, and what each of them did.
    let team: TeamPage?
    let tree: InvitationTree
    /// That the account is to be deleted, where somebody asked for it.
    let removal: Removal?
    /// Whether that is one's own wish: somebody else has to say yes.
    let isOwnRemoval: Bool

    struct Events: Sendable {
        let coming: Int
        let over: Int
        let canceled: Int
        let hidden: Int
        /// Places that families hold at those coming up.
        let held: Int
    }

    struct Registrations: Sendable {
        let coming: Int
        /// Places at the events coming up: one a child.
        let places: Int
        let all: Int
        let givenBack: Int
    }

    struct Device: Sendable {
        let name: Words
        let seen: Words
    }

    /// When they were here last, as far as a device that is logged in knows.
    var lastVisit: Words? { devices.first?.seen }
}
