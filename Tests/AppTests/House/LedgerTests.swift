import Database
import Foundation
import Testing

@testable import App

/// Places are counted in one way (`Ledger`) and passed on in one way (`PlaceOffering`).
@Suite struct LedgerTests {
    private static let file = "Sources/App/Shared/Ledger+Queries.swift"

    /// What a file does by itself that is the ledger's or the line's.
    private static func faults(in text: String) -> [String] {
        let code = text.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
        var faults: [String] = []
        // Most files have neither word, and need no regex.
        if code.contains("taken = ") || code.contains("promised = ") {
            faults += WordsTests.literals(of: code).filter {
                $0.contains(/\b(taken|promised) = (?:CASE WHEN \1 > \S+ THEN )?\(?\1 [+-]/)
            }.map { "counts: \($0)" }
        }
        if code.contains(/func offerFreedPlaces\b/) { faults.append("passes places on") }
        if code.contains(/(?:while|for) [^\n]*\bnext\(for: (?:id|event|activity|shift), in: tx\)/) {
            faults.append("goes along a line")
        }
        return faults
    }

    @Test func `places are counted and passed on in one file`() throws {
        for (path, text) in try SourcesTests.files(in: "Sources/App") where path.hasSuffix("+Queries.swift") {
            let faults = Self.faults(in: text)
            if path == Self.file {
                #expect(faults.filter { !$0.hasPrefix("counts") } == ["passes places on", "goes along a line"])
            } else {
                #expect(faults == [], "\(path): take and give back by `ledger`, pass on by `PlaceOffering`")
            }
        }
    }

    @Test(arguments: [
        #"try tx.execute("UPDATE shift SET taken = taken - 1 WHERE id = \(shift.id) AND taken > 0")"#,
        #"try tx.execute("UPDATE shift SET taken = CASE WHEN taken > \(n) THEN taken - \(n) ELSE 0 END")"#,
        #"try tx.execute("UPDATE event SET taken = taken + \(count) - walk_ins, walk_ins = \(count)")"#,
        #"try db.execute("UPDATE event SET held_free = 0, taken = taken - held_free WHERE id = \(event)")"#,
        #"try tx.execute("UPDATE thing SET promised = promised + \(count) WHERE id = \(thing)")"#,
        "static func offerFreedPlaces(_ id: ID<Thing>, in tx: Transaction) throws -> Int {",
        "while let next = try next(for: id, in: tx) {",
    ])
    func `what counts or passes on by itself is found`(line: String) {
        #expect(Self.faults(in: line).count == 1)
    }

    @Test(arguments: [
        #"try db.execute("UPDATE event SET taken = taken WHERE id = \(id)")"#,
        #"try tx.execute("UPDATE event SET spots = CASE WHEN spots - \(n) >= taken THEN spots - \(n) ELSE 1 END")"#,
        #"try tx.all("SELECT id FROM shift WHERE taken + places <= spots LIMIT 10")"#,
        "// taken = taken + 1", "var told = try offerFreedPlaces(id, in: tx)",
    ])
    func `what only reads is let through`(line: String) {
        #expect(Self.faults(in: line) == [])
    }

    @Test func `none is taken beyond what there is, and no more is given back than was taken`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.spots = 2 }
            func take(_ count: Int) async throws -> Bool {
                try await site.write { db in try Event.ledger.take("\(count)", where: "id = \(event)", in: db) }
            }
            #expect(try await !take(3))
            #expect(try await take(2))
            #expect(try await !take(1))
            try await site.write { db in try Event.ledger.giveBack("3", where: "id = \(event)", in: db) }
            #expect(try site.count(of: "event WHERE taken = 0") == 1)
            try await site.execute("UPDATE event SET spots = NULL")
            #expect(try await take(500))
        }
    }

    @Test func `each table that counts what people take has a ledger, and each waiting list a line`() throws {
        let schema = Schema.migrations.map(\.text).joined(separator: "\n")
        let tables = schema.matches(of: /CREATE TABLE (\w+) \(([\s\S]*?)\n\)/)
        let counting = tables.filter { $0.output.2.contains(/\b(?:taken|promised) @integer NOT NULL/) }
        let sources = try SourcesTests.files(in: "Sources/App").map(\.text).joined(separator: "\n")
        let ledgers = sources.matches(of: /Ledger\(table: "(\w+)"/).map { String($0.output.1) }
        #expect(ledgers.sorted() == counting.map { String($0.output.1) }.sorted())
        let lines = Set(sources.matches(of: /extension (\w+): PlaceOffering\b/).map { $0.output.1.lowercased() })
        let waiting = tables.map(\.output.1).filter { $0.hasSuffix("_wait") }.map { String($0.dropLast(5)) }
        // Parties wait for an event in `registration`.
        #expect(lines == Set(waiting + ["event"]))
    }
}
