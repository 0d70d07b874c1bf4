import Forms

/// How often something may happen: `count` times within `period`, then once every `period / count`.
struct RateRule: Sendable {
    let name: StaticString
    let count: Int
    let period: Duration

    /// How many milliseconds later the bucket is empty after one more event.
    var step: Int64 { period.wholeMilliseconds / Int64(count) }
}

/// A refusal that doesn't count toward a rate limit, because nothing was stored and the sender learned nothing new.
protocol CountsNothing: Error {}

extension ChangedMeanwhile: CountsNothing {}
