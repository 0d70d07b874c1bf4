import Forms
import Templating

/// A member's sign-up to help, for one shift or without a shift.
struct Signup: Sendable {
    let id: ID<Signup>
    let opportunity: ID<Opportunity>
    let title: String
    let kind: Opportunity.Kind
    let host: ID<Account>
    let hostName: String
    let account: ID<Account>
    let shift: Shift?
    let state: State
    let message: String
    let createdAt: Instant
    /// The place's name; possibly empty.
    let placeName: String
    let address: Address
    let coordinate: Coordinate?
    /// The place's time zone.
    let zone: String
    /// When it was last changed, also by a change of the opportunity.
    let changedAt: Instant
    /// Whether the organization canceled it, rather than the member.
    var isCalledOff = false
    /// Whether nobody answered in time.
    var isLapsed = false
    /// The organization's reason for accepting nobody anymore; nil while it does.
    var closing: String?
    /// The number of places: the member's own and the companions'.
    var places = 1
    /// The children who come along.
    var companions: [Companion] = []
    /// The young people without an account who come along.
    var young = YoungPerson.Count()
    /// Whether the organization recorded an absence; nobody else sees it.
    var isMissed = false

    /// The begin, by which upcoming ones are sorted; far in the future without a shift.
    var beginsAt: Instant { shift?.startsAt ?? Self.noShift }
    static let noShift = Instant(milliseconds: 99_999_999_999_999)
    /// Entries per page: upcoming ones, and those without reported hours.
    static let aheadSize = 200, pastSize = 20

    /// The person in charge, on one line; nil if there is none.
    var with: Words? {
        let names = companions.map { Words(verbatim: $0.name) } + young.words
        return names.isEmpty ? nil : names.listed(.short)
    }

    enum State: String, Sendable, CaseIterable {
        /// The organization hasn't answered yet.
        case asked
        case confirmed, declined, cancelled

        var name: Words {
            switch self {
            case .asked: "Waiting for their yes or no"
            case .confirmed: "You help"
            case .declined: "They couldn’t take you"
            case .cancelled: "Given back"
            }
        }
    }

    /// Its state.
    func standing(at now: Instant) -> Words {
        if isCalledOff { return "They called it off" }
        if isLapsed || state == .asked && !canBeAnswered(at: now) { return "There was no answer in time" }
        return state == .confirmed && kind == .shadow ? "You come along" : state.name
    }

    /// Whether the organization can still answer: until the shift begins, and while it accepts people.
    func canBeAnswered(at now: Instant) -> Bool {
        state == .asked && (shift.map { $0.isOpen(at: now) } ?? (closing == nil))
    }

    /// The place on one line.
    var place: Words { Words(AddressLine(name: placeName, address: address)) }

    var isHeld: Bool { state == .asked || state == .confirmed }

    /// Whether it can be given back: until the shift begins.
    func canGiveBack(at now: Instant) -> Bool { isHeld && (shift.map { $0.startsAt > now } ?? true) }

    /// Its hours.
    var stay: Stay { Stay(self) }

    var link: Link { Link.signup(id) }
    /// What it is on a map.
    func pin(at coordinate: Coordinate) -> MapDrawing.Place {
        MapDrawing.Place(coordinate: coordinate, name: Words(verbatim: title), link: .opportunity(opportunity))
    }

    /// The time on one line.
    var when: Words { shift?.moment ?? "As agreed" }

    /// The zone's name, if it isn't the reader's.
    func zoneName(for reader: Zone) -> Words? {
        guard let shift else { return nil }
        let zone = Zone(stored: zone)
        return zone.offset(at: shift.startsAt) != reader.offset(at: shift.startsAt) ? zone.name : nil
    }

    /// How often an organization has to say no to somebody for a shift, or for an opportunity without shifts: they may
    /// have been misunderstood, and ask once more.
    static let mostNos = 2

    /// The reasons why a member can't sign up.
    enum Refused: Error, Equatable {
        case closed, own, elsewhere, none, nobody, late, withoutChildren, young, twice, waitsTwice, refused
        case full(Shift)
        case few(Shift)

