/// What the next page says of what was just done. The cookie holds one of these names, never a text.
enum Flash: String {
    case welcome, signedOut, saved, childAdded, childSaved, childRemoved, placesGivenBack, passwordChanged
    case sessionEnded, eventHidden, eventShown, suspended, restored

    static let cookieName = "village_flash"

    /// The `Set-Cookie` line that takes the message away again.
    static let gone = "\(cookieName)=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"

    init?(cookie: Substring?) {
        guard let cookie, let flash = Flash(rawValue: String(cookie)) else { return nil }
        self = flash
    }

    func cookie(in settings: Settings) -> String {
        "\(Self.cookieName)=\(rawValue); Path=/; Max-Age=60; HttpOnly; SameSite=Lax\(settings.isHTTPS ? "; Secure" : "")"
    }
}
