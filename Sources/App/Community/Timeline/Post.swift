import Forms
import Templating

/// A post to the town: TIM-01.
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
    /// Whether the reader likes it.
    let isLiked: Bool
    /// Whether the photos show children.
    var showsChildren = false
    var pictures: [Picture] = []
    /// The event it is about.
    var happening: Happening?
    /// Whether it is hidden until its author changes it.
    var isAsked = false
    /// Links for the mentioned people.
    var people = Author.Mentioned()
    /// Whether it is its author's first, and held for review.
    var isWaiting = false

    /// The event of a post.
    struct Happening: Sendable {
        let id: ID<Event>
        let title: EventTitle
        let day: Day

        var link: Link { .event(id) }
    }

    /// The topic.
    enum Kind: String, CaseIterable, Sendable, FormValue {
        case done, received, thanks

        /// Its name for the author.
        var choice: Words {
            switch self {
            case .done: "I did it"
            case .received: "I got it"
            case .thanks: "Thanks"
            }
        }

        /// Its name for readers.
        var name: Words {
            switch self {
            case .done: "Kind act"
            case .received: "Kindness received"
            case .thanks: "Thank you"
            }
        }
    }

    /// The possible readers.
    enum Audience: String, CaseIterable, Sendable, FormValue {
        case everyone, members
    }

    /// The most photos.
    static let mostPictures = Picture.mostOfOne

    /// How long its author may change it.
    static let editable = Duration.minutes(30)

    /// Others have commented on it.
    struct Heard: Error {}

    func isEditable(by reader: ID<Account>?, at now: Instant) -> Bool {
        reader == author.account && (isAsked || !isHidden && now - createdAt < Self.editable)
    }

    /// Whether a reader can see it: a hidden post is visible to its author and staff, a members-only post to members.
    func isVisible(to reader: Visitor?) -> Bool {
        if reader?.account == author.account || reader?.isStaff == true { return true }
        return !isHidden && (audience == .everyone || reader != nil)
    }

    /// The text as safe markup.
    var body: HTML { .paragraphs(of: text, naming: people) }

    var link: Link { Link.post(id) }

    /// The post's anchor on a page with others.
    var anchor: String { "post-\(id)" }

    /// The photo for link previews on other sites: none that shows children.
    var poster: Picture? { showsChildren ? nil : pictures.first }

    /// The text for link previews on other sites.
    var excerpt: String {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.count > 200 ? words.prefix(199) + "…" : words
    }

    /// The first words, as the title of its page.
    var beginning: String { Self.beginning(of: text) }

    static func beginning(of text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        return line.count > 60 ? line.prefix(59) + "…" : line
    }
}

/// A comment on a post.
struct Comment: Sendable {
    let id: ID<Comment>
    let author: Author
    let text: String
    let createdAt: Instant
    /// Whether it was hidden: its author still sees it.
    var isHidden = false
    /// Whether it is held for review, so that only its author sees it.
    var isWaiting = false
    /// Links for the mentioned people.
    var people = Author.Mentioned()

    /// The text as safe markup.
    var body: HTML { .paragraphs(of: text, naming: people) }

    /// The most comments on a post.
    static let limit = 200

    /// The limit is reached.
    struct TooMany: Error {}
}

/// The form for a post.
struct PostForm: Form {
    var text = ""
    var kind = Post.Kind.done
    var audience = Post.Audience.everyone
    /// The existing photos to keep: each has a checkbox.
    var images: [ID<Picture>] = []
    var showsChildren = false
    var hasConsent = false
    /// Whether the author was told that photos of children are for members, unless they choose otherwise after that.
    var isHeldBack: Bool?
    /// The event it is about.
    var event: ID<Event>?

    static let fields: [Field<PostForm>] = [
        .area("text", \.text, "Something kind happened?", 1...2_000)
            .hint("What you did, what you got, whom you thank. No child’s name, please.")
            .missing("Write something first."),
        .choice(
            "kind", \.kind, Words("What it is", context: "a post"),
            options: Post.Kind.allCases.map { Choice($0.rawValue, $0.choice) }
        ).drawn(as: .radios).missing("Say what it is about."),
        .choice(
            "audience", \.audience, "Who may read it",
            options: [
                Choice(Post.Audience.everyone.rawValue, "Everyone, also people without an account"),
                Choice(Post.Audience.members.rawValue, "Members"),
            ]
        ).drawn(as: .radios).missing("Say who may read it."),
        .file("photo", "Photos", accept: "image/*")
            .hint("Up to \(Post.mostPictures, as: "number"). Where and with what they were taken is removed."),
        .checkboxes("image", \.images, "The photos that stay"),
        .checkbox("shows_children", \.showsChildren, "Children can be seen in a photo"),
        .checkbox("consent", \.hasConsent, "I may publish it")
            .hint("The parents of each child said yes."),
        .hidden("held_back", \.isHeldBack).bookkeeping,
        .hidden("event", \.event),
    ]

