import Templating

/// Which pages search engines find (sitemaps.org): the coming events and those who offer them.
struct Sitemap: Sendable {
    /// The most of each kind; both together stay below the 50,000 that a sitemap may hold.
    static let limit = 10_000

    struct Page: Sendable {
        let link: Link
        let updatedAt: Instant
    }

    /// The public URL of the site.
    let site: String
    let pages: [Page]

    /// The file, as UTF-8.
    var bytes: [UInt8] {
        var xml = XML()
        xml.element("urlset", ["xmlns": "http://www.sitemaps.org/schemas/sitemap/0.9"]) { set in
            for page: Link in [.start, .events, .about, .help] {
                set.element("url") { $0.element("loc", [:], site + page.string) }
            }
            for page in pages {
                set.element("url") { url in
                    url.element("loc", [:], site + page.link.string)
                    url.element("lastmod", [:], Zone.utc.day(of: page.updatedAt).iso)
                }
            }
        }
        return xml.bytes
    }
}
