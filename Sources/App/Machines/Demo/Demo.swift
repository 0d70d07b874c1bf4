import FoundationEssentials

/// A lively demo town on a given day: its people, events and participants. ``DemoTown`` has the texts.
///
/// Everything is decided here and stored by `store`. The same day always gives the same town.
struct Demo: Sendable {
    static let password = "a village of our own"

    let now: Instant
    let homes: [Home]
    /// In order of publication.
    let happenings: [Happening]
    /// In order of registration.
    let parties: [Party]

    /// A family with its children.
    struct Home: Sendable {
        let household: DemoTown.Household
        let children: [Child]
    }

    /// An event and its history.
    struct Happening: Sendable {
        let organization: Int
        let event: Event
        let questions: [DemoTown.Question]
        let publishedAt: Instant
        let cancelledAt: Instant?

        var organizer: String { DemoTown.organizations[organization].username }
    }

    /// Children of one home who come to a happening, both given by number.
    struct Party: Sendable {
        let happening: Int
        let home: Int
        let children: [Child]
        let registeredAt: Instant
        /// When the places were given back, if ever.
        let givenBackAt: Instant?
    }

    init(at now: Instant, zone: Zone, currency: String) {
        var random = SeededGenerator(seed: 20_050_624)
        self.now = now
        let today = zone.day(of: now)
        homes = DemoTown.households.map { Home($0, today: today, &random) }
        happenings = Self.happenings(now, zone, currency, &random)
        var guests = Guests(homes, now: now)
        parties = guests.invited(to: happenings, &random)
    }

    private static func happenings(
        _ now: Instant, _ zone: Zone, _ currency: String, _ random: inout SeededGenerator
    ) -> [Happening] {
        let today = zone.day(of: now)
        let monday = today.advanced(by: -today.weekday)
        var happenings: [Happening] = []
        for (number, organization) in DemoTown.organizations.enumerated() {
            for offer in organization.offers {
                for week in offer.weeks {
                    let form = EventForm(offer, by: organization, monday: monday.advanced(by: 7 * week))
                    let event = form.preview(by: .unknown, zone: zone, currency: currency)
                    let ahead = Duration.hours(24 * 4 + random.number(in: 0..<24 * 9))
                    happenings.append(
                        Happening(
                            organization: number, event: event, questions: offer.questions,
                            publishedAt: min(event.startsAt - .days(26), now) - ahead,
                            cancelledAt: offer.cancelled.contains(week) ? min(event.startsAt, now) - .hours(20) : nil))
                }
            }
        }
        return happenings.sorted { $0.publishedAt < $1.publishedAt }
    }
}

extension Demo.Home {
    /// The children get a birth month that makes them as old today as the household says.
    fileprivate init(_ household: DemoTown.Household, today: Day, _ random: inout SeededGenerator) {
        self.household = household
        var children: [Child] = []
        for (nickname, age) in household.children {
            let month = today.year * 12 + today.month - 1 - age * 12 - random.number(in: 2...11)
            children.append(
                Child(id: ID(0), nickname: nickname, birthMonth: month % 12 + 1, birthYear: month / 12))
        }
        self.children = children
    }

    /// The family's profile.
    var form: FamilyForm {
        FamilyForm(
            firstName: household.firstName, lastName: household.lastName, city: DemoTown.city(of: household.zip),
            zip: household.zip, country: "US", numberOfChildren: household.children.count,
            ageGroups: AgeGroup.allCases.filter { group in household.children.contains { group.contains($0.age) } })
    }
}

extension AgeGroup {
    /// Whether the group includes this age.
    fileprivate func contains(_ age: Int) -> Bool {
        switch self {
        case .baby: (0...2).contains(age)
        case .preschool: (3...5).contains(age)
        case .school: (6...8).contains(age)
        case .older: (9...12).contains(age)
        case .teen: age >= 13
        }
    }
}

