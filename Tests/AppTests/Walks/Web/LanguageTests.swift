import Foundation
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
        try await withTestSite(catalogues: [try Catalogue(parsing: Self.polish)]) { site in
            try await site.publish(by: .ben)
            // The second time from the pages that are kept.
            for _ in 0..<2 {
                #expect(try await heading(site, "/events", "pl-PL, en;q=0.5") == "Wydarzenia dla dzieci")
                #expect(try await heading(site, "/events", "en-GB, pl;q=0.5") == "Events")
                #expect(try await heading(site, "/events", "") == "Events")
            }
            let page = try await site.browser().visit("/events", ["Accept-Language": "pl"])
            #expect(page.html.first("html")?["lang"] == "pl" && page.html.first("html")?["dir"] == nil)
            #expect(page["Vary"] == "Accept-Encoding, Accept-Language, Cookie")
            #expect(page.text.contains("sobota, 27 marca"))
            for path in ["/events.atom", "/events.ics", "/events/count", "/api/nothing"] {
                let page = try await site.browser().visit(path)
                #expect(page["Vary"] == "Accept-Encoding, Accept-Language", "\(path)")
            }
        }
    }

    @Test func `where there is English alone, nothing varies by language`() async throws {
        try await withTestSite { site in
            for path in ["/events", "/events.atom", "/events/count", "/api/nothing"] {
                let page = try await site.browser().visit(path, ["Accept-Language": "pl"])
                #expect(page["Vary"]?.contains("Language") == false, "\(path)")
                #expect(!page.string.contains("lang=\"pl\""))
            }
            #expect(!site.site.hasLanguages && site.site.languages.map(\.locale) == ["en-US"])
        }
    }

    @Test func `an admin's country writes every language's days`() async throws {
        try await withTestSite(catalogues: [try Catalogue(parsing: Self.polish)]) { site in
            let brazil = Self.polish.replacing("Language: pl", with: "Language: pt_BR")
            let english = Language(nil, country: "DE")
            #expect(english.name == "en" && english.locale == "en-DE" && !english.isRightToLeft)
            let portuguese = try Catalogue(parsing: brazil)
            #expect(Language(portuguese, country: "DE").locale == "pt-BR")
            #expect(site.site.languages.map(\.locale) == ["en-US", "pl-US"])
            #expect(Language(MadeUp.catalogue, country: "DE").isRightToLeft)
        }
    }

    // MARK: Catalogs

    private func folder(_ files: [String: String]) throws -> String {
        let path = NSTemporaryDirectory() + "/village-languages-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, text) in files { try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8) }
        return path
    }

    @Test func `the catalogues of a folder are read`() throws {
        let path = try folder(["pl.po": Self.polish, "README.md": "x", ".hidden.po": "x"])
        defer { try? FileManager.default.removeItem(atPath: path) }
        let settings = try Settings(environment: ["VILLAGE_LANGUAGES": path])
        #expect(settings.catalogues.all.map(\.language) == ["pl"])
        #expect(try Settings(environment: [:]).catalogues.all.isEmpty)
    }

    @Test(arguments: [
        ["pl.po": "msgid"], ["pl.po": "msgid \"Saved.\"\nmsgstr \"<b>x</b>\"\n"],
        ["pl.po": polish.replacing("Language: pl", with: "Language: ")],
        ["pl.po": polish.replacing("Language: pl", with: "Language: x y\"")],
        ["pl.po": polish, "pl2.po": polish],
    ])
    func `a catalogue that can't be used stops the start and says where`(files: [String: String]) throws {
        let path = try folder(files)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let problems = #expect(throws: Settings.Problems.self) {
            try Settings(environment: ["VILLAGE_LANGUAGES": path])
        }
        #expect(problems?.lines.count == 1 && problems?.description.contains(".po") == true)
    }

    @Test func `a folder that isn't there stops the start`() {
        #expect(throws: Settings.Problems.self) { try Settings(environment: ["VILLAGE_LANGUAGES": "/nowhere/at/all"]) }
    }
}
