import Foundation
import Templating
import Testing

@testable import TemplateCompiler
@testable import TemplatePages

/// Each place of escaping, with hostile values, in a real HTML parser.
@Suite struct EscapingTests {
    static let hostile = [
        "<script>alert(1)</script>", "\"><script>alert(1)</script>", "'><img src=x onerror=alert(1)>",
        "\" onmouseover=\"alert(1)", "' onfocus='alert(1)' autofocus='", "javascript:alert(1)", "JaVaScRiPt:alert(1)",
        " javascript:alert(1)", "java\tscript:alert(1)", "\u{1}javascript:alert(1)", "javascript&colon;alert(1)",
        "javascript&#58;alert(1)", "vbscript:msgbox(1)", "data:text/html,<script>alert(1)</script>",
        "blob:https://x/1", "//evil.example/x", "/\\evil.example", "https://evil.example/\"'<>",
        "</title><script>x</script>",
        "</textarea><script>x</script>", "</script><script>x</script>", "<!--", "-->", "]]>", "&lt;script&gt;", "&amp;",
        "&", "&#x3C;", "<", ">", "\"", "'", "`", "=", "a b", "a,b 2x", ", javascript:x 1x", "../..", "..", ".", "",
        "%2e%2e",
        "</noscript><img src=x onerror=alert(1)>", "</svg><script>x</script>", "<![CDATA[x]]>", "\u{2028}\u{2029}",
        "{{ value }}", "{% end %}", "{name}", "é漢🐶\u{202E}x", String(repeating: "<&>\"'", count: 40),
    ]

    /// The page with `value` everywhere.
    private static func page(_ value: String) -> String {
        let data = JSONLD(.object([(name: value, value: .string(value))]))
        return Templates.places(value: value, markup: HTML(escaping: value), data: data).string()
    }

    /// The elements and the names of their attributes: what no value may change.
    private static func shape(_ page: [Element]) -> [String] {
        page.map { $0.name + " " + $0.attributes.keys.sorted().joined(separator: " ") }
    }

    @Test func `no value changes the page around it, in any place, and each comes out as it went in`() throws {
        let pages = try Browser.parse([Self.page("benign")] + Self.hostile.map(Self.page))
        let shape = Self.shape(pages[0])
        for (value, page) in zip(Self.hostile, pages.dropFirst()) {
            #expect(Self.shape(page) == shape, "\(value)")
            func element(_ id: String) -> Element? { page.first { $0.attributes["id"] == id } }
            #expect(element("text")?.text == value)
            #expect(element("double")?.attributes["title"] == value)
            #expect(element("single")?.attributes["title"] == value)
            #expect(element("middle")?.attributes["class"] == "a \(value) b")
            #expect(element("area")?.text == value)
            #expect(element("pre")?.text == value)
            #expect(element("markup")?.text == value)
            #expect(element("image")?.attributes["alt"] == value)
            #expect(element("message")?.attributes["title"] == "Hi \(value)")
            #expect(page.first { $0.name == "title" }?.text == value)
            #expect(page.contains { $0.name == "b" && $0.text == value })
            #expect(element("end")?.text == "end")
        }
    }

    @Test func `every URL on the page is relative or of an allowed scheme`() throws {
        let pages = try Browser.parse(Self.hostile.map(Self.page))
        var count = 0
        for (value, page) in zip(Self.hostile, pages) {
            for element in page {
                for (name, url) in element.attributes where URLPlace.attributes.contains(name) || name == "srcset" {
                    for part in name == "srcset" ? url.split(separator: ",").map(String.init) : [url] {
                        count += 1
                        #expect(Self.isHarmless(part), "\(name)=\(part) from \(value)")
                    }
                }
            }
        }
        #expect(count > 500)
    }

    /// As a browser reads a URL: blanks and controls in front and tabs and breaks within don't count.
    private static func isHarmless(_ url: String) -> Bool {
        let read = url.unicodeScalars.drop { $0.value <= 0x20 }.filter { !"\t\r\n".unicodeScalars.contains($0) }
        let scheme = read.prefix { $0 != ":" && $0 != "/" && $0 != "?" && $0 != "#" }
        guard scheme.endIndex < read.endIndex, read[scheme.endIndex] == ":" else { return true }
        return ["http", "https", "mailto", "tel"].contains(String(String.UnicodeScalarView(scheme)).lowercased())
    }

