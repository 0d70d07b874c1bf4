import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/admin/report`: the annual report.
struct AnnualReportController {
    let site: Site

    func show(_ context: AdminContext) async throws -> Response {
        let (search, now) = (AnnualReportSearch(context.query, today: context.townDay), context.now)
        let page = try await site.readSlowly { db in
            let host = try search.account(in: db)
            return AnnualReportPage(
                search: search, report: try AnnualReport(of: search.days, by: host, at: now, in: db),
                given: try MonthTotal.sums(of: search.days, to: host, in: db), hosts: try AnnualReport.hosts(in: db))
        }
        return context.page(Templates.people.reporting.report(page: page))
    }

    /// The report as a spreadsheet.
    func sheet(_ context: AdminContext) async throws -> Response {
        let (search, now) = (AnnualReportSearch(context.query, today: context.townDay), context.now)
        let sheet = try await site.readSlowly { db in
            let host = try search.account(in: db)
            return try AnnualReport(of: search.days, by: host, at: now, in: db).sheet(
                try MonthTotal.sums(of: search.days, to: host, in: db))
        }
        return context.file(sheet, name: "report \(search.days.lowerBound.iso) \(search.days.upperBound.iso)")
    }

    /// `/admin/report/sessions`: the sessions counted in a line.
    func sessions(_ context: AdminContext) async throws -> Response {
        let (search, now) = (AnnualReportSearch(context.query, today: context.townDay), context.now)
        let of = context.query["of"] ?? ""
        let element = Int(of).flatMap(AnnualReport.Element.init)
        guard element != nil || of == "uncounted" else { throw Refusal.notFound }
        let after: Cursor<Instant, ID<Event>>? = context.after()
        let sessions = try await site.readSlowly { db in
            try AnnualReport.sessions(
                of: element, on: search.days, by: try search.account(in: db), after: after, at: now, in: db)
        }
        let here = element.map(search.sessions) ?? search.uncounted
        return context.page(
            Templates.people.reporting.sessions(
                page: ReportedSessionsPage(
                    search: search, element: element, sessions: sessions.items, more: sessions.more(at: here))))
    }
}
