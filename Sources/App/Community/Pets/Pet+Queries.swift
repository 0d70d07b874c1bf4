import Database

extension Pet.Kind: SQLValue {}
extension Pet.Sex: SQLValue {}
extension Pet.Size: SQLValue {}
extension Pet.Energy: SQLValue {}
extension Pet.Known: SQLValue {}

extension Cell: SQLValue {
    static var kind: SQL.Kind { .integer }
    var sqlValue: SQL.Value { .integer(Int64(number)) }
    init(column: borrowing Column) throws { self.init(number: try Int(column: column)) }
}

extension Reach: SQLValue {}

extension Pet.Traits: RowDecodable {
    static let columns: Columns = [
        "pet.type", "pet.word", "pet.sex", "pet.born", "pet.knows_month", "pet.size", "pet.energy", "pet.neutered",
        "pet.vaccinated", "pet.children", "pet.dogs", "pet.cats",
    ]

    init(row: inout Row) throws {
        self.init(
            kind: try row.next(), word: try row.next(), sex: try row.next(), born: try row.next(),
            knowsMonth: try row.next(), size: try row.next(), energy: try row.next(), neutered: try row.next(),
            vaccinated: try row.next(), children: try row.next(), dogs: try row.next(), cats: try row.next())
    }

    fileprivate var stored: Assignments {
        [
            "type": kind, "word": word, "sex": sex, "born": born, "knows_month": knowsMonth, "size": size,
            "energy": energy, "neutered": neutered, "vaccinated": vaccinated, "children": children, "dogs": dogs,
            "cats": cats,
        ]
    }
}

extension Pet.Wishes: RowDecodable {
    static let columns: Columns = [
        "pet.wants_type", "pet.wants_size", "pet.wants_sex", "pet.wants_energy", "pet.wants_age_from",
        "pet.wants_age_to", "pet.within",
    ]

    init(row: inout Row) throws {
        let (kinds, sizes, sexes, energies): (Int, Int, Int, Int) =
            (try row.next(), try row.next(), try row.next(), try row.next())
        let (from, to): (Int, Int) = (try row.next(), try row.next())
        self.init(
            kinds: .init(Pet.Kind.of(bits: kinds)), sizes: Pet.Size.of(bits: sizes), sexes: Pet.Sex.of(bits: sexes),
            energies: Pet.Energy.of(bits: energies), ages: from...max(from, to), within: try row.next())
    }

    fileprivate var stored: Assignments {
        [
            "wants_type": kinds.bits, "wants_size": sizes.bits, "wants_sex": sexes.bits,
            "wants_energy": energies.bits, "wants_age_from": ages.lowerBound, "wants_age_to": ages.upperBound,
            "within": within,
        ]
    }
}

extension Pet: RowDecodable {
    static let columns: Columns =
        ["pet.id", "pet.account_id", "pet.name"] + Traits.columns + Wishes.columns + [
            "pet.bio", "pet.cell", "pet.is_paused", "pet.hidden_at IS NOT NULL", "pet.created_at",
        ]

    init(row: inout Row) throws {
        self.init(
            id: try row.next(), account: try row.next(), name: try row.next(), traits: try row.next(),
            wishes: try row.next(),
            bio: (try row.next() as String).split(separator: "\n").map(String.init), cell: try row.next(),
            isPaused: try row.next(), isHidden: try row.next(), createdAt: try row.next())
    }
}

extension Pet {
    // MARK: One's own pets

    /// An account's pets, with their pictures.
    static func all(of account: ID<Account>, in db: Connection) throws -> [Pet] {
        try illustrated(
            db.all("SELECT \(columns) FROM pet WHERE account_id = \(account) ORDER BY id LIMIT \(most)"), in: db)
    }

    static func find(_ id: ID<Pet>, of account: ID<Account>, in db: Connection) throws -> Pet? {
        try illustrated(
            db.all("SELECT \(columns) FROM pet WHERE id = \(id) AND account_id = \(account) LIMIT 1"), in: db
        ).first
    }

    /// A pet, for any reader.
    static func find(_ id: ID<Pet>, in db: Connection) throws -> Pet? {
        try illustrated(db.all("SELECT \(columns) FROM pet WHERE id = \(id) LIMIT 1"), in: db).first
    }

