/// A backup on its way into the place of a database. All that can go wrong goes wrong while it is made: until `finish`
/// nothing has moved, and given up before it leaves nothing behind.
public final class Restoration {
    private let lock: FileLock
    private let fresh: ReplacingFile

    /// Copies the database in `file` beside the one at `path`, checks the copy and brings it up to date.
    ///
    /// - Throws: `DatabaseError.locked` while another process owns the one at `path`, `.unopenable` if there is no such
    ///   file, `.foreign` if it isn't this program's, lacks tables or has more, `.corrupt` if it is not sound,
    ///   `.olderThanProgram`, `.newerThanProgram`, `.migrationEdited`, `.migrationFailed`, `.full`, `.disk`.
    public init(of file: String, to path: String, migrations: [Migration], application: Int32) async throws {
        lock = try FileLock(at: path + ".lock")
        try Database.identify(file, migrations: migrations, application: application, isStrange: true)
        fresh = ReplacingFile(at: path)
        let source = try Database(reading: file)
        defer { source.close() }
        try await source.backup(to: fresh.path)
        try Database(at: fresh.path, migrations: migrations, application: application).close()
    }

    /// Takes the place. What was there is kept as `old`.
    ///
    /// The last step is a rename: a power cut leaves the one or the other, whole.
    ///
    /// - Throws: `DatabaseError.unopenable` if something has the name `old`, `.disk`.
    public func finish(keeping old: String) throws {
        defer { withExtendedLifetime(lock) {} }
        try fresh.replace(keeping: old)
    }
}
