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

    /// The picture that a form brings or names. What is wrong with it stands beside the field for its file, and nothing
    /// else is lost by it.
    ///
    /// - Parameters:
    ///   - account: Whose a picture is that comes with the form.
    ///   - find: Finds a picture that somebody may name, and nobody else's.
    func takePicture<F: PicturedForm>(
        _ submission: inout Submission<F>, of account: ID<Account>, at now: Instant,
        find: (ID<Picture>) throws -> Picture?
    ) async throws -> Picture? {
        do {
            if let file = submission.file(named: F.pictureFile) {
                let id = try await keep(file, of: account, at: now).id
                submission.fill(named: [F.pictureName]) { $0.picture = id }
            } else if submission.form.isPictureOff {
                submission.fill(named: F.pictureFields) { $0.dropPicture() }
            } else if submission.form.picture != nil, try picture(of: submission.form, find: find) == nil {
                submission.fill(named: [F.pictureName]) { $0.picture = nil }
                throw PictureProblem.gone
            }
        } catch let problem as PictureProblem {
            submission.reject(named: F.pictureFile, problem.words)
        }
        submission.fill(named: ["\(F.pictureName)_off"]) { $0.isPictureOff = false }
        return try picture(of: submission.form, find: find)
    }

    /// The picture that a form names, with what the form says of it; nil where `find` doesn't.
    func picture(of form: some PicturedForm, find: (ID<Picture>) throws -> Picture?) throws -> Picture? {
        guard let id = form.picture else { return nil }
        return try find(id).map(form.described)
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
            try hash == town.face.logo?.hash || read { db in try Picture.exists(hash: hash, in: db) }
        }
        return count
    }
}
