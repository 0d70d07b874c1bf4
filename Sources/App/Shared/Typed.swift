extension StringProtocol {
    /// The text with keyboard differences removed: digits of any script become ASCII, wide characters narrow, and all
    /// spaces, hyphens, slashes and colons alike. Direction marks are removed.
    ///
    /// For parsers that go character by character: amounts, dates, times, phone numbers, codes.
    var plainSigns: String {
        if utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return String(self) }
        var plain = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0xFF01...0xFF5E: plain.append(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
            case 0x2044, 0x2215: plain.append("/")
            case 0x2236: plain.append(":")
            case 0xFFE1: plain.append("£")
            case 0xFFE5: plain.append("¥")
            case 0xFFE6: plain.append("₩")
            case 0x2010...0x2015, 0x2212, 0xFE58, 0xFE63: plain.append("-")
            default:
                if let digit = scalar.decimalDigit {
                    plain.append(Unicode.Scalar(UInt8(48 + digit)))
                } else if scalar.properties.isWhitespace {
                    plain.append(" ")
                } else if scalar.properties.generalCategory != .format {
                    plain.append(scalar)
                }
            }
        }
        return String(plain)
    }

    /// A code without separators and in lowercase.
    var plainCode: String { plainSigns.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) } }

    /// Whether it consists of ASCII digits, at least one.
    var isDigits: Bool { !isEmpty && utf8.allSatisfy { (48...57).contains($0) } }
}

extension Unicode.Scalar {
    /// The value of a decimal digit of any script, 0 to 9.
    fileprivate var decimalDigit: Int? {
        properties.numericType == .decimal ? properties.numericValue.map { Int($0) } : nil
    }
}
