import Database
import Testing

@testable import App

/// How long a session lasts, and what happens to a form whose session ended.
@Suite struct SessionTests {
    @Test func `a session ends after 14 days without a visit`() async throws {
        try await withTestSite { site in
            let regular = try await site.signIn(.ana, as: .parent)
            let rare = try await site.signIn(.ana, as: .parent)
            site.clock.advance(by: .days(14) - .seconds(1))
            #expect(try await regular.visit("/week").status == 200)
            site.clock.advance(by: .seconds(1))
            #expect(try await rare.visit("/week").redirects == ["/login?next=%2Fweek"])
            #expect(try await rare.visit("/events").status == 200)
        }
    }

    @Test func `a visit is written down, so that the 14 days begin anew`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            site.clock.advance(by: .days(13))
            #expect(try await ana.visit("/week").status == 200)
            // The page doesn't wait for this write.
            var isWritten = false
            for _ in 0..<1_000_000 where !isWritten {
                isWritten = try site.count(of: "session WHERE seen_at = \(site.clock.now)") == 1
                await Task.yield()
            }
            #expect(isWritten)
            site.clock.advance(by: .days(13))
            #expect(try await ana.visit("/week").status == 200)
        }
    }

    @Test func `a session ends after 30 days whatever happens`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            site.clock.advance(by: .days(30) - .seconds(1))
            try await site.execute("UPDATE session SET seen_at = \(site.clock.now)")
            #expect(try await ana.visit("/week").status == 200)
            site.clock.advance(by: .seconds(1))
            #expect(try await ana.visit("/week").path.hasPrefix("/login"))
        }
    }

    @Test func `a session of staff ends after 12 hours`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let ana = try await site.signIn(.ana, as: .parent)
            site.clock.advance(by: .hours(12) - .seconds(1))
            #expect(try await mira.visit("/admin").status == 200)
            site.clock.advance(by: .seconds(1))
            #expect(try await mira.visit("/admin").path.hasPrefix("/login"))
            #expect(try await ana.visit("/week").status == 200)
        }
    }

    // MARK: A form whose session ended

    private let kiteDay: [String: Filling] = [
        "title": "Kite & Co <3", "description": "We build kites.\n\nThen they fly.", "date": "2027-03-27",
        "start_time": "10:00", "spots": "20", "covid_safe": true,
    ]

    @Test func `a form sent after the session ended is kept, and goes on once its sender has logged in`()
        async throws
    {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let form = try await ben.visit("/events/new")
            try await site.execute("DELETE FROM session")
            var page = try await form.press("Preview", filling: kiteDay)
            #expect(page.status == 422 && page.heading == "Log in to go on")
            #expect(page.value(of: "title") == "Kite & Co <3" && page.value(of: "covid_safe") == "1")

            page = try await page.press(
                "Log in and go on", filling: ["session_login": "ben-ruiz", "session_password": "not the password"])
            #expect(page.status == 422 && page.problems.count == 1)
            #expect(page.title.hasPrefix("Error:"))
            #expect(page.value(of: "title") == "Kite & Co <3")
            #expect(!page.string.contains("not the password"))

            page = try await page.press(
                "Log in and go on",
                filling: ["session_login": "ben-ruiz", "session_password": .text(Person.password)])
            #expect(page.status == 200 && page.heading == "Kite & Co <3")
            #expect(page.text.contains("We build kites. Then they fly."))
            page = try await page.press("Publish")
            #expect(page.heading == "Congratulations! Your event has successfully been registered.")
            #expect(
                try site.count(of: "event WHERE description = \("We build kites.\n\nThen they fly.") AND covid_safe")
                    == 1)
        }
    }

    @Test func `a form without a page after it is carried out once its sender has logged in`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/me/children/new?next=/events")
            try await site.execute("DELETE FROM session")
            var page = try await form.press(
                "Save", filling: ["nickname": "Mo", "birth_month": "2", "birth_year": "2020"])
            #expect(page.status == 422)
            #expect(try site.count(of: "child") == 0)
            page = try await page.press(
                "Log in and go on",
                filling: ["session_login": "ana-ortiz", "session_password": .text(Person.password)])
            #expect(page.path == "/events" && page.flash == "Added. You can register for events now.")
            #expect(try site.count(of: "child WHERE nickname = 'Mo'") == 1)
        }
    }

    @Test func `every ticked box is kept`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            let mo = try await site.child("Mo", of: .ana)
            let lu = try await site.child("Lu", of: .ana)
            let form = try await ana.visit("/events/\(event)")
            try await site.execute("DELETE FROM session")
            var page = try await form.press("Register", filling: ["child": ["\(mo)", "\(lu)"]])
            #expect(page.status == 422 && page.values(of: "child") == ["\(mo)", "\(lu)"])
            page = try await page.press(
                "Log in and go on",
                filling: ["session_login": "ana-ortiz", "session_password": .text(Person.password)])
            #expect(page.heading == "Congratulations! You are registered for the event.")
            #expect(try site.count(of: "registration_person") == 2)
        }
    }

    @Test func `who logged in under the other hat is signed in all the same, and can switch`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let form = try await ben.visit("/events/new")
            _ = try await site.signIn(.ben, as: .parent)
            try await site.execute("DELETE FROM session")
            var page = try await form.press("Preview", filling: kiteDay).press(
                "Log in and go on",
                filling: ["session_login": "ben-ruiz", "session_password": .text(Person.password)])
            #expect(page.status == 403 && page.heading == "This page is for providers")
            #expect(ben.cookie("village") != nil)
            page = try await page.press("Switch to Provider")
            #expect(page.path == "/events/new" && page.status == 200)
        }
    }

    @Test func `a form of another account’s thing is not found after logging in`() async throws {
        try await withTestSite { site in
            let mo = try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await site.signIn(.cleo, as: .parent)
            let form = try await ana.visit("/me/children/\(mo)/delete")
            try await site.execute("DELETE FROM session")
            let page = try await form.press("Remove").press(
                "Log in and go on",
                filling: ["session_login": "cleo-park", "session_password": .text(Person.password)])
            #expect(page.status == 404)
            #expect(try site.count(of: "child") == 1)
        }
    }
}
