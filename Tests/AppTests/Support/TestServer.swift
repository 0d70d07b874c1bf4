import Foundation
import Synchronization
import Testing

@testable import App
@testable import Database

extension Trait where Self == ConditionTrait {
    /// For a test about something that only sites on files have. It is skipped if the sites of tests use a server.
    static var onFiles: Self { .enabled(if: TestServer.inUse == nil, "it is about files of SQLite") }
}

/// Databases on a PostgreSQL server for the sites of tests, if `VILLAGE_TEST_DRIVER` is `postgresql`. The same tests
/// then run on the other engine.
struct TestServer: Sendable {
    /// The server that `VILLAGE_TEST_POSTGRESQL` names, or nil if it names none.
    static let any = ProcessInfo.processInfo.environment["VILLAGE_TEST_POSTGRESQL"].map { TestServer(address: $0) }

    /// The server that the sites of tests use, or nil if they use files.
    static let inUse: TestServer? = {
        guard ProcessInfo.processInfo.environment["VILLAGE_TEST_DRIVER"] == "postgresql" else { return nil }
        return any ?? TestServer(address: "postgresql:///?host=/nowhere")
    }()

    private static let count = Atomic<Int>(0)
    private static let template = Result { try #require(any).makeTemplate() }
    private let address: String

    /// Creates a database of its own, for as long as `body` runs.
    ///
    /// - Parameter isEmpty: Whether it has no tables.
    func withDatabase(isEmpty: Bool = false, _ body: (_ url: String) async throws -> Void) async throws {
        let template = isEmpty ? "template0" : try Self.template.get()
        let number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
        let name = "village_\(ProcessInfo.processInfo.processIdentifier)_\(number)"
        // Copies files: writing everything to the log as well takes twice as long.
        try run("CREATE DATABASE \(name) TEMPLATE \(template) STRATEGY file_copy ENCODING 'UTF8' LOCALE 'C'")
        defer { try? run("DROP DATABASE \(name) WITH (FORCE)") }
        try await body(url(of: name))
    }

    private func makeTemplate() throws -> String {
        let name = "village_\(ProcessInfo.processInfo.processIdentifier)"
        try run("CREATE DATABASE \(name) TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'")
        for store in [Store.site, .media] { try store.migrate(on: url(of: name)) }
        return name
    }

    private func url(of name: String) -> String { address.replacing(/\/[a-z]*\?/, with: "/\(name)?") }

    /// Closes all connections to a database, as a server does when it restarts.
    func hangUp(_ url: String) throws {
        try run(
            """
            SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """, at: url)
    }

    private func run(_ script: String, at url: String? = nil) throws {
        let session = try PostgreSQLSession(Database.Server(url ?? address), .unlimited, .init(), ledger: nil)
        defer { session.close() }
        try session.perform { try session.run(script) }
    }
}
