import CDeflate
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// A response's entity tag, with which a browser asks whether its copy is still current (RFC 9110, 8.8.3): two
/// checksums and the length of the uncompressed content. They take a few microseconds, and forging two pages with equal
/// tags gains nothing.
struct EntityTag: Sendable {
    let text: String

    init(of bytes: UnsafeRawBufferPointer) {
        let (start, count) = (bytes.baseAddress, bytes.count)
        let sums = [
            libdeflate_crc32(0, start, count), libdeflate_adler32(1, start, count), UInt32(truncatingIfNeeded: count),
        ]
        text = "W/\"\(sums.map { String($0, radix: 16) }.joined(separator: "-"))\""
    }
}

extension Request {
    /// Whether the client has the content with this tag, according to its request.
    func knows(_ tag: String) -> Bool {
        guard method != .post, let known = headers[.ifNoneMatch] else { return false }
        // Caches may drop the mark of a weak tag.
        return known == "*" || known.contains(bytesOf: tag.from("\""))
    }
}

extension Response {
    /// The response, without its content if the request's tag shows that the client has it.
    func unless(knownTo request: Request) -> Response {
        guard status == .ok, let tag = headers[.eTag], request.knows(tag) else { return self }
        return withoutContent
    }

    /// The response to a client that has the content already.
    var withoutContent: Response {
        var response = self
        response.status = .notModified
        response.headers[.contentEncoding] = nil
        response.body = .init()
        return response
    }
}
