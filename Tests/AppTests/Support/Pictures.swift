import Foundation

@testable import App

/// Pictures to upload: small ones from `Tests/AppTests/Pictures`, and damaged or malicious versions of them.
enum Pictures {
    /// 60 by 40 pixels, red on the left and blue on the right.
    static let photo = file("photo.jpg")
    /// 2,400 by 1,200 pixels.
    static let wide = file("wide.webp")
    /// In the format that an iPhone writes.
    static let phone = file("phone.heic")
    /// The same small picture in every accepted format.
    static let kinds = ["photo.jpg", "drawing.png", "drawing.gif", "photo.webp", "phone.heic"]

    static func file(_ name: String) -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Pictures")
        return Array(try! Data(contentsOf: folder.appending(path: name)))
    }

    /// The photo in a file of this many bytes.
    static func photo(bytes: Int) -> [UInt8] { photo + [UInt8](repeating: 0, count: bytes - photo.count) }

    /// The beginning of a PNG that claims to have this many pixels.
    static func png(width: UInt32, height: UInt32) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + bytes(width)
            + bytes(height)
            + [8, 2, 0, 0, 0, 0, 0, 0, 0]
    }

    /// The photo with a camera's metadata (Exif 2.3): its orientation, and where it was taken.
    ///
    /// - Parameter orientation: 1 for upright, 6 if it has to be turned a quarter to the right.
    static func photo(orientation: UInt8) -> [UInt8] {
        // Big-endian TIFF: a directory with two entries (the orientation and a reference to the directory of the
        // place), and then the place.
        let directory: [UInt8] =
            [0, 2] + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0] + [0x88, 0x25, 0, 4, 0, 0, 0, 1] + bytes(38)
            + bytes(0)
        let place: [UInt8] = [0, 1] + [0, 1, 0, 2, 0, 0, 0, 2, UInt8(ascii: "N"), 0, 0, 0] + bytes(0)
        let exif = Array("Exif\0\0MM\0*".utf8) + bytes(8) + directory + place + Array("37.3387 N, at home".utf8)
        let length = exif.count + 2
        return Array(photo[..<2]) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + exif + Array(photo[2...])
    }

    private static func bytes(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(number >> (24 - $0 * 8) & 0xFF) } }
}
