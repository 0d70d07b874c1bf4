import Forms
import Templating

/// The form for an opportunity: VOL, DON, SHA. Shifts and things are rows; the form shows some of the possible ones.
struct OpportunityForm: PlaceForm {
    var kind: Opportunity.Kind?
    var title = ""
    var description = ""
    var language: WrittenLanguage?
    var conditions: String?
    var rhythm: Opportunity.Rhythm?
    var hours: Int?
    var shifts = Array(repeating: ShiftRow(), count: Opportunity.mostShifts)
    var things = Array(repeating: ThingRow(), count: Opportunity.mostThings)
    /// The number of rows shown of each.
    var shiftRows: Int?
    var thingRows: Int?
    /// The end of the repetition of the last shift, once its button is pressed.
    var repeatUntil: Day?
    var goal: String?
    var amount: String?
    var asOf: Day?
    var until: Day?
    var url: String?
    var asksFirst = false
    var ageFrom: Int?
    var withAdult = false
    var isWithChildren = false
    var isAtHome = false
    var placeName: String?
    var street = ""
    var city = ""
    var state = ""
    var zip = ""
    var country = ""
    /// The time zone of a new opportunity, if it isn't its place's.
    var zone: String?
    var tags: String?

    /// A typed shift.
    struct ShiftRow: Sendable, Equatable {
        var id: ID<Shift>?
        var date: Day?
        var start: TimeOfDay?
        var end: TimeOfDay?
        var spots: Int?
        var lead: String?

        var isEmpty: Bool { self == ShiftRow(id: id) }
    }

    /// A typed thing.
    struct ThingRow: Sendable, Equatable {
        var id: ID<Thing>?
        var name: String?
        var wanted: Int?

        var isEmpty: Bool { self == ThingRow(id: id) }
    }

    static let statePath: any WritableKeyPath<OpportunityForm, String> & Sendable = \.state
    static let zipPath: any WritableKeyPath<OpportunityForm, String> & Sendable = \.zip

    static let fields: [Field<OpportunityForm>] =
        [
            .hidden("kind", \.kind),
            .text("title", \.title, "In a few words", 3...120)
                .hint("Such as: Serve Saturday lunch.").missing("Say in a few words what it is."),
            .area("description", \.description, "What people do there", 10...4_000)
                .hint("And what people learn from it. Web addresses become links.")
                .missing("Say what it is about."),
            .choice("language", \.language, "Written in", options: WrittenLanguage.choices),
            .area("conditions", \.conditions, "What people must know beforehand", 1...1_000)
                .hint("One per line: vaccination, training, clothing, no photos."),
            .choice(
                "schedule", \.rhythm, "When", options: Opportunity.Rhythm.allCases.map { Choice($0.rawValue, $0.name) }
            ).drawn(as: .radios),
            .number("hours", \.hours, "Hours a week, about", 1...60).narrow,
            .hidden("shift_rows", \.shiftRows).bookkeeping,
            .hidden("thing_rows", \.thingRows).bookkeeping,
            .date("repeat_until", \.repeatUntil, "Repeat the last shift until").bookkeeping.conditional,
            .text("goal", \.goal, "Money that is needed", 1...40).narrow.inputmode("decimal")
                .hint("In total. It is given on your own page, by the link below."),
            .text("amount", \.amount, "Given so far", 1...40).narrow.inputmode("decimal"),
            .date("as_of", \.asOf, "As of"),
            .date("until", \.until, "Until, where it ends"),
            .text("url", \.url, "A link, if people sign up or give elsewhere", 4...300).drawn(as: .url)
                .autocomplete("off").hint("Without one they do it here. The page says where the link leads."),
            .checkbox("approval", \.asksFirst, "We say yes first")
                .hint("Without it, everybody who signs up has the place at once."),
            .number("age_from", \.ageFrom, "From what age", 0...99).narrow.conditional,
            .checkbox("with_adult", \.withAdult, "Younger ones with an adult who comes along"),
            .checkbox("children", \.isWithChildren, "Children may come along")
                .hint("Without the box above they take no place, and you don’t read who comes."),
            .checkbox("home", \.isAtHome, "It can be done from home").hint("Then the address may stay empty."),
            .text("place_name", \.placeName, "Name of the place", 1...80),
            .country(\.country),
            .text("address", \.street, "Street and number", 0...120).conditional.autocomplete("address-line1"),
            .text("city", \.city, "City or town", 0...80).conditional.autocomplete("address-level2"),
            .state(\.state),
            .zip(\.zip),
            .text("zone", \.zone, "Time zone", 1...60).autocomplete("off").suggestions(Zone.usual)
                .hint("If empty, it is the place’s. Otherwise like America/Los_Angeles."),
            .text("tags", \.tags, "Tags", 1...200).autocomplete("off").completed(by: Link.tags.string)
                .hint("A few words, with commas between: health, cooking, animals."),
        ] + (0..<Opportunity.mostShifts).flatMap(shiftFields) + (0..<Opportunity.mostThings).flatMap(thingFields)

