import Database
import Forms

extension Gazetteer {
    /// The location of an address: by its ZIP code in the US, otherwise by town and state, otherwise the largest town
    /// with that name in the country; nil if unknown.
    static func coordinate(of address: Address, in db: Connection) throws -> Coordinate? {
        let key = folded(address.city)
        if address.country == "US" {
            if let found = try zip(String(address.zip.prefix(5)), in: db) { return found.coordinate }
            if let found = try zips(named: key, state: address.state, in: db).first { return found.coordinate }
        }
        return try db.first(
            """
            SELECT latitude, longitude FROM town WHERE name_key = \(key) AND country = \(address.country)
            ORDER BY population DESC LIMIT 1
            """
        )
    }

    /// The time zone of an address: that of its ZIP code or town, otherwise of its country's largest town if that is
    /// among the world's largest; nil if unknown.
    static func zone(of address: Address, in db: Connection) throws -> Zone? {
        let key = folded(address.city)
        var name: String?
        if address.country == "US" {
            name = try db.value("SELECT zone FROM zip WHERE code = \(String(address.zip.prefix(5)))")
            if name == nil {
                name = try db.value(
                    "SELECT zone FROM zip WHERE city_key = \(key) AND state = \(address.state) ORDER BY code LIMIT 1")
            }
        }
        if name == nil {
            name = try db.value(
                """
                SELECT zone FROM town WHERE name_key = \(key) AND country = \(address.country)
                ORDER BY population DESC LIMIT 1
                """)
        }
        if name == nil, address.country != "US" {
            name = try db.value(
                "SELECT zone FROM town WHERE id <= 600 AND country = \(address.country) ORDER BY id LIMIT 1")
        }
        return name.flatMap { Zone(identifier: $0) }
    }

    /// The place meant by a typed text; `country` is the site's.
    static func answer(_ typed: String, country: String, in db: Connection) throws -> Answer {
        if let spot = Coordinate(typed: typed) { return .found(try match(at: spot, in: db), others: []) }
        let wish = Wish(typed)
        let called = try all(called: wish, in: db)
        return answer(
            called.isEmpty
                ? try matches(typed, country: country, in: db) : ranked(called, for: wish.key, country: country),
            for: wish.key, country: country)
    }

    /// A location such as a phone's, with the town it is in or near.
    private static func match(at spot: Coordinate, in db: Connection) throws -> Match {
        let around = try towns(in: Circle(centre: spot, kilometres: 30).box, atMost: 200, in: db)
        let town = around.min { $0.coordinate.distance(to: spot) < $1.coordinate.distance(to: spot) }
        return Match(
            name: town?.name ?? spot.typed, region: town?.region ?? "", country: town?.country ?? "", coordinate: spot,
            population: 0, spot: spot.typed)
    }

    /// The places with exactly this name.
    private static func all(called wish: Wish, in db: Connection) throws -> [Match] {
        guard wish.zip.isEmpty, wish.key.utf8.count > 1 else { return [] }
        let towns = try db.all("SELECT \(columns) FROM town WHERE name_key = \(wish.key) LIMIT 500", read)
            .compactMap(\.self).filter(wish.admits)
        // Within a given state, a name is unique.
        guard towns.isEmpty || wish.region == nil else { return towns }
        return towns + (try small(wish, besides: towns, orLonger: false, in: db))
    }

    /// Towns known only from ZIP codes.
    private static func small(
        _ wish: Wish, besides towns: [Match], orLonger: Bool, in db: Connection
    ) throws -> [Match] {
        let known = Set(towns.map { "\(folded($0.name)) \($0.region)" })
        return try zips(named: wish.key, orLonger: orLonger, state: wish.region, in: db).filter { small in
            !known.contains("\(folded(small.name)) \(small.region)") && wish.admits(small)
        }
    }

    /// Up to ten places that match what was typed so far, the likeliest first.
    static func matches(_ typed: String, country: String, in db: Connection) throws -> [Match] {
        let wish = Wish(typed)
        guard wish.zip.isEmpty else { return try zips(beginningWith: wish.zip, in: db) }
        guard wish.key.utf8.count > 1 else { return [] }
        let towns = try towns(beginningWith: wish.key, in: db)
        let small = try small(wish, besides: towns, orLonger: true, in: db)
        return ranked(towns.filter(wish.admits) + small, for: wish.key, country: country)
    }

