import Database
import Forms
import Testing

@testable import App

/// `near`, `/places`, `/events/map`: what is where.
@Suite struct NearTests {
    /// Kite day in San Jose, Swimming in Campbell six miles away, a fair in San Francisco, one in London, one online.
    private func fill(_ site: TestSite) async throws {
        try await site.gazetteer()
        try await site.publish(by: .ben) {
            $0.title = "Swimming"
            $0.city = "Campbell"
            $0.zip = "95008"
            $0.date = Day(iso: "2027-03-26")!
            $0.tags = "water"
        }
        try await site.publish(by: .ben) {
            $0.title = "Kite day"
            $0.zip = "95112"
            $0.date = Day(iso: "2027-03-28")!
            $0.price = "0"
        }
        try await site.publish(by: .ben) {
            $0.title = "Science fair"
            $0.city = "San Francisco"
            $0.zip = ""
            $0.date = Day(iso: "2027-03-25")!
            $0.tags = "water"
        }
        try await site.publish(by: .ben) {
            $0.title = "Tea for all"
            $0.city = "London"
            $0.country = "GB"
            $0.zip = ""
            $0.state = ""
            $0.date = Day(iso: "2027-03-24")!
        }
        try await site.publish(by: .ben) {
            $0.title = "Online story"
            $0.onlineURL = "https://meet.example.org"
            $0.street = ""
            $0.city = ""
            $0.zip = ""
            $0.date = Day(iso: "2027-03-23")!
        }
    }

