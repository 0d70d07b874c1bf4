import Database
import Forms
import Testing

@testable import App

/// Registration that opens and closes, and is for families nearby first.
@Suite struct WindowTests {
    /// *Kite day* of Ben’s on March 27, and Ana in 95112 with Mo; it is March 20.
    private func windowed(
        _ site: TestSite, _ change: (inout EventForm) -> Void
    ) async throws -> (event: ID<Event>, ana: Browser) {
        let event = try await site.publish(by: .ben, change)
        try await site.child("Mo", of: .ana)
        return (event, try await site.signIn(.ana, as: .parent))
    }

    private func confirmed(_ site: TestSite) throws -> Int {
        try site.count(of: "registration WHERE state = 'confirmed'")
    }

    @Test func `nobody registers a minute before it opens, and everybody once it is open`() async throws {
        try await withTestSite { site in
            let opens = site.clock.now + .minutes(30)
            let (event, ana) = try await windowed(site) { _ in }
            try await site.execute("UPDATE event SET opens_at = \(opens)")
            let closed = try await ana.visit("/events/\(event)")
            #expect(closed.text.contains("Registration opens ") && closed.text.contains("in 30 minutes"))
            #expect(!closed.buttons.contains("Register") && !closed.buttons.contains("Join the waiting list"))
            let token = closed.value(of: "csrf") ?? ""
            let form = [("csrf", token), ("once", "much-too-early-for-it"), ("child", "1"), ("wait", "1")]
            let early = try await ana.submit("/events/\(event)/registrations", form)
            #expect(early.status == 422 && early.problems.first?.hasPrefix("Registration opens ") == true)
            #expect(try site.count(of: "registration") == 0)
            site.clock.advance(by: .minutes(29))
            #expect(try await ana.visit("/events/\(event)").text.contains("in 60 seconds"))
            // The transaction refuses by itself, past every page.
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            await #expect(throws: Event.NoRoom.self) {
                _ = try await site.write(at: now) { tx in
                    try Registration.insert([ID(1)], of: account, at: event, waits: true, once: "early", in: tx)
                }
            }
            site.clock.advance(by: .minutes(1))
            _ = try await ana.visit("/events/\(event)").press("Register", filling: ["child": "1"])
            #expect(try confirmed(site) == 1)
        }
    }

    @Test func `before registration opens and once it is closed, no page tells how many places are left`()
        async throws
    {
        try await withTestSite { site in
            let (event, ana) = try await windowed(site) { _ in }
            let ben = try await site.signIn(.ben, as: .provider)
            let paths = ["/events", "/events/\(event)", "/screen"]
            let visitor = site.browser()
            #expect(try await visitor.visit("/events/\(event)").text.contains("20 of 20 places left"))
            for change: SQL in [
                "UPDATE event SET opens_at = \(site.clock.now + .minutes(30))",
                "UPDATE event SET opens_at = NULL, closes_at = \(site.clock.now - .minutes(30))",
            ] {
                try await site.execute(change)
                for path in paths {
                    #expect(try await !visitor.visit(path).text.contains("places left"), "\(path)")
                    #expect(try await !ana.visit(path).text.contains("places left"), "\(path)")
                }
                #expect(try await ana.visit("/events/\(event)").text.contains("20 places"))
                #expect(try await ben.visit("/events/\(event)").text.contains("0 of 20 places taken"))
            }
        }
    }

    @Test func `what a family has it keeps and gives back once registration is closed, and nobody new comes`()
        async throws
    {
        try await withTestSite { site in
            let (event, ana) = try await windowed(site) { _ in }
            try await site.execute("UPDATE event SET closes_at = \(site.clock.now + .hours(1))")
            let page = try await ana.visit("/events/\(event)")
            #expect(page.text.contains("Registration closes "))
            let done = try await page.press("Register", filling: ["child": "1"])
            let cleo = try await site.signIn(.cleo, as: .parent)
            let lu = try await site.child("Lu", of: .cleo)
            let old = try await cleo.visit("/events/\(event)")
            site.clock.advance(by: .hours(1))
            let late = try await old.press("Register", filling: ["child": "\(lu)"])
            #expect(late.status == 422 && late.problems.first?.hasPrefix("Registration closed ") == true)
            let given = try await ana.visit(done.path).press("Give all places back")
            #expect(try confirmed(site) == 0)
            _ = try await given.press("Undo: Mo")
            #expect(try confirmed(site) == 1)
        }
    }

    @Test func `families nearby register first, and the others once their time has come`() async throws {
        try await withTestSite { site in
            let (event, ana) = try await windowed(site) { _ in }
            try await site.execute("UPDATE family SET zip = '95112'")
            let dan = try await site.signIn(.family(1), as: .parent)
            let child = try await site.child("Kim", of: .family(1))
            try await site.execute(
                """
                UPDATE family SET zip = '94000' WHERE account_id = \(try await site.account(of: .family(1)))
                """)
            try await site.execute(
                "UPDATE event SET first_zips = '9511', first_until = \(site.clock.now + .days(1))")
            let far = try await dan.visit("/events/\(event)")
            #expect(far.text.contains("Families nearby (9511) can register first. You can register from "))
            let form = [
                ("csrf", far.value(of: "csrf") ?? ""), ("once", "from-far-away-by-hand"), ("child", "\(child)"),
            ]
            #expect(try await dan.submit("/events/\(event)/registrations", form).status == 422)
            _ = try await ana.visit("/events/\(event)").press("Register", filling: ["child": "1"])
            #expect(try confirmed(site) == 1)
            site.clock.advance(by: .days(1))
            _ = try await dan.visit("/events/\(event)").press("Register", filling: ["child": "\(child)"])
            #expect(try confirmed(site) == 2)
        }
    }

    @Test func `a term opens for all of its dates at once`() async throws {
        try await withTestSite { site in
            let (event, ana) = try await windowed(site) { _ in }
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(event)/copy").press(
                "Fill in these dates", filling: ["every": "week", "times": "2", "booking": "together"]
            ).press("Publish these dates")
            try await site.execute("UPDATE event SET opens_at = \(site.clock.now + .days(1))")
            let page = try await ana.visit("/events/\(event)/dates")
            #expect(page.text.contains("Registration opens "))
            #expect(!page.buttons.contains("Register for all dates"))
            let ids: [Int] = try site.read { db in try db.all("SELECT id FROM event") { try $0.next() } }
            let dates = ids.map { ("dates", "\($0)") }
            let form = [("csrf", page.value(of: "csrf") ?? ""), ("once", "all-of-them-too-early"), ("child", "1")]
            let early = try await ana.submit("/events/\(event)/registrations", form + dates)
            #expect(early.status == 422 && early.problems.contains { $0.hasPrefix("Registration opens ") })
            #expect(try site.count(of: "registration") == 0)
            site.clock.advance(by: .days(1))
            _ = try await ana.visit("/events/\(event)/dates").press("Register for all dates", filling: ["child": "1"])
            #expect(try confirmed(site) == 3)
        }
    }

    @Test func `a host says when it opens, by the clock of the place, and finds it in the form again`() async throws {
        try await withTestSite { site in
            let (event, ana) = try await windowed(site) { _ in }
            let ben = try await site.signIn(.ben, as: .provider)
            let form = try await ben.visit("/events/\(event)/edit")
            let refused = try await form.press(
                "Preview",
                filling: [
                    "opens_at": "2027-03-29T09:00", "closes_at": "2027-03-26T18:00", "first_zips": "95112",
                    "first_until": "",
                ])
            #expect(
                refused.problems == ["Let everyone else register before registration closes."])
            let preview = try await refused.press(
                "Preview", filling: ["opens_at": "2027-03-22T09:00", "first_until": "2027-03-23T09:00"])
            #expect(preview.text.contains("Registration opens Monday, March 22, 2027, 9 AM"))
            _ = try await preview.press("Publish the change")
            let again = try await ben.visit("/events/\(event)/edit")
            #expect(again.value(of: "opens_at") == "2027-03-22T09:00")
            #expect(again.value(of: "closes_at") == "2027-03-26T18:00" && again.value(of: "first_zips") == "95112")
            let page = try await ana.visit("/events/\(event)")
            #expect(page.text.contains("Registration opens Monday, March 22, 2027, 9 AM"))
            // A new event like this one has days of its own.
            #expect(try await ben.visit("/events/new?copy=\(event)").value(of: "opens_at") == "")
        }
    }

    @Test func `dates that are had one by one close as long before they begin as the first`() async throws {
        try await withTestSite { site in
            let (event, ana) = try await windowed(site) { $0.closesAt = LocalTime(typed: "2027-03-26T18:00") }
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(event)/copy").press(
                "Fill in these dates", filling: ["every": "week", "times": "2", "booking": "either"]
            ).press("Publish these dates")
            #expect(try site.count(of: "event WHERE starts_at - closes_at = 16 * 3600000") == 3)
            _ = try await ben.visit("/events/\(event)/edit").press(
                "Preview", filling: ["closes_at": "2027-03-27T07:00", "scope": "all"]
            ).press("Publish the change")
            #expect(try site.count(of: "event WHERE starts_at - closes_at = 3 * 3600000") == 3)
            site.clock.advance(by: .days(7) + .hours(4) + .minutes(30))
            let page = try await ana.visit("/events/\(event)/dates")
            #expect(page.text.contains("Registration closed Saturday, March 27, 2027, 7 AM"))
            _ = try await page.press("Register for these dates", filling: ["child": "1"])
            #expect(try confirmed(site) == 2)
        }
    }

    @Test func `a list says that it opens later or is closed, and no place is free there that nobody can take`()
        async throws
    {
        try await withTestSite { site in
            let (_, ana) = try await windowed(site) { _ in }
            try await site.execute("UPDATE event SET opens_at = \(site.clock.now + .days(3))")
            #expect(try await ana.visit("/events").text.contains("Registration opens in 3 days"))
            #expect(try await ana.visit("/events?free_places=1").text.contains("Kite day"))
            try await site.execute("UPDATE event SET opens_at = NULL, closes_at = \(site.clock.now)")
            #expect(try await ana.visit("/events").text.contains("Registration closed"))
            #expect(try await !ana.visit("/events?free_places=1").text.contains("Kite day"))
        }
    }

    @Test func `ZIP codes without a time for the others register at once, and the others when it opens`() async throws {
        try await withTestSite { site in
            let (event, ana) = try await windowed(site) { _ in }
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(event)/edit").press(
                "Preview", filling: ["opens_at": "2027-03-22T09:00", "first_zips": "95112"]
            ).press("Publish the change")
            let page = try await site.browser().visit("/events/\(event)")
            let words = "Until Monday, March 22, 2027, 9 AM, only families nearby (95112) can register."
            #expect(page.text.contains(words))
            try await site.execute("UPDATE family SET zip = '95112'")
            _ = try await ana.visit("/events/\(event)").press("Register", filling: ["child": "1"])
            #expect(try confirmed(site) == 1)
        }
    }

    @Test func `each time that can't be is refused beside its field, and nothing typed is lost`() async throws {
        try await withTestSite { site in
            let (event, _) = try await windowed(site) { _ in }
            let ben = try await site.signIn(.ben, as: .provider)
            let form = try await ben.visit("/events/\(event)/edit")
            for (filling, problem) in [
                (["closes_at": "2027-03-27T10:01"], "Choose a time before the event begins."),
                (["opens_at": "2027-03-27T10:00"], "Choose a time before the event begins."),
                (["opens_at": "2027-03-27T12:00", "late": true], "Choose a time before the event ends."),
                (["opens_at": "2027-03-25T10:00", "closes_at": "2027-03-25T10:00"], "Let it close after it opens."),
                (["first_zips": "95112"], "Say when everyone else can register."),
                (["first_zips": " , - ,", "first_until": "2027-03-25T10:00"], "Say which ZIP codes register first."),
                (
                    ["first_zips": "95112", "opens_at": "2027-03-25T10:00", "first_until": "2027-03-25T10:00"],
                    "Let everyone else register after it opens for families nearby."
                ),
                (
                    ["first_zips": "95112", "first_until": "2027-03-27T10:00"],
                    "Let everyone else register before registration closes."
                ),
                (
                    [
                        "first_zips": "\((1...31).map { "951\($0)" }.joined(separator: "،"))",
                        "opens_at": "2027-03-25T10:00",
                    ],
                    "Give at most 30 ZIP codes."
                ),
                (
                    ["first_zips": "95112-95120", "opens_at": "2027-03-25T10:00"],
                    "“95112-95120” isn’t a ZIP code, or the beginning of one. Separate them with commas."
                ),
                (["opens_at": "soon"], "Write the day and time like 2027-03-25 09:00."),
                (
                    ["opens_at": "2027-03-14T02:30"],
                    "On Sun, Mar 14 clocks jump from 2 AM to 3 AM: there is no 2:30 AM. Choose another time."
                ),
            ] as [([String: Filling], String)] {
                let page = try await form.press("Preview", filling: filling)
                #expect(page.status == 422 && page.problems == [problem], "\(problem): \(page.problems)")
                for (name, value) in filling {
                    if case .texts(let typed) = value { #expect(page.value(of: name) == typed[0].squeezed) }
                }
            }
        }
    }

    @Test func `programs and the desk read it, too`() async throws {
        try await withTestSite { site in
            let (event, _) = try await windowed(site) {
                ($0.opensAt, $0.firstZIPs) = (LocalTime(typed: "2027-03-22T09:00"), "95112")
            }
            let json = try await site.browser().visit("/api/events/\(event)").string
            #expect(json.contains("\"registration_opens_at\":\"2027-03-22T09:00:00-07:00\""), "\(json)")
            #expect(json.contains("\"registration_closes_at\":null"))
            let shown = try site.read { try Exhibit.find(.event(event), in: $0)?.text ?? "" }
            #expect(shown.contains("95112"))
        }
    }

    @Test func `the dates of a series open and close as they are registered for, whichever of them is changed`()
        async throws
    {
        try await withTestSite { site in
            let (first, _) = try await windowed(site) { $0.closesAt = LocalTime(typed: "2027-03-26T18:00") }
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(first)/copy").press(
                "Fill in these dates", filling: ["every": "week", "times": "2", "booking": "each"]
            ).press("Publish these dates")
            let last: Int = try site.read { try $0.value("SELECT max(id) FROM event") ?? 0 }
            func change(_ filling: [String: Filling]) async throws -> Page {
                let preview = try await ben.visit("/events/\(last)/edit").press("Preview", filling: filling)
                return preview.status == 200 ? try await preview.press("Publish the change") : preview
            }
            let closings: SQL = "(SELECT DISTINCT closes_at FROM event) AS closings"
            let asBefore: SQL = "event WHERE starts_at - closes_at = 16 * 3600000"
            for scope in ["one", "all"] {
                _ = try await change(["booking": "together", "scope": .init(stringLiteral: scope)])
                #expect(try site.count(of: closings) == 1)
                _ = try await change(["closes_at": "2027-04-09T18:00", "scope": "one"])
                #expect(try site.count(of: closings) == 1)
                _ = try await change(["booking": "either", "scope": .init(stringLiteral: scope)])
                #expect(try site.count(of: asBefore) == 3)
            }
            // Another day of one date moves the closing of no other.
            _ = try await change(["date": "2027-04-17", "scope": "all"])
            #expect(try site.count(of: asBefore) == 2)
            // No date is left that never opens.
            let refused = try await change(["opens_at": "2027-04-05T09:00", "scope": "all"])
            #expect(refused.problems == ["For Sat, Mar 27 registration would close before everyone can register."])
            #expect(try site.count(of: "event WHERE opens_at IS NOT NULL") == 0)
        }
    }
}
