import Forms
import Templating

/// News about posts: a comment on one's own post, or a mention.
///
/// A notice keeps the number of the member who wrote it. The name is looked up when the news is read, so that none is
/// left behind when they change it or leave.
struct PostNews: InboxNews {
    let what: What
    let about: ID<Post>
    let author: ID<Account>
    /// The author's name, as it is now.
    var name: Words = "A former member"
    /// How often, since it was last read.
    var times = 1

    enum What: String, Sendable, CaseIterable {
        case answered, named
    }

    /// The most people to notify of mentions in a text.
    static let mostNamed = 10

    /// The user names in texts, without duplicates.
    static func named(in texts: [String], most: Int) -> [String] {
        var names: [String] = []
        for name in texts.flatMap({ Mention.all(in: $0, most: mostNamed) }) where !names.contains(name) {
            guard names.count < most else { break }
            names.append(name)
        }
        return names
    }

    init(_ what: What, _ about: ID<Post>, by author: ID<Account>) {
        self.what = what
        self.about = about
        self.author = author
    }

    /// Parses a notice's detail; nil if it is invalid.
    init?(detail: String, subject: Int64?) {
        let parts = detail.split(separator: "\u{1F}").map(String.init)
        guard parts.count == 2, let what = What(rawValue: parts[0]), let author = ID<Account>(parts[1]), let subject
        else { return nil }
        self.init(what, ID(subject), by: author)
    }

    init?(_ notice: Notice) {
        self.init(detail: notice.detail, subject: notice.subject)
        times = notice.times
        if let author = notice.author { name = author }
    }

    /// The format in a notice.
    var detail: String { "\(what.rawValue)\u{1F}\(author)" }
    var kind: NoticeKind { .talked }
    var link: Link { Link.post(about) }
    var icon: Icon { .comment }
    var look: String { "word" }
    var group: String? { "\(about)\(what.rawValue)" }

    var words: Words {
        switch what {
        case .answered where times > 1: "\(times, as: "count") new comments on your post"
        case .answered: "\(name, as: "name") commented on your post"
        case .named: "\(name, as: "name") named you in a post or a comment"
        }
    }
}

extension LetterText {
    static func post(_ news: PostNews) -> LetterText {
        LetterText(
            subject: news.words, heading: news.words, lines: [],
            action: Action(name: "Read it", link: news.link), answers: .members)
    }
}
