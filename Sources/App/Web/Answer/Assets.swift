import Crypto
import FoundationEssentials
import HTTPTypes
import Templating

/// The files in `Public`, read once at the start and served from memory under a digest of all of them.
struct Assets: Sendable {
    struct File: Sendable {
        let type: String
        let plain: [UInt8]
        /// Made by `deploy/precompress` after the build; nil otherwise.
        let gzip: [UInt8]?
        let brotli: [UInt8]?
        let etag: String
        /// The file's hash for the tag that loads it, which browsers verify (W3C Subresource Integrity).
        let integrity: String
    }

    /// Part of every asset's path, so that a page and its assets always match and browsers can cache them forever.
    let digest: String
    private let files: [String: File]
    /// The URL of each file, made once because every icon on a page needs one.
    private let links: [String: Link]
    /// By their raw values.
    private let icons: [Link]
    private let posters: [Motif: Link]
    /// The style sheets for pages that bring them along.
    private let inlined: [String: InlinedSheet]
    /// What the content security policy of such a page says of them.
    let inlinedSources: String

    /// Reads the folder. The style sheets are joined into `village.css` in the order of their layers, and those of a
    /// room (`css/rooms/helping/…`) into a separate sheet, `helping.css`.
    ///
    /// - Throws: A file error.
    init(folder: String) throws {
        var contents: [String: [UInt8]] = [:]
        for path in try Self.paths(in: folder) { contents[path] = try Self.bytes(of: folder + "/" + path) }
        let sheets = contents.keys.filter { $0.hasSuffix(".css") }.sorted()
        var joined: [String: [UInt8]] = [:]
        var seen: Set<String> = []
        for sheet in ["css/tokens.css", "css/base.css"] + sheets where seen.insert(sheet).inserted {
            let parts = sheet.split(separator: "/")
            let whole = parts.count == 4 && parts[1] == "rooms" ? "\(parts[2]).css" : "village.css"
            joined[whole, default: []] += (contents[sheet] ?? []) + [10]
        }
        contents.merge(joined) { $1 }

        let copies = Set((try? FileManager.default.contentsOfDirectory(atPath: folder + "/.compressed")) ?? [])
        func copy(_ name: String) -> [UInt8]? {
            guard copies.contains(name) else { return nil }
            return try? Self.bytes(of: "\(folder)/.compressed/\(name)")
        }
        var all = SHA256()
        var files: [String: File] = [:]
        for (path, bytes) in contents.sorted(by: { $0.key < $1.key }) {
            let digest = SHA256.hash(data: bytes)
            let hash = hexadecimal(digest)
            all.update(data: Array("\(path) \(hash)\n".utf8))
            // Compressed copies have a hash of their content in their name, so that a stale copy is never used. Without
            // copies, as during development, the plain file is served.
            let name = hash.prefix(32)
            files[path] = File(
                type: Self.type(of: path)!, plain: bytes, gzip: copy("\(name).gz"), brotli: copy("\(name).br"),
                etag: "\"\(name)\"", integrity: "sha256-" + Data(digest).base64EncodedString())
        }
        self.files = files
        let digest = String(hexadecimal(all.finalize()).prefix(16))
        self.digest = digest
        let links = Dictionary(
            uniqueKeysWithValues: files.keys.map { path in
                (path, path.split(separator: "/").reduce(Link("/assets") / digest) { $0 / String($1) })
            })
        self.links = links
        let (drawings, scenes) = (links["images/icons.svg"] ?? .start, links["images/posters.svg"] ?? .start)
        icons = Icon.allCases.map { drawings.fragment($0.name) }
        posters = Dictionary(uniqueKeysWithValues: Motif.allCases.map { ($0, scenes.fragment($0.rawValue)) })
        let inlined = joined.mapValues { InlinedSheet(Self.condensed($0, in: "/assets/\(digest)/")) }
        self.inlined = inlined
        inlinedSources = inlined.values.map(\.source).sorted().joined(separator: " ")
    }

