import Templating

/// The next events in type readable across a lobby, on several sheets of half a minute each.
struct Screen: Sendable {
    /// Events per sheet on a 16:9 screen, and the most sheets.
    static let sheetSize = 4
    static let mostSheets = 9
    /// How long each sheet is shown.
    static let pause: Duration = .seconds(30)

    let days: [EventDay]
    /// The number of this sheet, from 1, and the total.
    let sheet: Int
    let sheets: Int
    /// A QR code for the list of events.
    let code: QRCode?

    /// - Parameters:
    ///   - found: The events on the screen, in order of time.
    ///   - address: The address of the list of events, including the site's.
    init(_ found: [EventCard], today: Day, at now: Instant, address: String) {
        let found = found.prefix(Self.sheetSize * Self.mostSheets)
        sheets = max(1, (found.count + Self.sheetSize - 1) / Self.sheetSize)
        // Depends only on the clock, so that all screens in a building show the same.
        let turn = Int(now.milliseconds / Int64(Self.pause / .milliseconds(1))) % sheets
        sheet = turn + 1
        days = EventDay.grouped(found.dropFirst(turn * Self.sheetSize).prefix(Self.sheetSize), today: today)
        code = QRCode(address)
    }
}
