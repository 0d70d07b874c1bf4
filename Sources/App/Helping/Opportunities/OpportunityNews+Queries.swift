import Database

extension FollowNews {
    /// Notifies an organization's followers of a new opportunity.
    static func tell(_ id: ID<Opportunity>, _ opportunity: Opportunity, in tx: Transaction) throws {
        try FollowNews(opportunity.host.name, .opportunity(id), EventTitle(title: opportunity.title)).tell(
            of: opportunity.host.id, in: opportunity.zone, tx: tx)
    }
}
