/// The site's colors for what can be pressed, made from one that an admin chose.
struct HouseColors: Sendable, Equatable {
    /// The least contrast of words on their ground (WCAG 2.2, 1.4.3).
    static let leastContrast = 4.5

    /// The grounds of the style sheet's tokens, where words in this color stand: paper and what is let into it.
    private static let (lightGround, darkGround) = (Color("f3ece1")!, Color("1e2425")!)

    /// The paper of dark pages, which tints come close to.
    private static let nightPaper = Color("15191a")!

    let chosen: Color

    /// Nil for a color in which words can't be read on the page's paper, or words of the paper's color in it.
    init?(_ chosen: Color) {
        guard Self.canBeRead(chosen) else { return nil }
        self.chosen = chosen
    }

    private static func canBeRead(_ color: Color) -> Bool { color.contrast(on: lightGround) >= leastContrast }

    /// The lightest of the same hue that can be read.
    static func nearest(to color: Color) -> Color { color.mixed(with: .black, until: canBeRead) }

    /// A style sheet in place of four of the tokens, for light and dark pages.
    var sheet: String {
        let night = chosen.mixed(with: .white) { $0.contrast(on: Self.darkGround) >= 6.5 }
        let tints = (
            day: chosen.mixed(with: .white, from: 0.87) { chosen.contrast(on: $0) >= Self.leastContrast },
            night: night.mixed(with: Self.nightPaper, from: 0.75) { night.contrast(on: $0) >= Self.leastContrast }
        )
        let tokens = [
            ("spruce", chosen, night),
            ("spruce-deep", chosen.mixed(with: .black, 0.28), night.mixed(with: .white, 0.4)),
            ("spruce-tint", tints.day, tints.night), ("on-spruce", .white, chosen.mixed(with: .black, 0.8)),
        ]
        let lines = tokens.map { name, day, night in "--\(name): light-dark(\(day.css), \(night.css));" }
        return ":root { \(lines.joined(separator: " ")) }\n"
    }
}
