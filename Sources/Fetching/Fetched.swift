/// What a host said about the state of a document, to ask later whether it is still the same.
public struct Validators: Sendable, Hashable, Codable {
    /// Its `ETag`.
    public var tag: String?
    /// Its `Last-Modified`.
    public var modified: String?

    public init(tag: String? = nil, modified: String? = nil) {
        self.tag = tag
        self.modified = modified
    }
}

/// What came of asking for a document.
public enum Fetched: Sendable, Equatable {
    /// It is as it was when the validators were given.
    case same
    /// The document, and its `Content-Type` as the host wrote it.
    case new(bytes: [UInt8], validators: Validators?, type: String?)
}

/// Why a document didn't come.
public enum FetchProblem: Error, Sendable, Hashable {
    /// It is none of the web, can't be read, or holds a user name or password.
    case badAddress
    /// The address, or a redirect, leads to a host that may not be asked.
    case notAllowed(host: String)
    /// What the name leads to is no machine of the Internet.
    case privateAddress
    /// Nobody answers there, or the answer broke off; also where the task was canceled.
    case unreachable
    /// All of it took longer than there was patience.
    case tooSlow
    /// The document, unpacked, has more bytes than may be.
    case tooLarge
    /// The host answered with something else than the document.
    case status(Int)
    /// There were more redirects than are followed.
    case tooManyRedirects
    /// A redirect leads from https to http.
    case notSecure
    /// The host can't show that it is the one that was asked for.
    case badCertificate
}
