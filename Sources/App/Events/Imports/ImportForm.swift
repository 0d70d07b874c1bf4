import Forms
import Templating

/// The common settings for a calendar's events: audience, place, and texts.
struct ImportForm: PlaceForm, Equatable {
    var name = ""
    /// Empty for an uploaded file.
    var calendar: String?
    var audience = Event.Audience.everyone
    var spots: Int?
    var ageFrom: Int?
    var ageTo: Int?
    var price: String?
    var placeName: String?
    var street = ""
    var city = ""
    var state = ""
    var zip = ""
    var country = ""
    /// Places at other addresses, one a line: see `otherPlaces`.
    var others: String?
    var tags: String?
    var language: WrittenLanguage?
    /// The description for entries without one.
    var about: String?
    /// The times for all-day entries.
    var opens = TimeOfDay(hour: 10, minute: 0) ?? .midnight
    var closes = TimeOfDay(hour: 18, minute: 0) ?? .midnight
    var publishes = true

    static let statePath: any WritableKeyPath<ImportForm, String> & Sendable = \.state
    static let zipPath: any WritableKeyPath<ImportForm, String> & Sendable = \.zip
    static let file = "file"

    static let fields: [Field<ImportForm>] = [
        .text("name", \.name, "Name of the calendar", 2...80).autocomplete("off")
            .hint("So that you can tell several apart.").missing("Give the calendar a name."),
        .text("calendar", \.calendar, "Address of the calendar", 8...1_000).drawn(as: .url).autocomplete("off")
            .hint("Such as https://library.example/events.ics."),
        .file(file, "File", accept: ".ics,.csv,.tsv,text/calendar,text/csv").conditional
            .hint("A calendar (.ics) or a table (.csv) of at most 5 MB."),
        .choice("audience", \.audience, "For whom the events are", options: Event.Audience.choices)
            .drawn(as: .radios)
            .hint("For everybody nobody has to register; for children there are places."),
        .number("spots", \.spots, "Places at each event", 1...10_000).narrow.conditional
            .hint("For everybody it may stay empty: then there is room for all."),
        .number("age_from", \.ageFrom, "Ages from", 0...17).narrow,
        .number("age_to", \.ageTo, "Ages up to", 0...17).narrow,
        .text("price", \.price, "Price", 1...40).narrow.conditional.hint("0 for free."),
        .text("place_name", \.placeName, "Name of the place", 1...80)
            .hint("Where the events are for which the calendar doesn’t say, or says only a room."),
        .country(\.country),
        .text("address", \.street, "Street and number", 1...120).autocomplete("address-line1")
            .missing("Give the address of the place."),
        .city(\.city),
        .state(\.state),
        .zip(\.zip),
        .area("others", \.others, "Places at another address", 1...2_000)
            .hint("One per line: its name in the calendar, a colon, and its address as on an envelope."),
        .text("tags", \.tags, "Tags", 1...200).autocomplete("off").completed(by: Link.tags.string)
            .hint("A few words, with commas between: music, outdoors, crafts."),
        .choice("language", \.language, "Written in", options: WrittenLanguage.choices),
        .area("about", \.about, "Shown for events without a text", 10...1_000)
            .hint("Such as: no registration needed, just come."),
        .time("opens", \.opens, "All-day events begin at"),
        .time("closes", \.closes, "All-day events end at"),
        .checkbox("publishes", \.publishes, "Publish what is new without asking")
            .hint("Each night, once you published the first events. Without it, they wait for you here."),
    ]

    /// Parses stored settings; an old form that can't be parsed is empty.
    init(kept: String) {
        guard let body = try? Draft.form(kept) else { return }
        self = Submission<ImportForm>(body).form
    }

    init() {}

    /// The stored form.
    var kept: String { Draft.text(of: Submission(filled: self).hidden.filter { $0.name != "once" }) }

