import HTTPTypes
import Hummingbird
import Templating

/// One line of the table of URLs, for the gate, the 405 page and the tests.
struct Route: Sendable {
    let method: HTTPRequest.Method
    let pattern: String
    /// The same, taken apart. It is done once, since a 404 compares its path with every route's.
    let path: RouterPath
    let access: String
    let traits: Traits
    /// The kind of content it creates, if others can read it: its `Brake` limits newcomers.
    let kind: Subject.Kind?
    /// The part of the site it belongs to, which can be switched off.
    let module: Module?
    /// For a form that deletes something: the page to go on with if it was deleted before.
    let gone: Link?

    /// Whether visitors who aren't signed in may use it while the site isn't closed to members.
    var isForAnyone: Bool { access == "anyone" }

    /// Properties of a route other than access.
    struct Traits: OptionSet, Sendable {
        let rawValue: Int

        /// The page may be served from the cache to visitors of whom nothing but a language is known. It must depend
        /// only on the address, the language, the data and the minute, and on whether they come from elsewhere.
        static let cached = Traits(rawValue: 1 << 0)
        /// Nothing behind a question mark means anything to it: with a query it leads to its address without one, so
        /// that nobody has something large drawn anew for each word they make up.
        static let hasOneAddress = Traits(rawValue: 1 << 11)

        // MARK: Closed sites and waiting people

        /// Open to everyone when the site is closed to members, for example because a key from a letter opens it.
        static let openWhenClosed = Traits(rawValue: 1 << 1)
        /// Open to people who signed up and are waiting to be let in. Elsewhere they see what strangers see.
        static let openWhileWaiting = Traits(rawValue: 1 << 2)
        /// A way in for strangers: people who are waiting to be let in are redirected to the waiting page.
        static let entrance: Traits = [.openWhenClosed, Traits(rawValue: 1 << 3)]

        // MARK: Forms

        /// Publishes content: closed to members whom staff have restricted to reading.
        static let publishes = Traits(rawValue: 1 << 4)
        /// Addresses people who may be strangers: newcomers may do so a few times a day.
        static let speaksToStrangers: Traits = [.publishes, Traits(rawValue: 1 << 5)]
        /// The form may contain a picture.
        static let takesFiles = Traits(rawValue: 1 << 6)
        /// The form may contain many rows in addition to a picture.
        static let takesManyRows: Traits = [.takesFiles, Traits(rawValue: 1 << 7)]
        /// Sent not by a page but by a phone's share function, with the site installed as an app: there is no session
        /// token, but the browser must say that no other site sent it. From a logged-out visitor only the text is
        /// accepted.
        static let comesFromPhone: Traits = [.takesFiles, .comesFromNoPage, Traits(rawValue: 1 << 9)]
        /// Sent by a script of this site without a page and therefore without a token, such as the service worker; the
        /// browser must say that no other site sent it.
        static let comesFromNoPage = Traits(rawValue: 1 << 10)
        /// May come from anywhere, such as a mail program: it acts only by the token in its address, and no rate limit
        /// counts it for the sender.
        static let needsOnlyItsToken = Traits(rawValue: 1 << 8)
    }
}
