import Database
import Foundation
import Testing

@testable import App

/// A walk over every table of both databases after an account was deleted: of what its owner wrote nothing is left.
///
/// Each table gets a row of Ana's, made from the schema alone, with a word of hers in each column of text; what it
/// hangs on is Cleo's, so that nothing goes only because something else of hers does.
@Suite struct ErasureTests {
    private static let word = "Quetzalcoatlita"

    /// Columns that nobody writes freely: keys, kinds, days, codes and hashes, by name wherever they stand.
    private static let unwritten: Set<String> = [
        "act", "age_groups", "again", "audience", "cats", "channel", "children", "city_key", "code", "country",
        "currency", "day", "difficulty", "dogs", "duty", "end_day", "ended", "energy", "first", "form", "ground",
        "hash",
        "hat", "hellos_on", "initial", "key", "kind", "language", "last", "last_hat", "lead", "look", "motif",
        "name_key", "network", "neutered", "once", "other_again", "password", "path", "plan", "rhythm", "scope", "sex",
        "since", "size", "state", "streak_first", "streak_last", "day_first", "day_last", "subject", "text_size",
        "theme", "type", "unit", "until", "vaccinated", "verb", "verdict", "waits_for", "what", "word", "zone",
        "as_of", "secret", "address", "device", "email", "username", "old_email", "new_email", "domain",
    ]

    /// Columns whose words stay, and why.
    private static let staying: [String: String] = [
        "event.title": "families who went there read where that was",
        "event.city": "as coarse as a town", "event.state": "the same",
        "activity.name": "as the title of its event",
        "opportunity.title": "helpers keep what they did", "opportunity.city": "as coarse as a town",
        "opportunity.state": "the same", "thing.name": "what others promised",
        "post.text": "a former member's, as the page says before", "comment.text": "the same",
        "own_act.name": "in the catalog of everybody, without a name", "own_act.description": "the same",
        "contribution.host_name": "the ledger of whoever helped", "contribution.title": "the same",
        "change.said_before": "times only", "change.says_now": "times only",
        "decision.reason": "staff's", "staff_act.reason": "staff's", "staff_act.subject": "staff's log",
        "report.words": "what was reported: it goes with its own author, below", "wave.reason": "staff's",
        "blocked_domain.reason": "staff's", "provider.verified_by_checking": "staff's",
        "town_letter.title": "staff's, to all", "town_letter.body": "the same",
        "town.name": "the map", "town.region": "the map", "zip.city": "the map", "zip.state": "the map",
        "tag.name": "a word of the town", "tag.merged_into": "the same", "word.text": "a word of the search",
        "note.name": "settings", "note.value": "settings", "town_total.month": "a sum",
        "month_total.month": "a sum",
        "event_tag.tag": "goes with the row", "opportunity_tag.tag": "goes with the row",
        "letter.answer": "a mail server's", "team_act.title": "an event's title",
    ]

    private static let counts: Set<String> = [
        "promised", "wanted", "taken", "likes", "comments", "followers", "helpers", "minutes", "stars_1", "stars_2",
        "stars_3", "stars_4", "stars_5", "uses", "unread", "points", "acts", "needs", "friends",
    ]

    /// Tables that hold the indexes of a search, and one that nothing may be taken out of.
    private static let left: Set<String> = ["staff_act", "schema_migration", "node", "lease", "job"]

    private struct Column {
        let name: String
        let type: String
        let isRequired: Bool
        let isKey: Bool
    }

    /// A row of somebody, as the schema wants it.
    private final class Rows {
        let db: Connection
        let owners: [String: ID<Account>]
        private var made: [String: [String: SQL.Value]] = [:]
        private var number: Int64 = 100
        private(set) var planted: Set<String> = []

        init(_ db: Connection, ana: ID<Account>, cleo: ID<Account>) {
            self.db = db
            owners = ["ana": ana, "cleo": cleo]
        }

        func tables() throws -> [String] {
            try db.all(
                """
                SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'
                    AND name NOT LIKE '%\\_search%' ESCAPE '\\' ORDER BY name LIMIT 500
                """
            ) { try $0.next() }
        }

        private func columns(of table: String) throws -> [Column] {
            try db.all(
                "SELECT name, type, \"notnull\", pk FROM pragma_table_info(\(table)) LIMIT 100"
            ) {
                Column(
                    name: try $0.next(), type: try $0.next(), isRequired: try $0.next() as Int == 1,
                    isKey: try $0.next() as Int > 0)
            }
        }

