import Database

extension Exhibit {
    /// The content of a subject; nil if it is gone.
    static func find(_ subject: Subject, in db: Connection) throws -> Exhibit? {
        switch subject {
        case .event(let id): return try Event.exhibit(id, in: db)
        case .post(let id): return try Post.exhibit(id, in: db)
        case .comment(let id): return try Comment.exhibit(id, in: db)
        case .person(let id): return try Person.exhibit(id, in: db)
        case .question(let id): return try Question.exhibit(id, in: db)
        case .pet(let id): return try Pet.exhibit(id, in: db)
        case .message(let id): return try Message.exhibit(id, in: db)
        case .act(let id): return try KindAct.exhibit(id, in: db)
        case .opportunity(let id): return try Opportunity.exhibit(id, in: db)
        case .need(let id): return try Need.exhibit(id, in: db)
        case .review(let id): return try Review.exhibit(id, in: db)
        }
    }

    /// The content of a subject, if the reader may read it where it is shown.
    static func find(_ subject: Subject, for reader: Visitor?, in db: Connection) throws -> Exhibit? {
        guard let exhibit = try find(subject, in: db) else { return nil }
        let author = exhibit.author.account
        let isVisible: Bool =
            switch subject {
            case .event(let id):
                try Event.find(id, in: db).map { !$0.isHidden || author == reader?.editing } ?? false
            case .post(let id): try Post.find(id, for: reader?.account, in: db)?.isVisible(to: reader) ?? false
            case .comment(let id): try isShown(id, by: author, to: reader, in: db)
            case .person: try isShown(author, to: reader, in: db)
            case .question(let id): try isShown(id, exhibit, to: reader, in: db)
            case .pet(let id): try isShown(id, by: author, to: reader, in: db)
            // Even after the match has ended.
            case .message(let id): try reader.map { try Message.wasToldTo($0.account, id, in: db) } ?? false
            case .opportunity(let id):
                try Opportunity.find(id, for: reader, at: Instant(milliseconds: 0), in: db) != nil
            case .need(let id):
                try Need.find(id, for: reader?.account, isStaff: reader?.isStaff == true, in: db) != nil
            case .review, .act: !exhibit.isHidden || author == reader?.account
            }
        guard isVisible else { return nil }
        var seen = exhibit
        if reader?.isStaff != true { seen.aside = "" }
        // A conversation is private to its people: they can report what they read there, but don't get to read it
        // again.
        if case .message = subject, reader?.isStaff != true { seen.text = "" }
        // A visitor without an account sees a provider as on the provider's page.
        if case .person(let id) = subject, reader == nil, let provider = try Provider.find(of: id, in: db) {
            seen.text = joined(
                [provider.organization, provider.mission ?? "", provider.scope ?? "", provider.asks ?? ""])
        }
        return seen
    }

    private static func isShown(
        _ comment: ID<Comment>, by author: ID<Account>, to reader: Visitor?, in db: Connection
    ) throws -> Bool {
        let post: ID<Post>? = try db.value(
            """
            SELECT comment.post_id FROM comment JOIN account ON account.id = comment.account_id
            WHERE comment.id = \(comment) AND comment.hidden_at IS NULL AND account.suspended_at IS NULL
                AND NOT \(Block.hides("comment.account_id", from: reader?.account))
            """)
        return try post.flatMap { try Post.find($0, for: reader?.account, in: db) }?.isVisible(to: reader) ?? false
    }

    /// A pet is seen in members' cards, by its owner, and by its matches, even after they have ended.
    private static func isShown(
        _ pet: ID<Pet>, by author: ID<Account>, to reader: Visitor?, in db: Connection
    ) throws -> Bool {
        guard let reader else { return false }
        if try reader.account == author || PetMatch.has(reader.account, with: pet, in: db) { return true }
        return try db.exists(
            """
            SELECT 1 FROM pet JOIN account ON account.id = pet.account_id
            WHERE pet.id = \(pet) AND pet.hidden_at IS NULL AND pet.is_paused = FALSE
                AND account.suspended_at IS NULL AND NOT \(Block.hides("pet.account_id", from: reader.account))
            """)
    }

    private static func isShown(_ person: ID<Account>, to reader: Visitor?, in db: Connection) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM account LEFT JOIN person ON person.account_id = account.id
            WHERE account.id = \(person) AND account.suspended_at IS NULL
                AND NOT \(Block.hides("account.id", from: reader?.account))
                AND (person.hidden_at IS NULL OR account.id = \(reader?.account))
                AND (\(reader != nil) OR coalesce(person.is_open, FALSE)
                    OR EXISTS (SELECT 1 FROM provider WHERE provider.account_id = account.id))
            """)
    }

    private static func isShown(
        _ question: ID<Question>, _ exhibit: Exhibit, to reader: Visitor?, in db: Connection
    ) throws -> Bool {
        guard let question = try Question.find(question, in: db), let event = try Event.find(question.event, in: db)
        else { return false }
        if let reader {
            if reader.account == question.asker || reader.editing == event.host.id { return true }
            if try Cohost.host(of: question, with: reader.account, in: db) != nil { return true }
        }
        return !exhibit.isPrivate && !exhibit.isHidden && !event.isHidden
    }

    /// Hides a subject's content, or shows it again.
    static func hide(_ subject: Subject, at instant: Instant?, in db: Connection) throws {
        switch subject {
        case .event(let id): _ = try Event.hide(id, at: instant, in: db)
        case .post(let id): _ = try Post.hide(id, at: instant, in: db)
        case .question(let id): _ = try Question.hide(id, at: instant, in: db)
        case .opportunity(let id): try Opportunity.hide(id, at: instant, in: db)
        case .review(let id): try Review.hide(id, at: instant, in: db)
        case .need(let id): try Need.hide(id, at: instant, in: db)
        case .act(let id): try KindAct.hide(id, at: instant, in: db)
        case .comment(let id): try db.execute("UPDATE comment SET hidden_at = \(instant) WHERE id = \(id)")
        case .person(let id): try Person.hide(id, at: instant, in: db)
        case .pet(let id): try Pet.hide(id, at: instant, in: db)
        case .message(let id): try db.execute("UPDATE message SET hidden_at = \(instant) WHERE id = \(id)")
        }
    }
}
