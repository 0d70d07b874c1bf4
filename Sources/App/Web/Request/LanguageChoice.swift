import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// The language a visitor chose, according to the request. A member's choice is stored in the account, which takes
/// precedence over the cookie, so that people sharing a computer don't get each other's language.
struct LanguageChoice: Sendable {
    /// The language in the address, for that page only: a link with `?lang=es` shows everyone the page in Spanish.
    var asked: Language?
    /// The language chosen in a page's footer, until the next choice.
    let kept: Language?
    /// The request's path and query, without the language.
    let target: String
    /// Whether the browser sends no other cookie: then the page is the same as without cookies.
    let isAllThatIsKnown: Bool

    static let cookie = "village_language"

    var language: Language? { asked ?? kept }

    /// - Parameter request: A language the site doesn't have is ignored.
    init(of request: Request, at site: Site) {
        let (target, named) = Self.taken(from: request.head.path ?? "/")
        self.target = target
        asked = named.flatMap { site.language(named: $0) }
        let cookies = request.headers[values: .cookie]
        guard !cookies.isEmpty else {
            (kept, isAllThatIsKnown) = (nil, true)
            return
        }
        kept = request.cookie(Self.cookie, in: site.settings).flatMap { site.language(named: String($0)) }
        let alone = kept.map { "\(Cookie.name(Self.cookie, in: site.settings))=\($0.name)" }
        isAllThatIsKnown = cookies.count == 1 && cookies.first == alone
    }

    /// Removes `lang` from an address and returns both.
    static func taken(from address: String) -> (address: String, language: String?) {
        guard let mark = address.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (address, nil) }
        let prefix = Link.languageParameter + "="
        let query = address[mark...].dropFirst()
        guard query.contains(bytesOf: prefix) else { return (address, nil) }
        let items = query.split(separator: "&", omittingEmptySubsequences: false)
        let rest = items.filter { !$0.hasPrefix(prefix) }
        let path = address[..<mark]
        let language = items.first { $0.hasPrefix(prefix) }?.dropFirst(prefix.count)
        return (rest.isEmpty ? String(path) : "\(path)?\(rest.joined(separator: "&"))", language.map(String.init))
    }

    /// The cookie that stores a language, or, for nil, deletes it.
    static func line(keeping language: String?, in settings: Settings) -> String {
        Cookie.line(cookie, language ?? "", seconds: language == nil ? 0 : 31_536_000, in: settings)
    }
}

extension Visit {
    /// Continues in the language of the page with the form, which that page's address named but the form's doesn't.
    mutating func readOn() {
        guard choice.asked == nil, let language = body[Link.languageParameter].flatMap({ site.language(named: $0) })
        else { return }
        (choice.asked, self.language) = (language, language)
    }

    /// The language for an account created by this visit: the visitor's choice, otherwise the browser's if it differs
    /// from the site's. Without it the first letter could be in a language they don't read.
    var ownLanguage: String? {
        choice.language?.name ?? (language.name == site.languages[0].name ? nil : language.name)
    }
}
