#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The lock that makes one process the owner of a database file. The system lets go of it when the process ends, however
/// it ends; the file itself stays.
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

    deinit { close(descriptor) }
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

    deinit { unlink(path) }

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
    private let old: String
    private static let companions = ["-wal", "-shm", ".lock"]

    /// - Throws: `DatabaseError.unopenable` if something has the name `old`.
    init(at name: String, keeping old: String) throws {
        guard access(old, F_OK) != 0 else { throw DatabaseError.unopenable("\(old) is there already") }
        (self.name, self.old) = (name, old)
        path = name + ".restored"
        remove()
    }

    deinit { remove() }

    private func remove() {
        for companion in [""] + Self.companions { unlink(path + companion) }
    }

    /// Whether something has the name.
    var replacesAnother: Bool { access(name, F_OK) == 0 }

    /// Keeps what has the name under another, and takes its place.
    func replace() throws {
        try NewFile.synchronise(path)
        if replacesAnother {
            guard link(name, old) == 0 else { throw NewFile.failure(at: old) }
            // A log that couldn't be moved into its file stays with it, and never meets the new one.
            if access(name + "-wal", F_OK) == 0, rename(name + "-wal", old + "-wal") != 0 {
                throw NewFile.failure(at: name + "-wal")
            }
            unlink(name + "-shm")
        }
        guard rename(path, name) == 0 else { throw NewFile.failure(at: name) }
        try NewFile.synchronise(NewFile.folder(of: name))
    }
}