    @Test(arguments: [
        // The nearest come first.
        ("near=95112", ["Kite day", "Swimming"]), ("near=San+Jose", ["Kite day", "Swimming"]),
        ("near=san+jos%C3%A9%2C+ca", ["Kite day", "Swimming"]), ("near=Campbell", ["Swimming", "Kite day"]),
        ("near=95112&within=5", ["Kite day"]), ("near=95112&within=5&unit=km", ["Kite day"]),
        ("near=95112&within=50", ["Kite day", "Swimming", "Science fair"]),
        ("near=95112&within=60&unit=km", ["Kite day", "Swimming"]), ("near=London%2C+United+Kingdom", ["Tea for all"]),
        ("near=Los+Gatos&within=25", ["Swimming", "Kite day"]), ("near=Suva", []),
        // In another order.
        ("near=95112&within=50&sort=soonest", ["Science fair", "Swimming", "Kite day"]),
        ("near=95112&within=50&sort=newest", ["Science fair", "Kite day", "Swimming"]),
        ("sort=newest", ["Online story", "Tea for all", "Science fair", "Kite day", "Swimming"]),
        ("sort=nearest", ["Online story", "Tea for all", "Science fair", "Swimming", "Kite day"]),
        // With other filters.
        ("near=95112&within=50&tag=water", ["Swimming", "Science fair"]), ("near=95112&price=free", ["Kite day"]),
        ("near=95112&within=50&from=2027-03-26", ["Kite day", "Swimming"]), ("near=95112&city=Campbell", ["Swimming"]),
        ("near=95112&within=50&to=2027-03-26&sort=soonest", ["Science fair", "Swimming"]),
        ("near=95112&within=50&q=wat", ["Swimming", "Science fair"]), ("near=95112&q=fair", []),
        ("near=95112&within=50&q=fair", ["Science fair"]),
        ("near=95112&within=50&q=wat&sort=soonest", ["Science fair", "Swimming"]),
        ("q=wat&sort=newest", ["Science fair", "Swimming"]),
        ("near=95112&age=4&when=week&free_places=3", ["Swimming"]),
        // By ZIP code.
        ("zip=95112", ["Kite day"]), ("zip=95008&tag=water", ["Swimming"]), ("zip=9511", []), ("zip=95112-1234", []),
    ])
    func `what is near is found, in each order and with all other filters`(
        query: String, titles: [String]
    ) async throws {
        try await withTestSite { site in
            try await fill(site)
            try await site.execute("UPDATE event SET created_at = created_at + id")
            let page = try await site.browser().visit("/events?\(query)")
            #expect(page.status == 200)
            #expect(
                page.cards.filter { titles.contains($0) } == titles && page.cards.count == titles.count, "\(page.cards)"
            )
            // The map's list holds the same, in the same order.
            let map = try await site.browser().visit("/events/map?\(query)")
            #expect(map.html.all(ofClass: "spot").compactMap { $0.first("h2")?.text } == titles)
        }
    }

    @Test func `the page says where, how far and in which order`() async throws {
        try await withTestSite { site in
            try await fill(site)
            let page = try await site.browser().visit("/events?near=95112")
            #expect(page.heading == "Events near San Jose")
            #expect(page.html.all("h2").contains { $0.text == "Nearest first" })
            #expect(page.links.contains { $0.text.hasPrefix("within 10 mi of San Jose, CA 95112") })
            #expect(page.text.contains("180 Park Ave, Campbell · 5.9 mi"))
            #expect(page.text.contains("Sun, Mar 28, 10 AM to 12 PM"))
            #expect(try await site.browser().visit("/events?sort=newest").text.contains("Sun, Mar 28, 10 AM to 12 PM"))
            #expect(try await page.follow("Map").path == "/events/map?near=95112")
            #expect(try await page.follow("Map").follow("List").path == "/events?near=95112")
            let none = try await site.browser().visit("/events?near=95112&within=5&tag=water")
            #expect(none.link("Look within 10 mi")?.contains("within=10") == true)
        }
    }

    @Test func `of several places of one name one is chosen, and an unknown one is said to be so`() async throws {
        try await withTestSite { site in
            try await fill(site)
            var page = try await site.browser().visit("/events?near=Springfield")
            #expect(page.text.contains("Which “Springfield” is it?") && page.cards.count == 5)
            page = try await page.follow("Springfield, MA")
            #expect(page.heading == "Events near Springfield" && page.cards.isEmpty)
            page = try await site.browser().visit("/events?near=San+Jose")
            #expect(page.text.contains("This is San Jose, CA. Did you mean another?"))
            #expect(page.link("San José, Costa Rica") == "/events?near=San%20Jos%C3%A9%2C%20Costa%20Rica")
            page = try await site.browser().visit("/events?near=Xyzzy")
            #expect(page.text.contains("We don’t know a place called “Xyzzy”") && page.cards.count == 5)
            page = try await site.browser().visit("/events?near=99999")
            #expect(page.text.contains("We don’t know a place called “99999”"))
        }
    }

    @Test(arguments: [
        ("95112", "Events near 95112", "/events?near=95112"),
        ("san+jose", "Events near San Jose, CA", "/events?near=San%20Jose%2C%20CA"),
        ("Los+Gatos%2C+CA", "Events near Los Gatos, CA", "/events?near=Los%20Gatos%2C%20CA"),
        ("London", "Events near London, United Kingdom", "/events?near=London%2C%20United%20Kingdom"),
        ("kite", nil, nil), ("9511", nil, nil), ("san+jose+kites", nil, nil),
    ])
    func `a ZIP code or a town among the words is offered as a place`(
        query: String, words: String?, link: String?
    ) async throws {
        try await withTestSite { site in
            try await fill(site)
            let page = try await site.browser().visit("/events?q=\(query)")
            let offers = page.links.filter { $0.text.hasPrefix("Events near") }
            #expect(offers.map(\.text) == [words].compactMap(\.self))
            #expect(offers.map(\.href) == [link].compactMap(\.self))
        }
    }

    @Test func `a parent is offered the own town, and a stranger isn't`() async throws {
        try await withTestSite { site in
            try await fill(site)
            let ana = try await site.signIn(.ana, as: .parent)
            let page = try await ana.visit("/events").follow("Near me")
            #expect(page.path == "/events?near=San%20Jose%2C%20CA")
            #expect(page.cards == ["Kite day", "Swimming"])
            #expect(try await site.browser().visit("/events").link("Near me") == nil)
        }
    }

    @Test func `typing a place offers what fits, as a page and to scripts`() async throws {
        try await withTestSite { site in
            try await fill(site)
            let browser = site.browser()
            let page = try await browser.visit("/places?q=san+jo")
            #expect(page.rows == ["San Jose, CA", "San José, Costa Rica"])
            #expect(try await page.follow("San Jose, CA").cards == ["Kite day", "Swimming"])
            let answer = try await browser.send("GET", "/places?q=9511", ["Accept": "application/json"])
            #expect(answer.string == #"{"items":["San Jose, CA 95112","San Jose, CA 95113"]}"#)
            for typed in [
                "", "x", "san%00", "%F0%9F%8E%AA%F0%9F%8E%AA", "%25%25", "'%3B--", String(repeating: "a", count: 3_000),
            ] {
                #expect(try await browser.visit("/places?q=\(typed)").status == 200)
            }
            #expect(try await browser.visit("/places?q=los+g").link("Los Gatos, CA") != nil)
        }
    }

    @Test func `a long list around a place goes on page by page, in each order, without a gap or a double`()
        async throws
    {
        try await withTestSite { site in
            try await site.gazetteer()
            // 90 events at 30 points around San Jose, several at the same minute.
            var random = SeededGenerator(seed: 3)
            for number in 0..<90 {
                let event = try await site.publish(by: .ben) {
                    $0.title = "Event \(number)"
                    $0.date = Day(iso: "2027-03-2\(1 + number % 5)")!
                }
                let point = number % 30
                let coordinate = Coordinate(
                    latitude: 37.34 + Double(point) / 300,
                    longitude: -121.89 + Double(random.number(in: -9...9)) / 5_000)!
                try await site.write { db in
                    let place = try Point.id(at: coordinate, in: db)
                    try db.execute(
                        "UPDATE event SET point_id = \(place), created_at = \(1_000 + number / 7) WHERE id = \(event)")
                }
            }
            for (query, order) in [
                ("near=San+Jose", EventFilter.Sort.nearest), ("near=San+Jose&sort=soonest", .soonest),
                ("near=San+Jose&sort=newest", .newest), ("near=San+Jose&q=event", .nearest),
                ("near=San+Jose&q=event&sort=newest", .newest), ("sort=newest", .newest),
                ("q=event&sort=newest", .newest),
            ] {
                var page = try await site.browser().visit("/events?\(query)")
                var titles = page.cards
                while page.link("Show more events") != nil {
                    page = try await page.follow("Show more events")
                    titles += page.cards
                }
                #expect(titles.count == 90 && Set(titles).count == 90, "\(query): \(titles.count)")
                // Against the whole list, sorted here.
                let centre = Coordinate(latitude: 37.3394, longitude: -121.895)!
                let all: [(title: String, id: Int, start: Int, made: Int, place: Int, far: Double)] =
                    try site.read { db in
                        try db.all(
                            """
                            SELECT title, event.id, starts_at, created_at, point_id, latitude, longitude
                            FROM event JOIN point ON point.id = point_id LIMIT 100
                            """
                        ) { row in
                            (
                                try row.next(), try row.next(), try row.next(), try row.next(), try row.next(),
                                (try row.next() as Coordinate).distance(to: centre)
                            )
                        }
                    }
                let expected = all.sorted {
                    switch order {
                    case .nearest: ($0.far, $0.place, $0.start, $0.id) < ($1.far, $1.place, $1.start, $1.id)
                    case .soonest: ($0.start, $0.id) < ($1.start, $1.id)
                    case .newest: ($0.made, $0.id) > ($1.made, $1.id)
                    }
                }.map(\.title)
                #expect(titles == expected, "\(query)")
            }
        }
    }

    @Test func `where places are many, the soonest near one are the same`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            for number in 0..<12 {
                try await site.publish(by: .ben) {
                    $0.title = "Event \(number)"
                    $0.date = Day(iso: "2027-03-2\(1 + number % 5)")!
                    $0.city = number % 3 == 0 ? "London" : "San Jose"
                    $0.country = number % 3 == 0 ? "GB" : "US"
                    $0.zip = "95113"
                }
            }
            let query = "/events?near=San+Jose&sort=soonest"
            let few = try await site.browser().visit(query).cards
            try await site.write { db in
                for number in 0..<450 {
                    _ = try Point.id(
                        at: Coordinate(latitude: 37.3 + Double(number) / 10_000, longitude: -121.9)!, in: db)
                }
            }
            #expect(few.count == 8)
            #expect(try await site.browser().visit(query).cards == few)
        }
    }
}

