import Forms
import Templating

/// What the site is called and says of itself, and its color, as an admin decides it: the town's own face.
struct Face: Sendable, Equatable {
    /// In place of Village.
    var name = ""
    /// At the foot of every page, in place of “run by neighbors, for neighbors”.
    var slogan = ""
    /// The start page's first words to somebody who isn't logged in.
    var greeting = ""
    /// What stands below them.
    var lead = ""
    /// That of links and buttons.
    var colors: HouseColors?
    /// In place of the mark beside the name.
    var logo: Logo?
}

/// A picture of the site's own that everybody sees.
struct Logo: FormValue, Sendable, Equatable {
    /// Of the file that was uploaded: SHA-256 in hexadecimal.
    let hash: String
    /// Pixels of the largest size.
    let width, height: Int

    init(_ picture: Picture) { (hash, width, height) = (picture.hash, picture.width, picture.height) }

    /// `hash-640x480`.
    init?(typed: String) {
        let parts = typed.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 64, parts[0].allSatisfy(\.isHexDigit) else { return nil }
        let size = parts[1].split(separator: "x", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard size.count == 2, size.allSatisfy((1...Picture.Size.full.edge).contains) else { return nil }
        (hash, width, height) = (String(parts[0]), size[0], size[1])
    }

    var typed: String { "\(hash)-\(width)x\(height)" }

    var link: Link { Link("/media") / hash / "\(Picture.Size.thumb.rawValue).webp" }
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
            .hint("In place of Village: on every page, in letters, on the home screen of a phone."),
        .text("slogan", \.slogan, "At the foot of every page", 3...80).autocomplete("off")
            .hint("In place of: run by neighbors, for neighbors."),
        .text("greeting", \.greeting, "First words of the start page", 3...80).autocomplete("off")
            .hint("In place of: It takes a village. Here is yours."),
        .area("lead", \.lead, "Below them", 3...400)
            .hint("A sentence or two on what the site is for, in the language of the site."),
        .text("color", \.color, "Color of links and buttons", 3...9).autocomplete("off")
            .hint("Six digits such as #1c6b57, as your website or your printer has them."),
        .file(logoFile, "Logo", accept: "image/*")
            .hint("Beside the name, as high as a line of it or two. On dark pages it has a light ground."),
        .hidden("logo", \.logo), .checkbox("logo_off", \.isLogoOff, "Take the logo away"),
    ]

    init() {}

    init(_ face: Face) {
        func text(_ text: String) -> String? { text.isEmpty ? nil : text }
        (name, slogan) = (text(face.name), text(face.slogan))
        (greeting, lead) = (text(face.greeting), text(face.lead))
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
            Words in \(chosen.css, as: "color") would be hard to read: take a darker color. The nearest is \
            \(HouseColors.nearest(to: chosen).css, as: "darker").
            """)
    }

    var value: Face {
        Face(
            name: name ?? "", slogan: slogan ?? "", greeting: greeting ?? "", lead: lead ?? "",
            colors: color.flatMap(Color.init).flatMap(HouseColors.init), logo: isLogoOff ? nil : logo)
    }
}

/// What the town has to say in its own words: its rules, its terms, who answers for the site.
struct OwnPages: Sendable, Equatable {
    /// How people treat each other here, one rule after the other. Staff name them when they decide.
    var rules: [String] = []
    var terms = ""
    /// The name and address of those who answer for the site in law.
    var imprint = ""

    /// How many rules anybody would read.
    static let mostRules = 20

    /// Whether somebody who signs up agrees to something.
    var areAgreedTo: Bool { !rules.isEmpty || !terms.isEmpty }

    var isEmpty: Bool { !areAgreedTo && imprint.isEmpty }

    /// The rules to choose from, for a decision that names one.
    var choices: [Choice] { rules.map { Choice($0, Words(verbatim: $0)) } }
}

/// `/admin/pages`.
struct OwnPagesForm: Form {
    var rules: String?
    var terms: String?
    var imprint: String?

    static let fields: [Field<OwnPagesForm>] = [
        .area("rules", \.rules, "House rules", 3...6_000)
            .hint("One a line, twenty at most. New members agree to them, and moderators can name one."),
        .area("terms", \.terms, "Terms of use", 3...20_000)
            .hint("If your organization has any. New members agree to them."),
        .area("imprint", \.imprint, "Imprint", 3...4_000)
            .hint("Who answers for this site, with a postal address, where the law asks for it."),
    ]

    init() {}

    init(_ pages: OwnPages) {
        rules = pages.rules.isEmpty ? nil : pages.rules.joined(separator: "\n")
        terms = pages.terms.isEmpty ? nil : pages.terms
        imprint = pages.imprint.isEmpty ? nil : pages.imprint
    }

    func check(_ submission: inout Submission<OwnPagesForm>) {
        guard submission.accepts(\.rules) else { return }
        let rules = Self.lines(rules)
        if rules.count > OwnPages.mostRules {
            submission.reject(\.rules, "These are more than \(OwnPages.mostRules, as: "number") rules.")
        } else if let long = rules.first(where: { $0.count > 300 }) {
            submission.reject(
                \.rules, "“\(String(long.prefix(30)), as: "rule") …” is too long for a rule: 300 characters at most.")
        }
    }

    /// The lines of a text, each once, without numbers in front of them: the list has its own.
    private static func lines(_ text: String?) -> [String] {
        (text ?? "").split(whereSeparator: \.isNewline).map { line in
            let words = line.split(whereSeparator: \.isWhitespace)
            let isNumbered =
                words.count > 1 && words[0].last.map { ".)".contains($0) } == true
                && words[0].dropLast().allSatisfy(\.isWholeNumber)
            return words.dropFirst(isNumbered ? 1 : 0).joined(separator: " ")
        }.reduce(into: []) { if !$1.isEmpty, !$0.contains($1) { $0.append($1) } }
    }

    var value: OwnPages { OwnPages(rules: Self.lines(rules), terms: terms ?? "", imprint: imprint ?? "") }
}
