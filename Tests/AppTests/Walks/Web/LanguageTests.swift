import Forms
import Foundation
import Logging
import Templating
import Testing

@testable import App

/// Readers of another language than English, where the site has words for it.
@Suite struct LanguageTests {
    private static let polish = """
        msgid ""
        msgstr "Language: pl\\nPlural-Forms: nplurals=2; plural=(n != 1);\\n"

        msgid "Events"
        msgstr "Wydarzenia dla dzieci"
        """

    private func heading(_ site: TestSite, _ path: String, _ languages: String) async throws -> String {
        try await site.browser().visit(path, ["Accept-Language": languages]).heading
    }

    @Test func `each visitor reads the language that their browser asks for`() async throws {
        try await withTestSite(catalogues: [Catalogue(parsing: Self.polish)]) { site in
            try await site.publish(by: .ben)
            // The second time from the cache.
            for _ in 0..<2 {
                #expect(try await heading(site, "/events", "pl-PL, en;q=0.5") == "Wydarzenia dla dzieci")
                #expect(try await heading(site, "/events", "en-GB, pl;q=0.5") == "Events")
                #expect(try await heading(site, "/events", "") == "Events")
            }
            let page = try await site.browser().visit("/events", ["Accept-Language": "pl"])
            #expect(page.html.first("html")?["lang"] == "pl" && page.html.first("html")?["dir"] == nil)
            #expect(page["Vary"] == "Accept-Encoding, Accept-Language, Cookie, Sec-Fetch-Dest, Sec-Fetch-Site")
            #expect(page.text.contains("sobota, 27 marca"))
            for path in ["/events.atom", "/events.ics", "/events/count", "/api/nothing"] {
                let page = try await site.browser().visit(path)
                #expect(page["Vary"]?.hasPrefix("Accept-Encoding, Accept-Language, Cookie") == true, "\(path)")
            }
        }
    }

    @Test func `where there is English alone, nothing varies by language`() async throws {
        try await withTestSite { site in
            for path in ["/events", "/events.atom", "/events/count", "/api/nothing"] {
                let page = try await site.browser().visit(path, ["Accept-Language": "pl"])
                #expect(page["Vary"]?.contains("Language") == false, "\(path)")
                #expect(page.html.first("html")?["lang"] ?? "en" == "en", "\(path)")
            }
            #expect(!site.site.hasLanguages && site.site.languages.map(\.locale) == ["en-US"])
        }
    }

    @Test func `an admin's country writes every language's days`() async throws {
        try await withTestSite(catalogues: [Catalogue(parsing: Self.polish)]) { site in
            let brazil = Self.polish.replacing("Language: pl", with: "Language: pt_BR")
            let english = Language(nil, country: "DE")
            #expect(english.name == "en" && english.locale == "en-DE" && !english.isRightToLeft)
            let portuguese = Translations(Catalogue(parsing: brazil))
            #expect(Language(portuguese, country: "DE").locale == "pt-BR")
            #expect(site.site.languages.map(\.locale) == ["en-US", "pl-US"])
            #expect(Language(Translations(MadeUp.catalogue), country: "DE").isRightToLeft)
        }
    }

    // MARK: Catalogs

    private func folder(_ files: [String: String]) throws -> String {
        let path = NSTemporaryDirectory() + "/village-languages-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, text) in files { try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8) }
        return path
    }

    @Test func `the catalogues of a folder are read, and take the place of those that ship`() throws {
        let spanish = Self.polish.replacing("Language: pl", with: "Language: es")
        let path = try folder(["pl.po": Self.polish, "es.po": spanish, "README.md": "x", ".hidden.po": "x"])
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try Settings(environment: [:]).catalogues.all.map(\.language) == ["ar", "de", "es"])
        let catalogues = try Settings(environment: ["VILLAGE_LANGUAGES": path]).catalogues
        #expect(catalogues.all.map(\.language) == ["ar", "de", "es", "pl"] && catalogues.problems.isEmpty)
        let words = catalogues.all.map { ("Events" as Words).text(by: $0.catalogue, in: "en-US") }
        #expect(words == ["الفعاليات", "Veranstaltungen", "Wydarzenia dla dzieci", "Wydarzenia dla dzieci"])
    }

    @Test func `a catalogue that ships is read once, however many want it first`() async {
        let spanish = Translations("es", text: "msgid \"Events\"\nmsgstr \"Eventos\"\n")
        await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { #expect(spanish.catalogue.translation(of: "Events") != nil) } }
        }
    }

    /// Files that hold something unusable: what is told of them, and the languages that stay.
    struct Folder: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let files: [String: String]
        let problems: [String]
        var languages = ["ar", "de", "es", "pl"]
    }

    @Test(arguments: [
        Folder(
            testDescription: "markup in a translation",
            files: ["pl.po": polish + "\n\nmsgid \"Saved.\"\nmsgstr \"<b>x</b>\"\n"], problems: ["pl.po:7"]),
        Folder(
            testDescription: "a quote that is not closed", files: ["pl.po": polish + "\n\nmsgid \"Saved.\n"],
            problems: ["pl.po:7"]),
        Folder(
            testDescription: "a keyword alone", files: ["pl.po": "msgid"],
            problems: ["pl.po:1", "pl.po: its header"], languages: ["ar", "de", "es"]),
        Folder(
            testDescription: "no language", files: ["pl.po": polish.replacing("Language: pl", with: "Language: ")],
            problems: ["pl.po: its header"], languages: ["ar", "de", "es"]),
        Folder(
            testDescription: "a header cut short",
            files: ["pl.po": polish.replacing("Language: pl", with: "Language: x\"")],
            problems: ["pl.po:2", "pl.po: its"], languages: ["ar", "de", "es"]),
        Folder(
            testDescription: "one language twice", files: ["pl.po": polish, "pl2.po": polish],
            problems: ["pl2.po: its header"]),
        Folder(
            testDescription: "more problems than are told",
            files: ["pl.po": polish + String(repeating: "\n\nmsgid \"\"\nmsgstr \"<b>", count: 30)],
            problems: (0..<20).map { "pl.po:\(8 + 3 * $0)" } + ["pl.po: 10 more"]),
    ])
    func `what can't be used of a catalogue is left out, and told in the log and by the check`(
        folder sample: Folder
    ) async throws {
        let path = try folder(sample.files)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let settings = try Settings(environment: ["VILLAGE_LANGUAGES": path, "VILLAGE_DATA": path + "/data"])
        #expect(settings.catalogues.all.map(\.language) == sample.languages)
        let told = settings.catalogues.problems
        #expect(told.count == sample.problems.count, "\(told)")
        for (line, beginning) in zip(told, sample.problems) {
            #expect(line.hasPrefix("\(path)/\(beginning)"), "\(line)")
        }
        let checked = await Site.check(settings).problems
        #expect(told.allSatisfy { line in checked.contains { $0.hasSuffix(line) } })
        let log = LogBook()
        settings.catalogues.report(to: Logger(label: "test") { _ in log })
        #expect(told.allSatisfy { line in log.lines.contains { $0.contains(line) } })
    }

    @Test func `a folder that isn't there stops the start`() {
        #expect(throws: Settings.Problems.self) { try Settings(environment: ["VILLAGE_LANGUAGES": "/nowhere/at/all"]) }
    }
}
