import Database
import Testing

@testable import App

/// Today in the hour that counts: what begins, is on, or is just over stands first, for family and host.
@Suite struct AroundTests {
    private let heading = "Now and within the hour"

    @Test func `what is on stands above changes of weeks ahead, an hour before and after too`() async throws {
        try await withTestSite { site in
            let mo = try await site.child("Mo", of: .ana)
            for day in ["2027-03-27", "2027-03-28", "2027-03-29", "2027-03-30", "2027-04-10"] {
                let event = try await site.publish(by: .ben) {
                    $0.title = "On \(day)"
                    $0.date = Day(iso: day)!
                }
                try await site.register([mo], of: .ana, at: event)
            }
            site.clock.advance(by: .minutes(1))
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/5/cancel").press("Cancel the event", filling: ["reason": "No wind."])
            let ana = try await site.signIn(.ana, as: .parent)
            // From 3:01 on the Saturday before to 8:59 on the day.
            site.clock.advance(by: .days(7) + .hours(5) + .minutes(58))
            #expect(try await !ana.visit("/").text.contains(heading))
            #expect(try await !ben.visit("/").text.contains(heading))

            site.clock.advance(by: .minutes(1))
            for (minutes, heading) in [(0, heading), (90, heading), (149, "Just over")] {
                site.clock.advance(by: .minutes(minutes))
                let text = try await ana.visit("/").text
                let now = try #require(text.firstRange(of: heading)).lowerBound
                let later = try #require(text.firstRange(of: "1 of your later events has changed")).lowerBound
                #expect(now < later && text.contains("Call 408 555 0100"))
                // Once, and not among the next ones as well.
                #expect(text.ranges(of: "On 2027-03-27").count == 1)
                #expect(try await ben.visit("/").text.contains(heading))
            }
            // At 12:59 it was over for 59 minutes.
            site.clock.advance(by: .minutes(1))
            let today = try await ana.visit("/").text
            #expect(!today.contains(heading) && !today.contains("Just over"))
            #expect(try await !ben.visit("/").text.contains("Just over"))
            // Until midnight it is what was, not what is next.
            let earlier = try #require(today.firstRange(of: "Earlier today")).lowerBound
            let over = try #require(today.firstRange(of: "On 2027-03-27")).lowerBound
            let next = try #require(today.firstRange(of: "Next for you")).lowerBound
            #expect(earlier < over && over < next)
        }
    }

    @Test func `the host sees who is here, whom to call, who is to be picked up, and so the family`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            try await site.register([try await site.child("Vy", of: .cleo)], of: .cleo, at: event)
            // 10:10 on the day.
            site.clock.advance(by: .days(7) + .hours(7) + .minutes(10))
            let ben = try await site.signIn(.ben, as: .provider)
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ben.visit("/")
            // Nobody ticks so far: that says nothing about who is missing.
            #expect(page.text.contains("0 of 2 here") && !page.text.contains("Not here yet"))
            #expect(page.link("Who comes: Kite day") == "/events/1/registrations")
            #expect(try await !ana.visit("/").text.contains("Is here"))

            try await mark(.here, of: "Mo", site)
            page = try await ben.visit("/")
            #expect(page.text.contains("1 of 2 here") && page.text.contains("Not here yet: Vy (Cleo Park)"))
            #expect(page.link("Call 408 555 0177: Vy (Cleo Park)") == "tel:4085550177")
            #expect(try await ana.visit("/").text.contains("Is here: Mo"))

            // 12:20: it is over.
            site.clock.advance(by: .hours(2) + .minutes(10))
            page = try await ben.visit("/")
            #expect(page.text.contains("Still to be picked up: Mo (Ana Ortiz)") && !page.text.contains("Vy (Cleo"))
            #expect(try await ana.visit("/").text.contains("Still to be picked up: Mo"))
            try await mark(.gone, of: "Mo", site)
            #expect(try await !ben.visit("/").text.contains("Still to be picked up"))
            #expect(try await ana.visit("/").text.contains("Gone home"))
            // Under the other hat no list is open, and no name stands there.
            _ = try await site.family(of: .ben)
            let other = try await site.signIn(.ben, as: .parent)
            #expect(try await !other.visit("/").text.contains("Ana Ortiz"))
        }
    }

    private func mark(_ presence: RosterChild.Presence, of name: String, _ site: TestSite) async throws {
        try await site.write(at: site.clock.now) { tx in
            let person: ID<Registration.Person> = try tx.value(
                """
                SELECT registration_person.id FROM registration_person
                JOIN child ON child.id = registration_person.child_id WHERE child.nickname = \(name)
                """)!
            try Roster.mark(person, presence, at: ID(1), in: tx)
        }
    }

    @Test func `a fair that has lasted since before says until when it goes on`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) {
                $0.endDate = Day(iso: "2027-03-29")!
                $0.endTime = TimeOfDay(hour: 18, minute: 0)!
            }
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            let ana = try await site.signIn(.ana, as: .parent)
            let visitor = site.browser()
            #expect(try await visitor.visit("/events").text.contains("10 AM to Monday, March 29, 6 PM"))
            site.clock.advance(by: .days(8))
            for path in ["/events", "/events/1"] {
                #expect(try await visitor.visit(path).text.contains("until Monday, March 29, 6 PM"), "\(path)")
            }
            // Half past midnight of its last day.
            site.clock.advance(by: .hours(21) + .minutes(30))
            for path in ["/events", "/events/1"] {
                #expect(try await visitor.visit(path).text.contains("until 6 PM today"), "\(path)")
            }
            for path in ["/", "/me/registrations", "/registrations/1"] {
                #expect(try await ana.visit(path).text.contains("until 6 PM today"), "\(path)")
            }
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/").text.contains("until 6 PM today"))
            #expect(try await visitor.visit("/events/map").text.contains("until 6 PM today"))
        }
    }
}
