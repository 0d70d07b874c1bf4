import Forms
import Templating

/// The form for an event, for children or for everyone: KEV-01, KEV-02, EVT-01.
struct EventForm: PinForm, PicturedForm, Equatable {
    /// The audience, chosen before the form and fixed.
    var audience: Event.Audience?
    var title = ""
    var description = ""
    /// The language of title and description, and both in another language.
    var language: WrittenLanguage?
    var otherLanguage: WrittenLanguage?
    var otherTitle: String?
    var otherDescription: String?
    var date = Day.distantPast
    var startTime = TimeOfDay.midnight
    /// The last day of an event of several days.
    var endDate: Day?
    var endTime: TimeOfDay?
    /// The place's name.
    var placeName: String?
    var street = ""
    var city = ""
    var state = ""
    var zip = ""
    var country = ""
    /// The time zone; by default the place's.
    var zone: String?
    /// The position of the pin; by default the gazetteer's.
    var latitude: String?
    var longitude: String?
    var spots: Int?
    var moreSpots: Int?
    var covidSafe = false
    var ageFrom: Int?
    var ageTo: Int?
    var price: String?
    var isPriceOpen = false
    /// Whether families can still register while it is taking place.
    var takesLate = false
    var tags: String?
    var onlineURL: String?
    var bring: String?
    var safety: String?
    var amenities: [Amenity] = []
    /// The picture.
    var picture: ID<Picture>?
    var pictureAlt: String?
    /// The part to keep when it is cropped: 1 to 9.
    var pictureFocus: Int?
    /// Whether to remove the picture.
    var isPictureOff = false
    /// The first day for which the program's days were typed.
    var programmeFrom: Day?
    /// How families register for a series of dates.
    var booking: Series.Booking?
    /// When families register, in the place's zone.
    var opensAt: LocalTime?
    var closesAt: LocalTime?
    /// The ZIP codes with early registration, and when it opens for everyone.
    var firstZIPs: String?
    var firstUntil: LocalTime?
    /// The dates of a series to change.
    var scope: Series.Scope?

    static let statePath: any WritableKeyPath<EventForm, String> & Sendable = \.state
    static let zipPath: any WritableKeyPath<EventForm, String> & Sendable = \.zip

