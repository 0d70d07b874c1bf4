/// A drawing used in place of a picture, chosen by the event's topic.
enum Motif: String, Sendable, CaseIterable {
    case kite, books, paint, leaf, ball, music, swim, science, cook, theatre, robot, animals, blocks, dance, camp, party
}

extension Event {
    /// The drawing used in place of a picture.
    var motif: Motif { Motif(about: [title] + details.tags) }
}

extension Motif {
    /// The motif for these texts: the first in the table whose stem one of the words begins with; otherwise a party.
    ///
    /// A word's first letters are packed into a number and compared only with stems that have the same first letter.
    init(about texts: [String]) {
        var best = Self.keywords.count
        for var text in texts {
            text.withUTF8 { bytes in
                var word: UInt64 = 0
                var shift: UInt64 = 0
                for byte in bytes {
                    let letter = byte | 0x20
                    if letter &- 97 < 26 || byte >= 0x80 {
                        if shift < 64 { word |= UInt64(byte < 0x80 ? letter : byte) &<< shift }
                        shift += 8
                    } else if shift > 0 {
                        best = min(best, Self.rank(of: word))
                        (word, shift) = (0, 0)
                    }
                }
                if shift > 0 { best = min(best, Self.rank(of: word)) }
            }
        }
        self = best < Self.keywords.count ? Self.keywords[best].0 : .party
    }

    /// The index of the first stem that a word begins with; the table's length if there is none.
    private static func rank(of word: UInt64) -> Int {
        let first = Int(word & 0xFF) - 97
        guard (0..<26).contains(first) else { return keywords.count }
        return stems[first].first { word & $0.mask == $0.letters }?.rank ?? keywords.count
    }

    /// Up to eight letters as a number, the first letter in the lowest byte.
    private struct Stem {
        let letters: UInt64
        let mask: UInt64
        let rank: Int

        init(_ text: String, rank: Int) {
            precondition(text.utf8.count <= 8)
            letters = text.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
            mask = text.utf8.count == 8 ? .max : (1 << (8 * text.utf8.count)) - 1
            self.rank = rank
        }
    }

    /// The stems by first letter, a to z, in the order of the table.
    private static let stems: [[Stem]] = {
        var stems = [[Stem]](repeating: [], count: 26)
        for (rank, (_, words)) in keywords.enumerated() {
            for word in words { stems[Int(word.utf8.first!) - 97].append(Stem(word, rank: rank)) }
        }
        return stems
    }()

    private static let keywords: [(Motif, [String])] = [
        (.kite, ["kite", "wind", "drachen"]),
        (.swim, ["swim", "water", "pool", "splash"]),
        (.cook, ["cook", "bak", "bread", "kitchen", "pizza", "food"]),
        (.robot, ["robot", "cod", "comput", "scratch", "maker"]),
        (.science, ["scien", "experime", "star", "planet", "space", "chem", "lab", "microsco"]),
        (.theatre, ["theat", "puppet", "drama", "circus", "clown", "play", "magic"]),
        (.animals, ["animal", "pet", "dog", "cat", "horse", "farm", "zoo", "bird", "insect", "bug"]),
        (.dance, ["danc", "ballet", "hip"]),
        (.music, ["music", "sing", "song", "drum", "choir", "guitar", "piano"]),
        (.ball, ["ball", "football", "soccer", "basket", "sport", "tennis", "hockey", "game", "judo", "climb"]),
        (.camp, ["camp", "tent", "hik", "scout", "fire"]),
        (.leaf, ["leaf", "nature", "forest", "garden", "tree", "outdoor", "plant", "walk", "stone"]),
        (.blocks, ["block", "build", "lego", "wood", "toy", "train", "brick"]),
        (.paint, ["paint", "art", "craft", "draw", "clay", "color", "colour", "sew", "knit"]),
        (.books, ["book", "stor", "read", "library", "writ", "poem", "language"]),
    ]
}
