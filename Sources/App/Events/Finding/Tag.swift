import Forms

/// The site's common vocabulary of tags, in lowercase and in people's own words.
enum Tag {
    /// The longest tag.
    static let mostCharacters = 30

    /// Whether a tag isn't too long, in characters and in code points: a letter can have any number of marks.
    static func fits(_ tag: String) -> Bool {
        tag.count <= mostCharacters && tag.unicodeScalars.count <= 10 * mostCharacters
    }

    /// The tags in a comma-separated text, in lowercase, without duplicates, in order.
    static func list(_ typed: String) -> [String] {
        var seen: Set<String> = []
        // By code points: a comma and a combining mark after it are one character.
        return typed.unicodeScalars.split(whereSeparator: \.isComma).map { Substring($0).squeezed.lowercased() }
            .filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}
