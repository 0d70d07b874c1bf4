import Database
import Logging
import ServiceLifecycle
import Synchronization

/// This node's lease on the scheduled work: it leads while the lease is valid.
final class Lead: Sendable {
    /// The term in which the current work began: its writes are stored only in that term, however late they come.
    @TaskLocal static var term: Int64?

    /// The clock for measuring a lease.
    let now: @Sendable () -> ContinuousClock.Instant
    private let held = Mutex<(term: Int64, end: ContinuousClock.Instant)?>(nil)

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

    /// The current term; nil if another node leads or it is unknown.
    var term: Int64? { held.withLock { held in held.flatMap { now() < $0.end ? $0.term : nil } } }

    /// Records the term; nil if another node leads.
    ///
    /// - Parameter start: A time no later than when the database was asked.
    func note(_ term: Int64?, asked start: ContinuousClock.Instant) {
        held.withLock { $0 = term.map { ($0, start + Node.lease) } }
    }
}

extension Site {
    /// Whether this node does the scheduled work; a single node always does.
    var leads: Bool { !database.isShared || lead.term != nil }

    /// Does work for which only the leader is responsible; writes after another node took over are refused.
    func leading(_ work: () async throws -> Void) async rethrows {
        guard database.isShared else { return try await work() }
        guard let term = lead.term else { return }
        try await Lead.$term.withValue(term, operation: work)
    }

    /// Binds `body` to the term in which it was begun, if there is one.
    func bound<T: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> T
    ) -> @Sendable (Connection) throws -> T {
        guard let term = Lead.term else { return body }
        return { db in
            try Lease.require(term, in: db)
            return try body(db)
        }
    }

    /// Announces that this node is ending: it stops the scheduled work, and another node can lead immediately.
    func leave() async throws {
        lead.note(nil, asked: lead.now())
        try await writeQuietly { [node] db in try node.leave(in: db) }
    }

    /// Announces that this node is alive, and takes or renews the lead if possible.
    func beat() async throws {
        guard let standing = database.standing else { return }
        let start = lead.now()
        var node = node
        (node.lag, node.ahead) = (standing.lag, standing.ahead)
        let had = lead.term
        let term = try await writeQuietly { [node] db in try node.beat(in: db) }
        lead.note(term, asked: start)
        if had == nil, term != nil { log.info("this node does what is due by the clock now") }
    }
}

/// Announces every five seconds that this node is alive.
struct Heartbeat: Service {
    let site: Site

    func run() async throws {
        guard site.database.isShared else { return try await gracefulShutdown() }
        while true {
            do {
                try await site.beat()
            } catch {
                site.report("this node could not say that it is there", error)
            }
            // Sleeping fails when the site stops.
            guard (try? await cancelWhenGracefulShutdown { try await Task.sleep(for: Node.beat) }) != nil else { break }
        }
        do {
            try await site.leave()
        } catch {
            site.report("this node could not say that it ends", error)
        }
    }
}