extension EventForm {
    /// The offer in the week that begins on `monday`, as the organization would enter it.
    fileprivate init(_ offer: DemoTown.Offer, by organization: DemoTown.Organization, monday: Day) {
        let venue = offer.venue ?? organization.venue
        self.init(
            title: offer.title, description: offer.text, language: DemoTown.language,
            otherLanguage: offer.spanish == nil ? nil : DemoTown.secondLanguage,
            otherTitle: offer.spanish?.title, otherDescription: offer.spanish?.text,
            date: monday.advanced(by: offer.weekday.rawValue),
            startTime: offer.start, endTime: offer.end, street: venue.street, city: venue.city, state: "CA",
            zip: venue.zip, country: "US", spots: offer.spots, covidSafe: offer.covidSafe, ageFrom: offer.ageFrom,
            ageTo: offer.ageTo, price: offer.price, tags: offer.tags)
    }
}

extension OpportunityForm {
    /// The opportunity as an organization would enter it.
    init(_ call: DemoTown.Call, at address: Address, today: Day) {
        kind = call.kind
        title = call.title
        description = call.text
        language = DemoTown.language
        conditions = call.conditions.nonEmpty
        tags = call.tags
        if kind != .donate { rhythm = !call.shifts.isEmpty ? .shifts : call.isRegular ? .regular : .whenever }
        for (row, ahead) in call.shifts.enumerated() {
            shifts[row] = ShiftRow(
                date: today.advanced(by: ahead), start: TimeOfDay(typed: call.start), end: TimeOfDay(typed: call.end),
                spots: call.spots, lead: "Dolores")
        }
        for (row, thing) in call.things.enumerated() { things[row] = ThingRow(name: thing.0, wanted: thing.1) }
        hours = call.hours
        ageFrom = call.ageFrom
        withAdult = call.withAdult
        asksFirst = call.asksFirst
        isAtHome = call.isAtHome
        isWithChildren = call.isWithChildren
        goal = call.goal
        amount = call.amount
        url = call.url
        country = address.country
        guard !call.isAtHome else { return }
        street = address.street
        city = address.city
        state = address.state
        zip = address.zip
    }
}

extension Event.Host {
    /// A placeholder until the provider is stored.
    fileprivate static let unknown = Event.Host(id: ID(0), username: "", name: "", person: nil)
}

extension ProviderForm {
    init(_ organization: DemoTown.Organization, phone: String) {
        self.init(
            firstName: organization.firstName, lastName: organization.lastName, organization: organization.name,
            designation: organization.designation, street: organization.venue.street, city: organization.venue.city,
            state: "CA", zip: organization.venue.zip, country: "US", phone: phone,
            email: "\(organization.username)@example.org", website: "https://\(organization.username).example.org",
            scope: organization.scope, mission: organization.mission, kind: organization.kind,
            asks: organization.asks)
    }
}

/// Decides who comes to which event: a child fits the ages and goes to one event per day.
private struct Guests {
    private struct Outing: Hashable {
        let home: Int, child: String, day: Day
    }

    private let homes: [Demo.Home]
    private let now: Instant
    private var outings: Set<Outing> = []

    init(_ homes: [Demo.Home], now: Instant) {
        self.homes = homes
        self.now = now
    }

