/// When a child is somewhere already: a place it has.
struct Commitment: Sendable, Equatable {
    let child: ID<Child>
    let event: ID<Event>
    let startsAt: Instant
    let endsAt: Instant
}

extension EventCard {
    /// The children who could come: old enough, without a place there, and not elsewhere at that time.
    func fitting(_ children: [Child], booked: [Commitment]) -> [Child] {
        children.filter { child in
            fits(child.ages(on: day))
                && !booked.contains {
                    $0.child == child.id && ($0.event == id || ($0.startsAt < endsAt && startsAt < $0.endsAt))
                }
        }
    }
}
