/// What is told about something that has a title: kept in a notice as one word, the title, and the number of its row.
protocol TitledNews: Sendable {
    /// What happened.
    associatedtype What: RawRepresentable<String>, CaseIterable
    /// What it happened to.
    associatedtype Thing

    var what: What { get }
    var about: ID<Thing> { get }
    var title: String { get }
    /// The kind of notice that tells it.
    var kind: NoticeKind { get }
    /// As a notice keeps it.
    var detail: String { get }

    init(_ what: What, _ about: ID<Thing>, _ title: String)
}

extension TitledNews {
    /// As a notice keeps it; nil of what isn't such a thing.
    init?(detail: String, subject: Int64?) {
        let parts = detail.split(separator: "\u{1F}", maxSplits: 1).map(String.init)
        guard parts.count == 2, let what = What(rawValue: parts[0]), let subject else { return nil }
        self.init(what, ID(subject), parts[1])
    }

    var detail: String { "\(what.rawValue)\u{1F}\(title)" }
}
