import Forms
import Foundation
import Templating
import Testing

@testable import App
@testable import TemplateCompiler

/// A language that nobody speaks, made from all messages of the site: `[!!Ŝĥöŵ þļáćéŝ!!]`.
///
/// It claims to be Persian, so that days, amounts and digits differ from English too, and it is written from right to
/// left. If Latin letters or digits on a page weren't typed by anyone, they were never translated.
enum MadeUp {
    static let language = "fa"

    /// The catalog of all messages that the tool extracts from templates and Swift code.
    static let catalogue: Catalogue = {
        do {
            return Catalogue(parsing: try po())
        } catch {
            fatalError("The messages make no catalogue: \(error)")
        }
    }()

    /// The messages of the site.
    static var messages: [MessageList.Entry] {
        get throws {
            let root = SourcesTests.root.path
            return try MessageList.entries(
                of: TemplateCompiler.Folder(root + "/Templates"),
                and: ["App", "Forms"].flatMap { try Command.sources(in: "\(root)/Sources/\($0)") })
        }
    }

    private static func po() throws -> String {
        var text = "msgid \"\"\nmsgstr \"Language: \(language)\\nPlural-Forms: nplurals=2; plural=(n != 1);\\n\"\n"
        for entry in try messages {
            text += entry.context.map { "\nmsgctxt \(quoted($0))" } ?? ""
            text += "\nmsgid \(quoted(entry.id))\n"
            if let plural = entry.plural {
                text += "msgid_plural \(quoted(plural))\nmsgstr[0] \(quoted(said(entry.id)))\n"
                text += "msgstr[1] \(quoted(said(plural)))\n"
            } else {
                text += "msgstr \(quoted(said(entry.id)))\n"
            }
        }
        return text
    }

    private static func quoted(_ text: String) -> String {
        "\""
            + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
            .replacing("\t", with: "\\t") + "\""
    }

    private static let letters: [Character: Character] = Dictionary(
        uniqueKeysWithValues: zip(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
            "áƀćďéƒĝĥíĵķļɱñöþɋŕŝţúṽŵẋýžÁƁĆĎÉƑĜĤÍĴĶĻṀÑÖÞɊŔŜŢÚṼŴẊÝŽ۰۱۲۳۴۵۶۷۸۹"))

    /// A message in the made-up language. Letters and digits are replaced; placeholders, tags and references are kept.
    static func said(_ message: String) -> String {
        let kept = /\{[A-Za-z0-9_]+\}|<[A-Za-z\/!?][^>]*>|&[#A-Za-z0-9]+;/
        var said = "[!!"
        var rest = message[...]
        while let match = rest.firstMatch(of: kept) {
            said += rest[..<match.range.lowerBound].map { letters[$0] ?? $0 } + match.output
            rest = rest[match.range.upperBound...]
        }
        return said + rest.map { letters[$0] ?? $0 } + "!!]"
    }

    /// Whether a text is translated, including everything inserted into it.
    static func knows(_ words: Words) -> Bool {
        !isLatin(words.text(in: Language(Translations(catalogue), country: "US")).replacing(/\{[a-z]+\}/, with: " "))
    }

    private static func isLatin(_ text: String) -> Bool {
        text.utf8.contains { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) }
    }

    /// The untranslated parts of a page: English letters and digits that aren't among `data`, the words that people of
    /// the test town typed.
    static func leaks(of page: Page, besides data: [String]) -> [String] {
        var leaks: [String] = []
        func look(_ text: String, _ place: String) {
            guard isLatin(text) else { return }
            // A number that a script fills in has a name.
            var rest = text.replacing(/\{[a-z]+\}/, with: " ")
            for word in data where rest.contains(word) { rest = rest.replacing(word, with: " ") }
            guard isLatin(rest) else { return }
            leaks.append("\(place): \(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))")
        }
        func walk(_ element: Element) {
            if element.name == "svg" {
                for title in element.all("title") { look(title.text, "title of a drawing") }
                return
            }
            if ["script", "style", "code", "textarea", "kbd"].contains(element.name) { return }
            // Text that is marked as another language, such as the names of standards.
            if element.name == "bdi", let own = element["lang"], own != language { return }
            // The name of a language is written in that language.
            if element.name == "option", LanguageNames.byTag[element["value"] ?? ""] == element.text { return }
            // A picture, or the initials of a name.
            if element["class"]?.contains("avatar") == true { return }
            for name in [
                "title", "alt", "aria-label", "placeholder", "label", "aria-roledescription", "aria-valuetext",
            ] {
                if let value = element[name] { look(value, "\(element.name) \(name)") }
            }
            let isButton = element.name == "input" && ["submit", "button", "reset"].contains(element["type"] ?? "")
            if isButton, let value = element["value"] { look(value, "value of a button") }
            let meta = element["name"] ?? element["property"] ?? ""
            if element.name == "meta", ["description", "og:title", "og:description", "og:image:alt"].contains(meta) {
                look(element["content"] ?? "", "meta \(meta)")
            }
            // Words that scripts use.
            for (name, value) in element.attributes
            where name.hasPrefix("data-") && value.contains(" ") && !["data-behaviour", "data-rows"].contains(name) {
                look(value, "\(element.name) \(name)")
            }
            for node in element.nodes {
                switch node {
                case .text(let text): look(text, element.name)
                case .element(let child): walk(child)
                }
            }
        }
        if let html = page.html.first("html") {
            if html["lang"] != language || html["dir"] != "rtl" { leaks.append("html: lang or dir") }
            walk(html)
        }
        return leaks
    }
}
