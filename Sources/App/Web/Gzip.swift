import CZlib

/// gzip (RFC 1952) for pages and for files of the program's own, through zlib.
enum Gzip {
    /// `bytes` compressed, or nil when zlib can't.
    static func compress(_ bytes: UnsafeRawBufferPointer, level: Int32 = 4) -> [UInt8]? {
        var stream = z_stream()
        // 15 bits of window, and 16 for a gzip header.
        let version = ZLIB_VERSION
        guard
            deflateInit2_(
                &stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, version,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        var finished = false
        let output = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            // zlib reads it only; its type for that has no const.
            stream.next_in = UnsafeMutablePointer(mutating: bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
            stream.avail_in = UInt32(bytes.count)
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(bound)
            finished = deflate(&stream, Z_FINISH) == Z_STREAM_END
            count = bound - Int(stream.avail_out)
        }
        return finished ? output : nil
    }

    /// What is packed in `bytes`, one member as gzip writes it; nil when that can't be read.
    ///
    /// For files that come with the program: how much comes out is what the file itself says.
    static func unpack(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard bytes.count >= 18 else { return nil }
        let size = bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self).littleEndian
        var stream = z_stream()
        guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var finished = false
        let output = [UInt8](unsafeUninitializedCapacity: Int(size)) { output, count in
            stream.next_in = UnsafeMutablePointer(mutating: bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
            stream.avail_in = UInt32(bytes.count)
            stream.next_out = output.baseAddress
            stream.avail_out = size
            finished = inflate(&stream, Z_FINISH) == Z_STREAM_END
            count = Int(size - stream.avail_out)
        }
        return finished ? output : nil
    }
}
