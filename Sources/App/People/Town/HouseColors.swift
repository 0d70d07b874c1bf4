/// The colors of links and buttons, derived from one that an admin chose.
struct HouseColors: Sendable, Equatable {
    /// The minimum contrast of text (WCAG 2.2, 1.4.3).
    static let leastContrast = 4.5

    /// The style sheet's background colors for text in this color.
    private static let (lightGround, darkGround) = (Color("f3ece1")!, Color("1e2425")!)

    /// The paper color of dark pages, which tints resemble.
    private static let nightPaper = Color("15191a")!

    let chosen: Color

    /// Nil for a color in which text isn't readable on the page's paper, or on which paper-colored text isn't.
    init?(_ chosen: Color) {
        guard Self.canBeRead(chosen) else { return nil }
        self.chosen = chosen
    }

    private static func canBeRead(_ color: Color) -> Bool { color.contrast(on: lightGround) >= leastContrast }

    /// The lightest readable color with the same hue.
    static func nearest(to color: Color) -> Color { color.mixed(with: .black, until: canBeRead) }

    /// A style sheet that overrides four tokens, for light and dark pages.
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
