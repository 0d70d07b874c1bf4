import Domains
import Forms
import Templating

/// The town and the operator of the site, set by an admin on `/admin/settings`.
struct Town: Sendable, Equatable {
    /// The town's name, such as San Jose; initially empty.
    var name = ""
    /// The operator, such as “Volunteers of the King Library”.
    var host = ""
    var email = ""
    var phone = ""
    /// The contact for privacy questions, if it is a different one.
    var privacyEmail = ""
    /// Public places where pets can meet.
    var meetingPlaces: [String] = []
    /// The websites that may embed the events, as `https://library.example`.
    var embedders: [String] = []
    /// The hosts from which organizations may import calendars, as `library.example`; empty allows only files.
    var calendarHosts: [String] = []
    /// Overrides `VILLAGE_TIME_ZONE`.
    var zone: Zone?
    /// Overrides `VILLAGE_COUNTRY`.
    var country: String?
    /// The default language, for letters to members without a choice, and for browsers that ask for none of the site's
    /// languages. English if nil.
    var language: String?
    /// The way to get an account.
    var joining = Joining.open
    var face = Face()
    var pages = OwnPages()

    /// The site's name, in a word or two.
    var shortName: String { face.name.isEmpty ? "Village" : face.name }
    /// The site's name with its town.
    var siteName: String { name.isEmpty ? shortName : "\(shortName) \(name)" }

