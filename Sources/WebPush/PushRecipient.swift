import Crypto
package import FoundationEssentials

/// A browser that accepts pushes: an address at its maker's service, and the keys to encrypt for it.
public struct PushRecipient: Sendable {
    /// The services that pushes may be sent to.
    public enum Reach: Sendable {
        /// Services on the Internet, by https.
        case publicHosts
        /// Also services on this machine, for tests.
        case loopback
    }

    /// The address to which its pushes are sent.
    public let endpoint: String
    let publicKey: P256.KeyAgreement.PublicKey
    let secret: Data

    /// Parses a browser's subscription; nil if it is invalid, or leads to no host on the Internet.
    ///
    /// - Parameters:
    ///   - publicKey: Its `p256dh`, as base64url.
    ///   - secret: Its `auth`, as base64url.
    public init?(endpoint: String, publicKey: String, secret: String, reach: Reach) {
        guard max(publicKey.utf8.count, secret.utf8.count) <= Self.longestKey,
            let key = Data(base64URL: publicKey), let secret = Data(base64URL: secret), secret.count == 16,
            let publicKey = try? P256.KeyAgreement.PublicKey(x963Representation: key),
            Self.isAddress(endpoint, reach)
        else { return nil }
        self.endpoint = endpoint
        self.publicKey = publicKey
        self.secret = secret
    }

    /// The longest address accepted.
    static let longest = 2_000
    /// Longer than any key in base64url, padded or not.
    static let longestKey = 100
    private static let notInAddresses = Set("\"#<>\\^`{|}".utf8)

    private static func isAddress(_ endpoint: String, _ reach: Reach) -> Bool {
        guard endpoint.utf8.count <= longest,
            endpoint.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !Self.notInAddresses.contains($0) })
        else { return false }
        if reach == .loopback, endpoint.hasPrefix("http://127.0.0.1:") { return true }
        guard endpoint.hasPrefix("https://") else { return false }
        // No user name, password, port or IP address. `isPublic` checks the address that the name resolves to.
        let host = endpoint.dropFirst(8).prefix { !"/?".contains($0) }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1 && host.utf8.count <= 253
            && labels.allSatisfy { label in
                !label.isEmpty && label.utf8.allSatisfy { Self.isOfName($0) }
            } && labels.last!.utf8.first.map { (0x61...0x7A).contains($0 | 0x20) } == true
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        byte == 0x2D || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }

    /// The address's scheme and host: the service, for which a signature is valid.
    var origin: String {
        let start = endpoint.utf8.firstIndex(of: 0x2F)!
        let host = endpoint.index(start, offsetBy: 2)
        return String(endpoint[..<host] + endpoint[host...].prefix { !"/?".contains($0) })
    }

    /// A name for pushes of one sort, so that a newer one replaces an older one waiting at the service. The service
    /// learns which are alike, but not what they are about.
    public func topic(of sort: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Data(sort.utf8), using: SymmetricKey(data: secret))
        return Data(Data(code).prefix(24)).base64URL
    }
}

extension Data {
    package init?(base64URL text: String) {
        guard text.utf8.allSatisfy({ $0 != 0x2B && $0 != 0x2F }) else { return nil }
        let plain = text.filter { $0 != "=" }.replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
    }

    package var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").filter { $0 != "=" }
    }
}
