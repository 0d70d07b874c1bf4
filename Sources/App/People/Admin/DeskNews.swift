import Forms
import Templating

/// What is told about looking after the site: to those who do, and to an organization that was checked.
struct DeskNews: TitledNews {
    let what: What
    /// The account or the organization it is about.
    let about: ID<DeskNews>
    /// The name of the organization; a dash where it is about none.
    let title: String

    enum What: String, Sendable, CaseIterable {
        // To whose role it is.
        case member, moderator, admin
        // To all who look after the site, once a day; to admins, of an organization's mark.
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

    /// What waits, counted.
    struct Waiting: Sendable {
        let things: Int
        let letters: Int

        /// In a line each.
        var lines: [Words] {
            let things = Words(
                "{count} thing waits for a look.", plural: "{count} things wait for a look.", count: things)
            let letters = Words(
                "{count} letter could not be sent.", plural: "{count} letters could not be sent.", count: letters)
            return (self.things > 0 ? [things] : []) + (self.letters > 0 ? [letters] : [])
        }
    }

    /// What a letter says.
    ///
    /// - Parameter lines: What waits, in a line each.
    func letter(_ lines: [Words] = []) -> LetterText {
        LetterText(
            subject: words, heading: words, lines: lines + [more],
            action: LetterText.Action(name: kind == .desk ? "Open the desk" : "Have a look", link: link))
    }
}
