import Forms
import Templating

/// When families register for an event: from when on, until when, and who first.
///
/// It is about new registrations, and new turns on the waiting list: what a family has, it keeps, gives back and takes
/// back as ever.
struct Window: Sendable, Equatable {
    var opensAt: Instant?
    var closesAt: Instant?
    /// The ZIP codes, or their beginnings, of the families that register first.
    var firstZIPs: [String] = []
    /// Until when only these register; nil without any.
    var firstUntil: Instant?

    /// The most ZIP codes of one event.
    static let mostZIPs = 30

    /// What somebody comes to.
    enum Gate: Sendable, Equatable {
        case open
        case opens(at: Instant)
        /// Open for others: for this family later.
        case others(until: Instant)
        case closed(at: Instant)
    }

    /// - Parameter zip: The family's; nil for somebody who hasn't said where they live.
    func gate(zip: String?, at now: Instant) -> Gate {
        if let closesAt, closesAt <= now { return .closed(at: closesAt) }
        let first = firstUntil.flatMap { $0 > now && !isFirst(zip) ? $0 : nil }
        if let first, zip != nil { return .others(until: first) }
        if let opensAt, opensAt > now { return .opens(at: opensAt) }
        return first.map { .others(until: $0) } ?? .open
    }

    /// Whether a family of this ZIP code registers first.
    private func isFirst(_ zip: String?) -> Bool {
        let zip = Self.key(zip ?? "")
        return firstZIPs.contains { zip.hasPrefix(Self.key($0)) }
    }

    /// A ZIP code without what people write differently: `sw1a 1aa` is `SW1A1AA`.
    private static func key(_ zip: String) -> String { zip.uppercased().filter { $0.isLetter || $0.isNumber } }

    /// ZIP codes as somebody types them, each once.
    static func zips(typed: String) -> [String] {
        var seen: Set<String> = []
        return typed.split { $0.isComma || $0.isSemicolon || $0.isNewline }.map { $0.squeezed }.filter {
            !key($0).isEmpty && seen.insert(key($0)).inserted
        }
    }
}

extension Window {
    /// What is said of it: when it opens, who is first, and when it closes.
    ///
    /// - Parameters:
    ///   - zip: The family's that reads it; nil for its host, and for somebody who hasn't said where they live.
    ///   - zone: The clock at the venue.
    func lines(zip: String?, at now: Instant, in zone: Zone) -> [Words] {
        var lines: [Words] = []
        let nearby = firstZIPs.map { Words(verbatim: $0) }.listed()
        switch gate(zip: zip, at: now) {
        case .closed(let time): return ["Registration closed \(zone.words(time), as: "time")."]
        case .others(let time) where zip != nil:
            lines.append(
                """
                Families nearby (\(nearby, as: "zips")) can register first. You can from \
                \(zone.words(time), as: "time"), in \((time - now).inWords, as: "rest").
                """)
        case .opens, .others, .open:
            if let opensAt, opensAt > now {
                lines.append(
                    "Registration opens \(zone.words(opensAt), as: "time"), in \((opensAt - now).inWords, as: "rest").")
            }
            if let firstUntil, firstUntil > now {
                let until = zone.words(firstUntil)
                lines.append("Until \(until, as: "time"), only families nearby (\(nearby, as: "zips")) can register.")
            }
        }
        if let closesAt { lines.append("Registration closes \(zone.words(closesAt), as: "time").") }
        return lines
    }

    /// Whether families can register or not yet, as a list says it; nil where all can.
    func badge(at now: Instant) -> Words? {
        switch gate(zip: nil, at: now) {
        case .closed: "Registration closed"
        case .opens(let time): "Opens in \((time - now).inWords, as: "rest")"
        case .others: "Families nearby first"
        case .open: nil
        }
    }

    /// The same for the same event so many days later: what is open until shortly before it begins.
    func moved(by days: Int, in zone: Zone) -> Window {
        var window = self
        window.closesAt = closesAt.map { LocalTime($0, in: zone).moved(by: days).instant(in: zone) }
        return window
    }
}