        /// The part of the form in which another choice helps; nil if none does.
        var part: OpportunityPage.Part? {
            switch self {
            case .closed, .own, .elsewhere: nil
            case .none, .late, .refused, .full, .few: .shifts
            case .nobody, .withoutChildren, .young, .twice, .waitsTwice: .companions
            }
        }

        var words: Words {
            switch self {
            case .closed: "This isn’t open anymore."
            case .own: "It is your own organization’s: others sign up for it."
            case .elsewhere: "You sign up for this on another site."
            case .none: "Choose a shift."
            case .nobody: "Choose which of your children come along."
            case .late: "That shift has begun, or was called off. Choose another."
            case .withoutChildren: "Children can’t come along here."
            case .young: "One of the children is too young for it on that day."
            case .twice: "One of the children is in that shift already."
            case .waitsTwice: "One of the children waits for that shift already, with the other parent."
            case .refused:
                """
                They said no to you twice. Their answer stands: choose another shift, or look for another way to help.
                """
            // With its hours: there may be others that day.
            case .few(let shift):
                "There aren’t enough places for all of you in the shift on \(shift.moment, as: "day")."
            case .full(let shift): "The shift on \(shift.moment, as: "day") is full now. Choose another."
            }
        }
    }
}

/// The form to sign up: the shifts are checked separately, because each opportunity has its own.
struct SignupForm: Form {
    var message: String?

    static let fields: [Field<SignupForm>] = [
        .area("message", \.message, "A word to them", 1...500).hint("No child’s name, please.")
    ]
}

/// The form for hours.
struct HoursForm: Form {
    var hours = ""
    var day: Day?

    static let fields: [Field<HoursForm>] = [
        .text("hours", \.hours, "Hours", 1...20).narrow.inputmode("decimal").autocomplete("off")
            .hint("Half an hour is 0.5.").missing("Say how many hours."),
        .date("day", \.day, "Day"),
    ]

    var minutes: Int? { Hours.minutes(hours) }
}

/// Typed hours, in quarters.
enum Hours {
    /// Parses `3`, `2.5`, `2,25`, `1:30`, `1h30`, `3 hours`, `90 min`, `1 h 30 min`, `1½`, `2 1/4`; nil for anything
    /// else, for zero, and for more than 26 hours.
    static func minutes(_ typed: String) -> Int? {
        let text = typed.plainSigns.lowercased().squeezed
        guard text.utf8.count <= 40 else { return nil }
        let minutes = clocked(text) ?? parted(text)
        return minutes.flatMap { (1...1_560).contains($0) ? $0 : nil }
    }

    /// `1:30`, `1h30`, `1:30 h`.
    private static func clocked(_ text: String) -> Int? {
        let parts = text.split(omittingEmptySubsequences: false) { ":h".contains($0) }
        guard parts.count == 2 || (parts.count == 3 && parts[2].isEmpty) else { return nil }
        let minutes = parts[1].filter { $0 != " " }
        guard parts[0].utf8.count <= 3, minutes.utf8.count == 2, let hours = Int(parts[0].filter { $0 != " " }),
            let rest = Int(minutes), hours >= 0, 0..<60 ~= rest
        else { return nil }
        return hours * 60 + rest
    }

    /// Hours, minutes, or both, each with its unit; a number without one is hours.
    private static func parted(_ text: String) -> Int? {
        var rest = text[...]
        var sum = 0
        var units: [Bool] = []
        while !rest.isEmpty {
            let number = rest.prefix { $0.isNumber || ".,\u{66B}/ ".contains($0) }
            rest = rest[number.endIndex...]
            let unit = rest.prefix { $0.isLetter || $0 == "." }
            rest = rest[unit.endIndex...].drop { $0 == " " }
            let word = unit.filter(\.isLetter)
            guard let isHours = word.isEmpty || isHour(word) ? true : isMinute(word) ? false : nil,
                !units.contains(isHours), units.last != false, let hundredths = hundredths(number)
            else { return nil }
            units.append(isHours)
            sum += isHours ? (hundredths * 60 + 50) / 100 : hundredths / 100
        }
        return units.isEmpty ? nil : sum
    }

