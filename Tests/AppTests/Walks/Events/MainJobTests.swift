import Database
import Testing

@testable import App

/// A provider publishes, a parent finds and registers, the provider sees who comes: each step by the pages alone.
@Suite struct MainJobTests {
    @Test func `from signing up to the roster, by the pages alone`() async throws {
        try await withTestSite { site in
            // The provider signs up, says who they are, and posts.
            let ben = site.browser()
            var page = try await ben.visit("/signup").press(
                "Sign up",
                filling: [
                    "email": "Ben@Example.org", "username": "Ben-Ruiz", "password": "kites over the library",
                    "adult": true,
                ])
            #expect(page.path == "/welcome")
            #expect(page.heading == "What brings you here?")
            page = try await page.press("Continue", filling: ["hat": "provider"])
            #expect(page.path == "/me/provider")
            page = try await page.press(
                "Save",
                filling: [
                    "organization": "King Library", "first_name": "Ben", "last_name": "Ruiz",
                    "designation": "librarian", "address": "150 E San Fernando St", "city": "San Jose",
                    "state": "California", "zip": "95112", "phone": "408 555 0100",
                ])
            #expect(page.path == "/events/new")
            #expect(page.value(of: "city") == "San Jose" && page.value(of: "state") == "CA")
            page = try await page.press(
                "Preview",
                filling: [
                    "title": "Kite day", "description": "We build kites and let them fly.", "date": "2027-03-27",
                    "start_time": "10:00", "end_time": "12:00", "address": "180 Park Ave", "spots": "2",
                    "age_from": "3", "age_to": "9", "price": "0", "tags": "outdoors, crafts",
                ])
            #expect(page.status == 200 && page.heading == "Kite day")
            #expect(try site.count(of: "event") == 0)
            page = try await page.press("Publish")
            #expect(page.heading == "Congratulations! Your event has successfully been registered.")
            #expect(try site.count(of: "event") == 1)

            // The parent signs up on the way to the event, and comes back to it.
            let ana = site.browser()
            page = try await ana.visit("/events?q=kite")
            #expect(page.cards == ["Kite day"])
            page = try await page.follow("Kite day")
            #expect(page.text.contains("2 of 2 places left"))
            page = try await page.follow("Log in to register").follow("Sign up").press(
                "Sign up",
                filling: [
                    "email": "ana@example.org", "username": "ana-ortiz", "password": "two children, one week",
                    "adult": true,
                ])
            page = try await page.press("Continue", filling: ["hat": "parent"])
            #expect(page.path.hasPrefix("/me/family"))
            page = try await page.press(
                "Save", filling: ["first_name": "Ana", "last_name": "Ortiz", "city": "San Jose", "zip": "95112"])
            #expect(page.path == "/events/1")
            page = try await page.follow("Add a child to register").press(
                "Save", filling: ["nickname": "Mo", "birth_month": "2", "birth_year": "2020"])
            #expect(page.path == "/events/1" && page.flash == "Added. You can register for events now.")
            page = try await page.press("Register", filling: ["child": ["1"]])
            #expect(page.heading == "Congratulations! You are registered for the event.")
            #expect(try await ana.visit("/week").text.contains("Kite day"))
            #expect(try await ana.visit("/events/1").text.contains("1 of 2 places left"))

            // The provider sees who comes.
            page = try await ben.visit("/events/1").follow("Who comes")
            #expect(page.text.contains("1 of 2 places taken"))
            #expect(page.text.contains("Mo 7 years Ana Ortiz ana@example.org"))
        }
    }
}
