/// Random numbers that are the same for the same seed, on every machine and with every version of Swift.
///
/// SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. Not for secrets.
struct SeededGenerator: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// The generator for one item of a kind, so that each item can be made independently, in any order.
    init(seed: UInt64, kind: UInt64, number: Int) {
        var mixer = SeededGenerator(seed: seed ^ (kind << 56))
        state = mixer.next() &+ UInt64(truncatingIfNeeded: number) &* 0xD1B5_4A32_D192_ED03
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number in the range. The standard library's own method may change; this one must not.
    mutating func number(in range: Range<Int>) -> Int {
        range.lowerBound + Int(next().multipliedFullWidth(by: UInt64(range.count)).high)
    }

    mutating func number(in range: ClosedRange<Int>) -> Int { number(in: range.lowerBound..<range.upperBound + 1) }

    mutating func pick<Element>(_ list: [Element]) -> Element { list[number(in: list.indices)] }

    /// The elements in random order.
    mutating func shuffled<Element>(_ list: some Sequence<Element>) -> [Element] {
        var list = Array(list)
        for last in list.indices.dropFirst().reversed() { list.swapAt(last, number(in: 0...last)) }
        return list
    }
}
