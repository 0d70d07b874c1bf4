/// The validators of a document, to ask later whether it has changed.
public struct Validators: Sendable, Hashable, Codable {
    /// The `ETag` header.
    public var tag: String?
    /// The `Last-Modified` header.
    public var modified: String?

    public init(tag: String? = nil, modified: String? = nil) {
        self.tag = tag
        self.modified = modified
    }
}

/// The result of fetching a document.
public enum Fetched: Sendable, Equatable {
    /// The document hasn't changed since the validators were issued.
    case same
    /// The document, with the `Content-Type` header as sent.
    case new(bytes: [UInt8], validators: Validators?, type: String?)
}

/// The reasons why a document couldn't be fetched.
public enum FetchProblem: Error, Sendable, Hashable {
    /// Not a web address, or one with a user name or password.
    case badAddress
    /// The address, or a redirect, leads to a host that the caller doesn't allow.
    case notAllowed(host: String)
    /// The name resolves to an address that isn't on the public Internet.
    case privateAddress
    /// The host doesn't answer, the response broke off, or the task was canceled.
    case unreachable
    /// The whole fetch exceeded the time limit.
    case tooSlow
    /// The unpacked document exceeds the size limit.
    case tooLarge
    /// The host responded with a status other than success.
    case status(Int)
    /// The host refused a form with the status 400, and said why in this document.
    case refused([UInt8])
    /// More redirects than the limit.
    case tooManyRedirects
    /// A redirect leads from https to http.
    case notSecure
    /// The host's certificate is invalid.
    case badCertificate
}
