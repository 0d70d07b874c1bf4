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

    /// - Parameter zip: The family's; nil for somebody without one.
    func gate(zip: String?, at now: Instant) -> Gate {
        if let closesAt, closesAt <= now { return .closed(at: closesAt) }
        if let opensAt, opensAt > now { return .opens(at: opensAt) }
        if let firstUntil, firstUntil > now, !isFirst(zip) { return .others(until: firstUntil) }
        return .open
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
        return typed.split { ",;\n".contains($0) }.map { $0.squeezed }.filter {
            !key($0).isEmpty && seen.insert(key($0)).inserted
        }
    }
}

extension Window {
    /// What a family reads of it: when it opens, who is first, and until when it stays open; nil where there is nothing
    /// to say.
    ///
    /// - Parameter zone: The clock at the venue.
    func words(zip: String?, at now: Instant, in zone: Zone) -> Words? {
        switch gate(zip: zip, at: now) {
        case .opens(let time):
            return "Registration opens \(zone.words(time), as: "time"), in \((time - now).inWords, as: "rest")."
        case .others(let time):
            return """
                Families nearby register first: \(firstZIPs.map { Words(verbatim: $0) }.listed(), as: "zips"). All \\
                others can from \(zone.words(time), as: "time"), in \((time - now).inWords, as: "rest").
                """
        case .closed(let time): return "Registration closed \(zone.words(time), as: "time")."
        case .open: return closesAt.map { "You can register until \(zone.words($0), as: "time")." }
        }
    }
}
