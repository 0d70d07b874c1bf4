import Database
import FoundationEssentials

// Moving a town to or from another program.

extension Site {
    /// The result of an export.
    package struct Exported: Sendable {
        package let rows: Int
        package let pictures: Int
    }

    /// Exports all public data into a folder, as of one moment; the site may be running.
    ///
    /// - Parameter withAddresses: Whether to include members' e-mail addresses.
    /// - Throws: `TownProblem`; ``Database/DatabaseError``; a file error. No folder is left then.
    package static func export(
        _ settings: Settings, to name: String, withAddresses: Bool
    ) async throws -> Exported {
        var options = Database.Options()
        // Nobody waits for it, and a large town takes a while.
        options.slowReadLimit = .seconds(3_600)
        guard let database = try Store.site.openToRead(settings, options) else {
            throw DatabaseError.unopenable(file)
        }
        defer { database.close() }
        var folder = try TownFolder.begin(for: name)
        do {
            let exported = try await fill(&folder, from: database, settings, withAddresses: withAddresses)
            try folder.keep(as: name)
            return exported
        } catch {
            folder.discard()
            throw error
        }
    }

    private static func fill(
        _ folder: inout TownFolder, from database: Database, _ settings: Settings, withAddresses: Bool
    ) async throws -> Exported {
        let calendar = EventCalendar(
            name: settings.publicHost, site: settings.publicURL, host: settings.publicHost,
            language: Language(nil, country: settings.country), entries: [])
        let (filled, parts, hashes) = try await database.readSlowly { [folder] db in
            var folder = folder
            let parts = try TownTable.all.map {
                try TownPart.write($0, to: &folder, withAddresses: withAddresses, in: db)
            }
            try write(calendar, to: &folder, in: db)
            return (folder, parts, try TownPart.pictures(in: db))
        }
        folder = filled
        let count = try write(hashes, to: &folder, settings)
        let format = "{\"format\":\(TownContent.format),\"program\":\"village \(version)\"}\n"
        try folder.write(Array(format.utf8), to: TownFolder.format)
        let readme = TownReadme(parts: parts, withAddresses: withAddresses).text
        try folder.write(Array(readme.utf8), to: TownFolder.readme)
        return Exported(rows: parts.reduce(0) { $0 + $1.count }, pictures: count)
    }

    /// Writes the calendar of all exported events, a few at a time.
    private static func write(_ calendar: EventCalendar, to folder: inout TownFolder, in db: Connection) throws {
        let (ids, spans) = try TownPart.events(in: db)
        let file = try folder.file(TownFolder.calendar)
        try file.add(calendar.head(spans))
        for start in stride(from: 0, to: ids.count, by: 1_000) {
            let events = try Event.all(Array(ids[start..<min(start + 1_000, ids.count)]), in: db)
            try file.add(calendar.lines(of: events.map { EventCalendar.Entry($0) }))
        }
        try file.add(EventCalendar.end)
        try folder.end(file)
    }

    /// Writes the pictures after the rows, so that all pictures in the rows exist.
    private static func write(_ hashes: [String], to folder: inout TownFolder, _ settings: Settings) throws -> Int {
        guard let pictures = try Store.media.openToRead(settings) else { return 0 }
        defer { pictures.close() }
        var count = 0
        for hash in hashes {
            var isThere = false
            for size in Picture.Size.allCases {
                let bytes = try pictures.read { db in try Media.Entry.bytes(hash, size, in: db) }
                guard let bytes else { continue }
                try folder.write(bytes, to: TownFolder.picture(hash, size))
                isThere = true
            }
            if isThere { count += 1 }
        }
        return count
    }

    /// The result of an import.
    package struct Imported: Sendable {
        package let rows: Int
        package let pictures: Int
        /// Members who can't log in until they choose a password, and how many of them have no address.
        package let members: Int
        package let membersWithoutAddress: Int
    }

    /// Imports a town from a folder into this empty site.
    ///
    /// - Parameter dryRun: Whether everything is rolled back at the end.
    /// - Throws: `TownProblem`; ``Database/DatabaseError``. Nothing is imported then.
    package func importTown(from path: String, dryRun: Bool) async throws -> Imported {
        if let table = try read({ db in try TownContent.firstTaken(in: db) }) {
            throw TownProblem("This site isn't empty: its table \(table) holds something. Nothing was imported.")
        }
        let folder = try TownFolder.open(path)
        let content = try TownContent(of: folder)
        let now = now
        var pictures = 0
        var new: [String] = []
        let stored: TownContent.Stored
        do {
            pictures = try await takePictures(of: content, dryRun: dryRun, noting: &new)
            stored = try await write(at: now) { tx in
                let stored = try content.store(in: tx)
                if dryRun { throw Tried(stored: stored) }
                return stored
            }
        } catch let tried as Tried {
            stored = tried.stored
        } catch {
            _ = try await media.database.write { [new] db in
                try Media.Entry.delete(new, storedBefore: now + .seconds(1), in: db)
            }
            throw error
        }
        if !dryRun { try goOn() }
        return Imported(
            rows: stored.rows, pictures: pictures, members: stored.members,
            membersWithoutAddress: stored.membersWithoutAddress)
    }

    /// A successful dry run, to be rolled back.
    private struct Tried: Error {
        let stored: TownContent.Stored
    }

    /// Puts the imported settings into force.
    private func goOn() throws {
        try use(read { db in try Town(in: db) })
        try use(read { db in try Opening(in: db) })
    }

    /// Stores the pictures as they are, under the hash of their original files, which the folder doesn't contain: new
    /// hashes would change their addresses. Each must be a still WebP of one of the site's sizes, and only the chunks
    /// with the picture are stored.
    ///
    /// - Parameter new: Receives the hashes of pictures that didn't exist before.
    /// - Returns: The number of pictures.
    private func takePictures(of content: TownContent, dryRun: Bool, noting new: inout [String]) async throws -> Int {
        let now = now
        guard let table = TownTable.all.first(where: { $0.name.description == "picture" }) else { return 0 }
        let names = table.written.map(\.name.description)
        var rows = try content.rows(of: table)
        // Several rows may show one picture.
        var seen: Set<String> = []
        while let row = try rows.next() {
            let values = Dictionary(zip(names, row.values), uniquingKeysWith: { first, _ in first })
            guard case .text(let hash)? = values["hash"], case .integer(let width)? = values["width"],
                case .integer(let height)? = values["height"], !seen.contains(hash)
            else { continue }
            let sizes = try Self.sizes(of: hash, in: content.folder)
            guard !sizes.isEmpty else { continue }
            seen.insert(hash)
            let entry = Media.Entry(hash: hash, width: Int(width), height: Int(height))
            guard !dryRun, try media.bytes(hash, .thumb) == nil else { continue }
            new.append(hash)
            try await media.database.write { db in try entry.insert(sizes, in: db.at(now)) }
        }
        return seen.count
    }

    /// The files of a picture, without what isn't the picture itself.
    private static func sizes(of hash: String, in folder: TownFolder) throws -> [Picture.Size: [UInt8]] {
        var sizes: [Picture.Size: [UInt8]] = [:]
        for size in Picture.Size.allCases where folder.has(TownFolder.picture(hash, size)) {
            let name = TownFolder.picture(hash, size)
            let bytes = try folder.read(name, atMost: PictureHeader.byteLimit)
            guard let header = try? PictureHeader(of: bytes), header.kind == .webp,
                max(header.width, header.height) <= size.edge, let bare = WebP.bare(bytes)
            else { throw TownProblem("\(name) is no picture of that size.") }
            sizes[size] = bare
        }
        return sizes
    }
}
