import Crypto
import CryptoExtras
import Foundation
import Synchronization
import Testing

@testable import OpenID

/// The two steps of a log-in, at an issuer that answers as a test says.
@Suite struct IssuerTests {
    /// What it answers, and what it was asked.
    private final class Place: Sendable {
        let answers: Mutex<[String: String]>
        let asked = Mutex<[Issuer.Question]>([])

        init(_ changes: [String: any Sendable] = [:], keys: [[String: String]] = [Signer.rsaKey()]) {
            var document: [String: any Sendable] = [
                "issuer": Signer.address, "authorization_endpoint": "https://login.example/auth?realm=town",
                "token_endpoint": "https://login.example/token", "jwks_uri": "https://keys.example/all",
            ]
            document.merge(changes) { $1 }
            answers = Mutex([
                Signer.address + "/.well-known/openid-configuration": Self.text(document),
                "https://login.example/token": Self.text(["id_token": Signer.token(), "access_token": "unused"]),
                "https://keys.example/all": Self.text(["keys": keys]),
            ])
        }

        static func text(_ value: Any) -> String {
            String(decoding: try! JSONSerialization.data(withJSONObject: value), as: UTF8.self)
        }

        func issuer(secret: String? = "it’s: a secret") -> Issuer {
            let registration = Issuer.Registration(
                issuer: Signer.address, client: "village", secret: secret, redirect: "https://village.example/back")
            return Issuer(registration) { question in
                self.asked.withLock { $0.append(question) }
                guard let answer = self.answers.withLock({ $0[question.address] }) else { throw Silent() }
                return Array(answer.utf8)
            }
        }

        func set(_ address: String, _ answer: String?) { answers.withLock { $0[address] = answer } }

        func count(_ address: String) -> Int { asked.withLock { $0.filter { $0.address == address }.count } }
    }

    private struct Silent: Error {}

    private let keys = "https://keys.example/all"
    private let tokens = "https://login.example/token"
    private let configuration = Signer.address + "/.well-known/openid-configuration"

    private func claims(
        at issuer: Issuer, from named: String? = nil, now: Int64 = Signer.now
    ) async -> Result<Claims, IssuerProblem> {
        do throws(IssuerProblem) {
            return .success(
                try await issuer.claims(for: "a code", from: named, Signer.secrets, begunAt: Signer.now, at: now))
        } catch {
            return .failure(error)
        }
    }

    @Test func `a browser is sent to the issuer with a challenge, a state and a nonce`() async throws {
        let place = Place()
        let address = try await place.issuer().entrance(for: Signer.secrets, at: Signer.now)
        let parts = try #require(URLComponents(string: address))
        let query = Dictionary(uniqueKeysWithValues: (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") })
        #expect(parts.host == "login.example" && parts.path == "/auth")
        #expect(
            query == [
                "realm": "town", "response_type": "code", "client_id": "village", "scope": "openid email",
                "redirect_uri": "https://village.example/back", "state": "s", "nonce": Signer.secrets.nonce,
                "code_challenge": Data(SHA256.hash(data: Data("a verifier".utf8))).base64URL,
                "code_challenge_method": "S256",
            ])
        #expect(!address.contains("verifier"))
    }

    @Test func `the code and the verifier go to the issuer with the secret, and the person comes back`() async throws {
        let place = Place()
        let person = Claims(subject: "1c0e", email: "noor@example.org")
        #expect(await claims(at: place.issuer()) == .success(person))
        let question = try #require(place.asked.withLock(\.self).first { $0.address == tokens })
        let both = Data("village:it%E2%80%99s%3A%20a%20secret".utf8).base64EncodedString()
        #expect(question.authorization == "Basic \(both)")
        #expect(
            question.form == "grant_type=authorization_code&code=a%20code"
                + "&redirect_uri=https%3A%2F%2Fvillage.example%2Fback&code_verifier=a%20verifier")
        // In the form, where that is the only way there; without a secret the name alone.
        for (secret, end) in [("x&y", "&client_id=village&client_secret=x%26y"), (nil, "&client_id=village")] {
            let place = Place(["token_endpoint_auth_methods_supported": ["client_secret_post"]])
            #expect(await claims(at: place.issuer(secret: secret)) == .success(person))
            let question = try #require(place.asked.withLock(\.self).first { $0.address == tokens })
            let form = question.form ?? ""
            #expect(question.authorization == nil && form.hasSuffix("code_verifier=a%20verifier\(end)"))
        }
    }

