import FoundationEssentials
import Subprocess
import Synchronization

/// Makes the sizes that are kept out of an uploaded file, by libvips' `vipsthumbnail`.
///
/// What strangers send is decoded in a process of its own that may do little: it reads its input and writes its output,
/// can't write a file, has so much memory and time, and comes last when others want the processor. Loaders that libvips
/// calls untrusted are off; which of the others is meant, `PictureHeader` judged before.
struct Workshop: Sendable {
    /// The sizes of one picture.
    struct Product: Sendable {
        /// WebP, upright, without what the camera wrote into it.
        let sizes: [Picture.Size: [UInt8]]
        /// Pixels of the largest.
        let width: Int
        let height: Int
    }

    /// What it runs, from Debian's libvips-tools, util-linux and coreutils.
    private static let tools = ["/usr/bin/prlimit", "/usr/bin/nice", "/usr/bin/vipsthumbnail"]

    private let tools: [String]
    private let patience: Duration
    private let turns: Turns

    /// - Parameters:
    ///   - tools: `prlimit`, `nice` and `vipsthumbnail`.
    ///   - patience: How long one size may take.
    init(tools: [String] = Workshop.tools, patience: Duration = .seconds(60)) {
        self.tools = tools
        self.patience = patience
        // One core stays free for pages.
        let cores = ProcessInfo.processInfo.activeProcessorCount
        turns = Turns(atOnce: min(2, max(1, cores - 1)), waiting: 16)
    }

    /// The programs that are missing on this machine.
    var missingTools: [String] { tools.filter { !FileManager.default.isExecutableFile(atPath: $0) } }

    /// Makes the sizes. The file is decoded once; the smaller sizes are made from the largest.
    ///
    /// - Throws: `PictureProblem`: `.busy` at once when as many wait as may.
    func make(from file: [UInt8]) async throws -> Product {
        _ = try PictureHeader(of: file)
        return try await turns.hold {
            guard missingTools.isEmpty else { throw PictureProblem.unavailable }
            var bytes = try await shrink(file, to: .full)
            let full = try PictureHeader(of: bytes)
            var sizes = [Picture.Size.full: bytes]
            for size in [Picture.Size.card, .thumb] {
                if max(full.width, full.height) > size.edge { bytes = try await shrink(bytes, to: size) }
                sizes[size] = bytes
            }
            return Product(sizes: sizes, width: full.width, height: full.height)
        }
    }

    private func shrink(_ file: [UInt8], to size: Picture.Size) async throws -> [UInt8] {
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            group.addTask { try await run(file, size) }
            group.addTask {
                try await Task.sleep(for: patience)
                throw PictureProblem.broken
            }
            // Whoever is first ends the other: a cancelled run kills its process.
            defer { group.cancelAll() }
            return try await group.next()!
        }
    }

    private func run(_ file: [UInt8], _ size: Picture.Size) async throws -> [UInt8] {
        let limits = ["--as=\(1 << 30)", "--cpu=15", "--fsize=0", "--nofile=32", "--core=0"]
        // No code made at run time, which needs a file; nothing decompressed to disk. `>` never enlarges.
        let options = [
            "--vips-novector", "--vips-disc-threshold=900m", "stdin[fail-on=truncated]", "--size",
            "\(size.edge)x\(size.edge)>", "--export-profile", "srgb", "--output", ".webp[strip,Q=80,effort=2]",
        ]
        do {
            let result = try await Subprocess.run(
                .name("prlimit"), arguments: Arguments(limits + [tools[1], "-n", "10", tools[2]] + options),
                environment: .custom(["PATH": "/usr/bin:/bin", "VIPS_BLOCK_UNTRUSTED": "1", "VIPS_CONCURRENCY": "1"]),
                input: .array(file), output: .bytes(limit: 8 << 20), error: .discarded)
            guard result.terminationStatus.isSuccess, let picture = WebP.bare(result.standardOutput) else {
                throw PictureProblem.broken
            }
            return picture
        } catch is SubprocessError {
            // It ended before it had read everything.
            throw PictureProblem.broken
        }
    }
}

/// Lets a few work at once, a few wait for their turn, and refuses the next.
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

    /// Runs `body` when it is its turn.
    ///
    /// - Throws: `PictureProblem.busy` at once when too many wait; else what `body` throws.
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