    /// The preview.
    func preview(
        by author: Author, with pictures: [Picture], about happening: Post.Happening?, at now: Instant
    ) -> Post {
        Post(
            id: ID(0), author: author, text: text, kind: kind, audience: audience, likes: 0, comments: 0,
            createdAt: now, editedAt: nil, isHidden: false, isLiked: false, showsChildren: showsChildren,
            pictures: pictures, happening: happening)
    }
}

extension PostForm {
    /// A form to change a post.
    init(_ post: Post) {
        self.init()
        text = post.text
        kind = post.kind
        audience = post.audience
        images = post.pictures.map(\.id)
        showsChildren = post.showsChildren
        hasConsent = post.showsChildren
        isHeldBack = post.showsChildren ? true : nil
        event = post.happening?.id
    }
}

extension PostForm {
    /// A post about an event: that others may come along, or afterwards that one was there, which is for members only.
    init(about event: Event, at now: Instant, in language: Language) {
        let isOver = event.isOver(at: now)
        let words: Words =
            isOver
            ? "We went to \(event.readersTitle, as: "title")."
            : "\(event.readersTitle, as: "title"), \(event.day.fullName, as: "day"). Who comes along?"
        self.init(text: words.text(in: language), audience: isOver ? .members : .everyone, event: event.id)
    }
}

/// The state of writing a post apart from its form.
struct Composition: Sendable {
    /// The post being changed; nil for a new one.
    var post: Post?
    /// The photos with their current descriptions.
    var pictures: [Picture] = []
    /// The event it is about.
    var event: Event?
    /// Whether photos were just uploaded and have no descriptions yet.
    var hasNewPictures = false
    /// Whether it has just become members-only because it shows children.
    var isHeldBackNow = false

    /// The address for the form.
    var action: Link { post.map { $0.link / "edit" } ?? Link.newPost }

    /// The page to return to.
    var origin: Link { post?.link ?? Link.timeline }

    var happening: Post.Happening? { event.map { Post.Happening(id: $0.id, title: $0.eventTitle, day: $0.day) } }

    var room: Int { Post.mostPictures - pictures.count }

    /// The descriptions of the photos.
    var alts: [(name: String, value: String)] { pictures.map { (name: Self.name($0.id), value: $0.alt) } }

    /// Hidden pairs below the preview: the descriptions, and those at the time of drawing.
    var hidden: [(name: String, value: String)] {
        alts + pictures.map { (name: Self.drawn($0.id), value: stored($0.id)) }
    }

    /// The stored description of a photo.
    func stored(_ picture: ID<Picture>) -> String { post?.pictures.first { $0.id == picture }?.alt ?? "" }

    /// The field with a photo's description.
    static func name(_ picture: ID<Picture>) -> String { "alt-\(picture)" }
    /// The field with the description at the time of drawing.
    static func drawn(_ picture: ID<Picture>) -> String { "was-alt-\(picture)" }
}

/// The form for a comment.
struct CommentForm: Form {
    var text = ""

    static let fields: [Field<CommentForm>] = [
        .area("text", \.text, "Say something kind", 1...1_000).missing("Write something first.")
    ]
}

extension Post {
    /// A recently deleted post, for restoring it.
    struct Kept: Sendable {
        let id: ID<Post>
        let text: String
        let kind: Kind
        let audience: Audience
        let showsChildren: Bool
        let event: ID<Event>?
        let once: String
        let createdAt: Instant
        let editedAt: Instant?
        let hiddenAt: Instant?
        /// Whether it was being held.
        let isFirst: Bool
        /// Whether somebody liked it or commented on it.
        let isHeard: Bool
        var pictures: [ID<Picture>] = []
    }
}

extension Comment {
    /// A recently deleted comment, for restoring it.
    struct Kept: Sendable {
        let id: ID<Comment>
        let author: ID<Account>
        let text: String
        let once: String
        let createdAt: Instant
        let hiddenAt: Instant?
    }
}
