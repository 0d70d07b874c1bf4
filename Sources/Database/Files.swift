import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The lock that makes one process the owner of a database file. The system releases it when the process ends for any
/// reason; the lock file stays.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock.
    ///
    /// - Throws: `DatabaseError.locked` if another process has it, `.unopenable` if the file can't be created.
    init(at path: String) throws {
        // Close-on-exec: otherwise a long-lived child process would keep the lock.
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DatabaseError.unopenable("\(path): \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            // `deinit` closes it. Closing it here too would mean closing it twice, and the second time it may be
            // another file's.
            let reason = errno
            throw reason == EWOULDBLOCK
                ? DatabaseError.locked : .unopenable("\(path): \(String(cString: strerror(reason)))")
        }
    }

    deinit {
        // A child that is just being started briefly has a copy; closing only this descriptor wouldn't release the
        // lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}

/// How many bytes are free for this user on the disk that holds `path`; nil if unknown.
public func freeBytes(at path: String) -> Int64? {
    var facts = statvfs()
    guard statvfs(path, &facts) == 0 else { return nil }
    return Int64(facts.f_bavail) * Int64(facts.f_frsize)
}

/// Marks the thread that is inside a closure of one database.
final class ThreadMark: Sendable {
    private let key: pthread_key_t

    init() {
        var key = pthread_key_t()
        let code = pthread_key_create(&key, nil)
        precondition(code == 0, "more databases are open than the system has thread keys")
        self.key = key
    }

    deinit { pthread_key_delete(key) }

    /// Marks the thread as inside a closure.
    ///
    /// - Throws: `DatabaseError.nested` if it already is.
    func enter() throws {
        guard pthread_getspecific(key) == nil else { throw DatabaseError.nested }
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
    }

    /// Unmarks the thread.
    func leave() {
        pthread_setspecific(key, nil)
    }
}

/// A file that gets its name only when it is complete; if abandoned earlier, it leaves nothing behind.
final class NewFile {
    /// Where to write.
    let path: String
    private let name: String

    /// - Throws: `DatabaseError.unopenable` if the name is taken.
    init(at name: String) throws {
        guard access(name, F_OK) != 0 else { throw DatabaseError.unopenable("\(name) is there already") }
        self.name = name
        path = name + ".partial"
        unlink(path)
    }

    deinit {
        for companion in ["", "-journal", "-wal", "-shm"] { unlink(path + companion) }
    }

    /// Renames the file to its final name, once its content and its directory entry are on disk.
    func keep() throws {
        try Self.synchronise(path)
        guard rename(path, name) == 0 else { throw Self.failure(at: name) }
        try Self.synchronise(Self.folder(of: name))
    }

    fileprivate static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    }

    fileprivate static func synchronise(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(at: path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(at: path) }
    }

    fileprivate static func failure(at path: String) -> DatabaseError {
        .disk("\(path): \(String(cString: strerror(errno)))")
    }
}

/// A database file that replaces another in one step; if abandoned earlier, it leaves nothing behind.
final class ReplacingFile {
    /// Where to write.
    let path: String
    private let name: String
    private static let companions = ["-journal", "-wal", "-shm", ".lock"]

    init(at name: String) {
        self.name = name
        path = name + ".restored"
        remove()
    }

    deinit { remove() }

    private func remove() {
        for companion in [""] + Self.companions { unlink(path + companion) }
    }

    /// Renames the existing file to `old`, and takes its place.
    ///
    /// - Throws: `DatabaseError.unopenable` if the name `old` is taken.
    func replace(keeping old: String) throws {
        for taken in [old, old + "-wal"] where fileSize(at: taken) != nil {
            throw DatabaseError.unopenable("\(taken) is there already")
        }
        try NewFile.synchronise(path)
        let replacesAnother = fileSize(at: name) != nil
        if replacesAnother, (fileSize(at: name + "-wal") ?? 0) > 0 {
            // Moves the log's content into its file. A file that can't be read keeps its log, below.
            try? SQLiteSession(at: name, readOnly: false, options: Database.Options()).close()
        }
        if replacesAnother, link(name, old) != 0 { throw NewFile.failure(at: old) }
        // A log that couldn't be moved into its file, or whose file is gone, must never be applied to the new file.
        if fileSize(at: name + "-wal") != nil, rename(name + "-wal", old + "-wal") != 0 {
            throw NewFile.failure(at: name + "-wal")
        }
        unlink(name + "-shm")
        guard rename(path, name) == 0 else { throw NewFile.failure(at: name) }
        try NewFile.synchronise(NewFile.folder(of: name))
    }
}

/// How many bytes the file at `path` has; nil if there is none.
public func fileSize(at path: String) -> Int64? {
    var facts = stat()
    return stat(path, &facts) == 0 ? Int64(facts.st_size) : nil
}

/// Checks whether a database and its log are still the files that were opened.
///
/// The system lets anyone delete or replace them under a running program, which would then report success for writes
/// that nobody can find again.
final class FileVigil: Sendable {
    /// Identifies a file.
    private struct Identity: Equatable {
        let device: UInt64
        let number: UInt64
        let isEmpty: Bool

        init?(at path: String) {
            var facts = stat()
            guard stat(path, &facts) == 0 else { return nil }
            device = UInt64(facts.st_dev)
            number = UInt64(facts.st_ino)
            isEmpty = facts.st_size == 0
        }
    }

    private let path: String
    private let file: Identity?
    private let log: Identity?
    private let seen = Atomic<Bool>(false)

    init(over path: String) {
        self.path = path
        file = Identity(at: path)
        log = Identity(at: path + "-wal")
    }

    /// Whether the files were found to be others. Once true, it stays true: this program didn't write the replacement.
    var hasLost: Bool { seen.load(ordering: .acquiring) }

    /// - Throws: `DatabaseError.lost` if the files were found to be others.
    func requireFiles() throws {
        if hasLost { throw DatabaseError.lost(String(path.split(separator: "/").last ?? "")) }
    }

    /// Asks the system.
    ///
    /// - Throws: `DatabaseError.lost` if the files are others, or were found to be earlier.
    func look() throws {
        let (file, log) = (Identity(at: path), Identity(at: path + "-wal"))
        // The log is emptied now and then.
        if file != self.file || log?.device != self.log?.device || log?.number != self.log?.number {
            seen.store(true, ordering: .releasing)
        }
        try requireFiles()
    }
}

extension Database {
    /// Reads a file once from its beginning into the system's cache, as much as fits into half of the free memory.
    /// Takes as long as the disk needs. A file that can't be read is skipped: opening it reports the error.
    ///
    /// The file is never closed: closing it would release every lock on it that SQLite holds in this process
    /// (fcntl(2)), and another process that opens it would remove the log.
    public static func readAhead(_ path: String) { readThrough(path) }
}

private func readThrough(_ path: String) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    #if canImport(Darwin)
        var left = 1 << 30
    #else
        var left = sysconf(Int32(_SC_AVPHYS_PAGES)) / 2 * sysconf(Int32(_SC_PAGESIZE))
    #endif
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 1 << 12)
    defer { buffer.deallocate() }
    while left > 0 {
        let count = read(file, buffer, 1 << 20)
        guard count > 0 else { return }
        left -= count
    }
}