    /// A number of at most three digits with decimals or a fraction, in hundredths.
    private static func hundredths(_ typed: Substring) -> Int? {
        var text = String(typed.map { ",\u{66B}".contains($0) ? "." : $0 })
        for (sign, fraction) in [("½", " 1/2"), ("¼", " 1/4"), ("¾", " 3/4")] { text.replace(sign, with: fraction) }
        let words = text.split(separator: " ")
        guard (1...2).contains(words.count) else { return nil }
        if let last = words.last, last.contains("/") {
            let fractions = ["1/2": 50, "1/4": 25, "3/4": 75]
            guard let part = fractions[String(last)] else { return nil }
            if words.count == 1 { return part }
            return words[0].utf8.count <= 3 && words[0].isDigits ? Int(words[0]).map { $0 * 100 + part } : nil
        }
        let parts = words[0].split(separator: ".", omittingEmptySubsequences: false)
        guard words.count == 1, (1...2).contains(parts.count), parts[0].utf8.count <= 3,
            parts[0].isDigits || (parts[0].isEmpty && parts.count == 2), let hours = Int("0" + parts[0])
        else { return nil }
        let part = parts.count == 2 ? String(parts[1]) : "0"
        guard (1...2).contains(part.utf8.count), part.isDigits else { return nil }
        return (Int(part.utf8.count == 1 ? part + "0" : part) ?? 0) + hours * 100
    }

    private static func isHour(_ word: String) -> Bool {
        let words: Set<String> = [
            "h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden", "hora", "horas", "heure", "heures", "ora",
            "ore", "uur", "uren", "godz", "час", "часа", "часов", "год", "时", "時間", "小时", "小時", "시간", "ساعة", "ساعات",
        ]
        return words.contains(word)
    }

    private static func isMinute(_ word: String) -> Bool {
        let words: Set<String> = [
            "m", "min", "mins", "minute", "minutes", "minuten", "minuto", "minutos", "minuti", "мин", "хв", "分", "分钟",
            "分鐘", "분", "دقيقة", "دقائق",
        ]
        return words.contains(word)
    }

    /// For a form: `2.5`.
    static func typed(_ minutes: Int) -> String {
        let hundredths = (minutes * 100 + 30) / 60
        let rest = hundredths % 100
        if rest == 0 { return "\(hundredths / 100)" }
        return "\(hundredths / 100)." + (rest % 10 == 0 ? "\(rest / 10)" : digits(rest, 2))
    }

    /// For a page: `3 hours`, `2.5 hours`.
    static func words(_ minutes: Int) -> Words {
        minutes % 60 == 0
            ? Words("{count} hour", plural: "{count} hours", count: minutes / 60)
            : "\(Figure(minutes: minutes), as: "number") hours"
    }

    /// Only the number, to a tenth.
    static func figure(_ minutes: Int) -> Words { Words(Figure(minutes: minutes)) }

    private struct Figure: LocalValue {
        let minutes: Int

        func text(in locale: String) -> String {
            let tenths = (minutes * 10 + 30) / 60
            let formats = Formats.of(locale)
            return tenths % 10 == 0 ? formats.text(tenths / 10) : formats.text(tenths: tenths)
        }
    }
}

/// The helpers, as the organization sees them.
struct HelperList: Sendable {
    let opportunity: Opportunity
    /// The position of the page; nil for the first one.
    let after: Cursor<ID<Signup>>?
    /// The same for the promises.
    let promisedAfter: Cursor<ID<Promise>>?
    let page: Page<Helper>
    let promised: Page<PromiseRow>
    /// Hours to be confirmed.
    var hours: [HoursRow]
    /// Confirmed hours of this page's helpers, and reported hours of those who didn't come.
    var days: [HoursRow]
    /// The key of the row whose hours are being changed.
    var changing: String?
    /// What is wrong with the hours that were sent.
    var problems: [Problem] = []
    /// The organization's confirmations, hours and things, last first.
    let confirmed: Page<ConfirmedRow>
    let shifts: [Shift]
    /// People without an account whom the organization added.
    let guests: [(guest: Guest, shift: Shift)]
    /// Members on a shift's waiting list.
    let waiting: [WaitingRow]
    /// Whether more are waiting than shown.
    let hidesWaiting: Bool
    /// Requests that were just declined.
    var undos: [Undo] = []
    /// Where its reader can talk with those who asked to help.
    var threads: [ID<Account>: TalkThread] = [:]
    /// When somebody who asks was told no before, because colleagues don't know what another one said.
    let refused: [ID<Account>: Instant]

