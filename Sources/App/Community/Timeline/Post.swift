import Forms
import Templating

/// What somebody tells the town: TIM-01.
struct Post: Sendable {
    let id: ID<Post>
    let author: Author
    let text: String
    let kind: Kind
    let audience: Audience
    let likes: Int
    let comments: Int
    let createdAt: Instant
    let editedAt: Instant?
    let isHidden: Bool
    /// Whether whoever reads it likes it.
    let isLiked: Bool

    /// What it is about.
    enum Kind: String, CaseIterable, Sendable, FormValue {
        case done, received, thanks

        /// As the author says it.
        var choice: Words {
            switch self {
            case .done: "I did it"
            case .received: "I got it"
            case .thanks: "Thanks"
            }
        }

        /// As readers see it.
        var name: Words {
            switch self {
            case .done: "Kind act"
            case .received: "Kindness received"
            case .thanks: "Thank you"
            }
        }
    }

    /// Who may read it.
    enum Audience: String, CaseIterable, Sendable, FormValue {
        case everyone, members
    }

    /// How long its author may still change it.
    static let editable = Duration.minutes(30)

    /// Others have said something to it.
    struct Heard: Error {}

    func isEditable(by reader: ID<Account>?, at now: Instant) -> Bool {
        reader == author.account && !isHidden && now - createdAt < Self.editable
    }

    /// Whether somebody sees it: what is hidden is for its author and those who run the site, what is for members isn't
    /// for visitors.
    func isVisible(to reader: Visitor?) -> Bool {
        if reader?.account == author.account || reader?.isStaff == true { return true }
        return !isHidden && (audience == .everyone || reader != nil)
    }

    /// The text as safe markup.
    var body: HTML { .paragraphs(of: text) }

    var link: Link { Link("/posts") / id }

    /// The post on a page with others.
    var anchor: String { "post-\(id)" }

    /// The first words, as a title of its page.
    var beginning: String {
        let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        return line.count > 60 ? line.prefix(59) + "…" : line
    }
}

/// Whoever wrote something.
struct Author: Sendable, Equatable {
    let account: ID<Account>
    let username: String
    /// What they call themselves; nil for somebody who left.
    let chosenName: String?
    /// Whether people without an account may read their page.
    let hasOpenPage: Bool

    var name: Words { chosenName.map { Words(verbatim: $0) } ?? "A former member" }

    /// Their page, for whoever may read it; nil for somebody who left.
    func link(for reader: Visitor?) -> Link? {
        chosenName != nil && (hasOpenPage || reader != nil) ? Link("/people") / username : nil
    }

    var initials: String {
        guard let chosenName else { return "–" }
        return chosenName.split(separator: " ").prefix(2).compactMap(\.first).map { $0.uppercased() }.joined()
    }
}

/// What somebody says to a post.
struct Comment: Sendable {
    let id: ID<Comment>
    let author: Author
    let text: String
    let createdAt: Instant

    /// The text as safe markup.
    var body: HTML { .paragraphs(of: text) }

    /// So many are shown; a post takes no more.
    static let limit = 200

    /// There are as many as there may be.
    struct TooMany: Error {}
}

/// Writing a post.
struct PostForm: Form {
    var text = ""
    var kind = Post.Kind.done
    var audience = Post.Audience.everyone

    static let fields: [Field<PostForm>] = [
        .area("text", \.text, "Something kind happened?", 1...2_000)
            .hint("What you did, what you got, whom you thank. No child’s name, please.")
            .missing("Write something first."),
        .choice("kind", \.kind, "What it is", options: Post.Kind.allCases.map { Choice($0.rawValue, $0.choice) })
            .drawn(as: .radios).missing("Say what it is about."),
        .choice(
            "audience", \.audience, "Who may read it",
            options: [
                Choice(Post.Audience.everyone.rawValue, "Everyone, also people without an account"),
                Choice(Post.Audience.members.rawValue, "Members"),
            ]
        ).drawn(as: .radios).missing("Say who may read it."),
    ]

    /// The post as it would look.
    func preview(by author: Author, at now: Instant) -> Post {
        Post(
            id: ID(0), author: author, text: text, kind: kind, audience: audience, likes: 0, comments: 0,
            createdAt: now, editedAt: nil, isHidden: false, isLiked: false)
    }
}

/// Saying something to a post.
struct CommentForm: Form {
    var text = ""

    static let fields: [Field<CommentForm>] = [
        .area("text", \.text, "Say something kind", 1...1_000).missing("Write something first.")
    ]
}
