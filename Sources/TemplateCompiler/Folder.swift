#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// All templates of a folder, parsed and checked together.
struct Folder {
    private(set) var templates: [Template] = []
    private(set) var problems: [Problem] = []

    /// Reads every `.html` file below `root`, sorted by name.
    init(_ root: String) {
        let files = FileManager.default
        guard let paths = try? files.subpathsOfDirectory(atPath: root) else {
            problems = [Problem(path: root, position: Position(), reason: "this folder can't be read")]
            return
        }
        // Hidden files belong to editors.
        for path in paths.sorted() where path.hasSuffix(".html") && !("/" + path).contains("/.") {
            let full = root.hasSuffix("/") ? root + path : root + "/" + path
            var isFolder = false
            guard files.fileExists(atPath: full, isDirectory: &isFolder), !isFolder else { continue }
            let name = String(path.dropLast(5))
            guard let data = files.contents(atPath: full) else {
                problems.append(Problem(path: full, position: Position(), reason: "this file can't be read"))
                continue
            }
            add(name: name, path: full, bytes: [UInt8](data))
        }
        checkTogether()
    }

    /// Makes templates from texts by path without `.html`, for tests.
    init(files: [String: [UInt8]]) {
        for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
            add(name: name, path: name + ".html", bytes: bytes)
        }
        checkTogether()
    }

    private mutating func add(name: String, path: String, bytes: [UInt8]) {
        let (template, found) = Parser.parse(name: name, source: Source(path: path, bytes: bytes))
        for part in name.split(separator: "/") {
            if let reason = Name.refusal(String(part)) { report(template, Position(), reason) }
        }
        problems += found
        templates.append(template)
    }

    private mutating func report(_ template: Template, _ position: Position, _ reason: String) {
        problems.append(Problem(path: template.source.path, position: position, reason: reason))
    }

    // MARK: Checks across templates

    private mutating func checkTogether() {
        let byName = Dictionary(templates.map { ($0.name, $0) }) { first, _ in first }
        var taken: [String: String] = [:]
        for template in templates {
            // A folder and a file, or two files, that have the same name in Swift.
            let parts = template.name.split(separator: "/").map { Name.swift(String($0)) }
            for depth in 1...max(parts.count, 1) where !parts.isEmpty {
                let key = parts.prefix(depth).joined(separator: ".")
                let owner = template.name.split(separator: "/").prefix(depth).joined(separator: "/")
                let kind = depth == parts.count ? "file \(owner)" : "folder \(owner)"
                if let other = taken.updateValue(kind, forKey: key), other != kind {
                    report(template, Position(), "\(kind) and \(other) have one name in Swift: Templates.\(key)")
                }
            }
            for call in Self.includes(in: template.body + template.slots.flatMap(\.body)) {
                guard let target = byName[call.name] else {
                    report(template, call.position, "there is no template \(call.name).html")
                    continue
                }
                if !target.isPartial {
                    report(template, call.position, "only a partial can be included; its name begins with _")
                }
            }
            guard let layout = template.layout else { continue }
            guard let target = byName[layout.name] else {
                report(template, layout.position, "there is no layout \(layout.name).html")
                continue
            }
            for slot in template.slots where !target.yields.contains(slot.name) {
                report(template, slot.position, "\(layout.name).html has no {% yield \(slot.name) %}")
            }
            var seen = [template.name]
            var next: Template? = target
            while let current = next {
                if seen.contains(current.name) {
                    report(template, layout.position, "these layouts stand in one another for ever")
                    break
                }
                seen.append(current.name)
                next = current.layout.flatMap { byName[$0.name] }
            }
        }
    }

    private static func includes(in nodes: [Node]) -> [Call] {
        nodes.flatMap { node -> [Call] in
            switch node {
            case .include(let call): [call]
            case .choice(let choice): includes(in: choice.branches.flatMap(\.body))
            case .loop(_, let body, let empty): includes(in: body + empty)
            case .markup, .value, .yield, .message: []
            }
        }
    }

    // MARK: Output

    /// Links that give each template a unique file name, with their targets.
    ///
    /// The compiler warns about `#sourceLocation`s with equal file names in a module (their `#fileID` would be the
    /// same), so all but the first of the site's `show.html`s use a link beside their Swift code:
    /// `Templates.profiles.show.html`.
    func links() -> [(template: String, link: String, path: String)] {
        var seen: Set<Substring> = []
        return templates.compactMap { template in
            let parts = template.name.split(separator: "/")
            guard !seen.insert(parts[parts.count - 1]).inserted else { return nil }
            return (template.name, "Templates.\(parts.joined(separator: ".")).html", template.source.path)
        }
    }

    /// The templates' Swift files by name, for writing to `folder`.
    func swiftFiles(imports: [String], in folder: String = "") -> [String: String] {
        let layouts = Dictionary(
            templates.filter(\.isLayout).map { ($0.name, $0.yields) }, uniquingKeysWith: { first, _ in first })
        let links = Dictionary(uniqueKeysWithValues: links().map { ($0.template, folder + "/" + $0.link) })
        var files = ["Templates.swift": namespaces()]
        for template in templates {
            let name = "Templates.\(template.name.split(separator: "/").joined(separator: ".")).swift"
            let path = links[template.name] ?? template.source.path
            files[name] = Emitter.emit(template, path: path, imports: imports, layouts: layouts)
        }
        return files
    }

    private func namespaces() -> String {
        var folders: Set<[String]> = []
        for template in templates {
            let parts = template.name.split(separator: "/").dropLast().map { "`\(Name.swift(String($0)))`" }
            for depth in 0..<parts.count { folders.insert(Array(parts.prefix(depth + 1))) }
        }
        var text = "/// Every template of the site, by folder and file.\nenum Templates {}\n"
        for folder in folders.sorted(by: { ($0.count, $0.joined()) < ($1.count, $1.joined()) }) {
            let parent = (["Templates"] + folder.dropLast()).joined(separator: ".")
            text += "\nextension \(parent) {\n    enum \(folder[folder.count - 1]) {}\n}\n"
        }
        return text
    }

    /// Writes the Swift files that have changed into `folder`, and removes those of deleted templates.
    func write(to folder: String, imports: [String]) throws {
        let files = FileManager.default
        let folder = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        let wanted = swiftFiles(imports: imports, in: folder)
        let links = links()
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, text) in wanted {
            let path = folder + "/" + name
            let data = Data(text.utf8)
            if files.contents(atPath: path) != data { try data.write(to: URL(filePath: path)) }
        }
        for (_, link, path) in links where (try? files.destinationOfSymbolicLink(atPath: folder + "/" + link)) != path {
            try? files.removeItem(atPath: folder + "/" + link)
            try files.createSymbolicLink(atPath: folder + "/" + link, withDestinationPath: path)
        }
        for name in try files.contentsOfDirectory(atPath: folder) {
            let isOurs = name.hasPrefix("Templates.") && (name.hasSuffix(".swift") || name.hasSuffix(".html"))
            guard isOurs, wanted[name] == nil, !links.contains(where: { $0.link == name }) else { continue }
            try files.removeItem(atPath: folder + "/" + name)
        }
    }
}
