/// What a signed-in member begins with, under any hat.
struct Today: Sendable {
    let around: Around
    let awaited: [Awaited]
    let kindness: TodaysKindness
    /// The meetings that aren't shown above.
    let planned: PlannedMeetings
    /// The next events that they host: the organization's under the provider's hat, otherwise their own for everyone.
    let hosting: [OwnEvent]
    /// What they help with next, and what others wrote about it.
    let helping: Helping
    /// The organization's next shifts with too few helpers; none under another hat.
    let gaps: [HostedShift]
    /// What is about the family; nil under another hat.
    let parents: ParentsToday?

    /// Whether something is planned, or waits for them: then that comes before the welcome.
    var hasPlans: Bool {
        !around.isEmpty || !awaited.isEmpty || !planned.isEmpty || !hosting.isEmpty || !helping.next.isEmpty
            || !helping.threads.isEmpty || !helping.claims.items.isEmpty
    }
}
