import Database

extension Subject.Kind {
    /// All kinds of content that can be reported.
    var reportable: any Reportable.Type {
        switch self {
        case .event: Event.self
        case .post: Post.self
        case .comment: Comment.self
        case .person: Person.self
        case .question: Question.self
        case .pet: Pet.self
        case .message: Message.self
        case .opportunity: Opportunity.self
        case .review: Review.self
        case .need: Need.self
        case .act: KindAct.self
        }
    }
}

extension Exhibit {
    /// The content of a subject; nil if it is gone.
    static func find(_ subject: Subject, in db: Connection) throws -> Exhibit? {
        try subject.kind.reportable.exhibit(subject, in: db)
    }

    /// The content of a subject, if the reader may read it where it is shown.
    static func find(_ subject: Subject, for reader: Visitor?, in db: Connection) throws -> Exhibit? {
        try subject.kind.reportable.exhibit(subject, for: reader, in: db)
    }

    /// Hides a subject's content, or shows it again.
    static func hide(_ subject: Subject, at instant: Instant?, in tx: Transaction) throws {
        try subject.kind.reportable.hide(subject, at: instant, in: tx)
    }
}
