import Crypto
import CryptoExtras
import FoundationEssentials

/// The accepted signature algorithms. Anything else is refused, above all `none` and shared secrets.
enum Algorithm: String {
    /// RSA with PKCS #1 v1.5, which every issuer supports.
    case rs256 = "RS256"
    /// ECDSA on P-256.
    case es256 = "ES256"

    /// The kind of key it requires: a token can't have a key used in another way than intended.
    var kind: String { self == .rs256 ? "RSA" : "EC" }
}

/// The issuer's signing keys (RFC 7517).
struct KeySet: Decodable, Sendable {
    let keys: [Key]

    struct Key: Decodable, Sendable {
        let kty: String
        let use: String?
        let alg: String?
        let kid: String?
        let n: String?
        let e: String?
        let crv: String?
        let x: String?
        let y: String?

        func fits(_ algorithm: Algorithm) -> Bool {
            kty == algorithm.kind && (use ?? "sig") == "sig" && (alg ?? algorithm.rawValue) == algorithm.rawValue
        }

        /// Whether this key signed the bytes. False for a weak or broken key.
        func signed(_ bytes: Data, as signature: Data, _ algorithm: Algorithm) -> Bool {
            switch algorithm {
            case .rs256:
                guard let n = n.flatMap({ Data(base64URL: $0) }), let e = e.flatMap({ Data(base64URL: $0) }),
                    n.count <= 1_024, e.count <= 8,
                    // The initializer refuses keys of less than 2,048 bits.
                    let key = try? _RSA.Signing.PublicKey(n: n, e: e)
                else { return false }
                return key.isValidSignature(
                    _RSA.Signing.RSASignature(rawRepresentation: signature), for: bytes, padding: .insecurePKCS1v1_5)
            case .es256:
                guard crv == "P-256", let x = x.flatMap({ Data(base64URL: $0) }),
                    let y = y.flatMap({ Data(base64URL: $0) }), x.count == 32, y.count == 32,
                    let key = try? P256.Signing.PublicKey(rawRepresentation: x + y),
                    let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
                else { return false }
                return key.isValidSignature(signature, for: bytes)
            }
        }
    }

    /// The one key that a token with this header can be signed with; nil if there is none, or more than one.
    func key(named kid: String?, for algorithm: Algorithm) -> Key? {
        let found = keys.filter { $0.fits(algorithm) && (kid == nil || $0.kid == kid) }
        return found.count == 1 ? found[0] : nil
    }
}
