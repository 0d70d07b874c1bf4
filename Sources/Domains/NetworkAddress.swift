/// A numeric IP address: 4 or 16 bytes.
public struct NetworkAddress: Sendable {
    private let bytes: [UInt8]

    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// Whether the address is on the public Internet: not this machine's, not on a local network, and not reserved.
    public var isPublic: Bool {
        switch bytes.count {
        case 4:
            let others: [([UInt8], Int)] = [
                ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12),
                ([192, 0, 0], 24), ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16), ([198, 18], 15),
                ([198, 51, 100], 24), ([203, 0, 113], 24), ([224], 3),
                // Azure's metadata service, although the address is in a public range.
                ([168, 63, 129, 16], 32),
            ]
            return !others.contains { begins($0.0, bits: $0.1) }
        case 16:
            // Only 2000::/3 is allocated today. Of that range we exclude what is reserved for protocols or examples and
            // what wraps an IPv4 address (2002::/16). Other wrappers (::ffff:0:0/96, 64:ff9b::/96) are outside the
            // range.
            let others: [([UInt8], Int)] = [
                ([0x20, 0x01, 0], 23), ([0x20, 0x01, 0x0D, 0xB8], 32), ([0x20, 0x02], 16), ([0x3F, 0xFF, 0], 20),
            ]
            return begins([0x20], bits: 3) && !others.contains { begins($0.0, bits: $0.1) }
        default: return false
        }
    }

    /// Whether it is a loopback address.
    public var isLoopback: Bool {
        switch bytes.count {
        case 4: begins([127], bits: 8)
        case 16: bytes == Array(repeating: 0, count: 15) + [1]
        default: false
        }
    }

    private func begins(_ start: [UInt8], bits: Int) -> Bool {
        zip(bytes, start).enumerated().allSatisfy { place, pair in
            let left = min(8, max(0, bits - place * 8))
            let mask = UInt8(truncatingIfNeeded: 0xFF << (8 - left))
            return pair.0 & mask == pair.1 & mask
        }
    }
}
