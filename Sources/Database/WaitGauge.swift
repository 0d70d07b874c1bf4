import Synchronization

/// Detects whether reads wait for the disk, because it is slow or the file isn't in memory yet: a moving average of the
/// share of waiting reads over about twenty reads.
final class WaitGauge: Sendable {
    private static let whole = 1_024
    /// The share of the newest read in the average.
    private static let weight = 16

    // After a start nothing is in memory yet, so one waiting read is enough.
    private let share = Atomic(whole / 2)
    private let isHigh = Atomic(false)

    /// Whether most recent reads waited; it stays true until hardly any does.
    var isWaiting: Bool { isHigh.load(ordering: .relaxed) }

    /// Adds one read to the average. If two threads do so at once, one of them may be lost.
    func note(hasWaited: Bool) {
        var now = share.load(ordering: .relaxed)
        guard hasWaited || now > 0 else { return }
        now += ((hasWaited ? Self.whole : 0) - now) / Self.weight
        // A remainder smaller than the weight would never decay.
        if !hasWaited, now < Self.weight { now = 0 }
        share.store(now, ordering: .relaxed)
        if now > Self.whole / 2 {
            isHigh.store(true, ordering: .relaxed)
        } else if now < Self.whole / 8 {
            isHigh.store(false, ordering: .relaxed)
        }
    }
}
