import Database
import Synchronization
import Testing

@testable import App

/// How SQLite would run what the site asked in a test. Every statement of every test is checked once.
enum QueryPlans {
    /// Tables that have only a handful of rows, however large the town is.
    static let small: Set<String> = [
        "note", "setup_link", "schema_migration", "node", "lease", "job",
    ]

    /// Tables that are no wider than one of their indexes, so counting rows takes the same time either way.
    static let narrow: Set<String> = ["absence"]

    /// The lines of a plan that read a table from end to end, that sort what an index should have sorted, or that say
    /// that the statement is prepared anew each time it runs.
    ///
    /// The registrations and sign-ups of one family may be sorted: there are few, however large the town is. So may the
    /// events that last for days and began within a month: with many filters, SQLite expects only a handful of them.
    static func faults(in plan: [String]) -> [String] {
        let areFew = plan.contains { line in
            [
                "registration_account (account_id=?", "signup_account (account_id=?",
                "registration_person_child (child_id=?",
                "event_long (is_long=? AND starts_at>? AND starts_at<?)",
            ].contains { line.contains($0) }
        }
        // The rows that a part of the statement found, not a table.
        let parts = plan.compactMap { line in
            ["CO-ROUTINE ", "MATERIALIZE "].first { line.hasPrefix($0) }.map { String(line.dropFirst($0.count)) }
        }
        return plan.filter { line in
            if line == "PREPARED ANEW" { return true }
            if line.contains("TEMP B-TREE") { return !areFew }
            guard line.hasPrefix("SCAN ") else { return false }
            let table = line.dropFirst(5).prefix { $0 != " " }
            // A page of a list is read by scanning an index in its own order, and LIMIT ends the scan.
            let isOrdered = line.contains("USING") || line.contains("VIRTUAL TABLE")
            return !isOrdered && !small.union(narrow).contains(String(table)) && !parts.contains(String(table))
                && !line.contains("CONSTANT ROW") && !line.contains("SUBQUERY")
        }
    }

    private static let checked = Mutex<Set<String>>([])

    /// How many different statements were checked since the tests began.
    static var count: Int { checked.withLock { $0.count } }

    /// Fails the test if its site ran a statement that reads a growing table from end to end, sorts it, is prepared
    /// anew each time, or isn't accepted by PostgreSQL.
    ///
    /// A site on a server is skipped, since a site on files runs the same statements.
    static func check(_ site: Site) async throws {
        guard site.settings.databaseURL == nil else { return }
        for (database, other) in [
            (site.database, OtherEngine.site), (site.media.database, OtherEngine.media),
        ] {
            for statement in database.recordedStatements {
                guard checked.withLock({ $0.insert(statement.description).inserted }) else { continue }
                if let problem = OtherEngine.problem(with: statement, on: other) {
                    Issue.record("PostgreSQL: \(problem)\n\(statement.text(for: .postgreSQL))")
                }
                // A test may have deleted the file.
                if database === site.database, let difference = try await SameAnswers.difference(in: statement) {
                    Issue.record("Both engines: \(difference)\n\(statement)")
                }
                guard let plan = try? database.explain(statement) else { continue }
                // The yearly report adds up a few hundred groups, however many sessions there were.
                let faults = faults(in: plan).filter { line in
                    !(line.hasSuffix("FOR GROUP BY") && statement.description.contains("GROUP BY ages, format"))
                }
                if !faults.isEmpty { Issue.record("\(statement)\n\(faults.joined(separator: "\n"))") }
            }
        }
    }
}
