import Synchronization

/// Tells whether reads wait for the disk, because it is slow or the file isn't in memory yet: the share of those that
/// waited, as a moving average over some twenty reads.
final class WaitGauge: Sendable {
    private static let whole = 1_024
    /// So much of the average the newest read makes up.
    private static let weight = 16

    // After a start nothing is in memory yet: one read that waits is enough.
    private let share = Atomic(whole / 2)
    private let isHigh = Atomic(false)

    /// Whether most of the last reads waited; it goes on until hardly any does.
    var isWaiting: Bool { isHigh.load(ordering: .relaxed) }

    /// Takes one read into the average. Where two threads note at once, one of them may be overlooked.
    func note(hasWaited: Bool) {
        var now = share.load(ordering: .relaxed)
        guard hasWaited || now > 0 else { return }
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
}
