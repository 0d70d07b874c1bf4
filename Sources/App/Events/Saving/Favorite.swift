/// A thing a member saved, without registering. Nobody else sees that, and there is no public count.
enum Favorite: Sendable {
    case event(ID<Event>)
    case opportunity(ID<Opportunity>)

    /// How long it is stored after its end.
    static let memory = Duration.days(30)
}
