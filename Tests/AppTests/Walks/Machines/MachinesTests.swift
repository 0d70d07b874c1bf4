import Database
import Foundation
import Logging
import Synchronization
import Testing

@testable import App

/// What programs read: JSON, Atom, linked data, the sitemap; and the flyer, for those without any.
@Suite struct MachinesTests {
    @Test func `metrics are for programs on this machine, and elsewhere for those that know the token`() async throws {
        let token = "a-token-of-20-letters"
        try await withTestSite(metricsToken: token) { site in
            let here = site.browser()
            let proxy = ["X-Forwarded-For": "127.0.0.1"]
            _ = try await here.visit("/events")
            let text = try await here.visit("/metrics").string
            #expect(text.contains("# TYPE village_request_duration_seconds histogram"))
            #expect(text.contains("village_request_duration_seconds_bucket{le=\"+Inf\"} "))
            #expect(text.contains("village_letters{state=\"waiting\"} 0\n"))
            #expect(text.contains("village_backup_failed 0\n"))
            // A proxy beside the site brings strangers.
            #expect(try await here.visit("/metrics", proxy).status == 404)
            for said in ["Bearer ", "Bearer \(token)x", token] {
                #expect(try await here.visit("/metrics", proxy.merging(["Authorization": said]) { $1 }).status == 404)
            }
            let told = try await here.visit("/metrics", proxy.merging(["Authorization": "Bearer \(token)"]) { $1 })
            #expect(told.status == 200)
        }
    }

