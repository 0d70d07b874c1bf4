import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The lock that makes one process the owner of a database file. The system lets go of it when the process ends,
/// however it ends; the file itself stays.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock.
    ///
    /// - Throws: `DatabaseError.locked` if somebody has it, `.unopenable` if the file can't be made.
    init(at path: String) throws {
        // Closed in programs this one starts: a child that lives on would hold the lock.
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DatabaseError.unopenable("\(path): \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            // `deinit` closes it: closed here too, the second time it would be somebody else's.
            let reason = errno
            throw reason == EWOULDBLOCK
                ? DatabaseError.locked : .unopenable("\(path): \(String(cString: strerror(reason)))")
        }
    }

    deinit {
        // A program that is being started holds a copy for a moment: to close this one alone would not let go yet.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}

/// How many bytes the disk that holds `path` has free for this user; nil when it doesn't say.
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

    /// The thread goes into a closure.
    ///
    /// - Throws: `DatabaseError.nested` if it is in one.
    func enter() throws {
        guard pthread_getspecific(key) == nil else { throw DatabaseError.nested }
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
    }

    /// The thread comes out again.
    func leave() {
        pthread_setspecific(key, nil)
    }
}

/// A file that gets its name only when it is complete; given up before, it leaves nothing behind.
final class NewFile {
    /// Where to write it.
    let path: String
    private let name: String

    /// - Throws: `DatabaseError.unopenable` if something has the name already.
    init(at name: String) throws {
        guard access(name, F_OK) != 0 else { throw DatabaseError.unopenable("\(name) is there already") }
        self.name = name
        path = name + ".partial"
        unlink(path)
    }

    deinit {
        for companion in ["", "-journal", "-wal", "-shm"] { unlink(path + companion) }
    }

    /// Gives it its name, once its content and its entry in the folder are on the disk.
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

/// A database file that takes the place of another in one step; given up before, it leaves nothing behind.
final class ReplacingFile {
    /// Where to write it.
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

    /// Keeps what has the name under another, and takes its place.
    ///
    /// - Throws: `DatabaseError.unopenable` if something has the name `old`.
    func replace(keeping old: String) throws {
        for taken in [old, old + "-wal"] where fileSize(at: taken) != nil {
            throw DatabaseError.unopenable("\(taken) is there already")
        }
        try NewFile.synchronise(path)
        let replacesAnother = fileSize(at: name) != nil
        if replacesAnother, (fileSize(at: name + "-wal") ?? 0) > 0 {
            // Moves what the log holds into its file. A file that can't be read keeps its log, below.
            try? SQLiteSession(at: name, readOnly: false, options: Database.Options()).close()
        }
        if replacesAnother, link(name, old) != 0 { throw NewFile.failure(at: old) }
        // A log that couldn't be moved into its file, or whose file is gone, never meets the new one.
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

/// Sees whether a database and its log are still the files that were opened.
///
/// The system lets anybody delete or replace them under a running program, which would go on writing where nobody finds
/// it again, and say yes.
final class FileVigil: Sendable {
    /// What tells one file from another.
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

    /// Whether they were found not to be. It stays so: what came into their place is not what this program wrote.
    var hasLost: Bool { seen.load(ordering: .acquiring) }

    /// - Throws: `DatabaseError.lost` if they were found not to be.
    func requireFiles() throws {
        if hasLost { throw DatabaseError.lost(String(path.split(separator: "/").last ?? "")) }
    }

    /// Asks the system.
    ///
    /// - Throws: `DatabaseError.lost` if they are not, or were found not to be.
    func look() throws {
        let (file, log) = (Identity(at: path), Identity(at: path + "-wal"))
        // The log is empty now and then.
        if file != self.file || log?.device != self.log?.device || log?.number != self.log?.number {
            seen.store(true, ordering: .releasing)
        }
        try requireFiles()
    }
}

extension Database {
    /// Reads a file once from its beginning, so that the system has it in memory: as much of it as half of what is
    /// free there. It takes as long as the disk does. A file that can't be read is passed over: opening it says so.
    ///
    /// The file stays open for good: closing it would take every lock on it that SQLite holds in this process
    /// (fcntl(2)), and another process that opens it would take the log away.
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
