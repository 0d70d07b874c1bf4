import Forms
import Foundation
import Templating
import Testing

@testable import App

@Suite struct CoordinateTests {
    private let sanJose = Coordinate(latitude: 37.3394, longitude: -121.895)!

    @Test(arguments: [
        // San Francisco, New York, London, Sydney, Reykjavík: on the ellipsoid of WGS 84 (Vincenty), in kilometers.
        (37.7749, -122.4194, 67.0), (40.7128, -74.006, 4_112.4), (51.5085, -0.1257, 8_654.4),
        (-33.8688, 151.2093, 11_951.0), (64.1466, -21.9426, 6_791.9), (37.3394, -121.895, 0),
    ])
    func `distances are right within half a percent`(latitude: Double, longitude: Double, kilometres: Double) {
        let other = Coordinate(latitude: latitude, longitude: longitude)!
        let distance = sanJose.distance(to: other)
        #expect(abs(distance - kilometres) <= kilometres / 200, "\(distance)")
        #expect(distance == other.distance(to: sanJose))
    }

    @Test func `what isn't on the earth is no coordinate, and a metre is as near as it gets`() {
        #expect(Coordinate(latitude: 90.1, longitude: 0) == nil && Coordinate(latitude: 0, longitude: -180.1) == nil)
        #expect(Coordinate(latitude: .nan, longitude: 0) == nil && Coordinate(latitude: 0, longitude: .infinity) == nil)
        #expect(Coordinate(latitude: 37.3333333, longitude: 1) == Coordinate(latitude: 37.33333, longitude: 1))
    }

    @Test(arguments: [
        "37.3352, -121.8811", "37.3352;-121.8811", "+37.3352 -121.8811", "37.3352° N, 121.8811° W",
        "37.3352N 121.8811W", "37,3352; -121,8811", "37,3352, -121,8811", "(37.3352, -121.8811)",
        "geo:37.3352,-121.8811", "37.3352°, –121.8811°", "37°20'06.72\"N 121°52'51.96\"W",
        "37° 20.112′ N 121° 52.866′ W", "٣٧.٣٣٥٢، -١٢١.٨٨١١",
    ])
    func `what maps apps copy is read`(typed: String) {
        #expect(Coordinate(typed: typed) == Coordinate(latitude: 37.3352, longitude: -121.8811))
    }

