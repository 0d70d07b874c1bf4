import Forms
import Templating

/// When registration for an event opens and closes, and which families can register first.
///
/// It applies to new registrations and new waiting list entries: existing ones can still be kept, given back and
/// restored.
struct Window: Sendable, Equatable {
    var opensAt: Instant?
    var closesAt: Instant?
    /// The ZIP codes, or their beginnings, of families with early registration.
    var firstZIPs: [String] = []
    /// When everyone else can register; nil if nobody registers first.
    var firstUntil: Instant?

    /// The most ZIP codes per event.
    static let mostZIPs = 30

    /// Whether a family can register now, and if not, why.
    enum Gate: Sendable, Equatable {
        case open
        case opens(at: Instant)
        /// For now only open to families nearby.
        case nearbyFirst(until: Instant)
        case closed(at: Instant)
    }

    /// - Parameter zip: The family's ZIP code; nil if unknown.
    func gate(zip: String?, at now: Instant) -> Gate {
        if let closesAt, isClosed(at: now) { return .closed(at: closesAt) }
        let first = firstUntil.flatMap { $0 > now && !isFirst(zip) ? $0 : nil }
        if let first, zip != nil { return .nearbyFirst(until: first) }
        if let opensAt, opensAt > now { return .opens(at: opensAt) }
        return first.map { .nearbyFirst(until: $0) } ?? .open
    }

    /// When a family that can't register yet will be able to; nil if it can already, or no longer.
    func opening(zip: String?, at now: Instant) -> Instant? {
        switch gate(zip: zip, at: now) {
        case .opens(let time): time
        case .nearbyFirst(let time): max(time, opensAt ?? time)
        case .open, .closed: nil
        }
    }

    func isClosed(at now: Instant) -> Bool { closesAt.map { $0 <= now } ?? false }

    /// Whether a family with this ZIP code registers first.
    func isFirst(_ zip: String?) -> Bool {
        let zip = Self.key(zip ?? "")
        return firstZIPs.contains { zip.hasPrefix(Self.key($0)) }
    }

    /// A ZIP code in canonical form: `sw1a 1aa` is `SW1A1AA`, and `٩٥١١٢` is `95112`.
    private static func key(_ zip: String) -> String {
        String(
            zip.uppercased().compactMap { character in
                character.wholeNumberValue.map { Character("\($0 % 10)") } ?? (character.isLetter ? character : nil)
            })
    }

    /// The ZIP codes in a typed text, without duplicates: `95112 95113, SW1A` are three.
    static func zips(typed: String) -> [String] {
        var seen: Set<String> = []
        let parts = typed.split { $0.isComma || $0.isSemicolon || $0.isNewline || $0 == "/" }
        return parts.flatMap { part -> [String] in
            let words = part.split(whereSeparator: \.isWhitespace).map(String.init)
            // Many codes contain spaces, but a space between numbers of four or more digits separates two codes.
            return words.allSatisfy { $0.count >= 4 && $0.allSatisfy(\.isNumber) } ? words : [part.squeezed]
        }.filter { !key($0).isEmpty && seen.insert(key($0)).inserted }
    }

    /// Whether it can be a ZIP code or its beginning, rather than a range or a sentence.
    static func isZIP(_ typed: String) -> Bool {
        let key = key(typed)
        guard typed.allSatisfy({ $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }), (1...10).contains(key.count),
            key.count <= 2 || key.contains(where: \.isNumber), !key.contains(/\p{L}{4}/)
        else { return false }
        let ends = typed.split(separator: "-")
        return ends.count != 2 || ends[0].count != ends[1].count
    }
}

extension Window {
    /// When everyone can register; nil if there was never a restriction.
    var opensForAll: Instant? { [opensAt, firstUntil].compactMap(\.self).max() }

    /// Why a family can't register now; nil if it can.
    func refusal(zip: String?, at now: Instant, in zone: Zone, for reader: Zone) -> Words? {
        gate(zip: zip, at: now) == .open ? nil : lines(zip: zip, at: now, in: zone, for: reader).first
    }

    /// The lines about it: when it opens, who is first, and when it closes.
    ///
    /// - Parameters:
    ///   - zip: The reader's ZIP code; nil for the host, and if unknown.
    ///   - zone: The venue's zone.
    ///   - reader: The reader's zone, by which they are said.
    func lines(zip: String?, at now: Instant, in zone: Zone, for reader: Zone) -> [Words] {
        func said(_ time: Instant) -> Words { reader.words(time, besides: zone, \.fullName) }
        var lines: [Words] = []
        let nearby = firstZIPs.map { Words(verbatim: Self.shown($0)) }.listed()
        switch gate(zip: zip, at: now) {
        case .closed(let time): return ["Registration closed \(said(time), as: "time")."]
        case .nearbyFirst(let time) where zip != nil:
            lines.append(
                """
                Families nearby (\(nearby, as: "zips")) can register first. You can register from \
                \(said(time), as: "time"), in \(Self.rest(until: time, at: now), as: "rest").
                """)
            if zip == "" { lines.append("If you live there, put your ZIP code into your family’s profile.") }
        case .opens, .nearbyFirst, .open:
            if let opensAt, opensAt > now {
                let rest = Self.rest(until: opensAt, at: now)
                lines.append("Registration opens \(said(opensAt), as: "time"), in \(rest, as: "rest").")
            }
            if let firstUntil, firstUntil > now {
                let until = said(firstUntil)
                lines.append(
                    zip == nil
                        ? "Until \(until, as: "time"), only families nearby (\(nearby, as: "zips")) can register."
                        : "Until \(until, as: "time"), only families nearby can register. Yours is one of them.")
            }
        }
        if let closesAt { lines.append("Registration closes \(said(closesAt), as: "time").") }
        return lines
    }

    /// A ZIP code for display: `951…` for a beginning.
    static func shown(_ zip: String) -> String { key(zip).count < 4 ? zip + "…" : zip }

    /// The remaining time in whole days, hours or minutes, rounded so that nobody comes too late.
    private static func rest(until time: Instant, at now: Instant) -> Words {
        let seconds = (time - now).components.seconds
        let unit: Int64 = seconds >= 172_800 ? 86_400 : seconds >= 7_200 ? 3_600 : seconds >= 120 ? 60 : 1
        return Duration.seconds(seconds - seconds % unit).inWords
    }

    /// For lists, when families can register; nil if all can.
    func badge(at now: Instant) -> Words? {
        switch gate(zip: nil, at: now) {
        case .closed: "Registration closed"
        case .opens(let time): "Registration opens in \(Self.rest(until: time, at: now), as: "rest")"
        case .nearbyFirst: "Families nearby first"
        case .open: nil
        }
    }

    /// The same days and times by the clock of another zone.
    func moved(from old: Zone, to new: Zone) -> Window {
        guard old != new else { return self }
        var window = self
        window.opensAt = opensAt?.moved(from: old, to: new)
        window.closesAt = closesAt?.moved(from: old, to: new)
        window.firstUntil = firstUntil?.moved(from: old, to: new)
        return window
    }

    /// The window of the same event some days later. It opens at the same moment and closes later.
    func moved(by days: Int, in zone: Zone) -> Window {
        var window = self
        window.closesAt = closesAt.map { LocalTime($0, in: zone).moved(by: days).instant(in: zone) }
        return window
    }
}
