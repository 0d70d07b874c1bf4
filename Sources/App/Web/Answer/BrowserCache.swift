import HTTPTypes
import Hummingbird

extension HTTPFields {
    /// Lets browsers cache the response forever, because it never changes at its address.
    mutating func keepForGood() { self[.cacheControl] = "public, max-age=31536000, immutable" }

    /// Makes the browser delete everything it stored for this site (W3C, Clear Site Data), for a shared device.
    mutating func forgetSite() {
        self[.clearSiteData] = ["cache", "prefetchCache", "storage"].map { "\"\($0)\"" }.joined(separator: ", ")
    }
}
