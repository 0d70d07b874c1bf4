import Foundation
import Templating

@testable import TemplateCompiler
@testable import TemplatePages

extension View<Frame> {
    func string(_ catalogue: Catalogue? = nil) -> String {
        String(decoding: bytes(in: Frame(catalogue: catalogue)), as: UTF8.self)
    }
}

/// The problems of one template, without a folder around it.
func problems(_ text: String, name: String = "page") -> [String] {
    problems(Array(text.utf8), name: name)
}

func problems(_ bytes: [UInt8], name: String = "page") -> [String] {
    Folder(files: [name: bytes]).problems.map(\.description)
}

/// The templates of a folder given as text.
func folder(_ files: [String: String]) -> Folder { Folder(files: files.mapValues { Array($0.utf8) }) }

/// A folder of its own, gone when `body` is over.
func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let url = try newFolder()
    defer { try? FileManager.default.removeItem(at: url) }
    return try body(url)
}

/// A folder of its own, which stays.
func newFolder() throws -> URL {
    let url = FileManager.default.temporaryDirectory.appending(path: "templates-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
}

/// Numbers that are the same in every run.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    /// SplitMix64 (Steele, Lea, Flood 2014).
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// Runs a program; gives its exit status and what it wrote. The input is a file, so a program that doesn't read it to
/// the end does no harm.
func run(_ program: String, _ arguments: [String], in folder: URL? = nil, input: Data = Data()) throws -> (
    status: Int32, output: Data, text: String
) {
    try withFolder { scratch in
        let file = scratch.appending(path: "input")
        try input.write(to: file)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        if let folder { process.currentDirectoryURL = folder }
        let pipe = Pipe()
        process.standardInput = try FileHandle(forReadingFrom: file)
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, output, String(decoding: output, as: UTF8.self))
    }
}

/// An element as a browser would build it.
struct Element: Decodable, Equatable {
    let name: String
    let attributes: [String: String]
    /// Its own text, not that of elements in it.
    let text: String
}

/// A real HTML parser: html5lib follows the tree construction of the HTML Standard, as browsers do.
enum Browser {
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    private static let script = """
        import json, sys
        import html5lib
        def plain(name): return name.split("}")[-1] if isinstance(name, str) else "!comment"
        def elements(page):
            for node in html5lib.parse(page, namespaceHTMLElements=False).iter():
                text = (node.text or "") + "".join(child.tail or "" for child in node)
                attributes = {plain(k): v for k, v in node.attrib.items()}
                yield {"name": plain(node.tag), "attributes": attributes, "text": text}
        pages = json.loads(sys.stdin.buffer.read())
        json.dump([list(elements(page)) for page in pages], sys.stdout)
        """

    /// The elements of each page, in document order.
    static func parse(_ pages: [String]) throws -> [[Element]] {
        let python = ProcessInfo.processInfo.environment["VILLAGE_PYTHON"] ?? "python3"
        let result = try run(python, ["-c", script], input: try JSONEncoder().encode(pages))
        guard result.status == 0 else {
            throw Missing(
                description: "\(python) can't parse HTML: install html5lib for it (pip install html5lib) or set "
                    + "VILLAGE_PYTHON to one that has it. It said: \(result.text.suffix(300))")
        }
        return try JSONDecoder().decode([[Element]].self, from: result.output)
    }
}
