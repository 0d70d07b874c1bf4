import Database
import Forms
import Foundation
import Testing

@testable import App

/// What hosts ask of families that register: consents, choices, lines; and how long the answers are kept.
@Suite struct AskingTests {
    /// A word that stands nowhere else.
    private static let planted = "Quetzalcoatlito"

    private static let photo = Ask(
        content: .init(kind: .photo, text: "May Mo be in photos?", why: "To be asked.", isEach: true))
    private static let lake = Ask(
        content: .init(kind: .agree, text: "We swim in the lake.", why: "It is deep.", isRequired: true))
    private static let size = Ask(
        content: .init(kind: .choice, text: "Which size of shirt?", options: ["small", "large"], isEach: true))
    private static let line = Ask(content: .init(kind: .line, text: "Who fetches them?", why: "So that we know."))

    private func ask(_ asks: [Ask], at event: ID<Event>, in site: TestSite) async throws {
        try await site.write { db in try Ask.save(asks, of: event, in: db) }
    }

    /// *Kite day* of Ben's, which asks this, and Ana with her children.
    private func asking(
        _ asks: [Ask], children: [String] = ["Mo"], in site: TestSite, _ change: (inout EventForm) -> Void = { _ in }
    ) async throws -> (event: ID<Event>, ana: Browser) {
        let event = try await site.publish(by: .ben, change)
        for name in children { try await site.child(name, of: .ana) }
        try await ask(asks, at: event, in: site)
        return (event, try await site.signIn(.ana, as: .parent))
    }

    private func replies(_ site: TestSite) throws -> [String] {
        try site.read { db in
            try db.all("SELECT answer FROM reply WHERE erase_at > 0 ORDER BY id LIMIT 100") { try $0.next() }
        }
    }

    // MARK: Asking

