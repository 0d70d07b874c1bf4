import Foundation
import Testing

@testable import App

/// Places given out by lot, and the script with which everybody can check that.
@Suite struct LotteryTests {
    /// Numbers that are the same each time (SplitMix64).
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    /// A draw of so many wishes for so many events.
    private func lottery(_ seed: UInt64, units: Int, events: Int, mostSeats: Int, places: ClosedRange<Int>) -> Lottery {
        var random = Numbers(state: seed)
        let pots = (1...events).map { number in
            Lottery.Pot(event: ID(Int64(number * 7)), places: Int.random(in: places, using: &random))
        }
        let wishing = (0..<units).map { number in
            Lottery.Unit(
                code: "K\(number)", seats: Int.random(in: 1...mostSeats, using: &random),
                isFirst: Int.random(in: 0..<4, using: &random) == 0,
                wishes: Array(
                    pots.map(\.event).shuffled(using: &random).prefix(Int.random(in: 1...5, using: &random))))
        }
        return Lottery(pots: pots, units: wishing)
    }

    /// Some of several sizes.
    private var samples: [Lottery] {
        (1...40).map { number in
            lottery(UInt64(number), units: number * 3, events: 1 + number % 9, mostSeats: 1 + number % 4, places: 1...9)
        }
    }

    @Test func `nowhere are more places given out than there are, and each unit has one thing or nothing`() {
        for lottery in samples {
            let result = lottery.result(seed: "4 8 15 16 23 42")
            var taken: [ID<Event>: Int] = [:]
            for (unit, event) in zip(lottery.units, result.places) {
                guard let event else { continue }
                #expect(unit.wishes.contains(event))
                // All of them, or none.
                taken[event, default: 0] += unit.seats
            }
            for pot in lottery.pots { #expect(taken[pot.event, default: 0] <= pot.places) }
            #expect(result.places.count == lottery.units.count)
        }
    }

    @Test func `nobody has a place that somebody before them wanted more and would have fitted in`() {
        for lottery in samples {
            let result = lottery.result(seed: "4 8 15 16 23 42")
            for pot in lottery.pots {
                var room = pot.places
                for number in result.order {
                    let unit = lottery.units[number]
                    let rank = unit.wishes.firstIndex(of: pot.event)
                    let got = result.places[number].flatMap { unit.wishes.firstIndex(of: $0) } ?? unit.wishes.count
                    // Those after it don't count: their places would be this unit's.
                    if let rank, rank < got { #expect(unit.seats > room) }
                    if result.places[number] == pot.event { room -= unit.seats }
                }
            }
        }
    }

    @Test func `those nearby come first, and then the lot counts alone`() {
        for lottery in samples {
            let order = lottery.result(seed: "dice: 6 6 1").order.map { lottery.units[$0] }
            #expect(order.map(\.isFirst) == order.map(\.isFirst).sorted { $0 && !$1 })
            for (one, next) in zip(order, order.dropFirst()) where one.isFirst == next.isFirst {
                #expect(PublicHash.of("dice: 6 6 1:\(one.code)") < PublicHash.of("dice: 6 6 1:\(next.code)"))
            }
        }
    }

    @Test func `who wanted something more than what they got waits for it, in the order of the lots`() {
        for lottery in samples {
            let result = lottery.result(seed: "x")
            let turns = Dictionary(uniqueKeysWithValues: result.order.enumerated().map { ($1, $0) })
            for pot in lottery.pots {
                let expected = lottery.units.indices.filter { number in
                    let wishes = lottery.units[number].wishes
                    guard let rank = wishes.firstIndex(of: pot.event) else { return false }
                    return rank < result.places[number].flatMap { wishes.firstIndex(of: $0) } ?? wishes.count
                }
                let waiting = result.waiting[pot.event] ?? []
                #expect(waiting.sorted() == expected)
                #expect(waiting == waiting.sorted { turns[$0]! < turns[$1]! })
            }
        }
    }

    @Test func `it is the same in whatever order the wishes stand, and another with another seed`() {
        for lottery in samples.suffix(20) {
            let other = Lottery(pots: lottery.pots.reversed(), units: lottery.units.reversed())
            #expect(other.lines == lottery.lines && other.hash == lottery.hash)
            let lines = lottery.lines(of: lottery.result(seed: "x"))
            #expect(other.lines(of: other.result(seed: "x")) == lines)
            #expect(lottery.result(seed: "y").order != lottery.result(seed: "x").order)
        }
    }

    /// The same as people often describe it: all propose at once, each event keeps whom it has places for.
    private func rounds(_ lottery: Lottery, seed: String) -> [ID<Event>?] {
        let order = lottery.result(seed: seed).order
        let turns = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        var next = [Int](repeating: 0, count: lottery.units.count)
        var held: [ID<Event>: [Int]] = [:]
        var free = Set(lottery.units.indices)
        while true {
            let asking = free.filter { next[$0] < lottery.units[$0].wishes.count }
            if asking.isEmpty { break }
            for number in asking {
                held[lottery.units[number].wishes[next[number]], default: []].append(number)
                next[number] += 1
                free.remove(number)
            }
            for pot in lottery.pots {
                let all = (held[pot.event] ?? []).sorted { turns[$0]! < turns[$1]! }
                held[pot.event] = Array(all.prefix(pot.places))
                free.formUnion(all.dropFirst(pot.places))
            }
        }
        var places = [ID<Event>?](repeating: nil, count: lottery.units.count)
        for (event, numbers) in held { for number in numbers { places[number] = event } }
        return places
    }

    @Test func `it is what deferred acceptance in rounds gives where each needs one place`() {
        for number in 1...40 {
            let lottery = lottery(
                UInt64(number), units: 60, events: 1 + number % 8, mostSeats: 1, places: 1...12)
            #expect(lottery.result(seed: "s").places == rounds(lottery, seed: "s"))
        }
    }

    @Test func `an event that was called off gives out nothing, and nobody waits for it`() {
        var lottery = lottery(3, units: 50, events: 4, mostSeats: 2, places: 5...5)
        let hash = lottery.hash
        let gone = lottery.pots[1].event
        lottery.gone = [gone]
        let result = lottery.result(seed: "s")
        #expect(lottery.hash == hash)
        #expect(!result.places.contains(gone) && result.waiting[gone] == nil)
        #expect(!lottery.lines(of: result).contains { $0.hasPrefix("wait \(gone) ") })
    }

    @Test func `what is published says events, places and wishes, and nothing else`() {
        let lottery = Lottery(
            pots: [Lottery.Pot(event: ID(12), places: 30), Lottery.Pot(event: ID(9), places: 2)],
            units: [
                Lottery.Unit(code: "K7Q2M9XZ-1", seats: 1, isFirst: false, wishes: [ID(12), ID(9)]),
                Lottery.Unit(code: "A0000000", seats: 3, isFirst: true, wishes: [ID(9)]),
            ])
        #expect(
            lottery.lines == ["event 12 30", "event 9 2", "wish A0000000 3 0 9", "wish K7Q2M9XZ-1 1 1 12 9"])
        // As `printf '…' | sha256sum` has it.
        #expect(lottery.hash == "a38cfc05a8167bafcebce10e5eb6dc7547bdaa3ce0952d1e7caa7e59a6fbc592")
        #expect(
            lottery.lines(of: lottery.result(seed: "s")) == ["A0000000 none", "K7Q2M9XZ-1 12", "wait 9 A0000000"])
    }

