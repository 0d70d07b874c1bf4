import Database

extension FollowNews: InboxNews {
    static func text(of letter: Letter, to reader: LetterReader, in tx: Transaction) throws -> LetterText? {
        let news = try all(kept(letter.detail), in: tx)
        return news.isEmpty ? nil : .followed(news)
    }

    /// The news in a letter, without what is no longer visible.
    static func all(_ all: [What], in tx: Transaction) throws -> [FollowNews] {
        try all.compactMap { try find($0, in: tx) }
    }

    private static func find(_ what: What, in tx: Transaction) throws -> FollowNews? {
        switch what {
        case .opportunity(let id):
            guard let opportunity = try Opportunity.find(id, in: tx), opportunity.isOpen(at: tx.now) else { return nil }
            return FollowNews(opportunity.host.name, what, EventTitle(title: opportunity.title))
        case .event(let id):
            guard let event = try Event.find(id, in: tx), !event.isHidden, !event.isCancelled else { return nil }
            return FollowNews(event.host.name, what, event.eventTitle)
        }
    }
}
