import Database

extension Seal {
    /// The site's seal; nil if it hasn't been needed yet.
    init?(in db: Connection) throws {
        guard let key = try Note.value("seal", in: db) else { return nil }
        self.init(key: key)
    }

    /// The site's seal, created when first needed.
    static func make(in db: Connection) throws -> Seal {
        if let seal = try Seal(in: db) { return seal }
        let key = Token().text
        try Note.set("seal", key, in: db)
        return Seal(key: key)!
    }
}
