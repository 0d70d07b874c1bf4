import NIOPosix

/// Runs tasks on threads that may block, for example on a disk, without holding up anything else, which a connection's
/// event loop must not do.
public final class PatientThreads: TaskExecutor {
    /// The shared threads, started on first use.
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
