import Database
import Forms
import Testing

@testable import App

/// `/events/new` and what comes after it: post, preview, edit, publish, confirmation.
@Suite struct PostingTests {
    private let kiteDay: [String: Filling] = [
        "title": "Kite day", "description": "We build kites and let them fly.", "date": "2027-03-27",
        "start_time": "10:00", "end_time": "12:00", "address": "180 Park Ave", "spots": "20", "age_from": "3",
        "age_to": "9", "price": "8.50", "tags": "Outdoors, crafts,  outdoors", "covid_safe": true,
    ]

    @Test func `preview, back to editing, preview, publish: nothing is lost, and nothing stored before`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            var page = try await ben.visit("/events/new").press("Preview", filling: kiteDay)
            #expect(page.heading == "Kite day" && page.text.contains("This is a preview."))
            #expect(page.text.contains("Saturday, March 27, 2027, 10 AM to 12 PM"))
            #expect(page.text.contains("180 Park Ave, San Jose, CA 95112"))
            #expect(page.text.contains("3 to 9 years $8.50, paid there COVID-safe"))
            #expect(page.text.contains("20 of 20 places left"))
            let first = page.value(of: "once")

            page = try await page.press("Back to editing")
            #expect(page.status == 200 && page.heading == "Post an event" && page.problems == [])
            for (name, answer) in kiteDay {
                guard case .texts(let texts) = answer else { continue }
                #expect(page.values(of: name) == texts, "\(name)")
            }
            #expect(page.value(of: "covid_safe") == "1" && page.value(of: "once") == first)
            page = try await page.press("Preview", filling: ["title": "Kite day for all", "covid_safe": false])
            #expect(page.heading == "Kite day for all" && !page.text.contains("COVID-safe"))
            #expect(try site.count(of: "event") == 0)
            #expect(try site.count(of: "event_search") == 0)