    @Test(arguments: ["0x1p5, 2", "1e1, 2", "nan, 2", "37", "37, 1, 2", "north, west", "", "37° N, 121° N", "121.8 W"])
    func `what isn't degrees is no point`(typed: String) { #expect(Coordinate(typed: typed) == nil) }

    @Test func `everything within a circle is in its box, across the date line and at the poles too`() {
        var random = SeededGenerator(seed: 7)
        func number(_ limit: Double) -> Double { Double(random.number(in: -1_000_000...1_000_000)) / 1_000_000 * limit }
        var inside = 0
        for _ in 0..<3_000 {
            let centre = Coordinate(latitude: number(90), longitude: number(180))!
            let circle = Circle(centre: centre, kilometres: abs(number(400)) + 1)
            let point = Coordinate(
                latitude: max(-90, min(90, centre.latitude + number(4))),
                longitude: remainder(centre.longitude + number(12), 360))!
            guard centre.distance(to: point) <= circle.kilometres else { continue }
            inside += 1
            #expect(circle.box.contains(point), "\(circle) \(point)")
            #expect(circle.box.bands.contains(point.band))
        }
        #expect(inside > 300)
        let fiji = Circle(centre: Coordinate(latitude: -17, longitude: 179.9)!, kilometres: 50).box
        #expect(fiji.west > fiji.east && fiji.longitudes.count == 2)
        #expect(fiji.contains(Coordinate(latitude: -17, longitude: -179.9)!))
        #expect(!fiji.contains(Coordinate(latitude: -17, longitude: 0)!))
    }

    @Test func `a sheet has the size that is usual in its country`() {
        for country in ["US", "CA", "MX", "PH", "CL", "CO", "VE", "CR", "GT", "PA", "DO", "PR"] {
            #expect(Paper.usual(in: country) == .letter)
        }
        for country in ["DE", "GB", "AR", "ES", "PE", "EG"] { #expect(Paper.usual(in: country) == .a4) }
    }

    @Test func `a distance is said as people say it`() {
        #expect(Distance(kilometres: 1.931, unit: .miles).name.english == "1.2 mi")
        #expect(Distance(kilometres: 1.2, unit: .kilometres).name.english(in: "de-DE") == "1,2 km")
        #expect(Distance(kilometres: 0.04, unit: .kilometres).name.english == "0.0 km")
        #expect(Distance(kilometres: 12.46, unit: .kilometres).name.english == "12 km")
        #expect(Distance(kilometres: 9.97, unit: .kilometres).name.english(in: "de-DE") == "10 km")
        for country in ["US", "GB", "PR"] { #expect(Distance.Unit.usual(in: country) == .miles) }
        for country in ["DE", "CA", "IE", "AU"] { #expect(Distance.Unit.usual(in: country) == .kilometres) }
        #expect(Distance.Unit.miles.ofCell.english == "about a mile")
        #expect(Distance.Unit.kilometres.ofCell.english == "about 2 km")
    }
}

@Suite struct GazetteerRulesTests {
    @Test(
        arguments: [
            ("95112", "", "95112", nil, nil), ("95112-1234", "", "95112", nil, nil), ("951", "", "951", nil, nil),
            ("San Jose, CA 95112", "", "95112", nil, nil), ("San  José", "san jose", "", nil, nil),
            ("san jose, ca", "san jose", "", "CA", "US"), ("San Jose, California", "san jose", "", "CA", "US"),
            ("San Jose CA", "san jose", "", "CA", "US"), ("Berlin, Germany", "berlin", "", nil, "DE"),
            ("Berlin, de", "berlin", "", "DE", "US"), ("10437 Berlin", "berlin", "", nil, nil),
            ("Paris, nowhere", "paris", "", nil, nil), ("", "", "", nil, nil), (" , ", "", "", nil, nil),
            ("12", "12", "", nil, nil), ("９５１１２", "", "95112", nil, nil), ("95112–1234", "", "95112", nil, nil),
            ("London SW1A 1AA", "london", "", nil, nil), ("1012 AB Amsterdam", "amsterdam", "", nil, nil),
            ("D-10437 Berlin", "berlin", "", nil, nil), ("Berlin, Deutschland", "berlin", "", nil, "DE"),
            ("Wien, Österreich", "wien", "", nil, "AT"), ("Munich, Alemania", "munich", "", nil, "DE"),
            ("London, UK", "london", "", nil, "GB"), ("Boston, USA", "boston", "", nil, "US"),
            ("Washington, D.C.", "washington", "", "DC", "US"), ("東京, 日本", "東京", "", nil, "JP"),
        ] as [(String, String, String, String?, String?)])
    func `what is typed is read as people mean it`(
        typed: String, key: String, zip: String, region: String?, country: String?
    ) {
        let wish = Gazetteer.Wish(typed)
        #expect(wish.key == key && wish.zip == zip && wish.region == region && wish.country == country, "\(wish)")
    }

    private func match(_ name: String, _ region: String, _ country: String, _ population: Int) -> Gazetteer.Match {
        Gazetteer.Match(
            name: name, region: region, country: country, coordinate: Coordinate(latitude: 1, longitude: 2)!,
            population: population)
    }

    @Test func `one is meant when it is three times as large as the next, and one's own country counts ten times`() {
        let here = match("San Jose", "CA", "US", 997_368)
        let there = match("San José", "", "CR", 335_007)
        let longer = match("San Jose del Monte", "", "PH", 9_000_000)
        let ranked = Gazetteer.ranked([longer, there, here], for: "san jose", country: "US")
        #expect(ranked == [here, there, longer])
        #expect(Gazetteer.answer(ranked, for: "san jose", country: "US") == .found(here, others: [there]))
        #expect(Gazetteer.answer(ranked, for: "san jose", country: "CR").match == nil)
        let springfields = [match("Springfield", "MO", "US", 170_188), match("Springfield", "MA", "US", 154_341)]
        #expect(Gazetteer.answer(springfields, for: "springfield", country: "US") == .several(springfields))
        #expect(Gazetteer.answer([], for: "x", country: "US") == .unknown)
    }

    @Test func `a label means the place it is the label of`() {
        for place in [match("San Jose", "CA", "US", 1), match("Côte-Saint-Luc", "", "CA", 1)] {
            let wish = Gazetteer.Wish(place.label)
            #expect(wish.key == folded(place.name) && wish.country == place.country)
        }
        var code = match("San Jose", "CA", "US", 1)
        code.zip = "95112"
        #expect(code.label == "San Jose, CA 95112" && Gazetteer.Wish(code.label).zip == "95112")
    }

    @Test func `what was packed is unpacked, and what is no gzip isn't`() {
        let text = Array(String(repeating: "San José, ", count: 5_000).utf8)
        let packed = text.withUnsafeBytes { Gzip.compress($0) }!
        #expect(packed.withUnsafeBytes { Gzip.unpack($0) } == text)
        #expect(Array(packed.dropLast(20)).withUnsafeBytes { Gzip.unpack($0) } == nil)
        #expect(Array("not packed at all, by anybody".utf8).withUnsafeBytes { Gzip.unpack($0) } == nil)
    }
}

@Suite struct MapTests {
    private let sanJose = Coordinate(latitude: 37.3394, longitude: -121.895)!

    @Test func `a point of the map is where it is on the earth`() {
        for latitude in stride(from: -85.0, through: 85, by: 17) {
            let point = MapPoint(latitude: latitude, longitude: 12)
            #expect(abs(point.latitude - latitude) < 1e-9 && abs(point.longitude - 12) < 1e-9)
        }
        // The tile of San Jose at zoom 10, as tile maps number it.
        let point = MapPoint(sanJose)
        #expect(Int(point.x * 1_024) == 165 && Int(point.y * 1_024) == 397)
    }

    @Test func `a view holds its points, across the date line too`() {
        let fiji = [(-18.1, 178.4), (-16.8, -179.9)].map { Coordinate(latitude: $0.0, longitude: $0.1)! }
        for points in [[sanJose], fiji, [sanJose, Coordinate(latitude: 51.5, longitude: 0)!]] {
            let view = MapView(points, kilometres: 8, width: 640, height: 440)
            for point in points {
                let (x, y) = view.pixel(nearest: point)
                #expect((20...620).contains(x) && (20...420).contains(y), "\(points) \(x) \(y)")
                #expect(view.box(times: 1).contains(point))
            }
        }
        #expect(MapView(fiji, kilometres: 8, width: 640, height: 440).zoom > 6)
    }

    @Test func `outlines come out of their files, and only what is in sight is drawn`() throws {
        let outlines = Outlines(TestFolder.outlines)
        #expect(try outlines.rings(.countries).count > 200)
        #expect(try outlines.rings(.states).count > 100)
        #expect(try outlines.rings(.counties).count > 3_000)
        #expect(Outlines.rings(in: Array("[\n[100,200,-5,5,10,0],\n[1]]".utf8)).count == 1)

        let near = MapView([sanJose], kilometres: 20, width: 640, height: 440)
        let place = MapDrawing.Place(coordinate: sanJose, name: "Kite day", link: Link("/events/1"))
        let drawing = try MapDrawing([place], in: near, outlines) { [] }
        #expect(drawing.ground.land.hasPrefix("M") && drawing.ground.land.utf8.count < 4_000)
        #expect(drawing.ground.counties.hasPrefix("M") && drawing.ground.counties.utf8.count < 4_000)
        let world = try MapDrawing([], in: MapView([], kilometres: 0, width: 640, height: 440), outlines) { [] }
        #expect(
            world.ground.counties.isEmpty && (5_000..<50_000).contains(world.ground.land.utf8.count),
            "\(world.ground.land.utf8.count)")
    }

    @Test func `a map that can be moved begins with the outlines around its town, and a wider one with all`() throws {
        let outlines = Outlines(TestFolder.outlines)
        let town = try #require(Surroundings(of: MapView([sanJose], kilometres: 20, width: 640, height: 440)))
        #expect(town == Surroundings(latitude: 37, longitude: -122))
        #expect(Surroundings(of: MapView([sanJose], kilometres: 900, width: 640, height: 440)) == nil)
        #expect(Surroundings(latitude: 86, longitude: 0) == nil && Surroundings(latitude: 0, longitude: 181) == nil)
        let cut = try outlines.cut(to: town)
        let text = String(decoding: cut, as: UTF8.self)
        #expect(text.hasPrefix("{\"bounds\":[[35,-125],[39,-119]],\"countries\":[],\"states\":[[-"))
        #expect(text.hasSuffix("]]}") && cut.count < 12_000, "\(cut.count)")
        // Some states and their counties, as they are in the files.
        let rings = Outlines.rings(in: cut)
        let all = try outlines.rings(.states) + outlines.rings(.counties)
        #expect((30..<60).contains(rings.count), "\(rings.count)")
        #expect(rings.allSatisfy { ring in all.contains { $0.points == ring.points } })
    }

    @Test func `places of one town have a map in common, which is drawn once`() throws {
        let outlines = Outlines(TestFolder.outlines)
        func drawn(_ latitude: Double, _ longitude: Double, asked: inout Int) throws -> MapDrawing {
            let point = Coordinate(latitude: latitude, longitude: longitude)!
            let view = MapView([point], kilometres: 40, width: 640, height: 280)
            return try MapDrawing(
                [.init(coordinate: point, name: "x", link: nil)], in: view, outlines,
                towns: {
                    asked += 1
                    return []
                })
        }
        var asked = 0
        let library = try drawn(37.3382, -121.8863, asked: &asked)
        let park = try drawn(37.3421, -121.8801, asked: &asked)
        #expect(asked == 1)
        #expect(library.ground.land == park.ground.land && library.pins[0].x != park.pins[0].x)
        let far = try drawn(34.05, -118.24, asked: &asked)
        #expect(asked == 2 && far.ground.land != library.ground.land)
        for drawing in [library, park, far] {
            #expect(abs(drawing.pins[0].x - 320) <= 40 && abs(drawing.pins[0].y - 140) <= 40)
        }
    }

    @Test func `no pin lies over the name of a town`() throws {
        let outlines = Outlines(TestFolder.outlines)
        let view = MapView([sanJose], kilometres: 10, width: 640, height: 280)
        let town = Gazetteer.Match(
            name: "San Jose", region: "CA", country: "US", coordinate: sanJose, population: 1)
        func name(underPinAt up: Double) throws -> MapDrawing.Town {
            let point = Coordinate(latitude: sanJose.latitude + up, longitude: sanJose.longitude)!
            let drawing = try MapDrawing(
                [.init(coordinate: point, name: "x", link: nil)], in: view, outlines, towns: { [town] })
            let (name, pin) = (drawing.towns[0], drawing.pins[0])
            #expect(drawing.ground.towns[0].isShown && name.isShown)
            #expect(abs(name.y - 3 - pin.y) >= 11 + 7, "\(name.y), \(pin.y)")
            return name
        }
        let usual = try name(underPinAt: 0.02)
        #expect(try name(underPinAt: 0).y == usual.y)
        #expect(try name(underPinAt: -0.004).y != usual.y)
        #expect(try name(underPinAt: -0.006).y != usual.y)
    }

    @Test func `pins that would cover each other become one`() throws {
        let outlines = Outlines(TestFolder.outlines)
        let view = MapView(
            [sanJose, Coordinate(latitude: 37.77, longitude: -122.42)!], kilometres: 8, width: 640, height: 440)
        let places = [(37.3394, -121.895), (37.3395, -121.8951), (37.77, -122.42)].map {
            MapDrawing.Place(
                coordinate: Coordinate(latitude: $0.0, longitude: $0.1)!, name: "x", link: Link("/events/1"),
                entry: Link("#event-1"))
        }
        let pins = try MapDrawing(places, in: view, outlines, towns: { [] }).pins
        #expect(pins.map(\.count) == [2, 1])
        #expect(pins[0].link == Link("#event-1") && pins[1].link == Link("/events/1"))
    }

    @Test func `the pin the map was opened for stands alone and above the others`() throws {
        let outlines = Outlines(TestFolder.outlines)
        let view = MapView([sanJose], kilometres: 8, width: 640, height: 440)
        let places = (0..<4).map { number in
            MapDrawing.Place(
                coordinate: sanJose, name: Words(verbatim: "\(number)"), link: Link("/events/1"), isChosen: number == 1)
        }
        let pins = try MapDrawing(places, in: view, outlines, towns: { [] }).pins
        #expect(pins.map { $0.names.map(\.english) } == [["0", "2", "3"], ["1"]])
        #expect(pins.map(\.isChosen) == [false, true])
        #expect(pins[1].link == Link("/events/1"))
    }

    @Test func `the origin of tiles is their scheme and host`() {
        #expect(Streets.origin(of: "https://tiles.example:8443/{z}/{x}/{y}.png") == "https://tiles.example:8443")
        for tiles in [
            "https://a;script-src *.example/{z}/{x}/{y}", "https://{s}.example/{z}/{x}/{y}", "http://t/{z}{x}{y}",
        ] {
            #expect(throws: Settings.Problems.self) { try Settings(environment: ["VILLAGE_MAP_TILES": tiles]) }
        }
        #expect(throws: Never.self) {
            try Settings(environment: ["VILLAGE_MAP_TILES": "https://tiles.example/{z}/{x}/{y}.png"])
        }
    }

    @Test func `a place is handed to a maps app by its coordinate and address, and nothing gets out of them`() {
        let link = Link(geo: (37.3352, -121.8811), label: "180 Park Ave, \"x\"&y=1#")
        #expect(link.string == "geo:37.3352,-121.8811?q=180%20Park%20Ave%2C%20%22x%22%26y%3D1%23")
    }
}

@Suite struct AddressTests {
    @Test(arguments: [
        ("Toronto", "ON", "M5V 2T6", "CA", "Toronto ON M5V 2T6"),
        ("Queanbeyan", "NSW", "2620", "AU", "Queanbeyan NSW 2620"),
        ("London", "", "SW1A 1AA", "GB", "London SW1A 1AA"), ("Cork", "", "T12 X2Y3", "IE", "Cork T12 X2Y3"),
        ("New Delhi", "", "110001", "IN", "New Delhi 110001"),
        ("São Paulo", "SP", "01310-100", "BR", "São Paulo SP 01310-100"),
        ("Auckland", "", "1010", "NZ", "Auckland 1010"), ("Berlin", "", "10437", "DE", "10437 Berlin"),
        ("Paris", "", "75001", "FR", "75001 Paris"), ("San Jose", "CA", "95113", "US", "San Jose, CA 95113"),
        ("Chiyoda", "Tokyo", "100-0001", "JP", "Chiyoda, Tokyo 100-0001"), ("Seoul", "", "04524", "KR", "Seoul 04524"),
        ("渋谷区", "東京都", "150-0001", "JP", "〒150-0001 東京都渋谷区"), ("Roma", "RM", "00184", "IT", "00184 Roma RM"),
        ("Москва", "", "101000", "RU", "Москва, 101000"),
        ("Leeds", "West Yorkshire", "", "GB", "Leeds, West Yorkshire"),
        ("George Town", "", "KY1-1102", "KY", "George Town KY1-1102"),
        ("Windhoek", "", "10005", "NA", "Windhoek 10005"),
        ("中環", "", "", "HK", "中環"), ("Manila", "", "1000", "PH", "1000 Manila"),
    ])
    func `each country has an order`(city: String, state: String, zip: String, country: String, line: String) {
        #expect(Address(city: city, state: state, zip: zip, country: country).town == line)
    }

    @Test(arguments: [
        ("US", "９５１１３", "95113"), ("US", "951131234", "95113-1234"), ("US", "95113–1234", "95113-1234"),
        ("US", " 95113 1234", "95113-1234"), ("GB", "sw1a1aa", "SW1A 1AA"), ("GB", "M11AE", "M1 1AE"),
        ("GB", "SW1A\u{A0}1AA", "SW1A 1AA"), ("CA", "m5v2t6", "M5V 2T6"), ("CA", "M5V-2T6", "M5V 2T6"),
        ("IE", "t12x2y3", "T12 X2Y3"), ("IE", "D6WXY00", "D6W XY00"), ("NL", "1012ab", "1012 AB"),
        ("PL", "00001", "00-001"), ("PT", "1000001", "1000-001"), ("BR", "01310100", "01310-100"),
        ("JP", "〒150-0001", "150-0001"), ("JP", "１５０－０００１", "150-0001"), ("SE", "11122", "111 22"),
        ("IN", "110 001", "110001"), ("DE", "D-10437", "10437"), ("CH", "CH-8001", "8001"),
        ("SE", "SE-11122", "111 22"),
        ("EG", "١١٥١١", "11511"), ("LV", "LV-1010", "LV-1010"), ("GB", "London", "LONDON"), ("DE", "", ""),
        ("US", "9511", "9511"),
    ])
    func `a postal code is written as its country does`(country: String, typed: String, code: String) {
        #expect(PostalCode.written(typed, in: country) == code, "\(typed)")
        #expect(PostalCode.written(code, in: country) == code, "\(code)")
    }

    @Test func `the country stands in an address abroad, in the reader's language`() {
        let address = Address(street: "1 Front St", city: "Toronto", state: "ON", zip: "M5V 2T6", country: "CA")
        let line = AddressLine(name: "Hall", address: address)
        #expect(line.text(in: "en-CA") == "Hall, 1 Front St, Toronto ON M5V 2T6")
        #expect(line.text(in: "en-US") == "Hall, 1 Front St, Toronto ON M5V 2T6, Canada")
        #expect(line.text(in: "de-DE").hasSuffix(", Kanada"))
        #expect(AddressLine(name: "", address: Address(city: "", country: "CA")).text(in: "en-US") == "")
        let native = Address(street: "神宮前1-1", city: "渋谷区", state: "東京都", zip: "150-0001", country: "JP")
        #expect(native.line == "〒150-0001 東京都渋谷区神宮前1-1")
        #expect(Address(street: "皇后大道中1號", city: "中環", country: "HK").line == "中環皇后大道中1號")
    }

    @Test func `the way there is for the maps of each device`() throws {
        let address = Address(street: "1 Front St", city: "Toronto", state: "ON", zip: "M5V 2T6", country: "CA")
        let way = try #require(Directions(to: address))
        let query = "1%20Front%20St%2C%20Toronto%20ON%20M5V%202T6%2C%20Canada"
        #expect(way.apple.string == "https://maps.apple.com/?daddr=\(query)")
        #expect(way.app.string == "geo:0.0,0.0?q=\(query)")
        #expect(way.web.string == "https://www.openstreetmap.org/directions?to=\(query)")
        let pin = Directions(toPin: try #require(Coordinate(latitude: 37.33521, longitude: -121.88112)))
        #expect(pin.apple.string == "https://maps.apple.com/?daddr=37.33521%2C-121.88112")
        #expect(pin.web.string == "https://www.openstreetmap.org/directions?to=37.33521%2C-121.88112")
        #expect(Directions(to: Address()) == nil && Directions(to: "") == nil)
    }

    @Test func `a letter to all has commas, semicolons for Outlook, and an end`() {
        let some = ["o'neill+kids@a.example", "b@a.example"]
        #expect(
            Link(writingToAll: some)?.string == "mailto:?bcc=o%27neill%2Bkids%40a.example%2Cb%40a.example")
        #expect(Link(writingToAll: some, partedBy: ";")?.string.contains("example%3Bb") == true)
        let many = (0..<84).map { "family-\($0)@example.org" }
        #expect(Link(writingToAll: Array(many.prefix(40))) != nil && Link(writingToAll: many) == nil)
        #expect(Link(writingToAll: []) == nil)
    }
}

@Suite struct NearFilterTests {
    @Test func `near, within, unit, order and place in the list come back from the link`() throws {
        var filter = EventFilter()
        filter.near = "San José, CA"
        filter.within = 25
        filter.unit = .kilometres
        filter.sort = .nearest
        filter.zip = "95112"
        let place = Point.Nearby(id: ID(12), kilometres: 1.5)
        filter.after = Cursor(place, Instant(milliseconds: 1_805_990_000_000), ID(7))
        #expect(filter.link.string.hasSuffix("&after=1.5_12_1805990000000_7"))
        let query = try FormBody(query: filter.link.string.drop { $0 != "?" }.dropFirst())
        #expect(EventFilter(query, country: "US") == filter)
        #expect(filter.shown(onMap: true).string.hasPrefix("/events/map?"))
    }

    @Test func `the unit is the country's own unless another is asked for`() throws {
        let query = try FormBody(query: "near=x&within=0&sort=best&unit=yards")
        #expect(EventFilter(query, country: "US").usedUnit == .miles)
        let elsewhere = EventFilter(query, country: "DE")
        #expect(elsewhere.usedUnit == .kilometres && elsewhere.usedWithin == 10 && elsewhere.sort == nil)
    }
}
