import Forms
import Templating

/// Sessions and attendance over a period, by age and format, numbered as in the Public Libraries Survey of the United
/// States, to which libraries report annually; other organizations are asked for similar figures.
///
/// Sources: IMLS, Public Libraries Survey, data elements 600 to 619 of fiscal year 2023; their rules for what has two
/// formats, in Maryland's guide to the survey (marylandlibraries.libguides.com).
struct AnnualReport: Sendable {
    /// A line of the survey.
    enum Element: Int, CaseIterable, Sendable {
        case sessions = 600
        case sessionsAges0To5, sessionsAges6To11, sessionsAges12To18, sessionsAdults, sessionsGeneral
        case sessionsOnsite, sessionsOffsite, sessionsVirtual
        case sessionsByFormat
        case attendance
        case attendanceAges0To5, attendanceAges6To11, attendanceAges12To18, attendanceAdults, attendanceGeneral
        case attendanceOnsite, attendanceOffsite, attendanceVirtual
        case attendanceByFormat

        /// The offset from a number for sessions to that for attendance.
        private static let attendanceOffset = 10

        var isAttendance: Bool { rawValue >= Element.attendance.rawValue }

        /// The audience or format, the same for sessions and attendance.
        var words: Words {
            switch self {
            case .sessions, .attendance: "All of them"
            case .sessionsAges0To5, .attendanceAges0To5: "For children from 0 to 5"
            case .sessionsAges6To11, .attendanceAges6To11: "For children from 6 to 11"
            case .sessionsAges12To18, .attendanceAges12To18: "For young people from 12 to 18"
            case .sessionsAdults, .attendanceAdults: "For adults"
            case .sessionsGeneral, .attendanceGeneral: "For everybody, or for several ages"
            case .sessionsOnsite, .attendanceOnsite: "At the organization’s own address"
            case .sessionsOffsite, .attendanceOffsite: "At another place"
            case .sessionsVirtual, .attendanceVirtual: "Online"
            case .sessionsByFormat, .attendanceByFormat: "All formats together"
            }
        }

        /// The corresponding element for attendance.
        fileprivate var ofAttendance: Element { Element(rawValue: rawValue + Self.attendanceOffset)! }
    }

    /// The totals of sessions that are alike.
    struct Group: Sendable, Equatable {
        var audience: SessionAges
        var format: Format
        var sessions: Int
        /// The number of people on site, and of those who watched live.
        var here: Int
        var online: Int
        /// Sessions without any recorded attendance.
        var uncounted = 0
    }

    /// The format of a session. Hybrid sessions count as on site.
    enum Format: Int, CaseIterable, Sendable {
        case onsite, offsite, virtual

        fileprivate var element: Element {
            switch self {
            case .onsite: .sessionsOnsite
            case .offsite: .sessionsOffsite
            case .virtual: .sessionsVirtual
            }
        }
    }

    /// A line for display.
    struct Line: Sendable {
        let element: Element
        let sessions: Int
        let attendance: Int
        /// The sessions counted in it.
        let link: Link?

        /// The survey's number for the attendance.
        var attendanceNumber: Int { element.ofAttendance.rawValue }
    }

    let counts: [Element: Int]
    /// Sessions without any recorded attendance.
    let uncounted: Int

    init(_ groups: [Group]) {
        var counts: [Element: Int] = [:]
        func add(_ sessions: Int, _ attendance: Int, _ elements: Element...) {
            for element in elements {
                counts[element, default: 0] += sessions
                counts[element.ofAttendance, default: 0] += attendance
            }
        }
        for group in groups {
            add(group.sessions, group.here + group.online, .sessions, group.audience.element, .sessionsByFormat)
            add(group.sessions, group.format == .virtual ? 0 : group.here, group.format.element)
            add(0, group.format == .virtual ? group.here + group.online : group.online, .sessionsVirtual)
        }
        self.counts = counts
        uncounted = groups.reduce(0) { $0 + $1.uncounted }
    }

    subscript(element: Element) -> Int { counts[element] ?? 0 }

    func lines(_ elements: ClosedRange<Int>, of search: AnnualReportSearch) -> [Line] {
        elements.compactMap(Element.init).map { element in
            Line(
                element: element, sessions: self[element], attendance: self[element.ofAttendance],
                link: self[element] == 0 ? nil : search.sessions(element))
        }
    }