    /// A member who signed up.
    struct Helper: Sendable {
        var signup: Signup
        let name: String
        let email: String
        /// Nil unless they share it with organizations where they help.
        let phone: String?
        var mail: Link? { Link(writingTo: email) }
        /// The children who come along, with their age on that day, and other companions.
        var with: [Words] {
            (signup.shift.map { shift in signup.companions.map { $0.words(on: shift.day) } } ?? [])
                + signup.young.detail
        }
    }

    /// A member who promised a thing.
    struct PromiseRow: Sendable {
        let promise: Promise
        let name: String
        let email: String
        var mail: Link? { Link(writingTo: email) }
    }

    /// A member who waits for a place in a shift.
    struct WaitingRow: Sendable {
        let shift: Shift
        let name: String
        let message: String
        let companions: [Companion]
        var with: [Words] { companions.map { $0.words(on: shift.day) } }

        var withoutChildren: WaitingRow { WaitingRow(shift: shift, name: name, message: message, companions: []) }
    }

    /// Help that the organization confirmed.
    struct ConfirmedRow: Sendable {
        let contribution: Contribution
        let name: String

        /// The amount: hours, or things by name.
        var words: Words {
            contribution.confirmed.map { Hours.words($0) } ?? Words(verbatim: contribution.title)
        }
    }

    /// Hours of a helper on one day, confirmed or not.
    struct HoursRow: Sendable {
        let stay: Stay
        let name: String
        let day: Day
        /// The reported minutes; nil if none.
        let said: Int?
        /// The confirmation; nil if there is none yet.
        let confirmed: Contribution.Confirmation?
        /// The form's values: initially the confirmation, the reported hours, or the shift's times and hours.
        var entry: Entry
        /// The values with which the form was drawn; nil before it is sent.
        var drawn: Entry?

        /// An organization's values for one day of one helper.
        struct Entry: Sendable {
            var arrival = ""
            var departure = ""
            var hours = ""
            var isChosen = false
            /// Whether they didn't come.
            var isMissed = false

            /// The times and hours as a hidden value of a form.
            var kept: String { "\(arrival) \(departure) \(hours)" }
            /// How the times are drawn: as a clock of the visitor's country, or as text if they can't be read.
            var arrivalType: String { Control.time.type(showing: arrival) }
            var departureType: String { Control.time.type(showing: departure) }
        }

        init(_ stay: Stay, name: String, day: Day, said: Int?, confirmed: Contribution.Confirmation? = nil) {
            (self.stay, self.name, self.day, self.said) = (stay, name, day, said)
            self.confirmed = confirmed
            entry = Self.usual(stay, said, confirmed)
        }

        /// The confirmation on one line: the day if there is no shift, the times, and the hours.
        var words: Words? {
            guard let confirmed else { return nil }
            let hours = Hours.words(confirmed.minutes)
            let time = confirmed.arrived.map { EventTimes.words(from: $0, to: confirmed.left) }
            let facts = [stay.shift == nil ? day.name : nil, time].compactMap(\.self)
            return Words(joining: facts.flatMap { [$0, Words(verbatim: " · ")] } + [hours])
        }

        func canChange(at now: Instant) -> Bool { confirmed != nil && stay.canCorrect(day, at: now) }

        private static func usual(_ stay: Stay, _ said: Int?, _ confirmed: Contribution.Confirmation?) -> Entry {
            if let confirmed {
                return Entry(
                    arrival: confirmed.arrived?.iso ?? "", departure: confirmed.left?.iso ?? "",
                    hours: Hours.typed(confirmed.minutes))
            }
            let minutes = said ?? stay.mostMinutes
            var entry = Entry(hours: Hours.typed(minutes), isChosen: said != nil)
            if let shift = stay.shift {
                entry.arrival = shift.start.iso
                entry.departure = Self.departure(stay, shift.day, from: shift.start, after: minutes).iso
            }
            return entry
        }

