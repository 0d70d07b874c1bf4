/// Places given out by lot: who comes to what, and in which order the others wait.
///
/// It is a pure function of what was published before, and of a seed that nobody could know then. `deploy/draw.py` is
/// the same, for everybody to check: both give the same bytes.
///
/// The way is deferred acceptance. All events have the same order of those who wish, and those who are first in it
/// propose first; so nobody loses a place that they held, and one pass is enough. Nobody gains by another order of
/// their wishes than the true one, and nobody has a place that somebody before them in the order wanted more and would
/// have fitted in. (Proposing in rounds comes to the same where everybody needs one place. Where brothers and sisters
/// need several, a round can turn somebody down for a party that loses its places later.)
struct Lottery: Sendable, Equatable {
    /// An event, and how many places it gives out.
    struct Pot: Sendable, Equatable {
        let event: ID<Event>
        let places: Int
    }

    /// Those who get places together, or none: a child, or brothers and sisters.
    struct Unit: Sendable, Equatable {
        let code: String
        let seats: Int
        /// Whether it comes before others, as it lives nearby.
        let isFirst: Bool
        /// The most wanted first.
        let wishes: [ID<Event>]

        /// What is published of it, without a name.
        var line: String {
            "wish \(code) \(seats) \(isFirst ? 0 : 1) \(wishes.map { "\($0)" }.joined(separator: " "))"
        }
    }

    let pots: [Pot]
    let units: [Unit]
    /// Those events that were called off after this was published: nobody gets places there, or waits for one.
    var gone: Set<ID<Event>> = []

    /// What is published before the draw, in the order of its bytes.
    var lines: [String] {
        (pots.map { "event \($0.event) \($0.places)" } + units.map(\.line)).sorted()
    }

    /// SHA-256 of these lines, each with its end.
    var hash: String { PublicHash.of(lines.map { $0 + "\n" }.joined()) }

    /// What came of it.
    struct Result: Sendable, Equatable {
        /// The units in the order of their lot, as numbers among `units`.
        let order: [Int]
        /// What each unit got, by its number; nil for those who got nothing.
        let places: [ID<Event>?]
        /// The units who wait for an event, in order.
        let waiting: [ID<Event>: [Int]]
    }

    /// Draws.
    ///
    /// - Parameter seed: As it was typed in public.
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

    /// What is published of a result: what each got, then who waits for what, both in the order of their bytes.
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
