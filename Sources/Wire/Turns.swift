import NIOCore
import Synchronization

/// The connections of an event loop on which a request came in behind another, in line for their next turn.
///
/// A loop does all that is due before it looks at its connections again. So there is one line for all of them, which
/// stops after a while and goes on when the loop has looked: however many requests some send at once, the others have
/// their turn between.
final class Turns {
    private var line = CircularBuffer<RequestHandler>()
    private var isScheduled = false

    /// How long turns are taken before the loop looks at its connections, and how soon they go on.
    private static let stretch = TimeAmount.milliseconds(1)
    private static let rest = TimeAmount.milliseconds(1)

    func wait(_ handler: RequestHandler, on loop: any EventLoop) {
        line.append(handler)
        schedule(on: loop)
    }

    private func schedule(on loop: any EventLoop) {
        guard !isScheduled, !line.isEmpty else { return }
        isScheduled = true
        _ = loop.assumeIsolated().scheduleTask(in: Self.rest) { [self] in
            let end = NIODeadline.now() + Self.stretch
            while let handler = line.popFirst() {
                handler.takeTurn()
                if NIODeadline.now() >= end { break }
            }
            isScheduled = false
            schedule(on: loop)
        }
    }
}

/// The line of each event loop.
final class TurnsOfLoops: Sendable {
    private let known = Mutex<[ObjectIdentifier: NIOLoopBound<Turns>]>([:])

    /// - Precondition: It is called on the thread of the loop.
    func turns(of loop: any EventLoop) -> Turns {
        known.withLock { known in
            let turns = known[ObjectIdentifier(loop)] ?? NIOLoopBound(Turns(), eventLoop: loop)
            known[ObjectIdentifier(loop)] = turns
            return turns
        }.value
    }
}
