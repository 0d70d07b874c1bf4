import Domains
import Forms
import Templating

/// Which town the site is for and who runs it, as an admin writes it on `/admin/settings`.
struct Town: Sendable, Equatable {
    /// Such as San Jose; empty until somebody says so.
    var name = ""
    /// The people who run the site, such as “Volunteers of the King Library”.
    var host = ""
    var email = ""
    var phone = ""
    /// The contact for questions about data, where that is somebody else.
    var privacyEmail = ""
    /// Where pets can meet, in public.
    var meetingPlaces: [String] = []
    /// The websites that may show the events inside their own pages, as `https://library.example`.
    var embedders: [String] = []
    /// What counts in place of `VILLAGE_TIME_ZONE`.
    var zone: Zone?
    /// What counts in place of `VILLAGE_COUNTRY`.
    var country: String?
    /// What it reads: letters to those who chose nothing, and pages for a browser that asks for none of the others.
    /// English where nobody said so.
    var language: String?
    /// How one comes to have an account.
    var joining = Joining.open
    var face = Face()
    var pages = OwnPages()

    /// What the site is called, in a word or two.
    var shortName: String { face.name.isEmpty ? "Village" : face.name }
    /// The same with its town.
    var siteName: String { name.isEmpty ? shortName : "\(shortName) \(name)" }

