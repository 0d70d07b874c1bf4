import Synchronization
import Templating
import Testing

@testable import TemplatePages
@testable import Templating

/// Parts that are kept and used again: always what would be drawn anew.
@Suite struct DrawnTests {
    private static let spanish = Catalogue(
        parsing: """
            msgid ""
            msgstr "Language: es\\n"

            msgid "Hello {name}"
            msgstr "Hola, {name}"
            """)

    private func size(of drawn: Drawn) -> Int { drawn.parts.reduce(0) { $0 + $1.size } }

    private func string(_ view: View<Frame>, in frame: Frame) -> String {
        String(decoding: view.bytes(in: frame), as: UTF8.self)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `whatever was kept before, a page is what it would be drawn anew, byte for byte`(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        // Two times the same é to Swift, and other bytes; and texts that run into each other.
        let all = ["", "a", "ab", "b", "caf\u{E9}", "cafe\u{301}", "<i>", "שלום", "\u{0}", "1"]
        let words = all.shuffled(using: &random).prefix(3)
        let drawn = Drawn(capacity: 200_000)
        for _ in 0..<300 {
            let notes = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                Note(
                    title: words.randomElement(using: &random)!,
                    tags: (0..<Int.random(in: 0...1, using: &random)).map { _ in words.randomElement(using: &random)! },
                    size: [nil, 0, 1_204].randomElement(using: &random)!,
                    isSecret: Int.random(in: 0..<8, using: &random) == 0)
            }
            let name = words.randomElement(using: &random)!
            // Parts alone, and parts within parts.
            let view =
                Bool.random(using: &random)
                ? Templates.notes(notes: notes, name: name) : Templates.nested(notes: notes, name: name)
            var frame = Frame(
                catalogue: Bool.random(using: &random) ? Self.spanish : nil, day: Int.random(in: 1...2, using: &random))
            let anew = view.bytes(in: frame)
            frame.drawn = drawn
            #expect(view.bytes(in: frame) == anew)
        }
        #expect(drawn.differences.isEmpty && drawn.uses > 100)
    }

    @Test func `a template that reads what isn't in its key is found out`() {
        let drawn = Drawn(capacity: 200_000)
        let view = Templates.careless(note: Note(title: "Kites"))
        let first = string(view, in: Frame(drawn: drawn))
        #expect(string(view, in: Frame(drawn: drawn)) == first && drawn.differences.isEmpty)
        Outside.number.store(1, ordering: .relaxed)
        #expect(string(view, in: Frame(drawn: drawn)) == first)
        #expect(drawn.differences == ["parts/_careless"])
    }

    @Test func `a value whose key leaves out a property is found out`() {
        struct Forgetful: PartInput {
            var title = "Kites"
            var size = 1

            func add(to key: inout PartKey) { key.add(title) }
        }
        struct Unsorted: PartInput {
            var title = "Kites"
            var size = 1

            func add(to key: inout PartKey) {
                key.add(size)
                key.add(title)
            }
        }
        struct Holder: PartInput {
            var number = 1.5 as Float

            func add(to key: inout PartKey) {}
        }
        func isWhole(_ input: some PartInput) -> Bool {
            var key = PartKey(locale: "en")
            input.add(to: &key)
            return key.isWhole(input, from: 0)
        }
        #expect(isWhole(Note(title: "Kites", tags: ["a"], size: nil)))
        #expect(!isWhole(Forgetful()) && !isWhole(Unsorted()) && !isWhole(Holder()))
    }

    @Test func `no two values have the same bytes`() {
        func bytes(_ inputs: any PartInput...) -> [UInt8] {
            var key = PartKey(locale: "en")
            for input in inputs { input.add(to: &key) }
            let bytes = Array(UnsafeBufferPointer(start: key.bytes, count: key.count))
            // A key is compared eight bytes at a time, and each of them counts.
            let isFound = key.begins(bytes + [0])
            #expect(isFound)
            for place in bytes.indices.suffix(20) {
                var other = bytes
                other[place] ^= 1
                let isMistaken = key.begins(other)
                #expect(!isMistaken)
            }
            return bytes
        }
        #expect(bytes("ab", "c") != bytes("a", "bc"))
        #expect(bytes("caf\u{E9}") != bytes("cafe\u{301}"))
        #expect(bytes(String?.none) != bytes(String?.some("")))
        #expect(bytes(["a"], [String]()) != bytes([String](), ["a"]))
        #expect(bytes(0.0) != bytes(-0.0))
        // Longer than the key's first room.
        let long = String(repeating: "x", count: 5_000)
        #expect(bytes(long, 1) == bytes(long, 1) && bytes(long, 1) != bytes(long, 2))
    }

    @Test func `nothing stays that must not, and no more than there is room for`() {
        let drawn = Drawn(capacity: 64_000)
        let frame = Frame(drawn: drawn)
        _ = Templates.notes(notes: [Note(title: "secret", isSecret: true)], name: "").bytes(in: frame)
        #expect(size(of: drawn) == 0)
        for number in 0..<5_000 {
            _ = Templates.notes(notes: [Note(title: "number \(number)")], name: "").bytes(in: frame)
            #expect(size(of: drawn) <= 64_000)
        }
        #expect(size(of: drawn) > 20_000)
        let before = size(of: drawn)
        let large = Note(title: String(repeating: "x", count: 10_000))
        _ = Templates.notes(notes: [large], name: "").bytes(in: frame)
        #expect(size(of: drawn) == before)
        let none = Drawn(capacity: 0)
        _ = Templates.notes(notes: [Note(title: "a")], name: "").bytes(in: Frame(drawn: none))
        #expect(size(of: none) == 0)
    }

    @Test func `many threads share it`() async {
        let drawn = Drawn(capacity: 64_000)
        let isRight = await withTaskGroup(of: Bool.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    (0..<500).allSatisfy { turn in
                        let notes = (0..<4).map { Note(title: "number \((turn &* 7 &+ $0 &* thread) % 90)") }
                        let view = Templates.notes(notes: notes, name: "Mia")
                        return view.bytes(in: Frame(drawn: drawn)) == view.bytes(in: Frame())
                    }
                }
            }
            return await group.allSatisfy(\.self)
        }
        #expect(isRight && drawn.differences.isEmpty)
    }
}
