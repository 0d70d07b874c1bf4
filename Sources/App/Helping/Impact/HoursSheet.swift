import Forms
import Templating

/// The hours that an organization confirmed in a period, as required by funders of volunteers' time (FEMA, originally
/// policy 9525.2, now the Public Assistance Program and Policy Guide): names, places, times of arrival and departure,
/// durations, tasks, and the person confirming.
struct HoursSheet: Sendable {
    let search: AnnualReportSearch
    let host: String
    let lines: Page<Line>
    /// The number of lines, and their total in minutes.
    let count: Int
    let minutes: Int

    /// The most lines per page.
    static let pageSize = 500

    /// A day of one person.
    struct Line: Sendable {
        let id: ID<Contribution>
        /// The name at the time of confirmation.
        let name: String
        let placeName: String
        let address: Address
        let day: Day
        /// The times in the place's zone; nil if not recorded.
        let arrived: TimeOfDay?
        let left: TimeOfDay?
        /// The place's zone; nil if it is gone.
        let zone: Zone?
        let minutes: Int
        let task: String
        /// The person who confirmed it; empty if they left.
        let confirmer: String

        /// The place on one line.
        var place: Words { Words(AddressLine(name: placeName, address: address)) }

        /// The name of the zone of its times, if it isn't the reader's.
        func zoneName(for reader: Zone) -> Words? {
            guard let zone, let arrived else { return nil }
            let at = zone.instant(day, arrived)
            return zone.offset(at: at) != reader.offset(at: at) ? zone.name : nil
        }
    }

    private var here: Link { .helpHours.with("from", days.lowerBound.iso).with("to", days.upperBound.iso) }

    var days: ClosedRange<Day> { search.days }
    var file: Link { here.with("as", "csv") }
    var more: Link? { lines.more(at: here) }

    /// A spreadsheet; times are in the place's zone.
    var sheet: Spreadsheet {
        var sheet = Spreadsheet([
            "Name", "Place", "Day", Words("In", context: "when somebody came"),
            Words("Out", context: "when somebody went"), "Hours", "Task", "Confirmed by", "Organization",
            "Time zone",
        ])
        for line in lines.items {
            sheet.add([
                .text(line.name), .words(line.place), .text(line.day.iso), .text(line.arrived?.iso ?? ""),
                .text(line.left?.iso ?? ""), .decimal(Hours.typed(line.minutes)), .text(line.task),
                .text(line.confirmer), .text(host),
                .text(line.arrived == nil ? "" : line.zone?.identifier ?? ""),
            ])
        }
        return sheet
    }
}
