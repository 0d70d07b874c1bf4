import Database

extension Question {
    /// What staff see of it; nil if it is gone.
    static func exhibit(_ id: ID<Question>, in db: Connection) throws -> Exhibit? {
        guard let question = try Question.find(id, in: db), let author = try Author.find(question.asker, in: db),
            let event = try Event.find(question.event, in: db)
        else { return nil }
        var exhibit = Exhibit(
            subject: .question(id), author: author, text: Exhibit.joined([question.text, question.answer]),
            link: .question(id, about: event.id))
        exhibit.title = event.title
        exhibit.isHidden = question.isHidden
        exhibit.isPrivate = question.isPrivate || !question.isAnswered
        exhibit.isUnnamed = question.isPrivate
        return exhibit
    }
}
