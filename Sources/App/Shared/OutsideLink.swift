import Domains
import Templating

/// An address on another site.
enum OutsideLink {
    /// The address with its scheme; nil unless it is http or https.
    static func read(_ typed: String) -> String? {
        let url = typed.contains("://") ? typed : "https://\(typed)"
        let scheme = url.prefix { $0 != ":" }.lowercased()
        guard scheme == "https" || scheme == "http", Link(outside: url) != nil else { return nil }
        let host = host(of: url)
        guard host.contains("."), !host.hasPrefix("."), !host.hasSuffix("."), !url.contains("@") else { return nil }
        return url
    }

    /// The name of its site: `warmhands.example`.
    static func host(of url: String) -> String {
        guard let start = url.firstRange(of: "://")?.upperBound else { return "" }
        let rest = url[start...].prefix { !"/?#".contains($0) }
        let name = rest.prefix { $0 != ":" }.lowercased()
        return Punycode.shown(host: name.hasPrefix("www.") ? String(name.dropFirst(4)) : name)
    }
}
