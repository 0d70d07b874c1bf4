import Forms
import Templating

/// News about running the site: for staff, and for an organization that was verified.
struct DeskNews: TitledNews {
    let what: What
    /// The account or organization it is about.
    let about: ID<DeskNews>
    /// The name of the organization, or a dash.
    let title: String

    enum What: String, Sendable, CaseIterable {
        // To the member whose role changed.
        case member, moderator, admin
        // To all staff, once a day; to admins, about an organization's verification.
        case waits, renew, renamed, handedOver
        // To an organization.
        case verified, unverified, ends
    }

    init(_ what: What, _ about: ID<DeskNews>, _ title: String) {
        self.what = what
        self.about = about
        self.title = title
    }

    init(_ role: Role, of account: ID<Account>) {
        let what: What =
            switch role {
            case .member: .member
            case .moderator: .moderator
            case .admin: .admin
            }
        self.init(what, ID(account.rawValue), "-")
    }

    var kind: NoticeKind {
        switch what {
        case .member, .moderator, .admin: .role
        case .waits, .renew, .renamed, .handedOver: .desk
        case .verified, .unverified, .ends: .verified
        }
    }

    var words: Words {
        switch what {
        case .member: "You don’t look after this site anymore"
        case .moderator: "You look after this site now, as a moderator"
        case .admin: "You run this site now, as an admin"
        case .waits: "Something waits at the desk"
        case .renew: "The mark of \(title, as: "organization") runs out soon"
        case .renamed: "\(title, as: "organization") has another name or website: its mark is off"
        case .handedOver: "\(title, as: "organization") is in other hands, with its mark"
        case .verified: "\(title, as: "organization") is verified"
        case .unverified: "\(title, as: "organization") isn’t marked as verified anymore"
        case .ends: "Your mark as a verified organization runs out soon"
        }
    }

    var more: Words {
        switch what {
        case .member: "Thank you for what you did."
        case .moderator, .admin:
            "Set up two-step log-in within \(TwoStep.grace.inWords, as: "time"): the desk opens only with it then."
        case .waits: "Ten minutes are enough for most days."
        case .renew: "Look again at what was checked, and renew the mark."
        case .renamed: "Look at what it is called now, and mark it again if all is well."
        case .handedOver: "Its owner handed it over. Look at who has it now, and take the mark off if need be."
        case .verified: "Its page says what was checked, and until when."
        case .unverified: "A new name or website has to be checked anew. Otherwise ask the people who run this site."
        case .ends: "The people who run this site are asked to renew it."
        }
    }

    var link: Link {
        switch what {
        case .member: Link.me
        case .moderator, .admin: Link.twoStep
        case .waits: Link.queue
        case .renew, .renamed, .handedOver: .desk(of: ID<Provider>(about.rawValue))
        case .verified, .unverified, .ends: Link.providerProfile
        }
    }

    var icon: Icon { .shield }
    var button: Words { kind == .desk ? "Open the desk" : "Have a look" }

    /// The number of waiting matters.
    struct Waiting: Sendable {
        let things: Int
        let letters: Int

        /// A line for each kind.
        var lines: [Words] {
            let things = Words(
                "{count} thing waits for a look.", plural: "{count} things wait for a look.", count: things)
            let letters = Words(
                "{count} letter could not be sent.", plural: "{count} letters could not be sent.", count: letters)
            return (self.things > 0 ? [things] : []) + (self.letters > 0 ? [letters] : [])
        }
    }
}
