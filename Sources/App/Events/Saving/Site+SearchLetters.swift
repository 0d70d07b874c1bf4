import Database

extension Site {
    /// Writes the due letters about saved searches: each search runs separately, parallel to other writes, and the
    /// letter is stored in one transaction with the record of it. A failing one is put off, so that it doesn't hold up
    /// the others.
    ///
    /// - Returns: The number of letters.
    func writeSearchLetters(at now: Instant) async throws -> Int {
        var count = 0
        for letter in try read(at: now, { tx in try SearchLetter.due(in: tx) }) {
            do {
                if try await writeSearchLetter(letter, at: now) { count += 1 }
            } catch let lost as Lease.Lost {
                throw lost
            } catch {
                report("a letter about saved searches can’t be written, it is tried again in an hour", error)
                try await writeQuietly(at: now) { tx in try letter.putOff(in: tx) }
            }
        }
        return count
    }

    private func writeSearchLetter(_ letter: SearchLetter, at now: Instant) async throws -> Bool {
        let (country, town, until) = (settings.country, settings.zone, now - SearchLetter.grace)
        let next = SearchLetter.due(after: now, in: letter.preferences.zone ?? town)
        let news =
            letter.isSent
            ? try await readSlowly(at: now) { tx in
                try letter.news(until: until, next: next, in: country, zone: town, tx: tx)
            } : nil
        return try await writeQuietly(at: now) { tx in try letter.send(news, until: until, next: next, in: tx) }
    }
}
