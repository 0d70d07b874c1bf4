import Foundation
import Testing

/// A file as any SQLite program sees it, without our engine: for things that the engine would never write.
enum SQLiteFile {
    /// Runs a script on the file at `path`, which is created if it doesn't exist.
    static func write(_ script: String, to path: String) throws { _ = try run(script, path) }

    /// The output of a query.
    static func value(_ query: String, of path: String) throws -> String {
        try run(query, path).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func run(_ script: String, _ path: String) throws -> String {
        let program = """
            import sqlite3, sys
            db = sqlite3.connect(sys.argv[1], isolation_level=None)
            statement = ""
            for part in sys.argv[2].split(";"):
                statement += part + ";"
                if not sqlite3.complete_statement(statement): continue
                for row in db.execute(statement): print(*row)
                statement = ""
            """
        let result = try Program.run("/usr/bin/env", ["python3", "-c", program, path, script])
        guard result.status == 0 else { throw Failed(text: result.text) }
        return result.text
    }

    struct Failed: Error { let text: String }
}

/// The files in a folder.
enum Folder {
    /// The name and size of each file, except locks and the files that SQLite keeps next to an open database.
    static func content(of path: String) throws -> [String: Int] {
        let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { name in
            ![".lock", "-shm", "-wal"].contains { name.hasSuffix($0) }
        }
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                let facts = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
                return (name, facts[.size] as? Int ?? -1)
            })
    }

    /// The names of the files that contain these bytes.
    static func files(in path: String, holding words: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).filter { name in
            guard let bytes = FileManager.default.contents(atPath: "\(path)/\(name)") else { return false }
            return bytes.range(of: Data(words.utf8)) != nil
        }.sorted()
    }
}

/// A program that runs in its own process until it ends.
enum Program {
    struct Result {
        let status: Int32
        /// What it printed, including errors.
        let text: String
    }

    static func run(
        _ path: String, _ arguments: [String], environment: [String: String]? = nil, in folder: String? = nil
    ) throws -> Result {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        if let environment { process.environment = environment }
        if let folder { process.currentDirectoryURL = URL(filePath: folder) }
        let pipe = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Result(status: process.terminationStatus, text: String(decoding: output, as: UTF8.self))
    }
}
