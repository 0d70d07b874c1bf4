import Crypto
import Forms
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization
import Testing

@testable import App

/// An OpenID Connect issuer on this machine. It checks PKCE, the secret and the address as real issuers do, and accepts
/// each code only once.
final class TestIssuer: Sendable {
    static let client = "village"
    static let secret = "between the two"

    /// A person who has an account there.
    struct Member: Sendable {
        var subject: String
        var email: String
        var isVerified = true

        static func of(_ person: Person, subject: String? = nil, isVerified: Bool = true) -> Member {
            Member(subject: subject ?? "sub-\(person.username)", email: person.email, isVerified: isVerified)
        }
    }

    /// A code that was issued, with what its token will contain.
    private struct Grant {
        let challenge: String
        let redirect: String
        let claims: Data
    }

    private struct State {
        var port = 0
        var clock: Clock?
        var grants: [String: Grant] = [:]
        var key = P256.Signing.PrivateKey()
        var keyName = "first"
        var isAway = false
        var isStrange = false
        var asked: [String] = []
    }

    private let state = Mutex(State())

    var address: String { "http://127.0.0.1:\(state.withLock(\.port))" }

    /// How often a path was requested: `/token`, `/keys`.
    func count(_ path: String) -> Int { state.withLock { $0.asked.filter { $0 == path }.count } }

    func follow(_ clock: Clock) { state.withLock { $0.clock = clock } }

    /// Makes it answer everything with 503, or stops that.
    func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

    /// Makes it take this site's secret no longer, as after an operator renewed it there alone.
    func forgetSecret() { state.withLock { $0.isStrange = true } }

    /// Signs with another key from now on.
    func changeKey(to name: String) { state.withLock { ($0.key, $0.keyName) = (P256.Signing.PrivateKey(), name) } }

    /// Does what a browser does when the site sends it there: somebody logs in, and is sent back.
    ///
    /// - Parameters:
    ///   - location: Where the site sent the browser.
    ///   - changes: What differs in the token.
    /// - Returns: The path on the site to which the browser is sent back.
    func logIn(
        _ member: Member, from location: String?, changing changes: [String: any Sendable] = [:]
    ) throws -> String {
        let sentTo = try #require(location)
        let parts = try #require(URLComponents(string: sentTo))
        let query = Dictionary(uniqueKeysWithValues: (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") })
        #expect(query["client_id"] == Self.client && query["response_type"] == "code")
        #expect(query["code_challenge_method"] == "S256" && query["scope"] == "openid email")
        let now = state.withLock { $0.clock?.now ?? Clock.start }.seconds
        var claims: [String: any Sendable] = [
            "iss": address, "sub": member.subject, "aud": Self.client, "exp": now + 300, "iat": now,
            "nonce": query["nonce"] ?? "", "email": member.email, "email_verified": member.isVerified,
            "groups": ["admins"], "role": "admin",
        ]
        claims.merge(changes) { $1 }
        let grant = Grant(
            challenge: query["code_challenge"] ?? "", redirect: query["redirect_uri"] ?? "",
            claims: try JSONSerialization.data(withJSONObject: claims))
        let code = UUID().uuidString
        state.withLock { $0.grants[code] = grant }
        let back = try #require(URLComponents(string: grant.redirect))
        return "\(back.path)?code=\(code)&state=\(query["state"] ?? "")"
    }

    /// Runs it for as long as `body` runs.
    static func run(_ body: (TestIssuer) async throws -> Void) async throws {
        let issuer = TestIssuer()
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        var quiet = Logger(label: "issuer")
        quiet.logLevel = .critical
        let application = Application(
            router: issuer.router(), configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) }, logger: quiet)
        let group = ServiceGroup(configuration: .init(services: [application], logger: quiet))
        let run = Task {
            defer { port.finish() }
            try await group.run()
        }
        var iterator = ports.makeAsyncIterator()
        let number = try #require(await iterator.next(), "the issuer doesn't start")
        issuer.state.withLock { $0.port = number }
        let result: Result<Void, any Error>
        do { result = .success(try await body(issuer)) } catch { result = .failure(error) }
        await group.triggerGracefulShutdown()
        _ = await run.result
        try result.get()
    }

    private func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.get(".well-known/openid-configuration") { _, _ in
            try self.answer("/configuration") { state in
                let here = "http://127.0.0.1:\(state.port)"
                return [
                    "issuer": here, "authorization_endpoint": here + "/auth", "token_endpoint": here + "/token",
                    "jwks_uri": here + "/keys",
                ]
            }
        }
        router.get("keys") { _, _ in
            try self.answer("/keys") { state in
                let point = Array(state.key.publicKey.rawRepresentation)
                let key = [
                    "kty": "EC", "crv": "P-256", "kid": state.keyName, "x": Base64URL.encode(Array(point.prefix(32))),
                    "y": Base64URL.encode(Array(point.suffix(32))),
                ]
                return ["keys": [key]]
            }
        }
        router.post("token") { request, _ in
            let body = String(buffer: try await request.body.collect(upTo: 10_000))
            let form = try FormBody(query: body)
            return try self.answer("/token") { state in
                let both = Data("\(Self.client):between%20the%20two".utf8).base64EncodedString()
                guard request.headers[.authorization] == "Basic \(both)",
                    form["grant_type"] == "authorization_code",
                    let grant = state.grants.removeValue(forKey: form["code"] ?? ""),
                    form["redirect_uri"] == grant.redirect, let verifier = form["code_verifier"],
                    Base64URL.encode(Array(SHA256.hash(data: Data(verifier.utf8)))) == grant.challenge
                else { return nil }
                let head = #"{"alg":"ES256","kid":"\#(state.keyName)"}"#
                let said = "\(Base64URL.encode(Array(head.utf8))).\(Base64URL.encode(Array(grant.claims)))"
                let signature = try state.key.signature(for: Data(said.utf8)).rawRepresentation
                return [
                    "id_token": "\(said).\(Base64URL.encode(Array(signature)))", "access_token": "opens everything",
                    "token_type": "Bearer",
                ]
            }
        }
        return router
    }

    /// Its response, or nil if it refuses the request.
    private func answer(_ path: String, _ make: (inout State) throws -> [String: Any]?) throws -> Response {
        let (status, bytes): (HTTPResponse.Status, Data) = try state.withLock { state in
            state.asked.append(path)
            guard !state.isAway else { return (.serviceUnavailable, Data()) }
            if state.isStrange, path == "/token" {
                return (.badRequest, Data(#"{"error":"invalid_client"}"#.utf8))
            }
            guard let said = try make(&state) else { return (.badRequest, Data(#"{"error":"invalid_grant"}"#.utf8)) }
            return (.ok, try JSONSerialization.data(withJSONObject: said))
        }
        return Response(
            status: status, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
