import Crypto
import Database
import Forms

/// The pictures themselves: the sizes of each file that was uploaded, under its hash, in a database file of their own.
///
/// They never change. The site's own database says the owner of each, and who may see it (`PictureUse`).
final class Media: Sendable {
    /// What one file became.
    struct Entry: Sendable, Equatable {
        /// SHA-256 of the file, in hexadecimal.
        let hash: String
        /// Pixels of the largest size.
        let width: Int
        let height: Int
    }

    let database: Database
    let workshop: Workshop

    /// Its file in the data folder.
    static let file = "/media.sqlite"

    /// How long a picture that nothing shows is kept: somebody may still be filling in the form.
    static let grace = Duration.hours(48)

    /// The file of the pictures beside a copy of the site's own database.
    static func path(besides file: String) -> String { "\(file)-media" }

    init(_ database: Database, workshop: Workshop) {
        self.database = database
        self.workshop = workshop
    }

    /// Keeps the sizes of `file`, unless they are there already.
    ///
    /// - Throws: `PictureProblem`; what the database throws.
    func keep(_ file: [UInt8], at now: Instant) async throws -> Entry {
        // A task of its own, away from the thread of the connection: this takes a while.
        try await Task.detached { [self] in
            let hash = hexadecimal(SHA256.hash(data: file))
            // What is there is kept for another two days, so that no sweep takes it away from under a new use.
            if let entry = try await database.write({ db in try Entry.touch(hash, at: now, in: db) }) { return entry }
            let product = try await workshop.make(from: file)
            let entry = Entry(hash: hash, width: product.width, height: product.height)
            try await database.write { db in try entry.insert(product.sizes, at: now, in: db) }
            return entry
        }.value
    }

    /// Whether most pictures wait for the disk at this time.
    var readsWait: Bool { database.readsWait }

    /// One size, as WebP; nil if there is none of that hash.
    func bytes(_ hash: String, _ size: Picture.Size) throws -> [UInt8]? {
        try database.read { db in try Entry.bytes(hash, size, in: db) }
    }

    /// Removes what was stored before `instant` and has none of the hashes that `isUsed` knows.
    ///
    /// - Returns: How many were removed.
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
