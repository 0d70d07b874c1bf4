import Testing

@testable import App

/// How sessions and heads add up to the lines of the Public Libraries Survey.
@Suite struct AnnualReportRulesTests {
    private func changed(_ report: AnnualReport, since old: AnnualReport = AnnualReport([])) -> [Int: Int] {
        var changes: [Int: Int] = [:]
        for element in AnnualReport.Element.allCases where report[element] != old[element] {
            changes[element.rawValue] = report[element] - old[element]
        }
        return changes
    }

    @Test func `a hybrid session is counted once, at its place, and each head where it was`() {
        // The example of Maryland's guide to the survey: ages 6 to 11, on library grounds and live, 10 there and 5 not.
        let report = AnnualReport([.init(audience: .from6To11, format: .onsite, sessions: 1, here: 10, online: 5)])
        let totals = [600: 1, 609: 1, 610: 15, 619: 15]
        #expect(changed(report) == [602: 1, 606: 1, 612: 15, 616: 10, 618: 5].merging(totals) { $1 })
    }

    @Test func `the totals by age and by format are the same`() {
        let report = AnnualReport([
            .init(audience: .from0To5, format: .offsite, sessions: 3, here: 40, online: 0),
            .init(audience: .general, format: .virtual, sessions: 2, here: 4, online: 60),
            .init(audience: .from12To18, format: .onsite, sessions: 1, here: 0, online: 0, uncounted: 1),
        ])
        #expect(report[.sessions] == 6 && report[.sessionsByFormat] == 6)
        #expect(report[.attendance] == 104 && report[.attendanceByFormat] == 104)
        #expect(report[.attendanceVirtual] == 64 && report[.sessionsVirtual] == 2)
        #expect(report.uncounted == 1)
        for offset in 0...9 {
            let element = AnnualReport.Element(rawValue: 600 + offset)!
            #expect(AnnualReport.Element(rawValue: 610 + offset)!.words == element.words)
        }
    }

    @Test(
        "ages are those that most years belong to",
        arguments: [
            (0...2, SessionAges.from0To5), (3...5, .from0To5), (4...7, .from0To5), (5...8, .from6To11),
            (6...11, .from6To11), (10...13, .from6To11), (11...14, .from12To18), (13...17, .from12To18),
            (17...17, .from12To18), (0...11, .from0To5), (0...17, .general), (5...12, .general),
        ])
    func ages(_ ages: ClosedRange<Int>, _ group: SessionAges) {
        #expect(SessionAges(ages) == group)
    }

    @Test func `what is for everybody is of no age`() { #expect(SessionAges(nil) == .general) }
}
