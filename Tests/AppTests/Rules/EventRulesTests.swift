import Forms
import Templating
import Testing

@testable import App

@Suite struct AgeTests {
    private func child(_ year: Int, _ month: Int) -> Child {
        Child(id: ID(1), nickname: "Mo", birthMonth: month, birthYear: year)
    }

    private let day = Day(iso: "2027-03-27")!

    @Test func `each plan has more events than the one before, and a library’s calendar fits`() {
        #expect(Plan.allCases.map(\.events) == [10, 20, 50, 10_000])
        #expect(Plan(rawValue: "public") == .publicService)
    }

    @Test func `the age is that on the day of the event`() {
        #expect(child(2020, 2).ages(on: day) == 7...7)
        #expect(child(2020, 4).ages(on: day) == 6...6)
        #expect(child(2027, 4).ages(on: day) == 0...0)
    }

    @Test func `in the birth month both ages count`() {
        #expect(child(2020, 3).ages(on: day) == 6...7)
        #expect(child(2020, 3).age(on: day).english == "6 or 7 years")
        #expect(child(2027, 3).ages(on: day) == 0...0)
    }

    @Test func `a child fits when either of its ages does`() {
        let event = sample(ageFrom: 7, ageTo: 9)
        #expect(event.fits(6...7))
        #expect(event.fits(9...10))
        #expect(!event.fits(6...6))
        #expect(!event.fits(10...11))
        #expect(sample(ageFrom: nil, ageTo: nil).fits(0...0))
    }
}

@Suite struct EventWordsTests {
    @Test func `the ages are said in words`() {
        #expect(sample(ageFrom: 3, ageTo: 9).ages?.english == "3 to 9 years")
        #expect(sample(ageFrom: 3, ageTo: nil).ages?.english == "from 3 years")
        #expect(sample(ageFrom: nil, ageTo: 9).ages?.english == "up to 9 years")
        #expect(sample(ageFrom: 5, ageTo: 5).ages?.english == "5 years")
        #expect(sample(ageFrom: nil, ageTo: nil).ages == nil)
    }

    @Test func `an end not after the start is on the next day`() {
        var event = sample()
        event.schedule.end = TimeOfDay(typed: "1:00")
        #expect(event.time.plain == "10 AM to 1 AM the next day")
    }

    @Test func `how many places are left is told only while everybody can take one`() {
        let now = sample().startsAt - .days(1)
        #expect(sample().tellsRoom(at: now))
        let reasons: [(String, (inout Event) -> Void)] = [
            ("drawn", { $0.isDrawn = true }), ("canceled", { $0.cancelledAt = now }),
            ("opens later", { $0.admission.window.opensAt = now + .hours(1) }),
            ("closed", { $0.admission.window.closesAt = now }),
            (
                "nearby first",
                { event in
                    event.admission.window.firstZIPs = ["951"]
                    event.admission.window.firstUntil = now + .hours(1)
                }
            ),
        ]
        for (name, change) in reasons {
            var event = sample()
            change(&event)
            #expect(!event.tellsRoom(at: now) && !event.phase(at: now).tellsRoom, "\(name)")
            // Instead a card says why, but of a canceled event nothing.
            #expect((event.phase(at: now).window == nil) == event.isCancelled, "\(name)")
            var session = Activity(id: ID(1), content: .init(name: "Morning", schedule: event.schedule, spots: 5))
            event.admission.hasSessions = true
            #expect(session.room(at: event, now: now) == nil, "\(name)")
            session.cancelledAt = now
            #expect(session.room(at: sample(), now: now) == nil)
        }
        #expect(!sample().tellsRoom(at: sample().startsAt) && sample().phase(at: sample().endsAt).window == nil)
        let activity = Activity(id: ID(1), content: .init(name: "Puppets", schedule: sample().schedule, spots: 5))
        #expect(activity.room(at: sample(), now: now) != nil)
        #expect(activity.room(at: sample(), now: sample().endsAt) == nil)
    }

    @Test func `of a shift that began or whose opportunity is closed it is told how many places were taken`() {
        let (day, start, end) = (sample().day, sample().start, sample().end!)
        let shift = Shift(
            id: ID(1), day: day, start: start, end: end, startsAt: sample().startsAt, endsAt: sample().endsAt, spots: 5,
            taken: 2, lead: "")
        let before = shift.startsAt - .hours(1)
        #expect(shift.room(at: before, isClosed: false).english == "3 of 5 places left")
        #expect(shift.room(at: before, isClosed: true).english == "2 of 5 places taken")
        #expect(shift.room(at: shift.startsAt, isClosed: false).english == "2 of 5 places taken")
    }

