import Synchronization

/// Parts of pages that were drawn before: the markup of kept partials, and everything that it was drawn from.
///
/// A part is found by all of its inputs and by nothing else. So it never goes stale, and everybody sees what they would
/// see if it were drawn again: no write has to drop a part, and nodes have nothing to tell each other. Parts that
/// aren't asked for anymore make room for others.
public final class Drawn: Sendable {
    /// A drawn part: its key, followed by its markup.
    struct Part: Sendable {
        let bytes: [UInt8]
        let keyCount: Int

        /// What it takes up, with its entry in the table.
        var size: Int { bytes.count + 128 }
    }

    /// The parts of one lock, by a hash of their key. Of two with the same hash, the later one stays.
    private struct Shelf {
        var recent: [Int: Part] = [:]
        /// The parts that weren't asked for since `recent` began. They are dropped when it is full.
        var older: [Int: Part] = [:]
        var recentSize = 0

        mutating func put(_ part: Part, at hash: Int, capacity: Int) {
            if recentSize + part.size > capacity / 2 {
                older = recent
                recent = [:]
                recentSize = 0
            }
            recentSize += part.size - (recent.updateValue(part, forKey: hash)?.size ?? 0)
        }
    }

    private final class Lock: Sendable {
        let shelf = Mutex(Shelf())
    }

    private let locks = (0..<16).map { _ in Lock() }
    private let capacity: Int

    /// - Parameter capacity: The most bytes to keep; 0 keeps nothing.
    public init(capacity: Int) { self.capacity = capacity / 16 }

    func part(for key: borrowing PartKey) -> Part? {
        let hash = key.hash
        let capacity = capacity
        let part = locks[hash & 15].shelf.withLock { shelf -> Part? in
            if let part = shelf.recent[hash] { return part }
            guard let part = shelf.older.removeValue(forKey: hash) else { return nil }
            shelf.put(part, at: hash, capacity: capacity)
            return part
        }
        guard let part, part.keyCount == key.count, key.begins(part.bytes) else { return nil }
        return part
    }

    /// Keeps a part, unless it alone would take an eighth of a lock's room.
    func keep(_ part: Part, at hash: Int) {
        guard part.size <= capacity / 8 else { return }
        let capacity = capacity
        locks[hash & 15].shelf.withLock { $0.put(part, at: hash, capacity: capacity) }
    }

    /// All kept parts, for tests.
    var parts: [Part] { locks.flatMap { $0.shelf.withLock { Array($0.recent.values) + Array($0.older.values) } } }

    #if DEBUG
        private let checked = Mutex<(count: Int, different: [String])>((0, []))

        /// How often a kept part was used. Debug builds draw it again each time, and compare.
        public var uses: Int { checked.withLock(\.count) }
        /// The templates of parts that came out differently. If there is any, an input is missing from a key, or the
        /// template reads something that isn't an input.
        public var differences: [String] { checked.withLock(\.different) }

        func check(_ name: String, isSame: Bool) {
            checked.withLock {
                $0.count += 1
                if !isSame { $0.different.append(name) }
            }
        }
    #endif
}

// MARK: - Keys

/// A value from which a kept part is drawn.
public protocol PartInput {
    /// Adds each stored property to the key, in the order of declaration. Debug builds end the process if one is
    /// missing.
    func add(to key: inout PartKey)
}

/// An input that adds only its name to the key, because a site has one input with that name.
public protocol NamedInput: PartInput {}

/// Everything that a part is drawn from, as bytes: the template's name, and each input. Different inputs have different
/// bytes.
///
/// Strings are compared by their bytes: to Swift's `==`, é equals e with an accent, but the pages would differ.
public struct PartKey: ~Copyable {
    /// Allocated when the first input is added, because most buffers draw no kept part.
    @usableFromInline var bytes = UnsafeMutablePointer<UInt8>(bitPattern: 1)!
    @usableFromInline var count = 0
    @usableFromInline var capacity = 0
    /// The language and country for values that each writes in its own way.
    public let locale: String

    /// An empty key.
    public init(locale: String) { self.locale = locale }

    deinit { if capacity > 0 { bytes.deallocate() } }

