import NIOPosix

/// Runs tasks on threads of which each may wait, for a disk, without keeping anybody else from going on: where a
/// connection's event loop must not wait.
public final class PatientThreads: TaskExecutor {
    /// The threads are there once somebody asks for them.
    public static let shared = PatientThreads(count: 128)

    private let pool: NIOThreadPool

    private init(count: Int) {
        pool = NIOThreadPool(numberOfThreads: count)
        pool.start()
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pool.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
