@testable import App

extension FuzzTarget {
    static let pictures = [
        FuzzTarget(
            file: "picture",
            seeds: [
                [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC2, 0, 11, 8, 0, 40, 0, 60, 3, 1, 0x22, 0],
                [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
                    + [0, 0, 0, 60, 0, 0, 0, 40, 8, 2],
                Array("GIF89a".utf8) + [60, 0, 40, 0, 0, 0, 0],
                webp("VP8X", [0x10, 0, 0, 0, 59, 0, 0, 39, 0, 0]) + Array("ALPH".utf8) + [2, 0, 0, 0, 1, 2]
                    + Array("VP8 ".utf8) + [4, 0, 0, 0, 1, 2, 3, 4],
                webp("VP8L", [0x2F, 59, 0xC0, 9, 0, 0]),
                webp("VP8 ", [0x30, 1, 0, 0x9D, 1, 0x2A, 60, 0, 40, 0]),
                box("ftyp", Array("heic\0\0\0\0mif1".utf8))
                    + box(
                        "meta",
                        [0, 0, 0, 0]
                            + box("iprp", box("ipco", box("ispe", [0, 0, 0, 0, 0, 0, 0, 60, 0, 0, 0, 40])))),
            ],
            words: ["RIFF", "WEBP", "VP8 ", "VP8L", "VP8X", "ALPH", "EXIF", "ftyp", "heic", "meta", "ispe", "<svg"]
        ) { file throws(Broken) in
            if let header = try? PictureHeader(of: file) {
                try hold(header.width > 0 && header.height > 0, "\(header) is no size")
                try hold(header.width * header.height <= PictureHeader.pixelLimit, "\(header) is too large")
            }
            guard let bare = WebP.bare(file) else { return }
            try hold(bare.count <= file.count, "a bare picture of \(bare.count) bytes grew")
            try hold(WebP.bare(bare) == bare, "what is bare is made barer")
        }
    ]

    private static func webp(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP\(name)".utf8) + [UInt8(content.count), 0, 0, 0] + content
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        [0, 0, 0, UInt8(content.count + 8)] + Array(name.utf8) + content
    }
}
