import Synchronization

/// The memory of buffers that were drawn into, for the next ones: a page takes more than an allocator keeps at hand,
/// and giving it back to the system and asking for it again would take longer than many a part of the page.
enum SpareMemory {
    /// Nearly all pages fit into it.
    static let size = 65_536
    /// As many as pages are drawn at a time.
    static let most = 8

    private static let addresses = Mutex<[UInt]>([])

    /// Memory of `size` bytes, for one buffer alone.
    static func take() -> UnsafeMutablePointer<UInt8> {
        let spare = addresses.withLock { $0.popLast() }
        return spare.flatMap { UnsafeMutablePointer(bitPattern: $0) } ?? .allocate(capacity: size)
    }

    /// Takes back memory of `size` bytes that nobody uses anymore.
    static func give(_ bytes: UnsafeMutablePointer<UInt8>) {
        let isKept = addresses.withLock { addresses in
            guard addresses.count < most else { return false }
            addresses.append(UInt(bitPattern: bytes))
            return true
        }
        if !isKept { bytes.deallocate() }
    }
}

/// A growing buffer of bytes into which a template writes a page.
///
/// Every method that adds a value escapes it for its place; only the template's own text, a `StaticString`, is written
/// as is. Generated code chooses the method by the value's place in the HTML.
public struct HTMLBuffer: ~Copyable {
    @usableFromInline var bytes: UnsafeMutablePointer<UInt8>
    @usableFromInline var count = 0
    @usableFromInline var capacity: Int

    /// The translations for this page; `nil` draws the English source text.
    public let catalogue: Catalogue?
    /// The language and country for days, times and amounts, such as `en-US`.
    public let locale: String
    /// How the language writes whole numbers.
    let numbers: Numbers
    /// Whether the language runs from right to left.
    let isRightToLeft: Bool
    /// Whether arguments of words are drawn between tags, where they can be isolated.
    var isBetweenTags = false
    /// The kept parts; nil keeps none.
    @usableFromInline let drawn: Drawn?
    /// The key of the part that begins; all parts of a page share its memory.
    @usableFromInline var key: PartKey

    /// Makes an empty buffer with room for `capacity` bytes.
    public init(
        catalogue: Catalogue? = nil, locale: String = "en", numbers: Numbers = .english, isRightToLeft: Bool = false,
        drawn: Drawn? = nil, capacity: Int? = nil
    ) {
        self.capacity = max(capacity ?? SpareMemory.size, 64)
        self.catalogue = catalogue
        self.locale = locale
        self.numbers = numbers
        self.isRightToLeft = isRightToLeft
        self.drawn = drawn
        key = PartKey(locale: locale)
        bytes = self.capacity == SpareMemory.size ? SpareMemory.take() : .allocate(capacity: self.capacity)
    }

    deinit { Self.release(bytes, capacity) }

    private static func release(_ bytes: UnsafeMutablePointer<UInt8>, _ capacity: Int) {
        if capacity == SpareMemory.size { SpareMemory.give(bytes) } else { bytes.deallocate() }
    }