    static let fields: [Field<EventForm>] = [
        .hidden("audience", \.audience),
        .hidden("programme_from", \.programmeFrom).bookkeeping,
        .text("title", \.title, "Event title", 3...120).missing("Give the event a title."),
        .area("description", \.description, "What happens there?", 10...4_000)
            .hint("What people do there, what to bring, what happens if it rains. Web addresses become links.")
            .missing("Say what happens there."),
        .choice("language", \.language, "Written in", options: WrittenLanguage.choices),
        .choice("other_language", \.otherLanguage, "A second language", options: WrittenLanguage.choices),
        .text("other_title", \.otherTitle, "Event title in the second language", 2...120).conditional,
        .area("other_description", \.otherDescription, "What happens there, in the second language", 5...4_000)
            .conditional,
        .hidden(pictureNames.stored, \.picture),
        .file(pictureFile, "Photo or poster", accept: "image/*")
            .hint("At most 10 MB. Without one, the event gets a drawing."),
        .text("poster_alt", \.pictureAlt, "What does the picture show?", 1...Picture.altLimit)
            .hint("Read aloud to those who can’t see it, such as: children on a hill with kites."),
        .choice("poster_focus", \.pictureFocus, "The part that must be seen", options: Picture.focusChoices)
            .drawn(as: .radios),
        .checkbox(pictureNames.removal, \.isPictureOff, "Take the picture off"),
        .date("date", \.date, "Date").missing("Choose the date."),
        .time("start_time", \.startTime, "Starts at").missing("Give the time it starts."),
        .date("end_date", \.endDate, "Last day, if it lasts several", endingAt: "end_time"),
        .end("end_time", \.endTime, "Ends at"),
        .text("place_name", \.placeName, "Name of the place", 1...80)
            .hint("Such as: Willow field, north gate."),
        .country(\.country),
        .text("address", \.street, "Street and number", 0...120).conditional.autocomplete("address-line1"),
        .text("city", \.city, "City or town", 0...80).conditional.autocomplete("address-level2"),
        .state(\.state),
        .zip(\.zip),
        .text("zone", \.zone, "Time zone", 1...60).autocomplete("off").suggestions(Zone.usual)
            .hint("If empty, it is the place’s. Otherwise like America/Los_Angeles."),
        .text("lat", \.latitude, "Latitude", 1...20).autocomplete("off").inputmode("decimal").narrow,
        .text("lon", \.longitude, "Longitude", 1...20).autocomplete("off").inputmode("decimal").narrow,
        .text("online_url", \.onlineURL, "Link for taking part online", 4...300).drawn(as: .url).autocomplete("off")
            .hint("Only families who registered see it. With a link, the address may stay empty."),
        .choice("spots", \.spots, "Places", from: 1...100).conditional,
        .number("more_spots", \.moreSpots, "Or more than 100", 101...10_000).narrow,
        .number("age_from", \.ageFrom, "Ages from", 0...17).narrow,
        .number("age_to", \.ageTo, "Ages up to", 0...17).narrow,
        .text("price", \.price, "Price", 1...40).narrow.conditional
            .hint("0 for free. It is paid at the event, not here."),
        .checkbox("pay_what_you_can", \.isPriceOpen, "Pay what you can")
            .hint("The price is a proposal; nobody is turned away."),
        .area("bring", \.bring, "What to bring", 1...500).hint("Such as a hat, a towel, something to drink."),
        .area("safety", \.safety, "Health and safety", 1...500)
            .hint("Such as allergies to mind, who looks after the water, what if somebody is sick."),
        .checkboxes("access", \.amenities, "Good for", options: Amenity.choices).narrow,
        .checkbox("late", \.takesLate, "People may still register while it is on")
            .hint("Without it, registration closes at the start."),
        .moment("opens_at", \.opensAt, "Registration opens"),
        .moment("closes_at", \.closesAt, "Registration closes"),
        .text("first_zips", \.firstZIPs, "ZIP codes that register first", 1...500).autocomplete("off")
            .hint(
                """
                Separate them with commas. A beginning is enough: 951 is every ZIP code that starts with it. \
                Families say theirs themselves.
                """
            ),
        .moment("first_until", \.firstUntil, "Everyone else can register from").conditional
            .hint("If empty, these families can register right away, and everyone else when registration opens."),
        .choice("booking", \.booking, "How do families register?", options: Series.Booking.choices)
            .drawn(as: .radios).hint("It is the same for all dates of the series."),
        .choice("scope", \.scope, "Which dates do you change?", options: Series.Scope.choices).drawn(as: .radios),
        .text("tags", \.tags, "Tags", 1...200).autocomplete("off").completed(by: Link.tags.string)
            .hint("A few words, with commas between: music, outdoors, crafts."),
        .checkbox("covid_safe", \.covidSafe, "COVID-19 safe")
            .hint("Masks, distance or fresh air as the county asks for."),
    ]

    static let pictureNames = PictureNames("poster")
    static let pictureFields = ["poster", "poster_alt", "poster_focus"]

    mutating func dropPicture() { (picture, pictureAlt, pictureFocus) = (nil, nil, nil) }

    func described(_ picture: Picture) -> Picture {
        var picture = picture
        picture.alt = pictureAlt ?? ""
        picture.focus = pictureFocus ?? 5
        return picture
    }

    var isForEveryone: Bool { audience == .everyone }

    /// The number of places; nil if not stated.
    var limit: Int? { moreSpots ?? spots }

    /// The tags in lowercase, without duplicates, in order.
    var tagList: [String] { Tag.list(tags ?? "") }

    /// Its times; an end that isn't after the start is on the next day.
    func times(in zone: Zone) -> EventTimes {
        EventTimes(date, from: startTime, to: endTime, until: lastDay, in: zone)
    }

    /// The last of several days; nil if it ends in the night after the first.
    var lastDay: Day? {
        guard let endDate, let endTime, endDate > date else { return nil }
        return endDate == date.advanced(by: 1) && endTime <= startTime ? nil : endDate
    }

    /// The last day on which something of its program can begin: the next, if it goes on through the night.
    var lastProgrammeDay: Day {
        if let lastDay { return lastDay }
        guard let endTime, endTime <= startTime else { return date }
        return date.advanced(by: 1)
    }

