import Database

extension Site {
    /// An event's page for this visitor, with all that is drawn but its maps.
    ///
    /// - Parameters:
    ///   - filter: The filter for its program.
    ///   - questionsAfter: The position in its list of questions.
    /// - Throws: `Refusal.notFound`.
    func eventPage(
        _ id: ID<Event>, for visitor: Visitor?, programme filter: ProgrammeFilter = ProgrammeFilter(),
        questionsAfter: Cursor<ID<Question>>? = nil, in tx: Transaction
    ) throws -> EventPage {
        var page = try EventPage(id, for: visitor, in: tx)
        let event = page.event
        var plans: [TimeSlot] = []
        if let visitor, event.isOpen(at: tx.now) {
            plans = try TimeSlot.plans(of: visitor, around: [event.startsAt, event.endsAt], in: tx)
        }
        try page.complete(
            for: visitor, opening, programme: filter, questionsAfter: questionsAfter, beside: plans, in: tx)
        if let visitor, event.isForEveryone || event.hasSessions {
            page.undos = try Undo.all(.visit, of: visitor.account, subject: id.rawValue, in: tx)
        }
        return page
    }
}
