import Templating

/// A printable sheet about an event, for noticeboards.
struct Flyer: Sendable {
    let event: Event
    /// The address of the event's page for typing: without the scheme.
    let address: String
    /// The address as a QR code.
    let code: QRCode?

    /// - Parameter site: The site's public URL.
    init(_ event: Event, site: String) {
        self.event = event
        let url = site + event.link.string
        address = Self.typed(url)
        code = QRCode(url)
    }

    /// An address for typing: without the scheme.
    static func typed(_ url: String) -> String {
        url.split(separator: "://", maxSplits: 1).last.map(String.init) ?? url
    }

    /// The tear-off strips at the bottom.
    let strips = 0..<10

    /// The text on a strip: at most 40 characters of the title, cut between words.
    static func short(_ title: String) -> String {
        guard title.count > 40 else { return title }
        let start = title.prefix(39)
        let end = start.lastIndex { $0.isWhitespace } ?? start.endIndex
        return "\(start[..<end])…"
    }
}
