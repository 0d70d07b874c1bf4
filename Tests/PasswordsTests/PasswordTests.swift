import Passwords
import Testing

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
}
