import Synchronization

/// The number of answers and how long they took: a histogram per minute for one day, in a fixed amount of memory.
final class Load: Sendable {
    static let minutes = 1_440
    /// The upper bounds of a histogram's buckets, in microseconds: from 0.1 ms, each 1.5 times the previous.
    static let bounds: [Int64] = (0..<30).map { number in
        (0..<number).reduce(100) { bound, _ in bound * 3 / 2 }
    }

    private struct State {
        /// The minute in each slot, since 1970.
        var held = [Int64](repeating: -1, count: minutes)
        var failures = [UInt32](repeating: 0, count: minutes)
        /// The histograms, one after another; the last bucket of each is for anything slower.
        var times = [UInt32](repeating: 0, count: minutes * (bounds.count + 1))
        /// The totals since the start.
        var total = Total()
    }

    /// Totals since the start, for programs that compute their own rates.
    struct Total: Sendable {
        var failures = 0
        var times = [Int](repeating: 0, count: bounds.count + 1)
        /// The sum of the times, in microseconds.
        var microseconds: Int64 = 0
    }

    var total: Total { state.withLock(\.total) }

    private let state = Mutex(State())

    /// Counts an answer.
    func note(_ time: Duration, isFailure: Bool, at now: Instant) {
        let (seconds, rest) = time.components
        let microseconds = seconds * 1_000_000 + rest / 1_000_000_000_000
        let bucket = Self.bucket(of: microseconds)
        let minute = now.milliseconds.floorDivided(by: 60_000)
        // Before 1970 the remainder is negative.
        let slot = (Int(minute % Int64(Self.minutes)) + Self.minutes) % Self.minutes
        let size = Self.bounds.count + 1
        state.withLock { state in
            if state.held[slot] != minute {
                state.held[slot] = minute
                state.failures[slot] = 0
                for place in slot * size..<(slot + 1) * size { state.times[place] = 0 }
            }
            state.times[slot * size + bucket] += 1
            state.total.times[bucket] += 1
            state.total.microseconds += microseconds
            if isFailure {
                state.failures[slot] += 1
                state.total.failures += 1
            }
        }
    }

    static func bucket(of microseconds: Int64) -> Int {
        var (low, high) = (0, bounds.count)
        while low < high {
            let middle = (low + high) / 2
            if bounds[middle] < microseconds { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The last 24 hours, oldest first; the last one is incomplete.
    func hours(at now: Instant) -> [Hour] {
        let last = now.milliseconds.floorDivided(by: 3_600_000)
        var hours = (0..<24).map { Hour(begins: Instant(milliseconds: (last - 23 + Int64($0)) * 3_600_000)) }
        let size = Self.bounds.count + 1
        state.withLock { state in
            for slot in 0..<Self.minutes where state.held[slot] >= 0 {
                let hour = Int(state.held[slot] / 60 - (last - 23))
                guard hours.indices.contains(hour) else { continue }
                hours[hour].failures += Int(state.failures[slot])
                for bucket in 0..<size { hours[hour].times[bucket] += Int(state.times[slot * size + bucket]) }
            }
        }
        return hours
    }

    struct Hour: Sendable {
        let begins: Instant
        var failures = 0
        var times = [Int](repeating: 0, count: bounds.count + 1)

        var requests: Int { times.reduce(0, +) }

        /// A percentile of the times, in microseconds; nil if there were no answers.
        func percentile(_ part: Int) -> Int? {
            let all = requests
            guard all > 0 else { return nil }
            var left = (all * part + 99) / 100
            for (bucket, count) in times.enumerated() {
                left -= count
                if left <= 0 { return Int(Load.bounds[min(bucket, Load.bounds.count - 1)]) }
            }
            return nil
        }
    }
}
