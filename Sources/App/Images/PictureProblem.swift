import Forms

/// The reasons why a picture is refused, with messages that say what to do.
enum PictureProblem: Error, Equatable {
    case missing, empty, tooLarge, drawing, otherKind, broken
    case tooManyPixels(width: Int, height: Int)
    /// The picture that the form names is gone, or isn't this visitor's.
    case gone
    /// Too many pictures are waiting.
    case busy
    /// This account uploaded too many.
    case tooMany(wait: Duration)
    /// The tools that make the sizes are missing or failed.
    case unavailable

    var words: Words {
        switch self {
        case .missing: "Choose a picture first."
        case .empty: "This file is empty. Choose another one."
        case .tooLarge: "This picture is larger than 10 MB. Make it smaller, or choose another one."
        case .tooManyPixels(let width, let height):
            """
            This picture has \(width, as: "width") by \(height, as: "height") pixels, and 50 million are the most. \
            Make it smaller, or choose another one.
            """
        case .drawing: "This is an SVG drawing. Save it as a PNG, and choose that."
        case .otherKind: "This isn’t a picture we can read. Choose a JPEG, PNG, WebP, GIF or HEIC file."
        case .broken: "This picture is damaged or incomplete. Choose it again, or another one."
        case .gone: "This picture is no longer here. Choose it again."
        case .busy: "Many pictures are coming in right now. Choose it again in a moment."
        case .tooMany(let wait): "You sent many pictures in a short time. Try again in \(wait.inWords, as: "time")."
        case .unavailable: "Pictures can’t be taken right now. Go on without one and add it later."
        }
    }
}
