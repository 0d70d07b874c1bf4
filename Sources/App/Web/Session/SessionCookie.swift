// The cookie for a session.

extension Session {
    static let cookieName = "village"

    static func cookie(_ token: Token, _ settings: Settings) -> String {
        Cookie.line(cookieName, token.text, seconds: 2_592_000, in: settings)
    }

    static func endedCookie(_ settings: Settings) -> String { Cookie.line(cookieName, "", seconds: 0, in: settings) }
}

extension OutsideAttempt {
    static let cookieName = "village_elsewhere"

    /// The sealed cookie for a pending log-in, with its target.
    func cookie(_ key: SiteKey, _ settings: Settings) -> String {
        let sealed = key.sealed("\(begunAt.milliseconds)-\(token.text)", as: Self.purpose)
        let value = "\(sealed)~\(Base64URL.encode(Array(next.utf8)))"
        return Cookie.line(Self.cookieName, value, seconds: 600, in: settings)
    }

    static func endedCookie(_ settings: Settings) -> String { Cookie.line(cookieName, "", seconds: 0, in: settings) }

    /// The log-in that a browser began; nil if it has expired or the site didn't issue it.
    init?(cookie: Substring?, _ key: SiteKey, at now: Instant) {
        let parts = (cookie ?? "").split(separator: "~", omittingEmptySubsequences: false)
        guard parts.count == 2, let word = key.open(String(parts[0]), of: Self.purpose),
            let dash = word.firstIndex(of: "-"), let begun = Int64(word[..<dash]),
            let token = Token(word[word.index(after: dash)...]), let next = Base64URL.decode(parts[1])
        else { return nil }
        self.init(
            token: token, begunAt: Instant(milliseconds: begun), next: String(decoding: next, as: UTF8.self))
        // It may have begun at another node whose clock is slightly ahead.
        guard begunAt <= now + Self.leeway, now - begunAt < Self.lifetime else { return nil }
    }
}

extension PendingLogIn {
    static let cookieName = "village_code"

    static func cookie(_ token: Token, _ settings: Settings) -> String {
        Cookie.line(cookieName, token.text, seconds: 600, in: settings)
    }

    static func endedCookie(_ settings: Settings) -> String { Cookie.line(cookieName, "", seconds: 0, in: settings) }
}
