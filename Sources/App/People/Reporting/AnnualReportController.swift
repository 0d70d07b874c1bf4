import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/admin/report`: the annual report.
struct AnnualReportController {
    let site: Site

    func show(_ context: AdminContext) async throws -> Response {
        let search = AnnualReportSearch(context.query, today: context.townDay)
        let page = try await site.readSlowly(at: context.now) { tx in
            let host = try search.account(in: tx)
            return AnnualReportPage(
                search: search, report: try AnnualReport(of: search.days, by: host, in: tx),
                given: try MonthTotal.sums(of: search.days, to: host, in: tx), hosts: try AnnualReport.hosts(in: tx))
        }
        return context.page(Templates.people.reporting.report(page: page))
    }

    /// The report as a spreadsheet.
    func sheet(_ context: AdminContext) async throws -> Response {
        let search = AnnualReportSearch(context.query, today: context.townDay)
        let sheet = try await site.readSlowly(at: context.now) { tx in
            let host = try search.account(in: tx)
            return try AnnualReport(of: search.days, by: host, in: tx).sheet(
                try MonthTotal.sums(of: search.days, to: host, in: tx))
        }
        return context.file(sheet, name: "report \(search.days.lowerBound.iso) \(search.days.upperBound.iso)")
    }

    /// `/admin/report/sessions`: the sessions counted in a line.
    func sessions(_ context: AdminContext) async throws -> Response {
        let search = AnnualReportSearch(context.query, today: context.townDay)
        let of = context.query["of"] ?? ""
        let element = Int(of).flatMap(AnnualReport.Element.init)
        guard element != nil || of == "uncounted" else { throw Refusal.notFound }
        let after: Cursor<Instant, ID<Event>>? = context.after()
        let sessions = try await site.readSlowly(at: context.now) { tx in
            try AnnualReport.sessions(
                of: element, on: search.days, by: try search.account(in: tx), after: after, in: tx)
        }
        let here = element.map(search.sessions) ?? search.uncounted
        return context.page(
            Templates.people.reporting.sessions(
                page: ReportedSessionsPage(
                    search: search, element: element, sessions: sessions.items, more: sessions.more(at: here))))
    }
}
