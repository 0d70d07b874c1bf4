import CQREncode

/// A QR code (ISO/IEC 18004), made by libqrencode.
struct QRCode: Sendable {
    /// The number of modules per edge, including the quiet zone of four on each side.
    let size: Int
    /// The dark modules as an SVG path's `d`, one unit per module.
    let path: String

    /// - Returns: Nil if the text is longer than 2,331 bytes.
    init?(_ text: String) {
        // Level M is readable with 15 % of it covered or creased.
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        var path = ""
        for y in 0..<width {
            var x = 0
            while x < width {
                let start = x
                // The lowest bit of a module is its color.
                while x < width, code.pointee.data[y * width + x] & 1 == 1 { x += 1 }
                if x > start { path += "M\(start + 4) \(y + 4)h\(x - start)v1h-\(x - start)z" }
                x += 1
            }
        }
        self.path = path
        size = width + 8
    }

    var viewBox: String { "0 0 \(size) \(size)" }
}