            page = try await page.press("Publish")
            #expect(page.redirects == ["/events/1/published"])
            #expect(page.heading == "Congratulations! Your event has successfully been registered.")
            page = try await page.follow("See the event")
            #expect(page.heading == "Kite day for all" && page.link("Who comes") == "/events/1/registrations")
            #expect(
                try site.count(
                    of: """
                        event WHERE title = 'Kite day for all' AND day = '2027-03-27' AND start_minute = 600
                            AND end_minute = 720 AND zone = 'America/Los_Angeles' AND starts_at = 1806166800000
                            AND ends_at = 1806174000000 AND spots = 20 AND taken = 0 AND NOT covid_safe
                            AND age_from = 3 AND age_to = 9 AND price = 850 AND currency = 'USD'
                            AND tags = 'outdoors,crafts' AND listed
                        """) == 1)
        }
    }

    @Test func `only what is required is enough`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/new").press(
                "Preview",
                filling: [
                    "title": "Kite day", "description": "We build kites.", "date": "2027-03-27", "start_time": "7pm",
                    "spots": "1",
                ]
            ).press("Publish")
            #expect(page.status == 200)
            #expect(
                try site.count(
                    of: """
                        event WHERE end_minute IS NULL AND price IS NULL AND age_from IS NULL AND tags = ''
                            AND start_minute = 1140 AND street = '150 E San Fernando St'
                        """) == 1)
        }
    }

    @Test func `problems keep everything typed`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let wrong: [String: Filling] = [
                "title": "K", "description": "Kites.", "date": "2027-03-19", "start_time": "ten", "end_time": "25:00",
                "address": "", "state": "Bavaria", "zip": "123", "spots": "5", "age_from": "9", "age_to": "3",
                "price": "cheap", "tags": "a, b, c, d, e, f, g, h, i",
            ]
            let page = try await ben.visit("/events/new").press("Preview", filling: wrong)
            #expect(page.status == 422 && page.title == "Error: Post an event · Village")
            #expect(page.problems.count == 11)
            #expect(page.problems.contains("Choose a date that is still to come."))
            #expect(page.problems.contains("Write the time like 19:00 or 7pm."))
            #expect(page.problems.contains("The older age can’t be below the younger one."))
            #expect(page.problems.contains("Write the price like $8.50, and 0 for free."))
            for (name, answer) in wrong {
                guard case .texts(let texts) = answer else { continue }
                #expect(page.values(of: name) == texts, "\(name)")
            }
            let ids = Set(page.html.all { $0["id"] != nil }.compactMap { $0["id"] })
            for link in page.html.all(ofClass: "problems").flatMap({ $0.all("a") }) {
                #expect(ids.contains(String(link["href"]!.dropFirst())))
            }
            #expect(try site.count(of: "event") == 0)
        }
    }

    @Test(
        arguments: [
            ("2027-03-27", "7pm", 1_806_199_200_000), ("3/27/2027", "19:00", 1_806_199_200_000),
            ("27 Mar 2027", "7:00 p.m.", 1_806_199_200_000), ("March 27, 2027", "1900", 1_806_199_200_000),
            ("27.3.2027", "19.00", 1_806_199_200_000), ("03/04/2027", "noon", nil),
            ("4/3/2027", "noon", 1_806_778_800_000),
        ] as [(String, String, Int64?)])
    func `dates and times are read as people type them`(date: String, time: String, instant: Int64?) async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            var answers = kiteDay
            answers["date"] = .text(date)
            answers["start_time"] = .text(time)
            answers["end_time"] = ""
            var page = try await ben.visit("/events/new").press("Preview", filling: answers)
            guard let instant else { return #expect(page.problems == ["Choose a date that is still to come."]) }
            page = try await page.press("Publish")
            #expect(page.status == 200)
            #expect(try site.count(of: "event WHERE starts_at = \(instant)") == 1)
        }
    }

    @Test func `an end before the start is on the next day, and the preview says so`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            var answers = kiteDay
            answers["start_time"] = "20:00"
            answers["end_time"] = "9:00"
            let page = try await ben.visit("/events/new").press("Preview", filling: answers)
            #expect(page.text.contains("It ends on the next day."))
            #expect(page.text.contains("8 PM to 9 AM the next day"))
            // So long may be a slip: the preview asks once.
            #expect(page.text.contains("This event lasts 13 hours. Is the end right?"))
            for (start, end, words) in [
                ("10:00", "9:00", "lasts 23 hours. Is"), ("8:00", "20:30", "lasts more than 12 hours. Is"),
                ("8:00", "20:00", nil), ("10:00", "", nil),
            ] {
                answers["start_time"] = .text(start)
                answers["end_time"] = .text(end)
                let text = try await ben.visit("/events/new").press("Preview", filling: answers).text
                #expect(words.map(text.contains) ?? !text.contains("Is the end right?"), "\(start) to \(end): \(text)")
            }
            _ = try await page.press("Publish")
            #expect(try site.count(of: "event WHERE ends_at - starts_at = 46800000") == 1)
        }
    }

    @Test func `what most leave empty is folded, and open where it holds something or is wrong`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            func open(_ page: Page) -> [Int] {
                page.html.all(ofClass: "fold").enumerated().filter { $1["open"] != nil }.map { $0.offset }
            }
            let form = try await ben.visit("/events/new")
            #expect(open(form).isEmpty)
            for (name, filling, folds) in [
                ("other_title", "Día de cometas", 0), ("poster_alt", "Kites on a hill", 1),
                ("online_url", "not a link", 2), ("lat", "37.3", 2), ("tags", "kites", 3), ("covid_safe", true, 3),
                ("late", true, 3), ("access", ["step_free"], 3), ("opens_at", "soon", 4), ("first_zips", "95112", 4),
            ] as [(String, Filling, Int)] {
                let page = try await form.press("Preview", filling: [name: filling])
                #expect(page.status == 422 && open(page) == [folds], "\(name): \(open(page))")
            }
        }
    }

    @Test func `elsewhere an address needs neither state nor code, and days come first`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            var answers = kiteDay
            answers.merge(
                ["country": "DE", "city": "Görlitz", "state": "", "zip": "02826", "date": "3/4/2027"]) { $1 }
            let page = try await ben.visit("/events/new").press("Preview", filling: answers)
            #expect(page.text.contains("Saturday, April 3, 2027"))
            #expect(page.text.contains("180 Park Ave, 02826 Görlitz"))
        }
    }

    @Test func `more than a hundred can come`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            var answers = kiteDay
            answers["more_spots"] = "2500"
            let page = try await ben.visit("/events/new").press("Preview", filling: answers)
            #expect(page.text.contains("2,500 of 2,500 places left"))
            answers["more_spots"] = "10001"
            #expect(try await ben.visit("/events/new").press("Preview", filling: answers).problems.count == 1)
        }
    }

    @Test func `hostile words come back to the byte, and do nothing`() async throws {
        try await withTestSite { site in
            let title = #"</title><script>alert("x")</script> & 'co' “ü” 🎪 {{ title }} &amp; \u{202E}"#
            let description =
                "</textarea><img src=x onerror=alert(1)>\n\n<b>bold</b> javascript:alert(1)\n"
                + "https://kites.example/?a=1&b=2 and http://kites.example/\"onmouseover=alert(1)\n--\n"
                + "' OR 1=1; DROP TABLE event"
            let ben = try await site.signIn(.ben, as: .provider)
            var answers = kiteDay
            answers["title"] = .text(title)
            answers["description"] = .text(description)
            answers["tags"] = "<i>tag</i>, \"x\""
            var page = try await ben.visit("/events/new").press("Preview", filling: answers)
            #expect(page.heading == title)
            page = try await page.press("Back to editing")
            #expect(page.value(of: "title") == title)
            #expect(page.value(of: "description") == description.replacing("\n", with: "\r\n"))
            _ = try await page.press("Preview").press("Publish")
            #expect(try site.count(of: "event WHERE title = \(title) AND description = \(description)") == 1)

            let nobody = site.browser()
            for path in ["/events/1", "/events", "/", "/providers/ben-ruiz", "/events?q=alert"] {
                page = try await nobody.visit(path)
                #expect(page.status == 200 && page.text.contains("<script>alert(\"x\")</script> & 'co' “ü” 🎪"))
                let scripts = page.html.all("script").filter { $0["type"] != "application/ld+json" }
                #expect(scripts.count == 1 && scripts[0]["src"]?.hasPrefix("/assets/") == true)
                #expect(page.html.all { $0.attributes.keys.contains { $0.hasPrefix("on") || $0 == "style" } }.isEmpty)
                #expect(page.html.all("img", "b").filter { $0["src"] == "x" || $0.text == "bold" }.isEmpty)
                #expect(!page.links.contains { $0.href.lowercased().hasPrefix("javascript:") })
            }
            page = try await nobody.visit("/events/1")
            #expect(page.heading == title && page.title.hasPrefix("</title><script>"))
            #expect(page.link("https://kites.example/?a=1&b=2") == "https://kites.example/?a=1&b=2")
        }
    }

    @Test func `pressed twice, it is published once`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let preview = try await ben.visit("/events/new").press("Preview", filling: kiteDay)
            async let one = preview.press("Publish")
            async let two = preview.press("Publish")
            let pages = try await [one, two]
            #expect(pages.map(\.redirects) == [["/events/1/published"], ["/events/1/published"]])
            #expect(try await preview.press("Publish").path == "/events/1/published")
            #expect(try site.count(of: "event") == 1)
            #expect(try site.count(of: "event_search") == 1)
            // A new form is a new event, be it word for word the same.
            let other = try await ben.visit("/events/new").press("Preview", filling: kiteDay).press("Publish")
            #expect(other.path == "/events/2/published" && other.link("More dates") == "/events/2/copy")
        }
    }

    @Test func `a form that was published, sent again with other words, says so and changes nothing`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let preview = try await ben.visit("/events/new").press("Preview", filling: kiteDay)
            _ = try await preview.press("Publish")
            let page = try await preview.press("Back to editing").press("Preview", filling: ["title": "Other"])
                .press("Publish")
            #expect(page.status == 409 && page.heading == "This event is already published")
            #expect(page.link("See the event") == "/events/1")
            #expect(try site.count(of: "event") == 1)
            #expect(try site.count(of: "event WHERE title = 'Kite day'") == 1)
            // The words aren't lost: they go on as an event of their own.
            let other = try await page.press("Post what I wrote as a separate event")
            #expect(other.value(of: "title") == "Other")
            _ = try await other.press("Preview").press("Publish")
            #expect(try site.count(of: "event WHERE title IN ('Kite day', 'Other')") == 2)
        }
    }

    @Test func `everything is checked again at publishing`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let preview = try await ben.visit("/events/new").press("Preview", filling: kiteDay)
            let form = try preview.form(with: "Publish")
            var pairs = form.pairs.filter { $0.name != "spots" } + [("spots", "0")]
            var page = try await ben.post(form.action, pairs)
            #expect(page.status == 422 && page.heading == "Post an event" && page.value(of: "title") == "Kite day")
            pairs = form.pairs.filter { $0.name != "title" } + [("title", "Kite\u{0} day")]
            #expect(try await ben.post(form.action, pairs).status == 422)
            // The day passes while the preview stands open.
            site.clock.advance(by: .days(8))
            page = try await preview.press("Publish")
            #expect(page.status == 422 && page.problems == ["Choose a date that is still to come."])
            #expect(try site.count(of: "event") == 0)
        }
    }

    @Test func `visitors, members without the profile and parents are shown the way`() async throws {
        try await withTestSite { site in
            #expect(try await site.browser().visit("/events/new").redirects == ["/login?next=%2Fevents%2Fnew"])
            let ana = try await site.signIn(.ana, as: .parent)
            let choice = try await ana.visit("/events/new")
            #expect(choice.heading == "Who is it for?")
            let kids = "/me/provider?next=%2Fevents%2Fnew%3Faudience%3Dkids"
            #expect(try await ana.visit("/events/new?audience=kids").redirects == [kids])
            let token = try #require(try await ana.visit("/me/family").value(of: "csrf"))
            let sent: [(name: String, value: String)] = [("csrf", token), ("step", "publish"), ("title", "Kite day")]
            #expect(try await ana.post("/events/new", sent).status == 422)
            #expect(try await ana.post("/events/new", sent + [("audience", "kids")]).path.hasPrefix("/me/provider"))
            #expect(try site.count(of: "event") == 0)
        }
    }

    @Test func `the confirmation is its provider’s only`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben)
            let cleo = try await site.signIn(.cleo, as: .provider)
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/events/1/published").status == 200)
            #expect(try await cleo.visit("/events/1/published").status == 404)
            #expect(try await ben.visit("/events/2/published").status == 404)
            #expect(try await site.browser().visit("/events/1/published").path.hasPrefix("/login"))
        }
    }

    @Test func `my events are listed by what became of them`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben) { $0.title = "Later" }
            try await site.publish(by: .ben) {
                $0.title = "Sooner"
                $0.date = Day(iso: "2027-03-21")!
            }
            let off = try await site.publish(by: .ben) { $0.title = "Called off" }
            try await site.publish(by: .cleo) { $0.title = "Not mine" }
            try await site.execute("UPDATE event SET cancelled_at = 1, listed = FALSE WHERE id = \(off)")
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/me/events").rows == ["Sooner", "Later"])
            #expect(try await ben.visit("/me/events?list=cancelled").rows == ["Called off"])
            #expect(try await ben.visit("/me/events?list=expired").rows == [])
            site.clock.advance(by: .days(3))
            #expect(try await ben.visit("/me/events").rows == ["Later"])
            #expect(try await ben.visit("/me/events").follow("Over").rows == ["Sooner"])
            #expect(try await site.browser().visit("/me/events").path.hasPrefix("/login"))
        }
    }

    @Test func `a change counts no word or tag again that the event had`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.tags = "music, outdoors" }
            let ben = try await site.signIn(.ben, as: .provider)
            for (title, tags) in [("Kite days", "music, outdoors"), ("Kite days", "music, art")] {
                _ = try await ben.visit("/events/\(event)/edit").press(
                    "Preview", filling: ["title": .text(title), "tags": .text(tags)]
                ).press("Publish the change")
            }
            #expect(try site.count(of: "tag WHERE name IN ('music', 'outdoors', 'art') AND uses = 1") == 3)
            #expect(try site.count(of: "word WHERE text IN ('kite', 'day', 'days', 'music', 'art') AND uses = 1") == 5)
        }
    }
}
