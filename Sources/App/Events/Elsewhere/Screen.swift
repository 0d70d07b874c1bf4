import Templating

/// What comes next, in letters that are read across a lobby: sheet after sheet, each for half a minute.
struct Screen: Sendable {
    /// How many events fit on a sheet of a screen of 16:9, and how many sheets there are at most.
    static let sheetSize = 4
    static let mostSheets = 9
    /// How long each is shown.
    static let pause: Duration = .seconds(30)

    let days: [EventDay]
    /// The number of this sheet, from 1, and how many there are.
    let sheet: Int
    let sheets: Int
    /// Where all of them are, for a camera.
    let code: QRCode?

    /// - Parameters:
    ///   - found: What the screen shows, in the order of time.
    ///   - address: Where all of them are, with the site's own address.
    init(_ found: [EventCard], today: Day, at now: Instant, address: String) {
        let found = found.prefix(Self.sheetSize * Self.mostSheets)
        sheets = max(1, (found.count + Self.sheetSize - 1) / Self.sheetSize)
        // By the clock alone: each screen of a house shows the same.
        let turn = Int(now.milliseconds / Int64(Self.pause / .milliseconds(1))) % sheets
        sheet = turn + 1
        days = EventDay.grouped(found.dropFirst(turn * Self.sheetSize).prefix(Self.sheetSize), today: today)
        code = QRCode(address)
    }
}
