#if canImport(Glibc)
    import Glibc
#endif

/// An IPv4 or IPv6 address. An IPv4 address mapped into IPv6 is held as IPv4, so that a rule for it always fits.
struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// 16 bytes as two numbers; IPv4 as `::ffff:a.b.c.d`.
    let high: UInt64, low: UInt64

    var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// Reads `192.0.2.1`, `2001:db8::1`, `[2001:db8::1]`; `nil` for anything else.
    init?(_ text: some StringProtocol) {
        var text = String(text)
        if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            high = 0
            low = 0xFFFF << 32 | UInt64(UInt32(bigEndian: four.s_addr))
            return
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        (high, low) = withUnsafeBytes(of: &six) {
            (
                UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    var isLoopback: Bool { isIPv4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }

    /// What rate limits count by: an IPv4 address, or the /64 that an IPv6 subscriber has for itself.
    var subscriber: UInt64 { isIPv4 ? low : high }

    var description: String {
        if isIPv4 { return [24, 16, 8, 0].map { String(low >> $0 & 0xFF) }.joined(separator: ".") }
        return [high, low].flatMap { part in [48, 32, 16, 0].map { String(part >> $0 & 0xFFFF, radix: 16) } }
            .joined(separator: ":")
    }
}