/// The pin of an event, and the maps that show it.
@Suite struct PinTests {
    private let kiteDay: [String: Filling] = [
        "title": "Kite day", "description": "We build kites.", "date": "2027-03-27", "start_time": "10:00",
        "address": "180 Park Ave", "city": "San Jose", "state": "CA", "zip": "95113", "country": "US", "spots": "5",
    ]

    private func stored(_ site: TestSite) throws -> Coordinate? {
        try site.read { db in
            try db.first("SELECT latitude, longitude FROM event JOIN point ON point.id = point_id")
        }
    }

    @Test func `an event is put where its ZIP code is, and the preview shows it`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            let ben = try await site.signIn(.ben, as: .provider)
            let preview = try await ben.visit("/events/new").press("Preview", filling: kiteDay)
            #expect(preview.text.contains("Is the pin in the right place?"))
            let map = try #require(preview.html.all(ofClass: "map").first)
            #expect(map["data-behaviour"] == "pin" && map["data-lat"] == "37.3329" && map["data-lon"] == "-121.8916")
            #expect(preview.value(of: "lat") == "")
            _ = try await preview.press("Publish")
            #expect(try stored(site) == Coordinate(latitude: 37.3329, longitude: -121.8916))
        }
    }

    @Test func `the provider puts the pin elsewhere, and without scripts types where`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            let ben = try await site.signIn(.ben, as: .provider)
            var page = try await ben.visit("/events/new").press("Preview", filling: kiteDay)
            page = try await page.press("Show it on the map", filling: ["lat": "37,3301", "lon": "-121.8899"])
            #expect(page.html.all(ofClass: "map").first?["data-lat"] == "37.3301")
            #expect(page.value(of: "lat") == "37,3301")
            page = try await page.press("Back to editing")
            page = try await page.press("Preview", filling: ["title": "Kites"])
            _ = try await page.press("Publish")
            #expect(try stored(site) == Coordinate(latitude: 37.3301, longitude: -121.8899))
            // A change leaves it there; another place takes it along.
            page = try await ben.visit("/events/1/edit").press("Preview", filling: ["title": "Kites again"])
            _ = try await page.press("Publish the change")
            #expect(try stored(site) == Coordinate(latitude: 37.3301, longitude: -121.8899))
            page = try await ben.visit("/events/1/edit").press(
                "Preview", filling: ["address": "12 Taylor St", "zip": "95112"])
            #expect(page.html.all(ofClass: "map").first?["data-lat"] == "37.3476" && page.value(of: "lat") == "")
            _ = try await page.press("Publish the change")
            #expect(try stored(site) == Coordinate(latitude: 37.3476, longitude: -121.887))
            page = try await ben.visit("/events/1/edit").press(
                "Preview", filling: ["city": "London", "country": "GB", "state": "", "zip": ""])
            _ = try await page.press("Publish the change")
            #expect(try stored(site) == Coordinate(latitude: 51.5085, longitude: -0.1257))
        }
    }

    @Test func `half a coordinate, or one that isn't on the earth, is refused with everything kept`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            let ben = try await site.signIn(.ben, as: .provider)
            for (lat, lon) in [
                ("37.3", ""), ("", "-121"), ("91", "0"), ("north", "west"), ("nan", "0"), ("1e400", "0"),
            ] {
                let preview = try await ben.visit("/events/new").press("Preview", filling: kiteDay)
                let page = try await preview.press("Publish", filling: ["lat": .texts([lat]), "lon": .texts([lon])])
                #expect(page.status == 422 && page.problems.count == 1, "\(lat) \(lon)")
                #expect(page.value(of: "title") == "Kite day" && page.value(of: "lat") == lat)
            }
            #expect(try site.count(of: "event") == 0)
        }
    }

    @Test func `a place nobody knows has no pin, until somebody puts one`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let preview = try await ben.visit("/events/new").press("Preview", filling: kiteDay)
            #expect(preview.text.contains("We don’t know this place."))
            let page = try await preview.press("Publish").follow("See the event")
            #expect(page.status == 200 && page.html.all(ofClass: "map").isEmpty)
            #expect(
                try await site.browser().visit("/events/map").text.contains(
                    "1 of these events has no place on the map."))
        }
    }

    @Test func `the event's page shows where it is, and leads to it among all others`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            for title in ["One", "Two"] { try await site.publish(by: .ben) { $0.title = title } }
            let page = try await site.browser().visit("/events/2")
            let map = try #require(page.html.all(ofClass: "map").first)
            #expect(map["data-lat"] == "37.3329" && !map.all("path").isEmpty)
            #expect(page.links.contains { $0.href.hasPrefix("geo:37.3329,-121.8916?q=180%20Park%20Ave") })
            let among = try await page.follow("Show on the map")
            #expect(among.path == "/events/map?event=2")
            #expect(among.html.all(ofClass: "spot").compactMap { $0.first("h2")?.text } == ["Two", "One"])
            #expect(among.html.all(ofClass: "spot--chosen").map { $0["id"] } == ["event-2"])
            // Its pin stands by itself, though another event is at the same place.
            let marks = among.html.all(ofClass: "map-mark").filter { $0["href"] != nil }
            #expect(marks.map { $0["href"] } == ["/events/1", "/events/2"])
            #expect(among.html.all(ofClass: "map-mark--chosen").map { $0["aria-current"] } == ["true"])
            // The poster leads there too.
            #expect(
                page.html.all(ofClass: "hero").flatMap { $0.all("a") }.map { $0["href"] } == ["/events/map?event=2"])
            try await site.execute("UPDATE event SET hidden_at = 1, listed = FALSE WHERE id = 2")
            #expect(!(try await site.browser().visit("/events/map?event=2").text.contains("Two")))
        }
    }

    @Test func `a map names the outlines around its town, which a browser keeps for a release; a wide one names none`()
        async throws
    {
        try await withTestSite { site in
            try await site.gazetteer()
            try await site.publish(by: .ben)
            let (visitor, release) = (site.browser(), site.site.assets.digest)
            func around(_ path: String) async throws -> String? {
                try #require(try await visitor.visit(path).html.all(ofClass: "map").first)["data-around"]
            }
            #expect(try await around("/events/map") == "/outlines/\(release)/37/-122")
            #expect(try await around("/events/1") == "/outlines/\(release)/37/-122")
            #expect(try await around("/events/map?near=95112&within=200&q=nothing") == nil)
            let cut = try await visitor.visit("/outlines/\(release)/37/-122")
            #expect(cut.status == 200 && cut["Content-Type"] == "application/json")
            #expect(cut["Cache-Control"] == "public, max-age=31536000, immutable")
            #expect(cut.string.contains("\"states\":[[") && cut.string.utf8.count < 12_000)
            // A page that is still open under an earlier release has them all the same, but they aren't kept.
            let earlier = try await visitor.visit("/outlines/earlier/37/-122")
            #expect(earlier.string == cut.string && earlier["Cache-Control"] == "no-cache")
            for nowhere in ["91/0", "0/181", "x/0", "0/1.5"] {
                #expect(try await visitor.visit("/outlines/\(release)/\(nowhere)").status == 404, "\(nowhere)")
            }
        }
    }

    @Test func `a map that shows a part of the events says so`() async throws {
        try await withTestSite { site in
            for number in 1...45 { try await site.publish(by: .ben) { $0.title = "Kite \(number)" } }
            let page = try await site.browser().visit("/events/map")
            #expect(page.text.contains("The first 40 of 45 events") && page.html.all(ofClass: "spot").count == 40)
            #expect(page.html.all(ofClass: "map").first?["data-others"] == nil, "none of them has a place")
            #expect(try await !site.browser().visit("/events").text.contains("The first"))
            try await site.execute("UPDATE event SET listed = FALSE WHERE id > 40")
            #expect(try await site.browser().visit("/events/map?q=kite").text.contains("40 events"))
        }
    }

    @Test func `the map has all events of the filter, and each pin leads to what is there`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            for number in 1...45 { try await site.publish(by: .ben) { $0.title = "Kite \(number)" } }
            for number in 1...3 {
                try await site.publish(by: .ben) {
                    $0.title = "Fair \(number)"
                    $0.date = Day(iso: "2027-04-10")!
                    $0.city = "San Francisco"
                    $0.zip = ""
                    $0.spots = number == 1 ? 3 : 20
                }
            }
            var page = try await site.browser().visit("/events/map")
            func counts() -> [String] {
                page.html.all(ofClass: "map-mark").compactMap { $0.first("text")?.text }.sorted()
            }
            #expect(counts() == ["3", "45"])
            let others = try #require(page.html.all(ofClass: "map").first?["data-others"])
            #expect(others == "37.3329 -121.8916 5 41;37.7749 -122.4194 3 46")
            let pin = try #require(page.html.all(ofClass: "map-mark").first { $0.first("text")?.text == "3" })
            #expect(pin["href"] == "/events/map?event=46")
            let there = try await site.browser().visit("/events/map?event=46")
            let spots = there.html.all(ofClass: "spot").compactMap { $0.first("h2")?.text }
            #expect(spots == ["Fair 1", "Fair 2", "Fair 3"])
            // The filter holds for them, too, and on the next page the first ones are the others.
            page = try await site.browser().visit("/events/map?free_places=5")
            #expect(counts() == ["2", "45"])
            page = try await site.browser().visit("/events/map").follow("Show the next ones")
            #expect(counts() == ["3", "45"])
            page = try await site.browser().visit("/events/map?near=95113&within=50")
            #expect(counts().contains("45"))
            page = try await site.browser().visit("/events/map?q=fair")
            #expect(counts() == ["3"])
        }
    }

    @Test func `without scripts the map is a drawing, with pins that are links`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            try await site.publish(by: .ben) { $0.title = "Kite day" }
            try await site.publish(by: .ben) {
                $0.title = "Fair"
                $0.city = "San Francisco"
                $0.zip = ""
            }
            let page = try await site.browser().visit("/events/map")
            let drawing = try #require(page.html.all(ofClass: "map-drawn").first)
            #expect(drawing.all(ofClass: "map-mark").compactMap { $0["href"] } == ["/events/1", "/events/2"])
            #expect(page.string.utf8.count < 60_000)
            let names = drawing.all(ofClass: "map-town").map(\.verbatim)
            #expect(names.contains("San Jose") && names.contains("San Francisco"))
        }
    }

    @Test func `streets come from another host only once somebody asked for them`() async throws {
        try await withTestSite(mapTiles: "https://tiles.example/{z}/{x}/{y}.png") { site in
            try await site.gazetteer()
            try await site.publish(by: .ben)
            for path in ["/events/map", "/events/1"] {
                var page = try await site.browser().visit(path)
                #expect(page["Content-Security-Policy"]?.contains("tiles.example") == false)
                #expect(!page.string.contains("tiles.example"))
                #expect(page.link("Show streets") == "\(path)?streets=1")
                page = try await page.follow("Show streets")
                #expect(
                    page["Content-Security-Policy"]?.contains("img-src 'self' https://tiles.example blob:;") == true)
                #expect(page.html.all(ofClass: "map").first?["data-tiles"] == "https://tiles.example/{z}/{x}/{y}.png")
                #expect(page.text.contains("Streets: © OpenStreetMap contributors."))
            }
            // On a preview, whose address is a form's, a button of the form asks for them.
            let ben = try await site.signIn(.ben, as: .provider)
            var preview = try await ben.visit("/events/new").press("Preview", filling: kiteDay)
            let form = try preview.form(with: "Publish")
            #expect(preview["Content-Security-Policy"]?.contains("tiles.example") == false)
            preview = try await ben.post(
                "/events/new?streets=1", form.pairs.filter { $0.name != "step" } + [("step", "preview")])
            #expect(preview["Content-Security-Policy"]?.contains("https://tiles.example") == true)
            #expect(preview.html.all(ofClass: "map").first?["data-tiles"] != nil && preview.heading == "Kite day")
            // The next page is as before, also from the cache.
            #expect(
                try await site.browser().visit("/events/map")["Content-Security-Policy"]?.contains("tiles") == false)
        }
        try await withTestSite { site in
            let page = try await site.browser().visit("/events/map?streets=1")
            #expect(page["Content-Security-Policy"]?.contains("img-src 'self' blob:;") == true)
            #expect(page.link("Show streets") == nil)
        }
    }
}

