import NIOCore

#if canImport(Glibc)
    import Glibc
#endif

/// An IPv4 or IPv6 address. An IPv4-mapped IPv6 address is stored as IPv4, so that rules for IPv4 always apply.
struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// The 16 bytes as two numbers; IPv4 as `::ffff:a.b.c.d`.
    let high: UInt64, low: UInt64

    var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// Parses `192.0.2.1`, `2001:db8::1`, `[2001:db8::1]`; `nil` for anything else.
    init?(_ text: some StringProtocol) {
        var text = String(text)
        if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(four)
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self.init(six)
        } else {
            return nil
        }
    }

    /// Parses an address as proxies forward it, optionally with a port or an interface name.
    init?(forwarded text: some StringProtocol) {
        var text = String(text).filter { $0 != " " && $0 != "\t" && $0 != "\"" }
        if text.hasPrefix("[") {
            text = String(text.dropFirst().prefix { $0 != "]" })
        } else if text.count(where: { $0 == ":" }) == 1 {
            text = String(text.prefix { $0 != ":" })
        }
        self.init(text.prefix { $0 != "%" })
    }

    /// The peer of a connection; `nil` if it isn't an IP connection.
    init?(_ peer: SocketAddress) {
        // The address follows the family and port, and in IPv6 also the flow information.
        switch peer {
        case .v4:
            self.init(
                peer.withSockAddr { start, _ in UnsafeRawPointer(start).load(fromByteOffset: 4, as: in_addr.self) })
        case .v6:
            self.init(
                peer.withSockAddr { start, _ in UnsafeRawPointer(start).load(fromByteOffset: 8, as: in6_addr.self) })
        case .unixDomainSocket: return nil
        }
    }

    /// The peer of a connection; the loopback address if it isn't an IP connection.
    init(of channel: any Channel) { self = channel.remoteAddress.flatMap { IPAddress($0) } ?? .loopback }

    private init(_ four: in_addr) {
        high = 0
        low = 0xFFFF << 32 | UInt64(UInt32(bigEndian: four.s_addr))
    }

    private init(_ six: in6_addr) {
        (high, low) = withUnsafeBytes(of: six) {
            (
                UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    static let loopback = IPAddress(in_addr(s_addr: UInt32(0x7F00_0001).bigEndian))

    var isLoopback: Bool { isIPv4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }

    /// The key for rate limits: an IPv4 address, or the /64 that an IPv6 subscriber has.
    var subscriber: UInt64 { isIPv4 ? low : high }

    /// The network, without the part that identifies a household: `203.0.113.x`, `2001:db8:1::`.
    var network: String {
        if isIPv4 { return [24, 16, 8].map { String(low >> $0 & 0xFF) }.joined(separator: ".") + ".x" }
        return [48, 32, 16].map { String(high >> $0 & 0xFFFF, radix: 16) }.joined(separator: ":") + "::"
    }

    var description: String {
        if isIPv4 { return [24, 16, 8, 0].map { String(low >> $0 & 0xFF) }.joined(separator: ".") }
        return [high, low].flatMap { part in [48, 32, 16, 0].map { String(part >> $0 & 0xFFFF, radix: 16) } }
            .joined(separator: ":")
    }
}
