import Database

extension Site {
    /// Writes the letters about saved searches whose week is over: each is looked for by itself, beside other writes,
    /// and written in one transaction with what says that it was.
    ///
    /// - Returns: how many.
    func writeSearchLetters(at now: Instant) async throws -> Int {
        let (country, town, until) = (settings.country, settings.zone, now - SearchLetter.grace)
        var count = 0
        for letter in try read({ db in try SearchLetter.due(at: now, in: db) }) {
            let next = SearchLetter.due(after: now, in: letter.preferences.zone ?? town)
            let news =
                letter.isSent
                ? try read { db in
                    try letter.news(until: until, next: next, in: country, zone: town, at: now, db: db)
                } : nil
            let isWritten = try await writeQuietly { db in
                try letter.send(news, until: until, next: next, at: now, in: db)
            }
            if isWritten { count += 1 }
        }
        return count
    }
}
