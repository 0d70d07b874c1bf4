import Testing

@testable import App

@Suite struct ColorTests {
    @Test(arguments: [
        ("#1c6b57", "1c6b57"), ("1C6B57", "1c6b57"), (" #fff ", "ffffff"), ("000", "000000"), ("# 0a0b0c", "0a0b0c"),
    ])
    func `a color is read as people write it`(typed: String, digits: String) {
        #expect(Color(typed)?.digits == digits)
    }

    @Test(arguments: [
        "", "#", "12", "1234", "#12345", "#1234567", "green", "#gggggg", "+12345", "#١٢٣", "１２３", "#fff;",
    ])
    func `what is no color isn't taken for one`(typed: String) { #expect(Color(typed) == nil) }

    /// The figures that the formula's authors and the usual tools give.
    @Test(arguments: [
        ("000000", 21.0), ("ffffff", 1.0), ("767676", 4.54), ("777777", 4.48), ("ff0000", 4.0), ("0000ff", 8.59),
    ])
    func `contrast on white is that of WCAG`(digits: String, contrast: Double) throws {
        let color = try #require(Color(digits))
        #expect(abs(color.contrast(on: .white) - contrast) < 0.005)
    }

    /// Of all colors with three digits: words can be read in light and dark, on the page, on tints, and on buttons.
    @Test func `a color that is taken can be read everywhere`() throws {
        var taken = 0
        for bits in 0..<4_096 {
            let digits = String(bits, radix: 16)
            let color = try #require(Color(String(repeating: "0", count: 3 - digits.count) + digits))
            let nearest = HouseColors.nearest(to: color)
            #expect(HouseColors(nearest) != nil, "\(digits)")
            guard let colors = HouseColors(color) else { continue }
            #expect(nearest == color)
            taken += 1
            let tokens = try Self.tokens(of: colors.sheet)
            let (paper, card, sunken) = (["fbf7f0", "15191a"], ["ffffff", "1e2425"], ["f3ece1", "101415"])
            for look in 0...1 {
                let ((own, deep), (tint, on)) = (
                    (tokens["spruce"]![look], tokens["spruce-deep"]![look]),
                    (tokens["spruce-tint"]![look], tokens["on-spruce"]![look])
                )
                let pairs =
                    [(own, tint), (deep, tint), (on, own), (on, deep)]
                    + [paper, card, sunken].flatMap { [(own, Color($0[look])!), (deep, Color($0[look])!)] }
                for (words, ground) in pairs {
                    #expect(words.contrast(on: ground) >= HouseColors.leastContrast, "\(digits) \(words) \(ground)")
                }
            }
        }
        #expect(taken > 500)
    }

    /// The colors of a sheet by name, for light and for dark pages.
    private static func tokens(of sheet: String) throws -> [String: [Color]] {
        var tokens: [String: [Color]] = [:]
        for found in sheet.matches(of: /--([a-z-]+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\);/) {
            tokens[String(found.1)] = [try #require(Color(String(found.2))), try #require(Color(String(found.3)))]
        }
        #expect(tokens.count == 4)
        return tokens
    }
}
