import Foundation

/// Folds a text for comparison: case, accents, widths and punctuation are removed, so that `San José` matches `san
/// jose`, `Łódź` matches `lodz` and `Ｙｏｇａ` matches `yoga`. Words are separated by single spaces.
func folded(_ text: String) -> String {
    foldedASCII(text) ?? foldedUnicode(text)
}

/// The folded text as a key of an index, cut if it is longer than an index takes: in some scripts, a few letters are
/// folded into many.
func foldedKey(_ text: String) -> String { folded(text).beginning(ofBytes: Folding.longestKey) }

/// Like `foldedUnicode` but without its tables, for text that is ASCII except for quotation marks, dashes and the like,
/// as nearly all is; nil for other text.
func foldedASCII(_ text: String, joining: Bool = false) -> String? {
    var key = Folding()
    key.isJoining = joining
    key.bytes.reserveCapacity(text.utf8.count)
    var bytes = text.utf8.makeIterator()
    while let byte = bytes.next() {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): key.add(byte | 0x20)
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): key.add(byte)
        case UInt8(ascii: "^"): continue
        case UInt8(ascii: "`"): if joining { key.join() }
        case UInt8(ascii: "'"), UInt8(ascii: "-"), UInt8(ascii: "."): key.join()
        case 0x80...:
            // U+2000 to U+203F: spaces and punctuation.
            guard byte == 0xE2, bytes.next() == 0x80, let last = bytes.next() else { return nil }
            let value = UInt32(0x2000) + UInt32(last & 0x3F)
            if Folding.isUnseen(value) { continue }
            if Folding.isJoiner(value) { key.join() } else { key.part() }
        default: key.part()
        }
    }
    return key.text
}

func foldedUnicode(_ text: String, joining: Bool = false) -> String {
    var key = Folding()
    key.isJoining = joining
    // A stand-alone accent would become a space.
    let typed = joining ? text.replacingOccurrences(of: "\u{B4}", with: "'") : text
    let plain = typed.decomposedStringWithCompatibilityMapping.lowercased()
    for scalar in plain.unicodeScalars {
        if let letters = Folding.letters[scalar] {
            for byte in letters.utf8 { key.add(byte) }
        } else if Folding.isUnseen(scalar.value) {
            continue
        } else if Folding.isMark(scalar) {
            if joining, Folding.isJoiner(scalar.value) { key.join() }
        } else if scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue {
            key.add(UInt8(ascii: "0") + UInt8(value))
        } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil || Folding.isVoicing(scalar) {
            for byte in Folding.hiragana(scalar).utf8 { key.add(byte) }
        } else if Folding.isJoiner(scalar.value) {
            key.join()
        } else {
            key.part()
        }
    }
    // Recompose Hangul syllables, and kana with their marks.
    return key.text.precomposedStringWithCanonicalMapping
}

extension Sequence {
    /// The elements in the order of a text as it is compared, and where that is the same, of another key. Each text is
    /// folded once, because folding is slow.
    func sorted<Key: Comparable>(folding text: (Element) -> String, then key: (Element) -> Key) -> [Element] {
        map { (text: folded(text($0)), key: key($0), element: $0) }
            .sorted { ($0.text, $0.key) < ($1.text, $1.key) }.map(\.element)
    }
}

extension String {
    /// The text's beginning, of at most this many bytes and of whole code points.
    func beginning(ofBytes most: Int) -> String {
        guard utf8.count > most else { return self }
        var end = utf8.index(startIndex, offsetBy: most)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(unicodeScalars[..<end])
    }
}

/// The folding of Unicode text.
struct Folding {
    /// The most bytes of a key: an index of PostgreSQL takes rows of up to 2,704 bytes.
    static let longestKey = 1_000

    fileprivate var bytes: [UInt8] = []
    /// Whether a character that joins two letters is kept as `'`: `o'neill`. Otherwise it separates them.
    fileprivate var isJoining = false
    private var isJoined = false

    fileprivate mutating func add(_ byte: UInt8) {
        if isJoined, !bytes.isEmpty, bytes.last != UInt8(ascii: " ") { bytes.append(UInt8(ascii: "'")) }
        isJoined = false
        bytes.append(byte)
    }

    fileprivate mutating func part() {
        isJoined = false
        if !bytes.isEmpty, bytes.last != UInt8(ascii: " ") { bytes.append(UInt8(ascii: " ")) }
    }

    fileprivate mutating func join() { if isJoining { isJoined = true } else { part() } }

    fileprivate var text: String {
        String(decoding: bytes.last == UInt8(ascii: " ") ? bytes.dropLast() : bytes[...], as: UTF8.self)
    }