    mutating func begin(_ name: StaticString) {
        count = 0
        add(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        add(bytesOf: UInt8(0))
    }

    /// Adds an input.
    @inlinable
    public mutating func add(_ input: some PartInput) {
        let start = count
        input.add(to: &self)
        assert(isWhole(input, from: start), "\(type(of: input)) leaves a property out of its key")
    }

    /// Adds the bytes of a plain number.
    @inlinable
    public mutating func add<Number: BitwiseCopyable>(bytesOf number: Number) {
        reserve(MemoryLayout<Number>.size)
        UnsafeMutableRawPointer(bytes + count).storeBytes(of: number, as: Number.self)
        count += MemoryLayout<Number>.size
    }

    @inlinable
    mutating func add(_ other: UnsafeBufferPointer<UInt8>) {
        guard let start = other.baseAddress else { return }
        reserve(other.count)
        (bytes + count).initialize(from: start, count: other.count)
        count += other.count
    }

    @inlinable
    mutating func reserve(_ extra: Int) {
        if capacity - count < extra { grow(extra) }
    }

    @usableFromInline
    mutating func grow(_ extra: Int) {
        let larger = max(1_024, capacity * 2, count + extra)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.initialize(from: bytes, count: count)
        if capacity > 0 { bytes.deallocate() }
        bytes = moved
        capacity = larger
    }

    /// The place where a part is looked for. Parts with the same hash replace each other.
    var hash: Int {
        var hash = UInt64(count)
        _ = eachWord { _, word in
            hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash &>> 32
            return true
        }
        return Int(truncatingIfNeeded: hash)
    }

    /// Whether the key begins `other`, which isn't shorter.
    func begins(_ other: [UInt8]) -> Bool {
        other.withUnsafeBytes { other in
            eachWord { offset, word in
                guard count &- offset >= 8 else { return word == Self.word(other[offset..<count]) }
                return word == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            }
        }
    }

    /// Passes eight bytes at a time to `body`, and the last ones in a word of their own, until it returns false.
    @inline(__always)
    private func eachWord(_ body: (_ offset: Int, _ word: UInt64) -> Bool) -> Bool {
        let raw = UnsafeRawBufferPointer(start: bytes, count: count)
        var offset = 0
        while offset &+ 8 <= count {
            guard body(offset, raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) else { return false }
            offset &+= 8
        }
        return offset == count || body(offset, Self.word(raw[offset...]))
    }

    private static func word(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Whether `input` added each of its stored properties.
    @usableFromInline
    func isWhole(_ input: some PartInput, from start: Int) -> Bool {
        let mirror = Mirror(reflecting: input)
        guard mirror.displayStyle == .struct, !mirror.children.isEmpty, !(input is any NamedInput) else { return true }
        var key = PartKey(locale: locale)
        for child in mirror.children {
            guard let child = child.value as? any PartInput else { return false }
            child.add(to: &key)
        }
        return UnsafeBufferPointer(start: key.bytes, count: key.count)
            .elementsEqual(UnsafeBufferPointer(start: bytes + start, count: count - start))
    }
}

extension String: PartInput {
    @inlinable
    public func add(to key: inout PartKey) {
        key.add(bytesOf: utf8.count)
        let isDone: Void? = utf8.withContiguousStorageIfAvailable { key.add($0) }
        if isDone == nil { ContiguousArray(utf8).withUnsafeBufferPointer { key.add($0) } }
    }
}

extension Int: PartInput {
    @inlinable
    public func add(to key: inout PartKey) { key.add(bytesOf: self) }
}

extension Int64: PartInput {
    @inlinable
    public func add(to key: inout PartKey) { key.add(bytesOf: self) }
}

extension Double: PartInput {
    @inlinable
    public func add(to key: inout PartKey) { key.add(bytesOf: bitPattern) }
}

extension Bool: PartInput {
    @inlinable
    public func add(to key: inout PartKey) { key.add(bytesOf: self) }
}

extension Optional: PartInput where Wrapped: PartInput {
    @inlinable
    public func add(to key: inout PartKey) {
        key.add(bytesOf: self != nil)
        if let self { key.add(self) }
    }
}

extension Array: PartInput where Element: PartInput {
    @inlinable
    public func add(to key: inout PartKey) {
        key.add(bytesOf: count)
        for element in self { key.add(element) }
    }
}

extension PartInput where Self: RawRepresentable, RawValue: PartInput {
    @inlinable
    public func add(to key: inout PartKey) { key.add(rawValue) }
}

// MARK: - Drawing

extension HTMLBuffer {
    /// A part that is being drawn.
    public struct Part {
        let start: Int
        /// Its key, and the key's hash; nil if it isn't to be kept.
        var key: (bytes: [UInt8], hash: Int)?
        /// In a debug build, what it must come out as.
        var expected: Drawn.Part?
    }

    /// Begins a kept part; generated code then draws it and calls ``keep(_:)``.
    ///
    /// - Parameters:
    ///   - name: The name of the template.
    ///   - mayBeKept: Whether these inputs may stay in memory.
    ///   - inputs: Adds everything that the template can see.
    /// - Returns: Nil if the part was kept before; then its markup has been added.
    @inlinable
    public mutating func part(
        _ name: StaticString, where mayBeKept: Bool = true, _ inputs: (inout PartKey) -> Void
    ) -> Part? {
        guard let drawn, mayBeKept else { return unkept }
        begin(name)
        inputs(&key)
        return find(in: drawn)
    }

    @usableFromInline var unkept: Part { Part(start: count) }

    @usableFromInline
    mutating func begin(_ name: StaticString) { key.begin(name) }

    @usableFromInline
    mutating func find(in drawn: Drawn) -> Part? {
        guard let kept = drawn.part(for: key) else {
            return Part(start: count, key: (Array(UnsafeBufferPointer(start: key.bytes, count: key.count)), key.hash))
        }
        #if DEBUG
            return Part(start: count, expected: kept)
        #else
            append(kept)
            return nil
        #endif
    }

    private mutating func append(_ part: Drawn.Part) {
        part.bytes.withUnsafeBufferPointer { bytes in
            if let start = bytes.baseAddress { append(start + part.keyCount, bytes.count - part.keyCount) }
        }
    }

    /// Ends a part, and keeps it.
    public mutating func keep(_ part: Part) {
        #if DEBUG
            if let expected = part.expected {
                let markup = UnsafeBufferPointer(start: bytes + part.start, count: count - part.start)
                drawn?.check(
                    String(decoding: expected.bytes.prefix { $0 != 0 }, as: UTF8.self),
                    isSame: markup.elementsEqual(expected.bytes[expected.keyCount...]))
                // As in a release build.
                count = part.start
                return append(expected)
            }
        #endif
        guard let drawn, let key = part.key else { return }
        var bytes = key.bytes
        bytes.append(contentsOf: UnsafeBufferPointer(start: self.bytes + part.start, count: count - part.start))
        drawn.keep(Drawn.Part(bytes: bytes, keyCount: key.bytes.count), at: key.hash)
    }
}
