/// The lottery: who gets which places, and the order of the waiting lists.
///
/// It is a pure function of the data published before, and of a seed that nobody could know then. `deploy/draw.py`
/// implements the same function for verification: both produce the same bytes.
///
/// The algorithm is deferred acceptance. All events rank the families in the same order, and those ranked first propose
/// first; so nobody loses a place once assigned, and one pass is enough. Nobody gains by misstating the order of their
/// wishes, and nobody has a place that somebody ranked before them preferred and would have fit into. (Proposing in
/// rounds gives the same result if everyone needs one place. If siblings need several, a round could reject somebody in
/// favor of a party that loses its places later.)
struct Lottery: Sendable, Equatable {
    /// An event, and its number of places.
    struct Pot: Sendable, Equatable {
        let event: ID<Event>
        let places: Int
    }

    /// A child, or siblings who get places together or not at all.
    struct Unit: Sendable, Equatable {
        let code: String
        let seats: Int
        /// Whether it has priority because it lives nearby.
        let isFirst: Bool
        /// In order of preference.
        let wishes: [ID<Event>]

        /// The published line, without names.
        var line: String {
            "wish \(code) \(seats) \(isFirst ? 0 : 1) \(wishes.map { "\($0)" }.joined(separator: " "))"
        }
    }

    let pots: [Pot]
    let units: [Unit]
    /// Events canceled after publication: nobody gets places there, or waits for them.
    var gone: Set<ID<Event>> = []

    /// The lines published before the draw, sorted by bytes.
    var lines: [String] {
        (pots.map { "event \($0.event) \($0.places)" } + units.map(\.line)).sorted()
    }

    /// The SHA-256 of these lines with their line ends.
    var hash: String { PublicHash.of(lines.map { $0 + "\n" }.joined()) }

    /// The result.
    struct Result: Sendable, Equatable {
        /// The units in the order of their lots, as indexes into `units`.
        let order: [Int]
        /// Each unit's event, by index; nil for none.
        let places: [ID<Event>?]
        /// The units waiting for an event, in order.
        let waiting: [ID<Event>: [Int]]
    }

    /// Draws the lots.
    ///
    /// - Parameter seed: The seed chosen in public.
    func result(seed: String) -> Result {
        let lots = units.map { PublicHash.of("\(seed):\($0.code)") }
        let order = units.indices.sorted { one, other in
            if units[one].isFirst != units[other].isFirst { return units[one].isFirst }
            return (lots[one], units[one].code) < (lots[other], units[other].code)
        }
        var free = Dictionary(pots.map { ($0.event, $0.places) }, uniquingKeysWith: { first, _ in first })
        for event in gone { free[event] = nil }
        var places = [ID<Event>?](repeating: nil, count: units.count)
        var waiting: [ID<Event>: [Int]] = [:]
        for number in order {
            for event in units[number].wishes {
                guard let room = free[event] else { continue }
                if room >= units[number].seats {
                    free[event] = room - units[number].seats
                    places[number] = event
                    break
                }
                waiting[event, default: []].append(number)
            }
        }
        return Result(order: order, places: places, waiting: waiting)
    }

    /// The published lines of a result: each unit's event, then the waiting lists, both sorted by bytes.
    func lines(of result: Result) -> [String] {
        let got = zip(units, result.places).map { unit, event in
            "\(unit.code) \(event.map { "\($0)" } ?? "none")"
        }
        let waiting = result.waiting.map { event, numbers in
            "wait \(event) \(numbers.map { units[$0].code }.joined(separator: " "))"
        }
        return got.sorted() + waiting.sorted()
    }
}
