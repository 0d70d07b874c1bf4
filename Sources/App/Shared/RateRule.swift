/// How often something may happen: `count` times within `period`, then once every `period / count`.
struct RateRule: Sendable {
    let name: StaticString
    let count: Int
    let period: Duration

    /// How much later the bucket is empty with one more in it, in milliseconds.
    var step: Int64 { period.wholeMilliseconds / Int64(count) }
}
