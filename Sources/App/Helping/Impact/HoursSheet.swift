import Forms
import Templating

/// The hours that an organization confirmed on some days, as those who pay for volunteers' time ask for them (FEMA,
/// once in policy 9525.2, which the Public Assistance Program and Policy Guide took over): who, where, when they came
/// and went, how long, at what, and who says so.
struct HoursSheet: Sendable {
    let search: AnnualReportSearch
    let host: String
    let lines: Page<Line>
    /// How many lines there are, and what all of them come to, in minutes.
    let count: Int
    let minutes: Int

    /// The most lines of a page.
    static let pageSize = 500

    /// One day of one person.
    struct Line: Sendable {
        let id: ID<Contribution>
        /// As it was when the hours were confirmed.
        let name: String
        let placeName: String
        let address: Address
        let day: Day
        /// When they came and went, by the clock of the place; nil where nobody noted it.
        let arrived: TimeOfDay?
        let left: TimeOfDay?
        let minutes: Int
        let task: String
        /// The person who confirmed it for the organization; empty for somebody who left.
        let confirmer: String

        /// Where it was, in a line.
        var place: Words { Words(AddressLine(name: placeName, address: address)) }
    }

    private var here: Link { .helpHours.with("from", days.lowerBound.iso).with("to", days.upperBound.iso) }

    var days: ClosedRange<Day> { search.days }
    var file: Link { here.with("as", "csv") }
    var more: Link? { lines.more(at: here) }

    /// For a spreadsheet; times are those of the place.
    var sheet: Spreadsheet {
        var sheet = Spreadsheet([
            "Name", "Place", "Day", Words("In", context: "when somebody came"),
            Words("Out", context: "when somebody went"), "Hours", "Task", "Confirmed by", "Organization",
        ])
        for line in lines.items {
            sheet.add([
                .text(line.name), .words(line.place), .text(line.day.iso), .text(line.arrived?.iso ?? ""),
                .text(line.left?.iso ?? ""), .decimal(Hours.typed(line.minutes)), .text(line.task),
                .text(line.confirmer), .text(host),
            ])
        }
        return sheet
    }
}
