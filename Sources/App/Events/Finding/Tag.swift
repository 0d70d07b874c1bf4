import Forms

/// The site's one vocabulary of tags: lower case, in everybody's words.
enum Tag {
    /// How long one may be.
    static let mostCharacters = 30

    /// The tags in a text with commas between, in lower case, each once, in order.
    static func list(_ typed: String) -> [String] {
        var seen: Set<String> = []
        // By code points: a comma and a mark behind it are one character.
        return typed.unicodeScalars.split(whereSeparator: \.isComma).map { Substring($0).squeezed.lowercased() }
            .filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}