    @Test func `the room is said in figures`() {
        var event = sample()
        event.taken = 11
        #expect(event.room.english == "1 place left")
        #expect(event.isNearlyFull)
        event.taken = 12
        #expect(event.room.english == "Full")
        #expect(!event.isNearlyFull)
    }

    @Test func `a long description is cut between words`() {
        var event = sample()
        event.details.description = String(repeating: "word ", count: 60)
        #expect(event.own.synopsis.hasSuffix("word…"))
        #expect(event.own.synopsis.count <= 161)
    }

    @Test func `the poster follows the title before it falls back`() {
        #expect(Motif(about: ["Kite day in the park"]) == .kite)
        #expect(Motif(about: ["Story hour"]) == .books)
        #expect(Motif(about: ["SWIMMING!"]) == .swim && Motif(about: ["An afternoon", "music"]) == .music)
        #expect(Motif(about: ["Unkited ½ kit", "ʞite", ""]) == .party)
    }
}

@Suite struct SearchKeyTests {
    @Test func `it orders by start, then by id`() {
        let hour = Instant(milliseconds: 1_800_000_000_000)
        let later = hour + .minutes(1)
        #expect(SearchKey(hour, ID(9)).rawValue < SearchKey(later, ID(1)).rawValue)
        #expect(SearchKey(hour, ID(1)).rawValue < SearchKey(hour, ID(2)).rawValue)
        #expect(SearchKey(before: hour).rawValue < SearchKey(hour, ID(1)).rawValue)
        #expect(SearchKey(before: later).rawValue > SearchKey(hour, ID(1 << 35)).rawValue)
    }
}

@Suite struct SearchWordsTests {
    @Test func `each word must be there as the beginning of one`() {
        #expect(SearchWords.query("Day  out")?.fts5 == "\"day\" * AND \"out\" *")
        #expect(SearchWords.query("Café")?.fts5 == "(\"cafe\" * OR \"_cafe\" *)")
    }

    @Test func `writing without blanks is found by each piece of it`() {
        #expect(SearchWords.index("夏休みLego教室") == "夏休 休み み lego 教室 室")
        #expect(SearchWords.query("水泳")?.fts5 == "\"水泳\"" && SearchWords.query("水")?.fts5 == "\"水\" *")
        #expect(SearchWords.query("水泳教室")?.tsquery == "('水泳' <-> '泳教' <-> '教室')")
        #expect(SearchWords.query("O’Neill")?.tsquery.contains("|") == true)
        #expect(SearchWords.query("水泳教室")?.fts5 == "\"水泳 泳教 教室\"")
        #expect(SearchWords.keys(of: "田中太郎") == ["田中太郎", "中太郎", "太郎", "郎"])
    }

    @Test func `what apostrophes and hyphens join is there in parts and as one`() {
        #expect(SearchWords.index("O’Neill") == "o neill oneill")
        #expect(SearchWords.keys(of: "Anne-Marie D'Amico") == ["annemariedamico", "mariedamico", "damico", "amico"])
        #expect(SearchWords.ofName("anne-marie d’amico") == ["annemarie", "damico"])
        for typed in ["kiga", "ki-ga", "Ki Ga", "treff"] {
            #expect(SearchWords.holds("Ki-Ga Treff", typed), "\(typed)")
        }
    }

    @Test func `long words of titles are found by their ends, and walking is no king`() {
        #expect(SearchWords.index("Schwimmkurs", isName: true).hasSuffix(" _kurs"))
        #expect(SearchWords.index("walking", isName: true) == "walking")
        #expect(SearchWords.index("Schwimmkurs") == "schwimmkurs")
    }

    @Test func `umlauts are found spelled out, both ways`() {
        #expect(SearchWords.index("Mädchen") == "madchen maedchen")
        #expect(SearchWords.index("Maedchen") == "maedchen madchen")
        #expect(SearchWords.index("Århus") == "arhus aarhus")
    }

