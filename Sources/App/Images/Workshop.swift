import FoundationEssentials
import Logging
import Subprocess
import Synchronization

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// Makes the stored sizes of an uploaded file with libvips' `vipsthumbnail`.
///
/// Strangers' files are decoded in a separate, restricted process: it reads its input and writes its output, can't
/// write other files, has limited memory and time, and a low priority. Loaders that libvips calls untrusted are off;
/// `PictureHeader` has already determined which of the others is used.
struct Workshop: Sendable {
    /// The sizes of one picture.
    struct Product: Sendable {
        /// WebP files, upright and without the camera's metadata.
        let sizes: [Picture.Size: [UInt8]]
        /// The width of the largest size in pixels.
        let width: Int
        let height: Int
    }

    /// The programs, from Debian's libvips-tools, util-linux and coreutils.
    private static let tools = ["/usr/bin/prlimit", "/usr/bin/nice", "/usr/bin/vipsthumbnail"]

    private let tools: [String]
    private let patience: Duration
    private let log: Logger?
    private let turns: Turns

    /// - Parameters:
    ///   - tools: `prlimit`, `nice` and `vipsthumbnail`.
    /// - patience: How long making one size may take.
    /// - log: Where to log why a process couldn't be started.
    init(tools: [String] = Workshop.tools, patience: Duration = .seconds(60), log: Logger? = nil) {
        self.tools = tools
        self.patience = patience
        self.log = log
        // One core stays free for pages.
        let cores = ProcessInfo.processInfo.activeProcessorCount
        turns = Turns(atOnce: min(2, max(1, cores - 1)), waiting: 16)
    }

    /// The programs that are missing on this machine.
    var missingTools: [String] { tools.filter { !FileManager.default.isExecutableFile(atPath: $0) } }

    /// Makes the sizes. The file is decoded once; the smaller sizes are made from the largest.
    ///
    /// - Throws: `PictureProblem`; `.busy` immediately if too many are waiting.
    func make(from file: [UInt8]) async throws -> Product {
        _ = try PictureHeader(of: file)
        return try await turns.hold {
            guard missingTools.isEmpty else { throw PictureProblem.unavailable }
            var bytes: [UInt8]
            do {
                bytes = try await shrink(file, to: .full)
            } catch PictureProblem.broken where JPEGTail.isNearlyWhole(file) {
                bytes = try await shrink(file, to: .full, failingOn: "none")
            }
            let full = try PictureHeader(of: bytes)
            var sizes = [Picture.Size.full: bytes]
            for size in [Picture.Size.card, .thumb] {
                if max(full.width, full.height) > size.edge { bytes = try await shrink(bytes, to: size) }
                sizes[size] = bytes
            }
            return Product(sizes: sizes, width: full.width, height: full.height)
        }
    }

    /// - Parameter fault: The severity of errors in the file, in libvips' terms, from which there is no picture.
    private func shrink(
        _ file: [UInt8], to size: Picture.Size, failingOn fault: String = "truncated"
    ) async throws -> [UInt8] {
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            group.addTask { try await run(file, size, fault) }
            group.addTask {
                try await Task.sleep(for: patience)
                throw PictureProblem.broken
            }
            // The first task ends the other: a canceled run kills its process.
            defer { group.cancelAll() }
            return try await group.next()!
        }
    }

    private func run(_ file: [UInt8], _ size: Picture.Size, _ fault: String) async throws -> [UInt8] {
        let limits = ["--as=\(1 << 30)", "--cpu=15", "--fsize=0", "--nofile=32", "--core=0"]
        // No code generation at run time, which needs a file; no decompression to disk. `>` never enlarges.
        let options = [
            "--vips-novector", "--vips-disc-threshold=900m", "stdin[fail-on=\(fault)]", "--size",
            "\(size.edge)x\(size.edge)>", "--export-profile", "srgb", "--output", ".webp[strip,Q=80,effort=2]",
        ]
        do {
            // Our own files instead of pipes. A process needn't read all of its input, because phones write a video
            // after the photo, and decoders stop at the first error. Swift Subprocess ends the whole program if it
            // can't write everything into a pipe, and if it made one pipe and gets no descriptor for the next.
            let input = try Self.nameless(file)
            defer { try? input.close() }
            let complaints = try FileDescriptor.open("/dev/null", .writeOnly, options: .closeOnExec)
            defer { try? complaints.close() }
            let result = try await Subprocess.run(
                .path(FilePath(tools[0])), arguments: Arguments(limits + [tools[1], "-n", "10", tools[2]] + options),
                environment: .custom(["PATH": "/usr/bin:/bin", "VIPS_BLOCK_UNTRUSTED": "1", "VIPS_CONCURRENCY": "1"]),
                input: .fileDescriptor(input, closeAfterSpawningProcess: false), output: .bytes(limit: 8 << 20),
                error: .fileDescriptor(complaints, closeAfterSpawningProcess: false))
            guard result.terminationStatus.isSuccess, let picture = WebP.bare(result.standardOutput) else {
                throw PictureProblem.broken
            }
            return picture
        } catch let error as SubprocessError where error.code == .outputLimitExceeded {
            throw PictureProblem.broken
        } catch let error where error is PictureProblem || error is CancellationError {
            throw error
        } catch {
            // There was no room for the file, or no descriptor or process available.
            log?.error("a picture's process failed", metadata: ["error": "\(error.logged)"])
            throw PictureProblem.unavailable
        }
    }

    /// The bytes in an unnamed temporary file, opened at its beginning; it disappears no matter how this ends.
    private static func nameless(_ bytes: [UInt8]) throws -> FileDescriptor {
        let path = FileManager.default.temporaryDirectory.path + "/village-" + UUID().uuidString
        let file = try FileDescriptor.open(
            path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite)
        do {
            try FileManager.default.removeItem(atPath: path)
            try file.writeAll(bytes)
            try file.seek(offset: 0, from: .start)
            return file
        } catch {
            try? file.close()
            throw error
        }
    }
}

/// Lets a few callers work at once and a few wait, and refuses the rest.
private final class Turns: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Bool, Never>] = []
    }

    private let limit: Int
    private let state: Mutex<State>

    init(atOnce: Int, waiting limit: Int) {
        self.limit = limit
        state = Mutex(State(free: atOnce))
    }

    /// Runs `body` when its turn comes.
    ///
    /// - Throws: `PictureProblem.busy` immediately if too many are waiting; otherwise what `body` throws.
    func hold<T>(_ body: () async throws -> T) async throws -> T {
        let isIn = await withCheckedContinuation { turn in
            let answer: Bool? = state.withLock { state in
                if state.free > 0 {
                    state.free -= 1
                    return true
                }
                guard state.waiting.count < limit else { return false }
                state.waiting.append(turn)
                return nil
            }
            if let answer { turn.resume(returning: answer) }
        }
        guard isIn else { throw PictureProblem.busy }
        defer { leave() }
        return try await body()
    }

    private func leave() {
        state.withLock { state in
            if state.waiting.isEmpty { state.free += 1 } else { state.waiting.removeFirst().resume(returning: true) }
        }
    }
}
