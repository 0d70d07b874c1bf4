import Forms

/// A form that one picture goes with: it comes with the form as a file, or is here already and named by it.
///
/// The fields are called after ``pictureName``: a hidden one so, and those for the file, for what it shows and for
/// taking it off with `_file`, `_alt` and `_off` behind.
protocol PicturedForm: Form {
    /// The picture that goes with it.
    var picture: ID<Picture>? { get set }
    /// What it shows.
    var pictureAlt: String? { get set }
    /// Whether it comes off again.
    var isPictureOff: Bool { get set }
    /// What the field is called that names it.
    static var pictureName: String { get }
    /// All that taking it off empties, by the names of the fields.
    static var pictureFields: [String] { get }
    /// Takes it off, with all that is said of it.
    mutating func dropPicture()
    /// The picture as this form describes it.
    func described(_ picture: Picture) -> Picture
}

extension PicturedForm {
    /// What the field for the file is called.
    static var pictureFile: String { "\(pictureName)_file" }

    func described(_ picture: Picture) -> Picture {
        var picture = picture
        picture.alt = pictureAlt ?? ""
        return picture
    }
}
