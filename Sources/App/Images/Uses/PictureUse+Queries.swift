import Database

extension PictureUse {
    /// The table whose `picture_id` refers to pictures.
    var table: SQL {
        switch self {
        case .event: "event"
        case .draft: "draft"
        case .person: "person"
        case .provider: "provider"
        case .pet: "pet_picture"
        case .owner: "owner"
        case .need: "need"
        case .post: "post_picture"
        }
    }

    /// The tables that determine who may see the thing.
    private var sources: SQL {
        switch self {
        case .event, .draft: table
        case .person: "person JOIN account ON account.id = person.account_id"
        case .provider: "provider JOIN account ON account.id = provider.account_id"
        case .owner: "owner JOIN account ON account.id = owner.account_id"
        case .need: "need JOIN account ON account.id = need.account_id"
        case .pet: "pet_picture JOIN pet ON pet.id = pet_picture.pet_id JOIN account ON account.id = pet.account_id"
        case .post:
            "post_picture JOIN post ON post.id = post_picture.post_id JOIN account ON account.id = post.account_id"
        }
    }

    /// Whether visitors without an account see the thing.
    private var isForEverybody: SQL {
        switch self {
        case .event: "NOT \(Event.isHidden)"
        case .provider: "account.suspended_at IS NULL AND account.left_at IS NULL"
        case .need: "NOT \(Need.isHidden)"
        case .post: "post.audience = 'everyone' AND \(Post.isShown(to: nil))"
        case .person: "person.is_open AND \(Portrait.isShown)"
        case .draft, .pet, .owner: "FALSE"
        }
    }

    /// Whether a logged-in member sees the thing.
    private func isFor(_ reader: Visitor) -> SQL {
        switch self {
        case .event: "event.account_id = \(reader.editing) OR \(reader.isStaff)"
        case .draft: "draft.account_id = \(reader.editing)"
        // The owner uploaded it and therefore sees it anyway.
        case .person:
            """
            \(Portrait.isShown)
                AND (\(reader.isStaff) OR NOT \(Block.hides("person.account_id", from: reader.account)))
            """
        case .provider: "provider.account_id = \(reader.host) OR \(reader.isStaff)"
        case .pet:
            """
            (\(reader.isStaff) OR pet.hidden_at IS NULL AND EXISTS (SELECT 1 FROM match_side AS side
                WHERE side.other_pet_id = pet.id AND \(PetMatch.isThere(for: reader.account)))
                OR pet.hidden_at IS NULL AND pet.is_paused = FALSE AND account.suspended_at IS NULL
                    AND NOT \(Block.hides("pet.account_id", from: reader.account)))
            """
        // Only members whose pets match see an owner's name and picture.
        case .owner:
            """
            EXISTS (SELECT 1 FROM match_side AS side
                WHERE side.other_account_id = owner.account_id AND \(PetMatch.isThere(for: reader.account)))
            """
        case .need: "\(reader.isStaff)"
        case .post: "\(reader.isStaff) OR \(Post.isShown(to: reader.account))"
        }
    }

    /// A condition on `picture`: this shows it to the visitors for whom `condition` is true.
    private func shows(_ condition: SQL) -> SQL {
        "EXISTS (SELECT 1 FROM \(sources) WHERE \(table).picture_id = picture.id AND (\(condition)))"
    }

    /// A condition on `picture`: this shows it to everyone.
    fileprivate var forEverybody: SQL { shows(isForEverybody) }

    /// A condition on `picture`: this shows it to a logged-in member.
    fileprivate func `for`(_ reader: Visitor) -> SQL { shows(isFor(reader)) }

    /// A condition on `picture`: this shows it to somebody.
    var isOn: SQL { "EXISTS (SELECT 1 FROM \(table) WHERE \(table).picture_id = picture.id)" }
}

extension Picture {
    /// A condition on `picture`: nothing shows it.
    static var isUnused: SQL {
        PictureUse.allCases.map { "NOT \($0.isOn)" as SQL }.joined(separator: " AND ")
    }

    /// A condition on `picture`: it belongs to the organization for which a member acts, isn't used on the owner's
    /// private pages, and was uploaded recently or is used by the organization already.
    static func isOf(_ host: ID<Account>, at now: Instant) -> SQL {
        let own: [PictureUse] = [.person, .pet, .owner, .post]
        return """
            picture.account_id = \(host)
                AND (picture.created_at > \(now - .hours(3)) OR \(PictureUse.event.isOn) OR \(PictureUse.draft.isOn))
                AND \(own.map { "NOT \($0.isOn)" as SQL }.joined(separator: " AND "))
            """
    }

    /// Whether everyone may see the file with that hash, because one of `uses` shows it to visitors without an account.
    static func isForEverybody(_ hash: String, among uses: [PictureUse], in db: Connection) throws -> Bool {
        try isServed(hash, where: uses.map(\.forEverybody), in: db)
    }

    /// Whether a logged-in member may see it, because one of `uses` shows it to them or they uploaded it.
    static func isFor(_ reader: Visitor, _ hash: String, among uses: [PictureUse], in tx: Transaction) throws -> Bool {
        var conditions = uses.map { $0.for(reader) } + ["picture.account_id = \(reader.account)"]
        if reader.editing != reader.account { conditions.append(isOf(reader.editing, at: tx.now)) }
        return try isServed(hash, where: conditions, in: tx)
    }

    private static func isServed(_ hash: String, where conditions: [SQL], in db: Connection) throws -> Bool {
        try db.exists(
            "SELECT 1 FROM picture WHERE picture.hash = \(hash) AND (\(conditions.joined(separator: " OR ")))")
    }
}

extension Picture {
    /// A picture for a post: the member's own, or one of the organization they act for.
    static func find(_ id: ID<Picture>, for member: Visitor, in tx: Transaction) throws -> Picture? {
        let host = member.acting
        guard host != member.account else { return try find(id, of: host, in: tx) }
        return try tx.first(
            """
            SELECT \(columns) FROM picture WHERE picture.id = \(id) AND \(isOf(host, at: tx.now))
            """)
    }
}
