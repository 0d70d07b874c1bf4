/// WebP files written by libvips (RFC 9649).
enum WebP {
    /// `file` with nothing but the picture; nil if it isn't a still WebP.
    ///
    /// libvips 8.14 writes some metadata even if told not to. A camera's record of time and place must be removed with
    /// any version, so only the chunks with the picture are copied.
    static func bare(_ file: [UInt8]) -> [UInt8]? {
        let bytes = ByteReader(file)
        guard bytes.says("RIFF", at: 0), bytes.says("WEBP", at: 8) else { return nil }
        var size: ArraySlice<UInt8>?
        var alpha: ArraySlice<UInt8>?
        var picture: ArraySlice<UInt8>?
        var place = 12
        while let length = bytes.little(4, at: place + 4) {
            // Chunks begin at even offsets.
            let end = place + 8 + length + length % 2
            guard end <= file.count else { return nil }
            if bytes.says("VP8X", at: place), length == 10 { size = file[place + 12..<end] }
            if bytes.says("ALPH", at: place) { alpha = file[place..<end] }
            if bytes.says("VP8 ", at: place) || bytes.says("VP8L", at: place) { picture = file[place..<end] }
            place = end
        }
        guard let picture else { return nil }
        var chunks: [UInt8] = []
        if let alpha, let size {
            // The extended header announces only the alpha channel.
            chunks += "VP8X".utf8 + [10, 0, 0, 0, 0x10, 0, 0, 0] + size + alpha
        }
        chunks += picture
        let length = UInt32(chunks.count + 4)
        return "RIFF".utf8 + (0..<4).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) } + "WEBP".utf8 + chunks
    }
}
