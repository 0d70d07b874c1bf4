import CDeflate
import Synchronization

/// gzip (RFC 1952) for pages and for files of the program's own, through libdeflate.
enum Gzip {
    /// `bytes` compressed, or nil when there is no memory for it.
    static func compress(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let compressor = Compressor.take() else { return nil }
        defer { compressor.giveBack() }
        let bound = libdeflate_gzip_compress_bound(compressor.pointer, bytes.count)
        let packed = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            count = libdeflate_gzip_compress(
                compressor.pointer, bytes.baseAddress, bytes.count, output.baseAddress, output.count)
        }
        return packed.nonEmpty
    }

    /// What is packed in `bytes`, one member as gzip writes it; nil when that can't be read.
    ///
    /// For files that come with the program: how much comes out is what the file itself says.
    static func unpack(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard bytes.count >= 18, let decompressor = libdeflate_alloc_decompressor() else { return nil }
        defer { libdeflate_free_decompressor(decompressor) }
        let size = bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self).littleEndian
        var isWhole = false
        let output = [UInt8](unsafeUninitializedCapacity: Int(size)) { output, count in
            // Without a place for the real size, anything but all of it is a failure.
            isWhole =
                libdeflate_gzip_decompress(
                    decompressor, bytes.baseAddress, bytes.count, output.baseAddress, output.count, nil)
                == LIBDEFLATE_SUCCESS
            count = isWhole ? output.count : 0
        }
        return isWhole ? output : nil
    }

    /// One of libdeflate's compressors: half a page's time to make, so they are kept, one for each thread that packs at
    /// the same time.
    private struct Compressor: @unchecked Sendable {
        let pointer: OpaquePointer
        /// The fastest: a page of 36 KB takes a fifth of the time of zlib's level 4, and 3 % more bytes.
        private static let level: CInt = 1
        private static let idle = Mutex<[Compressor]>([])

        static func take() -> Compressor? {
            idle.withLock { $0.popLast() } ?? libdeflate_alloc_compressor(level).map(Compressor.init)
        }

        func giveBack() { Self.idle.withLock { $0.append(self) } }
    }
}