    /// The place with exactly this name: a ZIP code, or the largest town with it, preferring the site's country; nil if
    /// there is none.
    static func named(_ typed: String, country: String, in db: Connection) throws -> Match? {
        let wish = Wish(typed)
        guard wish.zip.isEmpty else { return wish.zip.utf8.count == 5 ? try zip(wish.zip, in: db) : nil }
        guard wish.key.utf8.count > 2 else { return nil }
        return try all(called: wish, in: db).max { one, other in
            (one.country == country ? 1 : 0, one.population) < (other.country == country ? 1 : 0, other.population)
        }
    }

    /// A family's address from town and code: in the US, the code determines the state.
    static func address(
        ofFamilyIn city: String, zip code: String, country: String, in db: Connection
    ) throws -> Address {
        let state = country == "US" ? try zip(String(code.prefix(5)), in: db)?.region ?? "" : ""
        return Address(city: city, state: state, zip: code, country: country)
    }

    /// A town: in the US the one of its ZIP code, otherwise the largest with that name in its country.
    static func home(city: String, zip code: String, country: String, in db: Connection) throws -> Home {
        let code = country == "US" ? try zip(String(code.prefix(5)), in: db) : nil
        let name = code?.name ?? city
        let region: SQL = code.map { " AND region = \($0.region)" } ?? ""
        // Asked for on most pages of a family's, and of many families of one town.
        let town: Match? = try db.kept(
            """
            SELECT \(columns) FROM town WHERE name_key = \(folded(name)) AND country = \(country)\(region)
            ORDER BY population DESC LIMIT 1
            """
        ) { try db.first($0, read) ?? nil }
        return Home(
            typed: code.map { "\($0.name), \($0.region)" } ?? "\(city), \(Country.name(of: country))",
            match: town ?? code)
    }

    /// The largest towns in an area, largest first.
    static func towns(in box: Box, atMost limit: Int, in db: Connection) throws -> [Match] {
        // In a large area, the world's largest towns are enough.
        guard box.bands.count <= 24 else {
            return try db.all("SELECT \(columns) FROM town WHERE id <= 600 ORDER BY id LIMIT 600", read)
                .compactMap(\.self).filter { box.contains($0.coordinate) }.prefix(limit).map(\.self)
        }
        var found: [Match] = []
        for band in box.bands {
            for longitudes in box.longitudes {
                found += try db.all(
                    """
                    SELECT \(columns) FROM town
                    WHERE band = \(band) AND longitude BETWEEN \(longitudes.lowerBound) AND \(longitudes.upperBound)
                    LIMIT 1000
                    """, read
                )
            }
        }
        return found.sorted { $0.population > $1.population }.prefix(limit).map(\.self)
    }

    // MARK: Towns

    private static let columns: SQL = "name, region, country, latitude, longitude, population"

    private static func read(_ row: inout Row) throws -> Match {
        let (name, region, country): (String, String, String) = (try row.next(), try row.next(), try row.next())
        return Match(
            name: name, region: country == "US" ? region : "", country: country, coordinate: try row.next(),
            population: try row.next())
    }

    private static func towns(beginningWith key: String, in db: Connection) throws -> [Match] {
        try db.all(
            """
            SELECT \(columns) FROM town WHERE name_key >= \(key) AND name_key < \(key + "\u{10FFFF}") LIMIT 3000
            """, read
        )
    }

    // MARK: ZIP codes

    private static func zip(_ code: String, in db: Connection) throws -> Match? {
        try db.kept("SELECT city, state, code, latitude, longitude FROM zip WHERE code = \(code)") {
            try db.first($0, readZIP)
        }
    }

    private static func zips(beginningWith digits: String, in db: Connection) throws -> [Match] {
        try db.all(
            """
            SELECT city, state, code, latitude, longitude FROM zip
            WHERE code >= \(digits) AND code < \(digits + ":") ORDER BY code LIMIT 10
            """, readZIP
        )
    }

