import Foundation
import Logging
import Testing

@testable import App
@testable import Database

/// The demo town on both engines. Each query that a test runs on its own town is also run once on both of these.
enum SameAnswers {
    /// It is deleted only when the tests end, because SQLite opens a file more than once.
    private static let folder: Result<TestFolder, any Error> = {
        atexit { try? SameAnswers.folder.get().remove() }
        return Result { try TestFolder() }
    }()

    /// The demo town in a file, and on the server that `VILLAGE_TEST_POSTGRESQL` names. Nil if it names none.
    private static let towns: Task<[Database], any Error>? = {
        guard let address = ProcessInfo.processInfo.environment["VILLAGE_TEST_POSTGRESQL"] else { return nil }
        return Task {
            let folder = try folder.get()
            var settings = Settings()
            settings.data = folder.path
            settings.zone = Zone(identifier: "America/Los_Angeles")!
            settings.publicFolder = TestFolder.publicFolder
            let site = try Site(
                settings, clock: { Clock.start }, cost: .cheap, assets: TestFolder.assets.get(),
                log: Logger(label: "demo") { _ in LogBook() })
            try await site.prepare()
            _ = try await site.seedDemo()
            site.close()
            let path = folder.path + Site.file
            let server = Database.Server(address, schema: "town_\(ProcessInfo.processInfo.processIdentifier)")
            try Database.migrate(server, Schema.migrations)
            let move = Database.Move(
                from: path, to: server, migrations: Schema.migrations, application: Schema.application, isOwned: true)
            _ = try Database.move([move], dryRun: false) { _ in false }
            var options = Database.Options()
            options.readers = 1
            // A slow machine mustn't make a test fail.
            options.readLimit = .seconds(60)
            return [
                try Database(reading: path, options: options),
                try Database(on: server, migrations: Schema.migrations, isReadOnly: true, options: options),
            ]
        }
    }()

    /// How the two engines' answers to a query differ. Nil if they agree, or if there is no server.
    static func difference(in question: SQL) async throws -> String? {
        let text = question.text(for: .sqlite)
        // Each engine has its own migrations.
        guard let towns, text.hasPrefix("SELECT") || text.hasPrefix("WITH"),
            !["schema_migration", "INSERT INTO", "UPDATE ", "DELETE FROM"].contains(where: { text.contains($0) })
        else { return nil }
        var answers = try await towns.value.map { try rows(of: question, in: $0) }
        if !isOrdered(text) { answers = answers.map { $0.sorted() } }
        guard answers[0] != answers[1] else { return nil }
        let place = zip(answers[0], answers[1]).enumerated().first { $1.0 != $1.1 }?.offset
        return """
            SQLite has \(answers[0].count) rows, PostgreSQL \(answers[1].count)\
            \(place.map { "; row \($0): \(answers[0][$0].prefix(200)) | \(answers[1][$0].prefix(200))" } ?? "")
            """
    }

    /// Whether the rows come in a set order. An ORDER BY inside parentheses guarantees no order for the outer rows.
    static func isOrdered(_ text: String) -> Bool {
        var depth = 0
        let outermost = text.filter { character in
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            return depth == 0
        }
        return outermost.contains("ORDER BY")
    }

    private static func rows(of question: SQL, in database: Database) throws -> [String] {
        try database.read { db in
            try db.all(question) { row in
                try (0..<row.count).map { _ in plain(try row.value()) }.joined(separator: ", ")
            }
        }
    }

    /// A value without its type, since a sum is a whole number on one engine and a fraction on the other.
    private static func plain(_ value: SQL.Value) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number):
            number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(Float(number))"
        case .text(let text): text
        case .blob(let bytes): hexadecimal(bytes)
        case .boolean(let isTrue): isTrue ? "1" : "0"
        }
    }
}

@Suite(.enabled(if: TestServer.any != nil, "VILLAGE_TEST_POSTGRESQL names no server"))
struct SameAnswersTests {
    @Test func `an answer that isn't the same is found out`() async throws {
        let same: SQL = "SELECT id, title, starts_at FROM event ORDER BY starts_at, id LIMIT 50"
        #expect(try await SameAnswers.difference(in: same) == nil)
        let other = SQL.dialect(sqlite: "SELECT 1, 'a' AS word", postgreSQL: "SELECT 1, 'b' AS word")
        #expect(try await SameAnswers.difference(in: other) == "SQLite has 1 rows, PostgreSQL 1; row 0: 1, a | 1, b")
    }

    @Test(arguments: [
        ("SELECT id FROM event ORDER BY id", true),
        ("SELECT id FROM (SELECT id FROM event LIMIT 3) AS found ORDER BY id", true),
        ("SELECT id FROM event", false),
        ("SELECT id FROM (SELECT id FROM event ORDER BY (id + 1) LIMIT 3) AS found WHERE id > 0", false),
    ])
    func `only the outermost order is promised`(text: String, isOrdered: Bool) {
        #expect(SameAnswers.isOrdered(text) == isOrdered)
    }
}
