import Crypto
import CryptoExtras
import Foundation

@testable import OpenID

/// An issuer without a connection: it signs what it is told to.
struct Signer {
    static let address = "https://login.example/realms/town"
    static let now: Int64 = 1_805_536_800
    static let rsa = try! _RSA.Signing.PrivateKey(keySize: .bits2048)
    static let elliptic = P256.Signing.PrivateKey()
    static let secrets = Issuer.Secrets(state: "s", nonce: "the nonce of this browser", verifier: "a verifier")

    /// What a good token says.
    static var claims: [String: any Sendable] {
        [
            "iss": address, "sub": "1c0e", "aud": "village", "exp": now + 300, "iat": now, "nonce": secrets.nonce,
            "email": "noor@example.org", "email_verified": true,
        ]
    }

    static func segment(_ value: Any) -> String {
        (try! JSONSerialization.data(withJSONObject: value, options: .sortedKeys)).base64URL
    }

    /// A token signed with RS256, unless another way is given.
    static func token(
        _ claims: [String: any Sendable] = claims, head: [String: any Sendable] = ["alg": "RS256", "kid": "r"],
        signing: (Data) -> Data = sign
    ) -> String {
        let said = "\(segment(head)).\(segment(claims))"
        return "\(said).\(signing(Data(said.utf8)).base64URL)"
    }

    static func sign(_ said: Data) -> Data {
        try! rsa.signature(for: said, padding: .insecurePKCS1v1_5).rawRepresentation
    }

    static func signElliptic(_ said: Data) -> Data { try! elliptic.signature(for: said).rawRepresentation }

    /// The modulus and the exponent, as the key set has them.
    static func numbers(of key: _RSA.Signing.PrivateKey = rsa) -> (n: String, e: String) {
        let numbers = try! key.publicKey.getKeyPrimitives()
        return (numbers.modulus.base64URL, numbers.publicExponent.base64URL)
    }

    static func rsaKey(
        _ kid: String = "r", of key: _RSA.Signing.PrivateKey = rsa, _ more: [String: String] = [:]
    ) -> [String: String] {
        let (n, e) = numbers(of: key)
        return ["kty": "RSA", "kid": kid, "n": n, "e": e].merging(more) { $1 }
    }

    static func ellipticKey(_ kid: String = "e") -> [String: String] {
        let point = elliptic.publicKey.rawRepresentation
        return [
            "kty": "EC", "crv": "P-256", "kid": kid, "x": point.prefix(32).base64URL, "y": point.suffix(32).base64URL,
        ]
    }

    static func keySet(_ keys: [[String: String]] = [rsaKey(), ellipticKey()]) throws -> KeySet {
        try decoded(KeySet.self, from: JSONSerialization.data(withJSONObject: ["keys": keys]))
    }
}
