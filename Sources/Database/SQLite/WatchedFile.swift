import GRDBSQLite
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Counts how often a read of a database file had to wait for a slow disk.
///
/// SQLite reaches its files through a table of functions (its VFS, <https://sqlite.org/vfs.html>). The one installed
/// here is the system's own with one difference: a read of a database file counts as a wait if it took longer than a
/// fast disk needs and the thread gave up the processor voluntarily meanwhile (`ru_nvcsw` of getrusage(2)). So waiting
/// for a lock doesn't count, nor does a read that only had to share the processor; otherwise many readers would look
/// like a slow disk. A read that waited briefly for a fast disk and then for a processor does count, which is rare.
struct WatchedFile {
    /// The data stored behind the system's record of an open file.
    fileprivate struct Watch {
        let system: UnsafePointer<sqlite3_io_methods>
        var waits = 0
    }

    /// A fast disk reads a page in less than a third of this; a spinning or remote one takes several times as long.
    private static let patience = Duration.milliseconds(1)

    private let watch: UnsafeMutablePointer<Watch>

    /// The file of an open connection; nil for one that isn't read through this VFS, such as an in-memory database.
    /// Don't use it after the connection is closed.
    init?(of connection: OpaquePointer) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard
            sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file, let methods = file.pointee.pMethods, Self.isOurs(methods)
        else { return nil }
        watch = Self.watch(of: file)
    }

    /// How many reads have waited since the file was opened.
    var waits: Int { watch.pointee.waits }

    // MARK: Between SQLite and the system

    /// Installs the watching VFS, once per process: connections opened from then on are watched. If it can't be
    /// installed, none is watched and everything else works.
    static let install: Void = {
        guard let system else { return }
        let watched = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        watched.initialize(to: system.pointee)
        watched.pointee.pNext = nil
        watched.pointee.zName = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
        watched.pointee.szOsFile = Int32(offset + MemoryLayout<Watch>.size)
        watched.pointee.xOpen = { _, name, file, flags, given in
            let system = WatchedFile.system!
            let code = system.pointee.xOpen(system, name, file, flags, given)
            if code == SQLITE_OK, flags & SQLITE_OPEN_MAIN_DB != 0, let file, let methods = file.pointee.pMethods {
                (UnsafeMutableRawPointer(file) + WatchedFile.offset).initializeMemory(
                    as: Watch.self, to: Watch(system: methods))
                file.pointee.pMethods = WatchedFile.watching(methods)
            }
            return code
        }
        sqlite3_vfs_register(watched, 1)
    }()

    private static let name: StaticString = "village"
    nonisolated(unsafe) private static let system = sqlite3_vfs_find(nil)

    /// The offset of the watch in an open file's record: after the system's part.
    private static let offset = (Int(system?.pointee.szOsFile ?? 0) + 15) / 16 * 16

    /// The system's tables of functions for open files, each with its watching copy. There are one or two.
    private static let tables = Mutex<[Int: Int]>([:])

    private static func watching(_ methods: UnsafePointer<sqlite3_io_methods>) -> UnsafePointer<sqlite3_io_methods> {
        let address = tables.withLock { tables in
            if let known = tables[Int(bitPattern: methods)] { return known }
            let copy = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
            copy.initialize(to: methods.pointee)
            copy.pointee.xRead = { file, bytes, count, position in
                let watch = WatchedFile.watch(of: file!)
                let (waits, began) = (WatchedFile.waitsOfThread, ContinuousClock.now)
                let code = watch.pointee.system.pointee.xRead(file, bytes, count, position)
                if ContinuousClock.now - began > WatchedFile.patience, WatchedFile.waitsOfThread > waits {
                    watch.pointee.waits += 1
                }
                return code
            }
            tables[Int(bitPattern: methods)] = Int(bitPattern: copy)
            return Int(bitPattern: copy)
        }
        return UnsafePointer(bitPattern: address)!
    }

    private static func isOurs(_ methods: UnsafePointer<sqlite3_io_methods>) -> Bool {
        tables.withLock { $0.values.contains(Int(bitPattern: methods)) }
    }

    private static func watch(of file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<Watch> {
        (UnsafeMutableRawPointer(file) + offset).assumingMemoryBound(to: Watch.self)
    }

    private static var waitsOfThread: Int {
        #if canImport(Darwin)
            // Here the counter exists only for the whole process.
            return 0
        #else
            var usage = rusage()
            // RUSAGE_THREAD, which Swift doesn't import. It fails only for a wrong argument.
            getrusage(1, &usage)
            return usage.ru_nvcsw
        #endif
    }
}
