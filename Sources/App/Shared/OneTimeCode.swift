import Crypto
import FoundationEssentials
import Templating

/// The codes of authenticator apps, one every half minute (TOTP, RFC 6238).
///
/// It uses SHA-1, 30 seconds and 6 digits, the only variant that all apps support. SHA-1's collisions don't weaken
/// HMAC, which depends on other properties (RFC 6194, section 3.3).
struct OneTimeCode: Sendable {
    let secret: [UInt8]

    /// Makes a secret of 160 bits, as long as the hash.
    init() {
        secret = Array(Token().bytes.prefix(20))
    }

    init(secret: [UInt8]) { self.secret = secret }

    /// The number of the half minute that contains an instant.
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

    /// The half minute whose code was typed: this one or an adjacent one, in case clocks differ slightly, but only
    /// later than `last`, whose code was used.
    func step(of typed: String, at now: Instant, after last: Int64) -> Int64? {
        let this = Self.step(at: now)
        return [this - 1, this, this + 1].first { $0 > last && Self.isEqual(code(at: $0), typed) }
    }

    /// Compares in constant time.
    private static func isEqual(_ a: String, _ b: String) -> Bool {
        a.utf8.count == b.utf8.count && zip(a.utf8, b.utf8).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// The secret for typing (base32, RFC 4648), in groups of four.
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

    /// The link in the QR code for the app, which also opens an app on the phone itself.
    func link(of username: String, at site: String) -> Link {
        Link(oneTimeCodes: text.filter { $0 != " " }, of: username, at: site)
    }
}
