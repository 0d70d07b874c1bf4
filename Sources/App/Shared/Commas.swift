/// Separators that people type between the parts of a list, in any script: the comma on an Arabic keyboard is `،`.
extension Unicode.Scalar {
    var isComma: Bool { ",،、，".unicodeScalars.contains(self) }
}

extension Character {
    var isComma: Bool { unicodeScalars.first?.isComma ?? false }
    var isSemicolon: Bool { ";؛；".contains(self) }
}
