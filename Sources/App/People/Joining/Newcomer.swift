import Forms

/// The limits of a member's first days; all depend on the age of the account.
struct Newcomer: Sendable, Equatable {
    let age: Duration

    /// How long a member is new.
    static let trial = Duration.days(3)
    /// The most links in a newcomer's post.
    static let links = 2
    static let pictures = 1

    /// - Returns: Nil for members who have been here longer.
    init?(since: Instant, at now: Instant) {
        guard now - since < Self.trial else { return nil }
        age = now - since
    }

    /// How many messages to strangers of any kind are allowed per day: comments, questions, messages, promises. It
    /// doubles from day to day.
    var wordsADay: Int {
        switch age {
        case ..<(.days(1)): 10
        case ..<(.days(2)): 20
        default: 40
        }
    }

    var pace: RateRule { RateRule(name: "words of newcomers", count: wordsADay, period: .days(1)) }

    /// How much content of a kind is allowed per day; nil if it is limited otherwise.
    func pace(of kind: Subject.Kind) -> RateRule? {
        switch Brake(kind).pace {
        case .words: pace
        case .things: RateRule(name: "things of newcomers", count: wordsADay * 3 / 10, period: .days(1))
        case .free: nil
        }
    }

    /// Problems with too many links in a form's public texts, by field name. Fields that ask for a link are counted
    /// separately, and so is text that nobody typed.
    func problems(in body: FormBody) -> [String: Words] {
        var counts: [String: Int] = [:]
        for pair in body.entries where !Self.linkFields.contains(pair.name) {
            counts[pair.name, default: 0] += Self.countLinks(in: pair.value)
        }
        guard counts.values.reduce(0, +) > Self.links else { return [:] }
        return counts.filter { $0.value > 0 }.mapValues { _ in
            """
            In your first days here up to \(Self.links, as: "most") links are taken. Leave the others out for now.
            """
        }
    }

    private static let linkFields: Set<String> = [
        "csrf", "once", "drawn", "next", "back", "url", "website", "online_url",
    ]

    func problem(withPictures count: Int) -> Words? {
        count > Self.pictures ? "In your first days here a post holds one photo. Leave the others out for now." : nil
    }

    /// Whether a text contains a link, including text that only mail programs would turn into one.
    static func hasLink(_ text: String) -> Bool {
        countLinks(in: text) > 0
            || text.lowercased().split(whereSeparator: \.isWhitespace).contains { word in
                word.contains("://") || word.contains("@")
                    || word.firstMatch(of: /[\p{L}\p{N}-]\.\p{L}{2,}/) != nil
            }
    }

    /// The number of links in a text, including those that a page wouldn't draw as links.
    static func countLinks(in text: String) -> Int {
        var count = 0
        for word in text.lowercased().split(whereSeparator: \.isWhitespace) {
            let starts = word.ranges(of: "http:").count + word.ranges(of: "https:").count
            count += max(starts, word.contains("www.") ? 1 : 0)
        }
        return count
    }
}
