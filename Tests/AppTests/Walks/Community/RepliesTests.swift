import Database
import Templating
import Testing

@testable import App

/// What an author answers to a decision is answered: it is lifted, or somebody says why it stands.
@Suite struct RepliesTests {
    private func decide(
        _ subject: String, _ act: String, _ browser: Browser, reason: String = "", ground: String = "spam"
    ) async throws -> Page {
        try await browser.visit("/admin/queue/\(subject)").press(
            "Decide", filling: ["act": .text(act), "ground": .text(ground), "reason": .text(reason), "days": ""])
    }

    private func logIn(_ site: TestSite) async throws -> Page {
        try await site.browser().visit("/login").press(
            "Log in", filling: ["login": "ana-ortiz", "password": .text(Person.password)])
    }

    /// Ana is suspended for a post, and answers at the log-in page.
    private func answered(_ site: TestSite) async throws -> (mira: Browser, noor: Browser) {
        let ana = try await site.signIn(.ana)
        _ = try await ana.visit("/timeline/new").press("Preview", filling: ["text": "Buy this."]).press("Post it")
        let mira = try await site.signIn(.mira, isStaff: true)
        let noor = try await site.signIn(.noor, isStaff: true)
        _ = try await decide("post-1", "suspend", mira)
        _ = try await logIn(site).press("Send the answer", filling: ["answer": "It was a joke."])
        return (mira, noor)
    }

    @Test func `an answer of somebody who is suspended is closed by no other word than why it stands`() async throws {
        try await withTestSite { site in
            let (mira, noor) = try await answered(site)
            let page = try await noor.visit("/admin/queue/post-1")
            #expect(page.text.contains("Its author answered, and waits for your answer."))
            #expect(page.text.contains("It was a joke.") && page.text.contains("It stands"))
            #expect(!page.text.contains("Seen, fine") && !page.text.contains("Only write to them"))
            // Nor by a page from before the answer, by several at once, or without a word.
            let token = try await noor.visit("/help").value(of: "csrf") ?? ""
            for act in ["fine", "note", "suspend"] {
                let fields = [("csrf", token), ("act", act), ("ground", "spam"), ("seen", "")]
                #expect(try await noor.post("/admin/queue/post-1", fields).status >= 400, "\(act)")
            }
            for act in ["fine", "hide", "suspend"] {
                let look = try await noor.visit("/admin/queue").press(
                    "Show what would happen",
                    filling: ["subject": ["post-1"], "act": .text(act), "ground": "spam"])
                #expect(look.text.contains("to be answered in words"), "\(act)")
                let fields = [
                    ("csrf", token), ("act", act), ("ground", "spam"), ("subject", "post-1"), ("step", "decide"),
                ]
                _ = try await noor.post("/admin/queue", fields)
            }
            #expect(try await decide("post-1", "stands", noor).status == 422)
            #expect(try site.count(of: "matter WHERE waits_for = 'answer' AND since IS NOT NULL") == 1)

            let done = try await decide("post-1", "stands", noor, reason: "It is the third time, so it stays closed.")
            #expect(done.flash == "Decided. What staff did" && done.text.contains("Nothing waits"))
            #expect(try site.count(of: "account WHERE suspended_at IS NOT NULL") == 1)
            let read = try await logIn(site)
            #expect(read.text.contains("It stands") && read.text.contains("It is the third time, so it stays closed."))
            #expect(!read.text.contains("noor"))
            #expect(try site.count(of: "letter WHERE kind = 'decided' AND detail = 'stands'") == 1)
            #expect(
                try await mira.visit("/admin/log").text.contains(
                    "let a decision stand, after an answer of ana-ortiz"))
        }
    }

    @Test func `the other of the staff, on the page from before, reads that it was answered`() async throws {
        try await withTestSite { site in
            let (mira, noor) = try await answered(site)
            let old = try await mira.visit("/admin/queue/post-1")
            _ = try await decide("post-1", "stands", noor, reason: "It stays closed.")
            let late = try await old.press("Decide", filling: ["act": "lift", "reason": ""])
            #expect(late.status == 409 && late.text.contains("noor-haddad"))
            #expect(try site.count(of: "account WHERE suspended_at IS NOT NULL") == 1)
        }
    }

    @Test func `lifting it answers, too, with words or without`() async throws {
        try await withTestSite { site in
            let (_, noor) = try await answered(site)
            _ = try await decide("post-1", "lift", noor, reason: "You are right, welcome back.")
            #expect(try site.count(of: "account WHERE suspended_at IS NOT NULL") == 0)
            #expect(try site.count(of: "matter WHERE since IS NOT NULL") == 0)
            let ana = try await site.signIn(.ana)
            let told = try await ana.visit("/decisions/1")
            #expect(told.text.contains("Your account is restored"))
            #expect(told.text.contains("You are right, welcome back."))
        }
    }

    @Test func `the log says what was found fine, and whose it was`() async throws {
        try await withTestSite { site in
            let (ana, cleo) = (try await site.signIn(.ana), try await site.signIn(.cleo))
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await ana.visit("/timeline/new").press("Preview", filling: ["text": "Rain."]).press("Post it")
            _ = try await cleo.visit("/reports/new?about=post-1").press(
                "Send the report", filling: ["reason": "unkind", "note": ""])
            _ = try await decide("post-1", "fine", mira)
            let log = try await mira.visit("/admin/log").text
            #expect(log.contains("looked at this and found it fine: Post, by ana-ortiz"))
        }
    }
}
