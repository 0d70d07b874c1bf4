extension [String] {
    /// One after the other as one says it: `Mo, Lu and Vy`.
    var listed: String {
        count < 2 ? first ?? "" : dropLast().joined(separator: ", ") + " and " + self[count - 1]
    }
}