    private static func readZIP(_ row: inout Row) throws -> Match {
        Match(
            name: try row.next(), region: try row.next(), country: "US", zip: try row.next(),
            coordinate: try row.next(), population: 1_000)
    }

    /// The towns that ZIP codes belong to, each at the center of its codes.
    private static func zips(
        named key: String, orLonger: Bool = false, state: String?, in db: Connection
    ) throws -> [Match] {
        let end = orLonger ? key + "\u{10FFFF}" : key + "\u{1}"
        let all = try db.all(
            """
            SELECT city, state, code, latitude, longitude FROM zip WHERE city_key >= \(key) AND city_key < \(end)
            ORDER BY city_key, state, code LIMIT 2000
            """, readZIP
        )
        var towns: [Match] = []
        var rest = all[...]
        while let first = rest.first {
            let same = rest.prefix { $0.name == first.name && $0.region == first.region }
            rest = rest[same.endIndex...]
            guard state.map({ $0 == first.region }) ?? true,
                let middle = Coordinate(
                    latitude: same.reduce(0) { $0 + $1.coordinate.latitude } / Double(same.count),
                    longitude: same.reduce(0) { $0 + $1.coordinate.longitude } / Double(same.count))
            else { continue }
            towns.append(
                Match(
                    name: first.name, region: first.region, country: "US", coordinate: middle,
                    population: 1_000 * same.count))
        }
        return towns
    }
}

// MARK: - Filling

extension Gazetteer {
    /// Replaces the towns and ZIP codes with those of an edition; does nothing if it is already loaded.
    static func fill(_ edition: GazetteerFiles, in db: Connection) throws {
        // The names are stored folded.
        let name = "\(edition.name) \(SearchWords.edition)"
        guard try Note.value("gazetteer", in: db) != name else { return }
        try db.execute("DELETE FROM town")
        try db.execute("DELETE FROM zip")
        let towns = try edition.towns
        for (rank, line) in towns.enumerated() { try insert(line, rank: rank + 1, in: db) }
        try insertOtherNames(of: towns, in: db)
        for line in try edition.zips { try insert(line, in: db) }
        try Note.set("gazetteer", name, in: db)
    }

    /// Inserts the other names of the towns, behind all of them. They are found by name only: a map shows a town once.
    static func insertOtherNames(of towns: [[String]], in db: Connection) throws {
        var rank = towns.count
        // The list begins with the largest, which is meant where two in a country have one name.
        var seen: Set<String> = []
        for town in towns where town.count == 7 && seen.insert("\(town[1]) \(town[0])").inserted {
            for other in TownNames.others(of: town[0], in: town[1]) {
                rank += 1
                try insert([other.name] + town.dropFirst(), key: other.key, rank: rank, in: db)
            }
        }
    }

    /// Inserts a line of `name,country,region,lat,lon,population,timezone`.
    ///
    /// - Parameter key: What another name of a town is found by; nil for a town itself.
    static func insert(_ town: [String], key: String? = nil, rank: Int, in db: Connection) throws {
        guard town.count == 7, let latitude = Double(town[3]), let longitude = Double(town[4]),
            let population = Int(town[5]), let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { throw GazetteerFiles.Unreadable() }
        try db.execute(
            """
            INSERT INTO town (id, name_key, name, region, country, latitude, longitude, zone, population, band)
            VALUES (\(rank), \(key ?? folded(town[0])), \(town[0]), \(town[2]), \(town[1]), \(coordinate.latitude),
                \(coordinate.longitude), \(town[6]), \(population), \(key == nil ? coordinate.band : nowhere))
            """)
    }

    /// A band that no area has.
    private static let nowhere = -1_000_000

    /// Inserts a line of `zip,city,state,lat,lon,timezone`.
    static func insert(_ zip: [String], in db: Connection) throws {
        guard zip.count == 6, let latitude = Double(zip[3]), let longitude = Double(zip[4]),
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { throw GazetteerFiles.Unreadable() }
        try db.execute(
            """
            INSERT INTO zip (code, city, city_key, state, latitude, longitude, zone)
            VALUES (\(zip[0]), \(zip[1]), \(folded(zip[1])), \(zip[2]), \(coordinate.latitude), \(coordinate.longitude),
                \(zip[5]))
            """)
    }
}
