import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// Runs hashing on a few threads of its own at low priority, so that log-ins never delay pages. The queue is bounded: a
/// flood of log-ins is refused and costs no memory.
public final class PasswordQueue: Sendable {
    /// The queue is full, or closed: come back later.
    public struct Full: Error {}

    private let capacity: Int
    private let line = Line()

    /// - Parameters:
    ///   - threads: How many hashes run at once; each takes its cost's memory.
    /// - capacity: How many jobs may wait.
    public init(threads: Int = 2, capacity: Int = 64) {
        self.capacity = capacity
        for _ in 0..<threads { startThread() }
    }

    deinit { close() }

    /// Ends the threads after the waiting jobs. Later calls throw ``Full``.
    public func close() {
        line.state.withLock { $0.isClosed = true }
        line.ready.signal()
    }

    /// Runs `work` on one of the queue's threads and returns its result.
    ///
    /// - Throws: ``Full`` immediately if `capacity` jobs are waiting or the queue is closed; otherwise what `work`
    ///   throws.
    public func run<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            let accepted = line.state.withLock { state in
                guard state.jobs.count < capacity, !state.isClosed else { return false }
                state.jobs.append { continuation.resume(with: Result(catching: work)) }
                return true
            }
            if accepted { line.ready.signal() } else { continuation.resume(throwing: Full()) }
        }
    }

    /// How many jobs wait for a thread.
    var waiting: Int { line.state.withLock { $0.jobs.count } }

    private func startThread() {
        // The threads retain the line, not the queue, so that the queue can be deallocated.
        let box = Unmanaged.passRetained(line)
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { context in
                let line = Unmanaged<Line>.fromOpaque(context!).takeRetainedValue()
                #if os(Linux)
                    // On Linux a nice value belongs to the thread (setpriority(2), "C library/kernel differences").
                    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
                #endif
                while let job = line.next() { job() }
                return nil
            }, box.toOpaque())
        pthread_detach(thread)
    }
}

/// The jobs that wait for a thread.
private final class Line: Sendable {
    struct State {
        var jobs: [@Sendable () -> Void] = []
        var isClosed = false
    }

    let state = Mutex(State())
    /// Signaled once for each job, and once more at the end.
    let ready = Semaphore()

    /// Waits for the next job; nil at the end.
    func next() -> (@Sendable () -> Void)? {
        ready.wait()
        let job = state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
        // Pass the end on to the next thread.
        if job == nil { ready.signal() }
        return job
    }
}

/// A POSIX counting semaphore.
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
