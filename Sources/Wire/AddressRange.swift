public import NIOCore

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A range of IP addresses that share their first bits, as in `10.0.0.0/8` or `2001:db8::/32`.
///
/// IPv4 addresses are stored as in IPv6 (`::ffff:10.0.0.0`), so a client is the same over either kind of socket.
public struct AddressRange: Sendable, Hashable {
    private var high: UInt64
    private var low: UInt64
    private var prefix: Int

    /// Parses an address (`127.0.0.1`, `::1`) or a range in CIDR notation (`10.0.0.0/8`); nil for anything else. Bits
    /// after the prefix are ignored.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let (high, low, width) = Self.parse(String(parts[0])) else { return nil }
        var prefix = 128
        if parts.count == 2 {
            guard let length = Int(parts[1]), parts[1].utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), length <= width
            else { return nil }
            prefix = 128 - width + length
        }
        self.init(high: high, low: low, prefix: prefix)
    }

    /// The range that counts as one client: an IPv4 address, or an IPv6 /64, which is what one customer gets. Nil if it
    /// isn't an IP address, for example a Unix socket's.
    public init?(clientAt address: SocketAddress) {
        guard let (high, low) = Self.bits(of: address) else { return nil }
        self.init(high: high, low: low, prefix: Self.isIPv4(high, low) ? 128 : 64)
    }

    private init(high: UInt64, low: UInt64, prefix: Int) {
        // Smart shifts: a shift by 64 gives 0.
        self.high = high & ~(UInt64.max >> min(prefix, 64))
        self.low = low & ~(UInt64.max >> max(prefix - 64, 0))
        self.prefix = prefix
    }

    /// Whether the range is larger than any private network: more than an IPv4 /8, an IPv6 /7, or all of IPv4.
    public var isWide: Bool {
        let holdsAllOfIPv4 = prefix <= 96 && Self(high: 0, low: 0xFFFF << 32, prefix: prefix) == self
        return prefix < 7 || holdsAllOfIPv4 || (Self.isIPv4(high, low) && (96..<104).contains(prefix))
    }

    /// Whether an address is in this range.
    public func contains(_ address: SocketAddress) -> Bool {
        guard let (high, low) = Self.bits(of: address) else { return false }
        return Self(high: high, low: low, prefix: prefix) == self
    }

    /// Whether a textual address, as in `X-Forwarded-For`, is in this range.
    public func contains(_ text: String) -> Bool {
        guard let (high, low, _) = Self.parse(text) else { return false }
        return Self(high: high, low: low, prefix: prefix) == self
    }

    private static func isIPv4(_ high: UInt64, _ low: UInt64) -> Bool { high == 0 && low >> 32 == 0xFFFF }

    private static func parse(_ text: String) -> (high: UInt64, low: UInt64, width: Int)? {
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &four) == 1 { return (0, mapped(four), 32) }
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        let (high, low) = words(of: six)
        return (high, low, 128)
    }

    private static func bits(of address: SocketAddress) -> (high: UInt64, low: UInt64)? {
        address.withSockAddr { start, size in
            let bytes = UnsafeRawBufferPointer(start: start, count: size)
            switch address {
            case .v4: return (0, mapped(bytes.loadUnaligned(as: sockaddr_in.self).sin_addr))
            case .v6: return words(of: bytes.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
            case .unixDomainSocket: return nil
            }
        }
    }

    private static func mapped(_ address: in_addr) -> UInt64 {
        0xFFFF << 32 | UInt64(UInt32(bigEndian: address.s_addr))
    }

    private static func words(of address: in6_addr) -> (high: UInt64, low: UInt64) {
        withUnsafeBytes(of: address) {
            (
                UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }
}
