/// The drawing that stands in for a picture, chosen by what the event is about.
enum Poster: String, Sendable, CaseIterable {
    case kite, books, paint, leaf, ball, music, swim, science, cook, theatre, robot, animals, blocks, dance, camp, party
}

extension Event {
    var poster: Poster { Poster(about: [title] + tags) }
}

extension Poster {
    /// The motif for these words: the first in the table that one of them begins with; else a party.
    ///
    /// Every card of every list asks this, so a word meets only the stems of its own letter.
    init(about texts: [String]) {
        var best = Self.keywords.count
        for var text in texts {
            text.withUTF8 { bytes in
                var isInWord = false
                for (place, byte) in bytes.enumerated() {
                    let letter = byte | 0x20
                    let isLetter = (97...122).contains(letter) || byte >= 0x80
                    if isLetter, !isInWord, byte < 0x80 {
                        for stem in Self.stems[Int(letter) - 97] where stem.rank < best && stem.begins(bytes[place...])
                        {
                            best = stem.rank
                        }
                    }
                    isInWord = isLetter
                }
            }
        }
        self = best < Self.keywords.count ? Self.keywords[best].0 : .party
    }

    private struct Stem {
        let letters: [UInt8]
        let rank: Int

        /// Whether the text goes on with these letters, in any case.
        func begins(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
            text.count >= letters.count && zip(text, letters).allSatisfy { $0 | 0x20 == $1 }
        }
    }

    /// The stems by their first letter, a to z.
    private static let stems: [[Stem]] = {
        var stems = [[Stem]](repeating: [], count: 26)
        for (rank, (_, words)) in keywords.enumerated() {
            for word in words { stems[Int(word.utf8.first!) - 97].append(Stem(letters: Array(word.utf8), rank: rank)) }
        }
        return stems
    }()

    private static let keywords: [(Poster, [String])] = [
        (.kite, ["kite", "wind", "drachen"]),
        (.swim, ["swim", "water", "pool", "splash"]),
        (.cook, ["cook", "bak", "bread", "kitchen", "pizza", "food"]),
        (.robot, ["robot", "cod", "computer", "comput", "scratch", "maker"]),
        (.science, ["scien", "experiment", "star", "planet", "space", "chem", "lab", "microscop"]),
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