    /// The report as a spreadsheet, with a row for each number of the survey.
    func sheet(_ given: [MonthTotal: Int]) -> Spreadsheet {
        var sheet = Spreadsheet(["Number", "What", "Count"])
        for element in Element.allCases {
            sheet.add([
                .number(element.rawValue),
                .words(
                    element.isAttendance
                        ? "Attendance: \(element.words, as: "what")" : "Sessions: \(element.words, as: "what")"),
                .number(self[element]),
            ])
        }
        for total in MonthTotal.allCases {
            sheet.add([.empty, .words(total.words), .number(given[total] ?? 0)])
        }
        return sheet
    }
}

/// The audience of a session in the survey's terms: the age group of the majority.
enum SessionAges: Sendable {
    case from0To5, from6To11, from12To18, general

    /// - Parameter ages: The ages of a kids' event; nil for events for everyone.
    init(_ ages: ClosedRange<Int>?) {
        let groups: [(SessionAges, ClosedRange<Int>)] = [
            (.from0To5, 0...5), (.from6To11, 6...11), (.from12To18, 12...18),
        ]
        let years = groups.map { group in ages.map { Set($0).intersection(group.1).count } ?? 0 }
        // The younger group in a tie; sessions that span all three are for several ages.
        guard let most = years.max(), years.contains(0), let index = years.firstIndex(of: most), most > 0 else {
            self = .general
            return
        }
        self = groups[index].0
    }

    fileprivate var element: AnnualReport.Element {
        switch self {
        case .from0To5: .sessionsAges0To5
        case .from6To11: .sessionsAges6To11
        case .from12To18: .sessionsAges12To18
        case .general: .sessionsGeneral
        }
    }
}

/// The period and organization of a report.
struct AnnualReportSearch: Sendable {
    var days: ClosedRange<Day>
    /// An organization's user name.
    var host: String?
    /// Typed days that can't be parsed.
    var unread = Unread()
    /// Whether the last day comes before the first.
    var isBackward = false

    /// The default is this year until today.
    init(_ query: FormBody, today: Day) {
        let from = unread.day("from", (query["from"] ?? "").prefix(100).squeezed, in: query.country)
        let to = unread.day("to", (query["to"] ?? "").prefix(100).squeezed, in: query.country)
        let last = to ?? today
        let first = from ?? Day(year: last.year, month: 1, day: 1) ?? last
        isBackward = first > last
        days = min(first, last)...max(first, last)
        host = query["host"].flatMap { $0.isEmpty ? nil : String($0.prefix(60)).lowercased() }
    }

    private func with(_ link: Link) -> Link {
        link.with("from", days.lowerBound.iso).with("to", days.upperBound.iso).with("host", host)
    }

    var link: Link { with(.annualReport) }
    var sheetLink: Link { with(.annualReportSheet) }
    /// The link to a line's sessions.
    func sessions(_ element: AnnualReport.Element) -> Link {
        with(.annualReportSessions).with("of", "\(element.rawValue)")
    }
    /// The link to the sessions without attendance.
    var uncounted: Link { with(.annualReportSessions).with("of", "uncounted") }
}

/// A session in the report's list.
struct ReportedSession: Sendable {
    let event: ID<Event>
    let title: String
    let host: String
    let day: Day
    let startsAt: Instant
    let here: Int
    let online: Int
}

/// `/admin/report`.
struct AnnualReportPage: Sendable {
    let search: AnnualReportSearch
    let report: AnnualReport
    let given: [MonthTotal: Int]
    /// The organizations to choose from, by user name.
    let hosts: [(username: String, name: String)]

    var ages: [AnnualReport.Line] { report.lines(601...605, of: search) }
    var formats: [AnnualReport.Line] { report.lines(606...608, of: search) }
    var total: AnnualReport.Line { report.lines(600...600, of: search)[0] }
    var isEmpty: Bool { report[.sessions] == 0 }
}

/// `/admin/report/sessions`.
struct ReportedSessionsPage: Sendable {
    let search: AnnualReportSearch
    /// Nil for sessions without attendance.
    let element: AnnualReport.Element?
    let sessions: [ReportedSession]
    let more: Link?
}
