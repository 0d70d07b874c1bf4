import Database
import Foundation

/// The folder of an exported town. It gets its name only when it is complete, and is read only if it is unchanged.
struct TownFolder: Sendable {
    /// The current path of its files.
    private let path: String
    /// The hash of each file, by name.
    private(set) var sums: [String: String] = [:]

    /// The list of all files with their hashes, in the format of `sha256sum --check`.
    static let list = "SHA256SUMS"
    /// An explanation of the files for people.
    static let readme = "README.md"
    /// A description of the files for programs.
    static let format = "format.json"
    /// The events for calendar programs.
    static let calendar = "events.ics"
    private static let data = "data"
    private static let pictures = "pictures"

    static func table(_ table: TownTable) -> String { "\(table.file).csv" }
    static func rows(_ table: TownTable) -> String { "\(data)/\(table.file).jsonl" }
    static func picture(_ hash: String, _ size: Picture.Size) -> String { "\(pictures)/\(hash)-\(size.rawValue).webp" }

    /// The largest file accepted: no town is larger, and memory is limited.
    static let fileLimit: Int64 = 2 << 30
    /// The largest row accepted, in bytes.
    static let lineLimit = 1 << 20

    private init(at path: String) { self.path = path }

    // MARK: Writing

    /// Creates a folder next to its final name.
    ///
    /// - Throws: `TownProblem` if the name is taken by something that isn't empty; a file error.
    static func begin(for name: String) throws -> TownFolder {
        try requireRoom(at: name)
        let folder = TownFolder(at: name + ".partial")
        let files = FileManager.default
        guard !files.fileExists(atPath: folder.path) else {
            throw TownProblem("\(folder.path) is left from an export that was stopped. Remove it.")
        }
        for part in ["", "/\(data)", "/\(pictures)"] {
            try files.createDirectory(
                atPath: folder.path + part, withIntermediateDirectories: part.isEmpty,
                attributes: [.posixPermissions: 0o700])
        }
        return folder
    }

    private static func requireRoom(at name: String) throws {
        let files = FileManager.default
        guard files.fileExists(atPath: name) else { return }
        guard let names = try? files.contentsOfDirectory(atPath: name), names.isEmpty else {
            throw TownProblem("\(name) is no empty folder. Choose another name.")
        }
    }

    /// Begins a file that is written in pieces.
    func file(_ name: String) throws -> TownFile { try TownFile(name, in: path) }

    /// Ends a file, and puts it on the list.
    mutating func end(_ file: TownFile) throws { sums[file.name] = try file.end() }

    /// Writes a whole file.
    mutating func write(_ bytes: [UInt8], to name: String) throws {
        let file = try file(name)
        try file.add(bytes)
        try end(file)
    }

    /// Writes the list of files, and renames the folder to its final name.
    func keep(as name: String) throws {
        let lines = sums.sorted { $0.key < $1.key }.map { "\($0.value)  \($0.key)\n" }
        let list = try file(Self.list)
        try list.add(Array(lines.joined().utf8))
        _ = try list.end()
        try Self.requireRoom(at: name)
        let files = FileManager.default
        if files.fileExists(atPath: name) { try files.removeItem(atPath: name) }
        try files.moveItem(atPath: path, toPath: name)
    }

    /// Removes the folder.
    func discard() {
        // The caller reports the error that made the export fail, so this one is ignored.
        try? FileManager.default.removeItem(atPath: path)
    }

    // MARK: Reading

