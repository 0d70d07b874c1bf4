/// The type and size of a picture, read from a file's first bytes before decoding.
struct PictureHeader: Sendable, Equatable {
    enum Kind: Sendable { case jpeg, png, gif, webp, heic }

    let kind: Kind
    /// In pixels, as stored: a photo may still have to be rotated.
    let width: Int
    let height: Int

    /// The largest upload, in bytes.
    static let byteLimit = 10 << 20
    /// The largest picture, in pixels.
    static let pixelLimit = 50_000_000

    /// Reads the picture's type and size.
    ///
    /// - Throws: `PictureProblem` if it isn't a picture of a supported type, or is too large.
    init(of file: [UInt8]) throws(PictureProblem) {
        let bytes = ByteReader(file)
        guard let kind = Kind(of: bytes) else { throw Self.problem(withKindOf: file) }
        let size =
            switch kind {
            case .jpeg: bytes.sizeOfJPEG()
            case .png: bytes.sizeOfPNG()
            case .gif: bytes.sizeOfGIF()
            case .webp: bytes.sizeOfWebP()
            case .heic: bytes.sizeOfHEIC()
            }
        guard let (width, height) = size, width > 0, height > 0 else { throw .broken }
        guard width <= Self.pixelLimit / height else { throw .tooManyPixels(width: width, height: height) }
        self.kind = kind
        self.width = width
        self.height = height
    }

    private static func problem(withKindOf file: [UInt8]) -> PictureProblem {
        if file.isEmpty { return .empty }
        return String(decoding: file.prefix(1_024), as: UTF8.self).contains("<svg") ? .drawing : .otherKind
    }
}

extension PictureHeader.Kind {
    fileprivate init?(of bytes: ByteReader) {
        if bytes.says([0xFF, 0xD8], at: 0), bytes[2] == 0xFF || bytes[2] == 0 {
            self = .jpeg
        } else if bytes.says([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) {
            self = .png
        } else if bytes.says("GIF87a", at: 0) || bytes.says("GIF89a", at: 0) {
            self = .gif
        } else if bytes.says("RIFF", at: 0), bytes.says("WEBP", at: 8) {
            self = .webp
        } else if bytes.says("ftyp", at: 4), bytes.hasBrandOfHEIC {
            self = .heic
        } else {
            return nil
        }
    }
}

// MARK: - The formats

extension ByteReader {
    /// The frame header of a JPEG (ITU-T T.81, B.2.2), after any other segments, and zeros between them, which browsers
    /// skip.
    fileprivate func sizeOfJPEG() -> (Int, Int)? {
        var place = 2
        while let mark = self[place], mark == 0xFF || mark == 0, let marker = self[place + 1] {
            switch marker {
            case _ where mark == 0: place += 1
            case 0xFF: place += 1
            case 0x01, 0xD0...0xD7: place += 2
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard let height = big(2, at: place + 5), let width = big(2, at: place + 7) else { return nil }
                return (width, height)
            case 0xD9, 0xDA: return nil
            default:
                guard let length = big(2, at: place + 2), length >= 2 else { return nil }
                place += 2 + length
            }
        }
        return nil
    }

    /// The first chunk of a PNG (its specification, 11.2.2).
    fileprivate func sizeOfPNG() -> (Int, Int)? {
        guard says("IHDR", at: 12), let width = big(4, at: 16), let height = big(4, at: 20) else { return nil }
        return (width, height)
    }

    /// The logical screen of a GIF (GIF89a, 18); if that has no size, its first picture (20).
    fileprivate func sizeOfGIF() -> (Int, Int)? {
        guard let width = little(2, at: 6), let height = little(2, at: 8), let flags = self[10] else { return nil }
        if width > 0, height > 0 { return (width, height) }
        var place = 13 + (flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1))
        while self[place] == 0x21 {
            // An extension: a label, then blocks that begin with their length.
            place += 2
            while let length = self[place], length > 0 { place += 1 + length }
            place += 1
        }
        guard self[place] == 0x2C, let left = little(2, at: place + 1), let top = little(2, at: place + 3),
            let wide = little(2, at: place + 5), let high = little(2, at: place + 7)
        else { return nil }
        return (max(width, left + wide), max(height, top + high))
    }

    /// The first chunk of a WebP (RFC 9649, 2.5 to 2.7).
    fileprivate func sizeOfWebP() -> (Int, Int)? {
        if says("VP8 ", at: 12), says([0x9D, 0x01, 0x2A], at: 23) {
            guard let width = little(2, at: 26), let height = little(2, at: 28) else { return nil }
            return (width & 0x3FFF, height & 0x3FFF)
        }
        if says("VP8L", at: 12), self[20] == 0x2F {
            guard let bits = little(4, at: 21) else { return nil }
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        }
        guard says("VP8X", at: 12), let width = little(3, at: 24), let height = little(3, at: 27) else { return nil }
        return (width + 1, height + 1)
    }

    /// The largest `ispe` of a HEIC's items (ISO/IEC 23008-12, 6.5.3): a phone's photo is a grid of smaller pictures.
    fileprivate func sizeOfHEIC() -> (Int, Int)? {
        guard let meta = box("meta", in: 0..<end), let iprp = box("iprp", in: meta.dropFirst(4)),
            let ipco = box("ipco", in: iprp)
        else { return nil }
        var size: (Int, Int)?
        boxes(in: ipco) { type, content in
            guard type == Self.ispe, let width = big(4, at: content.lowerBound + 4),
                let height = big(4, at: content.lowerBound + 8)
            else { return }
            if max(width, height) > size.map({ max($0, $1) }) ?? 0 { size = (width, height) }
        }
        return size
    }

    /// Whether the file declares HEVC-coded pictures (ISO/IEC 23008-12, B.4.1).
    fileprivate var hasBrandOfHEIC: Bool {
        guard let length = big(4, at: 0) else { return false }
        // The major brand, its version, then the compatible brands.
        return stride(from: 8, to: min(length, end, 256), by: 4).contains { place in
            place != 12 && ["heic", "heix", "heim", "heis"].contains { says($0 as StaticString, at: place) }
        }
    }

    private static let ispe = 0x6973_7065

    /// The content of the first box with that type.
    private func box(_ name: StaticString, in range: Range<Int>) -> Range<Int>? {
        let wanted = UnsafeBufferPointer(start: name.utf8Start, count: 4).reduce(0) { $0 << 8 | Int($1) }
        var found: Range<Int>?
        boxes(in: range) { type, content in
            if type == wanted, found == nil { found = content }
        }
        return found
    }

    /// Visits the adjacent boxes in `range` (ISO/IEC 14496-12, 4.2), with type and content.
    private func boxes(in range: Range<Int>, _ visit: (Int, Range<Int>) -> Void) {
        var place = range.lowerBound
        while place + 8 <= range.upperBound, let short = big(4, at: place), let type = big(4, at: place + 4) {
            var header = 8
            var length = short
            if short == 1 {
                header = 16
                guard let long = big(8, at: place + 8), long >= 0 else { return }
                length = long
            } else if short == 0 {
                length = range.upperBound - place
            }
            guard length >= header, length <= range.upperBound - place else { return }
            visit(type, place + header..<place + length)
            place += length
        }
    }
}
