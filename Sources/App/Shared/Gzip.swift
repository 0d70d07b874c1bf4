import CDeflate
import Synchronization

/// gzip (RFC 1952) through libdeflate, for pages and the program's own files.
enum Gzip {
    /// The compressed bytes, or nil if there is no memory.
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

    /// The unpacked content of one gzip member; nil if it is damaged.
    ///
    /// Only for bundled files: the size of the output is taken from the file itself.
    static func unpack(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard bytes.count >= 18, let decompressor = libdeflate_alloc_decompressor() else { return nil }
        defer { libdeflate_free_decompressor(decompressor) }
        let size = bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self).littleEndian
        var isWhole = false
        let output = [UInt8](unsafeUninitializedCapacity: Int(size)) { output, count in
            // Without an out-parameter for the size, any other size is an error.
            isWhole =
                libdeflate_gzip_decompress(
                    decompressor, bytes.baseAddress, bytes.count, output.baseAddress, output.count, nil)
                == LIBDEFLATE_SUCCESS
            count = isWhole ? output.count : 0
        }
        return isWhole ? output : nil
    }

    /// A libdeflate compressor. Making one takes half as long as making a page, so they are kept, one per thread that
    /// compresses at the same time.
    private struct Compressor: @unchecked Sendable {
        let pointer: OpaquePointer
        /// The fastest level: a 36 KB page takes a fifth of the time of zlib's level 4, and 3 % more bytes.
        private static let level: CInt = 1
        private static let idle = Mutex<[Compressor]>([])

        static func take() -> Compressor? {
            idle.withLock { $0.popLast() } ?? libdeflate_alloc_compressor(level).map(Compressor.init)
        }

        func giveBack() { Self.idle.withLock { $0.append(self) } }
    }
}
