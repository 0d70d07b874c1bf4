import Forms

/// A form with one picture, which is uploaded with the form, or exists already and is named by it.
protocol PicturedForm: Form {
    /// The existing picture.
    var picture: ID<Picture>? { get set }
    /// The picture's description.
    var pictureAlt: String? { get set }
    /// Whether the picture is to be removed.
    var isPictureOff: Bool { get set }
    /// The names of its fields.
    static var pictureNames: PictureNames { get }
    /// The fields that removing the picture clears.
    static var pictureFields: [String] { get }
    /// Removes the picture and everything said about it.
    mutating func dropPicture()
    /// The picture with this form's description.
    func described(_ picture: Picture) -> Picture
}

extension PicturedForm {
    /// The name of the file field.
    static var pictureFile: String { pictureNames.file }

    /// The sent form, which names the stored picture if it uploads that once more: it was sent twice, and doesn't
    /// conflict with itself.
    static func sent(_ body: FormBody, onto picture: Picture?) -> FormBody {
        guard let picture, let file = body.file(pictureFile), Media.hash(of: file.bytes) == picture.hash else {
            return body
        }
        return body.naming(picture.id.description, in: pictureNames)
    }

    func described(_ picture: Picture) -> Picture {
        var picture = picture
        picture.alt = pictureAlt ?? ""
        return picture
    }
}
