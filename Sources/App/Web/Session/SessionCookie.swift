// How a session travels between browser and site.

extension Session {
    /// The cookie's name. The prefix `__Host-` makes browsers insist on Secure, the whole site, and no domain (RFC
    /// 6265bis).
    static func cookieName(_ settings: Settings) -> String {
        settings.isHTTPS ? "__Host-village" : "village"
    }

    static func cookie(_ token: Token, _ settings: Settings) -> String {
        "\(cookieName(settings))=\(token.text); Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax"
            + (settings.isHTTPS ? "; Secure" : "")
    }

    static func endedCookie(_ settings: Settings) -> String {
        "\(cookieName(settings))=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax" + (settings.isHTTPS ? "; Secure" : "")
    }
}

extension PendingLogIn {
    /// With the prefix by which browsers know that no other host set it, where they accept that: over https.
    static func cookieName(_ settings: Settings) -> String {
        settings.isHTTPS ? "__Host-village_code" : "village_code"
    }

    static func cookie(_ token: Token, _ settings: Settings) -> String { cookie(token.text, seconds: 600, settings) }

    static func endedCookie(_ settings: Settings) -> String { cookie("", seconds: 0, settings) }

    private static func cookie(_ value: String, seconds: Int, _ settings: Settings) -> String {
        "\(cookieName(settings))=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax"
            + (settings.isHTTPS ? "; Secure" : "")
    }
}
