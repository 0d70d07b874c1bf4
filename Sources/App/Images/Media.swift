import Crypto
import Database
import Forms

/// The picture files: the sizes of each uploaded file, by hash, in a database of their own.
///
/// They never change. The main database knows each file's owner and who may see it (`PictureUse`).
final class Media: Sendable {
    /// The result for one file.
    struct Entry: Sendable, Equatable {
        /// The SHA-256 of the file, in hexadecimal.
        let hash: String
        /// The width of the largest size in pixels.
        let width: Int
        let height: Int
    }

    let database: Database
    let workshop: Workshop

    /// Its file in the data folder.
    static let file = "/media.sqlite"

    /// How long an unused picture is kept, because somebody may still be filling in the form.
    static let grace = Duration.hours(48)

    /// The file of the pictures next to a copy of the main database.
    static func path(besides file: String) -> String { "\(file)-media" }

    init(_ database: Database, workshop: Workshop) {
        self.database = database
        self.workshop = workshop
    }

    /// Stores the sizes of `file`, unless they exist.
    ///
    /// - Throws: `PictureProblem`; database errors.
    func keep(_ file: [UInt8], at now: Instant) async throws -> Entry {
        // In a separate task, off the connection's thread, because this takes a while.
        try await Task.detached { [self] in
            let hash = Self.hash(of: file)
            // An existing entry is kept for another two days, so that a sweep doesn't remove it from under a new use.
            if let entry = try await database.write({ db in try Entry.touch(hash, in: db.at(now)) }) { return entry }
            let product = try await workshop.make(from: file)
            let entry = Entry(hash: hash, width: product.width, height: product.height)
            try await database.write { db in try entry.insert(product.sizes, in: db.at(now)) }
            return entry
        }.value
    }

    /// The name of a picture: the hash of the uploaded file.
    static func hash(of file: [UInt8]) -> String { hexadecimal(SHA256.hash(data: file)) }

    /// Whether most pictures currently wait for the disk.
    var readsWait: Bool { database.readsWait }

    /// One size, as WebP; nil if there is no such hash.
    func bytes(_ hash: String, _ size: Picture.Size) throws -> [UInt8]? {
        try database.read { db in try Entry.bytes(hash, size, in: db) }
    }

    /// Removes entries stored before `instant` for whose hash `isUsed` returns false.
    ///
    /// - Returns: The number removed.
    func sweep(before instant: Instant, isUsed: (String) throws -> Bool) async throws -> Int {
        var count = 0
        var after: Entry.Place?
        while true {
            let last = after
            let found = try database.read { db in try Entry.stored(before: instant, after: last, in: db) }
            let unused = try found.map(\.hash).filter { try !isUsed($0) }
            if !unused.isEmpty {
                count += try await database.write { db in try Entry.delete(unused, storedBefore: instant, in: db) }
            }
            guard let next = found.last, found.count == Entry.pageSize else { return count }
            after = next
        }
    }

    func close() { database.close() }
}
