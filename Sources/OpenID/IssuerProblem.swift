/// The reasons why an issuer's answer doesn't log anyone in.
public enum IssuerProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// It doesn't answer, or says that it can't.
    case away(String)
    /// It says no to the code: that was used before, or is another log-in's.
    case refused
    /// What it answers can't be read.
    case unreadable
    /// The metadata belongs to another issuer, or contains an unsafe address.
    case unsuitable
    /// The ID token isn't valid.
    case token(TokenProblem)

    /// The meaning of an issuer's refusal of a form (RFC 6749, section 5.2): either it no longer knows the site or its
    /// secret, which isn't the person's doing, or it refuses their code.
    ///
    /// - Parameter bytes: The document that the issuer answered with.
    public init(refusal bytes: [UInt8]) {
        let said = try? decoded(Refusal.self, from: bytes)
        switch said?.error {
        case "invalid_client", "unauthorized_client": self = .away("it doesn't take this site's name or secret")
        default: self = .refused
        }
    }

    private struct Refusal: Decodable {
        let error: String
    }

    /// A message for an operator, as the rest of a sentence, without secrets.
    public var description: String {
        switch self {
        case .away(let why): "it gives no answer (\(why))"
        case .refused: "it says no to the code"
        case .unreadable: "its answer can't be read"
        case .unsuitable: "it calls itself by another address, or leads to one that isn't https"
        case .token(let problem): "its token doesn't hold (\(problem))"
        }
    }
}

/// The part of a token that is invalid.
public enum TokenProblem: Sendable, Equatable {
    /// It isn't a token, or is too long.
    case shape
    /// It uses an unsupported algorithm, or requires an unknown extension.
    case algorithm
    /// None of the issuer's keys matches.
    case key
    /// The signature doesn't match.
    case signature
    case issuer
    /// It is meant for another site, or for several.
    case audience
    /// It has expired, isn't valid yet, or was made before the log-in began.
    case time
    /// It answers another log-in.
    case nonce
    /// It doesn't identify a person.
    case subject
}