    func check(
        _ submission: inout Submission<EventForm>, zone: Zone, currency: String, country home: String? = nil,
        asksForPrice: Bool, hasSessions: Bool = false, keepsTimes: Bool = false, now: Instant
    ) {
        checkPlace(&submission)
        checkSecondText(&submission)
        if let typed = self.zone, Zone(typed: typed) == nil {
            submission.reject(\.zone, "Write the time zone like America/Los_Angeles, or leave it empty.")
        }
        if limit == nil, !isForEveryone, !hasSessions, submission.accepts(\.spots), submission.accepts(\.moreSpots) {
            submission.reject(\.spots, "Choose how many can come.")
        }
        if !keepsTimes { checkTimes(&submission, zone: zone, now: now) }
        if let ageFrom, let ageTo, ageTo < ageFrom {
            submission.reject(\.ageTo, "The older age can’t be below the younger one.")
        }
        if price == nil, asksForPrice { submission.reject(\.price, "State the price, and 0 for free.") }
        if let price, submission.accepts(\.price),
            let problem = Money.problem(with: price, currency: currency, in: home, zero: .free)
        {
            submission.reject(\.price, problem)
        }
        checkWindow(&submission, zone: zone)
        if tagList.count > 8 || !tagList.allSatisfy(Tag.fits) {
            submission.reject(\.tags, "Give at most 8 tags of up to 30 characters each.")
        }
    }

    /// A second text must be complete, and in another language.
    private func checkSecondText(_ submission: inout Submission<EventForm>) {
        guard otherLanguage != nil || otherTitle != nil || otherDescription != nil else { return }
        if submission.accepts(\.otherLanguage) {
            if otherLanguage == nil {
                submission.reject(\.otherLanguage, "Choose the language of the second text.")
            } else if otherLanguage == language {
                submission.reject(\.otherLanguage, "Choose a language other than that of the first text.")
            }
        }
        if otherTitle == nil, submission.accepts(\.otherTitle) {
            submission.reject(\.otherTitle, "Give the title in the second language too.")
        }
        if otherDescription == nil, submission.accepts(\.otherDescription) {
            submission.reject(\.otherDescription, "Say what happens there in the second language too.")
        }
    }

    /// When families register, in the place's zone.
    func window(in zone: Zone) -> Window {
        guard !isForEveryone else { return Window() }
        let zips = Window.zips(typed: firstZIPs ?? "")
        var window = Window(
            opensAt: opensAt?.instant(in: zone), closesAt: closesAt?.instant(in: zone), firstZIPs: zips,
            firstUntil: zips.isEmpty ? nil : firstUntil?.instant(in: zone))
        if !zips.isEmpty, firstUntil == nil { (window.opensAt, window.firstUntil) = (nil, window.opensAt) }
        return window
    }

    private static let beforeStart: Words = "Choose a time before the event begins."
    private static let beforeEnd: Words = "Choose a time before the event ends."

    private func checkWindow(_ submission: inout Submission<EventForm>, zone: Zone) {
        guard !isForEveryone else { return }
        for path in [\EventForm.opensAt, \.closesAt, \.firstUntil] {
            guard let typed = self[keyPath: path], submission.accepts(path),
                let gap = zone.gap(typed.day, typed.time)
            else { continue }
            let problem = EventTimes.Problem(day: typed.day, time: typed.time, gap: gap, isOfEnd: false)
            submission.reject(path, problem.words)
        }
        let window = window(in: zone)
        let times = times(in: zone)
        let end = takesLate ? times.end : times.start
        if let closes = window.closesAt, closes > end, submission.accepts(\.closesAt) {
            submission.reject(\.closesAt, takesLate ? Self.beforeEnd : Self.beforeStart)
        }
        if let opens = window.opensAt, submission.accepts(\.opensAt) {
            if let closes = window.closesAt, closes <= opens, submission.accepts(\.closesAt) {
                submission.reject(\.closesAt, "Let it close after it opens.")
            } else if opens >= end, submission.accepts(\.date), submission.accepts(\.startTime) {
                submission.reject(\.opensAt, takesLate ? Self.beforeEnd : Self.beforeStart)
            }
        }
        if let other = window.firstZIPs.first(where: { !Window.isZIP($0) }), submission.accepts(\.firstZIPs) {
            submission.reject(
                \.firstZIPs,
                "“\(other, as: "code")” isn’t a ZIP code, or the beginning of one. Separate them with commas.")
        }
        if window.firstZIPs.count > Window.mostZIPs, submission.accepts(\.firstZIPs) {
            submission.reject(\.firstZIPs, "Give at most \(Window.mostZIPs, as: "limit") ZIP codes.")
        }
        if window.firstUntil == nil, !window.firstZIPs.isEmpty, submission.accepts(\.firstUntil) {
            submission.reject(\.firstUntil, "Say when everyone else can register.")
        } else if window.firstZIPs.isEmpty, firstUntil != nil, submission.accepts(\.firstZIPs) {
            submission.reject(\.firstZIPs, "Say which ZIP codes register first.")
        } else if let until = window.firstUntil, submission.accepts(\.firstUntil) {
            if let opens = window.opensAt, until <= opens {
                submission.reject(\.firstUntil, "Let everyone else register after it opens for families nearby.")
            } else if until >= window.closesAt ?? end, submission.accepts(\.date), submission.accepts(\.startTime) {
                submission.reject(\.firstUntil, "Let everyone else register before registration closes.")
            }
        }
    }

