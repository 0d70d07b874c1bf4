import Forms

/// How often something may happen: `count` times within `period`, then once every `period / count`.
struct RateRule: Sendable {
    let name: StaticString
    let count: Int
    let period: Duration

    /// How much later the bucket is empty with one more in it, in milliseconds.
    var step: Int64 { period.wholeMilliseconds / Int64(count) }
}

/// A refusal that doesn't count by a rule: it stored nothing, and told nothing that its sender didn't know.
protocol CountsNothing: Error {}

extension ChangedMeanwhile: CountsNothing {}
