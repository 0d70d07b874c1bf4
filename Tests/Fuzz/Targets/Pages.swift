@testable import Templating

extension FuzzTarget {
    static let pages = [
        FuzzTarget(
            text: "escaping",
            seeds: [
                "Kite day", "<b>&amp;'\"", "12345678<", "12345678901234567890&é\u{2028}", "javascript:alert(1)",
                "/a?b=c#d",
                "https://example.org/ü, 2x",
            ],
            words: ["<", ">", "&", "\"", "'", "</script>", "javascript:", "\u{1}", "\t", ","]
        ) { text throws(Broken) in
            var buffer = HTMLBuffer(capacity: 1)
            buffer.text(text)
            buffer.attribute(text)
            // A text that may run the other way is isolated.
            let both = String(decoding: buffer.finish(), as: UTF8.self)
                .replacing("<bdi>", with: "", maxReplacements: 1).replacing("</bdi>", with: "", maxReplacements: 1)
            try hold(!both.utf8.contains { "<>\"'".utf8.contains($0) }, "\(both) can end its place")
            try hold(unescaped(both).utf8.elementsEqual((text + text).utf8), "\(text) came back as \(unescaped(both))")

            var url = HTMLBuffer(capacity: 1)
            url.url(text)
            try checkScheme(unescaped(String(decoding: url.finish(), as: UTF8.self)))
            var listed = HTMLBuffer(capacity: 1)
            listed.listedURL(text)
            let list = unescaped(String(decoding: listed.finish(), as: UTF8.self))
            try checkScheme(list)
            try hold(!list.utf8.contains { $0 <= 0x20 || $0 == UInt8(ascii: ",") }, "\(list) is more than one URL")
            var part = HTMLBuffer(capacity: 1)
            part.urlPart(text)
            try hold(part.finish().allSatisfy { Link.isUnreserved($0) || $0 == UInt8(ascii: "%") }, "a part of a URL")

            let json = JSON.object([(name: text, value: .string(text))]).text
            try hold(!json.utf8.contains { $0 < 0x20 || "<>&".utf8.contains($0) }, "\(json) can end its script")
        },
        FuzzTarget(
            text: "paragraphs",
            seeds: [
                "Bring hats.\n\nSee https://example.org/a?b=(c)&d. Or (http://x.example)!\nhttp://[::1]:80/",
                "<p>hi</p>\r\n\r\n  \u{2028}ahttp://b.c HTTP://B.C\u{202E}/d", "\u{600}http://a.b",
                "http://a>\u{301}b",
            ],
            words: [
                "http://", "https://a.b", "\n\n", "\n", "\u{301}", "\u{200D}", "\u{600}", "\u{FE0F}", "(", ")", "]",
                "@",
            ]
        ) { text throws(Broken) in
            let html = HTML.paragraphs(of: text).string
            var plain = html
            for piece in html.utf8.split(separator: UInt8(ascii: "<")) {
                let tag = String(Substring(piece.prefix { $0 != UInt8(ascii: ">") }))
                guard tag.hasPrefix("a href=\"") else {
                    let known = ["p", "p dir=\"auto\"", "/p", "br", "/a", "bdi", "/bdi"]
                    try hold(known.contains(tag), "<\(tag)> in \(html)")
                    continue
                }
                let end = "\" rel=\"ugc nofollow noopener\""
                try hold(tag.hasSuffix(end), "<\(tag)>")
                let url = unescaped(String(tag.dropFirst("a href=\"".count).dropLast(end.count)))
                try hold(!url.utf8.contains { "<>\"\\ ".utf8.contains($0) }, "the address \(url)")
                try hold(url.lowercased().hasPrefix("http"), "the address \(url)")
                try checkScheme(url)
            }
            // Without its tags, it is the text.
            var isTag = false
            plain.unicodeScalars.removeAll { scalar in
                if scalar == "<" { isTag = true }
                defer { if scalar == ">" { isTag = false } }
                return isTag
            }
            let seen = String(unescaped(plain).filter { !$0.isWhitespace })
            try hold(seen == text.filter { !$0.isWhitespace }, "“\(text)” reads “\(plain)”")
        },
        FuzzTarget(
            text: "links",
            seeds: [
                "/events?city=San%20Jose#main", "//evil.example", "/\\evil.example", "https://ben@example.org:80/a",
                "https://[2001:db8::1]:8080/?q=é", "mailto:ben@example.org", "tel:+14085550100", "..",
                "/\u{FE0F}evil.example",
            ],
            words: [
                "/", "\\", "?", "#", "http://", "https:", "mailto:", "@", ":", "[", "]", "\u{301}", "\u{200D}", "%2F",
            ]
        ) { text throws(Broken) in
            if let link = Link(onSite: text) {
                try hold(link.string == text, "\(text) became \(link.string)")
                try checkOnSite(link)
            }
            let own = Link(path: text)
            try checkOnSite(own)
            try hold(Link(path: own.string) == own, "\(own.string) became \(Link(path: own.string).string)")
            try checkOnSite(own / text)
            try checkOnSite(Link("/") / text)
            try checkOnSite(Link("/events?a=b#c").with(text, text).fragment(text) / text)
            try hold(
                (Link("/events") / text).string.split(separator: "/", omittingEmptySubsequences: false).count == 3,
                "“\(text)” is more than a segment")
            if let link = Link(outside: text) {
                try checkScheme(link.string)
                try hold(Link(outside: link.string) == link, "\(link.string) is refused the second time")
                try hold(
                    !link.string.unicodeScalars.contains {
                        $0.properties.isWhitespace || $0 == "\\" || Link.isHidden($0)
                    },
                    "\(link.string) hides something")
                if link.string.hasPrefix("http") {
                    let authority = link.string.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3).prefix {
                        !"/?#".utf8.contains($0)
                    }
                    try hold(
                        !authority.isEmpty && !authority.contains(UInt8(ascii: "@")), "\(link.string) has a user name")
                }
            }
        },
    ]

    /// An address that a browser takes as a page of the same site.
    private static func checkOnSite(_ link: Link) throws(Broken) {
        let bytes = Array(link.string.utf8)
        try hold(bytes.first == UInt8(ascii: "/"), "\(link.string) isn't below the site")
        try hold(
            bytes.count < 2 || bytes[1] != UInt8(ascii: "/") && bytes[1] != UInt8(ascii: "\\"),
            "\(link.string) leads elsewhere")
        try hold(bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(link.string) isn't encoded")
    }

    /// The scheme as browsers find it (URL Standard, "basic URL parser"): blanks and controls in front are skipped,
    /// tabs and line ends anywhere.
    private static func checkScheme(_ url: String) throws(Broken) {
        let bytes = url.utf8.drop { $0 <= 0x20 }.filter { ![0x09, 0x0A, 0x0D].contains($0) }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return }
        let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        let isScheme = scheme.utf8.enumerated().allSatisfy { place, byte in
            97...122 ~= byte || place > 0 && (48...57 ~= byte || "+-.".utf8.contains(byte))
        }
        guard isScheme else { return }
        try hold(["http", "https", "mailto", "tel"].contains(scheme), "\(url) has the scheme \(scheme)")
    }

    /// The text that these character references stand for.
    private static func unescaped(_ html: String) -> String {
        let references: [(String, UInt8)] = [("amp;", 38), ("lt;", 60), ("gt;", 62), ("#34;", 34), ("#39;", 39)]
        var bytes: [UInt8] = []
        var rest = Array(html.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "&"),
                let (name, meant) = references.first(where: { rest.starts(with: $0.0.utf8) })
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(meant)
            rest = rest.dropFirst(name.utf8.count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
