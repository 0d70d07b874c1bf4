import Database

extension Question: Reportable {
    static var kind: Subject.Kind { .question }
    static var rows: (table: SQL, number: SQL) { ("question", "id") }
    static func logName(_ exhibit: Exhibit) -> String { exhibit.title }

    static func isShown(_ id: ID<Question>, _ exhibit: Exhibit, to reader: Visitor?, in db: Connection) throws -> Bool {
        guard let question = try Question.find(id, in: db), let event = try Event.find(question.event, in: db)
        else { return false }
        if let reader {
            if reader.account == question.asker || reader.editing == event.host.id { return true }
            if try Cohost.host(of: question, with: reader.account, in: db) != nil { return true }
        }
        return !exhibit.isPrivate && !exhibit.isHidden && !event.isHidden
    }

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
