import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Synchronization
import Wire

/// Cached pages, ready to send, for visitors of whom nothing but a language is known; never stale.
///
/// All cached pages were drawn from one version of the data within one minute: any write and every new minute (events
/// begin on whole minutes) empties the cache.
final class PageCache: Sendable {
    /// The version of the data and the minute a page was drawn from.
    struct Moment: Equatable {
        let version: Int
        let minute: Int64

        /// - Parameter version: The database's version, read before the page's own reads begin: a write in between
        ///   makes the page unfit for caching.
        init(version: Int, at now: Instant) {
            self.version = version
            minute = now.milliseconds.floorDivided(by: 60_000)
        }

        func isAfter(_ other: Moment) -> Bool { (minute, version) > (other.minute, other.version) }
    }

    /// The properties of a request that determine the response: path and query, gzip or not, JSON or not, the language,
    /// whether the address names the language, and whether the page brings its style sheets along.
    struct Key: Hashable {
        let target: String
        let isPacked: Bool
        var isJSON = false
        var language = "en"
        var isAsked = false
        var isFirst = false
    }

    /// A response, ready to send.
    struct Page {
        /// The route's pattern, for the log.
        let pattern: String
        private let tag: String?
        /// The response with the page, and the one to a client that has it already.
        private let whole, unchanged: ReadyAnswer
        fileprivate var bytes: Int { whole.bytes + unchanged.bytes }

        /// - Parameter body: The body of `response`.
        init(_ response: Response, body: ByteBuffer, pattern: String) {
            self.pattern = pattern
            tag = response.headers[.eTag]
            whole = ReadyAnswer(response, body: body)
            unchanged = ReadyAnswer(response.withoutContent, body: ByteBuffer())
        }

        /// The response to a request, and its status: without the page if the client has it already.
        func answer(to request: Request) -> (ReadyAnswer, HTTPResponse.Status) {
            if let tag, request.knows(tag) { (unchanged, .notModified) } else { (whole, .ok) }
        }
    }

    private struct Pages {
        var moment = Moment(version: 0, at: .init(milliseconds: 0))
        var byKey: [Key: Page] = [:]
        var bytes = 0
    }

    private let capacity: Int
    private let pages = Mutex(Pages())

    /// - Parameter capacity: The most bytes of pages to cache; 0 caches none.
    init(capacity: Int) { self.capacity = capacity }

    /// Whether it caches any.
    var isOn: Bool { capacity > 0 }

    func page(for key: Key, at moment: Moment) -> Page? {
        pages.withLock { $0.moment == moment ? $0.byKey[key] : nil }
    }

    /// Caches a page, and drops others as long as there is no room for it, whichever come first in the table: popular
    /// pages soon return.
    func insert(_ page: Page, for key: Key, at moment: Moment) {
        let size = Self.size(of: page, for: key)
        guard size <= capacity else { return }
        pages.withLock { pages in
            if moment.isAfter(pages.moment) { pages = Pages(moment: moment) }
            guard pages.moment == moment, pages.byKey[key] == nil else { return }
            while pages.bytes + size > capacity, let other = pages.byKey.first {
                pages.byKey[other.key] = nil
                pages.bytes -= Self.size(of: other.value, for: other.key)
            }
            pages.byKey[key] = page
            pages.bytes += size
        }
    }

    /// What a page takes up. A kibibyte accounts for the table entry.
    private static func size(of page: Page, for key: Key) -> Int { page.bytes + key.target.utf8.count + 1_024 }
}

extension ResponseBody {
    /// The whole body of a response that isn't a stream.
    func bytes() async throws -> ByteBuffer {
        let writer = BodyCollector()
        try await write(writer)
        return writer.bytes
    }
}

/// Collects what a body writes.
private final class BodyCollector: ResponseBodyWriter {
    private(set) var bytes = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws {
        // Nearly all bodies are one piece, which needn't be copied.
        if bytes.readableBytes == 0 { bytes = buffer } else { bytes.writeImmutableBuffer(buffer) }
    }

    func finish(_: HTTPFields?) async throws {}
}