        /// The day on which somebody came: in the night of a shift that passes midnight it is the next.
        private static func day(_ stay: Stay, _ day: Day, of arrival: TimeOfDay) -> Day {
            guard let shift = stay.shift, shift.end <= shift.start, arrival < shift.end else { return day }
            return day.advanced(by: 1)
        }

        /// What the clock of the place shows when somebody leaves who was there for so long.
        private static func departure(
            _ stay: Stay, _ day: Day, from arrival: TimeOfDay, after minutes: Int
        ) -> TimeOfDay {
            let zone = Zone(stored: stay.zone)
            return zone.local(zone.instant(Self.day(stay, day, of: arrival), arrival) + .minutes(minutes)).time
        }

        /// How long somebody was there by these times, in minutes: where clocks are set anew meanwhile, not as long as
        /// they show.
        private func span(from arrival: TimeOfDay, to departure: TimeOfDay) -> Int {
            guard arrival != departure else { return 0 }
            let times = EventTimes(
                Self.day(stay, day, of: arrival), from: arrival, to: departure, in: Zone(stored: stay.zone))
            return Int((times.end - times.start).components.seconds / 60)
        }

        /// Names it in the form.
        var key: String { "\(stay.holder.typed)-\(day.iso)" }
        var field: String { "hours-\(key)" }
        var tick: String { "confirm-\(key)" }
        var arrivalField: String { "in-\(key)" }
        var departureField: String { "out-\(key)" }
        var missedField: String { "missed-\(key)" }
        var drawnField: String { "drawn-\(key)" }

        /// Whether other times or hours were typed than the form was drawn with.
        var isTyped: Bool { drawn.map { $0.kept != entry.kept } ?? false }

        /// Whether a form contained this row.
        func isIn(_ body: FormBody) -> Bool { body[field] != nil }

        /// The row with the typed values; unchanged if the form didn't contain it.
        func filled(from body: FormBody) -> HoursRow {
            guard let hours = body[field] else { return self }
            var row = self
            row.entry = Entry(
                arrival: body[arrivalField] ?? "", departure: body[departureField] ?? "", hours: hours,
                isChosen: body[tick] != nil, isMissed: stay.shift != nil && body[missedField] != nil)
            let parts = body[drawnField]?.split(separator: " ", omittingEmptySubsequences: false).map(String.init) ?? []
            if parts.count == 3 { row.drawn = Entry(arrival: parts[0], departure: parts[1], hours: parts[2]) }
            return row
        }

        /// The values can't be parsed or are inconsistent.
        struct Unfit: Error {
            let problem: Problem

            init(_ field: String, _ words: Words) { problem = Problem(name: field, words: words) }
        }

        /// The confirmation from the values. If only the times were changed, the hours are computed from them; if only
        /// the hours were, the end is; if both were, the difference is a break.
        ///
        /// - Throws: `Unfit`.
        func confirmation() throws(Unfit) -> Contribution.Confirmation {
            let arrived = try time(entry.arrival, in: arrivalField)
            var left = try time(entry.departure, in: departureField)
            guard (arrived == nil) == (left == nil) else {
                throw Unfit(
                    arrived == nil ? arrivalField : departureField,
                    "Give both times of \(name, as: "name"), or none.")
            }
            var minutes = Hours.minutes(entry.hours)
            let usual = drawn ?? Self.usual(stay, said, confirmed)
            let isMoved = entry.arrival != usual.arrival || entry.departure != usual.departure
            if isMoved, let arrived, let end = left {
                // Only a shift that itself passes midnight has people who leave on the next day.
                guard end >= arrived || stay.shift.map({ $0.end <= $0.start }) ?? false else {
                    throw Unfit(
                        departureField, "Check the times of \(name, as: "name"): the end is before the beginning.")
                }
                let span = span(from: arrived, to: end)
                // A stay beyond the shift is noted, and counts as the whole shift.
                if entry.hours == usual.hours { minutes = min(span, stay.mostMinutes) }
                if let minutes, minutes > span || span == 0 {
                    throw Unfit(
                        field,
                        """
                        By these times \(name, as: "name") was there for \(Hours.words(span), as: "hours"): \
                        it can’t be more.
                        """)
                }
            }
            guard let minutes else {
                throw Unfit(field, "Write the hours of \(name, as: "name") like 3, 2.5 or 1:30.")
            }
            guard minutes <= stay.mostMinutes else {
                throw Unfit(
                    field,
                    """
                    Check the hours of \(name, as: "name"): more than \
                    \(Hours.words(stay.mostMinutes), as: "hours") can’t be confirmed.
                    """)
            }
            if !isMoved, minutes != Hours.minutes(usual.hours), let arrived {
                left = Self.departure(stay, day, from: arrived, after: minutes)
            }
            return Contribution.Confirmation(
                of: stay.holder, day: day, minutes: minutes, arrived: arrived, left: left)
        }

