import Forms
import Templating

/// `/admin/operations`: the state of the machine, for the people who run the site.
struct Operations: Sendable {
    var facts: [Fact]
    let kept: [Kept]
    let hours: [HourRow]
    let versions: [Fact]

    /// A fact, and whether somebody should act on it.
    struct Fact: Sendable {
        let name: Words
        let words: Words
        var isBad = false
        var link: Link?
    }

    /// A kind of stored data: how much, for how long, and when it was last erased.
    struct Kept: Sendable {
        let what: Words
        let rows: Int
        let howLong: Words
        let last: Words?
    }

    /// An hour in the charts, with its position in both.
    struct HourRow: Sendable {
        let name: Words
        let requests: Int
        let failures: Int
        let median: Words
        let most: Words
        let slowest: Words
        let x: Int
        let top: Int
        let height: Int
        let medianTop: Int
        let medianHeight: Int
        let slowTop: Int
        let slowHeight: Int
    }

    /// A file size: `12.4 MB`.
    static func size(_ bytes: Int64) -> Words {
        let number = { (unit: Int64) in Words(Tenths(number: Int(bytes * 10 / unit))) }
        return bytes < 1_000_000_000
            ? "\(number(1_000_000), as: "number") MB" : "\(number(1_000_000_000), as: "number") GB"
    }

    struct Tenths: LocalValue {
        /// In tenths.
        let number: Int

        func text(in locale: String) -> String {
            let formats = Formats.of(locale)
            return number % 10 == 0 || number >= 100 ? formats.text(number / 10) : formats.text(tenths: number)
        }
    }
}

/// Public facts about how the site stores its data, on `/about`.
struct KeptNow: Sendable {
    let children: Int
    let notes: Int
    /// When the next notes for carers are erased.
    let erased: Day?
    /// The age of the last backup.
    let backup: Duration?

    var copied: Words? { backup.map { $0 < .hours(24) ? "within the last 24 hours" : "\($0.inWords, as: "time") ago" } }
}
