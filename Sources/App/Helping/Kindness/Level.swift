/// How far somebody has come: from the start of a level, ten times its square are the points to the next one.
struct Level: Equatable, Sendable {
    /// 1 for somebody who begins.
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
