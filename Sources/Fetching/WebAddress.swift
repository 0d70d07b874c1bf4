import CCurl
import Domains

/// A web address, parsed by the library that connects to it, so that both agree on its host.
final class WebAddress {
    /// The handle of libcurl.
    let handle: OpaquePointer
    /// The host in lowercase ASCII, without a trailing dot; IP addresses are in their usual form.
    let host: String
    let isSecure: Bool

    /// The longest address accepted.
    static let longest = 2_000

    /// Parses an address; nil if it isn't a web address, or has a user name or password.
    init?(_ typed: String) {
        let text = Self.whole(typed)
        // A zero byte would end the text for libcurl.
        guard text.utf8.count <= Self.longest, !text.utf8.contains(0), let handle = curl_url() else { return nil }
        guard let (host, isSecure) = Self.read(text, into: handle) else {
            curl_url_cleanup(handle)
            return nil
        }
        self.handle = handle
        self.host = host
        self.isSecure = isSecure
    }

    deinit { curl_url_cleanup(handle) }

    /// The typed text without surrounding spaces; `webcal:` becomes `https:`.
    private static func whole(_ typed: String) -> String {
        var text = Substring(typed)
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        let scheme = "webcal:"
        return text.lowercased().hasPrefix(scheme) ? "https:\(text.dropFirst(scheme.count))" : String(text)
    }

    private static func read(_ text: String, into handle: OpaquePointer) -> (host: String, isSecure: Bool)? {
        // As in browsers, spaces and other scripts' letters in a path are escaped.
        let flags = UInt32(CURLU_DISALLOW_USER | CURLU_URLENCODE | CURLU_ALLOW_SPACE)
        guard curl_url_set(handle, CURLUPART_URL, text, flags) == CURLUE_OK,
            part(CURLUPART_USER, of: handle) == nil, part(CURLUPART_PASSWORD, of: handle) == nil,
            let scheme = part(CURLUPART_SCHEME, of: handle)?.lowercased(), ["http", "https"].contains(scheme),
            let written = part(CURLUPART_HOST, of: handle), !written.contains(" ")
        else { return nil }
        var host = Punycode.domain(written)
        if host.hasSuffix(".") { host.removeLast() }
        guard !host.isEmpty else { return nil }
        // The host that is connected to must be the one the caller is asked about.
        if host != written, curl_url_set(handle, CURLUPART_HOST, host, 0) != CURLUE_OK { return nil }
        return (host, scheme == "https")
    }

    private static func part(_ part: CURLUPart, of handle: OpaquePointer) -> String? {
        var found: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &found, 0) == CURLUE_OK, let text = found else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