        private func references(of table: String) throws -> [String: (table: String, column: String)] {
            let all: [(String, String, String?)] = try db.all(
                "SELECT \"from\", \"table\", \"to\" FROM pragma_foreign_key_list(\(table)) LIMIT 100"
            ) { (try $0.next(), try $0.next(), try $0.next()) }
            return Dictionary(all.map { ($0.0, (table: $0.1, column: $0.2 ?? "id")) }) { first, _ in first }
        }

        @discardableResult func make(_ table: String, of owner: String) throws -> [String: SQL.Value] {
            // A match is of two.
            let owner = table == "pet_match" ? "both" : owner
            if let row = made["\(table) \(owner)"] { return row }
            number += 1
            let text: String = try db.value("SELECT sql FROM sqlite_schema WHERE name = \(table)") ?? ""
            let references = try references(of: table)
            let accounts = references.filter { $0.value.table == "account" }.map(\.key)
            let mine = ["account_id", "author_id", "staff_id", "host_id"].first { accounts.contains($0) }
            var row: [(name: String, value: SQL.Value)] = []
            for column in try columns(of: table)
            where !(column.isKey && column.name == "id" && column.type == "INTEGER") {
                row.append((column.name, try value(column, table, text, references, mine: mine, owner)))
            }
            let names = row.map { SQL(named: $0.name) }.joined(separator: ", ")
            let values = row.map { SQL(of: $0.value) }.joined(separator: ", ")
            let id = try db.insert("INSERT INTO \(SQL(named: table)) (\(names)) VALUES (\(values))")
            var stored = Dictionary(row.map { ($0.name, $0.value) }) { first, _ in first }
            if stored["id"] == nil { stored["id"] = .integer(id) }
            made["\(table) \(owner)"] = stored
            return stored
        }

        private func value(
            _ column: Column, _ table: String, _ text: String,
            _ references: [String: (table: String, column: String)], mine: String?, _ owner: String
        ) throws -> SQL.Value {
            let name = column.name
            if let reference = references[name] {
                if reference.table == "account" {
                    if name == mine { return .integer(owners[owner]!.rawValue) }
                    return column.isRequired ? .integer(owners["cleo"]!.rawValue) : .null(.integer)
                }
                // Of two that it may hang on it hangs on one.
                let chosen = [
                    "companion.signup_id", "guest.shift_id", "message.match_id", "talk_news.match_id",
                    "thread.opportunity_id",
                    "announcement.event_id",
                ]
                guard column.isRequired || column.isKey || chosen.contains("\(table).\(name)") else {
                    return .null(.integer)
                }
                // A pet matches another one's.
                if table == "pet_match" {
                    return try make("pet", of: name == "first_id" ? "ana" : "cleo")["id"] ?? .null(.integer)
                }
                return try make(reference.table, of: mine == nil ? owner : "cleo")[reference.column] ?? .null(.integer)
            }
            switch column.type {
            case "TEXT": return words(name, table, text, owner, isRequired: column.isRequired)
            case "INTEGER":
                guard column.isRequired || column.isKey else { return .null(.integer) }
                // What is given back was counted.
                if ErasureTests.counts.contains(name) { return .integer(1) }
                let least = try! Regex("\\b\(name) (?:BETWEEN|IN \\(|>=) ?(-?\\d+)")
                return .integer(text.firstMatch(of: least)?.output[1].substring.flatMap { Int64($0) } ?? 1)
            case "REAL": return column.isRequired ? .real(1) : .null(.real)
            default: return column.isRequired ? .blob(Array("\(number)".utf8)) : .null(.blob)
            }
        }

        private func words(
            _ name: String, _ table: String, _ text: String, _ owner: String, isRequired: Bool
        ) -> SQL.Value {
            let pattern = try! Regex("\\b\(name) TEXT[^,]*?CHECK \\(\\s*\(name) IN \\('([^']*)'")
            if let kind = text.firstMatch(of: pattern)?.output[1].substring { return .text(String(kind)) }
            if name == "day" || name == "until" || name == "first" || name == "last" || name == "since" {
                return .text("2027-03-27")
            }
            if name == "zone" { return .text("UTC") }
            if ErasureTests.unwritten.contains(name) || ErasureTests.staying["\(table).\(name)"] != nil {
                return isRequired ? .text("x\(number)") : .null(.text)
            }
            guard owner == "ana" else { return .text("Cleo’s \(number)") }
            planted.insert("\(table).\(name)")
            return .text("\(ErasureTests.word) \(number)")
        }

