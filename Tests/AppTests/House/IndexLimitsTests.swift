import Database
import Testing

@testable import App

/// PostgreSQL refuses a row whose entry in an index has more than 2,704 bytes. So each text in an index is one of the
/// program's own words, or has a limit in bytes.
@Suite struct IndexLimitsTests {
    private static let most = 2_600

    /// What a word of the program has at most: the name of a state, a day, an address of the site.
    private static let ownWord = 100

    /// Columns of the program's own words, in whatever table.
    private static let own: Set = [
        "audience", "channel", "code", "country", "day", "energy", "first", "ground", "kind", "lead", "month", "once",
        "path", "plan", "scope", "sex", "size", "state", "theme", "topic", "type", "verb", "verdict", "what",
    ]

    /// Columns of texts from elsewhere or with a number in them, and their most bytes.
    private static let limits: [String: Int] = [
        "account.email": 254, "account.username": 30, "email_change.old_email": 254, "letter.address": 254,
        "outside_log_in.email": 254, "outside_log_in.issuer": 500, "outside_log_in.subject": 255,
        "blocked_domain.domain": 253, "push_subscription.endpoint": 2_000,
        "saved_search.query": SavedSearch.mostBytes,
        "job.name": ownWord, "lease.name": ownWord, "note.name": ownWord, "schema_migration.name": ownWord,
        "picture.hash": ownWord,
        "decision.subject": ownWord, "matter.subject": ownWord, "report.subject": ownWord,
        // Ten code points count as a character, see `Tag.fits`.
        "event_tag.tag": Tag.mostCharacters * 40, "opportunity_tag.tag": Tag.mostCharacters * 40,
        "less.tag": Tag.mostCharacters * 40, "tag.name": Tag.mostCharacters * 40,
        "tag.merged_into": Tag.mostCharacters * 40,
        "word.text": Vocabulary.mostBytes, "word.initial": Vocabulary.mostBytes,
        "event.city_key": Folding.longestKey, "provider.name_key": Folding.longestKey,
        "provider_key.key": Folding.longestKey, "person_key.key": Folding.longestKey,
        "person_word.word": Folding.longestKey, "import_entry.key": Folding.longestKey,
        // Of the gazetteer.
        "town.name_key": 200, "zip.city_key": 200, "zip.state": ownWord,
    ]

    private static func limit(_ table: String, _ column: String) -> Int? {
        limits["\(table).\(column)"] ?? (own.contains(column) ? ownWord : nil)
    }

    /// The texts in each index, by its name.
    private static func indexes() throws -> [String: [(table: String, column: String)]] {
        let folder = try TestFolder()
        defer { folder.remove() }
        let database = try Database(at: folder.path + "/new.sqlite", migrations: Schema.migrations)
        defer { database.close() }
        let rows: [(String, String, String)] = try database.read { db in
            try db.all(
                """
                SELECT part.name, list.name, entry.name FROM sqlite_schema AS part
                JOIN pragma_index_list(part.name) AS list JOIN pragma_index_info(list.name) AS entry
                JOIN pragma_table_info(part.name) AS written ON written.name = entry.name
                WHERE part.type = 'table' AND written.type = 'TEXT' LIMIT 10000
                """
            ) { (try $0.next(), try $0.next(), try $0.next()) }
        }
        return Dictionary(grouping: rows, by: \.1).mapValues { rows in
            rows.map { (table: $0.0, column: $0.2) }
        }
    }

    @Test func `each text in an index has a limit that PostgreSQL takes`() throws {
        let indexes = try Self.indexes()
        #expect(indexes.count > 80)
        var named: Set<String> = []
        for (name, columns) in indexes {
            var bytes = 0
            for (table, column) in columns {
                named.formUnion(["\(table).\(column)", column])
                let limit = Self.limit(table, column)
                #expect(limit != nil, "\(name) has \(table).\(column): say in `limits` how long it can be, and hold it")
                bytes += limit ?? 0
            }
            #expect(bytes <= Self.most, "\(name) can have \(bytes) bytes")
        }
        let gone = Set(Self.limits.keys).union(Self.own).subtracting(named)
        #expect(gone.isEmpty, "\(gone.sorted()) are in no index")
    }

    /// Names that fit their fields, and are many bytes: one sign for a whole sentence, and syllables without end.
    private static let long = [
        String(repeating: "\u{FDFA}", count: 100), String(repeating: "\u{1100}\u{1102}\u{1103}", count: 330),
        String(repeating: "\u{20000}", count: 300) + " " + String(repeating: "\u{2A6D6}", count: 700),
    ]

    @Test(arguments: long.indices) func `a text that is folded into more than an index takes is cut`(_ index: Int) {
        let text = Self.long[index]
        // As it would be without a limit.
        #expect(folded(text).utf8.count > Self.most)
        let key = foldedKey(text)
        #expect(key.utf8.count <= Folding.longestKey && folded(text).utf8.starts(with: key.utf8))
        let keys = SearchWords.keys(of: text, withEnds: true)
        #expect(!keys.isEmpty && keys.allSatisfy { $0.utf8.count <= Folding.longestKey })
        #expect(Vocabulary.words(of: [text]).allSatisfy { $0.utf8.count <= Vocabulary.mostBytes })
    }

    @Test func `a word of few letters with many parts isn't among those to type`() {
        let syllable = String(repeating: "\u{1100}", count: 100) + "\u{1161}"
        let word = syllable + syllable + syllable
        #expect(word.count == 3 && folded(word).utf8.count > Vocabulary.mostBytes)
        #expect(Vocabulary.words(of: ["kites " + word]) == ["kites"])
    }

    @Test func `a tag of one letter with a heap of marks is too long`() {
        #expect(Tag.fits("kite") && Tag.fits(String(repeating: "木", count: 30)))
        #expect(!Tag.fits("k" + String(repeating: "\u{301}", count: 300)))
        #expect(!Tag.fits(String(repeating: "木", count: 31)))
    }

    @Test func `a text is cut between two code points`() {
        #expect("木木木".beginning(ofBytes: 8) == "木木" && "木木".beginning(ofBytes: 6) == "木木")
        #expect("abc".beginning(ofBytes: 2) == "ab" && "木".beginning(ofBytes: 2) == "")
    }

    @Test func `a search is saved as long as its words fit into an index`() throws {
        let today = Day(iso: "2027-03-20")!
        func query(_ typed: String) -> String? { SavedSearch.query(typed: typed, in: "US", on: today) }
        let most = query("q=" + String(repeating: "%E6%9C%A8", count: 200))
        #expect(most.map { $0.utf8.count <= SavedSearch.mostBytes } == true)
        // A letter has any number of marks.
        #expect(query("q=a" + String(repeating: "%CC%81", count: 400)) == nil)
    }
}
