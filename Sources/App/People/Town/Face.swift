import Forms
import Templating

/// The town's own name, texts and color for the site, set by an admin.
struct Face: Sendable, Equatable {
    /// Replaces Village.
    var name = ""
    /// At the bottom of every page; replaces “run by neighbors, for neighbors”.
    var slogan = ""
    /// The start page's heading for visitors who aren't logged in.
    var greeting = ""
    /// The text below it.
    var lead = ""
    /// The color of links and buttons.
    var colors: HouseColors?
    /// Replaces the mark beside the name.
    var logo: Logo?
}

/// `/admin/face`.
struct FaceForm: Form {
    var name: String?
    var slogan: String?
    var greeting: String?
    var lead: String?
    var color: String?
    var logo: Logo?
    var isLogoOff = false

    static let logoFile = "logo_file"

    static let fields: [Field<FaceForm>] = [
        .text("site_name", \.name, "Name of the site", 2...30).autocomplete("off")
            .hint("Replaces “Village” on every page, in letters and on phones’ home screens."),
        .text("slogan", \.slogan, "Line at the foot of every page", 3...80).autocomplete("off")
            .hint("Replaces “run by neighbors, for neighbors.”"),
        .text("greeting", \.greeting, "Headline of the start page", 3...80).autocomplete("off")
            .hint("Replaces “It takes a village. Here is yours.”"),
        .area("lead", \.lead, "Text below the headline", 3...400)
            .hint("A sentence or two on what the site is for, in the language of the site."),
        .text("color", \.color, "Color of links and buttons", 3...9).autocomplete("off")
            .hint("Six digits, such as #1c6b57. Your website or print shop can tell you."),
        .file(logoFile, "Logo", accept: "image/*")
            .hint("Shown beside the name, at most two lines high; on dark pages with a light background."),
        .hidden("logo", \.logo), .checkbox("logo_off", \.isLogoOff, "Remove the logo"),
    ]

    init() {}

    init(_ face: Face) {
        (name, slogan) = (face.name.nonEmpty, face.slogan.nonEmpty)
        (greeting, lead) = (face.greeting.nonEmpty, face.lead.nonEmpty)
        color = face.colors?.chosen.css
        logo = face.logo
    }

    func check(_ submission: inout Submission<FaceForm>) {
        guard let color, submission.accepts(\.color) else { return }
        guard let chosen = Color(color) else {
            return submission.reject(\.color, "Write the color with six digits, such as #1c6b57.")
        }
        guard HouseColors(chosen) == nil else { return }
        submission.reject(
            \.color,
            """
            Text in \(chosen.css, as: "color") would be hard to read. Choose a darker color; the nearest is \
            \(HouseColors.nearest(to: chosen).css, as: "darker").
            """)
    }

    var value: Face {
        Face(
            name: name ?? "", slogan: slogan ?? "", greeting: greeting ?? "", lead: lead ?? "",
            colors: color.flatMap(Color.init).flatMap(HouseColors.init), logo: isLogoOff ? nil : logo)
    }
}
