import Crypto
import FoundationEssentials
import Templating

/// The codes that an app on a phone shows, a new one each half minute (TOTP, RFC 6238).
///
/// With SHA-1, 30 seconds and 6 digits, the only kind that all such apps know. That SHA-1's collisions can be found
/// doesn't weaken HMAC, which rests on other properties (RFC 6194, section 3.3).
struct OneTimeCode: Sendable {
    let secret: [UInt8]

    /// A fresh secret of 160 bits, as long as the hash.
    init() {
        secret = Array(Token().bytes.prefix(20))
    }

    init(secret: [UInt8]) { self.secret = secret }

    /// The half minute that an instant lies in.
    static func step(at instant: Instant) -> Int64 { instant.milliseconds.floorDivided(by: 30_000) }

    /// The code of a half minute (RFC 4226, section 5.3).
    func code(at step: Int64, digits: Int = 6) -> String {
        let counter = withUnsafeBytes(of: step.bigEndian) { Array($0) }
        let hash = Array(HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: SymmetricKey(data: secret)))
        let start = Int(hash[19] & 0x0F)
        let number = hash[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let text = String(number)
        return String((String(repeating: "0", count: 10) + text).suffix(digits))
    }

    /// The half minute whose code was typed: this one or a neighbor, for clocks that differ a little, and none up to
    /// `last`, whose code was used.
    func step(of typed: String, at now: Instant, after last: Int64) -> Int64? {
        let this = Self.step(at: now)
        return [this - 1, this, this + 1].first { $0 > last && Self.isEqual(code(at: $0), typed) }
    }

    /// The time taken doesn't depend on where the texts differ.
    private static func isEqual(_ a: String, _ b: String) -> Bool {
        a.utf8.count == b.utf8.count && zip(a.utf8, b.utf8).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// The secret as people type it (base32, RFC 4648), in groups of four.
    var text: String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var text = ""
        var (bits, count) = (0, 0)
        for byte in secret {
            (bits, count) = ((bits << 8 | Int(byte)) & 0xFFF, count + 8)
            while count >= 5 {
                count -= 5
                if text.count % 5 == 4 { text.append(" ") }
                text.append(letters[bits >> count & 31])
            }
        }
        return text
    }

    /// What the QR code says to an app, and what opens one on the phone itself.
    func link(of username: String, at site: String) -> Link {
        Link(oneTimeCodes: text.filter { $0 != " " }, of: username, at: site)
    }
}
