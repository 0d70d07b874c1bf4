import Forms
import Templating

/// `/admin/operations`: how the machine is, for those who run the site.
struct Operations: Sendable {
    var facts: [Fact]
    let kept: [Kept]
    let hours: [HourRow]
    let versions: [Fact]

    /// Something to know, and whether somebody should do something.
    struct Fact: Sendable {
        let name: Words
        let words: Words
        var isBad = false
        var link: Link?
    }

    /// What is kept of a kind: how much, how long, and when it was last erased.
    struct Kept: Sendable {
        let what: Words
        let rows: Int
        let howLong: Words
        let last: Words?
    }

    /// An hour of the charts, with its place in both drawings.
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

    static let box = "0 0 370 126"
    static let axis = "M0 120.5H370"
    private static let high = 112

    static func drawn(_ hours: [Load.Hour], in zone: Zone) -> [HourRow] {
        let most = max(1, hours.map(\.requests).max() ?? 1)
        let slowest = max(1, hours.compactMap { $0.percentile(99) }.max() ?? 1)
        return hours.enumerated().map { number, hour in
            func part(_ of: Int, _ whole: Int) -> Int { of == 0 ? 0 : max(1, of * high / whole) }
            let height = part(hour.requests, most)
            let median = part(hour.percentile(50) ?? 0, slowest)
            let slow = max(0, part(hour.percentile(99) ?? 0, slowest) - median)
            return HourRow(
                name: zone.local(hour.begins).time.name, requests: hour.requests, failures: hour.failures,
                median: words(hour.percentile(50)), most: words(hour.percentile(95)),
                slowest: words(hour.percentile(99)), x: number * 15 + 5, top: 120 - height, height: height,
                medianTop: 120 - median, medianHeight: median, slowTop: 120 - median - slow, slowHeight: slow)
        }
    }

    private static func words(_ microseconds: Int?) -> Words {
        guard let microseconds else { return Words(verbatim: "–") }
        return "\(Words(Tenths(number: (microseconds + 50) / 100)), as: "milliseconds") ms"
    }

    /// A size of files: `12.4 MB`.
    static func size(_ bytes: Int64) -> Words {
        let number = { (unit: Int64) in Words(Tenths(number: Int(bytes * 10 / unit))) }
        return bytes < 1_000_000_000
            ? "\(number(1_000_000), as: "number") MB" : "\(number(1_000_000_000), as: "number") GB"
    }

    private struct Tenths: LocalValue {
        /// In tenths.
        let number: Int

        func text(in locale: String) -> String {
            let formats = Formats.of(locale)
            return number % 10 == 0 || number >= 100 ? formats.text(number / 10) : formats.text(tenths: number)
        }
    }
}

/// What everybody may know of how the site keeps its data, on `/about`.
struct KeptNow: Sendable {
    let children: Int
    let notes: Int
    /// When the first of the notes for carers is erased.
    let erased: Day?
    /// How old the last copy of the data is.
    let backup: Duration?

    var copied: Words? { backup.map { $0 < .hours(24) ? "within the last 24 hours" : "\($0.inWords, as: "time") ago" } }
}
