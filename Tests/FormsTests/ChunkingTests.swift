import Forms
import Testing

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers for the same seed.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// What came of a body: everything read, or the problem.
private func outcome(_ type: String, _ bytes: [UInt8], pieces: [Int], _ limits: FormLimits) -> String {
    do {
        var parser = try FormParser(contentType: type, limits: limits)
        var start = 0
        for piece in pieces {
            try parser.feed(bytes[start..<start + piece])
            start += piece
        }
        return "read \(try parser.finish())"
    } catch {
        return "\(error)"
    }
}

/// Splits `count` into random pieces, some empty.
private func pieces(of count: Int, atMost most: Int, using random: inout Seeded) -> [Int] {
    var pieces: [Int] = []
    var left = count
    while left > 0 {
        let piece = Int.random(in: 0...min(most, left), using: &random)
        pieces.append(piece)
        left -= piece
    }
    return pieces
}

@Suite struct ChunkingTests {
    static let pairWords = [
        "title=", "&child=", "&password=", "step=", "&once=", "&", "&&", "=", "%", "%4", "%00", "%FF", "%0d%0a", "+",
        "1,000", "&%00=", "\u{0}", "é", "&picture=", "price=2.50", "&spots=12&", "Kite day is a day for kites",
    ]
    static let partWords = [
        "--XX", "\r\n--XX", "\r\n--XX\r\n", "\r\n--XX--", "--", "\r\n", "\r", "\n", "\r\n\r\n", "\r\n--X", "-", " ",
        "Content-Disposition: form-data; name=\"title\"\r\n\r\n",
        "Content-Disposition: form-data; name=\"picture\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n",
        "\r\n--XX\r\nContent-Disposition: form-data; name=child\r\n\r\n3",
        "\r\n--XX\r\nContent-Disposition: form-data; name=a\r\n\r\n", "Content-Disposition:", "form-data; name=",
        "; filename=", "\"", "\\\"", "Kite day is a day for kites", "\u{0}", "é", "\t",
    ]

    @Test(arguments: [
        ("application/x-www-form-urlencoded", pairWords, "", ""),
        ("multipart/form-data; boundary=XX", partWords, "--XX\r\n", "\r\n--XX--"),
    ])
    func `no bytes crash it, and where the pieces end never matters`(
        type: String, words: [String], start: String, end: String
    ) {
        var random = Seeded(state: 2_026)
        var outcomes: [String: Int] = [:]
        for _ in 0..<400 {
            let limits = FormLimits(
                body: .random(in: 20...400, using: &random), fields: .random(in: 1...4, using: &random),
                upload: .random(in: 10...60, using: &random))
            // A few words a round, so that not every body has a flaw at its beginning.
            let words = words.shuffled(using: &random).prefix(5)
            var bytes = Bool.random(using: &random) ? [] : Array(start.utf8)
            for _ in 0..<Int.random(in: 0...24, using: &random) {
                if Int.random(in: 0..<40, using: &random) == 0 {
                    bytes.append(.random(in: 0...255, using: &random))
                } else {
                    bytes += Array(words.randomElement(using: &random)!.utf8)
                }
            }
            if Bool.random(using: &random) { bytes += Array(end.utf8) }
            let whole = outcome(type, bytes, pieces: [bytes.count], limits)
            outcomes[String(whole.prefix { $0 != " " && $0 != "(" }), default: 0] += 1
            #expect(outcome(type, bytes, pieces: bytes.map { _ in 1 }, limits) == whole)
            for most in [3, 20] {
                let pieces = pieces(of: bytes.count, atMost: most, using: &random)
                #expect(outcome(type, bytes, pieces: pieces, limits) == whole, "\(bytes) in \(pieces)")
            }
        }
        // The soup is worth something only if it meets every end.
        for end in ["read", "tooLarge", "tooManyFields", "malformed"] {
            #expect(outcomes[end, default: 0] > 5, "\(end) in \(outcomes)")
        }
    }

    @Test func `a real upload is the same in any pieces`() {
        var random = Seeded(state: 7)
        let content = (0..<5_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let bytes =
            Array("--XX\r\nContent-Disposition: form-data; name=p; filename=a.png\r\n\r\n".utf8) + content
            + Array("\r\n--XX--\r\n".utf8)
        let type = "multipart/form-data; boundary=XX"
        let whole = outcome(type, bytes, pieces: [bytes.count], FormLimits())
        #expect(whole.hasPrefix("read"))
        for most in [1, 7, 999] {
            let pieces = pieces(of: bytes.count, atMost: most, using: &random)
            #expect(outcome(type, bytes, pieces: pieces, FormLimits()) == whole)
        }
    }

    @Test func `values of every kind survive any bytes`() {
        var random = Seeded(state: 11)
        for _ in 0..<500 {
            let query = FairForm.fields.map { field in
                let value = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                    let byte = UInt8.random(in: 0...255, using: &random)
                    return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
                }
                return "\(field.name)=\(value.joined())"
            }
            let submission = FairForm.sent(query: query.joined(separator: "&"))
            let typed = submission.inputs.flatMap(\.all).joined()
            #expect(!typed.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" })
        }
    }
}
