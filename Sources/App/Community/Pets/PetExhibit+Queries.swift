import Database

extension Pet {
    /// What staff see of it; nil if it is gone.
    static func exhibit(_ id: ID<Pet>, in db: Connection) throws -> Exhibit? {
        guard let pet = try Pet.find(id, in: db), let author = try Author.find(pet.account, in: db) else {
            return nil
        }
        var exhibit = Exhibit(
            subject: .pet(id), author: author, text: Exhibit.joined([pet.name, pet.traits.word] + pet.bio),
            link: .playdates)
        exhibit.pictures = pet.pictures
        exhibit.isHidden = pet.isHidden
        // Messages are read by the two owners of the matched pets.
        if let owner = try Owner.find(pet.account, in: db) {
            exhibit.aside = Exhibit.joined([owner.name, owner.contact.other ?? ""])
        }
        return exhibit
    }
}