/// The gazetteer as it comes with the program.
@Suite struct GazetteerTests {
    @Test func `the files fill it once, and a new edition takes the place of the old one`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            try await site.site.prepare()
            // Without the other names of some.
            #expect(try site.count(of: "town WHERE band >= 0") == 34_006)
            #expect(try site.count(of: "zip") == 42_789)
            func first(_ typed: String) throws -> String? {
                try site.read { db in try Gazetteer.matches(typed, country: "US", in: db).first?.label }
            }
            #expect(try first("San Jo") == "San Jose, CA")
            #expect(try first("paris") == "Paris, France")
            #expect(try first("zurich") == "Zürich, Switzerland")
            // As they are called where they are, and with their umlauts spelled out.
            for (typed, label) in [
                ("München", "München, Germany"), ("muenchen", "München, Germany"), ("Koeln", "Köln, Germany"),
                ("Wien", "Wien, Austria"), ("København", "København, Denmark"), ("東京", "東京, Japan"),
                ("القاهرة", "القاهرة, Egypt"), ("Київ", "Київ, Ukraine"),
            ] {
                #expect(try first(typed) == label)
            }
            try site.read { db in
                let far = Address(city: "Владивосток", country: "RU")
                #expect(try Gazetteer.zone(of: far, in: db)?.identifier == "Asia/Vladivostok")
                let munich = try #require(
                    try Gazetteer.coordinate(of: Address(city: "Munich", country: "DE"), in: db))
                #expect(try Gazetteer.coordinate(of: Address(city: "Muenchen", country: "DE"), in: db) == munich)
                // A map shows each once.
                let around = try Gazetteer.towns(in: Circle(centre: munich, kilometres: 3).box, atMost: 9, in: db)
                #expect(around.count { $0.coordinate == munich } == 1)
            }
            #expect(try first("05402") == "Burlington, VT 05402")
            #expect(try first("holtsville") == "Holtsville, NY")
            #expect(try first("Misato, Saitama") == "Misato, Saitama, Japan")
            let answers = try site.read { db in
                try ["Springfield", "San Jose", "New York, NY", "Berlin, Germany", "sa"].map {
                    try Gazetteer.answer($0, country: "US", in: db)
                }
            }
            #expect(answers[0].match == nil && answers[0].others.count == 10)
            #expect(answers[1].match?.label == "San Jose, CA")
            #expect(answers[2].match?.label == "New York, NY")
            #expect(answers[3].match?.population == 3_426_354)
            let address = Address(street: "Hauptstr. 1", city: "Görlitz", zip: "02826", country: "DE")
            let found = try site.read { db in try Gazetteer.coordinate(of: address, in: db) }
            #expect(try #require(found).distance(to: Coordinate(latitude: 51.155, longitude: 14.988)!) < 5)

            // In already: nothing is read or written.
            try await site.execute("DELETE FROM zip WHERE code = '95112'")
            let version = site.site.dataVersion
            try await site.site.prepare()
            #expect(try site.count(of: "zip") == 42_788)
            #expect(site.site.dataVersion == version, "a start that finds everything as it was waits for no disk")
            try await site.execute("UPDATE note SET value = 'older' WHERE name = 'gazetteer'")
            try await site.site.prepare()
            #expect(try site.count(of: "zip") == 42_789)
        }
    }
}
