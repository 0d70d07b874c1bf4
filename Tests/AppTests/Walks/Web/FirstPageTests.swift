import Crypto
import Foundation
import Templating
import Testing

@testable import App

/// The page with which a visitor comes to the site: it brings its style sheets along.
@Suite struct FirstPageTests {
    private static let typed = ["Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "none"]
    private static let followed = ["Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "cross-site"]

    private func sheets(of page: Page) -> [String] {
        page.html.all("link").filter { $0["rel"] == "stylesheet" }.map { $0["href"] ?? "" }
    }

    /// What stands between each `<style>` and its end.
    private func styles(in page: Page) -> [String] {
        page.string.components(separatedBy: "<style>").dropFirst().map { $0.components(separatedBy: "</style>")[0] }
    }

    private func source(of style: String) -> String {
        "'sha256-\(Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString())'"
    }

    @Test(arguments: ["/", "/timeline", "/nothing", "/screen"])
    func `it has the styles of its sheets, and the policy admits just those of the site`(path: String) async throws {
        try await withTestSite { site in
            let next = try await site.browser().visit(path)
            for fields in [Self.typed, Self.followed] {
                // The second time from the cache.
                for _ in 0..<2 {
                    let first = try await site.browser().visit(path, fields)
                    #expect(first.status == next.status && sheets(of: first) == [])
                    let (styles, policy) = (styles(in: first), try #require(first["Content-Security-Policy"]))
                    #expect(styles.count == sheets(of: next).count && !styles.contains(""))
                    for style in styles { #expect(policy.contains(source(of: style))) }
                    #expect(!policy.contains("unsafe") && !policy.contains(source(of: "p { }")))
                    #expect(policy.components(separatedBy: "style-src").count == 2)
                }
            }
            #expect(styles(in: next) == [] && next["Content-Security-Policy"]?.contains("sha256") == false)
        }
    }

    @Test(arguments: [
        ["Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "same-origin"], ["Sec-Fetch-Dest": "document"], [:],
        ["Sec-Fetch-Dest": "empty", "Sec-Fetch-Site": "cross-site"],
        ["Sec-Fetch-Dest": "iframe", "Sec-Fetch-Site": "cross-site"],
    ]) func `the next page finds them in the browser's cache, which is what a script and an old browser get`(
        fields: [String: String]
    ) async throws {
        try await withTestSite { site in
            _ = try await site.browser().visit("/timeline", Self.typed)
            for _ in 0..<2 {
                let next = try await site.browser().visit("/timeline", fields)
                #expect(styles(in: next) == [] && sheets(of: next).count > 1)
            }
        }
    }

    @Test func `a member has been here before, and so has somebody who was told something`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/timeline", Self.typed)
            #expect(styles(in: page) == [] && sheets(of: page).count > 1)
        }
    }

    @Test func `it brings the color of the town along`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, role: .admin)
            _ = try await mira.visit("/admin/face").press("Save", filling: ["color": "#7a3e9d"])
            let first = try await site.browser().visit("/", Self.typed)
            let sheet = try #require(styles(in: first).first { $0.contains("#7a3e9d") })
            #expect(first["Content-Security-Policy"]?.contains(source(of: sheet)) == true && sheets(of: first) == [])
        }
    }

    @Test func `only a page admits styles: not a feed, nor a calendar`() async throws {
        try await withTestSite { site in
            for path in ["/events.atom", "/events.ics", "/api/events"] {
                let document = try await site.browser().visit(path, Self.typed)
                #expect(document["Content-Security-Policy"]?.contains("sha256") == false, "\(path)")
            }
        }
    }

    @Test func `the styles are those of the sheets, without comments, and load what there is`() throws {
        let assets = try TestFolder.assets.get()
        for name in ["village.css"] + Sheet.allCases.map(\.file) {
            let file = String(decoding: try #require(assets.file(name)).plain, as: UTF8.self)
            let style = assets.inlined(name).sheet.text
            #expect(!style.isEmpty && !style.contains("/*") && !style.contains("  ") && !style.contains("\n"))
            func bare(_ sheet: String) -> String {
                var sheet = sheet
                while let start = sheet.range(of: "/*") {
                    let end = sheet.range(of: "*/", range: start.upperBound..<sheet.endIndex)
                    sheet.removeSubrange(start.lowerBound..<(end?.upperBound ?? sheet.endIndex))
                }
                return sheet.filter { !$0.isWhitespace }
            }
            #expect(bare(style).replacing("/assets/\(assets.digest)/", with: "") == bare(file), "\(name)")
            for url in style.components(separatedBy: "url(\"").dropFirst() {
                let path = url.prefix { $0 != "\"" }
                #expect(path.hasPrefix("/assets/\(assets.digest)/"), "\(path)")
                #expect(assets.file(path.dropFirst("/assets/\(assets.digest)/".count)) != nil, "\(path)")
            }
        }
    }
}
