import Foundation
import Testing

@testable import Passwords

@Suite struct PasswordTests {
    private let cheap = Password.Cost(memory: 64, passes: 1, lanes: 1)

    @Test func `the right password opens, another does not`() throws {
        let hash = try Password.hash("correct horse", cost: cheap)
        #expect(Password.verify("correct horse", against: hash))
        #expect(!Password.verify("correct horsf", against: hash))
        #expect(!Password.verify("", against: hash))
    }

    @Test func `two hashes of one password differ`() throws {
        #expect(try Password.hash("same", cost: cheap) != Password.hash("same", cost: cheap))
    }

    @Test func `the standard cost is the published one`() throws {
        let hash = try Password.hash("a password")
        #expect(hash.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        #expect(!Password.needsRehash(hash))
        #expect(Password.needsRehash(try Password.hash("a password", cost: cheap)))
    }

    @Test(arguments: ["", "$argon2id$", "plain", "$argon2i$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$AAAA", "\0"])
    func `a broken hash opens for nobody`(hash: String) {
        #expect(!Password.verify("x", against: hash))
    }

    @Test func `any Unicode is a password, and no byte of it is dropped`() throws {
        let hash = try Password.hash(" пароль\u{0}🔑 ", cost: cheap)
        #expect(Password.verify(" пароль\u{0}🔑 ", against: hash))
        #expect(!Password.verify(" пароль", against: hash))
    }

    @Test func `a full queue refuses at once and serves the others`() async throws {
        let queue = PasswordQueue(threads: 1, capacity: 0)
        await #expect(throws: PasswordQueue.Full.self) { try await queue.run { 1 } }
        #expect(try await PasswordQueue(threads: 1, capacity: 1).run { 2 } == 2)
    }

    @Test func `many at once are all answered, each with its own result`() async throws {
        let queue = PasswordQueue(threads: 2, capacity: 100)
        let results = try await withThrowingTaskGroup { group in
            for number in 0..<100 { group.addTask { try await queue.run { number } } }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(results.count == 100)
    }

    @Test(.timeLimit(.minutes(1))) func `a closed queue refuses, and its threads end`() async throws {
        let queue = PasswordQueue(threads: 2)
        let ends = try await endsOfThreads(of: queue)
        queue.close()
        await #expect(throws: PasswordQueue.Full.self) { try await queue.run { 1 } }
        var iterator = ends.makeAsyncIterator()
        for _ in 1...2 { try #require(await iterator.next() != nil) }
    }

    @Test(.timeLimit(.minutes(1))) func `the threads of a queue that is let go end`() async throws {
        let ends = try await endsOfThreads(of: PasswordQueue(threads: 2))
        var iterator = ends.makeAsyncIterator()
        for _ in 1...2 { try #require(await iterator.next() != nil) }
    }

    @Test(.timeLimit(.minutes(1))) func `what waits when a queue is closed is still done`() async throws {
        let queue = PasswordQueue(threads: 1)
        let (busy, isBusy) = AsyncStream.makeStream(of: Void.self)
        let mayGo = DispatchSemaphore(value: 0)
        let results = try await withThrowingTaskGroup { group in
            group.addTask {
                try await queue.run {
                    isBusy.yield()
                    mayGo.wait()
                    return 0
                }
            }
            // A closed queue takes nothing, so all have to wait in it before.
            for await _ in busy { break }
            for number in 1...5 { group.addTask { try await queue.run { number } } }
            while queue.waiting < 5 { await Task.yield() }
            queue.close()
            mayGo.signal()
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(results == Set(0...5))
    }

    /// Tells when each of a queue's two threads ends.
    private func endsOfThreads(of queue: PasswordQueue) async throws -> AsyncStream<Void> {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        // Each thread waits for the other, or one could do both jobs.
        let (here, there) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let first: Void = queue.run {
            here.signal()
            there.wait()
            atEndOfThread { end.yield() }
        }
        async let second: Void = queue.run {
            there.signal()
            here.wait()
            atEndOfThread { end.yield() }
        }
        _ = try await (first, second)
        return ends
    }
}

/// Calls `body` when the thread that asks for it ends.
private func atEndOfThread(_ body: @escaping @Sendable () -> Void) {
    var key = pthread_key_t()
    pthread_key_create(&key) { value in Unmanaged<Ending>.fromOpaque(value!).release() }
    pthread_setspecific(key, Unmanaged.passRetained(Ending(body)).toOpaque())
}

private final class Ending: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    deinit { body() }
}
