import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// Runs hashing on a few threads of its own, so that log-ins never hold up pages: at low priority, and with a bounded
/// queue, so that a flood of log-ins is told to wait and costs no memory.
public final class PasswordQueue: Sendable {
    /// The queue is full, or closed: come back later.
    public struct Full: Error {}

    private let capacity: Int
    private let line = Line()

    /// - Parameters:
    ///   - threads: How many hashes run at once; each takes its cost's memory.
    ///   - capacity: How many may wait beyond those.
    public init(threads: Int = 2, capacity: Int = 64) {
        self.capacity = capacity
        for _ in 0..<threads { startThread() }
    }

    deinit { close() }

    /// Ends the threads once what waits is done. What is asked of the queue later is refused.
    public func close() {
        line.state.withLock { $0.isClosed = true }
        line.ready.signal()
    }

    /// Runs `work` on one of the queue's threads and gives its result.
    ///
    /// - Throws: ``Full`` at once when `capacity` jobs wait already or it is closed; else what `work` throws.
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
        // They hold the line and not the queue, which would never be let go.
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

/// What waits for a thread.
private final class Line: Sendable {
    struct State {
        var jobs: [@Sendable () -> Void] = []
        var isClosed = false
    }

    let state = Mutex(State())
    /// Signaled once for each job, and once more when there will be no others.
    let ready = Semaphore()

    /// Waits for the next job; nil when there will be no more.
    func next() -> (@Sendable () -> Void)? {
        ready.wait()
        let job = state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
        // The next thread hears of the end, too.
        if job == nil { ready.signal() }
        return job
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
