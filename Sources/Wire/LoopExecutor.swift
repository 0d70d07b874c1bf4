import NIOCore

/// Runs tasks on the thread of an event loop.
///
/// A task that prefers it must not hold the thread for long: other connections wait meanwhile.
final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop
    /// Whether the next task is to start at once instead of waiting for the loop.
    private let here: NIOLoopBoundBox<Here>

    private enum Here { case nothing, awaited, running }

    /// - Precondition: It is made on the thread of the loop.
    init(_ loop: any EventLoop) {
        self.loop = loop
        here = NIOLoopBoundBox(.nothing, eventLoop: loop)
    }

    /// Whether a task runs that was begun within ``runHere(_:)``, and hasn't waited for anything.
    var isRunningHere: Bool { here.value == .running }

    /// The task that `body` makes runs before `body` returns, as far as it comes without waiting.
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
