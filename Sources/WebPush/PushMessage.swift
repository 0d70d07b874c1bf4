import Crypto
import FoundationEssentials

/// A push ready to be sent: encrypted for one browser (RFC 8291, `aes128gcm` of RFC 8188), and signed.
public struct PushMessage: Sendable {
    /// How urgently a browser should be woken.
    public enum Urgency: String, Sendable {
        case low, normal, high
    }

    /// The delivery options for the service.
    public struct Manner: Sendable {
        /// How long the service keeps it for a browser that is away, in seconds.
        public var lifetime: Int64
        public var urgency: Urgency
        /// See ``PushRecipient/topic(of:)``.
        public var topic: String

        public init(lifetime: Int64, urgency: Urgency, topic: String) {
            self.lifetime = lifetime
            self.urgency = urgency
            self.topic = topic
        }
    }

    var endpoint: String
    /// The service it goes to.
    public let origin: String
    let headers: [String]
    let body: Data

    /// The longest text: all services accept 4,096 bytes, including the overhead.
    public static let longest = 3_000
    /// Texts are padded to a multiple of this many bytes, so that their length reveals nothing.
    static let step = 512
    /// The length of the only record.
    static let record: UInt32 = 4_096

    /// - Parameters:
    ///   - text: The text for the site's service worker.
    ///   - contact: Where the service can report problems: a `mailto:` or https address.
    ///     - now: Seconds since 1970.
    /// - Throws: What swift-crypto throws; ``TooLong``.
    public init(
        _ text: some Sequence<UInt8>, to recipient: PushRecipient, from identity: PushIdentity, _ manner: Manner,
        contact: String, at now: Int64
    ) throws {
        let text = Data(text)
        guard text.count <= Self.longest else { throw TooLong() }
        endpoint = recipient.endpoint
        origin = recipient.origin
        headers = [
            "Content-Type: application/octet-stream", "Content-Encoding: aes128gcm",
            "TTL: \(max(0, manner.lifetime))", "Urgency: \(manner.urgency.rawValue)", "Topic: \(manner.topic)",
            "Authorization: \(try identity.authorization(to: recipient, contact: contact, at: now))",
        ]
        let filling = Self.step - text.count % Self.step
        body = try Self.encrypted(
            text, filling: filling - 1, to: recipient, by: P256.KeyAgreement.PrivateKey(),
            salt: SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) })
    }

    /// The text is longer than any service accepts.
    public struct TooLong: Error {}

    /// - Parameter key: A key that is used only for this message.
    static func encrypted(
        _ text: Data, filling: Int, to recipient: PushRecipient, by key: P256.KeyAgreement.PrivateKey, salt: Data
    ) throws -> Data {
        let own = key.publicKey.x963Representation
        let known = try key.sharedSecretFromKeyAgreement(with: recipient.publicKey).hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: recipient.secret,
            sharedInfo: Data("WebPush: info\0".utf8) + recipient.publicKey.x963Representation + own,
            outputByteCount: 32)
        func derived(_ what: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: known, salt: salt, info: Data("Content-Encoding: \(what)\0".utf8),
                outputByteCount: count)
        }
        let nonce = try derived("nonce", 12).withUnsafeBytes { try AES.GCM.Nonce(data: $0) }
        // 2 marks the last record. Padding follows.
        let plain = text + [2] + Data(count: filling)
        let sealed = try AES.GCM.seal(plain, using: derived("aes128gcm", 16), nonce: nonce)
        let length = withUnsafeBytes(of: record.bigEndian) { Data($0) }
        return salt + length + [UInt8(own.count)] + own + sealed.ciphertext + sealed.tag
    }
}
