import Database
import Testing

@testable import App

/// `/people`: finding somebody by what they are called.
@Suite struct PeopleSearchTests {
    private func name(_ browser: Browser, _ name: String, _ more: [String: Filling] = [:]) async throws {
        _ = try await browser.visit("/me/profile").press(
            "Save", filling: more.merging(["display_name": .text(name)]) { $1 })
    }

    private func people(on page: Page) -> [String] {
        page.html.all("a").compactMap { $0["href"] }.filter { $0.hasPrefix("/people/") }
    }

    private func found(_ words: String, by browser: Browser) async throws -> [String] {
        people(on: try await browser.visit("/people").press("Find", filling: ["q": .text(words)]))
    }

    @Test func `people are found from any word of their name on, in any case, without accents`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = (try await site.signIn(.ana), try await site.signIn(.cleo))
            try await name(ana, "Ána de la Cebolla")
            for words in ["ana", "ÁNA", "ana de", "cebo", "de la", "ana-or", "@ana-ortiz", " ana "] {
                #expect(try await found(words, by: cleo) == ["/people/ana-ortiz"], "\(words)")
            }
            for words in ["bolla", "zzz", "%", "_"] { #expect(try await found(words, by: cleo) == [], "\(words)") }
            #expect(try await found("cleo", by: ana) == ["/people/cleo-park"], "without a page of their own")
            let nobody = try await cleo.visit("/people?q=zzz")
            #expect(nobody.text.contains("Nobody of that name") && nobody.value(of: "q") == "zzz")
            #expect(nobody["X-Robots-Tag"] == "noindex")
            // A new name takes the place of the old one.
            try await name(ana, "Zoë")
            #expect(try await found("cebolla", by: cleo) == [])
            #expect(try await found("zoe", by: cleo) == ["/people/ana-ortiz"])
        }
    }

    @Test(arguments: [
        ("田中太郎", ["太郎", "田中", "田中太郎", "田中 太郎"]), ("Łukasz Żak", ["lukasz", "zak", "łukasz", "zak lukasz"]),
        ("Aoife O’Neill", ["oneill", "o'neill", "neill", "aoife oneill"]),
        ("Anne-Marie D'Amico", ["annemarie", "anne marie", "anne-marie", "damico", "d’amico", "marie damico"]),
        ("Jürgen Groß", ["juergen", "jurgen", "gross"]), ("Joergen Oe", ["Jörgen"]),
    ])
    func `people are found however their name is spelled`(name: String, words: [String]) async throws {
        try await withTestSite { site in
            let (ana, cleo) = (try await site.signIn(.ana), try await site.signIn(.cleo))
            try await self.name(ana, name)
            for typed in words { #expect(try await found(typed, by: cleo) == ["/people/ana-ortiz"], "\(typed)") }
        }
    }

    @Test func `who doesn't want to be found isn't, and visitors find open pages only`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = (try await site.signIn(.ana), try await site.signIn(.cleo))
            let visitor = site.browser()
            try await name(ana, "Ana", ["is_found": false])
            for words in ["ana", "ana-ortiz"] { #expect(try await found(words, by: cleo) == [], "\(words)") }
            try await name(ana, "Ana", ["is_found": true])
            #expect(try await found("ana", by: cleo) == ["/people/ana-ortiz"])
            #expect(try await found("ana", by: visitor) == [])
            try await name(ana, "Ana", ["is_open": true])
            #expect(try await found("ana", by: visitor) == ["/people/ana-ortiz"])
        }
    }

    @Test func `nobody finds who is blocked, suspended or gone`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = (try await site.signIn(.ana), try await site.signIn(.cleo))
            try await name(ana, "Ana")
            let (account, other, now) = (
                try await site.account(of: .ana), try await site.account(of: .cleo), site.clock.now
            )
            try await site.write(at: now) { tx in try Block.add(other, by: account, in: tx) }
            #expect(try await found("ana", by: cleo) == [])
            try await site.write { db in try Block.remove(other, by: account, in: db) }
            #expect(try await found("ana", by: cleo) == ["/people/ana-ortiz"])
            try await site.write(at: now) { tx in _ = try Account.suspend(account, in: tx) }
            #expect(try await found("ana", by: cleo) == [])
            try await site.write(at: site.clock.now) { tx in _ = try Account.restore(account, in: tx) }
            try await site.write(at: now) { tx in try Account.leave(account, in: tx) }
            for words in ["ana", "former"] { #expect(try await found(words, by: cleo) == [], "\(words)") }
            #expect(try site.count(of: "person_key") == 0)
        }
    }

    @Test func `many of a name follow page by page, each once`() async throws {
        try await withTestSite { site in
            let cleo = try await site.signIn(.cleo)
            let now = site.clock.now
            try await site.write(at: now) { tx in
                for number in 1...45 {
                    let id = ID<Account>(
                        try tx.insert(
                            """
                            INSERT INTO account (email, username, password, created_at, updated_at)
                            VALUES (\("m\(number)@example.org"), \("maria-\(number)"), '', \(tx.now), \(tx.now))
                            """))
                    guard number > 10 else { continue }
                    // Found by both words, and by the user name: still once.
                    try App.Person.save(PersonForm(name: "Maria Maria"), of: id, in: tx)
                }
            }
            var seen: [String] = []
            var page = try await cleo.visit("/people?q=maria")
            while true {
                seen += people(on: page)
                guard page.link("Show more") != nil else { break }
                page = try await page.follow("Show more")
            }
            #expect(seen.count == 45 && Set(seen).count == 45)
        }
    }
}
