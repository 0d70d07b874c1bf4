/// The names of the fields of a picture: a hidden one that names a stored picture, and those that are named after it.
public struct PictureNames: Sendable {
    /// The hidden field.
    public let stored: String
    /// The file that replaces it.
    public var file: String { "\(stored)_file" }
    /// The checkbox that removes it.
    public var removal: String { "\(stored)_off" }

    public init(_ stored: String) { self.stored = stored }
}