    @Test func `an Arabic word is found with its article and without`() {
        #expect(SearchWords.index("المدرسة") == "المدرسه مدرسه")
        #expect(SearchWords.index("للأطفال") == "للاطفال اطفال")
        #expect(SearchWords.index("مدرسة") == "مدرسه" && SearchWords.index("الى") == "الي")
        #expect(SearchWords.query("المدرسة")?.fts5 == "(\"المدرسه\" * OR \"_المدرسه\" * OR \"مدرسه\" *)")
        #expect(SearchWords.holds("المكتبة العامة", "مكتبة") && SearchWords.holds("مكتبة المدينة", "المكتبة"))
    }

    @Test func `a Hebrew word is found behind the letters before it`() {
        #expect(SearchWords.index("הספרייה", isName: true).split(separator: " ").contains("_ספרייה"))
        #expect(SearchWords.holds("בספרייה העירונית", "ספרייה") && SearchWords.holds("צה״ל", "צהל"))
    }

    @Test(arguments: [
        ("کتاب\u{200C}خانه", "کتابخانه"), ("Sommer\u{200B}fest", "sommerfest"), ("King\u{2060}dom", "kingdom"),
        ("ශ්\u{200D}රී", "ශ්රී"), ("キッズ・クラブ", "キッズクラブ"), ("キッズ・クラブ", "クラブ"), ("\u{200F}King\u{200E}", "king"),
    ])
    func `borders that nobody sees part no word`(name: String, typed: String) {
        #expect(SearchWords.holds(name, typed))
        // Text that is nearly ASCII is folded without tables, and alike.
        if let quick = foldedASCII(name, joining: true) { #expect(quick == foldedUnicode(name, joining: true)) }
    }

    @Test(arguments: ["", "   ", "\"*(){}", "-- ;", "'", "😀"])
    func `without a word there is no query`(typed: String) {
        #expect(SearchWords.query(typed) == nil)
    }

    @Test func `no character of the query language gets through`() {
        let query = SearchWords.query("a\" OR b* NEAR(c) title:d ^e {f}")!
        #expect(
            query.fts5 == """
                "a" * AND "or" * AND "b" * AND ("near" * OR "_near" *) AND "c" * AND ("title" * OR "_title" *) \
                AND "d" * AND "e" *
                """)
        #expect(query.tsquery.hasPrefix("'a':* & 'or':* & 'b':* & (('near':*) | ('_near':*)) & 'c':* &"))
    }
}

@Suite struct EventFilterTests {
    private let saturday = Day(iso: "2027-03-27")!

    @Test func `the weekend is this one, on Saturday and on Sunday too`() {
        let weekend = EventFilter.When.weekend
        #expect(weekend.days(from: Day(iso: "2027-03-24")!) == (saturday, saturday.advanced(by: 1)))
        #expect(weekend.days(from: saturday) == (saturday, saturday.advanced(by: 1)))
        #expect(weekend.days(from: saturday.advanced(by: 1)) == (saturday.advanced(by: 1), saturday.advanced(by: 1)))
    }

    @Test func `what can't be read is left out`() throws {
        let query = try FormBody(
            query: "q=&age=4&age=99&age=x&free_places=-3&when=never&from=soon&after=1-x&sort=&tag=")
        let filter = EventFilter(query, country: "US")
        #expect(filter.ages == [4])
        #expect(filter.freePlaces == nil && filter.when == nil && filter.from == nil && filter.after == nil)
        #expect(filter.tags.isEmpty)
    }

    @Test func `its link leads to itself`() throws {
        var filter = EventFilter()
        filter.words = "kites & more?"
        filter.city = "San José"
        filter.from = saturday
        filter.ages = [4, 8]
        filter.freePlaces = 2
        filter.isFree = true
        filter.tags = ["out doors"]
        let query = try FormBody(query: filter.link.string.drop { $0 != "?" }.dropFirst())
        #expect(EventFilter(query, country: "US") == filter)
    }

    @Test func `each filter that is on can be taken off alone`() {
        var filter = EventFilter()
        filter.words = "kite"
        filter.ages = [4, 8]
        filter.isCovidSafe = true
        filter.event = ID(3)
        #expect(filter.chips.count == 5)
        #expect(filter.parts.contains { $0.without.event == nil })
        #expect(filter.chips.allSatisfy { $0.link != filter.link })
    }

