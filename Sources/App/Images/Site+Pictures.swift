import Database
import Forms

extension Site {
    /// Keeps a picture that an account sent with a form.
    ///
    /// - Throws: `PictureProblem` when it can't be taken; what the databases throw.
    func keep(_ file: FormFile, alt: String = "", of account: ID<Account>, at now: Instant) async throws -> Picture {
        if let wait = limits.take(.uploads, by: account, at: now) { throw PictureProblem.tooMany(wait: wait) }
        guard !file.isTooLarge else { throw PictureProblem.tooLarge }
        let entry = try await media.keep(file.bytes, at: now)
        // No page shows it yet.
        return try await database.write(quiet: true) { db in
            try Picture.insert(entry, alt: alt, of: account, at: now, in: db)
        }
    }

    /// Removes pictures that nothing shows, two days after they came: somebody may still be filling in the form.
    ///
    /// - Returns: How many.
    func sweepPictures(at now: Instant) async throws -> Int {
        let past = now - Media.grace
        var count = 0
        var first = ID<Picture>(0)
        while let last = try read({ db in try Picture.lastOfPage(after: first, in: db) }) {
            let start = first
            count += try await database.write(quiet: true) { db in
                try Picture.deleteUnused(after: start, to: last, before: past, in: db)
            }
            first = last
        }
        _ = try await media.sweep(before: past) { hash in
            try read { db in try Picture.exists(hash: hash, in: db) }
        }
        return count
    }
}
