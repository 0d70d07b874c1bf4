import Crypto
import FoundationEssentials

/// The sender of pushes: the key with which a site signs them (VAPID, RFC 8292). A browser takes those only that were
/// signed with the key under which it subscribed.
public struct PushIdentity: Sendable {
    private let key: P256.Signing.PrivateKey

    /// A new one.
    public init() { key = P256.Signing.PrivateKey() }

    /// Reads a key that was kept; nil if it isn’t one.
    public init?(stored: String) {
        guard let bytes = Data(base64URL: stored), let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes)
        else { return nil }
        self.key = key
    }

    /// As it is kept.
    public var stored: String { key.rawRepresentation.base64URL }

    /// What a browser is given when it subscribes.
    public var publicKey: String { key.publicKey.x963Representation.base64URL }

    /// How long a signature is good for, in seconds.
    static let lifetime: Int64 = 12 * 3_600

    /// The line of a request that shows who sends it.
    ///
    /// - Parameters:
    ///   - contact: Whom the service asks when something is wrong: a `mailto:` or https address.
    ///   - now: Seconds since 1970.
    func authorization(to recipient: PushRecipient, contact: String, at now: Int64) throws -> String {
        let claims = #"{"aud":\#(quoted(recipient.origin)),"exp":\#(now + Self.lifetime),"sub":\#(quoted(contact))}"#
        let said = [#"{"typ":"JWT","alg":"ES256"}"#, claims].map { Data($0.utf8).base64URL }.joined(separator: ".")
        let signature = try key.signature(for: Data(said.utf8)).rawRepresentation.base64URL
        return "vapid t=\(said).\(signature), k=\(publicKey)"
    }

    /// A text in JSON, without what would have to be escaped.
    private func quoted(_ text: String) -> String {
        let plain = text.unicodeScalars.filter { $0.value >= 0x20 && $0 != "\"" && $0 != "\\" }
        return "\"\(String(String.UnicodeScalarView(plain)))\""
    }
}
