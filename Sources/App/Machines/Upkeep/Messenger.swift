import Logging
import ServiceLifecycle
import Synchronization
import WebPush

/// Sends notices to the browsers of members who want them at once, many at a time.
///
/// A push is claimed before it is sent. If the process dies in between, the push may arrive twice, replacing itself on
/// the screen, but isn't lost. Several machines can send in parallel.
final class Messenger: Service {
    private let site: Site
    /// Services that didn't respond in time, and until when nothing is sent there, because all other pushes would wait,
    /// too.
    private let silent = Mutex<[String: Instant]>([:])

    init(site: Site) { self.site = site }

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
        let now = site.now
        guard try site.read(at: now, { tx in try Push.areDue(in: tx) }) else { return false }
        let identity = try await site.pushIdentity()
        let pushes = try await site.writeQuietly(at: now) { tx in try Push.sendable(Push.claim(in: tx), in: tx) }
        var outcomes: [(push: Push, outcome: PushOutcome?)] = []
        var messages: [(push: Push, message: PushMessage)] = []
        silent.withLock { silent in silent = silent.filter { $0.value > now } }
        for push in pushes {
            do {
                guard let message = try site.message(of: push, from: identity, at: now) else {
                    outcomes.append((push, .gone))
                    continue
                }
                let isSilent = silent.withLock { $0[message.origin] != nil }
                if isSilent { outcomes.append((push, .silent)) } else { messages.append((push, message)) }
            } catch {
                // A retry would fail, too.
                site.report("a push can’t be written", error)
                outcomes.append((push, nil))
            }
        }
        for (sent, outcome) in zip(messages, await client.send(messages.map(\.message))) {
            if outcome == .silent { silent.withLock { $0[sent.message.origin] = now + Push.patience } }
            outcomes.append((sent.push, outcome))
        }
        try await note(outcomes)
        return true
    }

    /// Records the outcomes of pushes; nil is one that couldn't be made.
    private func note(_ outcomes: [(push: Push, outcome: PushOutcome?)]) async throws {
        let then = site.now
        try await site.writeQuietly { db in
            var (done, dead): ([ID<Push>], [ID<PushDevice>]) = ([], [])
            for (push, outcome) in outcomes {
                let pause = Letter.pause(after: push.tries)
                switch outcome {
                case nil, .accepted, .refused: done.append(push.id)
                case .gone: dead.append(push.device)
                case .silent: try Push.put(off: push, until: then + max(pause, Push.patience), in: db)
                case .later(let wait):
                    try Push.put(off: push, until: then + max(pause, .seconds(wait ?? 0)), in: db)
                }
            }
            try Push.end(done, in: db)
            try PushDevice.end(dead, in: db)
        }
        for case .refused(let status)? in outcomes.map(\.outcome) {
            // Log neither the address nor the service's response, which may contain it.
            site.log.warning("a push service wants none of this site’s", metadata: ["status": "\(status)"])
        }
    }
}