    private func checkTimes(_ submission: inout Submission<EventForm>, zone: Zone, now: Instant) {
        let today = zone.day(of: now)
        if let endDate, submission.accepts(\.date), submission.accepts(\.endDate) {
            if endDate < date {
                submission.reject(\.endDate, "The last day can’t be before the first.")
            } else if endDate >= date.advanced(by: EventTimes.mostDays) {
                submission.reject(
                    \.endDate,
                    "An event lasts \(EventTimes.mostDays, as: "days") days at most. Post a longer one twice.")
            } else if endDate > date, endTime == nil, submission.accepts(\.endTime) {
                submission.reject(\.endTime, "Give the time it ends on the last day.")
            } else if endDate == date, let endTime, endTime <= startTime, submission.accepts(\.startTime) {
                submission.reject(\.endDate, "It would end before it starts. Choose the day after as the last one.")
            }
        }
        let times = times(in: zone)
        if let problem = times.problem, submission.accepts(\.date), submission.accepts(\.startTime),
            submission.accepts(\.endTime)
        {
            submission.reject(problem.isOfEnd ? \.endTime : \.startTime, problem.words)
        }
        if submission.accepts(\.date) {
            if date < today || (date == today && submission.accepts(\.startTime) && times.start <= now) {
                submission.reject(\.date, "Choose a date that is still to come.")
            } else if date > today.advanced(by: 3 * 366) {
                submission.reject(\.date, "Choose a date within the next three years.")
            }
        }
    }

    /// Restores day and times of an event that has begun.
    func keepTimes(of event: Event, in submission: inout Submission<EventForm>) {
        submission.fill(\.date, event.day)
        submission.fill(\.startTime, event.start)
        submission.fill(\.endDate, event.schedule.endDay)
        submission.fill(\.endTime, event.end)
    }

    /// Whether no location has been given yet; the town may be the host's.
    var isNowhere: Bool { onlineURL == nil && placeName == nil && street.isEmpty }

    var isOnlineOnly: Bool { onlineURL != nil && street.isEmpty && city.isEmpty && zip.isEmpty }

    /// An event in person needs an address; an online event needs an external link.
    private func checkPlace(_ submission: inout Submission<EventForm>) {
        if let onlineURL, submission.accepts(\.onlineURL) {
            if let url = OutsideLink.read(onlineURL) {
                submission.fill(\.onlineURL, url)
            } else {
                submission.reject(\.onlineURL, "Write the link like https://meet.example.org/room.")
            }
        }
        guard !isOnlineOnly else { return }
        if latitude != nil || longitude != nil, pin == nil {
            submission.reject(\.latitude, "Write both coordinates in degrees, like 37.3352 and -121.8811, or neither.")
        }
        let isNamed = isForEveryone && placeName != nil
        if street.isEmpty, !isNamed { submission.reject(\.street, "Give the address of the place.") }
        if city.isEmpty { submission.reject(\.city, "Give the city or town.") }
        submission.checkTown()
    }

    /// The event it describes, not stored.
    func preview(by host: Event.Host, zone: Zone, currency: String, country home: String? = nil) -> Event {
        let times = times(in: zone)
        return Event(
            id: ID(0), audience: audience ?? .kids, host: host, title: title,
            schedule: Schedule(
                day: date, start: startTime, end: endTime, endDay: lastDay, startsAt: times.start, endsAt: times.end,
                zone: zone.identifier),
            venue: Venue(
                name: placeName ?? "", address: address, zone: zone.identifier, onlineURL: onlineURL ?? "",
                coordinate: isOnlineOnly ? nil : pin),
            admission: Admission(
                spots: limit, ageFrom: ageFrom, ageTo: ageTo,
                price: price.flatMap { Money(typed: $0, currency: currency, in: home) },
                isPriceOpen: isPriceOpen,
                // A fair can be joined while it is taking place.
                takesLate: takesLate || isForEveryone, covidSafe: covidSafe,
                booking: booking ?? .each, window: window(in: zone)),
            details: EventDetails(
                description: description, tags: tagList, bring: bring ?? "", safety: safety ?? "",
                amenities: amenities, language: language,
                other: otherLanguage.map {
                    WrittenText(language: $0, title: otherTitle ?? "", description: otherDescription ?? "")
                }))
    }
}