    /// - Parameter hosts: The allowed hosts; nil for an uploaded file.
    func check(_ submission: inout Submission<ImportForm>, hosts: [String]?) {
        if let hosts, submission.accepts(\.calendar) {
            let host = calendar.flatMap { Town.calendarHost(of: $0) }
            if calendar == nil {
                submission.reject(\.calendar, "Give the address of the calendar.")
            } else if host == nil {
                submission.reject(\.calendar, "Write the address like https://library.example/events.ics.")
            } else if let host, !hosts.contains(host) {
                submission.reject(
                    \.calendar,
                    """
                    The people who look after this site haven’t allowed calendars from \(host, as: "host"). Ask \
                    them, or bring a file.
                    """)
            }
        }
        if audience == .kids, spots == nil, submission.accepts(\.spots) {
            submission.reject(\.spots, "Choose how many can come.")
        }
        if let ageFrom, let ageTo, ageTo < ageFrom {
            submission.reject(\.ageTo, "The older age can’t be below the younger one.")
        }
        if closes <= opens, submission.accepts(\.opens) {
            submission.reject(\.closes, "Choose an end after the start.")
        }
        if tagList.count > 8 || !tagList.allSatisfy(Tag.fits) {
            submission.reject(\.tags, "Give at most 8 tags of up to 30 characters each.")
        }
        if submission.accepts(\.others) {
            if let unread = otherPlaces.first(where: { $0.place == nil }) {
                submission.reject(
                    \.others,
                    """
                    “\(unread.line, as: "line")” isn’t read as a place. Write its name, a colon, and its address as on \
                    an envelope.
                    """)
            } else if otherPlaces.count > Self.mostOthers {
                submission.reject(\.others, "Give at most \(Self.mostOthers, as: "limit") places.")
            }
        }
        submission.checkTown()
    }

    /// The most places at other addresses.
    private static let mostOthers = 30

    /// The typed places at other addresses; one without a name and an address has no place.
    var otherPlaces: [(line: String, place: Place?)] {
        let lines = (others ?? "").split(whereSeparator: \.isNewline).map(SaidAddress.tidy).filter { !$0.isEmpty }
        return lines.map { line in
            let parts = line.split(separator: ":", maxSplits: 1).map(SaidAddress.tidy)
            guard parts.count == 2, 1...80 ~= parts[0].count,
                let said = SaidAddress(parts[1], country: country), said.name.isEmpty
            else { return (line, nil) }
            return (line, Place(name: parts[0], address: said.address))
        }
    }

    private var tagList: [String] { Tag.list(tags ?? "") }

    /// The usual place.
    var place: Place { Place(name: placeName ?? "", address: address) }

    /// The known places for a calendar's entries: the usual one, then those typed for it, then those of the
    /// organization's events.
    func places(beside used: [Place] = []) -> KnownPlaces {
        KnownPlaces([place] + otherPlaces.compactMap(\.place) + used)
    }

    /// An entry's place: a known one, otherwise the address that the calendar says, otherwise what the calendar says as
    /// a name at the usual address.
    func place(of content: ImportContent, among places: KnownPlaces) -> Place {
        known(content.place, among: places) ?? Place(name: Self.cut(content.place, to: 80), address: address)
    }

    /// Whether what the calendar says of a place is only a name, so that it counts as a room at the usual address.
    func isOnlyNamed(_ place: String, among places: KnownPlaces) -> Bool {
        guard Self.onlineLink(place) == nil else { return false }
        guard let known = known(place, among: places) else { return true }
        // It may be the usual address itself, as on an envelope.
        if let said = SaidAddress(place, country: country), said.address.isSame(as: address) { return false }
        // An earlier entry may have been published at the usual address.
        return known.address == address && folded(known.name) != folded(placeName ?? "")
    }

    /// The link of what takes place online: many calendars say it in place of a place.
    static func onlineLink(_ place: String) -> String? {
        let said = SaidAddress.tidy(place[...])
        guard said.contains("://"), !said.contains(where: \.isWhitespace) else { return nil }
        return OutsideLink.read(said)
    }

    private func known(_ text: String, among places: KnownPlaces) -> Place? {
        let said = folded(text)
        guard !said.isEmpty else { return place }
        if let found = places.called(said) { return found }
        if let typed = SaidAddress(text, country: country) {
            // The same place may have a pin.
            return places.named(typed.name).first { $0.address.isSame(as: typed.address) }
                ?? Place(name: Self.cut(typed.name, to: 80), address: typed.address)
        }
        let name = text.prefix { $0 != "," }
        return places.named(String(name)).first { !$0.name.isEmpty }
    }