    @Test func `what is offered beside a search is that search with one filter more, whatever is on`() throws {
        let parts = [
            "q=kite", "city=San+Jose", "zip=95112", "near=95113", "within=5", "unit=km", "from=2027-03-20", "from=soon",
            "to=2027-03-27", "to=never", "when=today", "age=5", "age=7", "free_places=2", "free_places=many",
            "price=free", "covid_safe=1", "audience=kids", "access=online", "written=es", "tag=music", "event=3",
            "sort=newest",
        ]
        var random = SeededGenerator(seed: 36)
        for _ in 0..<300 {
            let query = parts.filter { _ in random.number(in: 0..<4) == 0 }.joined(separator: "&")
            var filter = EventFilter(try FormBody(query: query), country: "US")
            filter.home = random.pick(["Campbell, CA", nil])
            filter.isMap = random.pick([true, false])
            var links: [Link] = []
            func add(_ change: (inout EventFilter) -> Void) { links.append(filter.link(change)) }
            if filter.when == nil, filter.from == nil, filter.to == nil {
                for when in EventFilter.When.allCases { add { $0.when = when } }
            }
            if let home = filter.home, filter.near.isEmpty { add { ($0.near, $0.city) = (home, "") } }
            if filter.freePlaces == nil { add { $0.freePlaces = 1 } }
            if !filter.isFree { add { $0.isFree = true } }
            if filter.audience == nil { add { $0.audience = .everyone } }
            if !filter.isCovidSafe { add { $0.isCovidSafe = true } }
            #expect(filter.offers.map(\.link) == links, "\(query)")
        }
    }

    @Test func `it looks no further into the past than for what may be on now`() {
        var filter = EventFilter()
        filter.from = saturday.advanced(by: -30)
        let now = Zone.utc.instant(saturday, TimeOfDay(typed: "12:00")!)
        #expect(filter.bounds(in: .utc, now: now).from == now - EventTimes.longest)
        filter.from = saturday.advanced(by: 1)
        #expect(filter.bounds(in: .utc, now: now).from == now + .hours(12))
    }
}

@Suite struct EventFormTests {
    private let now = Zone.utc.instant(Day(iso: "2027-03-20")!, TimeOfDay(typed: "10:00")!)

    private func submit(
        _ changes: [String: String] = [:], in zone: Zone = .utc, now: Instant? = nil
    ) -> Submission<EventForm> {
        var body: [String: String] = [
            "title": "Kite day", "description": "Build a kite and fly it.", "date": "2027-03-27",
            "start_time": "10:00", "end_time": "12:00", "country": "US", "address": "180 Park Ave",
            "city": "San Jose", "state": "California", "zip": "95113", "spots": "20",
        ]
        body.merge(changes) { $1 }
        var submission = Submission<EventForm>(FormBody(body.sorted { $0.key < $1.key }))
        submission.form.check(
            &submission, zone: zone, currency: "USD", asksForPrice: false, now: now ?? self.now)
        return submission
    }

    @Test func `a right form gives an event in the town's zone`() {
        let submission = submit()
        #expect(submission.problems.isEmpty)
        #expect(submission.value?.state == "CA")
        #expect(submission.value?.limit == 20)
    }

    @Test(arguments: [
        ("title", ""), ("title", "x"), ("description", "short"), ("date", "2027-03-19"), ("date", "soon"),
        ("date", "2040-01-01"),
        ("start_time", "late"), ("zip", "123"), ("state", "Atlantis"), ("spots", "0"), ("spots", "101"),
        ("more_spots", "10001"), ("age_from", "18"), ("price", "cheap"), ("tags", "1,2,3,4,5,6,7,8,9"),
        ("country", "ZZ"),
        ("city", ""), ("address", ""),
    ])
    func `each rule has its own problem`(field: String, value: String) {
        let problems = submit([field: value]).problems
        #expect(problems.map(\.name) == [field])
    }

    @Test func `the older age must not be below the younger`() {
        #expect(submit(["age_from": "9", "age_to": "3"]).problems.map(\.name) == ["age_to"])
    }

    @Test func `today is early enough as long as the time is to come`() {
        #expect(submit(["date": "2027-03-20", "start_time": "11:00"]).problems.isEmpty)
        #expect(submit(["date": "2027-03-20", "start_time": "9:00"]).problems.map(\.name) == ["date"])
    }

