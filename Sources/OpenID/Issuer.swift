import Crypto
import FoundationEssentials
import Synchronization

/// The one external issuer at which people log in with OpenID Connect: the authorization code flow with PKCE.
///
/// Times are seconds since 1970, by the site's clock.
public final class Issuer: Sendable {
    /// The site's registration at the issuer.
    public struct Registration: Sendable {
        /// The issuer's address, exactly as the issuer writes it.
        public let issuer: String
        /// The client ID.
        public let client: String
        /// The client secret; nil if there is none, and PKCE alone protects the exchange.
        public let secret: String?
        /// The address to which browsers return.
        public let redirect: String

        public init(issuer: String, client: String, secret: String?, redirect: String) {
            (self.issuer, self.client, self.secret, self.redirect) = (issuer, client, secret, redirect)
        }
    }

    /// A request from the site to the issuer.
    public struct Question: Sendable {
        public let address: String
        /// The form to send; nil to read a document.
        public let form: String?
        /// The value of the header `Authorization`.
        public let authorization: String?
    }

    /// Asks the issuer, over a connection of the caller's, without following redirects. If the issuer refuses a form,
    /// it throws `IssuerProblem(refusal:)`; any other error means that the issuer is away.
    public typealias Ask = @Sendable (Question) async throws -> [UInt8]

    /// The secrets of one log-in, bound to a browser by a cookie.
    public struct Secrets: Sendable {
        /// Shows that the browser returning is the one that began the log-in.
        public let state: String
        /// The value that the token must contain.
        public let nonce: String
        /// The secret without which the code is useless (PKCE, RFC 7636).
        public let verifier: String

        public init(state: String, nonce: String, verifier: String) {
            (self.state, self.nonce, self.verifier) = (state, nonce, verifier)
        }

        var challenge: String { Data(SHA256.hash(data: Data(verifier.utf8))).base64URL }
    }

    /// How many seconds the issuer's metadata is cached.
    static let memory: Int64 = 3_600
    /// How many seconds to wait before asking again: after a failure, and for keys after they were read.
    static let pause: Int64 = 60

    private let registration: Registration
    private let ask: Ask
    private let state = Mutex(State())

    private struct State {
        var document: (value: Document, at: Int64)?
        /// The question for it that is on its way: however many wait for the answer, it is asked once.
        var asking: Task<Result<Document, IssuerProblem>, Never>?
        var keys: (value: KeySet, at: Int64)?
        var failedAt: Int64?
    }

    /// The issuer's metadata (OpenID Connect Discovery 1.0).
    private struct Document: Decodable, Sendable {
        let issuer: String
        let entrance: String
        let tokens: String
        let keys: String
        let waysToAuthenticate: [String]?
        let isNamedOnTheWayBack: Bool?

        enum CodingKeys: String, CodingKey {
            case issuer
            case entrance = "authorization_endpoint"
            case tokens = "token_endpoint"
            case keys = "jwks_uri"
            case waysToAuthenticate = "token_endpoint_auth_methods_supported"
            case isNamedOnTheWayBack = "authorization_response_iss_parameter_supported"
        }
    }

    private struct Answer: Decodable {
        let token: String

        enum CodingKeys: String, CodingKey {
            case token = "id_token"
        }
    }

    public init(_ registration: Registration, ask: @escaping Ask) {
        (self.registration, self.ask) = (registration, ask)
    }

    // MARK: Addresses

    /// Whether an address is allowed for an issuer: https, or http on this machine; without a user name, a query or a
    /// fragment.
    public static func accepts(_ address: String) -> Bool {
        isSafe(address, onLoopback: isOnLoopback(address)) && !address.contains { "?#".contains($0) }
    }

    /// Whether an address is on this machine.
    public static func isOnLoopback(_ address: String) -> Bool {
        ["localhost", "127.0.0.1", "[::1]"].contains(host(of: address) ?? "")
    }