    private static func shiftFields(_ row: Int) -> [Field<OpportunityForm>] {
        [
            .hidden("shift.\(row).id", \.shifts[row].id).bookkeeping,
            .date("shift.\(row).date", \.shifts[row].date, "Day").conditional,
            .time("shift.\(row).start_time", \.shifts[row].start, "From").conditional,
            .end("shift.\(row).end_time", \.shifts[row].end, "To").conditional,
            .number("shift.\(row).spots", \.shifts[row].spots, "Places", 1...500).narrow.conditional,
            .text("shift.\(row).lead", \.shifts[row].lead, "Who shows people around", 1...60).autocomplete("off"),
        ]
    }

    private static func thingFields(_ row: Int) -> [Field<OpportunityForm>] {
        [
            .hidden("thing.\(row).id", \.things[row].id).bookkeeping,
            .text("thing.\(row).name", \.things[row].name, "What", 1...80).autocomplete("off").conditional,
            .number("thing.\(row).wanted", \.things[row].wanted, "How many", 1...10_000).narrow.conditional,
        ]
    }

    var tagList: [String] { Tag.list(tags ?? "") }
    var isOfTime: Bool { kind != .donate }
    var hasShifts: Bool { isOfTime && rhythm == .shifts }
    private var isElsewhere: Bool { isAtHome && street.isEmpty && city.isEmpty && zip.isEmpty }

    /// The filled rows.
    var filledShifts: [Int] { hasShifts ? shifts.indices.filter { !shifts[$0].isEmpty } : [] }
    var filledThings: [Int] { kind == .donate ? things.indices.filter { !things[$0].isEmpty } : [] }

    /// The number of rows shown: the filled ones, and an empty one.
    var shownShifts: Int {
        let filled = (shifts.indices.last { !shifts[$0].isEmpty }).map { $0 + 1 } ?? 0
        return min(Opportunity.mostShifts, max(filled, shiftRows ?? 1, 1))
    }

    var shownThings: Int {
        let filled = (things.indices.last { !things[$0].isEmpty }).map { $0 + 1 } ?? 0
        return min(Opportunity.mostThings, max(filled, thingRows ?? 1, 1))
    }

    func check(
        _ submission: inout Submission<OpportunityForm>, shifts known: [Shift], things: [Thing],
        zone: Zone, currency: String, country home: String? = nil, now: Instant
    ) {
        let today = zone.day(of: now)
        if let typed = self.zone, Zone(typed: typed) == nil {
            submission.reject(\.zone, "Write the time zone like America/Los_Angeles, or leave it empty.")
        }
        if let url, submission.accepts(\.url) {
            if let read = OutsideLink.read(url) {
                submission.fill(\.url, read)
            } else {
                submission.reject(\.url, "Write the link like https://example.org/help.")
            }
        }
        if isOfTime, rhythm == nil, submission.accepts(\.rhythm) {
            submission.reject(\.rhythm, "Choose when people can help.")
        }
        if let until, submission.accepts(\.until), until < today {
            submission.reject(\.until, "Choose a day that is still to come.")
        } else if let until, submission.accepts(\.until), until > today.advanced(by: 366) {
            submission.reject(\.until, "Choose a day within a year.")
        }
        checkAges(&submission)
        checkPlace(&submission)
        checkShifts(&submission, known, zone: zone, now: now)
        checkThings(&submission, things)
        checkMoney(&submission, currency: currency, home: home, today: today)
        if tagList.count > 8 || !tagList.allSatisfy(Tag.fits) {
            submission.reject(\.tags, "Give at most 8 tags of up to 30 characters each.")
        }
    }