    /// The places in a text with one per line, without duplicates.
    static func places(_ text: String) -> [String] {
        let lines = text.split(whereSeparator: \.isNewline).map { line in
            line.prefix(120).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        return lines.filter { !$0.isEmpty }.uniqued()
    }

    /// The most websites that may embed the events.
    static let mostEmbedders = 20
    /// The most hosts for importing calendars.
    static let mostCalendarHosts = 100

    /// A website's origin as browsers compare it: scheme, host in ASCII, and port; nil if the text isn't a URL.
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

    /// The host in the address of a calendar, in the form of the allowed hosts; nil if there is none.
    static func calendarHost(of address: String) -> String? {
        let address = calendarAddress(address)
        guard let origin = origin(address), let start = origin.firstRange(of: "://") else { return nil }
        return String(origin[start.upperBound...].prefix { $0 != ":" })
    }

    /// The address for fetching a calendar: links to calendars often have the scheme `webcal:`.
    static func calendarAddress(_ typed: String) -> String {
        let typed = typed.filter { !$0.isWhitespace }
        guard typed.lowercased().hasPrefix("webcal:") else { return typed }
        return "https:" + typed.dropFirst("webcal:".count)
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// The line at the bottom of every page.
    var motto: Words {
        face.slogan.isEmpty
            ? "\(shortName, as: "name"): run by neighbors, for neighbors."
            : Words(verbatim: "\(shortName): \(face.slogan)")
    }

    /// The changed values, by the names of the form's fields.
    func changes(since before: Town) -> [(field: String, was: String, became: String)] {
        Self.values.compactMap { value in
            let (was, became) = (value.text(before), value.text(self))
            return was == became ? nil : (value.field, was, became)
        }
    }

    /// A field's label in its form.
    static func label(of field: String) -> Words? {
        func label<F: Form>(in form: F.Type) -> Words? { form.fields.first { $0.name == field }?.label }
        return label(in: TownSettingsForm.self) ?? label(in: FaceForm.self) ?? label(in: OwnPagesForm.self)
    }

    /// Whether visitors can contact the operator.
    var isReachable: Bool { !email.isEmpty || !phone.isEmpty }

    var emailLink: Link? { Link(writingTo: email) }
    /// The contact for privacy questions.
    var privacyContact: String { privacyEmail.isEmpty ? email : privacyEmail }
    var privacyLink: Link? { Link(writingTo: privacyContact) }

    /// A step of the first admin's checklist, in the order of the form.
    struct Step: Sendable {
        let field: String
        let words: Words
        let why: Words
        let isDone: Bool
        /// The page where it is done, if not in the settings.
        var page: Link?

        var link: Link { page ?? Link.townSettings.fragment(field) }
    }

    /// - Parameter hasLanguages: Whether there is a choice of languages.
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

extension Town {
    /// One of the town's values as text, for storing, loading and comparing.
    struct Value: Sendable {
        /// Its name in the form and the staff log.
        let field: String
        /// The note in which it is stored.
        let note: String
        /// Empty if not set.
        let text: @Sendable (Town) -> String
        /// Sets the value from a stored text.
        let read: @Sendable (String, inout Town) -> Void

        init(
            _ field: String, note: String? = nil, _ text: @escaping @Sendable (Town) -> String,
            _ read: @escaping @Sendable (String, inout Town) -> Void
        ) {
            (self.field, self.note, self.text, self.read) = (field, "town_\(note ?? field)", text, read)
        }

        init(_ field: String, note: String? = nil, _ path: any WritableKeyPath<Town, String> & Sendable) {
            self.init(field, note: note, { $0[keyPath: path] }, { $1[keyPath: path] = $0 })
        }

        init(_ field: String, _ path: any WritableKeyPath<Town, String?> & Sendable) {
            self.init(field, { $0[keyPath: path] ?? "" }, { $1[keyPath: path] = $0 })
        }

        /// Several texts, a line each.
        init(_ field: String, _ path: any WritableKeyPath<Town, [String]> & Sendable) {
            self.init(
                field, { $0[keyPath: path].joined(separator: "\n") },
                { $1[keyPath: path] = $0.split(separator: "\n").map(String.init) })
        }
    }

    /// All values set by an admin; a value not listed here is neither stored nor logged.
    static let values = [
        Value("town", note: "name", \.name),
        Value("time_zone", note: "zone", { $0.zone?.identifier ?? "" }, { $1.zone = Zone(identifier: $0) }),
        Value("country", \.country),
        Value("language", \.language),
        Value("contact_name", note: "host", \.host),
        Value("contact_email", note: "email", \.email),
        Value("contact_phone", note: "phone", \.phone),
        Value("joining", { $0.joining.rawValue }, { $1.joining = Joining(rawValue: $0) ?? .open }),
        Value("privacy_email", \.privacyEmail),
        Value("meeting_places", \.meetingPlaces),
        Value("embedders", \.embedders),
        Value("calendar_hosts", \.calendarHosts),
        Value("site_name", \.face.name),
        Value("slogan", \.face.slogan),
        Value("greeting", \.face.greeting),
        Value("lead", \.face.lead),
        Value(
            "color", { $0.face.colors?.chosen.css ?? "" }, { $1.face.colors = Color($0).flatMap(HouseColors.init) }),
        Value(FaceForm.logoFile, note: "logo", { $0.face.logo?.typed ?? "" }, { $1.face.logo = Logo(typed: $0) }),
        Value("rules", \.pages.rules),
        Value("terms", \.pages.terms),
        Value("imprint", \.pages.imprint),
    ]

    /// Whether a note holds a text that the form could have stored: what comes in with an export was typed elsewhere.
    static func takes(_ text: String, as note: String) -> Bool {
        guard let value = values.first(where: { $0.note == note }) else { return false }
        var town = Town()
        value.read(text, &town)
        return value.text(town) == text && town.embedders.count <= mostEmbedders
            && town.calendarHosts.count <= mostCalendarHosts
            // These become part of a header, and decide which machines are asked.
            && town.embedders.allSatisfy { origin($0) == $0 }
            && town.calendarHosts.allSatisfy { calendarHost(of: $0) == $0 }
            && text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" || $0 == "\t" }
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
    var calendarHosts: String?

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
            .hint("Letters to people who haven’t chosen one are in it, and pages where a browser asks for no other."),
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
            .hint("Public places, one per line, such as: the lawn behind King Library."),
        .area("embedders", \.embedders, "Websites that may show the events", 3...2_000)
            .hint(
                """
                Each as the browser shows it, such as www.library.example. Their pages can then hold the list of \
                events.
                """),
        .area("calendar_hosts", \.calendarHosts, "Where calendars may be read from", 3...5_000)
            .hint(
                """
                Each on a line, such as calendar.google.com. Organizations can then give the address of a calendar \
                there, and it is read each night. If empty, they bring files.
                """),
    ]

    init() {}

    /// A form to change the current values.
    init(_ town: Town, zone: Zone, country: String, language: String) {
        self.town = town.name
        host = town.host.nonEmpty
        email = town.email.nonEmpty
        phone = town.phone.nonEmpty
        privacyEmail = town.privacyEmail.nonEmpty
        self.zone = zone.identifier
        self.country = country
        self.language = language
        joining = town.joining
        meetingPlaces = town.meetingPlaces.joined(separator: "\n").nonEmpty
        embedders = town.embedders.joined(separator: "\n").nonEmpty
        calendarHosts = town.calendarHosts.joined(separator: "\n").nonEmpty
    }

    /// The items on separate lines or between commas.
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
                    \.embedders, "“\(other, as: "website")” isn’t a website. Write it like library.example.")
            } else if websites.count > Town.mostEmbedders {
                submission.reject(\.embedders, "There can be at most \(Town.mostEmbedders, as: "number") websites.")
            }
        }
        let hosts = Self.websites(calendarHosts)
        if submission.accepts(\.calendarHosts) {
            if let other = hosts.first(where: { Town.calendarHost(of: $0) == nil }) {
                submission.reject(
                    \.calendarHosts, "“\(other, as: "website")” isn’t a website. Write it like library.example.")
            } else if hosts.count > Town.mostCalendarHosts {
                submission.reject(
                    \.calendarHosts, "There can be at most \(Town.mostCalendarHosts, as: "number") websites.")
            }
        }
        if email == nil, phone == nil {
            submission.reject(\.email, "Give an e-mail address or a phone, so that people can reach you.")
        }
    }

    /// Sets the form's values in the town.
    func apply(to site: inout Town) {
        (site.name, site.host) = (town, host ?? "")
        (site.email, site.phone, site.privacyEmail) = (email ?? "", phone ?? "", privacyEmail ?? "")
        site.meetingPlaces = Town.places(meetingPlaces ?? "")
        site.embedders = Self.websites(embedders).compactMap(Town.origin).uniqued()
        site.calendarHosts = Self.websites(calendarHosts).compactMap(Town.calendarHost).uniqued()
        (site.zone, site.country, site.language, site.joining) = (Zone(typed: zone), country, language, joining)
    }
}
