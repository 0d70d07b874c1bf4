import Database
import FoundationEssentials

/// One of a site's two databases: a file in the data folder, or a schema of a server's database.
struct Store {
    /// Its file in the data folder.
    let file: String
    private let schema: String
    private let migrations: [Migration]
    private let application: Int32

    /// Everything people write.
    static let site = Store(
        file: Site.file, schema: "public", migrations: Schema.migrations, application: Schema.application)
    /// People's pictures.
    static let media = Store(
        file: Media.file, schema: "media", migrations: Schema.media, application: Schema.applicationOfMedia)

    private func server(_ url: String) -> Database.Server { Database.Server(url, schema: schema) }

    /// Opens it for writing. A file gets the migrations it lacks; a server's database must have them all.
    ///
    /// - Throws: ``Database/DatabaseError``.
    func open(_ settings: Settings, _ options: Database.Options) throws -> Database {
        guard let url = settings.databaseURL else {
            return try Database(
                at: settings.data + file, migrations: migrations, application: application, options: options)
        }
        return try Database(on: server(url), migrations: migrations, application: application, options: options)
    }

    /// Opens it for reading, whether or not the site is running. Refuses an empty or foreign file.
    ///
    /// - Returns: Nil if there is no such file.
    /// - Throws: ``Database/DatabaseError``.
    func openToRead(_ settings: Settings, _ options: Database.Options = .init()) throws -> Database? {
        guard let url = settings.databaseURL else {
            let path = settings.data + file
            guard fileSize(at: path) != nil else { return nil }
            try Database.identify(path, migrations: migrations, application: application)
            return try Database(reading: path, options: options)
        }
        return try Database(
            on: server(url), migrations: migrations, application: application, isReadOnly: true, options: options)
    }

    /// Applies the migrations that a server's database lacks.
    ///
    /// - Throws: ``Database/DatabaseError``.
    func migrate(on url: String) throws { try Database.migrate(server(url), migrations) }

    /// A plan for copying a file's data into a server's database.
    ///
    /// - Parameter isOwned: Whether the file is a site's live database, not a backup.
    func move(from path: String, to url: String, isOwned: Bool) -> Database.Move {
        Database.Move(
            from: path, to: server(url), migrations: migrations, application: application, isOwned: isOwned)
    }
}

extension Site {
    /// Whether there is something to open. On a server, only opening tells.
    package static func isThere(_ settings: Settings) -> Bool {
        settings.databaseURL != nil || fileSize(at: settings.data + file) != nil
    }

    /// Applies missing migrations on a server, as the owner of the tables.
    ///
    /// - Returns: Whether the data is on a server. Files are migrated when they are opened.
    /// - Throws: ``Database/DatabaseError``.
    package static func migrate(_ settings: Settings) throws -> Bool {
        guard let url = settings.databaseURL else { return false }
        for store in [Store.site, .media] { try store.migrate(on: url) }
        return true
    }

    /// The result of moving a town to a server.
    package struct Moved: Sendable {
        /// How many rows were copied.
        package let rows: Int
        /// Whether there were pictures.
        package let hasPictures: Bool
        /// Whether the key for private addresses was copied; a backup doesn't contain it.
        package let hasKey: Bool
        /// The names of other files that stay in the data folder, such as backups; empty for a backup.
        package let staying: [String]
    }

    /// Copies a town from files to a server, whose tables must exist and be empty. The data folder's key becomes the
    /// key of all nodes.
    ///
    /// - Parameters:
    ///   - origin: A data folder, or a backup with its pictures beside it.
    ///   - dryRun: Whether everything is rolled back at the end.
    /// - Returns: Nil if the settings name no server.
    /// - Throws: ``Database/DatabaseError``, ``Database/Database/SourceError``; then nothing has changed, unless the
    ///   connection was lost at the very end.
    package static func move(from origin: String, to settings: Settings, dryRun: Bool) throws -> Moved? {
        guard let url = settings.databaseURL else { return nil }
        let isFolder = fileSize(at: origin + file) != nil
        let pictures = isFolder ? origin + Media.file : Media.path(besides: origin)
        let hasPictures = fileSize(at: pictures) != nil
        var moves = [Store.site.move(from: isFolder ? origin + file : origin, to: url, isOwned: isFolder)]
        if hasPictures { moves.append(Store.media.move(from: pictures, to: url, isOwned: isFolder)) }
        let key = isFolder ? SiteKey(keptIn: origin) : nil
        let secrets = key.map { [SiteKey.file: $0.text] } ?? [:]
        let rows = try Database.move(moves, secrets: secrets, dryRun: dryRun) { db in try Account.exists(in: db) }
        guard let rows else { throw DatabaseError.unsuitable("it already holds a town") }
        return Moved(
            rows: rows, hasPictures: hasPictures, hasKey: key != nil, staying: isFolder ? others(in: origin) : [])
    }

    /// The names in a data folder, without the two databases and their companions, the key, and empty folders.
    private static func others(in folder: String) -> [String] {
        let files = FileManager.default
        let moved = [file, Media.file].map { String($0.dropFirst()) }
        return ((try? files.contentsOfDirectory(atPath: folder)) ?? []).sorted().filter { name in
            guard name != SiteKey.file, !moved.contains(where: { name.hasPrefix($0) }) else { return false }
            let path = "\(folder)/\(name)"
            return (try? files.contentsOfDirectory(atPath: path)).map { !$0.isEmpty } ?? true
        }
    }

    /// Makes sure that the data is in only one place.
    ///
    /// - Throws: ``Database/DatabaseError/unsuitable(_:)`` if there is a server's database and also a file in the data
    ///   folder.
    static func requireOnePlace(_ settings: Settings) throws {
        guard settings.databaseURL != nil, fileSize(at: settings.data + file) ?? 0 > 0 else { return }
        throw DatabaseError.unsuitable(
            """
            there is a town in \(settings.data)\(file), and VILLAGE_DATABASE_URL names another place: move the file \
            away, or take the setting out
            """)
    }
}

extension Settings {
    /// The location of the data for messages: the folder, or the server's address without its secrets.
    package var place: String { databaseURL.flatMap(Database.Server.plainAddress) ?? data }
}