    private func checkAges(_ submission: inout Submission<OpportunityForm>) {
        guard isOfTime, withAdult, submission.accepts(\.ageFrom) else { return }
        switch ageFrom {
        case nil: submission.reject(\.ageFrom, "Give the age from which they may come with an adult.")
        case let age? where age >= 18:
            submission.reject(\.ageFrom, "Nobody who is 18 or older needs an adult beside them. Give a lower age.")
        default: break
        }
        if rhythm != nil, !hasShifts {
            submission.reject(\.withAdult, "Children come along to shifts. Choose certain days, or uncheck this box.")
        }
    }

    /// An unverified organization can't invite children. An existing opportunity that already does is unaffected.
    func checkTrust(
        _ submission: inout Submission<OpportunityForm>, in host: Event.Host, instead stored: Opportunity?,
        at now: Instant
    ) {
        guard hasShifts, withAdult, stored?.withAdult != true, host.verified?.holds(at: now) != true else { return }
        submission.reject(
            \.withAdult,
            "Children come along to verified organizations only. Ask the people who run this site to check yours.")
    }

    private func checkPlace(_ submission: inout Submission<OpportunityForm>) {
        guard !isElsewhere else { return }
        if street.isEmpty, placeName == nil { submission.reject(\.street, "Give the address of the place.") }
        if city.isEmpty { submission.reject(\.city, "Give the city or town.") }
        submission.checkTown()
    }

    private func checkShifts(
        _ submission: inout Submission<OpportunityForm>, _ known: [Shift], zone: Zone, now: Instant
    ) {
        guard hasShifts else { return }
        if filledShifts.isEmpty { return submission.reject(\.shifts[0].date, "Give the day of the first shift.") }
        for number in filledShifts {
            let row = shifts[number]
            if row.date == nil { submission.reject(\.shifts[number].date, "Give the day.") }
            if row.start == nil { submission.reject(\.shifts[number].start, "Give the time it starts.") }
            if row.end == nil { submission.reject(\.shifts[number].end, "Give the time it ends.") }
            if row.spots == nil { submission.reject(\.shifts[number].spots, "Say for how many there is room.") }
            guard let date = row.date, let start = row.start, let end = row.end else { continue }
            let times = EventTimes(date, from: start, to: end, in: zone)
            if let problem = times.problem {
                submission.reject(
                    problem.isOfEnd ? \.shifts[number].end : \.shifts[number].start, problem.words)
            }
            let before = row.id.flatMap { id in known.first { $0.id == id } }
            if times.start <= now, before?.startsAt != times.start {
                submission.reject(\.shifts[number].date, "Choose a day that is still to come.")
            } else if date > zone.day(of: now).advanced(by: 366) {
                submission.reject(\.shifts[number].date, "Choose a day within a year.")
            }
            if let taken = before?.taken, let spots = row.spots, spots < taken {
                submission.reject(
                    \.shifts[number].spots,
                    Words(
                        "{count} place is taken: let there be at least as many.",
                        plural: "{count} places are taken: let there be at least as many.", count: taken))
            }
        }
    }

    private func checkThings(_ submission: inout Submission<OpportunityForm>, _ known: [Thing]) {
        for number in filledThings {
            let row = things[number]
            if row.name == nil { submission.reject(\.things[number].name, "Say what is wanted.") }
            if row.wanted == nil { submission.reject(\.things[number].wanted, "Say how many are wanted.") }
            if let promised = row.id.flatMap({ id in known.first { $0.id == id } })?.promised, let wanted = row.wanted,
                wanted < promised
            {
                submission.reject(
                    \.things[number].wanted,
                    Words(
                        "{count} is promised: let there be at least as many.",
                        plural: "{count} are promised: let there be at least as many.", count: promised))
            }
        }
    }

