// A session on its way between browser and site.

extension Session {
    static let cookieName = "village"

    static func cookie(_ token: Token, _ settings: Settings) -> String {
        Cookie.line(cookieName, token.text, seconds: 2_592_000, in: settings)
    }

    static func endedCookie(_ settings: Settings) -> String { Cookie.line(cookieName, "", seconds: 0, in: settings) }
}

extension PendingLogIn {
    static let cookieName = "village_code"

    static func cookie(_ token: Token, _ settings: Settings) -> String {
        Cookie.line(cookieName, token.text, seconds: 600, in: settings)
    }

    static func endedCookie(_ settings: Settings) -> String { Cookie.line(cookieName, "", seconds: 0, in: settings) }
}