    /// A style sheet without its comments, line ends and indentation, and with addresses that don't depend on the
    /// page's.
    private static func condensed(_ sheet: [UInt8], in folder: String) -> String {
        let address = Array("url(\"".utf8)
        var result: [UInt8] = []
        result.reserveCapacity(sheet.count)
        var rest = sheet[...]
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "/") where rest.starts(with: "/*".utf8):
                rest = rest.dropFirst(2)
                while let byte = rest.popFirst(), byte != UInt8(ascii: "*") || rest.first != UInt8(ascii: "/") {}
                rest = rest.dropFirst()
            case UInt8(ascii: " "), UInt8(ascii: "\n"):
                if let last = result.last, last != UInt8(ascii: " ") { result.append(UInt8(ascii: " ")) }
                rest = rest.dropFirst()
            case UInt8(ascii: "u") where rest.starts(with: address):
                result += address + Array(folder.utf8)
                rest = rest.dropFirst(address.count)
            default:
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The paths of all files of known types that aren't hidden. Hidden folders aren't entered: the compressed copies
    /// are twice as many as the files.
    private static func paths(in folder: String, after start: String = "") throws -> [String] {
        var paths: [String] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where !name.hasPrefix(".") {
            if type(of: name) != nil {
                paths.append(start + name)
                continue
            }
            let path = "\(folder)/\(name)"
            var isFolder = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder else { continue }
            paths += try self.paths(in: path, after: "\(start)\(name)/")
        }
        return paths
    }

    /// The content of a file. Asking for it by path takes a quarter of the time of asking by URL.
    private static func bytes(of path: String) throws -> [UInt8] {
        // It doesn't say why there is none.
        Array(try FileManager.default.contents(atPath: path) ?? Data(contentsOf: URL(filePath: path)))
    }

    func file(_ path: some StringProtocol) -> File? { files[String(path)] }

    /// The `integrity` attribute for a script or style sheet; empty if there is no such file.
    func integrity(_ path: String) -> String { files[path]?.integrity ?? "" }

    var paths: [String] { files.keys.sorted() }

    /// The URL of a file in `Public`; the start page's if there is no such file.
    func link(_ path: String) -> Link { links[path] ?? Link.start }

    /// The style sheet for a page that brings it along; empty if there is no such sheet.
    func inlined(_ sheet: String) -> InlinedSheet { inlined[sheet] ?? InlinedSheet("") }

    func link(_ icon: Icon) -> Link { icons[icon.rawValue] }

    func link(_ poster: Motif) -> Link { posters[poster] ?? Link.start }

    private static func type(of path: String) -> String? {
        path.lastIndex(of: ".").flatMap { types[String(path[$0...].dropFirst())] }
    }

    private static let types = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml; charset=utf-8",
        "woff2": "font/woff2", "png": "image/png", "webp": "image/webp", "txt": "text/plain; charset=utf-8",
        "ico": "image/x-icon", "json": "application/json",
        "speculationrules": "application/speculationrules+json",
    ]
}

extension Assets: NamedInput {
    func add(to key: inout PartKey) { key.add(digest) }
}

/// A style sheet inside a page, and what the page's content security policy says of it.
struct InlinedSheet {
    let sheet: StyleSheet
    /// `'sha256-…'`, with which the policy admits these styles and no others (CSP Level 3).
    let source: String

    /// - Parameter text: CSS of the program.
    init(_ text: String) {
        sheet = StyleSheet(text)!
        source = "'sha256-\(Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString())'"
    }
}

extension HouseColors {
    /// Their style sheet for a page that brings it along.
    var inlined: InlinedSheet { InlinedSheet(sheet) }
}

/// Style sheets that only a room's pages load, in addition to the common one.
enum Sheet: String, Sendable, CaseIterable {
    case certificate, charts, desk, elsewhere, flyer, helping, inbox, kindness, landing, maps, playdates, program,
        roster, spots, talk, timeline, week

    var file: String { "\(rawValue).css" }
}
