import Forms
import Templating

/// The two hats an account can wear; a neighbor wears none.
enum Hat: String, Sendable, CaseIterable {
    case parent, provider

    /// The form's value for no hat.
    static let neighbor = "neighbor"

    var other: Hat { self == .parent ? .provider : .parent }

    /// The form of this hat's profile.
    var form: Link { self == .parent ? Link.family : Link.providerProfile }

    /// The hat's name in the switch.
    var name: Words { self == .parent ? "Parent" : "Provider" }
}
