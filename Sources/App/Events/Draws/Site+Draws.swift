import Database

extension Site {
    /// Seals draws whose deadline has passed, and assigns the places of those that have taken place: in small steps, so
    /// that others can write in between, each of which happens once. A failing draw doesn't hold up the others.
    ///
    /// - Returns: The number of draws.
    func carryOutDraws(at now: Instant) async throws -> Int {
        var count = 0
        for draw in try read(at: now, { tx in try Draw.due(in: tx) }) {
            do {
                if draw.sealedAt == nil {
                    try await sealWishes(of: draw, at: now)
                } else {
                    try await giveOutPlaces(of: draw, at: now)
                }
                count += 1
            } catch let lost as Lease.Lost {
                throw lost
            } catch {
                report("a draw can’t be carried out, it is tried again", error)
            }
        }
        return count
    }

    private func sealWishes(of draw: Draw, at now: Instant) async throws {
        var last = try await write(at: now) { tx in try draw.seal(behind: nil, in: tx) }
        while let sheet = last {
            last = try await write(at: now) { tx in try draw.seal(behind: sheet, in: tx) }
        }
        let hash = try await readSlowly { db in try Lottery(of: draw.id, in: db) }.hash
        try await write(at: now) { tx in try draw.publish(hash, in: tx) }
    }

    private func giveOutPlaces(of draw: Draw, at now: Instant) async throws {
        guard let seed = draw.seed else { return }
        let lottery = try await readSlowly { db in try Lottery(of: draw.id, in: db) }
        let result = lottery.result(seed: seed)
        var reached: Int? = draw.progress
        while let progress = reached {
            reached = try await write(at: now) { tx in try draw.carryOut(lottery, result, from: progress, in: tx) }
        }
    }
}
