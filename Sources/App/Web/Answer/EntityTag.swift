import CDeflate
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// The tag of an answer, by which a browser that has kept it asks whether it still holds (RFC 9110, 8.8.3): two
/// checksums and the length of its content before it is packed. They take a few microseconds, and nobody gains by
/// making two pages that have the same ones.
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
    /// The answer, without its content where the request says that it is known.
    func unless(knownTo request: Request) -> Response {
        guard status == .ok, request.method != .post, let tag = headers[.eTag],
            let known = request.headers[.ifNoneMatch],
            // A cache may have left out that it is weak.
            known == "*" || known.contains(tag.drop { $0 != "\"" })
        else { return self }
        var response = self
        response.status = .notModified
        response.headers[.contentEncoding] = nil
        response.body = .init()
        return response
    }
}
