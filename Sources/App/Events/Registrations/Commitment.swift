/// A time at which a child has a place elsewhere.
struct Commitment: Sendable, Equatable {
    let child: ID<Child>
    let event: ID<Event>
    let startsAt: Instant
    let endsAt: Instant
}

extension EventCard {
    /// The children who could come: with a fitting age, without a place there, and free at that time.
    func fitting(_ children: [Child], booked: [Commitment]) -> [Child] {
        children.filter { child in
            fits(child.ages(on: day))
                && !booked.contains {
                    $0.child == child.id && ($0.event == id || ($0.startsAt < endsAt && startsAt < $0.endsAt))
                }
        }
    }
}
