import Templating

/// Which pages search engines find (sitemaps.org): the coming events and those who offer them.
struct Sitemap: Sendable {
    /// The most of each kind: both together stay below the 50,000 that a sitemap may hold and, however many languages
    /// each is in, below its 50 MB.
    static func limit(in languages: Int) -> Int { min(10_000, 50_000 / (languages + 1)) }

    struct Page: Sendable {
        let link: Link
        let updatedAt: Instant
    }

    /// The public URL of the site.
    let site: String
    let pages: [Page]
    /// What each can be read in; none where there is nothing to choose.
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
