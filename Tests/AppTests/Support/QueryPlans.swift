import Database
import Synchronization
import Testing

@testable import App

/// How SQLite means to run what the site asked in a test: every statement of every walk is looked at once.
enum QueryPlans {
    /// Tables that hold a handful of rows whatever the town's size.
    static let small: Set<String> = [
        "note", "setup_link", "schema_migration", "node", "lease", "job",
    ]

    /// Tables no wider than an index of theirs: to count the rows along either takes the same.
    static let narrow: Set<String> = ["absence"]

    /// Lines of a plan that read a table from end to end, or sort what an index should have sorted.
    ///
    /// The registrations and sign-ups of one family may be sorted: they are few, whatever the size of the town. So may
    /// the events that last for days and began within a month: under many filters SQLite takes them for a handful.
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
            if line.contains("TEMP B-TREE") { return !areFew }
            guard line.hasPrefix("SCAN ") else { return false }
            let table = line.dropFirst(5).prefix { $0 != " " }
            // A scan along an index in its own order is how a page of a list is read; LIMIT ends it.
            let isOrdered = line.contains("USING") || line.contains("VIRTUAL TABLE")
            return !isOrdered && !small.union(narrow).contains(String(table)) && !parts.contains(String(table))
                && !line.contains("CONSTANT ROW") && !line.contains("SUBQUERY")
        }
    }

    private static let checked = Mutex<Set<String>>([])

    /// How many different statements were looked at since the tests began.
    static var count: Int { checked.withLock { $0.count } }

    /// Fails the test whose site ran a statement that reads a growing table from end to end, or sorts it, or that
    /// PostgreSQL doesn't take.
    ///
    /// A site on a server is left out: what it asks, one on files asks as well.
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
                // A test may have taken the file away.
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