    @Test func `an issuer that calls itself otherwise, or leads to where nobody is safe, is left alone`() async {
        let others: [[String: any Sendable]] = [
            ["issuer": Signer.address + "/"], ["token_endpoint": "http://login.example/token"],
            ["jwks_uri": "http://127.0.0.1/keys"], ["authorization_endpoint": "javascript:alert(1)"],
            ["token_endpoint": "https://me:secret@login.example/token"], ["jwks_uri": "file:///etc/passwd"],
            ["jwks_uri": "https://keys.example/all#x"], ["jwks_uri": "https://keys.example/a b"],
        ]
        for changes in others {
            let place = Place(changes)
            #expect(await place.issuer().tryOut(at: Signer.now) == .unsuitable, "\(changes)")
            #expect(await claims(at: place.issuer()) == .failure(.unsuitable))
            #expect(place.count(tokens) == 0)
        }
        #expect(await Place().issuer().tryOut(at: Signer.now) == nil)
    }

    @Test func `an issuer's address is https, or of this machine`() {
        for good in [
            "https://login.example", "https://login.example:8443/realms/town", "http://localhost:9400",
            "http://127.0.0.1:9400/a", "http://[::1]:9400",
        ] { #expect(Issuer.accepts(good), "\(good)") }
        for bad in [
            "", "login.example", "http://login.example", "https://", "https://me@login.example", "ftp://localhost",
            "https://login.example/?a=b", "https://login.example/#a", "http://localhost.example",
            "http://127.0.0.1.nip.io",
            "http://localhost@login.example/", "https://login.example/a b", "http://localhost\\@login.example",
        ] { #expect(!Issuer.accepts(bad), "\(bad)") }
    }

    @Test func `a way back that names another issuer leads nowhere`() async {
        let place = Place()
        #expect(await claims(at: place.issuer(), from: "https://other.example") == .failure(.token(.issuer)))
        #expect(place.count(tokens) == 0)
        let naming = Place(["authorization_response_iss_parameter_supported": true])
        #expect(await claims(at: naming.issuer()) == .failure(.token(.issuer)))
        for named in [Signer.address, nil] {
            let place = named == nil ? Place() : naming
            #expect((try? await claims(at: place.issuer(), from: named).get()) != nil)
        }
    }

    @Test func `a new key is read once, and then not again and again`() async {
        let place = Place(keys: [Signer.ellipticKey()])
        let issuer = place.issuer()
        #expect(await issuer.tryOut(at: Signer.now) == nil)
        #expect(await claims(at: issuer) == .failure(.token(.key)))
        let asked = place.count(keys)
        for second in [1, 30, 59] {
            #expect(await claims(at: issuer, now: Signer.now + Int64(second)) == .failure(.token(.key)))
        }
        #expect(place.count(keys) == asked, "within a minute")
        place.set(keys, Place.text(["keys": [Signer.rsaKey()]]))
        #expect((try? await claims(at: issuer, now: Signer.now + 60).get()) != nil)
        #expect(place.count(keys) == asked + 1)
        #expect((try? await claims(at: issuer, now: Signer.now + 61).get()) != nil)
        #expect(place.count(keys) == asked + 1 && place.count(configuration) == 1, "what is known is kept")
        // A key that was taken back is forgotten within an hour.
        place.set(keys, Place.text(["keys": [Signer.ellipticKey()]]))
        let later = Signer.now + 60 + Issuer.memory
        place.set(tokens, Place.text(["id_token": Signer.token(Signer.claims.merging(["exp": later + 60]) { $1 })]))
        #expect(await claims(at: issuer, now: later) == .failure(.token(.key)))
    }

    @Test func `a new key under the same name, or under none, is read once the minute is over`() async throws {
        let other = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        for head in [["alg": "RS256", "kid": "r"], ["alg": "RS256"]] {
            let place = Place()
            let issuer = place.issuer()
            #expect((try? await claims(at: issuer).get()) != nil)
            place.set(keys, Place.text(["keys": [Signer.rsaKey("r", of: other)]]))
            let token = Signer.token(head: head) {
                try! other.signature(for: $0, padding: .insecurePKCS1v1_5).rawRepresentation
            }
            place.set(tokens, Place.text(["id_token": token]))
            #expect(await claims(at: issuer, now: Signer.now + 59) == .failure(.token(.signature)))
            #expect(place.count(keys) == 1, "within a minute")
            #expect((try? await claims(at: issuer, now: Signer.now + 60).get()) != nil, "\(head)")
            // What nobody there signed has them read once a minute at most.
            place.set(tokens, Place.text(["id_token": Signer.token(head: head)]))
            for second in [61, 119] {
                let found = await claims(at: issuer, now: Signer.now + Int64(second))
                #expect(found == .failure(.token(.signature)))
            }
            #expect(place.count(keys) == 2)
        }
    }

    @Test func `however many wait for an issuer that takes its time, it is asked once`() async throws {
        let place = Place()
        let asked = Mutex(0)
        let waiting = Mutex<[Task<Void, any Error>]>([])
        let own = Mutex<Issuer?>(nil)
        let registration = Issuer.Registration(
            issuer: Signer.address, client: "village", secret: nil, redirect: "https://village.example/back")
        let issuer = Issuer(registration) { question in
            let isFirst = asked.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst, let issuer = own.withLock(\.self) {
                // More browsers, while it thinks: each has had its turn many times over before it answers.
                for _ in 0..<10 {
                    let browser = Task { _ = try await issuer.entrance(for: Signer.secrets, at: Signer.now) }
                    waiting.withLock { $0.append(browser) }
                }
                for _ in 0..<1_000 { await Task.yield() }
            }
            return Array((place.answers.withLock { $0[question.address] } ?? "").utf8)
        }
        own.withLock { $0 = issuer }
        _ = try await issuer.entrance(for: Signer.secrets, at: Signer.now)
        for browser in waiting.withLock(\.self) { try await browser.value }
        #expect(waiting.withLock(\.count) == 10 && asked.withLock(\.self) == 1)
        own.withLock { $0 = nil }
    }

    @Test func `a code that the issuer says no to is no silence of its`() async {
        let place = Place()
        let registration = Issuer.Registration(
            issuer: Signer.address, client: "village", secret: nil, redirect: "https://village.example/back")
        let issuer = Issuer(registration) { question in
            guard question.form == nil else { throw IssuerProblem.refused }
            return Array((place.answers.withLock { $0[question.address] } ?? "").utf8)
        }
        #expect(await claims(at: issuer) == .failure(.refused))
    }

    @Test func `an issuer that doesn't take the site's secret says nothing of the code`() async {
        for said in ["invalid_client", "unauthorized_client"] {
            let problem = IssuerProblem(refusal: Array("{\"error\":\"\(said)\"}".utf8))
            guard case .away = problem else {
                Issue.record("\(said): \(problem)")
                continue
            }
            let place = Place()
            let registration = Issuer.Registration(
                issuer: Signer.address, client: "village", secret: nil, redirect: "https://village.example/back")
            let issuer = Issuer(registration) { question in
                guard question.form == nil else { throw problem }
                return Array((place.answers.withLock { $0[question.address] } ?? "").utf8)
            }
            #expect(await claims(at: issuer) == .failure(problem))
        }
        // Of anything else nobody knows whose fault it is: it counts as a guess.
        for said in [#"{"error":"invalid_grant"}"#, #"{"error":"invalid_request"}"#, #"{"error":7}"#, "", "no"] {
            #expect(IssuerProblem(refusal: Array(said.utf8)) == .refused, "\(said)")
        }
    }

    @Test func `an issuer that doesn't answer, or not as one, is asked again after a minute`() async {
        let place = Place()
        let issuer = place.issuer()
        place.set(configuration, nil)
        for second in [0, 59] {
            guard case .failure(.away) = await claims(at: issuer, now: Signer.now + Int64(second)) else {
                Issue.record("it answered")
                continue
            }
        }
        #expect(place.count(configuration) == 1)
        let silent = Place()
        silent.set(tokens, nil)
        guard case .failure(.away) = await claims(at: silent.issuer()) else {
            Issue.record("it answered")
            return
        }
        for text in ["", "[]", "{}", "{\"error\":\"invalid_grant\"}", "{\"id_token\":7}", "<html>"] {
            let place = Place()
            place.set(tokens, text)
            #expect(await claims(at: place.issuer()) == .failure(.unreadable), "\(text)")
        }
    }
}
