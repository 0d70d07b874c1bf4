import Crypto
import CryptoExtras
import Foundation
import Testing

@testable import OpenID

/// What a token has to say, and by whom it has to be signed.
@Suite struct TokenTests {
    private func judge(
        _ token: String, keys: [[String: String]] = [Signer.rsaKey(), Signer.ellipticKey()],
        nonce: String = Signer.secrets.nonce, begunAt: Int64 = Signer.now, now: Int64 = Signer.now
    ) throws -> Result<Claims, IssuerProblem> {
        let keys = try Signer.keySet(keys)
        do throws(IssuerProblem) {
            let read = try IDToken(token)
            guard let key = keys.key(named: read.keyName, for: read.algorithm) else {
                throw IssuerProblem.token(.key)
            }
            let expected = IDToken.Expectation(
                issuer: Signer.address, client: "village", nonce: nonce, begunAt: begunAt, now: now)
            return .success(try read.claims(signedWith: key, expected))
        } catch {
            return .failure(error)
        }
    }

    private func claims(_ changes: [String: (any Sendable)?]) -> [String: any Sendable] {
        var all = Signer.claims
        for (name, value) in changes { all[name] = value }
        return all
    }

    private func problem(_ changes: [String: (any Sendable)?]) throws -> TokenProblem? {
        guard case .failure(.token(let problem)) = try judge(Signer.token(claims(changes))) else { return nil }
        return problem
    }

    @Test func `a good token says who it is, signed in either way`() throws {
        let person = Claims(subject: "1c0e", email: "noor@example.org")
        #expect(try judge(Signer.token()) == .success(person))
        let other = Signer.token(head: ["alg": "ES256", "kid": "e", "typ": "JWT"], signing: Signer.signElliptic)
        #expect(try judge(other) == .success(person))
        // Without a name the one key that fits is meant.
        #expect(try judge(Signer.token(head: ["alg": "RS256"])) == .success(person))
        #expect(try judge(Signer.token(claims(["aud": ["village"]]))) == .success(person))
    }

    @Test func `a token with one wrong claim opens nothing`() throws {
        let (now, none) = (Signer.now, nil as (any Sendable)?)
        let wrong: [(String, (any Sendable)?, TokenProblem)] = [
            ("iss", "https://login.example/realms/other", .issuer), ("iss", Signer.address + "/", .issuer),
            ("aud", "other", .audience), ("aud", [] as [String], .audience), ("aud", ["other"], .audience),
            ("aud", ["village", "other"], .audience), ("azp", "other", .audience),
            ("exp", now - 60, .time), ("iat", now + 61, .time), ("iat", now - 61, .time), ("nbf", now + 61, .time),
            ("nonce", "another browser’s", .nonce), ("nonce", none, .nonce), ("nonce", "", .nonce),
            ("sub", "", .subject), ("sub", none, .subject), ("sub", String(repeating: "a", count: 256), .subject),
            // Without them, or as something else, it is no token.
            ("iss", none, .shape), ("aud", none, .shape), ("exp", none, .shape), ("iat", none, .shape),
            ("exp", "never", .shape),
        ]
        for (name, value, expected) in wrong {
            let found = try problem([name: value])
            #expect(found == expected, "\(name): \(String(describing: value))")
        }
        // Within a minute two clocks may differ; and one that is for others too says for whom it was made.
        for (name, value) in [("exp", now - 59), ("iat", now + 60), ("iat", now - 60), ("nbf", now + 60)] {
            let found = try problem([name: value])
            #expect(found == nil, "\(name)")
        }
        #expect(try problem(["aud": ["village", "other"], "azp": "village"]) == nil)
    }

    @Test func `an address that the issuer didn't make sure of is none`() throws {
        for verified: (any Sendable)? in [false, "false", nil, "1"] {
            let token = Signer.token(claims(["email_verified": verified]))
            #expect(try judge(token) == .success(Claims(subject: "1c0e", email: nil)))
        }
        let token = Signer.token(claims(["email_verified": "true"]))
        #expect(try judge(token) == .success(Claims(subject: "1c0e", email: "noor@example.org")))
    }