    /// The parties at all events, in order of registration.
    mutating func invited(to happenings: [Demo.Happening], _ random: inout SeededGenerator) -> [Demo.Party] {
        var parties: [Demo.Party] = []
        let inOrder = happenings.indices.sorted { happenings[$0].event.startsAt < happenings[$1].event.startsAt }
        for (place, number) in inOrder.enumerated() {
            let happening = happenings[number]
            var free = wanted(for: happening.event, place, &random)
            let mayGiveBack = free < happening.event.spots ?? .max
            // The families one can log in as come rarely, but register first, so that they have something to look at.
            let known = place % 4 == 1 ? [0, 1] : []
            for home in known + random.shuffled(homes.indices.dropFirst(2)) where free > 0 {
                guard homes[home].household.username != happening.organizer else { continue }
                let children = Array(fitting(happening.event, home).prefix(free))
                guard !children.isEmpty else { continue }
                let end = happening.cancelledAt ?? min(happening.event.startsAt, now)
                let registeredAt = random.instant(from: happening.publishedAt, to: end)
                let isGivenBack = mayGiveBack && random.number(in: 0..<12) == 0
                parties.append(
                    Demo.Party(
                        happening: number, home: home, children: children, registeredAt: registeredAt,
                        givenBackAt: isGivenBack ? random.instant(from: registeredAt, to: end) : nil))
                for child in children { outings.insert(outing(home, child, happening.event.day)) }
                free -= children.count
            }
        }
        return parties.sorted { $0.registeredAt < $1.registeredAt }
    }

    /// The number of taken places: of the events in the next weeks, one in five is full and one in five nearly so;
    /// distant events have hardly any.
    private func wanted(for event: Event, _ place: Int, _ random: inout SeededGenerator) -> Int {
        guard let spots = event.spots else { return 40 }
        if event.startsAt > now + .days(45) { return spots * random.number(in: 5...40) / 100 }
        switch place % 5 {
        case 0: return spots
        case 2: return spots - random.number(in: 1...max(1, spots / 6))
        default: return spots * random.number(in: 15...75) / 100
        }
    }

    private func fitting(_ event: Event, _ home: Int) -> [Child] {
        homes[home].children.filter { child in
            event.fits(child.ages(on: event.day)) && !outings.contains(outing(home, child, event.day))
        }
    }

    private func outing(_ home: Int, _ child: Child, _ day: Day) -> Outing {
        Outing(home: home, child: child.nickname, day: day)
    }
}

extension SeededGenerator {
    /// An instant from `start` on and before `end`.
    fileprivate mutating func instant(from start: Instant, to end: Instant) -> Instant {
        Instant(milliseconds: Int64(number(in: Int(start.milliseconds)..<Int(end.milliseconds))))
    }
}

// MARK: - The command

extension Site {
    /// Fills the empty site with the demo town, completely or not at all.
    ///
    /// - Returns: A summary with the log-ins, a line each.
    /// - Throws: Database errors; `PasswordQueue.Full`.
    package func seedDemo() async throws -> [String] {
        // All accounts have the same password, so one hash is enough.
        let hash = try await hash(Demo.password)
        let demo = Demo(at: now, zone: DemoTown.zone, currency: currency)
        try await write { db in try demo.store(passwordHash: hash, in: db) }
        use(try read { db in try Town(in: db) })
        return demo.summary(publicURL: settings.publicURL)
    }
}

extension Demo {
    fileprivate func summary(publicURL: String) -> [String] {
        let children = homes.reduce(0) { $0 + $1.children.count }
        let coming = parties.count { $0.home == 0 && isComing($0.happening) && $0.givenBackAt == nil }
        let own = happenings.indices.count { happenings[$0].organization == 0 && isComing($0) }
        return [
            """
            The demo town is there: \(DemoTown.organizations.count) providers, \(homes.count) families with \
            \(children) children, \(happenings.count) events, \(parties.count) registrations.
            """,
            "Log in on \(publicURL)/login; the password is always: \(Self.password)",
            "  \(DemoTown.parent)      a parent of two, with \(coming) events to look forward to",
            "  \(DemoTown.provider)   a provider, with \(own) events coming up and their rosters",
            "  \(DemoTown.both)    both: a father, and a cooking school",
            "  \(DemoTown.staff)     runs the site, an admin",
            "  \(DemoTown.moderator)    looks after the site with her, a moderator",
            "Everybody can read this password: it is a town to look at, not one to open to others.",
        ]
    }

    private func isComing(_ happening: Int) -> Bool {
        happenings[happening].event.startsAt > now && happenings[happening].cancelledAt == nil
    }
}