    private func checkMoney(
        _ submission: inout Submission<OpportunityForm>, currency: String, home: String?, today: Day
    ) {
        guard kind == .donate else { return }
        if let goal, submission.accepts(\.goal),
            let problem = Money.problem(with: goal, currency: currency, in: home)
        {
            submission.reject(\.goal, problem)
        }
        if let amount, submission.accepts(\.amount),
            let problem = Money.problem(with: amount, currency: currency, in: home, zero: .nothing)
        {
            submission.reject(\.amount, problem)
        }
        if goal == nil, filledThings.isEmpty { submission.reject(\.things[0].name, "Say what is wanted, or how much.") }
        if goal != nil, url == nil {
            submission.reject(\.url, "Give the link to the page where people give the money.")
        }
        if let asOf, asOf > today { submission.reject(\.asOf, "Choose a day that has been.") }
    }

    /// If help is given from home, the address may be empty.
    var isNowhere: Bool { !isAtHome && placeName == nil && street.isEmpty }

    /// The address; if help is given from home, only the country.
    var shownAddress: Address { isElsewhere ? Address(country: country) : address }

    /// The opportunity it describes, not stored.
    func opportunity(
        by host: Event.Host, zone: Zone, currency: String, country home: String? = nil, now: Instant
    ) -> Opportunity {
        func money(_ typed: String?) -> Money? {
            typed.flatMap { Money(typed: $0, currency: currency, in: home) }
        }
        let kind = kind ?? .volunteer
        let times = filledShifts.compactMap { number -> EventTimes? in
            let row = shifts[number]
            guard let date = row.date, let start = row.start, let end = row.end else { return nil }
            return EventTimes(date, from: start, to: end, in: zone)
        }
        let end = until.map { zone.instant($0.advanced(by: 1), .midnight) }
        let last = hasShifts ? times.map(\.end).max() : nil
        let fund = kind == .donate ? money(goal) : nil
        return Opportunity(
            id: ID(0), kind: kind, host: host, title: title, description: description, language: language,
            conditions: conditions ?? "", url: url ?? "", rhythm: isOfTime ? rhythm ?? .whenever : .whenever,
            hours: isOfTime && rhythm != .shifts ? hours : nil,
            ageFrom: isOfTime ? ageFrom : nil, withAdult: isOfTime && withAdult, isAtHome: isAtHome,
            isWithChildren: isOfTime && isWithChildren, asksFirst: isOfTime && asksFirst,
            fund: fund.map { goal in
                Opportunity.Fund(
                    goal: goal, amount: money(amount),
                    asOf: amount == nil ? nil : asOf ?? zone.day(of: now))
            },
            until: until,
            place: Opportunity.Place(
                name: isElsewhere ? "" : placeName ?? "", address: shownAddress, zone: zone.identifier),
            tags: tagList, wanted: filledThings.reduce(0) { $0 + (things[$1].wanted ?? 0) },
            endsAt: last ?? end ?? now + Opportunity.freshness, createdAt: now, updatedAt: now,
            next: drawnShifts(in: zone).first { $0.startsAt > now })
    }

    /// The shifts of a checked form, in order.
    func drawnShifts(in zone: Zone) -> [Shift] {
        filledShifts.compactMap { number -> Shift? in
            let row = shifts[number]
            guard let date = row.date, let start = row.start, let end = row.end, let spots = row.spots else {
                return nil
            }
            let times = EventTimes(date, from: start, to: end, in: zone)
            return Shift(
                id: row.id ?? ID(0), day: date, start: start, end: end, startsAt: times.start, endsAt: times.end,
                spots: spots, lead: row.lead ?? "")
        }.sorted { $0.startsAt < $1.startsAt }
    }

    var drawnThings: [Thing] {
        filledThings.compactMap { number in
            let row = things[number]
            guard let name = row.name, let wanted = row.wanted else { return nil }
            return Thing(id: row.id ?? ID(0), name: name, wanted: wanted)
        }
    }
}