    /// Everything written so far, as UTF-8.
    public func finish() -> [UInt8] {
        Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// Calls `body` with everything written so far, without copying it; the pointer is only valid during the call.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    // MARK: Capacity

    @inlinable @inline(__always)
    mutating func reserve(_ extra: Int) {
        if capacity - count < extra { grow(extra) }
    }

    @usableFromInline @inline(never)
    mutating func grow(_ extra: Int) {
        let larger = max(capacity * 2, count + extra)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.initialize(from: bytes, count: count)
        Self.release(bytes, capacity)
        bytes = moved
        capacity = larger
    }

    @inlinable @inline(__always)
    mutating func append(_ start: UnsafePointer<UInt8>, _ length: Int) {
        reserve(length)
        (bytes + count).initialize(from: start, count: length)
        count += length
    }

    @inlinable @inline(__always)
    mutating func append(byte: UInt8) {
        reserve(1)
        bytes[count] = byte
        count += 1
    }

    /// Adds a string that is already HTML, or contains no special characters.
    mutating func append(verbatim string: String) {
        var string = string
        string.withUTF8 { if let start = $0.baseAddress { append(start, $0.count) } }
    }

    // MARK: Markup

    /// Adds the template's own text as is.
    ///
    /// Never inlined: half of what templates do is this call, and optimizing large functions takes disproportionately
    /// long.
    @inline(never)
    public mutating func markup(_ text: StaticString) {
        append(text.utf8Start, text.utf8CodeUnitCount)
    }

    // MARK: Text and quoted attributes

    /// Adds `value`, escaped, between tags. It is isolated if it may run in the other direction than the page, so that
    /// its punctuation and numbers and those around it stay in place.
    public mutating func text(_ value: String) {
        guard turns(value.utf8) else { return escape(value) }
        markup("<bdi>")
        escape(value)
        markup("</bdi>")
    }

    /// Adds `value` between tags, escaped and isolated as a `String` is.
    public mutating func text(_ value: Substring) {
        guard turns(value.utf8) else { return escape(value) }
        markup("<bdi>")
        escape(value)
        markup("</bdi>")
    }

    /// Adds `value` in the language's number format, because text between tags is for people.
    public mutating func text(_ value: some FixedWidthInteger) { number(value) }

    /// Adds `value`, translated, filled in and escaped, between tags.
    public mutating func text(_ value: some Translatable) {
        isBetweenTags = true
        words(value)
        isBetweenTags = false
    }

    /// Adds an argument of words, escaped; between tags, where an element is possible, it is isolated.
    public mutating func filling(_ value: String) {
        if isBetweenTags { text(value) } else { escape(value) }
    }

    /// Adds the URL of `value`, escaped, between tags.
    public mutating func text(_ value: Link) { text(value.string) }

    /// Adds safe markup.
    public mutating func text(_ value: HTML) { append(verbatim: value.string) }

    /// Adds `value`, escaped, inside a quoted attribute, `<title>` or `<textarea>`.
    @inlinable
    public mutating func attribute(_ value: String) { escape(value) }

    /// Adds `value`, escaped, inside a quoted attribute, `<title>` or `<textarea>`.
    public mutating func attribute(_ value: Substring) { escape(value) }

    /// Adds `value` in decimal digits, for browsers and scripts.
    @inlinable
    public mutating func attribute(_ value: some FixedWidthInteger) { integer(value) }

    /// Adds `value` in the language's number format, inside a message in a quoted attribute or `<title>`.
    public mutating func spoken(_ value: some FixedWidthInteger) { number(value) }

    /// Adds `value`, escaped, inside a message in a quoted attribute or `<title>`.
    public mutating func spoken(_ value: some StringProtocol) { escape(Substring(value)) }

    /// Adds `value`, translated, filled in and escaped, inside a message in a quoted attribute or `<title>`.
    public mutating func spoken(_ value: some Translatable) { words(value) }

    /// Adds the URL of `value`, escaped, inside a message in a quoted attribute or `<title>`.
    public mutating func spoken(_ value: Link) { escape(value.string) }

    /// Adds `value`, translated, filled in and escaped, inside a quoted attribute, `<title>` or `<textarea>`.
    public mutating func attribute(_ value: some Translatable) { words(value) }

    /// Adds the URL of `value`, escaped, inside an attribute that isn't a URL to the browser.
    public mutating func attribute(_ value: Link) { escape(value.string) }

    // MARK: URLs

    /// Adds a whole URL inside a URL attribute.
    public mutating func url(_ value: Link) { escape(value.string) }

    /// Adds a whole URL inside a URL attribute, or `#` if its scheme isn't http, https, mailto or tel.
    public mutating func url(_ value: String) { escape(Link.isAllowed(value) ? value : "#") }

    /// Adds the URL of something that the page runs or embeds: the `src` of a script or frame.
    public mutating func link(_ value: Link) { escape(value.string) }

    /// Adds a whole URL inside a list of URLs (`srcset`), which spaces and commas separate.
    public mutating func listedURL(_ value: Link) { listedURL(value.string) }

    /// Adds a whole URL inside a list of URLs (`srcset`), or `#` if its scheme isn't http, https, mailto or tel.
    public mutating func listedURL(_ value: String) {
        guard Link.isAllowed(value) else { return append(byte: UInt8(ascii: "#")) }
        // A percent-encoded space or comma keeps its meaning but can't start another URL.
        escape(Link.encode(value) { $0 > 0x20 && $0 != UInt8(ascii: ",") })
    }

    /// Adds a part of a URL that starts in the template: all but letters, digits and `- . _ ~` is percent-encoded.
    public mutating func urlPart(_ value: some StringProtocol) {
        append(verbatim: Link.encode(value, keeping: Link.isUnreserved))
    }

    /// Adds a number as part of a URL that starts in the template.
    @inlinable
    public mutating func urlPart(_ value: some FixedWidthInteger) { integer(value) }

    // MARK: Unavailable overloads, with a reason

    /// An optional can't be drawn as text.
    @available(*, unavailable, message: "an optional can't be drawn: unwrap it with {% if let %}")
    public mutating func text<Value>(_ value: Value?) {}

    /// Only a few types can be drawn as text.
    @available(*, unavailable, message: "only strings, integers, links, words and HTML can be drawn here")
    public mutating func text<Value>(_ value: Value) {}

    /// An optional can't be drawn as text.
    @available(*, unavailable, message: "an optional can't be drawn: unwrap it with {% if let %}")
    public mutating func attribute<Value>(_ value: Value?) {}

    /// Only a few types can be drawn as text.
    @available(*, unavailable, message: "only strings, integers, links and words can be drawn here")
    public mutating func attribute<Value>(_ value: Value) {}

    /// An optional can't be drawn as text.
    @available(*, unavailable, message: "an optional can't be drawn: unwrap it with {% if let %}")
    public mutating func spoken<Value>(_ value: Value?) {}

    /// Only a few types can be drawn as text.
    @available(*, unavailable, message: "only strings, integers, links and words can be drawn here")
    public mutating func spoken<Value>(_ value: Value) {}

    /// An optional isn't a URL.
    @available(*, unavailable, message: "an optional can't be drawn: unwrap it with {% if let %}")
    public mutating func url<Value>(_ value: Value?) {}

    /// A string could lead anywhere.
    @available(*, unavailable, message: "only a Link can be the src of a script or an iframe")
    public mutating func link<Value>(_ value: Value) {}

    /// Only a link or a string can be a URL.
    @available(*, unavailable, message: "only a Link or a String can be a URL")
    public mutating func url<Value>(_ value: Value) {}
}

// MARK: - Direction

extension HTMLBuffer {
    /// Whether a text must be isolated: on a left-to-right page, if it contains a right-to-left letter; on a
    /// right-to-left page always, because phone numbers and addresses have no such letter.
    private func turns(_ utf8: some Collection<UInt8>) -> Bool {
        if isRightToLeft { return !utf8.isEmpty }
        return utf8.withContiguousStorageIfAvailable { !Self.isASCII($0) && Self.runsBack($0) }
            ?? Self.runsBack(Array(utf8))
    }

