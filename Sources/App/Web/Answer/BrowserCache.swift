import HTTPTypes
import Hummingbird

extension HTTPFields {
    /// The answer never changes under its address: a browser asks for it once.
    mutating func keepForGood() { self[.cacheControl] = "public, max-age=31536000, immutable" }

    /// The browser forgets all that it kept of this site (W3C, Clear Site Data): for one that others may use next.
    mutating func forgetSite() {
        self[.clearSiteData] = ["cache", "prefetchCache", "storage"].map { "\"\($0)\"" }.joined(separator: ", ")
    }
}
