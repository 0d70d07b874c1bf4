import Database
import Forms
import Foundation
import SMTP
import Testing

@testable import App

/// The mail server is away while a town registers.
@Suite struct OutageTests {
    private static let families = ProcessInfo.processInfo.environment["VILLAGE_LONG"] == nil ? 100 : 1_000
    private static let minutes = 10

    @Test func `while the mail server is down for ten minutes no letter is lost, and all come in order`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.spots = Self.families }
            let now = site.clock.now
            var children: [ID<Child>] = []
            for number in 1...Self.families {
                children.append(try await site.child("Kid", of: .family(number)))
            }
            try await site.execute("UPDATE account SET confirmed_at = \(now)")
            let nobody = MailClient(MailServer(url: "smtp://127.0.0.1:1")!, name: "village.example")
            let postman = Postman(site: site.site)
            let perMinute = Self.families / Self.minutes
            for minute in 0..<Self.minutes {
                for number in (minute * perMinute + 1)...((minute + 1) * perMinute) {
                    let browser = try await site.signIn(.family(number), as: .parent)
                    let csrf = try #require(try await browser.visit("/help").value(of: "csrf"))
                    let page = try await browser.submit(
                        "/events/\(event)/registrations",
                        [
                            ("csrf", csrf), ("child", "\(children[number - 1])"),
                            ("once", Submission<RegistrationForm>().once),
                        ])
                    #expect(page.status == 303, "\(number)")
                }
                #expect(await !postman.deliverAll(by: nobody))
                site.clock.advance(by: .minutes(1))
            }
            #expect(try site.count(of: "letter WHERE state = 'waiting'") == 2 * Self.families)
            let office = try PostOffice()
            let client = MailClient(MailServer(url: office.url)!, name: "village.example")
            #expect(await postman.deliverAll(by: client))
            #expect(try site.count(of: "letter WHERE state = 'sent'") == 2 * Self.families)
            let letters = try office.letters
            #expect(letters.count == 2 * Self.families)
            #expect(Set(letters.compactMap { $0["Message-ID"] }).count == 2 * Self.families)
            // Each recipient gets them as they were written.
            var last: [String: Int] = [:]
            for letter in letters {
                let to = try #require(letter.to.first)
                let id = try #require(letter["Message-ID"]?.firstMatch(of: /letter-(\d+)\./).flatMap { Int($0.1) })
                #expect(id > last[to] ?? 0)
                last[to] = id
            }
            #expect(last.count == Self.families + 1)
        }
    }
}
