import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Tells whether reads wait, for a disk that is slow or a file that isn't in memory yet.
///
/// A read has waited if the kernel took its thread off the processor at the thread's own wish (`ru_nvcsw` of
/// getrusage(2)); one that only had to share the processor hasn't. The share of those that waited is kept as a moving
/// average over some twenty reads.
final class WaitGauge: Sendable {
    private static let whole = 1_024
    /// So much of the average the newest read makes up.
    private static let weight = 16
    /// One read of so many is looked at while none waits: asking the kernel twice costs a microsecond.
    private static let sample = 4

    // After a start nothing is in memory yet.
    private let share = Atomic(whole)
    private let isHigh = Atomic(true)
    private let count = Atomic(0)

    /// Whether most of the last reads waited; it goes on until hardly any does, and after a start for some thirty.
    var isWaiting: Bool { isHigh.load(ordering: .relaxed) }

    /// Runs a read and notes whether it waited. Where two threads note at once, one of them may be overlooked.
    func measure<T>(_ body: () throws -> T) rethrows -> T {
        let before = share.load(ordering: .relaxed)
        if before == 0, count.wrappingAdd(1, ordering: .relaxed).newValue % Self.sample != 0 { return try body() }
        let waits = Self.waits
        defer { note(hasWaited: Self.waits != waits) }
        return try body()
    }

    func note(hasWaited: Bool) {
        var now = share.load(ordering: .relaxed)
        now += ((hasWaited ? Self.whole : 0) - now) / Self.weight
        // Less than a weight's part would stay for ever.
        if !hasWaited, now < Self.weight { now = 0 }
        share.store(now, ordering: .relaxed)
        if now > Self.whole / 2 {
            isHigh.store(true, ordering: .relaxed)
        } else if now < Self.whole / 8 {
            isHigh.store(false, ordering: .relaxed)
        }
    }

    private static var waits: Int {
        #if canImport(Darwin)
            // It counts for the whole process alone.
            return 0
        #else
            var usage = rusage()
            // RUSAGE_THREAD, which Swift isn't shown. It fails for a wrong argument only.
            getrusage(1, &usage)
            return usage.ru_nvcsw
        #endif
    }
}
