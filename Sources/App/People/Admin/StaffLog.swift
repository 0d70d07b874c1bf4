import Forms
import Templating

/// A line of the log for display.
struct StaffLogRow: Sendable {
    let at: Words
    let act: AuditEntry

    init(_ act: AuditEntry, in zone: Zone) {
        at = zone.words(act.at, \.date)
        self.act = act
    }
}

/// A search in the log: words in the action and reason, the staff member, and the time.
struct StaffLogSearch: Sendable, Equatable {
    var words = ""
    /// A user name.
    var by: String?
    var from: Day?
    var to: Day?

    /// Typed days that can't be parsed.
    var unread = Unread()

    init(_ query: FormBody) {
        words = (query["q"] ?? "").prefix(100).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        by = query["by"].flatMap { $0.isEmpty ? nil : String($0.prefix(60)) }
        from = unread.day("from", (query["from"] ?? "").prefix(100).squeezed, in: query.country)
        to = unread.day("to", (query["to"] ?? "").prefix(100).squeezed, in: query.country)
    }

    var isEmpty: Bool { words.isEmpty && by == nil && from == nil && to == nil }

    /// The page with the results.
    var link: Link {
        Link.staffLog.with("q", words.nonEmpty).with("by", by)
            .with("from", from?.iso ?? unread["from"]).with("to", to?.iso ?? unread["to"])
    }

    func finds(_ act: AuditEntry, in zone: Zone, _ language: Language) -> Bool {
        if let by, act.by != by { return false }
        let day = zone.day(of: act.at)
        guard from.map({ day >= $0 }) ?? true, to.map({ day <= $0 }) ?? true else { return false }
        if words.isEmpty { return true }
        let values = [act.change?.was, act.change?.became].compactMap(\.self)
        let texts = ([act.what, act.why] + values).map { $0.text(in: language) } + [act.reason]
        return folded(texts.joined(separator: " ")).contains(folded(words))
    }
}

/// A page of the log.
struct StaffLog: Sendable {
    let search: StaffLogSearch
    let rows: [StaffLogRow]
    /// The staff members to choose from.
    let staff: [String]
    let more: Link?
    let zone: String

    /// The most lines to scan for one page.
    static let most = 20_000

    /// The log as a spreadsheet, with times in the town's zone.
    static func sheet(_ acts: [AuditEntry], in zone: Zone) -> Spreadsheet {
        var sheet = Spreadsheet(["When (\(zone.identifier, as: "zone"))", "Who", "What", "Before", "After", "Why"])
        for act in acts {
            let at = zone.local(act.at)
            sheet.add([
                .text("\(at.day.iso) \(at.time.iso)"), .words(act.actor), .words(act.what),
                .words(act.change?.was ?? ""), .words(act.change?.became ?? ""), .words(act.why),
            ])
        }
        return sheet
    }
}
