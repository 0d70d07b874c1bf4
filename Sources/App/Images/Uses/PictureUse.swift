/// The things that show a picture. The picture is visible exactly to those who may see the thing.
enum PictureUse: CaseIterable, Sendable {
    case event, draft, person, provider, pet, owner, need, post

    /// The module to which the thing belongs.
    var module: Module? {
        switch self {
        case .event, .draft, .person, .provider: nil
        case .pet, .owner: .playdates
        case .need: .needs
        case .post: .timeline
        }
    }
}