    /// Apostrophes, hyphens and dots, which people omit or replace with spaces: `O’Neill`, `Ki-Ga`, `St.Mary's`.
    /// The same is true of the invisible breaks within Persian, Thai and Khmer words, and of the dot in `キッズ・クラブ`.
    fileprivate static func isJoiner(_ value: UInt32) -> Bool {
        switch value {
        case 0x27, 0x2D, 0x2E, 0x60, 0xB7, 0x2B9, 0x2BB, 0x2BC, 0x2BD, 0x5F3, 0x5F4, 0x200B, 0x200C, 0x2010, 0x2011,
            0x2013, 0x2018, 0x2019, 0x201B, 0x2024...0x2027, 0x2032...0x2034, 0x2212, 0x30FB:
            true
        default: false
        }
    }

    /// Invisible characters other than those breaks: joiners and direction marks.
    fileprivate static func isUnseen(_ value: UInt32) -> Bool {
        switch value {
        case 0x200D...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF: true
        default: false
        }
    }

    /// Marks on a letter that are equivalent to accents.
    fileprivate static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3099, 0x309A, 0x30FC: false
        // A soft hyphen.
        case 0xAD: true
        // Hebrew and Arabic vowel signs, which most texts omit.
        case 0x591...0x5C7, 0x610...0x61A, 0x640, 0x64B...0x65F, 0x670, 0x6D6...0x6ED:
            scalar.properties.generalCategory == .nonspacingMark || scalar.value == 0x640
        default: scalar.properties.isDiacritic
        }
    }

    /// The marks that turn one kana syllable into another.
    fileprivate static func isVoicing(_ scalar: Unicode.Scalar) -> Bool { 0x3099...0x309A ~= scalar.value }

    /// Converts katakana to hiragana: people write words in either.
    fileprivate static func hiragana(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        0x30A1...0x30F6 ~= scalar.value ? Unicode.Scalar(scalar.value - 0x60) ?? scalar : scalar
    }

    /// Letters without a decomposition, as people without them on their keyboard write them.
    fileprivate static let letters: [Unicode.Scalar: String] = [
        "ł": "l", "ø": "o", "đ": "d", "ð": "d", "ɖ": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i",
        "ħ": "h", "ŋ": "n", "ŧ": "t", "ĸ": "k", "ƒ": "f", "ɓ": "b", "ɗ": "d", "ƙ": "k", "ɠ": "g", "ƴ": "y",
        "ə": "e", "ǝ": "e", "ɛ": "e", "ɔ": "o", "ɨ": "i", "ʉ": "u", "ɣ": "g", "ʒ": "z", "ȷ": "j", "ƀ": "b",
        "ɫ": "l", "ƚ": "l", "ɲ": "n", "ƶ": "z", "ǥ": "g",
        "ς": "σ", "ґ": "г", "ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه", "ٱ": "ا",
        "ہ": "ه", "ھ": "ه",
    ]
}

extension Folding {
    /// A word with its umlauts spelled out, as some people write it: `maedchen` for `Mädchen`; nil for a word without
    /// umlauts.
    static func spelledOut(_ word: String) -> String? {
        let composed = word.precomposedStringWithCanonicalMapping.lowercased()
        guard composed.unicodeScalars.contains(where: { umlauts[$0] != nil }) else { return nil }
        return composed.unicodeScalars.reduce(into: "") { $0 += umlauts[$1] ?? String($1) }
    }

    /// The key of a town, the same for each spelling of its umlauts: `munchen` for München and Muenchen.
    static func townKey(_ name: String) -> String {
        let key = folded(name)
        return (contracted(key) ?? key).beginning(ofBytes: longestKey)
    }

    /// An Arabic word without its article and what is written together with that: `مدرسة` for `المدرسة` and `للمدرسة`;
    /// nil for other words.
    static func withoutArticle(_ word: String) -> String? {
        guard let first = word.utf8.first, 0xD8...0xD9 ~= first else { return nil }
        for article in ["وال", "بال", "كال", "فال", "ولل", "ال", "لل"] where word.hasPrefix(article) {
            let rest = word.dropFirst(article.count)
            if rest.unicodeScalars.count >= 3 { return String(rest) }
        }
        return nil
    }

    private static let umlauts: [Unicode.Scalar: String] = [
        "ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa",
    ]

    /// A folded word whose umlauts may have been spelled out, without the extra letters: `madchen` for `maedchen`; nil
    /// for other words.
    static func contracted(_ word: String) -> String? {
        var last: UInt8 = 0
        let isSpelledOut = word.utf8.contains { byte in
            defer { last = byte }
            return isSpelling(last, byte)
        }
        guard isSpelledOut else { return nil }
        var short: [UInt8] = []
        for byte in word.utf8 {
            if let last = short.last, isSpelling(last, byte) { continue }
            short.append(byte)
        }
        return String(decoding: short, as: UTF8.self)
    }

    /// `ae`, `oe`, `ue`, `aa`.
    private static func isSpelling(_ one: UInt8, _ other: UInt8) -> Bool {
        switch (one, other) {
        case (UInt8(ascii: "a"), UInt8(ascii: "e")), (UInt8(ascii: "o"), UInt8(ascii: "e")),
            (UInt8(ascii: "u"), UInt8(ascii: "e")), (UInt8(ascii: "a"), UInt8(ascii: "a")):
            true
        default: false
        }
    }
}
