import Database

extension AnnouncementNews {
    static func text(of letter: Letter, to reader: LetterReader, in tx: Transaction) throws -> LetterText? {
        guard let id = letter.subject.map({ ID<Announcement>($0) }), let message = try Announcement.find(id, in: tx)
        else { return nil }
        var text: LetterText
        if let event = letter.event {
            guard let event = try Event.find(event, in: tx), !event.isOver(at: tx.now) else { return nil }
            text = .announced(event, message, in: reader.zone)
            text.answers = try .host(event.host.id, at: event.id, in: tx)
        } else {
            guard let help = try Announcement.opportunity(of: id, in: tx),
                let opportunity = try Opportunity.find(help, in: tx), !opportunity.isHidden
            else { return nil }
            text = .announced(opportunity, message)
            text.answers = try .host(opportunity.host.id, in: tx)
        }
        return text
    }
}
