import Database

extension FollowNews {
    /// Notifies a host's followers of a new event.
    static func tell(_ id: ID<Event>, _ event: Event, in tx: Transaction) throws {
        let zone = event.clock
        try FollowNews(event.host.name, .event(id), event.eventTitle).tell(of: event.host.id, in: zone, tx: tx)
    }

    /// Notifies followers of several events announced at once, with one notice for the visible ones.
    static func tell(ofAll ids: [ID<Event>], in tx: Transaction) throws {
        let shown = try Event.all(ids, in: tx).filter { !$0.isHidden && !$0.isCancelled && !$0.isOver(at: tx.now) }
        guard let first = shown.min(by: { ($0.startsAt, $0.id) < ($1.startsAt, $1.id) }) else { return }
        var news = FollowNews(first.host.name, .event(first.id), first.eventTitle)
        if shown.count > 1 { news.many = Many(count: shown.count, host: first.host.username) }
        try news.tell(of: first.host.id, in: first.clock, tx: tx)
    }
}
