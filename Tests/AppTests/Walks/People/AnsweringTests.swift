import Database
import SMTP
import Testing

@testable import App

/// Where answers to letters go.
@Suite struct AnsweringTests {
    private func letters(_ site: TestSite, _ office: PostOffice) async throws -> [PostOffice.Kept] {
        let client = MailClient(MailServer(url: office.url)!, name: "village.example")
        #expect(await Postman(site: site.site).deliverAll(by: client))
        return try office.letters
    }

    @Test func `an answer goes to the host’s public address, and never to a private one`() async throws {
        let office = try PostOffice()
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            try await site.execute("UPDATE provider SET email = 'office@library.example'")
            try await site.execute("UPDATE account SET confirmed_at = 1")
            _ = try await ana.visit("/events/\(event)").press("Register", filling: ["child": ["\(mo)"]])
            let all = try await letters(site, office)
            let hers = try #require(all.first { $0.to == [Person.ana.email] })
            #expect(hers["Reply-To"] == "King Library <office@library.example>")
            for text in [hers.text, hers.html] {
                #expect(text.contains("Your answer to this letter goes to King Library, office@library.example."))
            }
            // What a family does is answered to nobody's own address.
            let his = try #require(all.first { $0.to == [Person.ben.email] })
            #expect(his["Reply-To"] == nil && !"\(his)".contains(Person.ana.email))
        }
    }

    @Test func `without one the letter says whom to write`() async throws {
        let office = try PostOffice()
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let mo = try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            try await site.execute("UPDATE account SET confirmed_at = 1")
            _ = try await ana.visit("/events/\(event)").press("Register", filling: ["child": ["\(mo)"]])
            let all = try await letters(site, office)
            let hers = try #require(all.first { $0.to == [Person.ana.email] })
            #expect(hers["Reply-To"] == nil && !"\(hers)".contains(Person.ben.email))
            #expect(hers.text.contains("Nobody reads answers to this letter."))
            #expect(hers.text.contains("To reach King Library, write here:\nhttp://localhost:8080/events/\(event)"))
            let his = try #require(all.first { $0.to == [Person.ben.email] })
            #expect(his.text.contains("How to reach the people who run this site:"))
        }
    }
}
