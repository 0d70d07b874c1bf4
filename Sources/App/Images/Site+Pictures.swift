import Database
import Forms

extension Site {
    /// Stores a picture that an account uploaded with a form.
    ///
    /// - Throws: `PictureProblem` if it is refused; database errors.
    func keep(_ file: FormFile, alt: String = "", of account: ID<Account>, at now: Instant) async throws -> Picture {
        if let wait = limits.take(.uploads, by: account, at: now) { throw PictureProblem.tooMany(wait: wait) }
        guard !file.isTooLarge else { throw PictureProblem.tooLarge }
        let entry = try await media.keep(file.bytes, at: now)
        // No page shows it yet, so the write is quiet.
        return try await database.write(quiet: true) { db in
            try Picture.insert(entry, alt: alt, of: account, in: db.at(now))
        }
    }

    /// The picture that a form uploads or names. Problems with it are added to the file field, and the rest of the form
    /// isn't lost.
    ///
    /// - Parameters:
    ///   - account: The owner of an uploaded picture.
    ///   - find: Finds a picture that the visitor may use.
    func takePicture<F: PicturedForm>(
        _ submission: inout Submission<F>, of account: ID<Account>, at now: Instant,
        find: (ID<Picture>) throws -> Picture?
    ) async throws -> Picture? {
        do {
            if let file = submission.file(named: F.pictureFile) {
                let id = try await keep(file, of: account, at: now).id
                submission.fill(named: [F.pictureNames.stored]) { $0.picture = id }
            } else if submission.form.isPictureOff {
                submission.fill(named: F.pictureFields) { $0.dropPicture() }
            } else if submission.form.picture != nil, try picture(of: submission.form, find: find) == nil {
                submission.fill(named: [F.pictureNames.stored]) { $0.picture = nil }
                throw PictureProblem.gone
            }
        } catch let problem as PictureProblem {
            submission.reject(named: F.pictureFile, problem.words)
        }
        submission.fill(named: [F.pictureNames.removal]) { $0.isPictureOff = false }
        return try picture(of: submission.form, find: find)
    }

    /// The picture that a form names, with the form's description; nil if `find` returns nil.
    func picture(of form: some PicturedForm, find: (ID<Picture>) throws -> Picture?) throws -> Picture? {
        guard let id = form.picture else { return nil }
        return try find(id).map(form.described)
    }

    /// Removes unused pictures two days after their upload: until then somebody may still be filling in the form.
    ///
    /// - Returns: The number removed.
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
            try hash == town.face.logo?.hash || read { db in try Picture.exists(hash: hash, in: db) }
        }
        return count
    }
}
