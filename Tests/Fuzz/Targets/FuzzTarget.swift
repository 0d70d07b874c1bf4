/// Something that reads what strangers wrote, and what must hold whatever they write.
///
/// One list for two readers: `FuzzTests` tries some thousand inputs of each in every run of the tests, libFuzzer
/// millions of them when it is asked to.
struct FuzzTarget: Sendable {
    let name: String
    /// Inputs to begin with: good ones, and ones that went wrong once.
    let seeds: [[UInt8]]
    /// What means something to this reader, for inputs to be made of.
    let words: [String]
    /// Reads the input, and throws when something doesn't hold.
    let check: @Sendable ([UInt8]) throws(Broken) -> Void

    init(
        _ name: String, seeds: [String], words: [String] = [],
        check: @escaping @Sendable ([UInt8]) throws(Broken) -> Void
    ) {
        self.name = name
        self.seeds = seeds.map { Array($0.utf8) }
        self.words = words
        self.check = check
    }

    /// A reader of files.
    init(
        file name: String, seeds: [[UInt8]], words: [String],
        check: @escaping @Sendable ([UInt8]) throws(Broken) -> Void
    ) {
        self.name = name
        self.seeds = seeds
        self.words = words
        self.check = check
    }

    /// A reader of text: what is not UTF-8 is repaired first, as the site's edges do.
    init(
        text name: String, seeds: [String], words: [String] = [],
        check: @escaping @Sendable (String) throws(Broken) -> Void
    ) {
        self.init(name, seeds: seeds, words: words) { bytes throws(Broken) in
            try check(String(decoding: bytes, as: UTF8.self))
        }
    }

    static let all = forms + templates + pages + site + cookies + pictures + calendars
}

/// What should have held.
struct Broken: Error, CustomStringConvertible {
    let description: String
}

func hold(_ holds: Bool, _ sentence: @autoclosure () -> String) throws(Broken) {
    guard holds else { throw Broken(description: sentence()) }
}

/// Whether a text has a control character other than the ones allowed.
func hasControl(_ text: String, but allowed: Set<Unicode.Scalar> = []) -> Bool {
    text.unicodeScalars.contains { ($0.value < 0x20 || 0x7F...0x9F ~= $0.value) && !allowed.contains($0) }
}
