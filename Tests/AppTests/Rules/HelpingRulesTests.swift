import Forms
import Templating
import Testing

@testable import App

/// The rules of helping, alone.
@Suite struct HelpingRulesTests {
    @Test func `hours are read as people write them, and nothing else is`() {
        for (typed, minutes) in [
            ("3", 180), ("2.5", 150), ("2,25", 135), ("1:30", 90), ("0.1", 6), ("0:01", 1), ("26", 1_560),
            ("2.33", 140), ("3h", 180), ("1h30", 90), ("2,5 hours", 150), ("٣", 180),
            ("90 min", 90), ("45 minutes", 45), ("1½", 90), ("½", 30), ("1 1/2", 90), ("2 1/4 h", 135), ("1⁄2", 30),
            ("2 Stunden", 120), ("1 hour 30 minutes", 90), ("1h 30m", 90), ("2h30min", 150), ("2:30 h", 150),
            ("2 ساعات", 120), (".5", 30), ("2\u{A0}hours", 120),
        ] { #expect(Hours.minutes(typed) == minutes, "\(typed)") }
        for typed in [
            "", "0", "-1", "h", "1:60", "1:5", "26.5", "100", "1.234", "1..5", "1:30:00", ".5.", "1e2", "1-2", "1 2",
            "30 min 1 h", "1/3", "2 days",
        ] {
            #expect(Hours.minutes(typed) == nil, "\(typed)")
        }
        for minutes in [60, 90, 135, 180, 30, 15] { #expect(Hours.minutes(Hours.typed(minutes)) == minutes) }
    }

    @Test func `a link leads out by http or https only, and its host is shown`() {
        #expect(OutsideLink.read("warmhands.example/give") == "https://warmhands.example/give")
        #expect(OutsideLink.read("http://www.a.example") == "http://www.a.example")
        #expect(OutsideLink.read("video.example/@kiteclub") == "https://video.example/@kiteclub")
        #expect(OutsideLink.read("ｈｔｔｐｓ：／／ａ．example/b") == "https://a.example/b")
        for typed in [
            "javascript:alert(1)", "ftp://a.example", "data:text/html,x", "https://", "https://localhost", "a b",
            "https://bank.example@evil.example/", "//evil.example", "ana@a.example", "https://u:p@a.example",
            "mailto:ana@a.example", "mailto://a.example",
        ] { #expect(OutsideLink.read(typed) == nil, "\(typed)") }
        #expect(OutsideLink.host(of: "https://WWW.Warm.example:8080/x?y") == "warm.example")
    }

    @Test func `a code has 128 bits, is read as it is typed, and differs each time`() {
        let code = Certificate.freshCode()
        #expect(code.count == 26 && Certificate.code(typed: code) == code)
        #expect(Set((0..<500).map { _ in Certificate.freshCode() }).count == 500)
        let first = Certificate(
            code: code, account: ID(1), name: "A", year: 2027, minutes: 60, lines: [], madeAt: Clock.start,
            withdrawnAt: nil)
        #expect(Certificate.code(typed: first.spelled.lowercased()) == code)
        for typed in ["", "x", code + "A", String(code.dropLast()), String(repeating: "U", count: 26)] {
            #expect(Certificate.code(typed: typed) == nil)
        }
    }

    private static func entry(
        _ minutes: Int, _ confirmed: Int?, _ day: String, _ host: String = "King Library",
        _ kind: Contribution.Kind = .hours, title: String = "Lunch"
    ) -> Contribution {
        Contribution(
            id: ID(1), kind: kind, host: ID(1), hostName: host, opportunity: nil, signup: nil, title: title,
            day: Day(iso: day)!, minutes: minutes, confirmed: confirmed, amount: nil, count: nil, isReceived: false)
    }

    @Test func `what is confirmed and what is only said are summed apart`() {
        let entries = [
            Self.entry(180, 150, "2027-03-02"), Self.entry(60, nil, "2027-02-01"),
            Self.entry(120, 120, "2027-03-05", "Willow Court", .shadow), Self.entry(600, 600, "2026-01-01"),
        ]
        let impact = Impact(entries, year: 2027, today: Day(iso: "2027-03-20")!)
        #expect(impact.confirmed == 270 && impact.waiting == 60 && impact.shadowDays == 1)
        #expect(impact.bars.map(\.confirmed) == [0, 0, 270] && impact.bars.map(\.waiting) == [0, 60, 0])
        #expect(impact.organizations.map(\.total) == [210, 120])
        #expect(impact.years == [2027, 2026])
        let all = Impact(entries, year: nil, today: Day(iso: "2027-03-20")!)
        #expect(all.bars.map(\.confirmed) == [600, 270])
        // The highest bar fills the drawing, and none leaves it.
        #expect(impact.columns.allSatisfy { $0.top >= 24 && $0.height <= 126 && $0.waitingTop >= 20 })
        #expect(Certificate.lines(of: entries, in: 2027, saysWhat: false).map(\.minutes) == [150, 120])
        let lines = [Certificate.Line(name: "A\u{1F}B", minutes: 5)]
        #expect(Certificate.lines(Certificate.text(of: lines)) == [Certificate.Line(name: "AB", minutes: 5)])
    }

    @Test func `a certificate says what was done and on which days, where its holder wants that`() throws {
        let entries = [
            Self.entry(60, 60, "2027-03-05"), Self.entry(30, 30, "2027-03-05"), Self.entry(60, 60, "2027-01-02"),
            Self.entry(60, nil, "2027-12-30"), Self.entry(60, 60, "2026-12-30"),
        ]
        let without = Certificate.lines(of: entries, in: 2027, saysWhat: false)
        #expect(without == [Certificate.Line(name: "King Library", minutes: 150)])
        #expect(Certificate.lines(Certificate.text(of: without)) == without)
        let lines = Certificate.lines(of: entries, in: 2027, saysWhat: true)
        let work = try #require(lines.first?.work)
        #expect(work.what.english == "Lunch" && work.when.english == "2 days, Jan 2, 2027 to Mar 5, 2027")
        #expect(Certificate.lines(Certificate.text(of: lines)) == lines)
        let one = Certificate.lines(of: [Self.entry(60, 60, "2027-03-05")], in: 2027, saysWhat: true)
        #expect(one.first?.work?.when.english == "Mar 5, 2027")
        // More than fits is said.
        let many = (1...7).map { Self.entry(60, 60, "2027-03-0\($0)", title: "Task \($0)") }
        let all = Certificate.lines(of: many, in: 2027, saysWhat: true)
        #expect(all.first?.work?.what.english == "Task 1 · Task 2 · Task 3 · Task 4 · Task 5 and 2 more")
        let bare = Certificate.lines(all, without: Set((1...5).map { "Task \($0)" }))
        #expect(bare.first?.work?.what.english == "" && bare.first?.minutes == all.first?.minutes)
        #expect(Certificate.lines(Certificate.text(of: all)) == all)
    }

    @Test func `a certificate tells shadowing from help`() {
        func sheet(_ entries: Contribution...) -> Certificate {
            let lines = Certificate.lines(of: entries, in: 2027, saysWhat: false)
            #expect(Certificate.lines(Certificate.text(of: lines)) == lines)
            return Certificate(
                code: "A", account: ID(1), name: "A", year: 2027, minutes: lines.reduce(0) { $0 + $1.minutes },
                lines: lines, madeAt: Clock.start, withdrawnAt: nil)
        }
        let help = Self.entry(60, 60, "2027-03-05")
        let shadow = Self.entry(120, 90, "2027-03-06", "King Library", .shadow)
        #expect(sheet(help).heading.english == "A certificate of helping")
        #expect(sheet(shadow).heading.english == "A certificate of shadowing" && sheet(shadow).helped == 0)
        let both = sheet(help, shadow)
        #expect(both.heading.english == "A certificate of helping and shadowing")
        #expect(both.helped == 60 && both.shadowed == 90 && both.lines.count == 1)
    }

    @Test func `the average is rounded to a tenth and hidden while there are fewer than three`() {
        #expect(OrganizationTotal(votes: [0, 0, 0, 0, 2]).tenths == nil)
        #expect(OrganizationTotal(votes: [0, 0, 0, 1, 2]).tenths == 47)
        #expect(OrganizationTotal(votes: [1, 2, 3, 4, 5]).tenths == 37)
        #expect(OrganizationTotal(votes: [0, 0, 0, 0, 3]).tenths == 50)
    }

    @Test func `children with an adult need an age below 18, and shifts`() {
        func problems(_ more: [String: String]) -> [String] {
            let usual = [
                "kind": "volunteer", "title": "Serve lunch", "description": "You carry plates and pour coffee.",
                "schedule": "shifts", "shift.0.date": "2027-04-01", "shift.0.start_time": "11:00",
                "shift.0.end_time": "14:00", "shift.0.spots": "8", "home": "1", "country": "US",
            ]
            var form = Submission<OpportunityForm>(FormBody(usual.merging(more) { $1 }.map { $0 }))
            form.form.check(&form, shifts: [], things: [], zone: .utc, currency: "USD", now: Clock.start)
            return form.problems.compactMap(\.name)
        }
        #expect(problems(["age_from": "6", "with_adult": "1"]) == [])
        #expect(problems(["age_from": "18"]) == [] && problems(["children": "1"]) == [])
        #expect(problems(["with_adult": "1"]) == ["age_from"])
        #expect(problems(["age_from": "18", "with_adult": "1"]) == ["age_from"])
        #expect(problems(["age_from": "6", "with_adult": "1", "schedule": "whenever"]) == ["with_adult"])
    }

    @Test func `rows are added and taken away, and what was typed moves up with them`() throws {
        let body: FormBody = [
            "kind": "volunteer", "shift_rows": "3", "shift.0.date": "not a day", "shift.1.date": "2027-04-01",
            "shift.2.lead": "Dolores", "title": "Lunch",
        ]
        let form = Submission<OpportunityForm>(body)
        let dropped = try form.pressed("drop-shift-2")
        #expect(dropped.shiftInputs.count == 2 && dropped.problems.isEmpty)
        #expect(dropped[\.shifts[0].date].typed == "not a day" && dropped[\.shifts[1].lead].typed == "Dolores")
        #expect(dropped[\.title].typed == "Lunch" && dropped.once == form.once)
        #expect(try form.pressed("add-shift").shiftInputs.count == 4)
        for button in ["drop-shift-99", "drop-shift-x"] { #expect(try form.pressed(button).shiftInputs.count == 3) }
        #expect(throws: Refusal.self) { try form.pressed("nothing") }
    }

    @Test func `a shift is repeated until a day, as far as rows go, and what was typed stays`() throws {
        func form(_ until: String) throws -> Submission<OpportunityForm> {
            Submission<OpportunityForm>(
                unfinished: try FormBody(
                    query: """
                        title=Lunch&kind=volunteer&schedule=shifts&shift.0.id=7&shift.0.date=2027-03-27\
                        &shift.0.start_time=11:00&shift.0.end_time=14:00&shift.0.spots=8&shift.0.lead=Ana\
                        &repeat_until=\(until)
                        """))
        }
        let weekly = try form("2027-04-17").pressed("repeat-shift-week").form
        #expect(weekly.filledShifts.count == 4 && weekly.shownShifts == 4 && weekly.title == "Lunch")
        #expect(weekly.shifts[3].date == Day(iso: "2027-04-17") && weekly.shifts[3].spots == 8)
        #expect(weekly.shifts[3].lead == "Ana" && weekly.shifts[3].start == weekly.shifts[0].start)
        // Only the first is the stored one.
        #expect(weekly.shifts[0].id == ID(7) && weekly.shifts[1].id == nil)
        #expect(try form("2027-04-24").pressed("repeat-shift-fortnight").form.filledShifts.count == 3)
        #expect(try form("2028-03-20").pressed("repeat-shift-week").form.filledShifts.count == Opportunity.mostShifts)
        // Once more goes on from the last.
        let more = try form("2027-04-17").pressed("repeat-shift-week").pressed("repeat-shift-week")
        #expect(more.problems.count == 1 && more.form.filledShifts.count == 4)
        #expect(try form("").pressed("repeat-shift-week").problems.count == 1)
    }

    @Test func `a filter is read from its URL and says the same again`() {
        let query: FormBody = [
            "q": "coats", "kind": "donate", "near": "95112", "within": "5", "from": "2027-03-21", "hours": "4",
            "age": "16", "home": "1", "children": "1", "sort": "newest", "as": "table", "tag": "Health",
            "after": "1.5_3_7",
        ]
        let filter = OpportunityFilter(query, country: "US")
        #expect(filter.tag == "health" && filter.kinds == [.donate])
        #expect(filter.after == Cursor(Point.Nearby(id: ID(3), kilometres: 1.5), ID(7)))
        #expect(filter.link.string.contains("hours=4") && filter.link.string.hasSuffix("after=1.5_3_7"))
        let odd: FormBody = ["within": "0", "hours": "x", "after": "_", "age": "-4", "kind": "all"]
        #expect(OpportunityFilter(odd, country: "US").isEmpty)
    }

    @Test func `news keep what they tell in one word and a title`() {
        let news = HelpNews(.accepted, ID(7), "Lunch\u{1F}x")
        let kept = HelpNews(detail: news.detail, subject: 7)
        #expect(kept?.what == .accepted && kept?.title == "Lunch\u{1F}x" && kept?.kind == .helping)
        #expect(HelpNews(detail: "nonsense", subject: 7) == nil && HelpNews(detail: news.detail, subject: nil) == nil)
    }
}
