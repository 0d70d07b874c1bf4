import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

// Documents for programs: calendars, feeds, JSON.

extension Visit {
    /// The `Vary` header for content in the visit's language.
    static let byLanguage = "Accept-Encoding, Accept-Language, Cookie"

    /// A document, compressed if the client supports it.
    ///
    /// - Parameter isTranslated: Whether it contains words in the visit's language.
    func document(
        _ bytes: [UInt8], type: String, status: HTTPResponse.Status = .ok, isTranslated: Bool = false
    ) -> Response {
        let varies = isTranslated && site.hasLanguages ? Self.byLanguage : "Accept-Encoding"
        var response = Response(status: status, headers: [.contentType: type, .vary: varies])
        if status == .ok { response.headers[.eTag] = bytes.withUnsafeBytes { EntityTag(of: $0).text } }
        if request.wantsGzip, let packed = bytes.withUnsafeBytes({ Gzip.compress($0) }) {
            response.headers[.contentEncoding] = "gzip"
            response.body = .init(byteBuffer: ByteBuffer(bytes: packed))
        } else {
            response.body = .init(byteBuffer: ByteBuffer(bytes: bytes))
        }
        return response
    }

    /// A refusal for programs (RFC 9457).
    func problem(_ status: HTTPResponse.Status, _ words: Words) -> Response {
        var members: [(name: String, value: JSON)] = [
            ("type", "about:blank"), ("title", .string(status.reasonPhrase)), ("status", .integer(status.code)),
            ("detail", .string(words.text(in: language))),
        ]
        if status.code >= 500 { members.append(("request", .string(id))) }
        return document(
            JSON.object(members).bytes, type: "application/problem+json", status: status, isTranslated: true)
    }

    /// A refusal for programs whose address contains unreadable filters; nil if there are none. A page shows a message
    /// and all entries; a program would take all entries for the filtered ones.
    func unreadable(_ problems: [Problem]) -> Response? {
        guard !problems.isEmpty else { return nil }
        let lines = problems.map { $0.words.text(in: language) + "\n" }
        return document(
            Array(lines.joined().utf8), type: "text/plain; charset=utf-8", status: .badRequest, isTranslated: true)
    }

    /// Whether the client is a program: everything below `/api` is JSON, including refusals.
    var isForPrograms: Bool { path.hasPrefix("/api/") || path == "/api" || (path == Link.images.string && wantsJSON) }

    var wantsJSON: Bool { request.wantsJSON }
}

extension Context {
    /// A document, compressed if the client supports it.
    ///
    /// - Parameter isTranslated: Whether it contains words in the visit's language.
    func document(_ bytes: [UInt8], type: String, isTranslated: Bool = false) -> Response {
        visit.document(bytes, type: type, isTranslated: isTranslated)
    }

    func document(_ json: JSON, isTranslated: Bool = false) -> Response {
        visit.document(json.bytes, type: "application/json", isTranslated: isTranslated)
    }
}

extension Response {
    /// Adds the `Vary` header for an address that answers with a page or with JSON, depending on `Accept`.
    var varyingByAccept: Response {
        var response = self
        response.headers[.vary] = (headers[.vary].map { "\($0), " } ?? "") + "Accept"
        return response
    }
}

extension Site {
    /// An event that everyone may see.
    ///
    /// - Throws: `Refusal.notFound` if it doesn't exist or is hidden.
    func publicEvent(_ id: ID<Event>) throws -> Event {
        guard let event = try read({ db in try Event.find(id, in: db) }), !event.isHidden else {
            throw Refusal.notFound
        }
        return event
    }
}
