import Database

extension Town {
    /// What an admin wrote; empty before.
    init(in db: Connection) throws {
        var notes: [String: String] = [:]
        for note in try db.all(
            "SELECT name, value FROM note WHERE name >= 'town_' AND name < 'town`' LIMIT 50",
            { (name: try $0.next() as String, value: try $0.next() as String) })
        {
            notes[note.name] = note.value
        }
        self.init(
            name: notes["town_name"] ?? "", host: notes["town_host"] ?? "", email: notes["town_email"] ?? "",
            phone: notes["town_phone"] ?? "", privacyEmail: notes["town_privacy_email"] ?? "",
            meetingPlaces: Town.places(notes["town_meeting_places"] ?? ""),
            embedders: Town.places(notes["town_embedders"] ?? ""),
            zone: notes["town_zone"].flatMap { Zone(identifier: $0) }, country: notes["town_country"],
            language: notes["town_language"], joining: notes["town_joining"].flatMap(Joining.init) ?? .open)
        face = Face(
            name: notes["town_site_name"] ?? "", slogan: notes["town_slogan"] ?? "",
            greeting: notes["town_greeting"] ?? "", lead: notes["town_lead"] ?? "",
            colors: notes["town_color"].flatMap(Color.init).flatMap(HouseColors.init),
            logo: notes["town_logo"].flatMap { Logo(typed: $0) })
        pages = OwnPages(
            rules: notes["town_rules"]?.split(separator: "\n").map(String.init) ?? [],
            terms: notes["town_terms"] ?? "", imprint: notes["town_imprint"] ?? "")
    }

    func save(in db: Connection) throws {
        let notes = [
            ("town_name", name), ("town_host", host), ("town_email", email), ("town_phone", phone),
            ("town_privacy_email", privacyEmail),
            ("town_meeting_places", meetingPlaces.joined(separator: "\n")),
            ("town_embedders", embedders.joined(separator: "\n")), ("town_zone", zone?.identifier ?? ""),
            ("town_country", country ?? ""), ("town_language", language ?? ""), ("town_joining", joining.rawValue),
            ("town_site_name", face.name), ("town_slogan", face.slogan), ("town_greeting", face.greeting),
            ("town_lead", face.lead), ("town_color", face.colors?.chosen.css ?? ""),
            ("town_logo", face.logo?.typed ?? ""),
            ("town_rules", pages.rules.joined(separator: "\n")), ("town_terms", pages.terms),
            ("town_imprint", pages.imprint),
        ]
        for (name, value) in notes {
            if value.isEmpty { try Note.clear(name, in: db) } else { try Note.set(name, value, in: db) }
        }
    }
}
