import Logging
import ServiceLifecycle
import WebPush

/// Takes notices to the browsers of those who want them at once, many at a time.
///
/// A push is claimed before it is sent: when the process dies in between, it may arrive twice, where it takes its own
/// place on the screen, and none is lost. Several machines send beside each other.
struct Messenger: Service {
    let site: Site

    func run() async throws {
        let client = site.pushClient()
        await withGracefulShutdownHandler {
            while true {
                await sendAll(by: client)
                // Sleeping fails when the site stops.
                guard (try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(1)) }) != nil else {
                    return
                }
            }
        } onGracefulShutdown: {
            client.stop()
        }
    }

    /// Sends everything that is due.
    func sendAll(by client: PushClient) async {
        do {
            while !Task.isShuttingDownGracefully, try await sendSome(by: client) {}
        } catch {
            site.report("notices can’t be pushed: what waits can’t be read or written", error)
        }
    }

    /// - Returns: Whether there may be more.
    private func sendSome(by client: PushClient) async throws -> Bool {
        let (site, now) = (site, site.now)
        guard try site.read({ db in try Push.areDue(at: now, in: db) }) else { return false }
        let identity = try await site.pushIdentity()
        let pushes = try await site.writeQuietly { db in
            try Push.sendable(Push.claim(at: now, in: db), at: now, in: db)
        }
        let messages = try pushes.map { try site.message(of: $0, from: identity, at: now) }
        let sent = await client.send(messages.compactMap(\.self))
        var answers = sent.makeIterator()
        let outcomes = zip(pushes, messages).map { push, message in
            (push: push, outcome: message == nil ? .gone : answers.next() ?? PushOutcome.later(nil))
        }
        let then = site.now
        try await site.writeQuietly { db in
            var (done, dead): ([ID<Push>], [ID<PushDevice>]) = ([], [])
            for (push, outcome) in outcomes {
                switch outcome {
                case .accepted, .refused: done.append(push.id)
                case .gone: dead.append(push.device)
                case .later(let wait):
                    let pause = Letter.pause(after: push.tries)
                    try Push.put(off: push, until: then + max(pause, .seconds(wait ?? 0)), in: db)
                }
            }
            try Push.end(done, in: db)
            try Push.end(dead, in: db)
        }
        for case .refused(let status) in outcomes.map(\.outcome) {
            // Neither the address nor what the service says, which may hold it.
            site.log.warning("a push service wants none of this site’s", metadata: ["status": "\(status)"])
        }
        return true
    }
}
