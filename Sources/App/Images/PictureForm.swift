import Forms

/// A picture that is uploaded on its own, and its description.
struct PictureForm: Form {
    var alt: String?

    static let fields: [Field<PictureForm>] = [
        .file("image", "Picture", accept: "image/*", isRequired: true),
        .text("alt", \.alt, "What does the picture show?", 1...Picture.altLimit),
    ]
}

extension Picture {
    /// The nine parts of a picture, row by row.
    static let focusChoices: [Choice] = [
        Choice(1, "Top left"), Choice(2, "Top"), Choice(3, "Top right"), Choice(4, "Left"), Choice(5, "Middle"),
        Choice(6, "Right"), Choice(7, "Bottom left"), Choice(8, "Bottom"), Choice(9, "Bottom right"),
    ]
}
