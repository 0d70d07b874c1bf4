/// What shows a picture. Those who may see the thing may see the picture, and nobody else.
enum PictureUse: CaseIterable, Sendable {
    case event, draft, person, provider, pet, owner, need, post

    /// The part of the site without which nobody sees the thing.
    var module: Module? {
        switch self {
        case .event, .draft, .person, .provider: nil
        case .pet, .owner: .playdates
        case .need: .needs
        case .post: .timeline
        }
    }
}