    /// Opens a folder and verifies all files against the list.
    ///
    /// - Throws: `TownProblem`.
    static func open(_ path: String) throws -> TownFolder {
        var folder = TownFolder(at: path)
        guard folder.kind(of: "") == .typeDirectory else { throw TownProblem("There is no folder \(path).") }
        for part in [data, pictures] where folder.kind(of: part) != .typeDirectory {
            throw TownProblem("\(path)/\(part) is no folder.")
        }
        guard let list = try folder.content(list) else {
            throw TownProblem("There is no \(Self.list) in \(path): that is no export of a town.")
        }
        for (number, line) in list.split(separator: 10, omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty {
            let text = String(decoding: line, as: UTF8.self)
            let (sum, name) = (String(text.prefix(64)), String(text.dropFirst(66)))
            guard isHash(sum), text.dropFirst(64).hasPrefix("  "), isOurs(name) else {
                throw TownProblem("that is no file of an export", in: Self.list, line: number + 1)
            }
            guard folder.sums.updateValue(sum, forKey: name) == nil else {
                throw TownProblem("\(name) is there twice", in: Self.list, line: number + 1)
            }
        }
        for name in TownTable.all.map(rows) + [format] where folder.sums[name] == nil {
            throw TownProblem("\(Self.list) doesn't name \(name).")
        }
        for name in folder.sums.keys.sorted() { _ = try folder.read(name) }
        return folder
    }

    /// The content of a listed file, verified by its hash.
    func read(_ name: String) throws -> [UInt8] {
        guard let sum = sums[name], let bytes = try content(name) else {
            throw TownProblem("\(name) is on the list and isn't there.")
        }
        guard PublicHash.of(bytes) == sum else {
            throw TownProblem("\(name) isn't as it was written: its SHA-256 is another one.")
        }
        return bytes
    }

    /// Whether it has a file with that name.
    func has(_ name: String) -> Bool { sums[name] != nil }

    private static func isHash(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    private static let plain = Set([readme, format, calendar] + TownTable.all.flatMap { [table($0), rows($0)] })

    /// Whether an export may contain a file with that name; a name can't lead out of the folder.
    static func isOurs(_ name: String) -> Bool {
        guard !plain.contains(name) else { return true }
        return Picture.Size.allCases.contains { size in
            guard let hash = name.split(separator: "/").last?.prefix(64) else { return false }
            return isHash(String(hash)) && name == picture(String(hash), size)
        }
    }

    /// The type of an entry; a link counts as a link, wherever it leads.
    private func kind(of name: String) -> FileAttributeType? {
        let path = name.isEmpty ? path : "\(path)/\(name)"
        return (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
    }

    /// The bytes of a file; nil if there is none.
    private func content(_ name: String) throws -> [UInt8]? {
        guard let kind = kind(of: name) else { return nil }
        guard kind == .typeRegular else { throw TownProblem("\(name) is no plain file.") }
        guard let size = fileSize(at: "\(path)/\(name)"), size <= Self.fileLimit else {
            throw TownProblem("\(name) is too large.")
        }
        return FileManager.default.contents(atPath: "\(path)/\(name)").map(Array.init)
    }
}

/// A file of an exported town, written in pieces: a table can be larger than the memory. Other users can't read it.
final class TownFile {
    let name: String
    private let folder: String
    private let handle: FileHandle
    private var hash = PublicHash.Running()
    /// What isn't on the disk yet.
    private(set) var piece: [UInt8] = []

    /// How many bytes are written at a time.
    static let pieceSize = 64 << 10

    fileprivate init(_ name: String, in folder: String) throws {
        (self.name, self.folder) = (name, folder)
        let path = "\(folder)/\(name)"
        guard
            FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw Self.problem(with: name, in: folder) }
        self.handle = handle
    }

    /// Adds bytes to its end.
    func add(_ bytes: [UInt8]) throws {
        piece += bytes
        if piece.count >= Self.pieceSize { try store() }
    }

    /// Stores the rest.
    ///
    /// - Returns: The hash of the file.
    fileprivate func end() throws -> String {
        try store()
        try handle.close()
        return hash.text
    }

    private func store() throws {
        hash.add(piece)
        do {
            try handle.write(contentsOf: piece)
        } catch {
            throw Self.problem(with: name, in: folder)
        }
        piece.removeAll(keepingCapacity: true)
    }

    private static func problem(with name: String, in folder: String) -> DatabaseError {
        let hasRoom = freeBytes(at: folder).map { $0 > pieceSize } ?? true
        return hasRoom ? .disk("\(folder)/\(name)") : .full
    }
}
