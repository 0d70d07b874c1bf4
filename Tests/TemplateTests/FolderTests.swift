import Foundation
import Testing

@testable import TemplateCompiler
@testable import TemplatePages

/// The tool itself: its commands and what it writes.
@Suite struct FolderTests {
    /// The templates of this folder, by name.
    static func fixtures() throws -> [String: [UInt8]] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Pages/Templates")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".html") }
        return try Dictionary(
            uniqueKeysWithValues: paths.map {
                (String($0.dropLast(5)), [UInt8](try Data(contentsOf: root.appending(path: $0))))
            })
    }

    private func write(_ text: String, to url: URL) throws {
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    @Test func `check gives 1 on any problem and 0 on none`() throws {
        try withFolder { root in
            try write("{% template () %}<p></p>", to: root.appending(path: "a/b.html"))
            try write("not a template", to: root.appending(path: "notes.txt"))
            #expect(Command.run(["--check", root.path]) == 0)
            try write("{% template () %}<p", to: root.appending(path: "c.html"))
            #expect(Command.run(["--check", root.path]) == 1)
            #expect(Command.run(["--check", root.path + "/gone"]) == 1)
            #expect(Command.run([]) == 2)
            #expect(Command.run(["--check"]) == 2)
            #expect(Command.run(["--output", "--", root.path]) == 2)
        }
    }

    @Test func `only outputs that differ are written, and those of gone templates removed`() throws {
        try withFolder { folder in
            let root = folder.appending(path: "Templates")
            let out = folder.appending(path: "out")
            try write("{% template () %}\n<p>a</p>", to: root.appending(path: "a.html"))
            try write("{% template () %}\n<p>b</p>", to: root.appending(path: "b.html"))
            let arguments = ["--output", out.path, "--imports", "Templating", "--", root.path]
            #expect(Command.run(arguments) == 0)
            try write("kept", to: out.appending(path: "Other.swift"))
            let old = Date(timeIntervalSince1970: 1_000_000)
            func date(_ name: String) throws -> Date? {
                try FileManager.default.attributesOfItem(atPath: out.appending(path: name).path)[.modificationDate]
                    as? Date
            }
            for name in ["Templates.swift", "Templates.a.swift", "Templates.b.swift"] {
                try FileManager.default.setAttributes(
                    [.modificationDate: old], ofItemAtPath: out.appending(path: name).path)
            }
            try write("{% template () %}\n<p>other</p>", to: root.appending(path: "a.html"))
            #expect(Command.run(arguments) == 0)
            #expect(try date("Templates.a.swift") != old)
            #expect(try date("Templates.b.swift") == old)
            #expect(try date("Templates.swift") == old)

            try FileManager.default.removeItem(at: root.appending(path: "b.html"))
            #expect(Command.run(arguments) == 0)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: out.path).sorted()
                    == ["Other.swift", "Templates.a.swift", "Templates.swift"])

            // With a problem nothing is written.
            try write("{% template () %}\n<p", to: root.appending(path: "a.html"))
            #expect(Command.run(arguments) == 1)
            #expect(try String(contentsOf: out.appending(path: "Templates.a.swift"), encoding: .utf8).contains("other"))
        }
    }

    @Test func `templates of one file name go by links, since swiftc wants each file name once`() throws {
        try withFolder { folder in
            let out = folder.appending(path: "out").path
            for name in ["a/show.html", "b/show.html", "show.html"] {
                try write("{% template (x: Int) %}{{ x }}", to: folder.appending(path: "Templates/" + name))
            }
            let arguments = ["--output", out + "/", "--", folder.appending(path: "Templates").path]
            #expect(Command.run(arguments) == 0)
            func links() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: out).filter { $0.hasSuffix(".html") }.sorted()
            }
            #expect(try links() == ["Templates.b.show.html", "Templates.show.html"])
            let link = out + "/Templates.b.show.html"
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link).hasSuffix("Templates/b/show.html"))
            #expect(try String(contentsOfFile: out + "/Templates.b.show.swift", encoding: .utf8).contains(link))
            try FileManager.default.removeItem(at: folder.appending(path: "Templates/show.html"))
            #expect(Command.run(arguments) == 0)
            #expect(try links() == ["Templates.b.show.html"])
        }
    }

    @Test func `hidden files and folders are the editors' own`() throws {
        try withFolder { root in
            try write("broken {{", to: root.appending(path: ".#a.html"))
            try write("broken {{", to: root.appending(path: ".cache/a.html"))
            #expect(Command.run(["--check", root.path]) == 0)
        }
    }

    @Test func `names of files become names of Swift`() {
        #expect(Name.swift("no-places-left") == "noPlacesLeft")
        #expect(Name.swift("404") == "_404")
        #expect(Name.swift("_x-y") == "_xY")
    }

    @Test func `messages are extracted sorted, once, with their places`() {
        let t = "{% template (n: Int, x: String) %}\n"
        let text = MessageList.pot(
            of: folder([
                "b": t
                    + "{% t %}Save{% end %}\n{% t count: n %}{{ count }} place{% plural %}{{ count }} places{% end %}",
                "a": t
                    + "{% if n == 1 %}\n<p title=\"{% t %}Save{% end %}\">{% end %}"
                    + "{% t x: x %}A \"{{ x }}\" \\{% end %}\n"
                    + "{% t context: \"a catch\" %}Save{% end %}{{ Words(\"Save\", context: \"a catch\") }}",
            ]))
        #expect(
            text.drop { $0 != "#" } == """
                #: a.html:3
                #, python-brace-format
                msgid "A \\"{x}\\" \\\\"
                msgstr ""

                #: a.html:3
                #: b.html:2
                msgid "Save"
                msgstr ""

                #: a.html:4
                msgctxt "a catch"
                msgid "Save"
                msgstr ""

                #: b.html:3
                #, python-brace-format
                msgid "{count} place"
                msgid_plural "{count} places"
                msgstr[0] ""
                msgstr[1] ""

                """)
    }
}
