import Forms
import Templating

/// An invitation by the people who run the site: a letter with a link with which its reader signs up. Until the link
/// ends, a keyed hash of the address is stored with it, so that nobody gets two such letters; then nothing is.
enum SiteInvitation {
    static let lifetime = Invitation.lifetime
    /// The most letters sent with one press.
    static let most = 500
    /// How often an admin sends some.
    static let rule = RateRule(name: "invitations", count: 4, period: .days(1))

    /// Those that are open.
    struct Open: Sendable {
        let count: Int
        /// The newest of them: what is sent after a page was drawn isn't taken back on it.
        let last: ID<OneTimeLink>?
    }

    /// Nobody in a list can be invited.
    struct Nobody: CountsNothing {}
}

/// A list of people to invite: a file, or pasted lines.
struct SiteInvitationForm: Form {
    var list: String?

    static let file = "file"

    static let fields: [Field<SiteInvitationForm>] = [
        .file(file, "A file", accept: ".csv,.tsv,.txt,text/csv,text/plain").conditional
            .hint("A spreadsheet saved as .csv, of at most 2 MB, with a column of e-mail addresses and one of names."),
        .area("list", \.list, "Or paste lines", 1...60_000).conditional
            .hint("One person per line: a name if you like, and the e-mail address."),
    ]
}

/// What is known of a list's people.
struct InvitationReview: Sendable {
    /// Those who can be invited, in the order of the list.
    var invitable: [InvitationList.Entry] = []
    /// Those with an account.
    var members: [InvitationList.Entry] = []
    /// Those whose invitation is open.
    var invited: [InvitationList.Entry] = []
    /// Those who want no such letters.
    var unwilling: [InvitationList.Entry] = []
    /// Those whose mail domain is blocked.
    var blocked: [InvitationList.Entry] = []
    /// How many are another spelling of an address: a suffix after a plus belongs to the same mailbox.
    var repeated = 0
}

/// The page between a list and its letters.
struct InvitationPreview: Sendable {
    /// The hidden values of the form that sends the letters.
    let form: Submission<SiteInvitationForm>
    let list: InvitationList
    let review: InvitationReview
    /// Whether the site sends mail.
    let hasServer: Bool
    let joining: Joining

    /// Those to whom letters are sent now.
    var now: ArraySlice<InvitationList.Entry> { review.invitable.prefix(SiteInvitation.most) }
    /// How many can be invited after them.
    var later: Int { review.invitable.count - now.count }
    /// How many rows repeat an address.
    var repeated: Int { list.repeated + review.repeated }
    /// The addresses, as the form carries them.
    var addresses: String { now.map(\.address).joined(separator: " ") }

    var size: Words {
        Words("{count} person will be invited", plural: "{count} people will be invited", count: now.count)
    }

    var rest: Words {
        Words(
            "{count} more can be invited after that: upload the same list again.",
            plural: "{count} more can be invited after that: upload the same list again.", count: later)
    }

    var repetitions: Words {
        Words(
            "{count} row repeats an address, which gets one letter.",
            plural: "{count} rows repeat an address, which gets one letter.", count: repeated)
    }

    var button: Words { Words("Send {count} letter", plural: "Send {count} letters", count: now.count) }

    /// Those who get no letter, with the reason.
    var others: [(why: Words, entries: [InvitationList.Entry])] {
        let all: [(why: Words, entries: [InvitationList.Entry])] = [
            ("Already have an account", review.members),
            ("Were invited in the last 14 days", review.invited),
            ("Asked for no such letters", review.unwilling),
            ("Use a blocked mail provider", review.blocked),
        ]
        return all.filter { !$0.entries.isEmpty }
    }

    /// How many of a group are listed.
    static let shown = 100

    /// What wasn't read, by row.
    var unread: [(row: Words, why: Words)] {
        list.unread.map { unread in
            let why: Words =
                switch unread.why {
                case .noAddress: "no e-mail address"
                case .unclear(let typed): "“\(typed, as: "address")” can’t get mail"
                case .several: "several addresses: give the columns headings, so that we know which one to take"
                case .together: "several addresses in one cell: give each of them a row"
                }
            return ("Row \(unread.row, as: "number")", why)
        }
    }

    /// The headings of columns about children.
    var aboutChildren: Words { list.aboutChildren.map(Words.init(verbatim:)).listed() }
    var unusedColumns: Words { list.others.map(Words.init(verbatim:)).listed() }
}

extension LetterText {
    /// - Parameter name: The site's name.
    static func invitedHere(to name: String, token: String) -> LetterText {
        LetterText(
            subject: "You are invited to \(name, as: "name")", heading: "You are invited to \(name, as: "name")",
            lines: [
                "The people who run this site invite you to it.",
                """
                You don’t have an account here, and we haven’t made one for you. If you’d like one, use the link below.
                """,
            ],
            action: Action(name: "Sign up", link: .invitation(token)),
            closing: [
                "The link is for you alone, works once, and ends in 14 days.",
                """
                We erase your address once this letter is sent. Until the link ends we keep a code that can’t be \
                turned back into your address, so that you don’t get this letter twice. After that we keep nothing.
                """,
            ])
    }
}
