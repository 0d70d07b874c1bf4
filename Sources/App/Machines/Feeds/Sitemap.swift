import Templating

/// The pages for search engines (sitemaps.org): upcoming events and their providers.
struct Sitemap: Sendable {
    /// The most entries of each kind: together they stay below a sitemap's limit of 50,000 and, in any number of
    /// languages, below 50 MB.
    static func limit(in languages: Int) -> Int { min(10_000, 50_000 / (languages + 1)) }

    struct Page: Sendable {
        let link: Link
        let updatedAt: Instant
    }

    /// The site's public URL.
    let site: String
    let pages: [Page]
    /// The languages of each page; empty if there is no choice.
    let languages: [Language]

    /// The file, as UTF-8.
    var bytes: [UInt8] {
        var xml = XML()
        xml.element(
            "urlset",
            [
                "xmlns": "http://www.sitemaps.org/schemas/sitemap/0.9", "xmlns:xhtml": "http://www.w3.org/1999/xhtml",
            ]
        ) { set in
            for link: Link in [.start, .events, .about, .help] { add(link, nil, to: &set) }
            for page in pages { add(page.link, page.updatedAt, to: &set) }
        }
        return xml.bytes
    }

    private func add(_ link: Link, _ updatedAt: Instant?, to set: inout XML) {
        set.element("url") { url in
            url.element("loc", [:], site + link.string)
            if let updatedAt { url.element("lastmod", [:], Zone.utc.day(of: updatedAt).iso) }
            if !languages.isEmpty {
                url.element(
                    "xhtml:link", ["rel": "alternate", "hreflang": "x-default", "href": site + link.string])
            }
            for language in languages {
                let address = site + link.read(in: language).string
                url.element("xhtml:link", ["rel": "alternate", "hreflang": language.name, "href": address])
            }
        }
    }
}