    /// Whether all is ASCII, as nearly all text is: eight bytes at a time.
    private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let raw = UnsafeRawBufferPointer(bytes)
        var signs: UInt64 = 0
        var offset = 0
        while offset &+ 8 <= raw.count {
            signs |= raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset &+= 8
        }
        while offset < raw.count {
            signs |= UInt64(raw[offset])
            offset &+= 1
        }
        return signs & 0x8080_8080_8080_8080 == 0
    }

    /// Whether there is a right-to-left letter, as in Hebrew or Arabic (U+0590 to U+08FF, U+FB1D to U+FDFF, U+FE70 to
    /// U+FEFF, U+10800 to U+10FFF, U+1E800 to U+1EFFF).
    static func runsBack(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        // Most text that isn't ASCII begins with a smaller byte.
        guard bytes.contains(where: { $0 >= 0xD6 }) else { return false }
        var last: (UInt8, UInt8) = (0, 0)
        for byte in bytes {
            switch (last.0, last.1, byte) {
            case (_, 0xD6, 0x90...), (_, 0xD7...0xDF, _), (_, 0xE0, 0xA0...0xA3): return true
            case (0xEF, 0xAC, 0x9D...), (_, 0xEF, 0xAD...0xB7), (0xEF, 0xB9, 0xB0...), (_, 0xEF, 0xBA...0xBB):
                return true
            case (0xF0, 0x90, 0xA0...0xBF), (0xF0, 0x9E, 0xA0...0xBF): return true
            default: last = (last.1, byte)
            }
        }
        return false
    }
}

// MARK: - Writing

