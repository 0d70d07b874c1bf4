import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// Runs hashing on a few threads of its own, so that log-ins never hold up pages: at low priority, and with a bounded
/// queue, so that a flood of log-ins is told to wait and costs no memory.
public final class PasswordQueue: Sendable {
    /// The queue is full: come back later.
    public struct Full: Error {}

    private typealias Job = @Sendable () -> Void

    private let capacity: Int
    private let jobs = Mutex<[Job]>([])
    private let ready = Semaphore()

    /// - Parameters:
    ///   - threads: How many hashes run at once; each takes its cost's memory.
    ///   - capacity: How many may wait beyond those.
    public init(threads: Int = 2, capacity: Int = 64) {
        self.capacity = capacity
        for _ in 0..<threads { startThread() }
    }

    /// Runs `work` on one of the queue's threads and gives its result.
    ///
    /// - Throws: ``Full`` at once when `capacity` jobs wait already; else what `work` throws.
    public func run<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            let accepted = jobs.withLock { jobs in
                guard jobs.count < capacity else { return false }
                jobs.append { continuation.resume(with: Result(catching: work)) }
                return true
            }
            if accepted { ready.signal() } else { continuation.resume(throwing: Full()) }
        }
    }

    private func startThread() {
        // The threads live as long as the process, as the queue does.
        let box = Unmanaged.passRetained(self)
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { context in
                let queue = Unmanaged<PasswordQueue>.fromOpaque(context!).takeUnretainedValue()
                #if os(Linux)
                    // On Linux a nice value belongs to the thread (setpriority(2), "C library/kernel differences").
                    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
                #endif
                while true {
                    queue.ready.wait()
                    queue.jobs.withLock { $0.removeFirst() }()
                }
            }, box.toOpaque())
        pthread_detach(thread)
    }
}

/// A counting semaphore of POSIX.
private final class Semaphore: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func signal() { sem_post(semaphore) }

    func wait() { while sem_wait(semaphore) != 0 {} }
}