        /// The columns of text in which the word still stands.
        func found() throws -> [String] {
            try tables().flatMap { table in
                try columns(of: table).filter { $0.type == "TEXT" }.map(\.name).filter { column in
                    try db.exists(
                        """
                        SELECT 1 FROM \(SQL(named: table))
                        WHERE \(SQL(named: column)) LIKE \("%\(ErasureTests.word)%")
                        """)
                }.map { "\(table).\($0)" }
            }
        }
    }

    @Test(.onFiles) func `nothing that somebody wrote is left in any table once the account is deleted`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = (try await site.account(of: .ana), try await site.account(of: .cleo))
            let (planted, before) = try await site.write { db in
                let rows = Rows(db, ana: ana, cleo: cleo)
                // The smaller number is the first of a match.
                for owner in ["ana", "cleo"] { try rows.make("pet", of: owner) }
                // Cleo's organization counts what Ana did there.
                try rows.make("organization_total", of: "cleo")
                for table in try rows.tables() where !Self.left.contains(table) && table != "account" {
                    try rows.make(table, of: "ana")
                }
                return (rows.planted, try rows.found())
            }
            #expect(planted.count > 60)
            #expect(Set(before).isSuperset(of: planted), "the twin: it was there")
            try await site.write(at: site.clock.now) { tx in try Account.leave(ana, in: tx) }
            site.clock.advance(by: .minutes(11))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            let after = try site.read { db in try Rows(db, ana: ana, cleo: cleo).found() }
            #expect(after == [])
            let media = try Database.unrecorded {
                try site.site.media.database.read { db in try Rows(db, ana: ana, cleo: cleo).found() }
            }
            #expect(media == [])
        }
    }

    /// The log of what staff did can't be walked as the other tables are: nothing can be taken out of it.
    @Test func `the log of what staff did keeps no title and no user name of somebody who left`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = (try await site.account(of: .ana), try await site.account(of: .cleo))
            let name: String = try site.read { db in
                try db.value("SELECT username FROM account WHERE id = \(ana)") ?? ""
            }
            try await site.write(at: site.clock.now) { tx in
                func record(
                    _ verb: AuditEntry.Verb, _ text: String, _ id: Int64, _ about: Subject?, of author: ID<Account>?
                ) throws {
                    try AuditEntry.record(verb, text, id, about: about, of: author, reason: "", by: cleo, in: tx)
                }
                try record(.hideNeed, Self.word, 1, .need(ID(1)), of: ana)
                try record(.hideAct, Self.word, 1, .act(ID(1)), of: ana)
                try record(.hideOpportunity, Self.word, 1, .opportunity(ID(1)), of: ana)
                try record(.drawLots, Self.word, 1, nil, of: ana)
                try record(.meetOutside, name, ana.rawValue, nil, of: nil)
                try record(.suspend, name, ana.rawValue, .need(ID(1)), of: ana)
                try record(.hideNeed, "A ladder", 2, .need(ID(2)), of: cleo)
                try Account.leave(ana, in: tx)
            }
            #expect(try site.count(of: "staff_act WHERE subject LIKE \("%\(Self.word)%")") == 0)
            #expect(try site.count(of: "staff_act WHERE subject = \(name)") == 0)
            #expect(try site.count(of: "staff_act WHERE subject = \(Account.formerName(of: ana))") == 2)
            #expect(try site.count(of: "staff_act WHERE subject = 'A ladder'") == 1, "the twin: others' stay")
        }
    }

    @Test func `when an organization leaves, the log renames what it says of its reviews, and of nothing else`()
        async throws
    {
        try await withTestSite { site in
            _ = try await site.publish(by: .ben)
            let (ana, ben) = (try await site.account(of: .ana), try await site.account(of: .ben))
            let cleo = try await site.account(of: .cleo)
            let now = site.clock.now
            try await site.write(at: now) { tx in
                try tx.execute(
                    """
                    INSERT INTO review (host_id, account_id, stars, comment, year, created_at)
                    VALUES (\(ben), \(ana), 5, '', 2027, \(now))
                    """)
                let review = try ID<Review>(tx.value("SELECT id FROM review") ?? 0)
                for (text, subject) in [
                    ("Ben’s library", Subject.review(review)), ("Block party", .event(ID(review.rawValue))),
                ] {
                    try AuditEntry.record(
                        .findFine, text, review.rawValue, about: subject, of: nil, reason: "", by: cleo, in: tx)
                }
                try Account.leave(ben, in: tx)
            }
            #expect(try site.count(of: "staff_act WHERE subject = 'Block party'") == 1)
            #expect(try site.count(of: "staff_act WHERE subject = 'Ben’s library'") == 0)
        }
    }

    @Test func `what others were told of somebody’s events says no place and no organization once they left`()
        async throws
    {
        try await withTestSite { site in
            let (event, other) = (try await site.publish(by: .ben), try await site.publish(by: .cleo))
            let (ana, ben) = (try await site.account(of: .ana), try await site.account(of: .ben))
            let now = site.clock.now
            let session = "Clay\u{1D}\(Self.word) Lane 5\u{1D}2027-03-28 10:00 12:00"
            try await site.write(at: now) { tx in
                for (event, kind, detail) in [
                    (event, NoticeKind.changed, "place\u{1F}\(Self.word) Street 1\u{1F}\(Self.word) Street 2"),
                    (event, .dayBefore, session), (event, .offered, session), (event, .followed, Self.word),
                    (other, .changed, "place\u{1F}Oak Street\u{1F}Elm Street"), (other, .dayBefore, session),
                ] {
                    let news = Notice.News(kind: kind, event: event, detail: detail)
                    try Notice.tell(news, "account.id = \(ana)", in: tx)
                }
            }
            let told = "notice WHERE detail LIKE \("%\(Self.word)%")" as SQL
            #expect(try site.count(of: told) == 5, "the twin")
            try await site.write(at: now) { tx in try Account.leave(ben, in: tx) }
            #expect(try site.count(of: told) == 1, "another host’s stays")
            #expect(try site.count(of: "notice WHERE detail LIKE '%Elm Street%'") == 1)
            #expect(try site.count(of: "letter WHERE event_id = \(event) AND detail LIKE \("%\(Self.word)%")") == 0)
            let miscounted: SQL = """
                account WHERE unread <> (
                    SELECT count(*) FROM notice WHERE notice.account_id = account.id AND notice.read_at IS NULL)
                """
            #expect(try site.count(of: miscounted) == 0)
        }
    }

    @Test func `a reason to call something off goes when its author leaves, and that they left is said`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let own = try await site.publish(by: .ben) { $0.title = "Chess" }
            try await site.execute(
                "UPDATE event SET cancelled_at = 1, cancel_reason = 'I broke my leg' WHERE id = \(event)")
            let (ben, now) = (try await site.account(of: .ben), site.clock.now)
            try await site.write(at: now) { tx in
                try Matter.raise(.event(event), of: ben, for: .reports, in: tx)
                try tx.execute(
                    """
                    INSERT INTO report (subject, ground, note, words, once, at)
                    VALUES (\(Subject.event(event)), 'spam', '', 'His words', 'r', 1)
                    """)
                try Account.leave(ben, in: tx)
            }
            #expect(try site.count(of: "report WHERE words = ''") == 1, "what was reported goes with its author")
            #expect(try site.count(of: "event WHERE id = \(event) AND cancel_reason = ''") == 1)
            #expect(try site.count(of: "event WHERE id = \(own) AND cancel_reason = \(Leaving.reason)") == 1)
        }
    }
}

extension SQL {
    private static let letters: [Character: SQL] = [
        "a": "a", "b": "b", "c": "c", "d": "d", "e": "e", "f": "f", "g": "g", "h": "h", "i": "i", "j": "j", "k": "k",
        "l": "l", "m": "m", "n": "n", "o": "o", "p": "p", "q": "q", "r": "r", "s": "s", "t": "t", "u": "u", "v": "v",
        "w": "w", "x": "x", "y": "y", "z": "z", "_": "_", "1": "1", "2": "2", "3": "3", "4": "4", "5": "5",
    ]

    /// The name of a table or a column, which is known only when the schema is read.
    init(named name: String) {
        self = name.reduce("\"" as SQL) { $0 + Self.letters[$1]! } + "\""
    }

    fileprivate init(of value: SQL.Value) {
        switch value {
        case .null: self = "NULL"
        case .integer(let number): self = "\(number)"
        case .boolean(let isTrue): self = "\(isTrue)"
        case .real(let number): self = "\(number)"
        case .text(let text): self = "\(text)"
        case .blob(let bytes): self = "\(bytes)"
        }
    }
}
