/// Why nobody is logged in by what an issuer says.
public enum IssuerProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// It doesn't answer, or says that it can't.
    case away(String)
    /// It says no to the code: that was used before, or is another log-in's.
    case refused
    /// What it answers can't be read.
    case unreadable
    /// What it says of itself is of another issuer, or leads to an address that isn't safe.
    case unsuitable
    /// Its answer to the log-in isn't to be believed.
    case token(TokenProblem)

    /// For an operator, as the rest of a sentence; nothing of it is a secret.
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

/// Which part of a token isn't as it has to be.
public enum TokenProblem: Sendable, Equatable {
    /// It is none, or is longer than any.
    case shape
    /// It is signed in another way than the two that are known, or asks for what nobody here knows.
    case algorithm
    /// No key of the issuer is the one that it was signed with.
    case key
    /// It was signed by somebody else, or changed since.
    case signature
    case issuer
    /// It is meant for another site, or for several.
    case audience
    /// It is over, or of a time that is still to come, or was made before the log-in began.
    case time
    /// It is the answer to another log-in.
    case nonce
    /// It doesn't say of whom it speaks.
    case subject
}
