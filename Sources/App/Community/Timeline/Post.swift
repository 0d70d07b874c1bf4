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
    /// Whether the reader likes it.
    let isLiked: Bool
    /// Whether children can be seen in the photos.
    var showsChildren = false
    var pictures: [Picture] = []
    /// The event that it tells of.
    var happening: Happening?
    /// Whether it is hidden until its author changes it.
    var isAsked = false
    /// Where the names lead that it mentions.
    var people = Author.Mentioned()
    /// Whether it is its author's first, and waits for a look.
    var isWaiting = false

    /// An event as a post shows it.
    struct Happening: Sendable {
        let id: ID<Event>
        let title: EventTitle
        let day: Day

        var link: Link { .event(id) }
    }

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

    /// The circle that may read it.
    enum Audience: String, CaseIterable, Sendable, FormValue {
        case everyone, members
    }

    /// The most photos with it.
    static let mostPictures = 4

    /// How long its author may still change it.
    static let editable = Duration.minutes(30)

    /// Others have said something to it.
    struct Heard: Error {}

    func isEditable(by reader: ID<Account>?, at now: Instant) -> Bool {
        reader == author.account && (isAsked || !isHidden && now - createdAt < Self.editable)
    }

    /// Whether somebody sees it: what is hidden is for its author and those who run the site, what is for members isn't
    /// for visitors.
    func isVisible(to reader: Visitor?) -> Bool {
        if reader?.account == author.account || reader?.isStaff == true { return true }
        return !isHidden && (audience == .everyone || reader != nil)
    }

    /// The text as safe markup.
    var body: HTML { .paragraphs(of: text, naming: people) }

    var link: Link { Link.post(id) }

    /// The post on a page with others.
    var anchor: String { "post-\(id)" }

    /// The photo that other sites show beside a link: none of children.
    var poster: Picture? { showsChildren ? nil : pictures.first }

    /// What other sites say beside a link.
    var excerpt: String {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.count > 200 ? words.prefix(199) + "…" : words
    }

    /// The first words, as a title of its page.
    var beginning: String { Self.beginning(of: text) }

    static func beginning(of text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        return line.count > 60 ? line.prefix(59) + "…" : line
    }
}

/// The author of something.
struct Author: Sendable, Equatable {
    /// How many of those who like a post fit on one page.
    static let pageSize = 100

    let account: ID<Account>
    let username: String
    /// What they call themselves; nil for somebody who left.
    let chosenName: String?
    /// Whether people without an account may read their page.
    let hasOpenPage: Bool
    /// The picture that others see of them.
    var portrait: Portrait?

    /// Where names lead that a text mentions, by user name.
    typealias Mentioned = [String: Link]

    var name: Words { chosenName.map { Words(verbatim: $0) } ?? "A former member" }

    /// Their page, for those who may read it; nil for somebody who left.
    func link(for reader: Visitor?) -> Link? { link(forMembers: reader != nil) }

    /// Their picture, for those who may read their page.
    func face(for reader: Visitor?) -> Portrait? { link(for: reader) == nil ? nil : portrait }

    func link(forMembers isForMembers: Bool) -> Link? {
        chosenName != nil && (hasOpenPage || isForMembers) ? Link.person(username) : nil
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
    /// Whether it was hidden: its author still sees it.
    var isHidden = false
    /// Whether it waits for a look, so that only its author sees it so far.
    var isWaiting = false
    /// Where the names lead that it mentions.
    var people = Author.Mentioned()

    /// The text as safe markup.
    var body: HTML { .paragraphs(of: text, naming: people) }

    /// The most that are shown; a post takes no more.
    static let limit = 200

    /// There are as many as there may be.
    struct TooMany: Error {}
}

/// Writing a post.
struct PostForm: Form {
    var text = ""
    var kind = Post.Kind.done
    var audience = Post.Audience.everyone
    /// The photos that stay with it: each is a box to leave ticked.
    var images: [ID<Picture>] = []
    var showsChildren = false
    var hasConsent = false
    /// Whether it was said that photos of children are for members, unless their author chooses otherwise after that.
    var isHeldBack: Bool?
    /// The event that it tells of.
    var event: ID<Event>?

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
        .file("photo", "Photos", accept: "image/*")
            .hint("Up to \(Post.mostPictures, as: "number"). Where and with what they were taken is removed."),
        .checkboxes("image", \.images, "The photos that stay"),
        .checkbox("shows_children", \.showsChildren, "Children can be seen in a photo"),
        .checkbox("consent", \.hasConsent, "I may publish it")
            .hint("The parents of each child said yes."),
        .hidden("held_back", \.isHeldBack).bookkeeping,
        .hidden("event", \.event),
    ]

    /// The post as it would look.
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
    /// A post that stands already, to be changed.
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
    /// What tells of an event: that one may come along, or afterwards that one was there, which is for members.
    init(about event: Event, at now: Instant, in language: Language) {
        let isOver = event.isOver(at: now)
        let words: Words =
            isOver
            ? "We went to \(event.readersTitle, as: "title")."
            : "\(event.readersTitle, as: "title"), \(event.day.fullName, as: "day"). Who comes along?"
        self.init(text: words.text(in: language), audience: isOver ? .members : .everyone, event: event.id)
    }
}

/// A post that is being written: what its form doesn't hold.
struct Composition: Sendable {
    /// The post that is changed; nil for a new one.
    var post: Post?
    /// The photos with what is said of them so far.
    var pictures: [Picture] = []
    /// The event that it tells of.
    var event: Event?
    /// Whether photos came just now, of which nothing could be said before.
    var hasNewPictures = false
    /// Whether it became for members, since children can be seen.
    var isHeldBackNow = false

    /// Where its form is sent.
    var action: Link { post.map { $0.link / "edit" } ?? Link.newPost }

    /// Where it leads back.
    var origin: Link { post?.link ?? Link.timeline }

    var happening: Post.Happening? { event.map { Post.Happening(id: $0.id, title: $0.eventTitle, day: $0.day) } }

    var room: Int { Post.mostPictures - pictures.count }

    /// What the photos show.
    var alts: [(name: String, value: String)] { pictures.map { (name: Self.name($0.id), value: $0.alt) } }

    /// What goes along unseen below the preview: what the photos show, and what that was drawn from.
    var hidden: [(name: String, value: String)] {
        alts + pictures.map { (name: Self.drawn($0.id), value: stored($0.id)) }
    }

    /// What is stored of what a photo shows.
    func stored(_ picture: ID<Picture>) -> String { post?.pictures.first { $0.id == picture }?.alt ?? "" }

    /// The field that says what a photo shows.
    static func name(_ picture: ID<Picture>) -> String { "alt-\(picture)" }
    /// The field that says what it was drawn from.
    static func drawn(_ picture: ID<Picture>) -> String { "was-alt-\(picture)" }
}

/// Saying something to a post.
struct CommentForm: Form {
    var text = ""

    static let fields: [Field<CommentForm>] = [
        .area("text", \.text, "Say something kind", 1...1_000).missing("Write something first.")
    ]
}

extension Post {
    /// What is kept of a post that was just deleted, to bring it back.
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
        /// Whether it waited to be shown.
        let isFirst: Bool
        /// Whether somebody liked it or said something to it.
        let isHeard: Bool
        var pictures: [ID<Picture>] = []
    }
}

extension Comment {
    /// The same of a comment.
    struct Kept: Sendable {
        let id: ID<Comment>
        let author: ID<Account>
        let text: String
        let once: String
        let createdAt: Instant
        let hiddenAt: Instant?
    }
}
