import NIOCore
import Synchronization

/// The connections of an event loop that have another request waiting for its turn.
///
/// A loop does everything that is due before it checks its connections again. So there is one line for all connections,
/// which pauses after a while and resumes after the loop has checked: however many requests some clients send at once,
/// the others get their turn.
final class Turns {
    private var line = CircularBuffer<RequestHandler>()
    private var isScheduled = false

    /// How long turns are taken before the loop checks its connections, and how soon they resume.
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

    /// - Precondition: Called on the loop's thread.
    func turns(of loop: any EventLoop) -> Turns {
        known.withLock { known in
            let turns = known[ObjectIdentifier(loop)] ?? NIOLoopBound(Turns(), eventLoop: loop)
            known[ObjectIdentifier(loop)] = turns
            return turns
        }.value
    }
}
