import FoundationEssentials

/// Decodes the issuer's JSON.
func decoded<T: Decodable>(_ type: T.Type, from bytes: some Sequence<UInt8>) throws(IssuerProblem) -> T {
    guard let value = try? JSONDecoder().decode(type, from: Data(bytes)) else { throw IssuerProblem.unreadable }
    return value
}

extension Data {
    /// The bytes of base64url without padding (RFC 7515).
    package init?(base64URL text: some StringProtocol) {
        let isWhole = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
            default: false
            }
        }
        guard isWhole else { return nil }
        let plain = String(text).replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
    }

    package var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").filter { $0 != "=" }
    }
}

/// The pairs as `application/x-www-form-urlencoded`, with `%20` for a space.
func formText(_ pairs: [(name: String, value: String)]) -> String {
    pairs.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }.joined(separator: "&")
}

func percentEncoded(_ text: String) -> String {
    text.utf8.map { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: String(UnicodeScalar(byte))
        default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
    }.joined()
}
