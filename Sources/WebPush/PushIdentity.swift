import Crypto
import FoundationEssentials

/// The sender of pushes: the key with which a site signs them (VAPID, RFC 8292). A browser accepts only pushes signed
/// with the key under which it subscribed.
public struct PushIdentity: Sendable {
    private let key: P256.Signing.PrivateKey

    /// Makes a new key.
    public init() { key = P256.Signing.PrivateKey() }

    /// Parses a stored key; nil if it isn't one.
    public init?(stored: String) {
        guard let bytes = Data(base64URL: stored), let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes)
        else { return nil }
        self.key = key
    }

    /// The key in the form in which it is stored.
    public var stored: String { key.rawRepresentation.base64URL }

    /// The public key that a browser needs to subscribe.
    public var publicKey: String { key.publicKey.x963Representation.base64URL }

    /// How long a signature is valid, in seconds.
    static let lifetime: Int64 = 12 * 3_600

    /// The `Authorization` header, which identifies the sender.
    ///
    /// - Parameters:
    ///   - contact: Where the service can report problems: a `mailto:` or https address.
    ///     - now: Seconds since 1970.
    func authorization(to recipient: PushRecipient, contact: String, at now: Int64) throws -> String {
        let claims = #"{"aud":\#(quoted(recipient.origin)),"exp":\#(now + Self.lifetime),"sub":\#(quoted(contact))}"#
        let said = [#"{"typ":"JWT","alg":"ES256"}"#, claims].map { Data($0.utf8).base64URL }.joined(separator: ".")
        let signature = try key.signature(for: Data(said.utf8)).rawRepresentation.base64URL
        return "vapid t=\(said).\(signature), k=\(publicKey)"
    }

    /// A JSON string, without the characters that would need escaping.
    private func quoted(_ text: String) -> String {
        let plain = text.unicodeScalars.filter { $0.value >= 0x20 && $0 != "\"" && $0 != "\\" }
        return "\"\(String(String.UnicodeScalarView(plain)))\""
    }
}
