import Database

extension Exhibit {
    /// The content of a subject; nil if it is gone.
    static func find(_ subject: Subject, in db: Connection) throws -> Exhibit? {
        switch subject {
        case .event(let id):
            guard let event = try Event.find(id, in: db), let author = try Author.find(event.host.id, in: db) else {
                return nil
            }
            let programme = try Activity.all(of: id, in: db).map(\.content)
            let asks = try Ask.all(of: event, in: db).map(\.content)
            let texts =
                [
                    event.title, event.venue.line, event.description, event.other?.title ?? "",
                    event.other?.description ?? "", event.bring, event.safety,
                    event.tags.joined(separator: ", "), event.admission.window.firstZIPs.joined(separator: ", "),
                    event.cancelReason,
                ] + programme.map { joined([$0.name, $0.place, $0.info], "\n") }
                + asks.map { joined([$0.text] + $0.options + [$0.why], "\n") }
            var exhibit = Exhibit(
                subject: subject, author: author, text: joined(texts), link: event.link)
            exhibit.title = event.title
            exhibit.recognized =
                [event.title, event.description] + (event.other.map { [$0.title, $0.description] } ?? [])
            exhibit.pictures = event.picture.map { [$0] } ?? []
            // Only participants and staff read these.
            let told = try Announcement.latest(about: .event(id), in: db)
            exhibit.aside = joined([event.onlineURL] + told.map { joined([$0.subject, $0.body], "\n") })
            exhibit.isHidden = event.isHiddenByStaff
            exhibit.families = try Registration.families(at: [id], in: db)
            return exhibit
        case .post(let id):
            let found: (String, Bool)? = try db.first(
                "SELECT text, hidden_at IS NOT NULL FROM post WHERE id = \(id)"
            ) { (try $0.next(), try $0.next()) }
            guard let (text, isHidden) = found, let post = try Post.find(id, for: nil, in: db) else { return nil }
            var exhibit = Exhibit(subject: subject, author: post.author, text: text, link: post.link)
            exhibit.recognized = [text]
            exhibit.pictures = post.pictures
            exhibit.isHidden = isHidden
            return exhibit
        case .comment(let id):
            let found: (ID<Account>, ID<Post>, String, Bool)? = try db.first(
                "SELECT account_id, post_id, text, hidden_at IS NOT NULL FROM comment WHERE id = \(id)"
            ) { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
            guard let (account, post, text, isHidden) = found, let author = try Author.find(account, in: db) else {
                return nil
            }
            var exhibit = Exhibit(
                subject: subject, author: author, text: text, link: .comments(of: post))
            exhibit.isHidden = isHidden
            return exhibit
        case .person(let id):
            let found: ([String], Bool, ID<Picture>?)? = try db.first(
                """
                SELECT account.username, coalesce(person.name, ''), coalesce(person.town, ''),
                    coalesce(person.about, ''), coalesce(provider.organization, ''), coalesce(provider.scope, ''),
                    coalesce(provider.mission, ''), coalesce(provider.asks, ''),
                    coalesce(provider.first_name || ' ' || provider.last_name, ''),
                    coalesce(provider.designation, ''), coalesce(provider.website, ''),
                    person.hidden_at IS NOT NULL, CASE WHEN person.shows_picture THEN person.picture_id END
                FROM account LEFT JOIN person ON person.account_id = account.id
                LEFT JOIN provider ON provider.account_id = account.id
                WHERE account.id = \(id) AND account.left_at IS NULL
                """
            ) { row in (try (0..<11).map { _ in try row.next() as String }, try row.next(), try row.next()) }
            guard let (texts, isHidden, picture) = found, let author = try Author.find(id, in: db) else { return nil }
            let isMember = texts[4].isEmpty
            var exhibit = Exhibit(
                subject: subject, author: author, text: joined(Array(texts.dropFirst())),
                link: isMember ? .person(texts[0]) : .provider(texts[0]))
            exhibit.isHidden = isHidden
            exhibit.pictures = try picture.flatMap { try Picture.find($0, of: id, in: db) }.map { [$0] } ?? []
            return exhibit
        case .question(let id):
            guard let question = try Question.find(id, in: db), let author = try Author.find(question.asker, in: db),
                let event = try Event.find(question.event, in: db)
            else { return nil }
            var exhibit = Exhibit(
                subject: subject, author: author, text: joined([question.text, question.answer]),
                link: .question(id, about: event.id))
            exhibit.title = event.title
            exhibit.isHidden = question.isHidden
            exhibit.isPrivate = question.isPrivate || !question.isAnswered
            exhibit.isUnnamed = question.isPrivate
            return exhibit
        case .pet(let id):
            guard let pet = try Pet.find(id, in: db), let author = try Author.find(pet.account, in: db) else {
                return nil
            }
            var exhibit = Exhibit(
                subject: subject, author: author, text: joined([pet.name, pet.traits.word] + pet.bio), link: .playdates)
            exhibit.pictures = pet.pictures
            exhibit.isHidden = pet.isHidden
            // Messages are read by the two owners of the matched pets.
            if let owner = try Owner.find(pet.account, in: db) {
                exhibit.aside = joined([owner.name, owner.contact.other ?? ""])
            }
            return exhibit
        case .message(let id): return try Message.exhibit(id, in: db)
        case .act(let id): return try KindAct.exhibit(id, in: db)
        case .opportunity(let id):
            guard let opportunity = try Opportunity.find(id, at: Instant(milliseconds: 0), in: db),
                let author = try Author.find(opportunity.host.id, in: db)
            else { return nil }
            let texts =
                [
                    opportunity.title, opportunity.place.name, opportunity.description, opportunity.conditions,
                    opportunity.url,
                    opportunity.tags.joined(separator: ", "), opportunity.closeReason,
                ] + (try Thing.all(of: id, in: db)).map(\.name) + (try Shift.all(of: id, in: db)).map(\.lead)
            var exhibit = Exhibit(subject: subject, author: author, text: joined(texts), link: opportunity.link)
            exhibit.title = opportunity.title
            exhibit.recognized = [opportunity.title, opportunity.description]
            // Only helpers and staff read these.
            let told = try Announcement.latest(about: .help(id), in: db)
            exhibit.aside = joined(told.map { joined([$0.subject, $0.body], "\n") })
            exhibit.isHidden = opportunity.isHiddenByStaff
            return exhibit
        case .need(let id):
            guard let need = try Need.find(id, in: db) else { return nil }
            let texts = [need.title, need.description] + (need.place.isHome ? [] : [need.place.line])
            var exhibit = Exhibit(subject: subject, author: need.author, text: joined(texts), link: need.link)
            exhibit.title = need.title
            exhibit.recognized = [need.title, need.description]
            exhibit.pictures = need.picture.map { [$0] } ?? []
            exhibit.isLasting = need.isLasting && !need.isClosed
            exhibit.pin = need.place.coordinate
            exhibit.isHidden = need.isHidden
            return exhibit
        case .review(let id):
            guard let review = try Review.find(id, in: db) else { return nil }
            var exhibit = Exhibit(
                subject: subject, author: review.author, text: joined([review.comment, review.answer]),
                link: review.link)
            exhibit.title = review.hostName
            exhibit.isHidden = review.isHidden
            return exhibit
        }
    }

    private static func joined(_ texts: [String], _ separator: String = "\n\n") -> String {
        texts.filter { !$0.isEmpty }.joined(separator: separator)
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
