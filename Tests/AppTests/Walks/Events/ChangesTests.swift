import Database
import Forms
import Testing

@testable import App

/// What changed of an event: who is told, who has seen it, and what the host knows of that.
@Suite struct ChangesTests {
    private func change(_ event: ID<Event>, by ben: Browser, _ filling: [String: Filling]) async throws -> Page {
        try await ben.visit("/events/\(event)/edit").press("Preview", filling: filling).press("Publish the change")
    }

    @Test func `each change is told with before and now, and the host sees who knows`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.onlineURL = "https://meet.example.org/first" }
            let ben = try await site.signIn(.ben, as: .provider)
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            try await site.register([try await site.child("Vy", of: .cleo)], of: .cleo, at: event)
            let ana = try await site.signIn(.ana, as: .parent)
            site.clock.advance(by: .minutes(1))
            let done = try await change(
                event, by: ben,
                [
                    "start_time": "11:00", "address": "200 Park Ave", "spots": "25", "price": "9", "age_from": "3",
                    "online_url": "https://meet.example.org/second",
                ])
            #expect(done.text.contains("Seen by 0 of 2 families.") && done.text.contains("408 555 0177"))
            #expect(done.text.contains("Ana Ortiz") && done.text.contains("Cleo Park"))
            // An opened notice counts.
            let page = try await ana.visit("/inbox").follow("Unread: Kite day, March 27 has changed")
            #expect(page.path == "/changes/1" && page.heading == "What changed")
            for said in ["Time", "180 Park Ave", "200 Park Ave", "Places 20 25", "$9", "Ages all ages from 3 years"] {
                #expect(page.text.contains(said), "\(said)")
            }
            // Where the link leads stands on the event's page alone.
            #expect(page.text.contains("Link to take part the link so far a new link"))
            #expect(!page.string.contains("meet.example.org"))
            #expect(try site.count(of: "notice WHERE detail LIKE '%meet.example%'") == 0)
            #expect(!page.text.contains("Seen by"))
            var own = try await ben.visit("/changes/1")
            #expect(own.text.contains("Seen by 1 of 2 families.") && own.text.contains("Cleo Park"))
            #expect(!own.text.contains("Ana Ortiz"))
            // So does the page itself, by whichever of its numbers.
            #expect(try await site.signIn(.cleo, as: .parent).visit("/changes/3").status == 200)
            own = try await ben.visit("/events/\(event)")
            #expect(own.text.contains("What changed: Seen by 2 of 2 families."))
            // It is nobody else's.
            let stranger = try await site.signIn(.family(3), as: .parent)
            #expect(try await stranger.visit("/changes/1").status == 404)
            #expect(try await site.browser().visit("/changes/1").heading == "Log in")
            #expect(try await ana.visit("/changes/99").status == 404)
            #expect(try await site.browser().visit("/events/\(event).ics").string.contains("SEQUENCE:1"))
        }
    }

    @Test func `who registers later, or gave back, isn't counted; who waits is`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.spots = 2 }
            let ben = try await site.signIn(.ben, as: .provider)
            let gone = try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            try await site.register([try await site.child("Vy", of: .cleo)], of: .cleo, at: event)
            let kid = try await site.child("Kid", of: .family(1))
            let patient = try await site.signIn(.family(1), as: .parent)
            _ = try await patient.visit("/events/\(event)").press(
                "Join the waiting list", filling: ["child": ["\(kid)"]])
            site.clock.advance(by: .minutes(1))
            #expect(try await change(event, by: ben, ["start_time": "11:00"]).text.contains("0 of 3 families"))
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/registrations/\(gone)").press("Give all places back")
            #expect(try await ben.visit("/changes/1").text.contains("Seen by 0 of 2 families."))
            let inbox = try await patient.visit("/inbox")
            #expect(inbox.text.contains("Kite day, March 27 has changed"))
            _ = try await patient.visit("/changes/1")
            #expect(try await ben.visit("/changes/1").text.contains("Seen by 1 of 2 families."))
            // A cancellation concerns all who came or waited.
            _ = try await ben.visit("/events/\(event)/cancel").press("Cancel the event", filling: ["reason": "Rain."])
            let canceled = try await ben.visit("/events/\(event)")
            #expect(canceled.text.contains("2 families haven’t seen yet what changed."))
            #expect(
                try await patient.visit("/inbox").follow("Unread: Canceled: Kite day, March 27").heading == "Canceled")
        }
    }

    @Test func `a family of several dates is told once, and sees all of them`() async throws {
        try await withTestSite { site in
            let first = try await site.publish(by: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            let copies = try await ben.visit("/events/\(first)/copy").press(
                "Fill in these dates", filling: ["every": "week", "times": "2"])
            _ = try await copies.press("Publish these dates")
            let mo = try await site.child("Mo", of: .ana)
            for number in 0..<3 { try await site.register([mo], of: .ana, at: ID(first.rawValue + Int64(number))) }
            let vy = try await site.child("Vy", of: .cleo)
            try await site.register([vy], of: .cleo, at: ID(first.rawValue + 2))
            try await site.execute("UPDATE account SET confirmed_at = 1")
            site.clock.advance(by: .minutes(1))
            _ = try await change(first, by: ben, ["start_time": "11:00", "scope": "all"])
            #expect(try site.count(of: "notice WHERE kind = 'changed'") == 2)
            #expect(try site.count(of: "letter WHERE kind = 'changed'") == 2)
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/inbox").follow("Unread: Kite day has changed, on 3 of your dates")
            #expect(page.html.all("h2").filter { $0.text == "Kite day" }.count == 3)
            // Each date counts its own families, the page of the change all of them.
            #expect(try await ben.visit("/events/\(first)").text.contains("Seen by 1 of 1 family."))
            #expect(try await ben.visit("/events/\(first.rawValue + 2)").text.contains("Seen by 1 of 2 families."))
            #expect(try await ben.visit("/changes/1").text.contains("Seen by 1 of 2 families."))
            _ = try await ben.visit("/events/\(first)/cancel").press(
                "Cancel the event", filling: ["reason": "Rain.", "scope": "all"])
            #expect(try site.count(of: "notice WHERE kind = 'cancelled'") == 2)
        }
    }

    @Test func `what staff hides is told to each family once, with whom to call`() async throws {
        try await withTestSite { site in
            let mo = try await site.child("Mo", of: .ana)
            var last: ID<Event>?
            for day in ["2027-03-27", "2027-03-28", "2027-03-29"] {
                let event = try await site.publish(by: .ben) { $0.date = Day(iso: day)! }
                try await site.register([mo], of: .ana, at: event)
                last = event
            }
            let event = try #require(last)
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await mira.visit("/admin/events/\(event)").press("Hide the event", filling: ["reason": "a test"])
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/inbox").follow(
                "Unread: The page of Kite day, March 29 isn’t shown at the moment")
            #expect(page.path.hasPrefix("/registrations/"))
            let ben = try await site.account(of: .ben)
            _ = try await mira.visit("/admin/people/\(ben)").press(
                "Suspend the account", filling: ["reason": "a test"])
            // Of two dates more, one notice.
            #expect(try site.count(of: "notice WHERE kind = 'hidden'") == 2)
            // Each hears once of what is shown again; the date that staff hid stays hidden.
            _ = try await mira.visit("/admin/people/\(ben)").press(
                "Restore the account", filling: ["reason": "a test"])
            #expect(try site.count(of: "notice WHERE detail = 'shown' AND event_id <> \(event)") == 1)
            #expect(try site.count(of: "notice WHERE detail = 'shown'") == 1)
            #expect(try site.count(of: "notice WHERE kind = 'hidden' AND detail = '' AND read_at IS NULL") == 0)
            _ = try await mira.visit("/admin/events/\(event)").press(
                "Show it again", filling: ["reason": "a test"])
            let back = try await ana.visit("/inbox").follow("Unread: The page of Kite day, March 29 is shown again")
            #expect(back.status == 200 && back.path.hasPrefix("/registrations/"))
            #expect(try site.count(of: "notice WHERE detail = 'shown'") == 2)
        }
    }

    @Test func `what staff hide and show while a suspension hides it is no news`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            let (ben, now) = (try await site.account(of: .ben), site.clock.now)
            try await site.write(at: now) { tx in
                try Account.suspend(ben, in: tx)
                try Event.hide(event, at: now, in: tx)
                try Event.hide(event, at: nil, in: tx)
            }
            // It wasn't shown in between: the first news of it still holds.
            #expect(try site.count(of: "notice WHERE kind = 'hidden'") == 1)
            #expect(try site.count(of: "notice WHERE kind = 'hidden' AND read_at IS NULL") == 1)
            try await site.write(at: now) { tx in try Account.restore(ben, in: tx) }
            #expect(try site.count(of: "notice WHERE detail = 'shown' AND read_at IS NULL") == 1)
            #expect(try site.count(of: "notice WHERE kind = 'hidden' AND read_at IS NULL") == 1)
        }
    }
}