    @Test func `a time that the clocks leave out is a problem that says so`() {
        let zone = Zone(identifier: "America/Los_Angeles")!
        let gap = "On Sun, Mar 14 clocks jump from 2 AM to 3 AM: there is no 2:30 AM. Choose another time."
        func problems(_ start: String, _ end: String, on day: String = "2027-03-14") -> [String] {
            let form = submit(["date": day, "start_time": start, "end_time": end], in: zone, now: clock)
            return form.problems.map { "\($0.name ?? ""): \($0.words.plain)" }
        }
        let clock = zone.instant(Day(iso: "2027-03-01")!, .midnight)
        #expect(problems("2:30", "3:00") == ["start_time: \(gap)"])
        #expect(problems("2:30", "") == ["start_time: \(gap)"])
        #expect(problems("1:30", "2:30") == ["end_time: \(gap)"])
        #expect(problems("20:00", "2:30", on: "2027-03-13") == ["end_time: \(gap)"])
        #expect(problems("1:30", "3:00").isEmpty && problems("3:00", "3:00").isEmpty)
        // The hour that comes twice is the first one, and what ends before it begins ends on the next day.
        for end in ["1:45", "1:15"] { #expect(problems("1:30", end, on: "2027-11-07").isEmpty) }
    }

    @Test func `outside the US neither state nor code is needed, and any postal code will do`() {
        let submission = submit(["country": "DE", "state": "", "zip": "", "date": "27.03.2027"])
        #expect(submission.problems.isEmpty)
        #expect(submit(["country": "GB", "state": "", "zip": "SW1A 1AA"]).value?.zip == "SW1A 1AA")
    }

    @Test func `more than a hundred can come`() {
        #expect(submit(["more_spots": "250"]).value?.limit == 250)
    }

    @Test func `tags are in lower case, each once`() {
        #expect(submit(["tags": "Music, music ,  Out  doors"]).value?.tagList == ["music", "out doors"])
    }
}

extension FormBody {
    /// A body with these fields.
    init(_ pairs: [(key: String, value: String)]) {
        let encoded = pairs.map { "\($0.key)=\(percentEncoded($0.value))" }.joined(separator: "&")
        self = (try? FormBody(query: encoded)) ?? FormBody()
    }
}

private func percentEncoded(_ text: String) -> String {
    text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

/// An event of twelve places on 27 March 2027, 10 to 12.
func sample(ageFrom: Int? = nil, ageTo: Int? = nil) -> Event {
    let day = Day(iso: "2027-03-27")!
    let start = TimeOfDay(typed: "10:00")!
    let end = TimeOfDay(typed: "12:00")!
    return Event(
        id: ID(1), host: .init(id: ID(1), username: "library", name: "Library", person: "Ben Ruiz"),
        title: "Kite day",
        schedule: Schedule(
            day: day, start: start, end: end, startsAt: Zone.utc.instant(day, start),
            endsAt: Zone.utc.instant(day, end)),
        venue: Venue(
            address: Address(street: "180 Park Ave", city: "San Jose", state: "CA", zip: "95113"), zone: "UTC"),
        admission: Admission(spots: 12, ageFrom: ageFrom, ageTo: ageTo),
        details: EventDetails(description: "Build a kite."))
}

@Suite struct EventTimesTests {
    @Test func `no zone, day or time throws, ends before it starts, or lasts longer than is looked back for`() {
        let zones = [
            "America/Los_Angeles", "Europe/Berlin", "Europe/London", "Europe/Dublin", "Australia/Lord_Howe",
            "America/Sao_Paulo", "Pacific/Apia", "Africa/Casablanca", "Asia/Tehran", "Asia/Gaza", "Africa/Cairo",
            "Antarctica/Troll", "Asia/Kathmandu", "Pacific/Chatham", "America/St_Johns", "America/Nuuk", "UTC",
        ].compactMap { Zone(identifier: $0) }
        var random = SystemRandomNumberGenerator()
        for zone in zones {
            // Around each change of the clocks, and anywhere between.
            let from = zone.instant(Day(iso: "2026-01-01")!, .midnight)
            let changes = zone.changes(after: from, before: from + .days(3 * 366)).map { zone.day(of: $0.at) }
            let days =
                changes.flatMap { day in (-1...1).map { day.advanced(by: $0) } }
                + (0..<20).map { _ in Day(iso: "2000-01-01")!.advanced(by: .random(in: 0...20_000, using: &random)) }
                + [Day(iso: "2011-12-29")!, Day(iso: "2011-12-30")!, Day(iso: "2018-11-04")!]
            for day in days {
                for minute in stride(from: 0, to: 1_440, by: 15) {
                    let start = TimeOfDay(minutes: minute)!
                    let ends =
                        [nil, start]
                        + [1, 15, 30, 60, 90, 1_425].map {
                            TimeOfDay(minutes: (minute + $0) % 1_440)
                        }
                    for end in ends {
                        let times = EventTimes(day, from: start, to: end, in: zone)
                        let what = "\(zone.identifier) \(day.iso) \(start.iso) \(end?.iso ?? "")"
                        #expect(times.start <= times.end, "\(what)")
                        if let problem = times.problem {
                            #expect(problem.words.english.hasSuffix("."), "\(what)")
                            continue
                        }
                        #expect(times.start < times.end, "\(what)")
                        #expect(zone.local(times.start) == (day, start), "\(what)")
                        if let end { #expect(zone.local(times.end).time == end, "\(what)") }
                        if day > Day(iso: "2012-01-01")! {
                            #expect(times.end - times.start <= EventTimes.longest, "\(what)")
                        }
                    }
                }
            }
        }
    }

    @Test func `without an end it is over two hours after its start, with one at its end`() {
        var event = sample()
        event.schedule.end = nil
        event = event.on(event.day)
        #expect(event.endsAt == event.startsAt + .hours(2))
        #expect(!event.isOnNow(at: event.startsAt - .milliseconds(1)) && event.isOnNow(at: event.startsAt))
        #expect(event.isOnNow(at: event.endsAt - .milliseconds(1)) && !event.isOnNow(at: event.endsAt))
        #expect(!event.isOver(at: event.endsAt - .milliseconds(1)) && event.isOver(at: event.endsAt))
        event.cancelledAt = event.startsAt
        #expect(!event.isOnNow(at: event.startsAt))
    }

    @Test func `registering closes at the start, or at the end where one may come late`() {
        var event = sample()
        #expect(event.isOpen(at: event.startsAt - .milliseconds(1)) && !event.isOpen(at: event.startsAt))
        event.admission.takesLate = true
        #expect(event.isOpen(at: event.startsAt) && !event.isOpen(at: event.endsAt))
        event.cancelledAt = event.startsAt
        #expect(!event.isOpen(at: event.startsAt))
    }

    @Test(arguments: [
        ("America/Los_Angeles", "2027-03-14", "2:30", "2 AM to 3 AM: there is no 2:30 AM"),
        ("Europe/Berlin", "2027-03-28", "2:00", "2 AM to 3 AM: there is no 2 AM"),
        ("Australia/Lord_Howe", "2026-10-04", "2:15", "2 AM to 2:30 AM: there is no 2:15 AM"),
        ("America/Sao_Paulo", "2018-11-04", "0:30", "12 AM to 1 AM: there is no 12:30 AM"),
    ])
    func `what clocks leave out is named`(zone: String, day: String, time: String, gap: String) throws {
        let times = EventTimes(
            Day(iso: day)!, from: TimeOfDay(typed: time)!, to: nil, in: Zone(identifier: zone)!)
        #expect(try #require(times.problem).words.plain.contains("clocks jump from \(gap)."))
    }

    @Test func `a day that was left out is named as such`() throws {
        let times = EventTimes(
            Day(iso: "2011-12-30")!, from: TimeOfDay(typed: "10:00")!, to: nil, in: Zone(identifier: "Pacific/Apia")!)
        #expect(try #require(times.problem).words.english.contains("There is no Friday, December 30, 2011"))
    }
}

@Suite struct FoldingTests {
    @Test func `what is sorted or looked up by its name is folded once`() {
        var asked = 0
        func name(_ text: String) -> String {
            asked += 1
            return text
        }
        let names = ["\u{C9}cho", "beta", "alpha", "Alpha"].sorted(folding: name, then: \.self)
        #expect(names == ["Alpha", "alpha", "beta", "\u{C9}cho"] && asked == 4)
        // Each letter of such names is folded by tables.
        let places = (0..<500).map { Place(name: String(repeating: "Ḗ", count: 40) + " \($0)") }
        var known: [Place] = []
        let time = ContinuousClock().measure { known = (places + places).knownBest }
        #expect(known == places)
        #expect(time < .seconds(10), "each name was folded for each of the others: \(time)")
    }

    @Test func `plain names are folded as all others`() {
        let plain = (0..<128).map { String(UnicodeScalar(UInt8($0))) }
        // Quotation marks, dashes and spaces of typographers.
        let marks = (0x2000...0x203F).compactMap { UnicodeScalar($0 as UInt32) }.map { String($0) }
        for first in plain + marks {
            for second in ["", "a", "Z", "9", " ", "^", "-"] {
                let name = second + first + second + first
                for joining in [false, true] {
                    #expect(
                        foldedASCII(name, joining: joining) == foldedUnicode(name, joining: joining),
                        "\(name.debugDescription)")
                }
            }
        }
        #expect(folded("Coeur d'Alene") == "coeur d alene" && folded("San José") == "san jose")
    }

    @Test(arguments: [
        ("Łódź", "lodz"), ("Straße", "strasse"), ("Øvelser", "ovelser"), ("Đà Nẵng", "da nang"), ("Ｙｏｇａ", "yoga"),
        ("İstanbul", "istanbul"), ("ısı", "isi"), ("Æble", "aeble"), ("cœur", "coeur"), ("Þór", "thor"),
        ("スイエイ", "すいえい"), ("ﾊﾞｽ", "ばす"), ("수영", "수영"), ("١٢", "12"), ("مُحَمَّد", "محمد"), ("Ёлка", "елка"),
        ("ΟΔΟΣ", "οδοσ"),
    ])
    func `letters that don't decompose are folded too`(name: String, key: String) {
        #expect(folded(name) == key && folded(key) == key)
    }
}

@Suite struct ReceiptTests {
    @Test func `a receipt names fifty families, and says how many more there are`() {
        func receipt(_ count: Int) -> Receipt {
            let missing = (0..<count).map {
                Receipt.Missing(name: "Family \($0)", phone: nil, email: "\($0)@example.org")
            }
            return Receipt(families: 100, missing: missing, untold: [])
        }
        #expect(receipt(50).named.count == 50 && receipt(50).unnamed == 0)
        #expect(receipt(62).named.count == 50 && receipt(62).unnamed == 12 && receipt(62).emails.count == 62)
    }
}

@Suite struct SlipTests {
    @Test(arguments: [
        ("swiming", "swimming", 1), ("swimming", "swimming", 0), ("siwmming", "swimming", 1), ("libery", "library", 2),
        ("kit", "kite", 1), ("kiet", "kite", 1), ("musik", "music", 1), ("gardning", "gardening", 1),
        ("ki", "kite", nil), ("kit", "kites", nil), ("horse", "mouse", 2), ("horse", "house", 1),
        ("drum", "dance", nil),
        ("", "a", nil), ("swimming", "", nil), ("ab", "ba", nil), ("abc", "acb", 1), ("kök", "kok", 1),
    ])
    func `letters left out, put in, changed and swapped are counted`(typed: String, word: String, distance: Int?) {
        #expect(Typo(typed).distance(to: word) == distance)
    }
}

@Suite struct TallyTests {
    @Test func `a number is said as far as it is known`() {
        #expect(Tally(found: 12, limit: 100).words.english == "12 events")
        #expect(Tally(found: 1, limit: 100).words.english == "1 event")
        #expect(Tally(found: 100, limit: 100).words.english == "100 events")
        #expect(Tally(found: 101, limit: 100).words.english == "More than 100 events")
        #expect(Tally(found: 0, limit: 100).button.english == "Nothing fits yet")
        #expect(Tally(found: 0, limit: 100, isWhole: false).button.english == "Show events")
        #expect(Tally(found: 30, limit: 100, isWhole: false).words.english == "More than 29 events")
        #expect(Tally(found: 101, limit: 100, isWhole: false).words.english == "More than 100 events")
        #expect(Tally(found: 101, limit: 100).button.english == "Show more than 100 events")
    }
}

@Suite struct ChangeTests {
    @Test func `a place whose name looks like a zone stays what it is`() {
        let changes = [
            Change(event: ID(1), what: .place, before: "The park", now: "The hall @Hub"),
            Change(event: ID(1), what: .place, before: "The hall @Hub", now: "The library"),
        ]
        let merged = Change.merged(changes)
        #expect(merged.map(\.before) == ["The park"] && merged.map(\.now) == ["The library"])
    }

    @Test func `a canceled event says nothing of its places`() {
        let place = Change(event: ID(1), what: .place, before: "The park", now: "The library")
        let places = Change(event: ID(1), what: .places, before: "5", now: "8")
        let off = Change(event: ID(1), what: .time, before: "2027-03-27 10:00 12:00", now: "")
        #expect([places, place].besidesCanceling == [places, place])
        #expect([off, places, place].besidesCanceling == [place])
    }
}