    /// The form for an entry's event, as somebody would have filled it in.
    ///
    /// - Parameter zone: The event's zone.
    func event(saying content: ImportContent, at place: Place, in zone: Zone, now: Instant) -> EventForm {
        var form = EventForm()
        form.audience = audience
        form.title = Self.cut(content.title, to: 120)
        form.description = description(of: content)
        form.language = language
        if content.isAllDay {
            let own = Zone(stored: content.zone)
            let last = own.day(of: content.endsAt - .seconds(1))
            form.date = own.day(of: content.startsAt)
            (form.startTime, form.endTime) = (opens, closes)
            form.endDate = last > form.date ? last : nil
        } else {
            let (from, to) = (zone.local(content.startsAt), zone.local(content.endsAt))
            (form.date, form.startTime) = (from.day, from.time)
            form.endTime = content.end > content.start ? to.time : nil
            let isNext = to.day == from.day.advanced(by: 1) && to.time <= from.time
            form.endDate = to.day > from.day && !isNext ? to.day : nil
        }
        if content.startsAt <= now, content.isExhibition {
            // It is on already, so it is posted from its next opening on.
            let today = zone.day(of: now)
            let next = zone.instant(today, form.startTime) > now ? today : today.advanced(by: 1)
            form.date = max(form.date, next)
            form.endDate = form.endDate.flatMap { $0 > form.date ? $0 : nil }
        }
        if let link = Self.onlineLink(content.place) {
            form.onlineURL = link
        } else {
            form.placeName = place.name.isEmpty ? nil : Self.cut(place.name, to: 80)
            form.street = place.address.street
            form.city = place.address.city
            form.state = place.address.state
            form.zip = place.address.zip
            form.putPin(place.coordinate)
        }
        form.country = place.address.country
        if let spots, spots > 100 { form.moreSpots = spots } else { form.spots = spots }
        (form.ageFrom, form.ageTo, form.price) = (ageFrom, ageTo, price)
        let tags = (tagList + content.tags.flatMap { Tag.list($0) }).uniqued().filter(Tag.fits)
        form.tags =
            tags.prefix(8).reduce(into: "") { all, tag in
                let longer = all.isEmpty ? tag : "\(all), \(tag)"
                if longer.count <= 200 { all = longer }
            }.nonEmpty
        return form
    }

    private func description(of content: ImportContent) -> String {
        var text = content.text
        if text.count < 10 {
            // The link of what takes place online is for those who take part.
            let place = Self.onlineLink(content.place) == nil ? content.place : ""
            let rest = [content.title, text, place, about ?? ""].filter { !$0.isEmpty }
            text = rest.joined(separator: "\n\n")
            if text.count < 10 { text += "\n\n\(self.place.line)" }
        }
        let link = content.link.isEmpty || text.contains(content.link) ? "" : "\n\n\(content.link)"
        return Self.cut(text, to: 4_000 - link.count) + link
    }

    /// The beginning of a text, cut between words.
    private static func cut(_ text: String, to limit: Int) -> String {
        guard text.count > limit else { return text }
        let start = text.prefix(limit - 1)
        let words = start.lastIndex(where: \.isWhitespace).map { start[..<$0] } ?? start
        return String(words) + "…"
    }

    /// The event fields that come from a calendar; those on one line belong together.
    static let groups = [
        ["title"], ["description"], ["date", "start_time", "end_date", "end_time"],
        ["place_name", "address", "city", "state", "zip", "country", "lat", "lon"], ["online_url"], ["tags"],
    ]

    /// The values of these fields, to detect later edits by hand.
    static func fields(of form: EventForm) -> [(name: String, value: String)] {
        let names = Set(groups.joined())
        return Submission(filled: form).hidden.filter { names.contains($0.name) }
    }

    /// An event updated from its calendar, except for fields edited by hand since.
    static func following(
        _ stored: EventForm, taken: [(name: String, value: String)], now new: EventForm
    ) -> [(name: String, value: String)] {
        var pairs = Submission(filled: stored).hidden.filter { $0.name != "once" }
        let (own, next) = (pairs, fields(of: new))
        for group in groups where texts(own, group) == texts(taken, group) {
            pairs.removeAll { group.contains($0.name) }
            pairs += next.filter { group.contains($0.name) }
        }
        return pairs
    }

    /// The values now copied from a calendar: fields edited by hand before remain marked as such.
    ///
    /// - Parameters:
    ///   - stored: The event before the update.
    ///   - now: The event after it.
    static func taken(
        before taken: [(name: String, value: String)], _ stored: EventForm, now: EventForm
    ) -> [(name: String, value: String)] {
        let (own, next) = (fields(of: stored), fields(of: now))
        return groups.flatMap { group in
            (texts(own, group) == texts(taken, group) ? next : taken).filter { group.contains($0.name) }
        }
    }

    private static func texts(_ pairs: [(name: String, value: String)], _ group: [String]) -> [String] {
        pairs.filter { group.contains($0.name) && !$0.value.isEmpty }.map { "\($0.name)=\($0.value)" }.sorted()
    }
}