    /// Several pets with their pictures, at most a page of them.
    static func all(_ ids: [ID<Pet>], in db: Connection) throws -> [ID<Pet>: Pet] {
        guard !ids.isEmpty else { return [:] }
        let list = ids.prefix(64).padded(to: 64)
        let pets: [Pet] = try db.all("SELECT \(columns) FROM pet WHERE id IN \(list: list) LIMIT 64")
        let shown = try illustrated(pets, in: db)
        return Dictionary(shown.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private static func illustrated(_ pets: [Pet], in db: Connection) throws -> [Pet] {
        guard !pets.isEmpty else { return [] }
        let ids = pets.map(\.id).padded(to: pets.count > 1 ? 64 : 1)
        var pictures: [ID<Pet>: [Picture]] = [:]
        try db.each(
            """
            SELECT pet_picture.pet_id, \(Picture.columns) FROM pet_picture
            JOIN picture ON picture.id = pet_picture.picture_id
            WHERE pet_picture.pet_id IN \(list: ids) ORDER BY pet_picture.pet_id, pet_picture.place LIMIT 576
            """
        ) { row in
            pictures[try row.next(), default: []].append(try row.next())
            return true
        }
        return pets.map { pet in
            var pet = pet
            pet.pictures = pictures[pet.id] ?? []
            return pet
        }
    }

    /// The maximum number is reached.
    struct TooMany: Error {}

    /// Adds a pet, only once if its form is sent repeatedly. It lives where its owner does.
    ///
    /// - Throws: `TooMany`; `Refusal.notFound` if there is no owner's profile.
    static func insert(
        _ form: PetForm, of account: ID<Account>, once: String, on today: Day, in tx: Transaction
    ) throws -> ID<Pet> {
        if let sent: ID<Pet> = try tx.value("SELECT id FROM pet WHERE account_id = \(account) AND once = \(once)") {
            return sent
        }
        guard let owner = try Owner.find(account, in: tx) else { throw Refusal.notFound }
        let count = try tx.value("SELECT count(*) FROM pet WHERE account_id = \(account)") ?? 0
        guard count < most else { throw TooMany() }
        let own: Assignments = [
            "account_id": account, "name": form.name, "bio": form.lines.joined(separator: "\n"), "cell": owner.cell,
            "is_paused": form.isPaused, "once": once, "created_at": tx.now,
        ]
        return ID(try tx.insert("INSERT INTO pet \(values: own + form.traits(on: today).stored + form.wishes.stored)"))
    }

    /// Changes a part of a pet's profile and nothing else.
    ///
    /// - Throws: `Refusal.notFound` if it is somebody else's.
    static func update(
        _ part: PetPart, of id: ID<Pet>, _ form: PetForm, by account: ID<Account>, on today: Day, in tx: Transaction
    ) throws {
        let stored = part.stored(form, on: today)
        let count = try tx.execute("UPDATE pet SET \(set: stored) WHERE id = \(id) AND account_id = \(account)")
        guard count == 1 else { throw Refusal.notFound }
        try Decision.wasChanged(Pet.self, id, in: tx)
    }

    /// Extends the distance a pet's owner would travel.
    static func widen(_ id: ID<Pet>, to reach: Reach, of account: ID<Account>, in db: Connection) throws {
        try db.execute("UPDATE pet SET within = \(reach) WHERE id = \(id) AND account_id = \(account)")
    }

    /// Sets a pet's pictures, in this order.
    static func put(_ pictures: [Picture], to id: ID<Pet>, of account: ID<Account>, in db: Connection) throws {
        guard try db.exists("SELECT 1 FROM pet WHERE id = \(id) AND account_id = \(account)") else {
            throw Refusal.notFound
        }
        try db.execute("DELETE FROM pet_picture WHERE pet_id = \(id)")
        for (index, picture) in pictures.prefix(mostPictures).enumerated() {
            try Picture.describe(picture, in: db)
            try db.execute(
                "INSERT INTO pet_picture (pet_id, place, picture_id) VALUES (\(id), \(index + 1), \(picture.id))")
        }
    }

    /// Erases a pet with its matches and their messages, for both sides.
    static func delete(_ id: ID<Pet>, of account: ID<Account>, in tx: Transaction) throws {
        guard try tx.exists("SELECT 1 FROM pet WHERE id = \(id) AND account_id = \(account)") else {
            throw Refusal.notFound
        }
        try PetMatch.forget(of: id, in: tx)
        try tx.execute("DELETE FROM pet WHERE id = \(id)")
        try Decision.settle(.pet(id), in: tx)
    }

    /// An account's number of pets.
    static func count(of account: ID<Account>, in db: Connection) throws -> Int {
        try db.value("SELECT count(*) FROM pet WHERE account_id = \(account)") ?? 0
    }
}

extension Owner {
    static func find(_ account: ID<Account>, in db: Connection) throws -> Owner? {
        try db.first(
            """
            SELECT owner.account_id, owner.name, owner.birth_year, owner.city, owner.zip, owner.country, owner.cell,
                owner.phone, owner.email, owner.other, owner.shows_reads, \(Picture.columns)
            FROM owner LEFT JOIN picture ON picture.id = owner.picture_id WHERE owner.account_id = \(account)
            """
        ) { row in
            Owner(
                account: try row.next(), name: try row.next(), birthYear: try row.next(), city: try row.next(),
                zip: try row.next(), country: try row.next(), cell: try row.next(),
                contact: Contact(phone: try row.next(), email: try row.next(), other: try row.next()),
                showsReads: try row.next(), picture: try row.next())
        }
    }

    static func exists(_ account: ID<Account>, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM owner WHERE account_id = \(account)")
    }

    /// Stores an owner's profile; if the cell changes, all of their pets move there.
    ///
    /// - Parameter picture: A new picture; nil keeps the current one.
    /// - Throws: `TooManyMoves`.
    static func save(
        _ form: OwnerForm, at cell: Cell, picture: ID<Picture>?, of account: ID<Account>, in tx: Transaction
    ) throws {
        let stored: Assignments = [
            "name": form.name, "birth_year": form.birthYear, "city": form.city, "zip": form.zip,
            "country": form.country, "phone": form.phone, "email": form.email, "other": form.other,
            "shows_reads": form.showsReads,
        ]
        if let before: Cell = try tx.value("SELECT cell FROM owner WHERE account_id = \(account)") {
            if before != cell { try move(account, to: cell, in: tx) }
            try tx.execute("UPDATE owner SET \(set: stored) WHERE account_id = \(account)")
        } else {
            let own: Assignments = ["account_id": account, "cell": cell, "created_at": tx.now]
            try tx.execute("INSERT INTO owner \(values: own + stored)")
            try comeBack(account, in: tx)
        }
        if let picture {
            try tx.execute("UPDATE owner SET picture_id = \(picture) WHERE account_id = \(account)")
        }
    }

    /// Changes a part of an owner's profile and nothing else.
    ///
    /// - Parameters:
    ///   - cell: The new location, if the form contains it.
    ///   - picture: The uploaded picture.
    /// - Throws: `TooManyMoves`; `Refusal.notFound` if the member isn't an owner.
    static func update(
        _ part: OwnerPart, _ form: OwnerForm, at cell: Cell?, picture: ID<Picture>?, of account: ID<Account>,
        in tx: Transaction
    ) throws {
        guard let owner = try find(account, in: tx) else { throw Refusal.notFound }
        if let cell, cell != owner.cell { try move(account, to: cell, in: tx) }
        let stored = part.stored(form, picture: picture)
        try tx.execute("UPDATE owner SET \(set: stored) WHERE account_id = \(account)")
    }

    /// Erases an owner's profile with all pets and matches. The recent numbers of moves and hellos are kept for a
    /// while, so that leaving and returning doesn't evade the limits.
    ///
    /// - Throws: `Refusal.notFound` if the member isn't an owner.
    static func leave(_ account: ID<Account>, in tx: Transaction) throws {
        guard try exists(account, in: tx) else { throw Refusal.notFound }
        try PetMatch.forget(by: account, in: tx)
        try tx.execute(
            """
            INSERT INTO former_owner (account_id, moved_at, moved_before, moved_first, hellos, hellos_on, at)
            SELECT account_id, moved_at, moved_before, moved_first, hellos, hellos_on, \(tx.now) FROM owner
            WHERE account_id = \(account)
            """)
        try tx.execute("DELETE FROM owner WHERE account_id = \(account)")
    }

    /// Continues the counts of moves and hellos after an owner returns; returning counts as a move.
    private static func comeBack(_ account: ID<Account>, in tx: Transaction) throws {
        let last: (Instant?, Instant?, Instant?)? = try tx.first(
            "SELECT moved_at, moved_before, moved_first FROM former_owner WHERE account_id = \(account)"
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        guard let (latest, before, first) = last else { return }
        if let first, first > tx.now - movesWithin { throw TooManyMoves() }
        try tx.execute(
            """
            UPDATE owner SET moved_at = \(tx.now), moved_before = \(latest), moved_first = \(before),
                hellos = (SELECT hellos FROM former_owner WHERE former_owner.account_id = owner.account_id),
                hellos_on = (SELECT hellos_on FROM former_owner WHERE former_owner.account_id = owner.account_id)
            WHERE account_id = \(account)
            """)
        try tx.execute("DELETE FROM former_owner WHERE account_id = \(account)")
    }

    /// Erases the counts of owners who left a while ago.
    static func eraseOld(in tx: Transaction) throws -> Int {
        try tx.execute("DELETE FROM former_owner WHERE at < \(tx.now - movesWithin)")
    }

    private static func move(_ account: ID<Account>, to cell: Cell, in tx: Transaction) throws {
        let count = try tx.execute(
            """
            UPDATE owner SET cell = \(cell), moved_first = moved_before, moved_before = moved_at, moved_at = \(tx.now)
            WHERE account_id = \(account) AND (moved_first IS NULL OR moved_first <= \(tx.now - movesWithin))
            """)
        guard count == 1 else { throw TooManyMoves() }
        try tx.execute("UPDATE pet SET cell = \(cell) WHERE account_id = \(account)")
    }

    // MARK: Hellos per day

    /// Counts one of the day's hellos.
    ///
    /// - Throws: `TooManyHellos`.
    static func countHello(of account: ID<Account>, on day: Day, in tx: Transaction) throws {
        let isNew = try tx.exists(
            "SELECT 1 FROM account WHERE id = \(account) AND created_at > \(tx.now - Message.trial)")
        let most = isNew ? hellosOfNew : hellos
        let count = try tx.execute(
            """
            UPDATE owner SET hellos = CASE WHEN hellos_on = \(day) THEN hellos + 1 ELSE 1 END, hellos_on = \(day)
            WHERE account_id = \(account) AND (hellos_on IS NULL OR hellos_on <> \(day) OR hellos < \(most))
            """)
        guard count == 1 else { throw TooManyHellos(most: most) }
    }

    /// Uncounts a hello that was undone on its day.
    static func giveBackHello(of account: ID<Account>, on day: Day, in db: Connection) throws {
        try db.execute(
            """
            UPDATE owner SET hellos = hellos - 1
            WHERE account_id = \(account) AND hellos_on = \(day) AND hellos > 0
            """)
    }
}

extension PetPart {
    /// The columns of a pet's own.
    fileprivate func stored(_ form: PetForm, on today: Day) -> Assignments {
        let (traits, wishes) = (form.traits(on: today), form.wishes)
        return switch self {
        case .name: ["name": form.name]
        case .type: ["type": traits.kind, "word": traits.word]
        case .sex: ["sex": traits.sex]
        case .age: ["born": traits.born, "knows_month": traits.knowsMonth]
        case .size: ["size": traits.size]
        case .energy: ["energy": traits.energy]
        case .vaccinated: ["vaccinated": traits.vaccinated]
        case .neutered: ["neutered": traits.neutered]
        case .children: ["children": traits.children]
        case .dogs: ["dogs": traits.dogs]
        case .cats: ["cats": traits.cats]
        case .bio: ["bio": form.lines.joined(separator: "\n")]
        case .wantedTypes: ["wants_type": wishes.kinds.bits]
        case .wantedSizes: ["wants_size": wishes.sizes.bits]
        case .wantedSexes: ["wants_sex": wishes.sexes.bits]
        case .wantedEnergies: ["wants_energy": wishes.energies.bits]
        case .wantedAges: ["wants_age_from": wishes.ages.lowerBound, "wants_age_to": wishes.ages.upperBound]
        case .within: ["within": wishes.within]
        case .pause: ["is_paused": form.isPaused]
        }
    }
}

extension OwnerPart {
    /// The columns of an owner's own.
    fileprivate func stored(_ form: OwnerForm, picture: ID<Picture>?) -> Assignments {
        switch self {
        case .name: ["name": form.name]
        case .age: ["birth_year": form.birthYear]
        case .area: ["city": form.city, "zip": form.zip, "country": form.country]
        case .picture: ["picture_id": picture]
        case .phone: ["phone": form.phone]
        case .email: ["email": form.email]
        case .other: ["other": form.other]
        case .reads: ["shows_reads": form.showsReads]
        }
    }
}