extension OpportunityForm {
    /// A form to change a stored opportunity.
    init(_ stored: Opportunity, _ shifts: [Shift], _ things: [Thing]) {
        kind = stored.kind
        title = stored.title
        description = stored.description
        language = stored.language
        conditions = stored.conditions.nonEmpty
        rhythm = stored.kind == .donate ? nil : stored.rhythm
        hours = stored.hours
        for (number, shift) in shifts.prefix(Opportunity.mostShifts).enumerated() {
            self.shifts[number] = ShiftRow(
                id: shift.id, date: shift.day, start: shift.start, end: shift.end, spots: shift.spots,
                lead: shift.lead.nonEmpty)
        }
        for (number, thing) in things.prefix(Opportunity.mostThings).enumerated() {
            self.things[number] = ThingRow(id: thing.id, name: thing.name, wanted: thing.wanted)
        }
        goal = stored.fund?.goal.typed
        amount = stored.fund?.amount?.typed
        asOf = stored.fund?.asOf
        until = stored.until
        url = stored.url.nonEmpty
        asksFirst = stored.asksFirst
        ageFrom = stored.ageFrom
        withAdult = stored.withAdult
        isWithChildren = stored.isWithChildren
        isAtHome = stored.isAtHome
        placeName = stored.place.name.nonEmpty
        street = stored.place.address.street
        city = stored.place.address.city
        state = stored.place.address.state
        zip = stored.place.address.zip
        country = stored.place.address.country
        tags = stored.tags.joined(separator: ", ").nonEmpty
    }
}

extension OpportunityForm {
    /// A form to copy a stored opportunity, without its days and what was given.
    init(copying stored: Opportunity, _ shifts: [Shift], _ things: [Thing], today: Day) {
        self.init(stored, shifts, things)
        for number in self.shifts.indices {
            self.shifts[number].id = nil
            self.shifts[number].date = nil
        }
        for number in self.things.indices { self.things[number].id = nil }
        (amount, asOf) = (nil, nil)
        if let until, until < today { self.until = nil }
    }
}

/// The reason for closing an opportunity.
struct CloseForm: Form {
    var reason: String?

    static let fields: [Field<CloseForm>] = [
        .area("reason", \.reason, "Why?", 3...500).hint("Everybody who signed up or promised something reads it.")
    ]
}

extension Draft.Content {
    init(_ submission: Submission<OpportunityForm>) {
        self.init(
            kind: .opportunity, title: submission[\.title].typed, form: Draft.text(of: submission.hidden),
            once: submission.once)
    }
}

extension Submission where F == OpportunityForm {
    /// Fields whose labels differ if it isn't about time.
    var titleInput: Input {
        let input = self[\.title]
        return form.isOfTime ? input : input.reworded(input.label, hint: "Such as: Winter coats for 20 children.")
    }
    var descriptionInput: Input {
        let input = self[\.description]
        return form.isOfTime
            ? input : input.reworded("What it is for", hint: "And what helps most. Web addresses become links.")
    }
    var conditionsInput: Input {
        let input = self[\.conditions]
        return form.isOfTime
            ? input : input.reworded(input.label, hint: "One per line: sizes, condition, opening hours.")
    }
    var homeInput: Input {
        let input = self[\.isAtHome]
        return form.isOfTime ? input : input.reworded("Nothing has to be brought anywhere", hint: input.hint)
    }

    /// The rows to draw, with their inputs.
    var shiftInputs: [(number: Int, id: Input, inputs: [Input])] {
        (0..<form.shownShifts).map { row in
            (
                row + 1, self[\.shifts[row].id],
                [
                    self[\.shifts[row].date], self[\.shifts[row].start], self[\.shifts[row].end],
                    self[\.shifts[row].spots], self[\.shifts[row].lead],
                ]
            )
        }
    }

    var thingInputs: [(number: Int, id: Input, inputs: [Input])] {
        (0..<form.shownThings).map { row in
            (row + 1, self[\.things[row].id], [self[\.things[row].name], self[\.things[row].wanted]])
        }
    }

