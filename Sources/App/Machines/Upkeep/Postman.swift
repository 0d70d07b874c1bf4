import FoundationEssentials
import Logging
import SMTP
import ServiceLifecycle
import Templating

/// Sends letters from the outbox to the mail server, one after another.
///
/// Each is claimed first, in one write, and its outcome is recorded afterwards. If the process dies in between, one
/// letter may arrive twice, with the same message ID, but none is lost. So each node can have a postman.
struct Postman: Service {
    let site: Site

    /// The pause after the nth consecutive failure of the server itself: 5 seconds, 10, up to 5 minutes.
    static func pause(after failures: Int) -> Duration { .seconds(min(300, 5 << min(failures - 1, 6))) }

    func run() async throws {
        guard let client = site.mailClient() else {
            // A service that returned would end the site.
            try await gracefulShutdown()
            return
        }
        await withGracefulShutdownHandler {
            var failures = 0
            while true {
                failures = await deliverAll(by: client) ? 0 : failures + 1
                let pause = failures == 0 ? Duration.seconds(1) : Self.pause(after: failures)
                // Sleeping fails when the site stops.
                guard (try? await cancelWhenGracefulShutdown { try await Task.sleep(for: pause) }) != nil else {
                    return
                }
            }
        } onGracefulShutdown: {
            client.stop()
        }
    }

    /// Sends everything that is due.
    ///
    /// - Returns: Whether the server can be asked for more at once.
    func deliverAll(by client: MailClient) async -> Bool {
        do {
            // Looking costs no write.
            while !Task.isShuttingDownGracefully, try site.read(at: site.now, { tx in try Letter.next(in: tx) }) != nil
            {
                let node = site.node.id
                let letter = try await site.writeQuietly(at: site.now) { tx in try Letter.claim(for: node, in: tx) }
                guard let letter else { continue }
                guard try await deliver(letter, by: client) else { return false }
            }
            return true
        } catch {
            site.report("letters can’t be sent: the outbox can’t be read or written", error)
            return false
        }
    }

    /// Sends one letter.
    ///
    /// - Returns: Whether the next one may follow at once.
    private func deliver(_ letter: Letter, by client: MailClient) async throws -> Bool {
        let now = site.now
        guard letter.endsAt > now, let message = try await site.message(of: letter, at: now) else {
            try await site.writeQuietly(at: now) { tx in try Letter.end(letter.id, .late, "", in: tx) }
            return true
        }
        let delivery = await client.send(message)
        let (then, node) = (site.now, site.node.id)
        let answer = delivery.answer
        try await site.writeQuietly(at: then) { tx in
            switch delivery {
            case .accepted:
                try Letter.end(letter.id, .sent, answer, in: tx)
                if let account = letter.account { try Bounce.end(letter.address, of: account, in: tx) }
            case .refused:
                try Letter.end(letter.id, .failed, answer, in: tx)
                if let account = letter.account {
                    try Bounce.note(answer, about: letter.address, of: account, isLate: false, in: tx)
                }
            case .postponed, .broken: try Letter.put(off: letter, by: node, answer, in: tx)
            case .unreachable: try Letter.putBack(letter, by: node, answer, in: tx)
            }
            if case .unreachable = delivery {
                try Letter.note(trouble: answer, in: tx)
            } else {
                try Letter.note(trouble: nil, in: tx)
            }
        }
        // Log neither the address nor the server's response, which may contain it.
        site.log.debug("letter \(letter.kind.rawValue)", metadata: ["letter": "\(letter.id)"])
        switch delivery {
        case .accepted, .refused, .postponed: return true
        case .broken: return false
        case .unreachable:
            site.log.warning("the mail server takes no letters; they wait (/admin/mail says why)")
            return false
        }
    }
}
