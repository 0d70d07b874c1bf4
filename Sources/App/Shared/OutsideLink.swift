import Domains
import Templating

/// An address on another site.
enum OutsideLink {
    /// The address with its scheme; nil unless it is http or https.
    ///
    /// An `@` in its path is fine, as in `https://video.example/@kiteclub`, but not before its host: that is somebody’s
    /// name and password, or an e-mail address.
    static func read(_ typed: String) -> String? {
        // A wide keyboard writes all of it wide.
        let plain = typed.first?.isASCII == true ? typed : Punycode.narrow(typed)
        let url = plain.contains("://") ? plain : "https://\(plain)"
        let scheme = url.prefix { $0 != ":" }.lowercased()
        guard scheme == "https" || scheme == "http", Link(outside: url) != nil else { return nil }
        let host = host(of: url)
        guard host.contains("."), !host.hasPrefix("."), !host.hasSuffix(".") else { return nil }
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
