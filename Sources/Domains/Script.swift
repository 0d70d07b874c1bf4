/// The writing systems whose letters can be mistaken for each other, by Unicode block.
public enum Script: Sendable, Hashable {
    case latin, greek, cyrillic, armenian, hebrew, arabic, cherokee, georgian
    /// The scripts of East Asia, which are mixed with each other and with Latin letters.
    case eastAsian
    /// Any other script, by its block.
    case other(UInt32)

    /// Nil for characters that belong to all scripts: digits, signs, marks.
    init?(_ scalar: Unicode.Scalar) {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter: break
        default: return nil
        }
        switch scalar.value {
        case 0x00AA, 0x00BA, 0x0041...0x024F, 0x0250...0x02AF, 0x1D00...0x1D25, 0x1E00...0x1EFF, 0x2C60...0x2C7F,
            0xA720...0xA7FF, 0xAB30...0xAB64, 0xFF21...0xFF5A:
            self = .latin
        case 0x0370...0x03FF, 0x1D26...0x1D2A, 0x1F00...0x1FFF: self = .greek
        case 0x0400...0x052F, 0x1C80...0x1C8F, 0x1D2B, 0x2DE0...0x2DFF, 0xA640...0xA69F: self = .cyrillic
        case 0x0530...0x058F, 0xFB13...0xFB17: self = .armenian
        case 0x0590...0x05FF, 0xFB1D...0xFB4F: self = .hebrew
        case 0x0600...0x06FF, 0x0750...0x077F, 0x08A0...0x08FF, 0xFB50...0xFDFF, 0xFE70...0xFEFC: self = .arabic
        case 0x13A0...0x13FF, 0xAB70...0xABBF: self = .cherokee
        case 0x10A0...0x10FF, 0x1C90...0x1CBF, 0x2D00...0x2D2F: self = .georgian
        case 0x1100...0x11FF, 0x2E80...0x312F, 0x3130...0x318F, 0x31A0...0x9FFF, 0xA960...0xA97F, 0xAC00...0xD7FF,
            0xF900...0xFAFF, 0xFF66...0xFFDC, 0x1_B000...0x1_B16F, 0x2_0000...0x3_FFFF:
            self = .eastAsian
        default: self = .other(scalar.value / 0x80)
        }
    }

    /// Whether a text has letters of scripts that aren't normally mixed.
    public static func mixes(_ text: some StringProtocol) -> Bool {
        // Most texts are ASCII.
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        var scripts = Set(text.unicodeScalars.compactMap { Script($0) })
        if scripts.contains(.eastAsian) { scripts.remove(.latin) }
        return scripts.count > 1
    }
}
