import Foundation
import Testing

/// The plugin in a real package: templates that come, change their name and go, and a mistake in one.
@Suite struct BuildTests {
    @Test func `a template is added, renamed and removed, and a type error shows at its own line`() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = try newFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let package = folder.appending(path: "package")
        let files = FileManager.default
        func write(_ text: String, to path: String) throws {
            let url = package.appending(path: path)
            try files.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        // Nobody debugs it or looks a name up in it: without what is written for that it takes two thirds of the time.
        let arguments = [
            "build", "--disable-sandbox", "-j", "2", "--disable-index-store", "-debug-info-format", "none",
        ]
        func build() async throws -> (status: Int32, text: String) {
            // What the compiler remembers of the time of each file: it overlooks a second change within a second.
            let record = package.appending(path: ".build/debug/App.build/primary.priors")
            if files.fileExists(atPath: record.path) { try files.removeItem(at: record) }
            // Off the few threads that all tests share: it takes a while.
            let result = try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(with: Result { try run("swift", arguments, in: package) })
                }
            }
            return (result.status, result.text)
        }
        func page() throws -> String { try run(package.appending(path: ".build/debug/App").path, []).text }

        try write(Self.manifest, to: "Package.swift")
        try write(Self.main, to: "Sources/App/main.swift")
        for module in ["TemplateCompiler", "TemplatePlugin", "Templating", "Domains"] {
            // A copy: two builds must not share what SwiftPM keeps beside a package's sources.
            try files.copyItem(
                at: root.appending(path: "Sources/\(module)"), to: package.appending(path: "Sources/\(module)"))
        }
        try write("{% template (name: String) %}\n<p>Hello {{ name }}</p>\n", to: "Templates/home.html")
        try files.createSymbolicLink(
            atPath: package.appending(path: "Sources/App/Templates").path, withDestinationPath: "../../Templates")

        var result = try await build()
        try #require(result.status == 0, "\(result.text)")
        #expect(try page() == "<p>Hello Mia</p>")

        // Added: main.swift stays as it is, so only the link can tell SwiftPM.
        try write("{% template (name: String) %}\n<b>{{ name }}</b>\n", to: "Templates/parts/_name.html")
        try write(
            "{% template (name: String) %}\n<p>{% include parts/_name(name: name) %}</p>\n",
            to: "Templates/home.html")
        result = try await build()
        #expect(result.status == 0, "\(result.text)")
        #expect(try page() == "<p><b>Mia</b></p>")

        // Renamed.
        try files.moveItem(
            at: package.appending(path: "Templates/parts/_name.html"),
            to: package.appending(path: "Templates/parts/_person.html"))
        try write(
            "{% template (name: String) %}\n<p>{% include parts/_person(name: name) %}!</p>\n",
            to: "Templates/home.html")
        result = try await build()
        #expect(result.status == 0, "\(result.text)")
        #expect(try page() == "<p><b>Mia</b>!</p>")

        // Removed.
        try files.removeItem(at: package.appending(path: "Templates/parts"))
        try write("{% template (name: String) %}\n<p>\n  {{ name }}</p>\n", to: "Templates/home.html")
        result = try await build()
        #expect(result.status == 0, "\(result.text)")
        #expect(!result.text.contains("warning:"), "\(result.text)")
        #expect(try page() == "<p>Mia</p>")

        // A type error, then a refusal, each at its own line and column. What is kept knows nothing of the page.
        try write(
            "{% template () kept %}\n<p class=\"visitor\">{{ frame.visitor }}</p>\n",
            to: "Templates/parts/_kept.html")
        try write(
            "{% template (name: String) %}\n\n<p class=\"x\">{{ name.size }}</p>\n", to: "Templates/home.html")
        result = try await build()
        #expect(result.status != 0)
        #expect(
            result.text.contains("Templates/home.html:3:22: error: value of type 'String' has no member 'size'"))
        #expect(
            result.text.contains("Templates/parts/_kept.html:2:29: error: value of type 'Kept' has no member 'visitor'")
        )
        try files.removeItem(at: package.appending(path: "Templates/parts"))
        try write(
            "{% template (name: String) %}\n{% switch name.isEmpty %}\n{% case true %}\n{% end %}\n",
            to: "Templates/home.html")
        result = try await build()
        #expect(result.status != 0)
        #expect(result.text.contains("error: switch must be exhaustive"), "\(result.text)")
        try write("{% template (name: String) %}\n<p {{ name }}>\n", to: "Templates/home.html")
        result = try await build()
        #expect(result.status != 0)
        #expect(result.text.contains("Templates/home.html:2:4: error: a value can't be a tag or attribute name"))
    }

    private static let main = """
        import Templating

        struct Frame: TemplateFrame {
            var catalogue: Catalogue?
            let visitor = "Mia"
            var kept: Kept { Kept() }
        }
        struct Kept: TemplateFrame, NamedInput {
            var catalogue: Catalogue?
            func add(to key: inout PartKey) {}
        }
        print(String(decoding: Templates.home(name: "Mia").bytes(in: Frame()), as: UTF8.self), terminator: "")
        """

    private static let manifest = """
        // swift-tools-version:6.2
        import PackageDescription

        let settings: [SwiftSetting] = [
            .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .enableUpcomingFeature("InferIsolatedConformances"),
        ]
        let package = Package(
            name: "fixture", platforms: [.macOS(.v15)],
            targets: [
                .executableTarget(name: "TemplateCompiler", exclude: ["README.md"], swiftSettings: settings),
                .plugin(name: "TemplatePlugin", capability: .buildTool(), dependencies: ["TemplateCompiler"],
                    path: "Sources/TemplatePlugin"),
                .target(name: "Domains", exclude: ["README.md"], swiftSettings: settings),
                .target(name: "Templating", dependencies: ["Domains"], exclude: ["README.md"],
                    swiftSettings: settings),
                .executableTarget(name: "App", dependencies: ["Templating"], exclude: ["Templates"],
                    swiftSettings: settings, plugins: ["TemplatePlugin"]),
            ])
        """
}