    @Test func `without escaping the same tests fail`() throws {
        // The twin: the values put in by hand.
        let raw = Self.hostile.map { Self.page("MARK").replacing("MARK", with: $0) }
        let pages = try Browser.parse([Self.page("benign")] + raw)
        let shape = Self.shape(pages[0])
        let broken = zip(Self.hostile, pages.dropFirst()).filter { Self.shape($1) != shape }.map(\.0)
        #expect(broken.contains("\"><script>alert(1)</script>"))
        #expect(broken.contains("' onfocus='alert(1)' autofocus='"))
        #expect(broken.contains("</textarea><script>x</script>"))
        #expect(broken.contains("</script><script>x</script>"))
        #expect(!Self.isHarmless("java\tscript:alert(1)"))
    }

    @Test func `a value within a URL stays one part of it`() throws {
        let page = try Browser.parse([Self.page("../x?y=1&z#w/é")])[0]
        func link(_ id: String) -> String? { page.first { $0.attributes["id"] == id }?.attributes["href"] }
        #expect(link("path") == "/a/..%2Fx%3Fy%3D1%26z%23w%2F%C3%A9/b")
        #expect(link("query") == "/a?q=..%2Fx%3Fy%3D1%26z%23w%2F%C3%A9&r=..%2Fx%3Fy%3D1%26z%23w%2F%C3%A9")
    }

    @Test func `a URL in a srcset can't begin another`() throws {
        let page = try Browser.parse([Self.page("/a b, javascript:x 2x")])[0]
        let image = page.first { $0.attributes["id"] == "image" }
        #expect(
            image?.attributes["srcset"]
                == "/a%20b%2C%20javascript:x%202x 1x, /b/%2Fa%20b%2C%20javascript%3Ax%202x 2x")
    }

    @Test func `linked data comes out as it went in`() throws {
        for (value, page) in zip(Self.hostile, try Browser.parse(Self.hostile.map(Self.page))) {
            let script = try #require(page.first { $0.name == "script" })
            #expect(!script.text.contains { "<>&\u{2028}\u{2029}".contains($0) })
            let object = try JSONDecoder().decode([String: String].self, from: Data(script.text.utf8))
            #expect(object == [value: value])
        }
    }

    @Test func `the quick way to escape says what the plain one says`() {
        var random = SeededGenerator(state: 1)
        let letters = Array("&<>\"'ab %é漢🐶\u{0}\n")
        for length in 0..<300 {
            let text = String((0..<length).map { _ in letters.randomElement(using: &random)! })
            let plain = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
                .replacing("\"", with: "&#34;").replacing("'", with: "&#39;")
            var buffer = HTMLBuffer(capacity: 1)
            buffer.text(text)
            buffer.text(text.dropFirst(3))
            let bytes = buffer.finish()
            #expect(bytes.starts(with: Array(plain.utf8)))
        }
        for byte in UInt8.min...0x7F {
            // Each ASCII character in each of the eight lanes of a word.
            for lane in 0..<8 {
                let character = Character(Unicode.Scalar(byte))
                let text = String(repeating: "x", count: lane) + String(character) + String(repeating: "y", count: 9)
                var buffer = HTMLBuffer()
                buffer.attribute(text)
                let isSpecial = "&<>\"'".contains(character)
                #expect((buffer.finish() == Array(text.utf8)) == !isSpecial, "\(byte) in lane \(lane)")
            }
        }
    }

    @Test(arguments: [0, 1, 9, 10, 99, 100, 12_345, -1, -10, .max, .min])
    func `integers are drawn in decimal where programs read them`(number: Int) {
        var buffer = HTMLBuffer()
        buffer.attribute(number)
        buffer.attribute(UInt64(bitPattern: Int64(number)))
        buffer.urlPart(Int8(truncatingIfNeeded: number))
        #expect(
            String(decoding: buffer.finish(), as: UTF8.self)
                == "\(number)\(UInt64(bitPattern: Int64(number)))\(Int8(truncatingIfNeeded: number))")
    }

    @Test(arguments: [
        (0, "0", "٠"), (999, "999", "٩٩٩"), (1_000, "1,000", "١٠٠٠"), (-12_345, "-12,345", "-١٢٬٣٤٥"),
        (1_234_567, "1,234,567", "١٬٢٣٤٬٥٦٧"), (.min, "-9,223,372,036,854,775,808", "-٩٬٢٢٣٬٣٧٢٬٠٣٦٬٨٥٤٬٧٧٥٬٨٠٨"),
    ])
    func `integers are drawn as the language writes them where people do`(number: Int, english: String, other: String) {
        let arabic = Numbers(digits: "٠١٢٣٤٥٦٧٨٩".map(String.init), grouping: "٬", groupingFrom: 5)
        for (numbers, expected) in [(Numbers.english, english), (arabic, other)] {
            var buffer = HTMLBuffer(numbers: numbers)
            buffer.text(number)
            buffer.spoken(number)
            #expect(String(decoding: buffer.finish(), as: UTF8.self) == expected + expected)
        }
    }
}
