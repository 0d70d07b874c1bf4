import Forms
import Templating

/// A contribution: a line of the ledger of help.
///
/// Kind acts are a separate `Deed`: they have points and no hours, contributions have hours and no points.
struct Contribution: Sendable {
    let id: ID<Contribution>
    let kind: Kind
    let host: ID<Account>?
    let hostName: String
    let opportunity: ID<Opportunity>?
    let signup: ID<Signup>?
    let title: String
    let day: Day
    /// The minutes according to the member.
    let minutes: Int
    /// The minutes confirmed by the organization.
    let confirmed: Int?
    let amount: Money?
    let count: Int?
    let isReceived: Bool

    enum Kind: String, Sendable, CaseIterable {
        case hours, shadow, money, things

        var icon: Icon {
            switch self {
            case .hours: .hands
            case .shadow: .shadow
            case .money: .money
            case .things: .gift
            }
        }

        var hue: String {
            switch self {
            case .hours: "hue-sky"
            case .shadow: "hue-spruce"
            case .money, .things: "hue-ochre"
            }
        }

        var name: Words {
            switch self {
            case .hours: "Hours"
            case .shadow: "Shadowing"
            case .money: "Money"
            case .things: "Things"
            }
        }
    }

    /// The page to change a recorded gift.
    var gift: Link? { kind == .money ? Link.gifts / id : nil }

    var isOfTime: Bool { kind == .hours || kind == .shadow }
    /// The unconfirmed minutes.
    var waiting: Int { isOfTime && confirmed == nil ? minutes : 0 }

    /// A description and its state, on one line.
    var words: Words {
        switch kind {
        case .hours, .shadow:
            guard let confirmed else {
                return
                    "\(day.date, as: "day"), \(Hours.words(minutes), as: "hours") · waiting for \(hostName, as: "host")"
            }
            return
                "\(day.date, as: "day"), \(Hours.words(confirmed), as: "hours") · confirmed by \(hostName, as: "host")"
        case .money:
            let sum: Words = amount.map { Words($0) } ?? Words(verbatim: "")
            return "\(day.date, as: "day"), \(sum, as: "amount") · noted by you"
        case .things:
            return isReceived
                ? "\(day.date, as: "day") · received by \(hostName, as: "host"), thank you"
                : "\(day.date, as: "day") · noted by you"
        }
    }

    /// More was reported or confirmed than the shift's length.
    struct TooMuch: Error {
        let most: Int
        var words: Words { "The shift had \(Hours.words(most), as: "hours"): it can’t be more." }
    }

    /// The day isn't allowed.
    struct WrongDay: Error {}
}

/// The form to record a gift.
struct GiftForm: Form {
    var amount = ""
    var day: Day?
    var organization = ""

    static let fields: [Field<GiftForm>] = [
        .text("amount", \.amount, "Amount", 1...40).narrow.inputmode("decimal").autocomplete("off")
            .missing("Say how much it was."),
        .text("organization", \.organization, "To whom", 1...120).autocomplete("off").missing("Say to whom."),
        .date("day", \.day, "Day"),
    ]
}

extension GiftForm {
    /// A form to change a recorded gift; nil for anything else.
    init?(_ gift: Contribution) {
        guard gift.kind == .money, let amount = gift.amount else { return nil }
        self.init(amount: amount.typed, day: gift.day, organization: gift.hostName)
    }
}
