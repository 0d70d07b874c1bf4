/// A staff decision about a member, and the reason.
struct PersonVerdict: Sendable {
    let person: Account
    let reason: String
    let staff: Visitor
}