    /// Where the next row will stand on the page.
    var nextShift: String { "shift-\(form.shownShifts + 1)" }
    var nextThing: String { "thing-\(form.shownThings + 1)" }

    /// The hidden pairs of the visible form, without those of rows, which are drawn with them in the part that a button
    /// changes.
    var unseen: [(name: String, value: String)] {
        carried.filter { !$0.name.hasSuffix(".id") && !$0.name.hasSuffix("_rows") }
    }

    /// The form after one of its rows' buttons was pressed: `add-shift`, `drop-thing-2`, `repeat-shift-week`. What was
    /// typed stays.
    func pressed(_ button: String) throws -> Submission {
        let parts = button.split(separator: "-")
        if parts.count == 3, parts[0] == "repeat", parts[1] == "shift",
            let rhythm = Series.Rhythm(rawValue: String(parts[2]))
        {
            return try repeated(rhythm)
        }
        guard parts.count >= 2, parts[1] == "shift" || parts[1] == "thing" else { throw Refusal.malformed }
        let group = String(parts[1])
        let shown = group == "shift" ? form.shownShifts : form.shownThings
        var count = shown
        var pairs = hidden
        if parts[0] == "add" {
            count += 1
        } else if parts[0] == "drop", parts.count == 3, let dropped = Int(parts[2]), (1...shown).contains(dropped) {
            count -= 1
            pairs = pairs.compactMap { pair in
                let name = pair.name.split(separator: ".")
                guard name.count == 3, name[0] == group, let row = Int(name[1]) else { return pair }
                guard row != dropped - 1 else { return nil }
                return row < dropped ? pair : ("\(group).\(row - 1).\(name[2])", pair.value)
            }
        }
        pairs.removeAll { $0.name == "\(group)_rows" }
        pairs.append(("\(group)_rows", "\(count)"))
        return Submission(unfinished: try Draft.form(Draft.text(of: pairs)))
    }

    /// The form with the last shift repeated in this rhythm until the given day, as far as rows allow. Each becomes a
    /// separate shift that can be changed or removed.
    private func repeated(_ rhythm: Series.Rhythm) throws -> Submission {
        var again = Submission(unfinished: try Draft.form(Draft.text(of: hidden)))
        let last = form.shifts.lastIndex { !$0.isEmpty } ?? 0
        guard let day = form.shifts[last].date else {
            again.reject(\.shifts[last].date, "Give the day of the shift that is repeated.")
            return again
        }
        guard let until = form.repeatUntil, until > day else {
            again.reject(\.repeatUntil, "Choose a day after the last shift.")
            return again
        }
        let (room, next) = (Opportunity.mostShifts - last - 1, rhythm.days(after: day, count: 1)[0])
        guard next <= until else {
            again.reject(
                \.repeatUntil, "The next one would be on \(next.name, as: "day"): choose that day or a later one.")
            return again
        }
        let wanted = rhythm.days(after: day, count: room + 1).filter { $0 <= until }
        let days = wanted.prefix(room)
        let full: Words = """
            There is room for \(Opportunity.mostShifts, as: "count") shifts here. You can repeat the last one again \
            once some of them are over.
            """
        guard !days.isEmpty else {
            again.reject(full)
            return again
        }
        func row(_ name: String) -> (number: Int, column: String)? {
            let parts = name.split(separator: ".")
            guard parts.count == 3, parts[0] == "shift", let number = Int(parts[1]) else { return nil }
            return (number, String(parts[2]))
        }
        // Rows after the last shift are empty.
        var pairs = hidden.filter { $0.name != "shift_rows" && row($0.name)?.number ?? 0 <= last }
        let same = pairs
        for (number, day) in days.enumerated() {
            for pair in same {
                guard let (of, column) = row(pair.name), of == last, column != "id" else { continue }
                pairs.append(("shift.\(last + 1 + number).\(column)", column == "date" ? day.iso : pair.value))
            }
        }
        pairs.append(("shift_rows", "\(last + 1 + days.count)"))
        var repeated = Submission(unfinished: try Draft.form(Draft.text(of: pairs)))
        if wanted.count > days.count { repeated.reject(full) }
        return repeated
    }
}
