import Foundation
import Testing

@testable import App
@testable import TemplateCompiler
@testable import Templating

/// The languages that the program brings along say all that the site says.
@Suite struct ShippedCataloguesTests {
    private static let folder = SourcesTests.root.appending(path: "languages").path

    /// What is wrong with a catalog, a line each, where the site has these messages.
    private static func faults(of text: String, for messages: [MessageList.Entry]) -> [String] {
        let catalogue = Catalogue(parsing: text)
        var faults = catalogue.problems.map { "line \($0)" }
        let broken = Set(catalogue.problems.map(\.line))
        let entries = CatalogueReader.entries(of: text).filter { $0.id != "" && !broken.contains($0.line) }
        let wanted = Dictionary(uniqueKeysWithValues: messages.map { ([$0.id, $0.context], $0) })
        for entry in entries {
            guard let id = entry.id, let message = wanted[[id, entry.context]], message.plural == entry.plural else {
                faults.append("line \(entry.line): the site doesn't say this anymore: “\(entry.id ?? "")”")
                continue
            }
            // One place may be said without its number; several may not.
            let names = Message(entry.plural ?? id).names
            for form in entry.plural == nil ? entry.forms : entry.forms.suffix(1) where !form.isEmpty {
                for name in names.subtracting(Message(form).names).sorted() {
                    faults.append("line \(entry.line): {\(name)} is missing: “\(form)”")
                }
            }
        }
        for message in messages {
            let isThere =
                message.plural.map {
                    catalogue.translation(of: message.id, context: message.context, plural: $0, count: 2) != nil
                } ?? (catalogue.translation(of: message.id, context: message.context) != nil)
            if !isThere { faults.append("no translation of “\(message.id)” (\(message.places[0]))") }
        }
        return faults
    }

    @Test func `publiccode.yml names the languages that ship, and files that are there`() throws {
        let text = try String(contentsOf: SourcesTests.root.appending(path: "publiccode.yml"), encoding: .utf8)
        let list = text.components(separatedBy: "availableLanguages:\n").last ?? ""
        let languages = list.components(separatedBy: "\n\n")[0].matches(of: /- (\w+)/).map { String($0.output.1) }
        #expect(Set(languages) == Set(["en"] + Catalogues.shipped.all.map(\.language)))
        let files = text.matches(of: /(?:Public|deploy)\/[\w\/.-]+/).map { String($0.output) }
        #expect(files.count == 2)
        for file in files {
            #expect(FileManager.default.fileExists(atPath: SourcesTests.root.appending(path: file).path), "\(file)")
        }
    }

    @Test func `each shipped catalog is whole`() throws {
        let messages = try MadeUp.messages
        let files = try CatalogueFolder(Self.folder).catalogues
        #expect(files.map(\.language) == Catalogues.shipped.all.map(\.language) && files.count >= 2)
        for (language, text) in files {
            #expect(Catalogue(parsing: text).language == language)
            let faults = Self.faults(of: text, for: messages)
            #expect(
                faults.isEmpty,
                """
                \(faults.count) in languages/\(language).po; CONTRIBUTING.md, “A new message”, says what to do:
                \(faults.prefix(20).joined(separator: "\n"))
                """)
        }
    }

    /// `hasta el sábado, 27 de marzo`; nothing like `hasta sábado`.
    @Test func `in Spanish a day has its article`() throws {
        let file = try #require(try CatalogueFolder(Self.folder).catalogues.first { $0.language == "es" })
        for form in CatalogueReader.entries(of: file.text).flatMap(\.forms) {
            #expect(!form.contains(/\b(hasta|desde|final de|antes de) \{(day|until|since|due)\}/), "\(form)")
        }
    }

    @Test func `what the program holds is what the file says`() throws {
        for (language, text) in try CatalogueFolder(Self.folder).catalogues {
            let held = try #require(Catalogues.shipped.all.first { $0.language == language }).catalogue
            #expect(held.language == language && held.problems.isEmpty)
            for entry in CatalogueReader.entries(of: text) where entry.id != "" && entry.plural == nil {
                let words = held.translation(of: entry.id ?? "", context: entry.context)?.pieces.map { "\($0)" }
                #expect(words == Message(entry.forms[0]).pieces.map { "\($0)" }, "\(entry.id ?? "")")
            }
        }
    }

    @Test func `a catalog that isn't whole is seen`() {
        let header = "msgid \"\"\nmsgstr \"Language: pl\\nPlural-Forms: nplurals=2; plural=(n != 1);\\n\"\n\n"
        let messages = [
            MessageList.Entry(id: "Hi {name}", places: ["a.html:1"]),
            MessageList.Entry(id: "Bye", places: ["a.html:2"]),
            MessageList.Entry(id: "Bye", context: "a gift", places: ["a.html:4"]),
            MessageList.Entry(id: "{count} place", plural: "{count} places", places: ["a.html:3"]),
        ]
        let whole =
            header + "msgid \"Hi {name}\"\nmsgstr \"Cześć {name}\"\n\nmsgid \"Bye\"\nmsgstr \"Pa\"\n\n"
            + "msgctxt \"a gift\"\nmsgid \"Bye\"\nmsgstr \"Dar\"\n\n"
            + "msgid \"{count} place\"\nmsgid_plural \"{count} places\"\n"
            + "msgstr[0] \"miejsce\"\nmsgstr[1] \"{count} m.\"\n"
        #expect(Self.faults(of: whole, for: messages) == [])
        for (old, new, fault) in [
            ("a gift", "a toy", "no translation of “Bye” (a.html:4)"),
            ("msgstr \"Pa\"", "msgstr \"\"", "no translation of “Bye” (a.html:2)"),
            ("msgid \"Bye\"\nmsgstr \"Pa", "#, fuzzy\nmsgid \"Bye\"\nmsgstr \"Pa", "no translation of “Bye”"),
            ("msgid \"Bye\"", "msgid \"Goodbye\"", "doesn't say this anymore: “Goodbye”"),
            ("Cześć {name}", "Cześć", "{name} is missing"), ("\"{count} m.\"", "\"m.\"", "{count} is missing"),
            ("Cześć {name}", "{nom}", "no placeholder {nom}"), ("\"Pa\"", "\"<b>Pa</b>\"", "tags differ"),
            ("msgstr[1] \"{count} m.\"\n", "", "2 plural forms"),
        ] {
            let faults = Self.faults(of: whole.replacing(old, with: new), for: messages)
            #expect(faults.contains { $0.contains(fault) }, "\(new): \(faults)")
        }
    }
}
