import CQREncode

/// A QR code (ISO/IEC 18004), made by libqrencode.
struct QRCode: Sendable {
    /// How many modules an edge has, the quiet zone of four on each side among them.
    let size: Int
    /// The dark modules as the `d` of an SVG path; a module is one unit.
    let path: String

    /// - Returns: nil for a text that is too long for any code: 2,331 bytes and more.
    init?(_ text: String) {
        // Level M is read with 15 % of it covered or creased.
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        var path = ""
        for y in 0..<width {
            var x = 0
            while x < width {
                let start = x
                // The lowest bit of a module says whether it is dark.
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
