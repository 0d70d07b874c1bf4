import Database
import Logging
import ServiceLifecycle
import Synchronization

/// Whether this node does what is due by the clock: for as long as its lease holds.
final class Lead: Sendable {
    /// The term in which what runs now was begun: its writes are stored in that term alone, however late they come.
    @TaskLocal static var term: Int64?

    /// The clock that a lease is measured with.
    let now: @Sendable () -> ContinuousClock.Instant
    private let held = Mutex<(term: Int64, end: ContinuousClock.Instant)?>(nil)

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

    /// The term that holds now; nil where another node leads, or nobody knows.
    var term: Int64? { held.withLock { held in held.flatMap { now() < $0.end ? $0.term : nil } } }

    /// Notes the term; nil when another node leads.
    ///
    /// - Parameter start: When the database was asked, at the latest.
    func note(_ term: Int64?, asked start: ContinuousClock.Instant) {
        held.withLock { $0 = term.map { ($0, start + Node.lease) } }
    }
}

extension Site {
    /// Whether this node does what is due by the clock: one that is alone always does.
    var leads: Bool { !database.isShared || lead.term != nil }

    /// Does what one node alone does, if it is this one: what it writes after another one took over is refused.
    func leading(_ work: () async throws -> Void) async rethrows {
        guard database.isShared else { return try await work() }
        guard let term = lead.term else { return }
        try await Lead.$term.withValue(term, operation: work)
    }

    /// `body`, bound to the term in which it was begun, if there is one.
    func bound<T: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> T
    ) -> @Sendable (Connection) throws -> T {
        guard let term = Lead.term else { return body }
        return { db in
            try Lease.require(term, in: db)
            return try body(db)
        }
    }

    /// Says that this node ends: it does nothing more of what is due by the clock, and another one leads at once.
    func leave() async throws {
        lead.note(nil, asked: lead.now())
        try await writeQuietly { [node] db in try node.leave(in: db) }
    }

    /// Says that this node is there, and takes or renews the lead where it may.
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

/// Says every five seconds that this node is there.
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