    /// Places out of a text that has one a line, each once.
    static func places(_ text: String) -> [String] {
        let lines = text.split(whereSeparator: \.isNewline).map { line in
            line.prefix(120).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        return lines.reduce(into: []) { if !$1.isEmpty, !$0.contains($1) { $0.append($1) } }
    }

    /// How many websites may show the events.
    static let mostEmbedders = 20

    /// A website as browsers compare it: scheme, host and port, the host in ASCII; nil for a text that names none.
    static func origin(_ typed: String) -> String? {
        guard let url = OutsideLink.read(typed), let start = url.firstRange(of: "://") else { return nil }
        let parts = url[start.upperBound...].prefix { !"/?#".contains($0) }.split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let host = Punycode.domain(String(parts[0]))
        guard host.utf8.allSatisfy(isOfHost) else { return nil }
        guard parts.count > 1 else { return "\(url[..<start.lowerBound].lowercased())://\(host)" }
        guard let port = UInt16(parts[1]), port > 0 else { return nil }
        return "\(url[..<start.lowerBound].lowercased())://\(host):\(port)"
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// What stands at the foot of every page.
    var motto: Words {
        face.slogan.isEmpty
            ? "\(shortName, as: "name"): run by neighbors, for neighbors."
            : Words(verbatim: "\(shortName): \(face.slogan)")
    }

    /// What differs, by the names of the form's fields.
    func changes(since before: Town) -> [(field: String, was: String, became: String)] {
        func texts(_ town: Town) -> [(String, String)] {
            [
                ("town", town.name), ("time_zone", town.zone?.identifier ?? ""), ("country", town.country ?? ""),
                ("language", town.language ?? ""), ("contact_name", town.host), ("contact_email", town.email),
                ("contact_phone", town.phone), ("joining", town.joining.rawValue), ("privacy_email", town.privacyEmail),
                ("meeting_places", town.meetingPlaces.joined(separator: "; ")),
                ("embedders", town.embedders.joined(separator: "; ")), ("site_name", town.face.name),
                ("slogan", town.face.slogan), ("greeting", town.face.greeting), ("lead", town.face.lead),
                ("color", town.face.colors?.chosen.css ?? ""), (FaceForm.logoFile, town.face.logo?.typed ?? ""),
                ("rules", town.pages.rules.joined(separator: "\n")), ("terms", town.pages.terms),
                ("imprint", town.pages.imprint),
            ]
        }
        return zip(texts(before), texts(self)).compactMap { was, became in
            was.1 == became.1 ? nil : (became.0, was.1, became.1)
        }
    }

    /// What the form that changes something calls it, by the name of its field.
    static func label(of field: String) -> Words? {
        func label<F: Form>(in form: F.Type) -> Words? { form.fields.first { $0.name == field }?.label }
        return label(in: TownSettingsForm.self) ?? label(in: FaceForm.self) ?? label(in: OwnPagesForm.self)
    }

    /// Whether a visitor can reach anybody.
    var isReachable: Bool { !email.isEmpty || !phone.isEmpty }

    var emailLink: Link? { Link(writingTo: email) }
    /// The contact for questions about data.
    var privacyContact: String { privacyEmail.isEmpty ? email : privacyEmail }
    var privacyLink: Link? { Link(writingTo: privacyContact) }

    /// What the first admin still has to say, in the order of the form.
    struct Step: Sendable {
        let field: String
        let words: Words
        let why: Words
        let isDone: Bool
        /// Where it is done, other than in the settings.
        var page: Link?

        var link: Link { page ?? Link.townSettings.fragment(field) }
    }

    /// - Parameter hasLanguages: Whether there is more than one to choose from.
    func steps(hasLanguages: Bool) -> [Step] {
        let all = [
            Step(
                field: "town", words: "Name of the town", why: "It appears beside the site’s name on every page.",
                isDone: !name.isEmpty),
            Step(
                field: "time_zone", words: "Time zone", why: "Dates and times are those of its clock.",
                isDone: zone != nil),
            Step(
                field: "country", words: "Country", why: "It decides address forms and the currency.",
                isDone: country != nil),
            Step(
                field: "language", words: "Language of the site",
                why: "Letters are in it, and pages where a browser asks for no other.", isDone: language != nil),
            Step(
                field: "contact_email", words: "How people reach you",
                why: "People who forgot a password, or saw something wrong, have to find you.", isDone: isReachable),
            Step(
                field: "privacy_email", words: "Whom to ask about data",
                why: "Parents want to know before they write down a child.", isDone: !privacyEmail.isEmpty),
        ]
        return all.filter { hasLanguages || $0.field != "language" }
    }
}

/// `/admin/settings`.
struct TownSettingsForm: Form {
    var town = ""
    var host: String?
    var email: String?
    var phone: String?
    var privacyEmail: String?
    var zone = ""
    var country = ""
    var language = "en"
    var joining = Joining.open
    var meetingPlaces: String?
    var embedders: String?

    static let fields: [Field<TownSettingsForm>] = [
        .text("town", \.town, "Name of the town", 1...60).autocomplete("off")
            .hint("Or of the community: it stands beside the site’s name on every page.").missing(
                "Give the name of the town."),
        .text("time_zone", \.zone, "Time zone", 1...60).autocomplete("off").suggestions(Zone.usual)
            .hint(
                """
                Such as America/Los_Angeles. New events on the web, and where nobody knows better, go by its clock; \
                those that are posted keep theirs.
                """
            )
            .missing("Give the time zone."),
        .choice("country", \.country, "Country", options: Country.choices)
            .hint("Preset in address forms; it decides the currency of prices."),
        .choice("language", \.language, "Language of the site")
            .hint("Letters to people who chose none are in it, and pages where a browser asks for no other."),
        .text("contact_name", \.host, "Who runs this site", 1...100).autocomplete("off")
            .hint("Such as: volunteers of the King Library."),
        .email("contact_email", \.email, "E-mail address for visitors").autocomplete("off")
            .hint("Everybody sees it, under About, Help and Privacy."),
        .text("contact_phone", \.phone, "Phone for visitors", 5...30).drawn(as: .telephone).autocomplete("off")
            .hint("Everybody sees it too."),
        .choice(
            "joining", \.joining, "Who can sign up",
            options: Joining.allCases.map { Choice($0, $0.name, detail: $0.hint) }
        ).drawn(as: .radios).missing("Say who can sign up."),
        .email("privacy_email", \.privacyEmail, "E-mail address for questions about data").autocomplete("off")
            .hint("It may be the same one."),
        .area("meeting_places", \.meetingPlaces, "Where pets can meet", 3...2_000)
            .hint("Public places, one a line, such as: the lawn behind King Library."),
        .area("embedders", \.embedders, "Websites that may show the events", 3...2_000)
            .hint(
                """
                Each as the browser shows it, such as www.library.example. Their pages can then hold the list of \
                events.
                """),
    ]

    init() {}

    /// What is in force now, to be changed.
    init(_ town: Town, zone: Zone, country: String, language: String) {
        self.town = town.name
        host = Self.text(town.host)
        email = Self.text(town.email)
        phone = Self.text(town.phone)
        privacyEmail = Self.text(town.privacyEmail)
        self.zone = zone.identifier
        self.country = country
        self.language = language
        joining = town.joining
        meetingPlaces = Self.text(town.meetingPlaces.joined(separator: "\n"))
        embedders = Self.text(town.embedders.joined(separator: "\n"))
    }

    private static func text(_ text: String) -> String? { text.isEmpty ? nil : text }

    /// What stands on lines of its own, or between commas.
    private static func websites(_ typed: String?) -> [String] {
        Town.places((typed ?? "").replacing(/[,;]/, with: "\n"))
    }

    func check(_ submission: inout Submission<TownSettingsForm>) {
        if submission.accepts(\.zone), Zone(typed: zone) == nil {
            submission.reject(\.zone, "Write the time zone like America/Los_Angeles.")
        }
        let websites = Self.websites(embedders)
        if submission.accepts(\.embedders) {
            if let other = websites.first(where: { Town.origin($0) == nil }) {
                submission.reject(
                    \.embedders, "“\(other, as: "website")” is no website. Write it like library.example.")
            } else if websites.count > Town.mostEmbedders {
                submission.reject(\.embedders, "These are more than \(Town.mostEmbedders, as: "number") websites.")
            }
        }
        if email == nil, phone == nil {
            submission.reject(\.email, "Give an e-mail address or a phone, so that people can reach you.")
        }
    }

    /// Writes it into what else is known of the town.
    func apply(to site: inout Town) {
        (site.name, site.host) = (town, host ?? "")
        (site.email, site.phone, site.privacyEmail) = (email ?? "", phone ?? "", privacyEmail ?? "")
        site.meetingPlaces = Town.places(meetingPlaces ?? "")
        site.embedders = Self.websites(embedders).compactMap(Town.origin).reduce(into: []) { origins, origin in
            if !origins.contains(origin) { origins.append(origin) }
        }
        (site.zone, site.country, site.language, site.joining) = (Zone(typed: zone), country, language, joining)
    }
}
