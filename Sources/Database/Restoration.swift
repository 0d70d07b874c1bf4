/// A backup that is about to replace a database. Anything that can fail fails while it is prepared: until `finish`
/// nothing has moved, and if abandoned before, it leaves nothing behind.
public final class Restoration {
    private let lock: FileLock
    private let fresh: ReplacingFile

    /// Copies the database in `file` next to the one at `path`, checks the copy and applies missing migrations.
    ///
    /// - Throws: `DatabaseError.locked` while another process owns the one at `path`, `.unopenable` if there is no such
    ///   file, `.foreign` if it isn't this program's, lacks tables or has extra ones, `.corrupt` if it is not sound,
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

    /// Replaces the database. The previous file is kept as `old`.
    ///
    /// The last step is a rename: after a power cut either file is in place, complete.
    ///
    /// - Throws: `DatabaseError.unopenable` if the name `old` is taken, `.disk`.
    public func finish(keeping old: String) throws {
        defer { withExtendedLifetime(lock) {} }
        try fresh.replace(keeping: old)
    }
}
