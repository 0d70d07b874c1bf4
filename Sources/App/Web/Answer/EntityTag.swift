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

extension Response {
    /// The response, without its content if the request's tag shows that the client has it.
    func unless(knownTo request: Request) -> Response {
        guard status == .ok, request.method != .post, let tag = headers[.eTag],
            let known = request.headers[.ifNoneMatch],
            // Caches may drop the mark of a weak tag.
            known == "*" || known.contains(tag.drop { $0 != "\"" })
        else { return self }
        var response = self
        response.status = .notModified
        response.headers[.contentEncoding] = nil
        response.body = .init()
        return response
    }
}