    @Test func `no other way to sign is believed, whatever a token says of itself`() throws {
        // The public key as a secret that two share, which RS256 libraries once took.
        let n = Data(base64URL: Signer.numbers().n)!
        let shared: (Data) -> Data = { said in
            Data(HMAC<SHA256>.authenticationCode(for: said, using: SymmetricKey(data: n)))
        }
        for name in ["none", "None", "", "HS256", "RS512", "PS256", "ES384", "EdDSA", "rs256"] {
            for signing in [shared, { _ in Data() }, Signer.sign] as [(Data) -> Data] {
                let token = Signer.token(head: ["alg": name, "kid": "r"], signing: signing)
                #expect(try judge(token) == .failure(.token(.algorithm)), "\(name)")
            }
        }
        let critical = Signer.token(head: ["alg": "RS256", "kid": "r", "crit": ["b64"], "b64": true])
        #expect(try judge(critical) == .failure(.token(.algorithm)))
    }

    @Test func `a key is used in the way it was made for, and in no other`() throws {
        // RSA's name with the other way, and the other's with RSA.
        let confused = [
            Signer.token(head: ["alg": "ES256", "kid": "r"], signing: Signer.signElliptic),
            Signer.token(head: ["alg": "RS256", "kid": "e"]), Signer.token(head: ["alg": "RS256", "kid": "x"]),
        ]
        for token in confused { #expect(try judge(token) == .failure(.token(.key))) }
        for more in [["use": "enc"], ["alg": "PS256"], ["kty": "oct"]] {
            let key = Signer.rsaKey("r", of: Signer.rsa, more)
            #expect(try judge(Signer.token(), keys: [key]) == .failure(.token(.key)))
        }
        // Two that could be meant are none.
        let other = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let two = [Signer.rsaKey(), Signer.rsaKey(of: other)]
        #expect(try judge(Signer.token(), keys: two) == .failure(.token(.key)))
        #expect(try judge(Signer.token(head: ["alg": "RS256"]), keys: two) == .failure(.token(.key)))
    }

    @Test func `what somebody else signed, or changed, is not believed`() throws {
        let wrong = IssuerProblem.token(.signature)
        let other = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        #expect(try judge(Signer.token(), keys: [Signer.rsaKey(of: other)]) == .failure(wrong))
        let weak = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1_024))
        let ofWeak = Signer.token { try! weak.signature(for: $0, padding: .insecurePKCS1v1_5).rawRepresentation }
        #expect(try judge(ofWeak, keys: [Signer.rsaKey(of: weak)]) == .failure(wrong), "a key of 1,024 bits")
        let padded = Signer.token { try! Signer.rsa.signature(for: $0, padding: .PSS).rawRepresentation }
        #expect(try judge(padded) == .failure(wrong))
        let parts = Signer.token().split(separator: ".").map(String.init)
        let changed = "\(parts[0]).\(Signer.segment(claims(["sub": "another"]))).\(parts[2])"
        #expect(try judge(changed) == .failure(wrong))
        #expect(try judge("\(parts[0]).\(parts[1]).") == .failure(wrong))
        let broken = Signer.token(head: ["alg": "ES256", "kid": "e"]) { _ in Data(repeating: 0, count: 64) }
        #expect(try judge(broken) == .failure(wrong))
    }

    @Test func `what is no token is none`() throws {
        let parts = Signer.token().split(separator: ".").map(String.init)
        for text in [
            "", ".", "..", "a.b.c", parts[0], "\(parts[0]).\(parts[1])", Signer.token() + ".", Signer.token() + "=",
            " " + Signer.token(), "\(parts[0]).\(parts[1]).\(parts[2]).\(parts[2])", "e30.e30.e30",
            "\(parts[0]).W10.\(parts[2])", String(repeating: "a", count: IDToken.limit + 1),
        ] {
            #expect(try judge(text) == .failure(.token(.shape)), "\(text.prefix(40))")
        }
    }

    /// The twin: where the nonce isn't compared, the token of another browser's log-in opens.
    @Test func `without its nonce a token of another browser would pass`() throws {
        let stolen = Signer.token(claims(["nonce": "another browser’s"]))
        #expect(try judge(stolen) == .failure(.token(.nonce)))
        let person = Claims(subject: "1c0e", email: "noor@example.org")
        #expect(try judge(stolen, nonce: "another browser’s") == .success(person))
    }
}