    @Test func `a host adds the photo consent with one press, a choice and a line, and sees them in the preview`()
        async throws
    {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let filled: [String: Filling] = [
                "title": "Kite day", "description": "We build kites and fly them.", "date": "2027-03-27",
                "start_time": "10:00", "end_time": "12:00", "address": "180 Park Ave", "city": "San Jose",
                "state": "CA", "zip": "95113", "spots": "20", "price": "0",
            ]
            var page = try await ben.visit("/events/new").press("Photo consent", filling: filled)
            #expect(page.value(of: "question.0.text")?.hasPrefix("My child may be in photos") == true)
            #expect(page.value(of: "title") == "Kite day")
            page = try await page.press("A choice of answers")
            page = try await page.press(
                "A short answer",
                filling: ["question.1.text": "Bread?", "question.1.options": "white", "question.1.for": "child"])
            // One answer is no choice, and a question has to say something.
            page = try await page.press("Preview")
            #expect(page.status == 422)
            #expect(
                page.problems == [
                    "Question 2: Give 2 to 12 different answers, one per line.",
                    "Question 3: Write the question, or remove it.",
                ])
            page = try await page.press(
                "Preview",
                filling: ["question.1.options": "white\ndark\nwhite", "question.2.text": "Who fetches them?"])
            #expect(page.status == 200 && page.text.contains("Families are asked 3 questions"))
            #expect(page.text.contains("white · dark") && page.text.contains("erased 30 days after the event"))
            page = try await page.press("Publish")
            let stored = try site.read { db in try Ask.all(of: ID<Event>(1), in: db) }
            #expect(stored.map(\.kind) == [.photo, .choice, .line])
            #expect(stored[0].content.isEach && !stored[0].content.isRequired)
            // Eight are enough.
            let edit = try await ben.visit("/events/1/edit")
            var pairs = try edit.form(with: "Preview").pairs
            for number in 3..<9 {
                pairs += [
                    ("question.\(number).kind", "line"), ("question.\(number).text", "One more \(number)?"),
                    ("question.\(number).for", "family"),
                ]
            }
            pairs.append(("step", "preview"))
            let refused = try await ben.post("/events/1/edit", pairs)
            #expect(refused.status == 422 && refused.problems.contains("An event asks at most 8 questions."))
        }
    }

    @Test func `an event that asks nothing is registered for with one press, and nothing is looked for`() async throws {
        try await withTestSite { site in
            let (event, ana) = try await asking([], in: site)
            let page = try await ana.visit("/events/\(event)")
            #expect(!page.string.contains("answer.") && !page.string.contains("asked"))
            #expect(try await page.press("Register", filling: ["child": "1"]).heading.hasPrefix("Congratulations!"))
            _ = try await ana.visit("/registrations/1")
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(event)/registrations")
            _ = try await site.browser().visit("/events/\(event)")
            let asked = site.site.database.recordedStatements.filter {
                $0.description.contains("FROM ask") || $0.description.contains("FROM reply")
            }
            // Only its own saving, at the beginning of this test.
            #expect(asked.count <= 1, "\(asked)")
        }
    }

    // MARK: Answering

    @Test func `a family answers once, and for each child, in one form that keeps what was typed`() async throws {
        try await withTestSite { site in
            let (event, ana) = try await asking(
                [Self.photo, Self.lake, Self.size, Self.line], children: ["Mo", "Lu", "Pia"], in: site)
            let page = try await ana.visit("/events/\(event)")
            // The children's questions come first, three times two; then the family's.
            #expect(page.text.contains("Why: So that we know.") && page.text.contains("About Pia"))
            #expect(page.text.contains("They are erased by April 26."))
            let line = try #require(Self.field("line", "Who fetches them?", page))
            let first = try #require(Self.field("choice", "Which size of shirt?", page))
            let agree = try #require(Self.field("agree", "We swim in the lake.", page))
            let refused = try await page.press(
                "Register",
                filling: ["child": ["1", "2"], line: "Grandma", first: "small"])
            #expect(refused.status == 422)
            #expect(refused.problems == ["“We swim in the lake.”: The host needs this consent to take you."])
            #expect(refused.value(of: line) == "Grandma" && refused.value(of: first) == "small")
            #expect(refused.html.all("a").contains { $0["href"] == "#\(agree)" })
            #expect(refused.html.all("input").contains { $0["id"] == agree && $0["aria-invalid"] == "true" })
            #expect(try site.count(of: "registration") == 0 && replies(site).isEmpty)
            let done = try await refused.press("Register", filling: [agree: true])
            #expect(done.heading.hasPrefix("Congratulations!"))
            // Two children have the family's two; one of them a shirt.
            #expect(try replies(site).sorted() == ["Grandma", "Grandma", "small", "yes", "yes"])
            #expect(done.text.contains("Your answers") && done.text.contains("Grandma"))
            #expect(done.text.contains("Ana Ortiz"))

            // The third one comes later: the family isn't asked again.
            let later = try await ana.visit("/events/\(event)")
            #expect(!later.text.contains("Who fetches them?") && later.text.contains("About Pia"))
            _ = try await later.press("Register", filling: ["child": "3"])
            #expect(try replies(site).count { $0 == "Grandma" } == 3)
        }
    }

    @Test func `what was answered for each child stands together, before what was answered for the family`()
        async throws
    {
        try await withTestSite { site in
            let (event, ana) = try await asking([Self.size, Self.line], children: ["Mo", "Lu"], in: site)
            let page = try await ana.visit("/events/\(event)")
            let line = try #require(Self.field("line", "Who fetches them?", page))
            var filled: [String: Filling] = ["child": ["1", "2"], line: "Grandma"]
            for match in page.string.matches(of: /name="(answer\.\d+\.choice)"/) {
                filled[String(match.output.1)] = "small"
            }
            let done = try await page.press("Register", filling: filled)
            #expect(done.html.all(ofClass: "reply").map(\.text) == ["small", "small", "Grandma"])
        }
    }

    /// The name of the field of a question: the first that stands under these words.
    private static func field(_ kind: String, _ text: String, _ page: Page) -> String? {
        let html = page.string
        guard let range = html.firstRange(of: text) else { return nil }
        let names = html.matches(of: /name="(answer\.\d+\.[a-z]+)"/).filter { $0.output.1.hasSuffix(".\(kind)") }
        let near = names.min { one, other in
            abs(html.utf8.distance(from: range.lowerBound, to: one.range.lowerBound))
                < abs(html.utf8.distance(from: range.lowerBound, to: other.range.lowerBound))
        }
        return near.map { String($0.output.1) }
    }

    @Test func `the host reads the answers on list, sheet and file; the mark says who may be photographed`()
        async throws
    {
        try await withTestSite { site in
            let (event, ana) = try await asking([Self.photo, Self.line], children: ["Mo", "Lu"], in: site)
            let page = try await ana.visit("/events/\(event)")
            let say = try #require(Self.field("say", "May Mo be in photos?", page))
            let line = try #require(Self.field("line", "Who fetches them?", page))
            _ = try await page.press(
                "Register", filling: ["child": ["1", "2"], say: "yes", line: "=cmd|'/c calc'!A0"])
            let ben = try await site.signIn(.ben, as: .provider)
            let list = "/events/\(event)/registrations"
            for way in ["", "?as=print"] {
                let text = try await ben.visit(list + way).text
                #expect(text.contains("Photos: yes") && text.contains("Photos: not answered"), "\(way)")
                #expect(text.contains("=cmd|'/c calc'!A0"), "\(way)")
            }
            let file = try await ben.visit(list + "?as=csv").string
            #expect(file.contains("\"May Mo be in photos?\",\"Who fetches them?\""))
            #expect(file.contains("\"yes\",\"'=cmd|'/c calc'!A0\"") && file.contains("\"\",\"'=cmd"))
            // Nobody else does.
            let cleo = try await site.signIn(.cleo, as: .provider)
            #expect(try await cleo.visit(list).status == 404)
            let other = try await site.signIn(.noor, as: .parent)
            #expect(try await other.visit("/registrations/1").status == 404)
            #expect(try await other.visit("/registrations/1/answers").status == 404)
            for path in [
                "/events/\(event)", "/api/events/\(event)", "/events.atom", "/events/\(event).ics", "/events",
            ] {
                #expect(try await !site.browser().visit(path).string.contains("calc"), "\(path)")
            }
        }
    }

    @Test func `a family on the waiting list answers as well, and its answers come with its place`() async throws {
        try await withTestSite { site in
            let (event, ana) = try await asking([Self.lake], in: site) { $0.spots = 1 }
            try await site.register([try await site.child("Vy", of: .cleo)], of: .cleo, at: event)
            let page = try await ana.visit("/events/\(event)")
            let refused = try await page.press("Join the waiting list", filling: ["child": "1"])
            #expect(refused.status == 422 && refused.problems.count == 1)
            let agree = try #require(Self.field("agree", "We swim in the lake.", refused))
            let waiting = try await refused.press("Join the waiting list", filling: [agree: true])
            #expect(waiting.heading == "You are on the waiting list" && waiting.text.contains("We swim in the lake."))
            let cleo = try await site.signIn(.cleo, as: .parent)
            _ = try await cleo.visit("/registrations/1").press("Give all places back")
            _ = try await ana.visit(waiting.path).press("Take the place")
            let ben = try await site.signIn(.ben, as: .provider)
            let text = try await ben.visit("/events/\(event)/registrations").text
            #expect(text.contains("We swim in the lake.") && text.contains("yes"))
        }
    }

    @Test func `a host reads what was answered for those who wait, without their names, until they wait no more`()
        async throws
    {
        try await withTestSite { site in
            let (event, ana) = try await asking(
                [Self.lake, Self.size, Self.line], children: ["Mo", "Lu"], in: site
            ) { $0.spots = 2 }
            let taken = try await site.child("Vy", of: .cleo)
            try await site.register([taken, try await site.child("Xu", of: .cleo)], of: .cleo, at: event)
            let refused = try await ana.visit("/events/\(event)").press(
                "Join the waiting list", filling: ["child": ["1", "2"]])
            let agree = try #require(Self.field("agree", "We swim in the lake.", refused))
            let line = try #require(Self.field("line", "Who fetches them?", refused))
            _ = try await refused.press(
                "Join the waiting list", filling: [agree: true, line: .text(Self.planted)])
            let ben = try await site.signIn(.ben, as: .provider)
            let list = try await ben.visit("/events/\(event)/waiting")
            for said in ["We swim in the lake. yes", "Who fetches them? \(Self.planted)", "Child 1", "Child 2"] {
                #expect(list.text.contains(said), "\(list.text)")
            }
            // What is open is said, too, and no child is named before it has a place.
            #expect(list.text.contains("Which size of shirt? no answer"), "\(list.text)")
            #expect(!list.string.contains("Mo<") && !list.string.contains("Lu<"))
            #expect(try await !ben.visit("/events/\(event)/registrations").string.contains(Self.planted))
            // With the place they move to the list of those who come.
            let cleo = try await site.signIn(.cleo, as: .parent)
            _ = try await cleo.visit("/registrations/1").press("Give all places back")
            _ = try await ana.visit("/registrations/2").press("Take the places")
            #expect(try await ben.visit("/events/\(event)/registrations").text.contains(Self.planted))
            #expect(try await !ben.visit("/events/\(event)/waiting").text.contains(Self.planted))
        }
    }

    @Test(.onFiles) func `an answer of a family that waits goes when it waits no more, or the event moves`()
        async throws
    {
        try await withTestSite { site in
            let (event, ana) = try await asking([Self.line], in: site) { $0.spots = 1 }
            try await site.register([try await site.child("Vy", of: .cleo)], of: .cleo, at: event)
            let page = try await ana.visit("/events/\(event)")
            let line = try #require(Self.field("line", "Who fetches them?", page))
            let waiting = try await page.press(
                "Join the waiting list", filling: ["child": "1", line: .text(Self.planted)])
            // It goes by the new end, also if a colleague moves the event.
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["date": "2027-04-03"])
                .press("Publish the change")
            let days = Duration.days(30).wholeMilliseconds
            #expect(
                try site.count(
                    of: "reply JOIN event ON event.id = reply.event_id WHERE erase_at = ends_at + \(days)") == 1)
            _ = try await ana.visit(waiting.path).press("Leave the waiting list")
            site.clock.advance(by: .minutes(11))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try await found(Self.planted, in: site) == [])
        }
    }

    @Test func `a whole term asks once, and each date has the answers`() async throws {
        try await withTestSite { site in
            let (event, ana) = try await asking([Self.lake, Self.size], in: site)
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(event)/copy").press(
                "Fill in these dates", filling: ["every": "week", "times": "2", "booking": "together"]
            ).press("Publish these dates")
            #expect(try site.count(of: "ask") == 6)
            #expect(try site.count(of: "event WHERE asks") == 3)
            let page = try await ana.visit("/events/\(event)/dates")
            #expect(page.string.components(separatedBy: "We swim in the lake.").count == 2)
            let refused = try await page.press("Register for all dates", filling: ["child": "1"])
            #expect(refused.status == 422 && refused.problems.count == 1)
            let agree = try #require(Self.field("agree", "We swim in the lake.", refused))
            let size = try #require(Self.field("choice", "Which size of shirt?", refused))
            _ = try await refused.press("Register for all dates", filling: [agree: true, size: "large"])
            #expect(try site.count(of: "registration WHERE state = 'confirmed'") == 3)
            #expect(try replies(site).sorted() == ["large", "large", "large", "yes", "yes", "yes"])
            #expect(try site.count(of: "reply JOIN ask ON ask.id = ask_id AND ask.event_id = reply.event_id") == 6)

            // A change reaches the later dates, as one of any other field does.
            let preview = try await ben.visit("/events/\(event)/edit").press(
                "Preview", filling: ["question.0.text": "We swim in the river.", "scope": "all"])
            #expect(preview.text.contains("“We swim in the lake.” has changed. 1 family has answered"))
            _ = try await preview.press("Publish the change")
            #expect(try site.count(of: "ask WHERE text = 'We swim in the river.' AND version = 2") == 3)
            #expect(try site.count(of: "ask WHERE kind = 'choice' AND version = 1") == 3)
            // What was agreed to keeps its words.
            #expect(try site.count(of: "reply WHERE text = 'We swim in the lake.' AND answer = 'yes'") == 3)
            #expect(try await ana.visit("/registrations/1").text.contains("1 question has no answer yet."))
        }
    }

    @Test func `what one date of a term asks alone is asked of those who want it again, whatever the form says`()
        async throws
    {
        try await withTestSite { site in
            let (event, ana) = try await asking([], in: site)
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(event)/copy").press(
                "Fill in these dates", filling: ["every": "week", "times": "2", "booking": "together"]
            ).press("Publish these dates")
            _ = try await ana.visit("/events/\(event)/dates").press("Register for all dates", filling: ["child": "1"])
            _ = try await ana.visit("/registrations/3").press("Give the places of this date back")
            try await ask([Self.lake], at: ID(3), in: site)
            let token = try await ana.visit("/events/\(event)/dates").value(of: "csrf") ?? ""
            let form = [
                ("csrf", token), ("once", "again-and-again-a"), ("child", "1"), ("dates", "1"), ("dates", "2"),
                ("again", "3"),
            ]
            let refused = try await ana.submit("/events/\(event)/registrations", form)
            #expect(refused.status == 422 && refused.text.contains("The host needs this consent"), "\(refused.status)")
            #expect(try site.count(of: "registration WHERE state = 'confirmed'") == 2)
        }
    }

    // MARK: Changing

    @Test func `answers are changed until the event begins, and a consent is taken back at any time`() async throws {
        try await withTestSite { site in
            let (event, ana) = try await asking([Self.photo, Self.line], in: site)
            let page = try await ana.visit("/events/\(event)")
            let say = try #require(Self.field("say", "May Mo be in photos?", page))
            let line = try #require(Self.field("line", "Who fetches them?", page))
            _ = try await page.press("Register", filling: ["child": "1", say: "yes", line: "Grandma"])
            var own = try await ana.visit("/registrations/1").follow("Change the answers")
            // What was agreed to is taken back, and not asked again.
            #expect(!own.text.contains("May Mo be in photos?"))
            own = try await own.press("Save", filling: ["answer.0.line": "Grandpa"])
            #expect(own.text.contains("Grandpa") && !own.text.contains("Grandma"))
            let old = try await ana.visit("/registrations/1/answers")
            // Another parent's child has other numbers, and they open nothing.
            let noor = try await site.signIn(.noor, as: .parent)
            #expect(try await noor.post("/registrations/1/consents", [("reply", "1")]).status >= 400)
            #expect(try site.count(of: "reply WHERE taken_back_at IS NOT NULL") == 0)

            site.clock.advance(by: .days(8))
            #expect(try await ana.visit("/registrations/1").link("Change the answers") == nil)
            #expect(try await old.press("Save", filling: ["answer.0.line": "Aunt"]).status >= 400)
            own = try await ana.visit("/registrations/1").press("Take it back: Mo, May Mo be in photos?")
            #expect(own.text.contains("taken back"))
            let ben = try await site.signIn(.ben, as: .provider)
            let text = try await ben.visit("/events/\(event)/registrations").text
            #expect(text.contains("No photos") && text.contains("1 consent was taken back"))
            // The words, the giver and the time stay.
            #expect(try site.count(of: "reply WHERE answer = 'yes' AND taken_back_at > at") == 1)
        }
    }

    @Test(arguments: [Series.Booking.together, .each])
    func `at the dates of a series a consent is taken back for all, and an answer of a term changed for all`(
        _ booking: Series.Booking
    ) async throws {
        try await withTestSite { site in
            let (event, ana) = try await asking([Self.photo, Self.line], children: ["Mo", "Lu"], in: site)
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(event)/copy").press(
                "Fill in these dates", filling: ["every": "week", "times": "2", "booking": .text(booking.rawValue)]
            ).press("Publish these dates")
            for date in booking == .together ? ["\(event)/dates"] : ["1", "2", "3"] {
                let page = try await ana.visit("/events/\(date)")
                var filled: [String: Filling] = ["child": ["1", "2"]]
                for match in page.string.matches(of: /name="(answer\.\d+\.(say|line))"/) {
                    filled[String(match.output.1)] = match.output.2 == "say" ? "yes" : "Grandma"
                }
                _ = try await page.press(booking == .together ? "Register for all dates" : "Register", filling: filled)
            }
            #expect(try replies(site).sorted().count { $0 == "yes" } == 6)

            let own = try await ana.visit("/registrations/1")
            #expect(own.text.contains("A consent that you take back here is taken back for all dates."))
            let after = try await own.press("Take it back: Mo, May Mo be in photos?")
            #expect(after.text.contains("taken back for all dates, and the host’s lists say so"))
            // Lu may still be in photos.
            #expect(try site.count(of: "reply WHERE kind = 'photo' AND taken_back_at IS NOT NULL") == 3)
            #expect(
                try site.count(
                    of: """
                        reply JOIN registration_person AS one ON one.id = reply.person_id AND one.child_id = 2
                        WHERE reply.kind = 'photo' AND reply.taken_back_at IS NULL
                        """) == 3)
            for date in 1...3 {
                #expect(try await ben.visit("/events/\(date)/registrations").text.contains("No photos"), "\(date)")
            }

            let answers = try await ana.visit("/registrations/1/answers")
            let isTerm = booking == .together
            #expect(answers.text.contains("What you change here counts for all your dates to come.") == isTerm)
            let line = try #require(Self.field("line", "Who fetches them?", answers))
            _ = try await answers.press("Save", filling: [line: "Grandpa"])
            #expect(try site.count(of: "reply WHERE answer = 'Grandpa'") == (isTerm ? 6 : 2))
            #expect(try site.count(of: "reply WHERE answer = 'Grandma'") == (isTerm ? 0 : 4))
            // What wasn’t touched stays as it is everywhere.
            #expect(try site.count(of: "reply WHERE kind = 'photo' AND taken_back_at IS NULL") == 3)
        }
    }

    @Test func `a page that is older than the questions gets the new ones, and keeps what was typed`() async throws {
        try await withTestSite { site in
            let (event, ana) = try await asking([Self.lake, Self.line], in: site)
            let page = try await ana.visit("/events/\(event)")
            let line = try #require(Self.field("line", "Who fetches them?", page))
            let agree = try #require(Self.field("agree", "We swim in the lake.", page))
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(event)/edit").press(
                "Preview", filling: ["question.0.text": "We dive in the lake."]
            ).press("Publish the change")
            let refused = try await page.press("Register", filling: ["child": "1", line: "Grandma", agree: true])
            #expect(refused.status == 422)
            #expect(refused.problems.count == 1 && refused.problems[0].contains("changed this question meanwhile"))
            #expect(refused.text.contains("We dive in the lake.") && refused.value(of: line) == "Grandma")
            // Nobody agrees to words they haven't seen.
            #expect(refused.value(of: agree) == nil)
            #expect(try site.count(of: "registration") == 0)
            // And then a question comes that has to be answered.
            _ = try await ben.visit("/events/\(event)/edit").press("A choice of answers").press(
                "Preview",
                filling: [
                    "question.2.text": "Bread?", "question.2.options": "white\ndark", "question.2.required": true,
                ]
            ).press("Publish the change")
            let again = try await refused.press("Register", filling: [agree: true])
            #expect(again.status == 422 && again.problems == ["“Bread?”: Please answer: the host needs to know."])
            let bread = try #require(Self.field("choice", "Bread?", again))
            #expect(try await again.press("Register", filling: [bread: "dark"]).status == 200)
            #expect(try replies(site).sorted() == ["Grandma", "dark", "yes"])
        }
    }

    /// The twin: with the version of the new words, the tick is an agreement to them. Without one it is none.
    @Test func `with the version of the new words the old tick counts for them, and without a version for none`()
        async throws
    {
        try await withTestSite { site in
            let (event, ana) = try await asking([Self.lake], in: site)
            let page = try await ana.visit("/events/\(event)")
            let agree = try #require(Self.field("agree", "We swim in the lake.", page))
            var pairs = try page.form(with: "Register", filling: ["child": "1", agree: true]).pairs
            try await site.execute("UPDATE ask SET text = 'We dive in the lake.', version = 2")
            let others = pairs.filter { !$0.name.hasSuffix(".version") }
            for version in ["", "0", "1", String(repeating: "9", count: 30), "x"] {
                let sent = others + [(name: "answer.0.version", value: version)]
                #expect(try await ana.submit("/events/\(event)/registrations", sent).status == 422, "\(version)")
            }
            pairs = others + [(name: "answer.0.version", value: "2")]
            #expect(try await ana.post("/events/\(event)/registrations", pairs).status == 200)
            #expect(try site.count(of: "reply WHERE text = 'We dive in the lake.' AND answer = 'yes'") == 1)
        }
    }

    @Test func `a new required question leaves places as they are, and the parent sees that it is new`() async throws {
        try await withTestSite { site in
            let (event, ana) = try await asking([], in: site)
            _ = try await ana.visit("/events/\(event)").press("Register", filling: ["child": "1"])
            try await ask([Self.lake], at: event, in: site)
            #expect(try site.count(of: "registration WHERE state = 'confirmed'") == 1)
            var own = try await ana.visit("/registrations/1")
            #expect(own.text.contains("1 question has no answer yet. The place is yours either way."))
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/events/\(event)/registrations").text.contains("not answered yet"))
            own = try await own.follow("Answer").press("Save", filling: ["answer.0.say": "yes"])
            #expect(own.text.contains("We swim in the lake.") && !own.text.contains("no answer yet"))
            // One that is no longer asked leaves its answer, under its words.
            try await ask([], at: event, in: site)
            #expect(try await ana.visit("/registrations/1").text.contains("changed or removed this question since"))
            let list = try await ben.visit("/events/\(event)/registrations").text
            #expect(list.contains("We swim in the lake.") && list.contains("(before the wording changed)"))
        }
    }

    @Test func `families that have places are told of a new question once, and of the same in other manners never`()
        async throws
    {
        try await withTestSite(hasMail: true) { site in
            let (event, ana) = try await asking([Self.line], in: site)
            _ = try await ana.visit("/events/\(event)").press("Register", filling: ["child": "1"])
            let ben = try await site.signIn(.ben, as: .provider)
            // It asks the same for another reason, and erases it sooner.
            _ = try await ben.visit("/events/\(event)/edit").press(
                "Preview", filling: ["question.0.why": "So that nobody waits.", "question.0.erase_days": "7"]
            ).press("Publish the change")
            #expect(try site.count(of: "notice WHERE kind = 'changed'") == 0)
            let preview = try await ben.visit("/events/\(event)/edit").press("A choice of answers").press(
                "Preview", filling: ["question.1.text": "Bread?", "question.1.options": "white\ndark"])
            #expect(preview.text.contains("They will be told what is new"))
            _ = try await preview.press("Publish the change")
            #expect(try site.count(of: "notice WHERE kind = 'changed'") == 1)
            let inbox = try await ana.visit("/inbox")
            #expect(inbox.text.contains("has changed") && !inbox.text.contains("Bread?"), "\(inbox.text)")
            let changed = try await ana.visit("/changes/1")
            #expect(changed.text.contains("Questions something new is asked: please answer it"))
            let own = try await changed.follow("See the registration, or give places back")
            #expect(own.text.contains("2 questions have no answer yet."))
        }
    }

    @Test func `an answer that may stay open can be emptied again, and one that has to be given can't`() async throws {
        try await withTestSite { site in
            var needed = Self.line
            needed.content.text = "Who brings them?"
            needed.content.isRequired = true
            let (event, ana) = try await asking([Self.line, Self.size, needed], in: site)
            let page = try await ana.visit("/events/\(event)")
            let line = try #require(Self.field("line", "Who fetches them?", page))
            let bring = try #require(Self.field("line", "Who brings them?", page))
            let size = try #require(Self.field("choice", "Which size of shirt?", page))
            _ = try await page.press(
                "Register", filling: ["child": "1", line: "Grandma", bring: "Grandpa", size: "large"])
            #expect(try replies(site).sorted() == ["Grandma", "Grandpa", "large"])
            let form = try await ana.visit("/registrations/1/answers")
            let first = try #require(Self.field("line", "Who fetches them?", form))
            let last = try #require(Self.field("line", "Who brings them?", form))
            let refused = try await form.press("Save", filling: [first: "", last: " "])
            #expect(refused.status == 422 && refused.problems.count == 1)
            #expect(try replies(site).count == 3)
            _ = try await form.press("Save", filling: [first: ""])
            #expect(try replies(site).sorted() == ["Grandpa", "large"])
            // What one didn't touch stays, whatever the other parent stored meanwhile.
            let again = try await ana.visit("/registrations/1/answers")
            _ = try await ana.visit("/registrations/1/answers").press("Save", filling: [first: "Uncle"])
            _ = try await again.press("Save", filling: [last: "Aunt"])
            #expect(try replies(site).sorted() == ["Aunt", "Uncle", "large"])
        }
    }

    @Test func `a consent that was taken back is asked for again before a brother or sister comes`() async throws {
        try await withTestSite { site in
            let (event, ana) = try await asking([Self.lake], children: ["Mo", "Lu"], in: site)
            let page = try await ana.visit("/events/\(event)")
            let agree = try #require(Self.field("agree", "We swim in the lake.", page))
            _ = try await page.press("Register", filling: ["child": "1", agree: true])
            let old = try await ana.visit("/events/\(event)")
            #expect(Self.field("agree", "We swim in the lake.", old) == nil)
            let taken = try await ana.visit("/registrations/1").press(
                "Take it back: We swim in the lake.")
            #expect(taken.flash == "Your consent was taken back, and the host’s list says so.")
            // Not from the page of before, either.
            let refused = try await old.press("Register", filling: ["child": "2"])
            #expect(refused.status == 422 && refused.problems[0].contains("needs this consent"))
            #expect(try site.count(of: "registration_person") == 1)
            let now = try await ana.visit("/events/\(event)")
            _ = try await now.press("Register", filling: ["child": "2", agree: true])
            #expect(try site.count(of: "registration_person") == 2)
            #expect(try site.count(of: "reply WHERE taken_back_at IS NULL") == 2)
        }
    }

    @Test func `a child that comes back has to be answered for again, and one is told`() async throws {
        try await withTestSite { site in
            let (event, ana) = try await asking([Self.size], in: site)
            let page = try await ana.visit("/events/\(event)")
            let size = try #require(Self.field("choice", "Which size of shirt?", page))
            _ = try await page.press("Register", filling: ["child": "1", size: "large"])
            let gone = try await ana.visit("/me/children/1/edit").press("Remove")
            let back = try await gone.press("Undo: Mo")
            #expect(back.flash?.hasPrefix("Undone. What you had answered about this child is erased") == true)
            #expect(try await ana.visit("/registrations/1").text.contains("1 question has no answer yet."))
        }
    }

    @Test func `once an event is canceled no answer is missing, and the family reads that they were erased`()
        async throws
    {
        try await withTestSite { site in
            let (event, ana) = try await asking([Self.photo, Self.lake], in: site)
            let page = try await ana.visit("/events/\(event)")
            let agree = try #require(Self.field("agree", "We swim in the lake.", page))
            _ = try await page.press("Register", filling: ["child": "1", agree: true])
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(event)/cancel").press("Cancel the event", filling: ["reason": "Storm"])
            let list = try await ben.visit("/events/\(event)/registrations").text
            #expect(!list.contains("not answered") && !list.contains("We swim in the lake."))
            let own = try await ana.visit("/registrations/1").text
            #expect(own.contains("They were erased because the event was canceled.") && !own.contains("no answer yet"))
        }
    }

    @Test func `a date that was deleted by mistake asks the same questions as the others once it is back`()
        async throws
    {
        try await withTestSite { site in
            let (event, _) = try await asking([Self.lake, Self.size], in: site)
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(event)/copy").press(
                "Fill in these dates", filling: ["every": "week", "times": "2"]
            ).press("Publish these dates")
            let roots = try site.count(of: "ask WHERE root_id IS NOT NULL")
            #expect(roots == 4)
            let gone = try await ben.visit("/events/3/edit").press("Delete the event")
            #expect(try site.count(of: "ask") == 4)
            _ = try await gone.press("Undo: Kite day")
            #expect(try site.count(of: "ask") == 6 && site.count(of: "ask WHERE root_id IS NOT NULL") == 4)
        }
    }

    // MARK: Keeping

    @Test(.onFiles) func `however many answers are due at once, their registrations go with them`() async throws {
        try await withTestSite { site in
            let (event, _) = try await planted(site, days: 120)
            try await site.write { db in
                let person: ID<Registration.Person>? = try db.value("SELECT min(person_id) FROM reply")
                for number in 0..<4_500 {
                    let party = try db.insert(
                        """
                        INSERT INTO registration (account_id, event_id, state, once, created_at, updated_at)
                        SELECT account_id, event_id, state, \("many-\(number)"), created_at, updated_at
                        FROM registration WHERE id = 1
                        """)
                    let row = try db.insert(
                        """
                        INSERT INTO registration_person (registration_id, event_id, child_id)
                        VALUES (\(party), \(event), NULL)
                        """)
                    try db.execute(
                        """
                        INSERT INTO reply (person_id, event_id, ask_id, version, kind, is_each, text, answer, giver_id,
                            at, days, erase_at)
                        SELECT \(row), event_id, ask_id, version, kind, is_each, text, answer, giver_id, at, days,
                            erase_at FROM reply WHERE person_id = \(person)
                        """)
                }
            }
            site.clock.advance(by: .days(140))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try site.count(of: "reply") == 0 && site.count(of: "registration") == 0)
        }
    }

    /// How often a word stands in a table of the site.
    private func found(_ word: String, in site: TestSite) async throws -> [String] {
        // A read has less time than all tables together take.
        try await site.write { db in
            let tables: [String] = try db.all(
                """
                SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'
                    AND name NOT LIKE '%\\_search%' ESCAPE '\\'
                    AND name NOT IN ('town', 'zip') ORDER BY name LIMIT 500
                """
            ) { try $0.next() }
            return try tables.filter { table in
                let columns: [String] = try db.all("SELECT name FROM pragma_table_info(\(table)) LIMIT 100") {
                    try $0.next()
                }
                return try columns.contains { column in
                    let (table, column, words) = (SQL(named: table), SQL(named: column), "%\(word)%")
                    return try db.exists("SELECT 1 FROM \(table) WHERE CAST(\(column) AS TEXT) LIKE \(words)")
                }
            }
        }
    }

    /// Ana's Mo is registered, with the planted word as an answer.
    private func planted(_ site: TestSite, days: Int = 30) async throws -> (event: ID<Event>, ana: Browser) {
        var line = Self.line
        line.content.days = days
        let (event, ana) = try await asking([line], in: site)
        let page = try await ana.visit("/events/\(event)")
        let name = try #require(Self.field("line", "Who fetches them?", page))
        _ = try await page.press("Register", filling: ["child": "1", name: .text(Self.planted)])
        return (event, ana)
    }

    @Test(.onFiles) func `an answer stands in one table, and is gone from all on its day`() async throws {
        try await withTestSite { site in
            _ = try await planted(site)
            #expect(try await found(Self.planted, in: site) == ["reply"])
            // The event ends in seven days and nine hours.
            site.clock.advance(by: .days(37))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try await found(Self.planted, in: site) == ["reply"], "some hours are left")
            site.clock.advance(by: .days(1))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try await found(Self.planted, in: site) == [])
            #expect(try site.count(of: "registration") == 1)
        }
    }

    @Test(.onFiles) func `a registration is kept as long as an answer is, and goes with it`() async throws {
        try await withTestSite { site in
            _ = try await planted(site, days: 200)
            site.clock.advance(by: .days(120))
            for _ in 0..<2 { await Housekeeping(site: site.site).tidyUp(at: site.clock.now) }
            #expect(try site.count(of: "registration") == 1)
            #expect(try await found(Self.planted, in: site) == ["reply"])
            site.clock.advance(by: .days(90))
            for _ in 0..<2 { await Housekeeping(site: site.site).tidyUp(at: site.clock.now) }
            #expect(try site.count(of: "registration") == 0)
            #expect(try await found(Self.planted, in: site) == [])
        }
    }

    @Test(.onFiles) func `an answer goes with its child, its account, its place and its event`() async throws {
        let password: Filling = .text(Person.password)
        try await withTestSite { site in
            let (_, ana) = try await planted(site)
            _ = try await ana.visit("/me/children/1/edit").press("Remove")
            #expect(try await found(Self.planted, in: site) == [])
        }
        try await withTestSite { site in
            let (_, ana) = try await planted(site)
            _ = try await ana.visit("/me/delete").press("Delete my account", filling: ["current_password": password])
            #expect(try await found(Self.planted, in: site) == [])
        }
        try await withTestSite { site in
            let (_, ana) = try await planted(site)
            let given = try await ana.visit("/registrations/1").press("Give all places back")
            #expect(try await found(Self.planted, in: site) == ["reply"])
            // Taken back within ten minutes, the place has its answer.
            _ = try await given.press("Undo: Mo")
            site.clock.advance(by: .minutes(11))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try await found(Self.planted, in: site) == ["reply"])
            _ = try await ana.visit("/registrations/1").press("Give all places back")
            site.clock.advance(by: .minutes(11))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try await found(Self.planted, in: site) == [])
        }
        try await withTestSite { site in
            let (event, _) = try await planted(site)
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/\(event)/cancel").press("Cancel the event", filling: ["reason": "Storm"])
            #expect(try await found(Self.planted, in: site) == [])
        }
    }

    @Test func `answers are in the export of the account, and in no letter or notice`() async throws {
        try await withTestSite { site in
            _ = try await planted(site)
            let account = try await site.account(of: .ana)
            let entries = try site.read { db in
                try RetentionRule.replies.exports(of: account).flatMap { try $0.entries(in: db) }
            }
            #expect(entries.count == 1 && entries[0].contains(Self.planted) && entries[0].contains("Who fetches them?"))
            let ben = try await site.account(of: .ben)
            let asked = try site.read { db in
                try RetentionRule.events.exports(of: ben).flatMap { try $0.entries(in: db) }.joined()
            }
            #expect(asked.contains("Who fetches them?") && !asked.contains(Self.planted))
        }
    }

    @Test func `a copied event asks the same as new questions, and a deleted one asks again once it is back`()
        async throws
    {
        try await withTestSite { site in
            let (event, _) = try await asking([Self.lake, Self.size], in: site)
            let ben = try await site.signIn(.ben, as: .provider)
            let copy = try await ben.visit("/events/new?copy=\(event)")
            #expect(copy.value(of: "question.1.options")?.hasSuffix("large") == true)
            #expect(copy.value(of: "question.0.id") == "")
            _ = try await copy.press("Preview", filling: ["date": "2027-04-10", "price": "0"]).press("Publish")
            #expect(try site.count(of: "ask WHERE event_id = 2 AND root_id IS NULL") == 2)
            let gone = try await ben.visit("/events/2/edit").press("Delete the event")
            #expect(try site.count(of: "ask") == 2)
            _ = try await gone.press("Undo: Kite day")
            #expect(try site.count(of: "ask WHERE event_id = 2") == 2)
        }
    }
}
