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

    /// The largest row accepted, in bytes: a row is read as a whole, a table isn't.
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
        guard try folder.size(of: list) != nil else {
            throw TownProblem("There is no \(Self.list) in \(path): that is no export of a town.")
        }
        let lines = try TownLines(list, in: path, sum: nil)
        while let line = try lines.next() {
            guard !line.bytes.isEmpty else { continue }
            let text = String(decoding: line.bytes, as: UTF8.self)
            let (sum, name) = (String(text.prefix(64)), String(text.dropFirst(66)))
            guard isHash(sum), text.dropFirst(64).hasPrefix("  "), isOurs(name) else {
                throw TownProblem("that is no file of an export", in: Self.list, line: line.number)
            }
            guard folder.sums.updateValue(sum, forKey: name) == nil else {
                throw TownProblem("\(name) is there twice", in: Self.list, line: line.number)
            }
        }
        for name in needed where folder.sums[name] == nil {
            throw TownProblem("\(Self.list) doesn't name \(name).")
        }
        for name in folder.sums.keys.sorted() {
            let lines = try folder.lines(of: name)
            while try lines.skip() {}
        }
        return folder
    }

    /// Begins to read a listed file in pieces; its hash is verified at its end.
    func lines(of name: String) throws -> TownLines {
        guard let sum = sums[name], try size(of: name) != nil else {
            throw TownProblem("\(name) is on the list and isn't there.")
        }
        return try TownLines(name, in: path, sum: sum)
    }

    /// The content of a small listed file, verified by its hash.
    ///
    /// - Parameter limit: The largest size accepted, in bytes.
    func read(_ name: String, atMost limit: Int) throws -> [UInt8] {
        let lines = try lines(of: name)
        guard try size(of: name) ?? 0 <= Int64(limit) else { throw TownProblem("\(name) is too large.") }
        var bytes: [UInt8] = []
        while try lines.skip(to: &bytes) {}
        return bytes
    }

    /// Whether it has a file with that name.
    func has(_ name: String) -> Bool { sums[name] != nil }

    private static func isHash(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    /// The files that an import needs.
    private static let needed = TownTable.all.map(rows) + [format]
    /// All files but the pictures.
    private static let plain = Set(needed + TownTable.all.map(table) + [readme, calendar])

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

    /// The size of a file; nil if there is none.
    private func size(of name: String) throws -> Int64? {
        guard let kind = kind(of: name) else { return nil }
        guard kind == .typeRegular else { throw TownProblem("\(name) is no plain file.") }
        return fileSize(at: "\(path)/\(name)")
    }
}

/// A file of an exported town, read in pieces. Its hash is verified at its end.
final class TownLines {
    private let name: String
    private let handle: FileHandle
    /// The hash that it must have.
    private let sum: String?
    private var hash = PublicHash.Running()
    /// The bytes that were read and aren't forgotten yet: at most a line and a piece.
    private(set) var buffer: [UInt8] = []
    /// Where the bytes begin that weren't passed on yet.
    private var start = 0
    /// The number of lines passed on.
    private var count = 0

    fileprivate init(_ name: String, in folder: String, sum: String?) throws {
        (self.name, self.sum) = (name, sum)
        guard let handle = FileHandle(forReadingAtPath: "\(folder)/\(name)") else {
            throw TownProblem("\(name) can't be read.")
        }
        self.handle = handle
    }

    /// The next line and its number; nil at the end.
    ///
    /// - Throws: `TownProblem` if the line is too long, or if the file isn't as it was written.
    func next() throws -> (number: Int, bytes: [UInt8])? {
        var end = buffer[start...].firstIndex(of: 10)
        while end == nil {
            // Once a piece, not once a line: a piece can hold thousands of short ones.
            buffer.removeFirst(start)
            start = 0
            guard buffer.count <= TownFolder.lineLimit else { throw tooLong }
            let read = buffer.count
            guard try fill() else { break }
            end = buffer[read...].firstIndex(of: 10)
        }
        guard end != nil || start < buffer.count else { return nil }
        let line = Array(buffer[start..<(end ?? buffer.count)])
        guard line.count <= TownFolder.lineLimit else { throw tooLong }
        start = min(start + line.count + 1, buffer.count)
        count += 1
        return (count, line)
    }

    private var tooLong: TownProblem { TownProblem("the line is too long", in: name, line: count + 1) }

    /// Reads the next piece and forgets it.
    ///
    /// - Returns: Whether there was one.
    fileprivate func skip() throws -> Bool {
        var bytes: [UInt8] = []
        return try skip(to: &bytes)
    }

    /// Moves the next piece to the end of `bytes`.
    fileprivate func skip(to bytes: inout [UInt8]) throws -> Bool {
        let isThere = try fill()
        bytes += buffer[start...]
        buffer.removeAll(keepingCapacity: true)
        start = 0
        return isThere
    }

    private func fill() throws -> Bool {
        guard let piece = try handle.read(upToCount: TownFile.pieceSize), !piece.isEmpty else {
            guard sum == nil || hash.text == sum else {
                throw TownProblem("\(name) isn't as it was written: its SHA-256 is another one.")
            }
            return false
        }
        let bytes = Array(piece)
        hash.add(bytes)
        buffer += bytes
        return true
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
