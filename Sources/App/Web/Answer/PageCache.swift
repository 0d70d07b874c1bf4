import Hummingbird
import HummingbirdCore
import Synchronization

/// Pages for visitors of whom nothing is known but a language, ready to be sent; never stale.
///
/// All pages it holds were drawn from one version of the data within one minute: any write and the turn of the minute
/// (events begin on whole minutes) empty it.
final class PageCache: Sendable {
    /// The data and the time a page was drawn from.
    struct Moment: Equatable {
        let version: Int
        let minute: Int64

        /// - Parameter version: The database's, read before the page's own reading begins: a write in between makes
        ///   what is drawn unfit to be kept.
        init(version: Int, at now: Instant) {
            self.version = version
            minute = now.milliseconds.floorDivided(by: 60_000)
        }

        func isAfter(_ other: Moment) -> Bool { (minute, version) > (other.minute, other.version) }
    }

    /// What was asked for: path and query, whether the browser wants gzip, whether a script asks for JSON, what the
    /// answer is written in, and whether the address says so.
    struct Key: Hashable {
        let target: String
        let isPacked: Bool
        var isJSON = false
        var language = "en"
        var isAsked = false
    }

    struct Page {
        let response: Response
        /// The route, for the log.
        let pattern: String
    }

    private struct Pages {
        var moment = Moment(version: 0, at: .init(milliseconds: 0))
        var byKey: [Key: Page] = [:]
        var bytes = 0
    }

    private let capacity: Int
    private let pages = Mutex(Pages())

    /// - Parameter capacity: How many bytes of pages are kept; 0 keeps none.
    init(capacity: Int) { self.capacity = capacity }

    func page(for key: Key, at moment: Moment) -> Page? {
        guard capacity > 0 else { return nil }
        return pages.withLock { $0.moment == moment ? $0.byKey[key] : nil }
    }

    /// Keeps a page. When there is no room for it, all others go: what is asked for often is soon back.
    func keep(_ page: Page, for key: Key, at moment: Moment) {
        // A kibibyte stands for the header fields and the place in the table.
        let size = (page.response.body.contentLength ?? capacity) + key.target.utf8.count + 1_024
        guard size <= capacity else { return }
        pages.withLock { pages in
            if moment.isAfter(pages.moment) { pages = Pages(moment: moment) }
            guard pages.moment == moment, pages.byKey[key] == nil else { return }
            if pages.bytes + size > capacity { pages = Pages(moment: moment) }
            pages.byKey[key] = page
            pages.bytes += size
        }
    }
}
