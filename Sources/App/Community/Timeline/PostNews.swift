import Forms
import Templating

/// News about posts: a comment on one's own post, or a mention. The title is the member who wrote it.
struct PostNews: TitledNews {
    let what: What
    let about: ID<Post>
    let title: String

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

    init(_ what: What, _ about: ID<Post>, _ title: String) {
        self.what = what
        self.about = about
        self.title = title
    }

    var kind: NoticeKind { .talked }
    var link: Link { Link.post(about) }

    var words: Words { words(times: 1) }
    var group: String { what.rawValue }

    /// - Parameter times: How often, since it was last read.
    func words(times: Int) -> Words {
        switch what {
        case .answered where times > 1: "\(times, as: "count") new comments on your post"
        case .answered: "\(title, as: "name") commented on your post"
        case .named: "\(title, as: "name") named you in a post or a comment"
        }
    }
}

extension LetterText {
    static func post(_ news: PostNews) -> LetterText {
        LetterText(
            subject: news.words, heading: news.words, lines: [],
            action: Action(name: "Read it", link: news.link))
    }
}