extension EventForm {
    /// A form to change a stored event; `pin` is the pin's position.
    init(_ event: Event, pin: Coordinate? = nil) {
        audience = event.audience
        title = event.title
        description = event.description
        language = event.language
        otherLanguage = event.other?.language
        otherTitle = event.other?.title
        otherDescription = event.other?.description
        date = event.day
        startTime = event.start
        endDate = event.schedule.endDay
        programmeFrom = event.day
        endTime = event.end
        placeName = event.venue.name.isEmpty ? nil : event.venue.name
        street = event.address.street
        city = event.address.city
        state = event.address.state
        zip = event.address.zip
        country = event.address.country
        zone = event.zone
        putPin(pin)
        // Its sessions have the places.
        if !event.hasSessions {
            if let limit = event.spots, limit > 100 { moreSpots = limit } else { spots = event.spots }
        }
        covidSafe = event.covidSafe
        ageFrom = event.ageFrom
        ageTo = event.ageTo
        price = event.price?.typed
        isPriceOpen = event.isPriceOpen
        takesLate = event.takesLate && !event.hasSessions
        tags = event.tags.isEmpty ? nil : event.tags.joined(separator: ", ")
        onlineURL = event.onlineURL.isEmpty ? nil : event.onlineURL
        bring = event.bring.isEmpty ? nil : event.bring
        safety = event.safety.isEmpty ? nil : event.safety
        amenities = event.amenities
        picture = event.picture?.id
        pictureAlt = event.picture.flatMap { $0.alt.isEmpty ? nil : $0.alt }
        pictureFocus = event.picture?.focus
        if event.series != nil { booking = event.booking }
        let (window, clock) = (event.admission.window, event.clock)
        opensAt = window.opensAt.map { LocalTime($0, in: clock) }
        closesAt = window.closesAt.map { LocalTime($0, in: clock) }
        firstZIPs = window.firstZIPs.isEmpty ? nil : window.firstZIPs.joined(separator: ", ")
        firstUntil = window.firstUntil.map { LocalTime($0, in: clock) }
        scope = .one
    }
}

extension EventForm {
    /// The optional parts of the form, which are folded.
    enum Fold {
        case language, picture, online, more, window

        fileprivate var fields: [PartialKeyPath<EventForm>] {
            switch self {
            case .language: [\.otherLanguage, \.otherTitle, \.otherDescription]
            case .picture: [\.picture, \.pictureAlt]
            case .online: [\.onlineURL, \.zone, \.latitude, \.longitude]
            case .window: [\.opensAt, \.closesAt, \.firstZIPs, \.firstUntil]
            case .more: [\.bring, \.safety, \.covidSafe, \.takesLate, \.amenities, \.tags]
            }
        }
    }
}

extension Submission where F == EventForm {
    /// A form to change an event, its program and its questions; `pin` is the pin's position.
    init(changing event: Event, pin: Coordinate?) {
        self.init(
            changing: EventForm(event, pin: pin), rows: ProgrammeRows(event).answers + AskRows(event.asks).answers)
    }

    /// A form for a similar event on another day.
    ///
    /// - Parameter isElsewhere: Whether its zone isn't its place's.
    init(copying event: Event, pin: Coordinate?, isElsewhere: Bool) throws {
        var form = EventForm(event, pin: pin)
        if !isElsewhere { form.zone = nil }
        form.scope = nil
        // A copy needs its own dates and its own registration window.
        let own = ["date", "end_date", "opens_at", "closes_at", "first_until", "first_zips"]
        let pairs = Submission(filled: form).hidden.filter { $0.name != "once" && !own.contains($0.name) }
        self.init(unfinished: try Draft.form(Draft.text(of: pairs)))
    }

    /// Whether a folded part has content or problems.
    func holds(_ fold: EventForm.Fold) -> Bool {
        let file = fold == .picture ? [input(named: EventForm.pictureFile)] : []
        return (fold.fields.map { self[$0] } + file).contains { input in
            input.problem != nil || !input.typed.isEmpty || input.isChecked || input.choices.contains(where: \.isChosen)
        }
    }

    /// All typed texts except the pin, which can be moved in the preview.
    var hiddenButPin: [(name: String, value: String)] { hidden.filter { $0.name != "lat" && $0.name != "lon" } }
}
