import NIOCore

/// Runs tasks on an event loop's thread.
///
/// A task that prefers this executor must not hold the thread for long, because other connections wait.
final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop
    /// Whether the next task starts immediately instead of waiting for the loop.
    private let here: NIOLoopBoundBox<Here>

    private enum Here { case nothing, awaited, running }

    /// - Precondition: Called on the loop's thread.
    init(_ loop: any EventLoop) {
        self.loop = loop
        here = NIOLoopBoundBox(.nothing, eventLoop: loop)
    }

    /// Whether the running task was started by ``runHere(_:)`` and hasn't suspended yet.
    var isRunningHere: Bool { here.value == .running }

    /// Runs the task that `body` makes up to its first suspension before returning.
    func runHere<T>(_ body: () -> T) -> T {
        here.value = .awaited
        defer { here.value = .nothing }
        return body()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if loop.inEventLoop, here.value == .awaited {
            here.value = .running
            job.runSynchronously(on: asUnownedTaskExecutor())
        } else {
            loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}
