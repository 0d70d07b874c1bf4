import Templating
import Testing

/// The types that values of a page are made of.
@Suite struct ValueTests {
    private func string(_ html: HTML) -> String {
        var buffer = HTMLBuffer()
        buffer.text(html)
        return String(decoding: buffer.finish(), as: UTF8.self)
    }

    @Test func `a page in the memory of earlier ones has nothing of theirs, and no two have the same`() {
        for turn in 0..<20 {
            var one = HTMLBuffer()
            var other = HTMLBuffer()
            one.text("secret \(turn)")
            other.text("x")
            let (first, second) = (one.finish(), other.finish())
            #expect(first == Array("secret \(turn)".utf8))
            #expect(second == Array("x".utf8))
        }
        // Beyond its room, which goes on to the next page.
        for _ in 0..<3 {
            var long = HTMLBuffer()
            for _ in 0..<30_000 { long.text("abc") }
            var short = HTMLBuffer()
            short.text("y")
            let (first, second) = (long.finish(), short.finish())
            #expect(first == Array(String(repeating: "abc", count: 30_000).utf8))
            #expect(second == Array("y".utf8))
        }
    }

    @Test func `a link grows by segments, items and a fragment, each percent-encoded`() {
        let link = Link("/events") / 7 / "a b/ü?#"
        #expect(link.string == "/events/7/a%20b%2F%C3%BC%3F%23")
        #expect(Link("/").appending("a").string == "/a")
        #expect(Link("/a").with("q", "x&y=z").with("p", 2).with("none", String?.none).string == "/a?q=x%26y%3Dz&p=2")
        #expect(Link("/a").fragment("one").with("q", "1").appending("b").string == "/a/b?q=1#one")
        #expect(Link("/a#b").fragment("c d").string == "/a#c%20d")
    }

    @Test(arguments: ["", ".", ".."]) func `a segment can't lead up or away`(segment: String) {
        #expect((Link("/") / segment / "evil.example").string == "/%EF%BF%BD/evil.example")
    }