    /// Whether an address uses https, or http if the issuer itself is on this machine.
    private static func isSafe(_ address: String, onLoopback: Bool) -> Bool {
        let isPlain =
            address.utf8.count <= 2_000 && address.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x5C }
        guard isPlain, let host = host(of: address), !host.isEmpty, !host.contains("@"), !address.contains("#") else {
            return false
        }
        return address.hasPrefix("https://") || onLoopback && isOnLoopback(address)
    }

    /// The host without its port; nil if it isn't a web address.
    private static func host(of address: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: address.hasPrefix) else { return nil }
        let authority = address.dropFirst(scheme.count).prefix { !"/?#\\".contains($0) }
        if authority.hasPrefix("[") { return String(authority.prefix { $0 != "]" }) + "]" }
        guard let colon = authority.lastIndex(of: ":"), authority[colon...].dropFirst().allSatisfy(\.isNumber) else {
            return String(authority)
        }
        return String(authority[..<colon])
    }

    // MARK: The issuer's metadata

    private func document(at now: Int64) async throws(IssuerProblem) -> Document {
        let (kept, failedAt) = state.withLock { ($0.document, $0.failedAt) }
        if let kept, now - kept.at < Self.memory, now >= kept.at { return kept.value }
        if let failedAt, now - failedAt < Self.pause, now >= failedAt { throw IssuerProblem.away("it didn’t answer") }
        let asking = state.withLock { state in
            let asking = state.asking ?? Task { await self.readDocument(at: now) }
            state.asking = asking
            return asking
        }
        return try await asking.value.get()
    }

    /// Asks for it, and keeps the result.
    private func readDocument(at now: Int64) async -> Result<Document, IssuerProblem> {
        do throws(IssuerProblem) {
            let start = registration.issuer.hasSuffix("/") ? registration.issuer.dropLast() : registration.issuer[...]
            let found = try await read(Document.self, at: start + "/.well-known/openid-configuration")
            let isHere = Self.isOnLoopback(registration.issuer)
            let leads = [found.entrance, found.tokens, found.keys]
            guard found.issuer == registration.issuer, leads.allSatisfy({ Self.isSafe($0, onLoopback: isHere) }) else {
                throw IssuerProblem.unsuitable
            }
            state.withLock { state in
                if state.document?.value.keys != found.keys { state.keys = nil }
                (state.document, state.failedAt, state.asking) = ((found, now), nil, nil)
            }
            return .success(found)
        } catch {
            state.withLock { ($0.failedAt, $0.asking) = (now, nil) }
            return .failure(error)
        }
    }

    /// The key that a token was signed with. For one that isn't known the keys are read anew, as issuers change them,
    /// but not again and again. A changed key may keep its name, or have none: then the known one signed nothing of it.
    private func key(of token: IDToken, at now: Int64) async throws(IssuerProblem) -> KeySet.Key {
        let kept = state.withLock(\.keys)
        let age = kept.map { now - $0.at } ?? Self.memory
        let known = age < Self.memory ? kept?.value.key(named: token.keyName, for: token.algorithm) : nil
        let mayAsk = age >= Self.pause || age < 0
        if let known, !mayAsk || token.isSigned(with: known) { return known }
        guard mayAsk else { throw IssuerProblem.token(.key) }
        let keys = try await read(KeySet.self, at: try await document(at: now).keys)
        state.withLock { $0.keys = (keys, now) }
        guard let key = keys.key(named: token.keyName, for: token.algorithm) else { throw IssuerProblem.token(.key) }
        return key
    }

    private func read<T: Decodable>(_ type: T.Type, at address: String) async throws(IssuerProblem) -> T {
        try decoded(type, from: await answer(to: Question(address: address, form: nil, authorization: nil)))
    }

    private func answer(to question: Question) async throws(IssuerProblem) -> [UInt8] {
        do {
            return try await ask(question)
        } catch let problem as IssuerProblem {
            throw problem
        } catch {
            throw IssuerProblem.away("\(error)")
        }
    }

    /// What is wrong with the issuer, as far as an operator can find out without a log-in; nil if it answers correctly.
    public func tryOut(at now: Int64) async -> IssuerProblem? {
        do throws(IssuerProblem) {
            let document = try await document(at: now)
            _ = try await read(KeySet.self, at: document.keys)
            return nil
        } catch {
            return error
        }
    }

    // MARK: A log-in

    /// The address at the issuer to which to send a browser.
    public func entrance(for secrets: Secrets, at now: Int64) async throws(IssuerProblem) -> String {
        let place = try await document(at: now).entrance
        let query = formText([
            ("response_type", "code"), ("client_id", registration.client), ("redirect_uri", registration.redirect),
            ("scope", "openid email"), ("state", secrets.state), ("nonce", secrets.nonce),
            ("code_challenge", secrets.challenge), ("code_challenge_method", "S256"),
        ])
        return place + (place.contains("?") ? "&" : "?") + query
    }

    /// The issuer's claims about the person behind a code with which a browser returned.
    ///
    /// - Parameters:
    ///   - named: The issuer that the response names (RFC 9207).
    ///     - begunAt: When the log-in began.
    public func claims(
        for code: String, from named: String?, _ secrets: Secrets, begunAt: Int64, at now: Int64
    ) async throws(IssuerProblem) -> Claims {
        let document = try await document(at: now)
        let isNamed = document.isNamedOnTheWayBack == true
        guard (named ?? (isNamed ? "" : registration.issuer)) == registration.issuer else {
            throw IssuerProblem.token(.issuer)
        }
        let bytes = try await answer(to: question(code, secrets.verifier, document))
        let token = try IDToken(try decoded(Answer.self, from: bytes).token)
        return try token.claims(
            signedWith: try await key(of: token, at: now),
            IDToken.Expectation(
                issuer: registration.issuer, client: registration.client, nonce: secrets.nonce, begunAt: begunAt,
                now: now))
    }

    /// The request that exchanges a code for a token, with the site's credentials.
    private func question(_ code: String, _ verifier: String, _ document: Document) -> Question {
        var pairs = [
            (name: "grant_type", value: "authorization_code"), ("code", code),
            ("redirect_uri", registration.redirect), ("code_verifier", verifier),
        ]
        let ways = document.waysToAuthenticate ?? ["client_secret_basic"]
        var authorization: String?
        let isInField = ways.contains("client_secret_basic") || !ways.contains("client_secret_post")
        if isInField, let secret = registration.secret {
            // RFC 6749, section 2.3.1: both are form-encoded before they are joined.
            let both = "\(percentEncoded(registration.client)):\(percentEncoded(secret))"
            authorization = "Basic \(Data(both.utf8).base64EncodedString())"
        } else {
            pairs.append(("client_id", registration.client))
            if let secret = registration.secret { pairs.append(("client_secret", secret)) }
        }
        return Question(address: document.tokens, form: formText(pairs), authorization: authorization)
    }
}
