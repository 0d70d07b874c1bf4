/// The drawing that stands in for a picture, chosen by what the event is about.
enum Poster: String, Sendable, CaseIterable {
    case kite, books, paint, leaf, ball, music, swim, science, cook, theatre, robot, animals, blocks, dance, camp, party
}

extension Event {
    var poster: Poster { Poster(about: [title] + tags) }
}

extension Poster {
    /// The motif for these words: the first that one of them begins with; else a party.
    init(about texts: [String]) {
        let words = texts.flatMap { folded($0).split(separator: " ") }
        self =
            Self.keywords.first { _, stems in stems.contains { stem in words.contains { $0.hasPrefix(stem) } } }?.0
            ?? .party
    }

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
