import Database
import Testing

@testable import App

/// What was said no to by mistake is taken back for ten minutes.
@Suite struct TakingBackTests {
    private func promised(_ site: TestSite) async throws -> (path: String, ana: Browser, ben: Browser) {
        let id = try await SigningUpToHelpTests.coats(site)
        let ana = try await site.signIn(.ana, as: .parent)
        _ = try await ana.visit("/opportunities/\(id)").press("I’ll bring it: Coats", filling: ["count": "3"])
        return ("/opportunities/\(id)/signups", ana, try await site.signIn(.ben, as: .provider))
    }

    @Test func `it did come after all`() async throws {
        try await withTestSite { site in
            let (path, ana, ben) = try await promised(site)
            _ = try await ana.visit(path.dropLast("/signups".count)).press("I brought it: 3 × Coats")
            let list = try await ben.visit(path).press("It didn’t come: 3 × Coats, Ana Ortiz")
            #expect(list.text.contains("It didn’t come, and others can promise it: 3 × Coats."))
            #expect(try site.count(of: "contribution") == 0)
            let back = try await list.press("Undo: 3 × Coats")
            #expect(back.path == path && back.buttons.contains("We got it: 3 × Coats, Ana Ortiz"))
            #expect(try site.count(of: "promise WHERE state = 'given' AND waits") == 1)
            #expect(try site.count(of: "thing WHERE promised = 3") == 1)
            #expect(try site.count(of: "opportunity WHERE promised = 3") == 1)
            #expect(try site.count(of: "contribution WHERE confirmed_at IS NULL") == 1)
            #expect(try await ana.visit("/inbox").text.contains("and your promise counts again: Winter coats"))
        }
    }

    @Test func `not once others promised it, nor after ten minutes, nor by others`() async throws {
        try await withTestSite { site in
            let (path, _, ben) = try await promised(site)
            let list = try await ben.visit(path).press("It didn’t come: 3 × Coats, Ana Ortiz")
            let cleo = try await site.signIn(.cleo, as: .parent)
            let token = try await cleo.visit("/help").value(of: "csrf") ?? ""
            let undo: Int = try site.read { db in try db.value("SELECT max(id) FROM undo") ?? 0 }
            #expect(try await cleo.post("/undo/\(undo)", [("csrf", token)]).status == 404)
            try await site.execute("UPDATE thing SET promised = wanted")
            #expect(try await list.press("Undo: 3 × Coats").status == 409)
            #expect(try site.count(of: "promise WHERE state = 'cancelled'") == 1)
            try await site.execute("UPDATE thing SET promised = 0")
            site.clock.advance(by: .minutes(11))
            #expect(try await !ben.visit(path).buttons.contains("Undo: 3 × Coats"))
            #expect(try await list.press("Undo: 3 × Coats").status == 404)
        }
    }

    @Test func `a no to somebody who would like to help is taken back with their place`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben) { $0.asksFirst = true }
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/opportunities/\(id)").press("Ask to help", filling: ["shift": ["1"]])
            let ben = try await site.signIn(.ben, as: .provider)
            let list = try await ben.visit("/opportunities/\(id)/signups").press("Say no: Ana Ortiz")
            #expect(list.text.contains("You said no to Ana Ortiz."))
            #expect(try site.count(of: "shift WHERE id = 1 AND taken = 0") == 1)
            let back = try await list.press("Undo: Ana Ortiz")
            #expect(back.buttons.contains("Say yes: Ana Ortiz"))
            #expect(try site.count(of: "shift WHERE id = 1 AND taken = 1") == 1)
            #expect(try await ana.visit("/inbox").text.contains("They took their no back: Serve Saturday lunch"))
            // The place went to somebody else: nothing is changed then.
            let again = try await ben.visit("/opportunities/\(id)/signups").press("Say no: Ana Ortiz")
            try await site.execute("UPDATE shift SET taken = spots")
            #expect(try await again.press("Undo: Ana Ortiz").status == 409)
            #expect(try site.count(of: "signup WHERE state = 'declined'") == 1)
        }
    }
}
