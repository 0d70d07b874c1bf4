import FoundationEssentials

/// The issuer's statements about the person who logged in.
public struct Claims: Sendable, Equatable {
    /// The issuer's permanent identifier for the person, never reused.
    public let subject: String
    /// The e-mail address, if the issuer verified it; nil otherwise.
    public let email: String?
}

/// A parsed ID token (OpenID Connect Core 1.0, section 2) that hasn't been verified yet.
struct IDToken {
    /// The longest token accepted, in bytes.
    static let limit = 32 << 10
    /// How far two clocks may differ, in seconds.
    static let leeway: Double = 60

    /// The values that a token must have to answer a log-in.
    struct Expectation {
        let issuer: String
        let client: String
        let nonce: String
        /// When the log-in began, and the current time, in seconds since 1970.
        let begunAt: Int64
        let now: Int64
    }

    let algorithm: Algorithm
    let keyName: String?
    private let signed: Data
    private let signature: Data
    private let said: Said

    private struct Head: Decodable {
        let alg: String
        let kid: String?
        let crit: [String]?
    }

    private struct Said: Decodable {
        let iss: String
        let sub: String?
        let aud: Audience
        let azp: String?
        let exp: Double
        let iat: Double
        let nbf: Double?
        let nonce: String?
        let email: String?
        let isEmailVerified: Truth?

        enum CodingKeys: String, CodingKey {
            case iss, sub, aud, azp, exp, iat, nbf, nonce, email
            case isEmailVerified = "email_verified"
        }
    }

    /// The audience: a single client or a list.
    private struct Audience: Decodable {
        let all: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let one = try? container.decode(String.self) {
                all = [one]
            } else {
                all = try container.decode([String].self)
            }
        }
    }

    /// A boolean, which some issuers write as a string.
    private struct Truth: Decodable {
        let isTrue: Bool

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Bool.self) {
                isTrue = value
            } else {
                isTrue = try container.decode(String.self) == "true"
            }
        }
    }

    init(_ text: String) throws(IssuerProblem) {
        let parts = text.utf8.count <= Self.limit ? text.split(separator: ".", omittingEmptySubsequences: false) : []
        guard parts.count == 3, let head = Data(base64URL: parts[0]), let body = Data(base64URL: parts[1]),
            let signature = Data(base64URL: parts[2]), let start = try? decoded(Head.self, from: head)
        else { throw IssuerProblem.token(.shape) }
        guard let algorithm = Algorithm(rawValue: start.alg), start.crit == nil else {
            throw IssuerProblem.token(.algorithm)
        }
        guard let said = try? decoded(Said.self, from: body) else { throw IssuerProblem.token(.shape) }
        (self.algorithm, keyName, self.signature, self.said) = (algorithm, start.kid, signature, said)
        signed = Data("\(parts[0]).\(parts[1])".utf8)
    }

    /// Whether it was signed with that key, in the way that it says.
    func isSigned(with key: KeySet.Key) -> Bool { key.fits(algorithm) && key.signed(signed, as: signature, algorithm) }

    /// What it says, where it is signed with that key and is the answer that is waited for (section 3.1.3.7).
    func claims(signedWith key: KeySet.Key, _ expected: Expectation) throws(IssuerProblem) -> Claims {
        func require(_ holds: Bool, _ problem: TokenProblem) throws(IssuerProblem) {
            guard holds else { throw IssuerProblem.token(problem) }
        }
        try require(isSigned(with: key), .signature)
        try require(said.iss == expected.issuer, .issuer)
        try require(said.aud.all.contains(expected.client), .audience)
        // A token for several audiences must name the authorized one.
        try require((said.azp ?? (said.aud.all.count == 1 ? expected.client : "")) == expected.client, .audience)
        let (now, leeway) = (Double(expected.now), Self.leeway)
        try require(said.exp > now - leeway && said.iat <= now + leeway, .time)
        try require((said.nbf ?? now) <= now + leeway && said.iat >= Double(expected.begunAt) - leeway, .time)
        try require(said.nonce == expected.nonce, .nonce)
        let subject = said.sub ?? ""
        try require(!subject.isEmpty && subject.utf8.count <= 255, .subject)
        return Claims(subject: subject, email: said.isEmailVerified?.isTrue == true ? said.email : nil)
    }
}