extension HTMLBuffer {
    /// Adds `value` in decimal digits, directly into the buffer.
    @inlinable
    mutating func integer(_ value: some FixedWidthInteger) {
        // Twenty digits hold the largest 64-bit number; a wider one takes the slow path.
        guard value.bitWidth <= 64 else { return escape(String(value)) }
        if value < 0 { append(byte: UInt8(ascii: "-")) }
        digits(UInt64(truncatingIfNeeded: value.magnitude))
    }

    /// Adds `value` in the number format of the page's language.
    mutating func number(_ value: some FixedWidthInteger) {
        // The fast path for nearly all numbers: English, below a thousand.
        if numbers.digits.isEmpty, value.magnitude < 1_000 { return integer(value) }
        escape(numbers.text(value))
    }

    @usableFromInline
    mutating func digits(_ value: UInt64) {
        reserve(20)
        var length = 1
        var rest = value
        while rest >= 10 {
            rest /= 10
            length += 1
        }
        rest = value
        for place in stride(from: count + length - 1, through: count, by: -1) {
            bytes[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += length
    }

    /// Adds `value` with `& < > " '` as character references: safe in text and in attributes of either quote.
    @usableFromInline
    mutating func escape(_ value: String) {
        let isDone: Void? = value.utf8.withContiguousStorageIfAvailable { utf8 in
            if let start = utf8.baseAddress { escape(start, utf8.count) }
        }
        // A bridged string may not be contiguous.
        if isDone == nil { escape(value[...]) }
    }

    mutating func escape(_ value: Substring) {
        var value = value
        value.withUTF8 { if let start = $0.baseAddress { escape(start, $0.count) } }
    }

    mutating func escape(_ utf8: UnsafeBufferPointer<UInt8>) {
        if let start = utf8.baseAddress { escape(start, utf8.count) }
    }

    /// Eight bytes at a time: they are copied first and inspected afterwards, because nearly all need no escape. (The
    /// standard library's SIMD vectors are slower: their masks are compared lane by lane.)
    private mutating func escape(_ start: UnsafePointer<UInt8>, _ length: Int) {
        // The longest reference has five bytes; eight more allow a whole word to be stored at the end.
        reserve(length &* 5 &+ 8)
        let source = UnsafeRawPointer(start)
        var target = UnsafeMutableRawPointer(bytes + count)
        var offset = 0
        while length &- offset >= 8 {
            let word = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            target.storeBytes(of: word, as: UInt64.self)
            let special = Self.specialBytes(of: UInt64(littleEndian: word))
            guard special != 0 else {
                offset &+= 8
                target += 8
                continue
            }
            let plain = special.trailingZeroBitCount &>> 3
            target += plain
            offset &+= plain
            target = Self.write(reference: start[offset], to: target)
            offset &+= 1
        }
        while offset < length {
            let byte = start[offset]
            if Self.isSpecial(byte) {
                target = Self.write(reference: byte, to: target)
            } else {
                target.storeBytes(of: byte, as: UInt8.self)
                target += 1
            }
            offset &+= 1
        }
        count = target - UnsafeMutableRawPointer(bytes)
    }

    /// Sets the high bit of each byte that is one of the five; exact up to the lowest one (the carry may set later
    /// ones).
    @inline(__always)
    private static func specialBytes(of word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // & and ' differ only in bit 0, < and > only in bit 1.
        let ampersand = (word & (0xFE &* ones)) ^ (0x26 &* ones)
        let angle = (word & (0xFD &* ones)) ^ (0x3C &* ones)
        let quote = word ^ (0x22 &* ones)
        return (((ampersand &- ones) & ~ampersand) | ((angle &- ones) & ~angle) | ((quote &- ones) & ~quote))
            & (0x80 &* ones)
    }

    @inline(__always)
    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte & 0xFE == 0x26 || byte & 0xFD == 0x3C || byte == 0x22
    }

    @inline(__always)
    private static func write(reference byte: UInt8, to target: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        let reference: (bytes: UInt64, length: Int) =
            switch byte {
            case UInt8(ascii: "&"): (0x3B70_6D61_26, 5)  // &amp;
            case UInt8(ascii: "<"): (0x3B74_6C26, 4)  // &lt;
            case UInt8(ascii: ">"): (0x3B74_6726, 4)  // &gt;
            case UInt8(ascii: "\""): (0x3B34_3323_26, 5)  // &#34;
            default: (0x3B39_3323_26, 5)  // &#39;
            }
        target.storeBytes(of: reference.bytes.littleEndian, as: UInt64.self)
        return target + reference.length
    }
}