    @Test(arguments: [
        "http://a.example", "https://a.example/x?y#z", "HTTPS://a.example", "https://ü.example/é", "mailto:a@b.example",
        "tel:+1234", "https://a.example:8080/@x",
    ])
    func `a link outside is taken`(url: String) { #expect(Link(outside: url) != nil) }

    @Test(arguments: [
        "", "javascript:alert(1)", " https://a.example", "java\nscript:x", "https:", "https://", "https:///x",
        "https:a.example",
        "https://:80/", "https://user@a.example", "https://good.example@evil.example/", "//a.example", "/a",
        "a.example",
        "https://a.example/\u{202E}x", "https://a .example", "https:\\\\a.example", "https://a.example\\@b", "data:x",
        "mailto:",
        "ftp://a.example", "https://a\u{0}.example",
    ])
    func `a link outside is refused`(url: String) { #expect(Link(outside: url) == nil) }

    @Test func `a path from a request stays on the site`() {
        #expect(Link(path: "/a?b=c&d#e").string == "/a?b=c&d#e")
        #expect(Link(path: "//evil.example").string == "/evil.example")
        #expect(Link(path: "/\\evil.example").string == "/evil.example")
        #expect(Link(path: "https://evil.example").string == "/https://evil.example")
        #expect(Link(path: "/a b\r\n<\"é").string == "/a%20b%0D%0A%3C%22%C3%A9")
    }

    @Test func `plain text becomes paragraphs with line breaks`() {
        #expect(
            string(.paragraphs(of: "a\nb\r\n\r\n \n\n<c> & d\n"))
                == "<p dir=\"auto\">a<br>\nb</p>\n<p dir=\"auto\">&lt;c&gt; &amp; d</p>\n")
        #expect(string(.paragraphs(of: "")) == "")
        #expect(string(.paragraphs(of: " \n\t\n")) == "")
        #expect(string(HTML(escaping: "<b>") + HTML(escaping: "&")) == "&lt;b&gt;&amp;")
    }

    @Test(arguments: ["\n", "\r", "\r\n", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}"])
    func `each way to end a line ends it, between letters of any script`(end: String) {
        for (first, second) in [("a", "b"), ("ä", "日")] {
            #expect(
                string(.paragraphs(of: first + end + second)) == "<p dir=\"auto\">\(first)<br>\n\(second)</p>\n")
        }
    }

    /// What stands between tags.
    private func text(_ value: String, isRightToLeft: Bool = false) -> String {
        var buffer = HTMLBuffer(isRightToLeft: isRightToLeft)
        buffer.text(value)
        return String(decoding: buffer.finish(), as: UTF8.self)
    }

    @Test(arguments: ["שלום!", "Kite يوم (5)", "ﬢ", "ﻻ", "𐤀", "𞤀"])
    func `a text from right to left is isolated`(value: String) { #expect(text(value) == "<bdi>\(value)</bdi>") }

    @Test(arguments: ["", "Kite day!", "Łódź", "親子水泳教室", "ԱԲ", "สอนว่ายน้ำ", "🐶", "—", "Ꭰ"])
    func `any other is not`(value: String) { #expect(text(value) == value) }

    @Test func `in a page from right to left numbers and addresses stay whole`() {
        for value in ["+49 30 1234567", "1010 Martin Ave", "Kite day!", "שלום"] {
            #expect(text(value, isRightToLeft: true) == "<bdi>\(value)</bdi>")
        }
        #expect(text("", isRightToLeft: true) == "")
        var buffer = HTMLBuffer(isRightToLeft: true)
        buffer.attribute("+49 30")
        #expect(String(decoding: buffer.finish(), as: UTF8.self) == "+49 30")
    }

    @Test func `a calendar is handed over by another scheme, and nothing else is`() {
        #expect(Link(subscribingTo: "https://a.example/x.ics")?.string == "webcal://a.example/x.ics")
        for url in ["mailto:a@b", "javascript:alert(1)", "/x.ics", "https://u@a.example"] {
            #expect(Link(subscribingTo: url) == nil)
        }
    }

    @Test(arguments: [
        ("see https://a.example/x?y=1&z=2.", "https://a.example/x?y=1&amp;z=2"),
        ("(http://a.example)", "http://a.example"), ("HTTP://A.example!", "HTTP://A.example"),
        ("https://a.example/b_(c), d", "https://a.example/b_(c)"), ("\"https://a.example\"", "https://a.example"),
        ("<https://a.example>", "https://a.example"), ("https://a.example/'x", "https://a.example/&#39;x"),
        ("https://a.example/\u{202E}x", "https://a.example/"),
        ("The oh hth httq http @ xhttps://b.example HTtp://a.example/h h", "HTtp://a.example/h"),
    ])
    func `a URL in text becomes a link`(text: String, url: String) {
        let link = "<a href=\"\(url)\" rel=\"ugc nofollow noopener\">\(url)</a>"
        #expect(string(.paragraphs(of: text)).contains(link), "\(string(.paragraphs(of: text)))")
    }

    @Test(arguments: [
        "javascript:alert(1)", "xhttps://a.example", "https://", "http:a", "www.a.example", "https://u@a.example",
        "ftp://a.example",
        "https://\"onclick=x",
    ])
    func `anything else stays text`(text: String) { #expect(!string(.paragraphs(of: text)).contains("<a ")) }

    @Test(arguments: [
        ("thanks @Ana-Ortiz!", ["@Ana-Ortiz"]), ("@ana-ortiz", ["@ana-ortiz"]),
        ("@ana-ortiz_, @ben", ["@ana-ortiz", "@ben"]), ("ana@ana-ortiz.example", []), ("@ana-ortizé", []),
        ("é@ben", []), ("@@ben", ["@ben"]), ("@", []), ("@carl", []),
        ("https://a.example/@ben", []), ("(@ben)", ["@ben"]),
    ])
    func `whom a text names becomes a link, where somebody is called so`(text: String, named: [String]) {
        let people = ["ana-ortiz": Link("/people/ana-ortiz"), "ben": Link("/people/ben")]
        let page = string(.paragraphs(of: text, naming: people))
        for name in named {
            #expect(page.contains("<a href=\"/people/\(name.dropFirst().lowercased())\">\(name)</a>"), "\(page)")
        }
        let links = page.split(separator: "<a href=\"/people", omittingEmptySubsequences: false).count - 1
        #expect(links == named.count, "\(page)")
        #expect(Mention.all(in: text, most: 5).filter { people[$0] != nil }.count == named.count)
        #expect(Mention.all(in: String(repeating: "@a @b @c ", count: 9), most: 2) == ["a", "b"])
    }

    @Test func `only paragraphs, breaks and links come out of hostile text`() throws {
        let texts = EscapingTests.hostile + EscapingTests.hostile.map { "https://a.example/" + $0 }
        for (text, page) in zip(texts, try Browser.parse(texts.map { string(.paragraphs(of: $0)) })) {
            for element in page where !["html", "head", "body", "p", "br"].contains(element.name) {
                #expect(element.name == "a" && element.attributes.keys.sorted() == ["href", "rel"], "\(text)")
                #expect(element.attributes["href"]?.lowercased().hasPrefix("http") == true)
            }
        }
    }

    @Test(arguments: ["p { } </style><script>", "</", "a <"])
    func `no style sheet ends its element`(text: String) { #expect(StyleSheet(text) == nil) }

    @Test func `a style sheet is written as it is`() {
        var buffer = HTMLBuffer()
        buffer.styleSheet(StyleSheet("@media (width < 640px) { a > b { content: \"&\" } }")!)
        let text = String(decoding: buffer.finish(), as: UTF8.self)
        #expect(text == "@media (width < 640px) { a > b { content: \"&\" } }")
    }

    @Test func `JSON is written as it is meant`() {
        let json: JSON = [
            "a": 1, "b": 2.5, "c": true, "d": [.null, "x"], "e": .number(.infinity), "f": "\u{1}\"\\\u{2028}</script>",
        ]
        var buffer = HTMLBuffer()
        buffer.json(JSONLD(json))
        #expect(
            String(decoding: buffer.finish(), as: UTF8.self)
                == #"{"a":1,"b":2.5,"c":true,"d":[null,"x"],"e":null,"f":"\u0001\"\\\u2028\u003C/script\u003E"}"#)
    }
}
