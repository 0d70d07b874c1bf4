import HTTPTypes
import Templating

/// One line of the table of URLs, as the gate, the 405 page and the tests read it.
struct Route: Sendable {
    let method: HTTPRequest.Method
    let pattern: String
    let access: String
    let traits: Traits
    /// What it writes, where that is something of its own that others read: its `Brake` holds newcomers back.
    let kind: Subject.Kind?
    /// The part of the site it is of, which can be switched off.
    let module: Module?
    /// Of a form that ends something and leaves nothing of it: where an old page, or a second press, is led.
    let gone: Link?

    /// Whether visitors who aren't signed in may use it, as long as the site isn't closed to members.
    var isForAnyone: Bool { access == "anyone" }

    /// What holds for a route besides whom it is for.
    struct Traits: OptionSet, Sendable {
        let rawValue: Int

        /// Visitors of whom nothing is known but a language may get the page that another of them got; it must then
        /// depend on nothing but the address, the language, the data and the minute.
        static let cached = Traits(rawValue: 1 << 0)

        // When the site, or somebody, is kept out

        /// Open to everybody when the site is closed to members, as what is opened by a key from a letter.
        static let openWhenClosed = Traits(rawValue: 1 << 1)
        /// Open, as themselves, to people who signed up and aren't let in yet. Of all else they see what strangers see.
        static let openWhileWaiting = Traits(rawValue: 1 << 2)
        /// Where strangers come in: people who signed up and aren't let in yet are led to where they wait.
        static let entrance: Traits = [.openWhenClosed, Traits(rawValue: 1 << 3)]

        // Its form

        /// Writes what others read: closed to members whom staff let only read.
        static let publishes = Traits(rawValue: 1 << 4)
        /// Says something to people who may not know each other: of newcomers a few a day.
        static let speaksToStrangers: Traits = [.publishes, Traits(rawValue: 1 << 5)]
        /// Its form may hold a picture.
        static let takesFiles = Traits(rawValue: 1 << 6)
        /// Its form may hold many rows beside a picture.
        static let takesManyRows: Traits = [.takesFiles, Traits(rawValue: 1 << 7)]
        /// Comes from no page, but from what a phone shares with the site as an app: without the session's token, where
        /// the browser says that no other site sent it. Of somebody who is logged out it takes the words alone.
        static let comesFromPhone: Traits = [.takesFiles, .comesFromNoPage, Traits(rawValue: 1 << 9)]
        /// Comes from a script of this site that has no page and so no token, such as its worker; the browser has to
        /// say that no other site sent it.
        static let comesFromNoPage = Traits(rawValue: 1 << 10)
        /// May come from anywhere, as from a mail program: it acts on the token in its address alone, and counts
        /// nothing for the one who sent it.
        static let needsOnlyItsToken = Traits(rawValue: 1 << 8)
    }
}
