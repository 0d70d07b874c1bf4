/// The site's one vocabulary of tags: lower case, in everybody's words.
enum Tag {
    /// The tags in a text with commas between, in lower case, each once, in order.
    static func list(_ typed: String) -> [String] {
        var seen: Set<String> = []
        // By code points: a blank and a mark behind it are one character, and would vanish the next time.
        return typed.unicodeScalars.split(separator: ",")
            .map { tag in
                tag.split(whereSeparator: \.properties.isWhitespace).map { String($0) }.joined(separator: " ")
                    .lowercased()
            }
            .filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}
