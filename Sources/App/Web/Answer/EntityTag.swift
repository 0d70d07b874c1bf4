import CDeflate
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// By what a browser or program that has an answer asks whether it still holds (RFC 9110, 8.8.3): two checksums and the
/// length of what it says, however that is packed. They take a few microseconds; nobody gains by two pages that have the
/// same ones.
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
    /// The same; without what the one who asks has already.
    func unless(knownTo request: Request) -> Response {
        guard status == .ok, request.method != .post, let tag = headers[.eTag],
            let known = request.headers[.ifNoneMatch],
            // Whoever keeps it may have left out that it is weak.
            known.contains(tag.drop { $0 != "\"" })
        else { return self }
        var response = self
        response.status = .notModified
        response.headers[.contentEncoding] = nil
        response.body = .init()
        return response
    }
}
