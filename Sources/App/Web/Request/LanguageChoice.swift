import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// The language that a visitor chose, as far as the request says it. A member's choice is kept with the account, which
/// counts before the cookie: on a shared computer nobody reads another one's language.
struct LanguageChoice: Sendable {
    /// In the address, for that page alone: a link with `?lang=es` shows anybody its page in Spanish.
    var asked: Language?
    /// In the footer of a page, until they choose again.
    let kept: Language?
    /// Path and query of the request, without what they say of the language.
    let target: String
    /// Whether the browser says nothing else of its visitor: they see what one without any cookie sees.
    let isAllThatIsKnown: Bool

    static let cookie = "village_language"

    var language: Language? { asked ?? kept }

    /// - Parameter request: What it says of a language that the site doesn't have is passed over.
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

    /// An address without its `lang`, and what that was.
    static func taken(from address: String) -> (address: String, language: String?) {
        guard let mark = address.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (address, nil) }
        let prefix = Link.languageParameter + "="
        let query = address[mark...].dropFirst()
        guard query.contains(prefix) else { return (address, nil) }
        let items = query.split(separator: "&", omittingEmptySubsequences: false)
        let rest = items.filter { !$0.hasPrefix(prefix) }
        let path = address[..<mark]
        let language = items.first { $0.hasPrefix(prefix) }?.dropFirst(prefix.count)
        return (rest.isEmpty ? String(path) : "\(path)?\(rest.joined(separator: "&"))", language.map(String.init))
    }

    /// The cookie that keeps a language; for nil, the one that keeps none.
    static func line(keeping language: String?, in settings: Settings) -> String {
        Cookie.line(cookie, language ?? "", seconds: language == nil ? 0 : 31_536_000, in: settings)
    }
}

extension Visit {
    /// Goes on in the language of the page whose form it reads: that page's address said it, and the form's doesn't.
    mutating func readOn() {
        guard choice.asked == nil, let language = body[Link.languageParameter].flatMap({ site.language(named: $0) })
        else { return }
        (choice.asked, self.language) = (language, language)
    }

    /// What an account reads that is made by this visit: what its visitor chose; and where the browser asks for another
    /// language than the site's, that one, or the first letter would be in one that they may not read.
    var ownLanguage: String? {
        choice.language?.name ?? (language.name == site.languages[0].name ? nil : language.name)
    }
}
