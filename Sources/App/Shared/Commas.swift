/// What people put between the parts of a list, whatever the script they write: a comma on an Arabic keyboard is `،`.
extension Unicode.Scalar {
    var isComma: Bool { ",،、，".unicodeScalars.contains(self) }
}

extension Character {
    var isComma: Bool { unicodeScalars.first?.isComma ?? false }
    var isSemicolon: Bool { ";؛；".contains(self) }
}
