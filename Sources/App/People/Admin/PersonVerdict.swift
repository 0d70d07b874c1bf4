/// What staff decides about somebody, and why.
struct PersonVerdict: Sendable {
    let person: Account
    let reason: String
    let staff: Visitor
    let now: Instant
}
