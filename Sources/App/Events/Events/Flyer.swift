import Templating

/// An event as a sheet for the noticeboard.
struct Flyer: Sendable {
    let event: Event
    /// The address of the event's page, as it is typed: without the scheme.
    let address: String
    /// The same for a camera.
    let code: QRCode?

    /// - Parameter site: The public URL of the site.
    init(_ event: Event, site: String) {
        self.event = event
        let url = site + event.link.string
        address = Self.typed(url)
        code = QRCode(url)
    }

    /// An address as people type it: without the scheme.
    static func typed(_ url: String) -> String {
        url.split(separator: "://", maxSplits: 1).last.map(String.init) ?? url
    }

    /// The strips along the lower edge.
    let strips = 0..<10

    /// What stands on a strip: at most 40 characters of a title, cut between words.
    static func short(_ title: String) -> String {
        guard title.count > 40 else { return title }
        let start = title.prefix(39)
        let end = start.lastIndex { $0.isWhitespace } ?? start.endIndex
        return "\(start[..<end])…"
    }
}
