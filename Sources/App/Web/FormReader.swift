import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore

extension Visit {
    /// Reads the body of a POST as it comes in; stops at the first byte too many.
    ///
    /// - Throws: `Refusal.tooLarge`, `.unsupportedType` or `.malformed`.
    func readForm(_ limits: FormLimits = FormLimits()) async throws -> FormBody {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limits.body {
            throw Refusal.tooLarge
        }
        // A form without fields may come without a type.
        let type = request.headers[.contentType] ?? "application/x-www-form-urlencoded"
        do {
            var parser = try FormParser(contentType: type, limits: limits)
            for try await chunk in request.body { try parser.feed(chunk.readableBytesView) }
            return try parser.finish()
        } catch let problem as FormProblem {
            throw problem.refusal
        }
    }

    /// Refuses a POST that a page of another site sent (Fetch Metadata, W3C; Origin, RFC 6454).
    ///
    /// Old clients send neither header: they pass only where the Host is a loopback one, or with a session's token.
    /// - Returns: Whether a header showed that the form is ours.
    func checkOrigin() throws(Refusal) -> Bool {
        if let site = request.headers[.secFetchSite] {
            guard site == "same-origin" || site == "none" else { throw .forged }
            return true
        } else if let origin = request.headers[.origin] {
            let host = request.head.authority ?? ""
            guard origin == self.site.settings.publicURL || (isLoopback(host) && origin == "http://\(host)")
            else { throw .forged }
            return true
        } else if visitor == nil {
            guard isLoopback(request.head.authority ?? "") else { throw .forged }
        }
        return false
    }

    private func isLoopback(_ host: String) -> Bool {
        let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
        return name == "localhost" || IPAddress(name)?.isLoopback == true
    }

    /// Refuses a signed-in visitor's POST without the session's token.
    ///
    /// - Parameter isOptional: Whether a form without one is let through: a log-in page that was opened before the
    ///   visitor logged in in another tab has none.
    func checkToken(isOptional: Bool) throws(Refusal) {
        guard let visitor, cookies.isEmpty, !(isOptional && body["csrf"] == nil) else { return }
        guard CSRF.isValid(body["csrf"] ?? "", for: visitor.csrf) else { throw .forged }
    }
}

extension FormProblem {
    fileprivate var refusal: Refusal {
        switch self {
        case .tooLarge, .tooManyFields: .tooLarge
        case .unsupportedType: .unsupportedType
        case .malformed: .malformed
        }
    }
}

extension HTTPField.Name {
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
    static let origin = HTTPField.Name("Origin")!
    static let forwardedFor = HTTPField.Name("X-Forwarded-For")!
    static let forwardedProto = HTTPField.Name("X-Forwarded-Proto")!
}
