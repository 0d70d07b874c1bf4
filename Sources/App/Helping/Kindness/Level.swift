/// A member's level. From the start of level n to the next takes ten times n squared points.
struct Level: Equatable, Sendable {
    /// 1 for beginners.
    let number: Int
    /// Points since its start.
    let reached: Int
    /// Points from its start to the next.
    let needed: Int

    init(points: Int) {
        var (number, rest) = (1, max(0, points))
        while rest >= Self.width(of: number) {
            rest -= Self.width(of: number)
            number += 1
        }
        self.number = number
        reached = rest
        needed = Self.width(of: number)
    }

    private static func width(of level: Int) -> Int { 10 * level * level }
}
