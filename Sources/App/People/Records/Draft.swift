import Forms
import Templating

/// An unfinished form, as typed. It is private and has no effect.
struct Draft: Sendable {
    let id: ID<Draft>
    let kind: Kind
    /// The title so far; possibly empty.
    let title: String
    /// All fields as sent, including `once`, by which a published draft is recognized.
    let form: FormBody
    let updatedAt: Instant
    /// Whether it is its author's own, as a neighbor, and hidden from their organization's team.
    let isOwn: Bool
    /// The colleague who last saved it; nil if that was the reader.
    let keeper: String?

    /// The most drafts per provider.
    static let limit = 50
    /// The mark of such a draft among actions that can be undone.
    static let ownMark = "undo.own"

    /// The kind of form.
    enum Kind: String, Sendable {
        case event, opportunity

        var icon: Icon { self == .event ? .calendar : .hands }
        var form: Link { self == .event ? Link.newEvent : Link.newOpportunity }
        /// The list of these drafts.
        var list: Link { (self == .event ? Link.ownEvents : Link.ownOpportunities).with("list", "draft") }
    }

    /// The link to continue.
    var link: Link { kind.form.with("draft", id) }

    /// A form's content to save.
    struct Content: Sendable {
        var kind = Kind.event
        let title: String
        /// A text such as `title=Kite+day&…`.
        let form: String
        var picture: ID<Picture>?
        let once: String
        /// Whether it is its author's own.
        var isOwn = false

        init(kind: Kind, title: String, form: String, once: String) {
            self.kind = kind
            self.title = title
            self.form = form
            self.once = once
        }

        /// Whether nobody saved another version since this form was drawn: see ``FormBody/follows(_:)``.
        func follows(_ kept: String?) throws(FormProblem) -> Bool {
            guard let kept else { return true }
            return try Draft.form(form).follows(Draft.form(kept))
        }
    }

    /// The error if somebody did: this form's content then becomes a separate draft.
    static let otherWords = SentForm.HasOtherWords(
        words:
            """
            This draft was changed meanwhile, and that is kept. What you wrote isn’t yet: keep it, too, as a draft \
            of its own.
            """)

    /// The error if it was to be published.
    static let newerWords = SentForm.HasOtherWords(
        words:
            """
            This draft was changed meanwhile, so it isn’t published yet. Look at the newer one among your drafts, or \
            publish this one all the same: the other stays.
            """)

    /// Pairs as a text: `title=Kite+day&…`
    static func text(of pairs: [(name: String, value: String)]) -> String {
        String(Link("").with(pairs).string.dropFirst())
    }

    /// The form saved as this text. It isn't longer than what was sent, although each byte may take three characters.
    static func form(_ text: String) throws(FormProblem) -> FormBody {
        try FormBody(query: text, limits: FormLimits(body: 4 * FormLimits.long.body, fields: FormLimits.long.fields))
    }
}

extension Draft.TooMany {
    var words: Words {
        """
        You keep \(Draft.limit, as: "limit") drafts already, so this is not kept. Publish one of them or throw one away.
        """
    }
}