    // MARK: The script

    private struct Published: Encodable {
        let lines: [String]
        let sha256: String
        var gone: [Int64] = []
        var seed: String?
        var result: [String]?
    }

    private static let script = SourcesTests.root.appending(path: "deploy/draw.py").path

    private func check(_ published: Published, _ arguments: String...) throws -> Program.Result {
        let file = FileManager.default.temporaryDirectory.appending(path: "village-draw-\(UUID()).json")
        try JSONEncoder().encode(published).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let python = ProcessInfo.processInfo.environment["VILLAGE_PYTHON"] ?? "/usr/bin/python3"
        return try Program.run(python, [Self.script, file.path] + arguments)
    }

    @Test func `the script gives the same bytes, and is short enough to be read`() throws {
        for (number, var lottery) in samples.enumerated() where number % 4 == 3 {
            lottery.gone = number % 8 == 3 ? [lottery.pots[0].event] : []
            let seed = "Los números: 4 – 8 – \(number)"
            let lines = lottery.lines(of: lottery.result(seed: seed))
            var published = Published(
                lines: lottery.lines, sha256: lottery.hash, gone: lottery.gone.map(\.rawValue))
            let tried = try check(published, seed)
            #expect(tried.status == 0 && tried.text == lines.map { $0 + "\n" }.joined())
            (published.seed, published.result) = (seed, lines)
            let checked = try check(published)
            #expect(checked.status == 0 && checked.text == tried.text)
        }
        let text = try String(contentsOfFile: Self.script, encoding: .utf8)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 101)
    }

    @Test func `the script says so when a wish was changed, or the result is another`() throws {
        let lottery = lottery(5, units: 30, events: 3, mostSeats: 2, places: 3...6)
        let lines = lottery.lines(of: lottery.result(seed: "s"))
        let changed = Published(lines: Array(lottery.lines.dropLast()), sha256: lottery.hash, seed: "s")
        let refused = try check(changed)
        #expect(refused.status != 0 && refused.text.contains("aren't the wishes"))
        let other = Published(
            lines: lottery.lines, sha256: lottery.hash, seed: "s", result: Array(lines.dropLast()) + ["wait 7 K1"])
        #expect(try check(other).status != 0)
        #expect(try check(Published(lines: lottery.lines, sha256: lottery.hash)).status != 0)
    }

    /// The figures are said, and nothing depends on them.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["VILLAGE_MEASURE_DRAW"] != nil))
    func `forty-two thousand wishes`() throws {
        let lottery = lottery(1, units: 42_000, events: 60, mostSeats: 3, places: 200...900)
        let clock = ContinuousClock()
        var lines: [String] = []
        let time = clock.measure { lines = lottery.lines(of: lottery.result(seed: "s")) }
        let published = Published(lines: lottery.lines, sha256: lottery.hash)
        var answer: Program.Result?
        let script = try clock.measure { answer = try check(published, "s") }
        #expect(answer?.text == lines.map { $0 + "\n" }.joined())
        print("42,000 wishes were drawn in \(time), by the script in \(script)")
    }
}
