import Database

extension Pet: Reportable {
    static var kind: Subject.Kind { .pet }
    static var rows: (table: SQL, number: SQL) { ("pet", "id") }

    /// A pet is seen in members' cards, by its owner, and by its matches, even after they have ended.
    static func isShown(_ id: ID<Pet>, _ exhibit: Exhibit, to reader: Visitor?, in db: Connection) throws -> Bool {
        guard let reader else { return false }
        if try reader.account == exhibit.author.account || PetMatch.has(reader.account, with: id, in: db) {
            return true
        }
        return try db.exists(
            """
            SELECT 1 FROM pet JOIN account ON account.id = pet.account_id
            WHERE pet.id = \(id) AND pet.hidden_at IS NULL AND pet.is_paused = FALSE
                AND account.suspended_at IS NULL AND NOT \(Block.hides("pet.account_id", from: reader.account))
            """)
    }

    /// What staff see of it; nil if it is gone.
    static func exhibit(_ id: ID<Pet>, in db: Connection) throws -> Exhibit? {
        guard let pet = try Pet.find(id, in: db), let author = try Author.find(pet.account, in: db) else {
            return nil
        }
        var exhibit = Exhibit(
            subject: .pet(id), author: author, text: Exhibit.joined([pet.name, pet.traits.word] + pet.bio),
            link: .playdates)
        exhibit.editPage = pet.edit
        exhibit.pictures = pet.pictures
        exhibit.isHidden = pet.isHidden
        // Messages are read by the two owners of the matched pets.
        if let owner = try Owner.find(pet.account, in: db) {
            exhibit.aside = Exhibit.joined([owner.name, owner.contact.other ?? ""])
        }
        return exhibit
    }
}
