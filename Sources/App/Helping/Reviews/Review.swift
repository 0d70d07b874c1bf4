import Forms
import Templating

/// A participant's review of an organization, never of a person.
struct Review: Sendable {
    let id: ID<Review>
    let host: ID<Account>
    let hostUsername: String
    let hostName: String
    let author: Author
    let stars: Int
    let comment: String
    let createdAt: Instant
    let editedAt: Instant?
    let isHidden: Bool
    let answer: String

    static let pageSize = 10
    /// How long after taking part a member may write a review.
    static let openFor = Duration.days(90)
    /// The minimum number for showing an average.
    static let fewest = 3

    var anchor: String { "review-\(id)" }
    var link: Link { Link.provider(hostUsername).fragment(anchor) }
    var edit: Link { Link.review(id) / "edit" }
    var remove: Link { Link.review(id) / "delete" }

    /// The reasons why a member can't write a review.
    enum Refused: Error {
        case notThere, already

        var words: Words {
            switch self {
            case .notThere: "Reviews are by people who took part there in the last 90 days."
            case .already: "You reviewed it this year already: change that one."
            }
        }
    }
}

/// The form for a review.
struct ReviewForm: Form {
    var stars = 0
    var comment = ""

    static let fields: [Field<ReviewForm>] = [
        .choice(
            "stars", \.stars, "Stars",
            options: (1...5).reversed().map { number in
                Choice("\(number)", Words("{count} star", plural: "{count} stars", count: number))
            }
        ).drawn(as: .radios).narrow.missing("Choose one to five stars."),
        .area("comment", \.comment, "What others should know", 3...2_000)
            .hint("About the place, never about a person.").missing("Say what others should know."),
    ]
}

extension ReviewForm {
    /// A form to change a review.
    init(_ review: Review) { self.init(stars: review.stars, comment: review.comment) }
}

/// The form for an organization’s one answer.
struct ReviewAnswerForm: Form {
    var answer = ""

    static let fields: [Field<ReviewAnswerForm>] = [
        .area("answer", \.answer, "Your answer, in public and once", 3...1_000).missing("Write the answer.")
    ]
}

/// An organization's totals, stored with the data from which they are counted.
struct OrganizationTotal: Sendable, Equatable {
    /// The number of reviews with one star, two, up to five.
    var votes = [0, 0, 0, 0, 0]
    var followers = 0
    /// The number of people whose hours it confirmed.
    var helpers = 0
    var minutes = 0

    /// The totals of a year.
    struct Year: Sendable, Equatable {
        var helpers = 0
        var minutes = 0

        /// `38 people gave 412 hours this year`
        var words: Words? {
            guard helpers > 0 else { return nil }
            let hours = Hours.words(minutes)
            return Words(
                "{count} person gave \(hours, as: "hours") this year",
                plural: "{count} people gave \(hours, as: "hours") this year", count: helpers)
        }
    }

    var reviews: Int { votes.reduce(0, +) }
    var sum: Int { votes.enumerated().reduce(0) { $0 + ($1.offset + 1) * $1.element } }

    /// The average in tenths; nil if there are too few reviews.
    var tenths: Int? { reviews < Review.fewest ? nil : (sum * 20 + reviews) / (reviews * 2) }

    /// `4.6`
    var average: Words? { tenths.map { Words(Tenths(number: $0)) } }

    /// The stars to draw: full, half or empty.
    var drawn: [Star] { (1...5).map { Star(number: $0, tenths: tenths ?? 0) } }

    enum Star: Sendable {
        case full, half, empty

        init(number: Int, tenths: Int) {
            self = tenths >= number * 10 - 2 ? .full : tenths >= number * 10 - 7 ? .half : .empty
        }
    }

    /// Starting with five stars.
    var rows: [(stars: Int, count: Int)] { votes.enumerated().reversed().map { ($0.offset + 1, $0.element) } }

    private struct Tenths: LocalValue {
        let number: Int
        func text(in locale: String) -> String { Formats.of(locale).text(tenths: number) }
    }
}

extension Provider {
    /// Its pin on the map of its page.
    func pin(at coordinate: Coordinate) -> MapDrawing.Place {
        MapDrawing.Place(coordinate: coordinate, name: Words(verbatim: address.line), link: nil)
    }
}

/// The content of an organization's page apart from its events.
struct OrganizationPage: Sendable {
    let total: OrganizationTotal
    let year: OrganizationTotal.Year
    /// A map of its location.
    let map: MapDrawing?
    let opportunities: [Opportunity]
    let reviews: Page<Review>
    let username: String
    let isFollowing: Bool
    let isOwn: Bool
    let canReview: Bool

    var moreReviews: Link? { reviews.more(at: Link.provider(username).fragment("reviews"), .reviews) }
}

/// A followed organization, with its news.
struct Followed: Sendable {
    let id: ID<Account>
    let username: String
    let name: String
    let opportunities: [Opportunity]
    let events: [EventCard]

    /// Organizations per page.
    static let pageSize = 50

    var isQuiet: Bool { opportunities.isEmpty && events.isEmpty }
}