    @Test func `a check says whose the data folder is, and that nobody chose a zone`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        #expect(Settings.ownerAdvice(on: folder.path) == nil)
        #expect(Settings.ownerAdvice(on: folder.path + "/none", for: 4_711) == nil)
        let words = try #require(Settings.ownerAdvice(on: folder.path, for: 4_711))
        #expect(words.hasSuffix("and the program runs as user 4711: chown -R 4711 \(folder.path)"))
        // It stands behind what can't be opened, and only where it says why.
        let advice = DatabaseError.readOnly.advice(folder.path)
        #expect(advice.hasSuffix("is it a folder you may write to? (VILLAGE_DATA)"), "\(advice)")
        var settings = try Settings(environment: [:])
        settings.zone = .utc
        #expect(settings.zoneAdvice(Town())?.contains("set VILLAGE_TIME_ZONE") == true)
        // A town in Iceland may say so, as may an admin.
        #expect(try Settings(environment: ["VILLAGE_TIME_ZONE": "UTC"]).zoneAdvice(Town()) == nil)
        var town = Town()
        town.zone = .utc
        #expect(settings.zoneAdvice(town) == nil)
        settings.zone = Zone(identifier: "America/Los_Angeles")!
        #expect(settings.zoneAdvice(Town()) == nil)
    }

    @Test func `a line of the log as JSON can be read by a machine, whatever it says`() throws {
        var log = JSONLog { _ in }
        log[metadataKey: "account"] = "7"
        var event = LogEvent(
            level: .error, message: "not \"ready\"\n\u{2028}", error: nil, metadata: ["message": "x", "ms": "3"],
            source: "", file: "", function: "", line: 0)
        event.metadata?["path"] = "\u{7}"
        let line = log.line(event, at: Instant(milliseconds: 0))
        #expect(line.hasSuffix("}\n") && line.split(separator: "\n").count == 1)
        let read = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
        #expect(read?["message"] == "not \"ready\"\n\u{2028}" && read?["level"] == "error" && read?["ms"] == "3")
        #expect(read?["account"] == "7" && read?["path"] == "\u{7}")
        #expect(read?["time"]?.hasPrefix("1970-01-01T00:00:00") == true)
    }

    @Test func `a line of the log as text is as swift-log's own handler writes it`() throws {
        final class Lines: TextOutputStream, Sendable {
            let text = Mutex("")
            func write(_ string: String) { text.withLock { $0 += string } }
        }
        let lines = Lines()
        var theirs = StreamLogHandler(label: "village", stream: lines)
        var ours = TextLog(label: "village") { _ in }
        func event(_ metadata: Logger.Metadata?) -> LogEvent {
            LogEvent(
                level: .warning, message: "GET /events 200", error: nil, metadata: metadata, source: nil,
                file: "App/Gate.swift", function: "", line: 0)
        }
        let now = Instant(milliseconds: 1_805_536_800_000)
        // The time of a line is each one's own.
        func rest(_ line: String) -> Substring { line.drop { $0 != " " } }
        let inner: Logger.Metadata = ["request": "cached", "ms": .stringConvertible(3), "list": ["a", ["b": "c"]]]
        for metadata in [nil, [:], inner] {
            lines.text.withLock { $0 = "" }
            theirs.log(event: event(metadata))
            #expect(rest(ours.line(event(metadata), at: now)) == rest(lines.text.withLock { $0 }))
        }
        theirs[metadataKey: "ms"] = "own"
        ours[metadataKey: "ms"] = "own"
        theirs[metadataKey: "node"] = "a"
        ours[metadataKey: "node"] = "a"
        lines.text.withLock { $0 = "" }
        theirs.log(event: event(inner))
        #expect(rest(ours.line(event(inner), at: now)) == rest(lines.text.withLock { $0 }))
        let stamp = TextLog.stamp(at: 1_805_536_800)
        #expect(stamp.wholeMatch(of: /2027-03-\d\dT\d\d:\d\d:00[+-]\d{4}/) != nil)
        #expect(TextLog.stamp(at: 1_805_536_801) != stamp)
    }

    private func json(_ page: Page) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(page.body)) as? [String: Any])
    }

    // MARK: /api

    @Test func `the API lists events like the feed, page by page`() async throws {
        try await withTestSite { site in
            for number in 1...25 { try await site.publish(by: .ben) { $0.title = "Kite day \(number)" } }
            let nobody = site.browser()
            var page = try await nobody.visit("/api/events?city=San+Jose")
            #expect(page["Content-Type"] == "application/json" && page["Access-Control-Allow-Origin"] == "*")
            #expect(page["Cross-Origin-Resource-Policy"] == "cross-origin")
            var answer = try json(page)
            #expect((answer["items"] as? [[String: Any]])?.count == 20)
            let next = try #require(answer["next"] as? String)
            #expect(next.hasPrefix("http://localhost:8080/api/events?city=San%20Jose&after="))
            page = try await nobody.visit(next.dropFirst("http://localhost:8080".count))
            answer = try json(page)
            let items = try #require(answer["items"] as? [[String: Any]])
            #expect(items.compactMap { $0["title"] as? String } == (21...25).map { "Kite day \($0)" })
            #expect(answer["next"] is NSNull)
        }
    }

    @Test func `an event says what everybody may know, and nothing else`() async throws {
        try await withTestSite { site in
            let id = try await site.publish(by: .ben) {
                $0.onlineURL = "https://meet.example.org/secret-room"
                $0.price = "8.50"
                $0.ageFrom = 3
            }
            let mo = try await site.child("Mo", of: .ana)
            try await site.register([mo], of: .ana, at: id)
            for path in ["/api/events/1", "/api/events", "/events.atom", "/events.ics", "/events/1"] {
                let page = try await site.browser().visit(path)
                #expect(page.status == 200 && page.string.contains("Kite day"), "\(path)")
                #expect(!page.string.contains("secret-room") && !page.string.contains("Ortiz"), "\(path)")
                #expect(page["Set-Cookie"] == nil)
            }
            let event = try json(try await site.browser().visit("/api/events/1"))
            #expect(event["starts_at"] as? String == "2027-03-27T10:00:00-07:00")
            #expect(event["places_left"] as? Int == 19 && event["is_online"] as? Bool == true)
            #expect((event["price"] as? [String: String]) == ["amount": "8.50", "currency": "USD"])
            #expect(event["age_to"] is NSNull)
        }
    }

    @Test func `providers are listed, a suspended one isn't`() async throws {
        try await withTestSite { site in
            for person in [Person.ben, .cleo] { try await site.provider(of: person) }
            let nobody = site.browser()
            func names(_ path: String) async throws -> [String] {
                let items = try json(try await nobody.visit(path))["items"] as? [[String: Any]]
                return items?.compactMap { $0["username"] as? String } ?? []
            }
            #expect(try await names("/api/providers") == ["ben-ruiz", "cleo-park"])
            #expect(try await names("/api/providers?after=1") == ["cleo-park"])
            #expect(
                try json(try await nobody.visit("/api/providers/ben-ruiz"))["organization"] as? String == "King Library"
            )
            try await site.execute("UPDATE account SET suspended_at = 1 WHERE username = 'ben-ruiz'")
            #expect(try await names("/api/providers") == ["cleo-park"])
            #expect(try await nobody.visit("/api/providers/ben-ruiz").status == 404)
        }
    }

    @Test func `a family is told to itself alone`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            try await site.child("Mo", of: .ana)
            let page = try await ana.visit("/api/me/family")
            #expect(page.status == 200 && page["Cache-Control"] == "private, no-store")
            #expect(page["Access-Control-Allow-Origin"] == nil)
            #expect(page["Cross-Origin-Resource-Policy"] == "same-origin")
            let children = try json(page)["children"] as? [[String: Any]]
            #expect(children?.first?["nickname"] as? String == "Mo")
            let nobody = try await site.browser().visit("/api/me/family")
            #expect(nobody.status == 401 && nobody["WWW-Authenticate"] != nil && !nobody.string.contains("Mo"))
            #expect(try await site.signIn(.ben, as: .provider).visit("/api/me/family").status == 404)
            for path in ["/api/families", "/api/family/ana-ortiz", "/api/people"] {
                #expect(try await ana.visit(path).status == 404)
            }
        }
    }

    @Test func `refusals under /api are problem details, elsewhere pages`() async throws {
        try await withTestSite(limits: true) { site in
            let nobody = site.browser()
            func expectProblem(_ page: Page, _ status: Int) throws {
                #expect(page.status == status && page["Content-Type"] == "application/problem+json", "\(page.path)")
                let problem = try json(page)
                #expect(problem["status"] as? Int == status && problem["type"] as? String == "about:blank")
                #expect((problem["detail"] as? String)?.isEmpty == false)
            }
            for path in ["/api/events/99", "/api/events/x", "/api/nothing", "/api", "/api/providers/nobody-here"] {
                try expectProblem(try await nobody.visit(path), 404)
            }
            for query in [
                "age=99", "age=4&age=x", "when=soon", "after=7", "price=1", "free_places=0", "from=soon", "who=me",
                "from=soon&when=today", "to=2000-01-01&to=2000-01-02&when=today", "tag=0&tag=0",
                "tag=a&tag=b&tag=c&tag=d&tag=e",
            ] {
                let page = try await nobody.visit("/api/events?\(query)")
                try expectProblem(page, 400)
                #expect(page.string.contains("“\(query.prefix { $0 != "=" })”"))
            }
            let both = try await nobody.visit("/api/events?from=2000-01-01&to=2000-01-02&when=today")
            #expect(both.status == 200, "`when` stands before days that can be read")
            try expectProblem(try await nobody.visit("/api/providers?after=x"), 400)
            try expectProblem(try await nobody.visit("/api/events?near=Nowhere+At+All"), 404)
            #expect(try await nobody.visit("/events.ics?near=Nowhere+At+All").status == 404)
            #expect(try await nobody.visit("/events?age=99").status == 200, "a page leaves out what it can't read")
            let wrong = try await nobody.submit("/api/events", [])
            try expectProblem(wrong, 405)
            #expect(wrong["Allow"] == "GET, HEAD")
            #expect(try await nobody.visit("/nothing")["Content-Type"] == "text/html; charset=utf-8")
            var last = try await nobody.visit("/api/events")
            for _ in 0..<300 where last.status == 200 { last = try await nobody.visit("/api/events") }
            try expectProblem(last, 429)
            #expect(last["Retry-After"] != nil)
        }
    }

    @Test func `the description names every address of the API`() async throws {
        try await withTestSite { site in
            let document = try json(try await site.browser().visit("/api/openapi.json"))
            let paths = try #require(document["paths"] as? [String: Any])
            let routes = site.site.routes().all.map(\.pattern).filter {
                $0.hasPrefix("/api/") && $0 != "/api/openapi.json"
            }
            let named = routes.map { $0.replacing(/:(\w+)/) { "{\($0.output.1)}" } }
            #expect(Set(paths.keys) == Set(named))
        }
    }

    // MARK: Feeds and search engines

    @Test func `the feed has an entry an event`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben) { $0.title = "Kites & <b>wind</b>" }
            let feed = try await site.browser().visit("/events?city=San+Jose")
            let head = try #require(feed.html.all("link").first { $0["type"] == "application/atom+xml" }?["href"])
            #expect(head == "/events.atom?city=San%20Jose")
            let page = try await site.browser().visit(head)
            #expect(page["Content-Type"] == "application/atom+xml; charset=utf-8")
            #expect(page.string.contains("<title>Kites &amp; &lt;b&gt;wind&lt;/b&gt;</title>"))
            #expect(page.string.contains("<id>http://localhost:8080/events/1</id>"))
            #expect(page.string.contains("<updated>2027-03-20T10:00:00+00:00</updated>"))
            #expect(page.string.contains("<name>King Library</name>"))
        }
    }

    @Test func `a program hears what of its filters can't be read, and takes nothing for all`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben)
            let visitor = site.browser()
            for name in ["events.atom", "events.ics", "opportunities.atom"] {
                let path = "/\(name)?from=nonsense"
                let answer = try await visitor.visit(path)
                #expect(answer.status == 400 && answer["Content-Type"] == "text/plain; charset=utf-8", "\(path)")
                #expect(answer.string.hasPrefix("“nonsense” can’t be read as a day."), "\(path)")
                // A page says the same.
                let page = try await visitor.visit("/" + path.dropFirst().replacing(/\.\w+/, with: ""))
                #expect(page.text.contains("“nonsense” can’t be read as a day."), "\(path)")
            }
            #expect(try await visitor.visit("/events.atom?free_places=many").status == 400)
            #expect(try await visitor.visit("/events.ics?from=2027-03-21&to=2027-03-20").status == 400)
            #expect(try await visitor.visit("/opportunities.atom?hours=many").status == 400)
        }
    }

    /// The linked data of an event's page.
    private func linkedData(_ page: Page) throws -> [String: Any] {
        let script = try #require(page.html.all("script").first { $0["type"] == "application/ld+json" })
        let text = script.nodes.map { if case .text(let text) = $0 { text } else { "" } }.joined()
        #expect(!text.contains("<"), "nothing in it can end the element")
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func `an event's page has all that search engines ask for`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben) {
                $0.title = "Kites </script><script>alert(1)</script>"
                $0.ageFrom = 3
                $0.ageTo = 9
                $0.price = "0"
                $0.tags = "outdoors, crafts"
            }
            let page = try await site.browser().visit("/events/1")
            let event = try linkedData(page)
            // Required by Google's documentation of events: location, name, startDate.
            #expect(event["@context"] as? String == "https://schema.org" && event["@type"] as? String == "Event")
            #expect(event["name"] as? String == "Kites </script><script>alert(1)</script>")
            #expect(event["startDate"] as? String == "2027-03-27T10:00:00-07:00")
            let place = try #require(event["location"] as? [String: Any])
            let address = try #require(place["address"] as? [String: String])
            #expect(place["@type"] as? String == "Place" && address["addressLocality"] == "San Jose")
            // Recommended.
            for name in [
                "description", "endDate", "eventStatus", "eventAttendanceMode", "offers", "organizer",
                "typicalAgeRange", "maximumAttendeeCapacity", "remainingAttendeeCapacity", "isAccessibleForFree",
                "keywords", "url",
            ] { #expect(event[name] != nil, "\(name)") }
            #expect(event["eventStatus"] as? String == "https://schema.org/EventScheduled")
            let offer = try #require(event["offers"] as? [String: String])
            #expect(offer["price"] == "0" && offer["priceCurrency"] == "USD")
            #expect(offer["availability"] == "https://schema.org/InStock")
            // Once registration has closed.
            try await site.execute("UPDATE event SET closes_at = \(site.clock.now - .minutes(1))")
            let closed = try linkedData(try await site.browser().visit("/events/1"))["offers"] as? [String: String]
            #expect(closed?["availability"] == "https://schema.org/SoldOut" && closed?["validThrough"] != nil)
            try await site.execute("UPDATE event SET closes_at = NULL")

            func content(_ property: String) -> String? {
                page.html.all("meta").first { $0["property"] == property || $0["name"] == property }?["content"]
            }
            #expect(content("og:url") == "http://localhost:8080/events/1" && content("twitter:card") == "summary")
            #expect(content("og:image")?.hasPrefix("http://localhost:8080/assets/") == true)
            #expect(
                page.html.all("link").first { $0["rel"] == "canonical" }?["href"] == "http://localhost:8080/events/1")

            try await site.execute("UPDATE event SET cancelled_at = 1, listed = FALSE, taken = spots")
            let cancelled = try linkedData(try await site.browser().visit("/events/1"))
            #expect(cancelled["eventStatus"] as? String == "https://schema.org/EventCancelled")
            #expect((cancelled["offers"] as? [String: String])?["availability"] == "https://schema.org/SoldOut")
        }
    }

    @Test func `an event on the web is at its page, and a hidden one tells machines nothing`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben) {
                $0.onlineURL = "https://meet.example.org/secret-room"
                ($0.street, $0.city, $0.state, $0.zip) = ("", "", "", "")
            }
            let event = try linkedData(try await site.browser().visit("/events/1"))
            #expect(event["eventAttendanceMode"] as? String == "https://schema.org/OnlineEventAttendanceMode")
            #expect(
                event["location"] as? [String: String]
                    == ["@type": "VirtualLocation", "url": "http://localhost:8080/events/1"])
            try await site.execute("UPDATE event SET hidden_at = 1, listed = FALSE")
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/1")
            #expect(page.status == 200)
            #expect(
                !page.string.contains("ld+json") && !page.string.contains("og:") && !page.string.contains("canonical"))
        }
    }

    @Test func `the sitemap names what everybody may see`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben)
            let hidden = try await site.publish(by: .ben)
            try await site.execute("UPDATE event SET hidden_at = 1, listed = FALSE WHERE id = \(hidden)")
            let robots = try await site.browser().visit("/robots.txt")
            #expect(robots.string.contains("Sitemap: http://localhost:8080/sitemap.xml\n"))
            #expect(robots.string.contains("Disallow: /calendar\n"))
            let map = try await site.browser().visit("/sitemap.xml")
            #expect(map["Content-Type"] == "application/xml; charset=utf-8")
            for path in ["/events/1", "/providers/ben-ruiz", "/about"] {
                #expect(map.string.contains("<loc>http://localhost:8080\(path)</loc>"))
            }
            #expect(!map.string.contains("/events/2<"))
            site.clock.advance(by: .days(30))
            #expect(try await !site.browser().visit("/sitemap.xml").string.contains("/events/1<"))
        }
    }

    @Test func `whom to tell of a hole in the site is said where a setting names them`() async throws {
        try await withTestSite { site in
            let page = try await site.browser().visit("/.well-known/security.txt")
            #expect(page.status == 404)
        }
        for (typed, contact) in [
            ("desk@village.example", "mailto:desk@village.example"),
            ("https://village.example/security", "https://village.example/security"),
        ] {
            let settings = try Settings(environment: ["VILLAGE_SECURITY_CONTACT": typed])
            #expect(settings.securityContact == contact)
        }
        #expect(throws: Settings.Problems.self) {
            try Settings(environment: ["VILLAGE_SECURITY_CONTACT": "javascript:alert(1)"])
        }
    }

    // MARK: The flyer

    @Test func `a flyer says what, when and where, with a code and strips to tear off`() async throws {
        try await withTestSite { site in
            try await site.publish(by: .ben) {
                $0.ageFrom = 3
                $0.price = "0"
            }
            let ben = try await site.signIn(.ben, as: .provider)
            let own = try await ben.visit("/events/1").follow("Print a flyer")
            #expect(own.path == "/events/1/flyer")
            #expect(try await ben.visit("/events/1/registrations").link("Print a flyer") == "/events/1/flyer")
            let page = try await site.browser().visit("/events/1/flyer")
            #expect(page.heading == "Kite day")
            #expect(page.text.contains("Saturday, March 27, 2027") && page.text.contains("180 Park Ave, San Jose"))
            #expect(page.text.contains("from 3 years") && page.text.contains("Free"))
            #expect(page.text.contains("localhost:8080/events/1"))
            #expect(page.html.all(ofClass: "flyer-strips").first?.all("li").count == 10)
            let path = page.html.all("path").compactMap { $0["d"] }.first { $0.hasPrefix("M4 4h7v1h-7z") }
            #expect(path == QRCode("http://localhost:8080/events/1")?.path)
            #expect(try await site.browser().visit("/events/9/flyer").status == 404)
        }
    }

    @Test(arguments: [("US", "America/Los_Angeles", true), ("DE", "Europe/Berlin", false)])
    func `a flyer is as large as the paper of the country`(country: String, zone: String, isLetter: Bool) async throws {
        try await withTestSite(zone: zone, country: country) { site in
            try await site.publish(by: .ben)
            let page = try await site.browser().visit("/events/1/flyer")
            #expect(page.html.all(ofClass: "flyer").count == 1)
            #expect(page.html.all(ofClass: "flyer--letter").isEmpty == !isLetter)
        }
    }
}
