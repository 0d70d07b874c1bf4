import Forms
import Templating

/// A picture of the site itself that everyone sees.
struct Logo: FormValue, Sendable, Equatable {
    /// The SHA-256 of the uploaded file, in hexadecimal.
    let hash: String
    /// The dimensions of the largest size in pixels.
    let width, height: Int

    init(_ picture: Picture) { (hash, width, height) = (picture.hash, picture.width, picture.height) }

    /// Parses `hash-640x480`.
    init?(typed: String) {
        let parts = typed.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 64, parts[0].allSatisfy(\.isHexDigit) else { return nil }
        let size = parts[1].split(separator: "x", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard size.count == 2, size.allSatisfy((1...Picture.Size.full.edge).contains) else { return nil }
        (hash, width, height) = (String(parts[0]), size[0], size[1])
    }

    var typed: String { "\(hash)-\(width)x\(height)" }

    var link: Link { Link("/media") / hash / "\(Picture.Size.thumb.rawValue).webp" }
}
