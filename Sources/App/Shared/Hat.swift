import Forms
import Templating

/// The two ways of using the site with one account.
enum Hat: String, Sendable, CaseIterable {
    case parent, provider

    /// What the form of the first question sends for neither.
    static let none = "neighbor"

    var other: Hat { self == .parent ? .provider : .parent }

    /// The form of this hat's profile.
    var form: Link { self == .parent ? Link.family : Link.providerProfile }

    /// As the switch names it.
    var name: Words { self == .parent ? "Parent" : "Provider" }
}
