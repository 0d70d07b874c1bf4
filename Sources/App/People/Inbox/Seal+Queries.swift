import Database

extension Seal {
    /// The seal of this site; nil before it sealed anything.
    init?(in db: Connection) throws {
        guard let key = try Note.value("seal", in: db) else { return nil }
        self.init(key: key)
    }

    /// The seal of this site, made when it is needed first.
    static func make(in db: Connection) throws -> Seal {
        if let seal = try Seal(in: db) { return seal }
        let key = Token().text
        try Note.set("seal", key, in: db)
        return Seal(key: key)!
    }
}
