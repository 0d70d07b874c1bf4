import GRDBSQLite

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension SQLiteSession {
    /// Damage in the file and dangling references; empty if it is sound.
    func problems() throws -> [String] {
        limit?.isLifted = true
        defer { limit?.isLifted = false }
        let damage = try lines(of: "PRAGMA integrity_check") { row in try row.next() as String }
        return try damage.filter { $0 != "ok" } + danglingReferences()
    }

    /// Rows that refer to a missing row.
    func danglingReferences() throws -> [String] {
        try lines(of: "PRAGMA foreign_key_check") { row in
            let (table, _, other): (String, Int?, String) = (try row.next(), try row.next(), try row.next())
            return "a row of \(table) refers to a row of \(other) that isn't there"
        }
    }

    func facts() throws -> (facts: [String], warnings: [String]) {
        let version = SQLiteVersion.inUse
        return ([], version.hasWALResetBug ? [version.warning] : [])
    }

    /// The number of cores.
    static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}

/// A version of the SQLite library.
struct SQLiteVersion: CustomStringConvertible {
    /// SQLite's version number: 3040001 is 3.40.1.
    let number: Int

    /// The version this program runs with.
    static var inUse: SQLiteVersion { SQLiteVersion(number: Int(sqlite3_libversion_number())) }

    var description: String { "\(number / 1_000_000).\(number / 1_000 % 1_000).\(number % 1_000)" }

    /// Whether the log can be reset while another connection writes, which loses a commit
    /// (<https://www.sqlite.org/wal.html#walresetbug>): fixed in 3.44.6, 3.50.7 and 3.51.3.
    var hasWALResetBug: Bool {
        switch number {
        case ..<3_007_000: false
        case ..<3_044_006: true
        case 3_045_000..<3_050_007: true
        case 3_051_000..<3_051_003: true
        default: false
        }
    }

    var warning: String {
        """
        SQLite \(self) can lose a commit when two connections write or checkpoint at once (fixed in 3.44.6, 3.50.7 and \
        3.51.3). This program writes through one connection only; let no other program write to the file.
        """
    }
}
