import Foundation
import NIOCore
import Synchronization
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A client on a plain socket, which sends exactly the bytes it's given.
final class Peer: Sendable {
    private let socket: CInt

    /// Connects. A small receive buffer makes a client that doesn't read block the server soon.
    init(_ port: Int, receiveBuffer: CInt? = nil) throws {
        #if canImport(Glibc)
            socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        #else
            socket = Darwin.socket(AF_INET, SOCK_STREAM, 0)
        #endif
        if var size = receiveBuffer {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        }
        // No wait is longer than this: what a test waits for has happened by then, or never does.
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: port)
        let result = address.withSockAddr { [socket] in connect(socket, $0, socklen_t($1)) }
        try #require(result == 0)
    }

    deinit { _ = close(socket) }

    /// Sends all of it; false if the server won't take it.
    @discardableResult
    func send(_ bytes: some Sequence<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(text.utf8) }

    func closeWriting() { shutdown(socket, CInt(SHUT_WR)) }

    /// The port on our side.
    var port: Int {
        // Behind the family, and on some systems the length, stands the port.
        var address = [UInt8](repeating: 0, count: 16)
        var size = socklen_t(address.count)
        address.withUnsafeMutableBytes { bytes in
            _ = bytes.withMemoryRebound(to: sockaddr.self) { getsockname(socket, $0.baseAddress!, &size) }
        }
        return Int(address[2]) << 8 | Int(address[3])
    }

    /// Whether the server has neither sent anything that isn't read yet nor closed.
    var isSilent: Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) == -1 && errno == EAGAIN
    }

    /// The next bytes; empty at the end, however it came; nil when patience is at its end.
    func receive(_ most: Int = 1 << 16) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: most)
        let count = recv(socket, &bytes, most, 0)
        if count < 0, errno == EAGAIN { return nil }
        return Array(bytes.prefix(max(count, 0)))
    }

    /// Everything until the server closes.
    func readToEnd(_ pause: () -> Void = {}) throws -> [UInt8] {
        var all: [UInt8] = []
        while true {
            guard let part = receive() else { throw Impatience(after: all) }
            if part.isEmpty { return all }
            all += part
            pause()
        }
    }

    /// Everything until a text has arrived.
    func read(until text: String) throws -> String {
        var all: [UInt8] = []
        while true {
            guard let part = receive(1), !part.isEmpty else { throw Impatience(after: all) }
            all += part
            if all.count >= text.utf8.count, all.suffix(text.utf8.count).elementsEqual(text.utf8) {
                return String(decoding: all, as: UTF8.self)
            }
        }
    }

    /// Sends, and reads until the server closes.
    func talk(_ text: String) throws -> String {
        send(text)
        return String(decoding: try readToEnd(), as: UTF8.self)
    }
}

/// What was waited for didn't come. (`#require` on a thread of its own would be counted for no test.)
struct Impatience: Error, CustomStringConvertible {
    let after: [UInt8]
    var description: String { "nothing more after: \(String(decoding: after.prefix(500), as: UTF8.self))" }
}

/// Runs what blocks on a thread of its own, off the few that the servers under test share.
func blocking<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
    }
}

/// The pace of a client that drips.
func drip(_ milliseconds: Int = 20) {
    var pause = timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000)
    nanosleep(&pause, nil)
}

/// How long the threads that the servers under test share had no time, at the longest: a test that compares clocks
/// can't judge then.
final class Pulse: Sendable {
    private let state = Mutex((last: ContinuousClock.now, longest: Duration.zero))

    var longestPause: Duration { state.withLock { max($0.longest, ContinuousClock.now - $0.last) } }

    /// Beats ten times a second until its task is canceled.
    func run() async {
        while !Task.isCancelled {
            state.withLock { state in
                let now = ContinuousClock.now
                state = (now, max(state.longest, now - state.last))
            }
            try? await Task.sleep(for: .milliseconds(100))
        }
    }
}

/// Waits until something holds; false if it doesn't within a minute: two busy cores may let it wait.
func eventually(_ holds: () -> Bool) async -> Bool {
    for _ in 0..<12_000 {
        if holds() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return false
}

/// The status codes of the answers in what a server sent.
func statuses(_ text: String) -> [Int] {
    text.components(separatedBy: "HTTP/1.1 ").dropFirst().compactMap { Int($0.prefix(3)) }
}
