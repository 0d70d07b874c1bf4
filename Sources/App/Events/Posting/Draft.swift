import Forms
import Templating

/// A posting form somebody means to finish later, as it was typed: nobody else sees it, and it counts for nothing.
struct Draft: Sendable {
    let id: ID<Draft>
    let kind: Kind
    /// What stands in the title so far; may be empty.
    let title: String
    /// Every field as it was sent, with `once`: a draft that is published can be told from one kept twice.
    let form: FormBody
    let updatedAt: Instant
    /// Whether it is its author's alone, as a neighbor: those who look after their organization with them don't see
    /// it.
    let isOwn: Bool
    /// The colleague who kept it last; nil where that is its reader.
    let keeper: String?

    /// How many a provider may keep.
    static let limit = 50
    /// How such a draft is marked among what can be taken back.
    static let ownMark = "undo.own"

    /// What the form posts.
    enum Kind: String, Sendable {
        case event, opportunity

        var icon: Icon { self == .event ? .calendar : .hands }
        var form: Link { self == .event ? Link.newEvent : Link.newOpportunity }
        /// The list they stand in.
        var list: Link { (self == .event ? Link.ownEvents : Link.ownOpportunities).with("list", "draft") }
    }

    /// The form, to go on with.
    var link: Link { kind.form.with("draft", id) }

    /// What is kept of a form.
    struct Content: Sendable {
        var kind = Kind.event
        let title: String
        /// `title=Kite+day&…`
        let form: String
        var picture: ID<Picture>?
        let once: String
        /// Whether it is its author's alone.
        var isOwn = false

        init(kind: Kind, title: String, form: String, once: String) {
            self.kind = kind
            self.title = title
            self.form = form
            self.once = once
        }

        init(_ submission: Submission<EventForm>, _ programme: ProgrammeRows, _ asks: AskRows) {
            title = submission[\.title].typed
            form = Draft.text(of: submission.hidden + programme.hidden + asks.hidden)
            picture = submission.form.picture
            once = submission.once
        }

        /// Whether nobody kept anything else of it since this form was drawn: see ``FormBody/follows(_:)``.
        func follows(_ kept: String?) throws(FormProblem) -> Bool {
            guard let kept else { return true }
            return try Draft.form(form).follows(Draft.form(kept))
        }
    }

    /// What is thrown where somebody did: what stands in this form is a draft of its own then.
    static let otherWords = SentForm.HasOtherWords(
        words:
            """
            This draft was changed meanwhile, and that is kept. What you wrote isn’t yet: keep it, too, as a draft \
            of its own.
            """)

    /// The same where it was to be published.
    static let newerWords = SentForm.HasOtherWords(
        words:
            """
            This draft was changed meanwhile, so it isn’t published yet. Look at the newer one among your drafts, or \
            publish this one all the same: the other stays.
            """)

    /// Pairs as one text: `title=Kite+day&…`
    static func text(of pairs: [(name: String, value: String)]) -> String {
        String(Link("").with(pairs).string.dropFirst())
    }

    /// The form that was kept so: no longer than what was sent, though each byte of it may stand as three characters.
    static func form(_ text: String) throws(FormProblem) -> FormBody {
        try FormBody(query: text, limits: FormLimits(body: 4 * FormLimits.long.body, fields: FormLimits.long.fields))
    }
}

/// The drafts of one kind.
struct DraftList: Sendable {
    let kind: Draft.Kind
    let drafts: [Draft]
    /// Those that were thrown away a moment ago.
    let undos: [Undo]
    let zone: Zone

    /// Those whose titles have these words.
    func named(_ words: String) -> DraftList {
        guard !words.isEmpty else { return self }
        return DraftList(
            kind: kind, drafts: drafts.filter { SearchWords.holds($0.title, words) }, undos: undos, zone: zone)
    }
}

extension Draft.TooMany {
    var words: Words {
        """
        You keep \(Draft.limit, as: "limit") drafts already, so this is not kept. Publish one of them or throw one away.
        """
    }
}