        private func time(_ typed: String, in field: String) throws(Unfit) -> TimeOfDay? {
            guard !typed.allSatisfy(\.isWhitespace) else { return nil }
            guard let time = TimeOfDay(typed: typed) else {
                throw Unfit(field, "Write the times of \(name, as: "name") like 9:00 or 2:30 pm.")
            }
            return time
        }
    }

    /// The helpers of each shift, in order; first those without one.
    var groups: [(shift: Shift?, helpers: [Helper])] {
        var groups: [(shift: Shift?, helpers: [Helper])] = []
        for helper in helpers.sorted(by: {
            ($0.signup.shift?.startsAt.milliseconds ?? 0, $0.signup.id)
                < ($1.signup.shift?.startsAt.milliseconds ?? 0, $1.signup.id)
        }) {
            if let last = groups.last, last.shift?.id == helper.signup.shift?.id {
                groups[groups.count - 1].helpers.append(helper)
            } else {
                groups.append((helper.signup.shift, [helper]))
            }
        }
        return groups
    }

    var helpers: [Helper] { page.items }

    /// When somebody who asks was told no before; nil for everybody else.
    func refusal(of helper: Helper) -> Instant? {
        helper.signup.state == .asked ? refused[helper.signup.account] : nil
    }

    /// What was confirmed of a helper, or what they say of a shift to which they didn't come.
    func noted(of helper: Helper) -> [HoursRow] { noted(of: .signup(helper.signup.id)) }

    func noted(of holder: Stay.Holder) -> [HoursRow] { days.filter { $0.stay.holder == holder } }

    /// The promises, starting with those said to be kept.
    var promises: [PromiseRow] {
        promised.items.filter(\.promise.waits) + promised.items.filter { !$0.promise.waits }
    }

    /// The page of the list that is shown. Answering or confirming somebody leads back to it.
    var link: Link { start.after(after).after(promisedAfter, .promised) }

    /// The address for the form of hours, including its page.
    var confirming: Link { (opportunity.link / "hours").after(after).after(promisedAfter, .promised) }

    /// Whether all hours chosen in a form have been confirmed or marked as absences since its page was drawn.
    func hasSettled(_ body: FormBody, isAll: Bool) -> Bool {
        let prefixes = isAll ? ["hours-"] : ["confirm-", "missed-"]
        let keys = body.entries.compactMap { entry in
            prefixes.first { entry.name.hasPrefix($0) }.map { String(entry.name.dropFirst($0.count)) }
        }
        let waiting = Set(hours.map(\.key))
        return !keys.isEmpty && keys.allSatisfy { !waiting.contains($0) }
    }

    /// Whether it is noted that the one in a row with this key didn't come.
    func isMissed(_ key: String) -> Bool {
        let holders: [Stay.Holder] =
            helpers.filter(\.signup.isMissed).map { .signup($0.signup.id) }
            + guests.filter(\.guest.isMissed).map { .guest($0.guest.id) }
        return holders.contains { key.hasPrefix("\($0.typed)-") }
    }

