import Database

extension OfferPage {
    /// - Parameter declined: That it was declined, as long as it can be undone.
    /// - Throws: `Refusal.notFound` if there never was an offer, or its event is gone.
    init(
        _ id: ID<Registration>, _ holder: Registration.Holder, _ token: String, declined: Undo?, in tx: Transaction
    ) throws {
        guard let event = try Event.find(holder.event, in: tx) else { throw Refusal.notFound }
        let size = try tx.value("SELECT \(Registration.size) FROM registration WHERE id = \(id)") ?? 0
        let offer = try Registration.offer(to: id, in: tx)
        let state: State =
            switch (holder.state, offer) {
            case (.confirmed, _): .taken
            case _ where !event.isOpen(at: tx.now) || event.isHidden: .closed
            case (.offered, let offer?), (.waiting, let offer?): offer.places < size ? .choosing(offer) : .open(offer)
            case (.waiting, nil): .waiting
            case (.cancelled, _) where declined != nil: .declined
            default: .passedOn
            }
        self.init(event: event, registration: id, state: state, token: token, isGone: declined?.isGone ?? false)
    }
}

extension GiveBackPage {
    init(_ id: ID<Registration>, _ holder: Registration.Holder, in tx: Transaction) throws {
        guard let event = try Event.find(holder.event, in: tx) else { throw Refusal.notFound }
        self.init(
            event: event, registration: id,
            places: try Registration.places(of: holder.account, at: event.id, in: tx), isOpen: event.isOpen(at: tx.now))
    }
}