    /// Whether a form said something else of somebody than what was confirmed, or marked as an absence, since its page
    /// was drawn.
    func isOvertaken(by body: FormBody, isAll: Bool) -> Bool {
        let keys = body.entries.compactMap { $0.name.hasPrefix("hours-") ? String($0.name.dropFirst(6)) : nil }
        let isAbsent = keys.contains { key in
            (isAll || body["confirm-\(key)"] != nil) && body["missed-\(key)"] == nil && isMissed(key)
        }
        return isAbsent || days.contains { row in
            guard row.confirmed != nil, row.isIn(body) else { return false }
            let typed = row.filled(from: body).entry
            guard isAll || typed.isChosen || typed.isMissed else { return false }
            // As its page read it, whether or not the helper had said something by then.
            let readings = [nil, row.said].map { said in
                try? HoursRow(row.stay, name: row.name, day: row.day, said: said).filled(from: body).confirmation()
            }
            return typed.isMissed || !readings.contains(row.confirmed)
        }
    }

    private var start: Link { opportunity.link / "signups" }
    var more: Link? { page.more(at: start) }
    var morePromised: Link? { promised.more(at: start, .promised) }
    var moreConfirmed: Link? { confirmed.more(at: start, .confirmed) }

    var isEmpty: Bool {
        helpers.isEmpty && guests.isEmpty && promises.isEmpty && hours.isEmpty && confirmed.items.isEmpty
            && waiting.isEmpty
    }

    /// Whether people who asked for no shift can still be accepted.
    func takesPeople(at now: Instant) -> Bool { opportunity.rhythm == .shifts || opportunity.isOpen(at: now) }

    /// A spreadsheet like that of an event's list, with everything on the page; times are in the place's zone.
    func sheet(in language: Language) -> Spreadsheet {
        let zone = opportunity.place.zone
        var sheet = Spreadsheet([
            "Day", "From (\(zone, as: "zone"))", "To (\(zone, as: "zone"))", "Name", "With", "E-mail", "Phone",
            Words("State", context: "how a sign-up stands"), "Message", "What", "Count", "Holds until", "Hours",
        ])
        func add(
            _ name: String, _ state: String, in shift: Shift? = nil, on day: Day? = nil, with: [Words] = [],
            email: String = "", phone: String = "", message: String = "", what: String = "", count: Int? = nil,
            until: Day? = nil,
            minutes: Int? = nil
        ) {
            sheet.add([
                .text((shift?.day ?? day)?.iso ?? ""), .text(shift?.start.iso ?? ""), .text(shift?.end.iso ?? ""),
                .text(name), .text(with.map { $0.text(in: language) }.joined(separator: ", ")), .text(email),
                .phone(phone), .text(state), .text(message), .text(what), count.map { .number($0) } ?? .empty,
                .text(until?.iso ?? ""), .decimal(minutes.map(Hours.typed) ?? ""),
            ])
        }
        for helper in helpers {
            add(
                helper.name, helper.signup.state.rawValue, in: helper.signup.shift, with: helper.with,
                email: helper.email, phone: helper.phone ?? "", message: helper.signup.message)
        }
        for (guest, shift) in guests { add(guest.name, "added", in: shift, phone: guest.phone ?? "") }
        for row in waiting { add(row.name, "waiting", in: row.shift, with: row.with, message: row.message) }
        for row in promises {
            add(
                row.name, row.promise.waits ? "brought" : "promised", email: row.email, what: row.promise.thingName,
                count: row.promise.count, until: opportunity.zone.day(of: row.promise.endsAt))
        }
        for row in hours { if let said = row.said { add(row.name, "said", on: row.day, minutes: said) } }
        for row in confirmed.items {
            let one = row.contribution
            add(
                row.name, "given", on: one.day, what: one.confirmed == nil ? one.title : "", count: one.count,
                minutes: one.confirmed)
        }
        return sheet
    }
}

/// A member's help, for Today and My week.
struct Helping: Sendable {
    let signups: [Signup]
    let promises: Page<Promise>
    /// Their promises to neighbors.
    var claims = Page<ClaimLine>.empty
    /// Their threads with unread messages, without those shown beside their promises.
    var threads: [TalkThread] = []

    var isEmpty: Bool { signups.isEmpty && promises.items.isEmpty && claims.items.isEmpty }
    /// The next three.
    var next: [Signup] { Array(signups.filter { $0.shift != nil }.prefix(3)) }
}
