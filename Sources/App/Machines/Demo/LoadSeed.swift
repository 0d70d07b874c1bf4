import Forms

/// Data for load tests. Each row is a function of the seed and its number, so nothing is kept in memory while millions
/// are made.
///
/// The same seed gives the same data on the same day.
struct LoadSeed: Sendable {
    let plan: Site.LoadPlan
    let today: Day
    let zone: Zone
    let currency: String
    let places: [Address]
    let passwordHash: String
    /// The venues: a number of points around the center of each of the `places`.
    var venues: [[ID<Point>]] = []

    static let venuesPerPlace = 100

    /// Events begin on this many days from tomorrow on, every quarter of an hour from 8:00 to 19:45.
    private static let days = 120, slotsPerDay = 48

    /// Each kind of item has its own stream of random numbers.
    enum Kind: UInt64 {
        case provider, event, family, children, host, registration, venue, activity, owner, pet, opportunity, deed,
            need
    }

    func generator(_ kind: Kind, _ number: Int) -> SeededGenerator {
        SeededGenerator(seed: plan.seed, kind: kind.rawValue, number: number)
    }

    // MARK: People. They are numbered from 1, providers before families, and accounts have the same numbers.

    func provider(_ number: Int) -> ProviderForm {
        var random = generator(.provider, number)
        let place = places[(number - 1) % places.count]
        let kind = random.pick(LoadWords.places)
        return ProviderForm(
            firstName: random.pick(LoadWords.firstNames), lastName: random.pick(LoadWords.lastNames),
            organization: "\(random.pick(LoadWords.owners)) \(kind) \(number)",
            designation: random.pick(LoadWords.designations), street: random.street(), city: place.city,
            state: place.state, zip: place.zip, country: place.country, phone: "555-01\(digits(number % 100, 2))",
            scope: "For children and those who bring them, all the year.")
    }

    func family(_ number: Int) -> FamilyForm {
        var random = generator(.family, number)
        let place = places[(number - 1) % places.count]
        return FamilyForm(
            firstName: random.pick(LoadWords.firstNames), lastName: random.pick(LoadWords.lastNames),
            city: place.city, zip: place.zip, country: place.country, phone: "555-01\(digits(number % 100, 2))",
            numberOfChildren: children(of: number).count, ageGroups: [.school, .older])
    }

    /// One to three children, aged seven to nine, which suits every event.
    func children(of family: Int) -> [ChildForm] {
        var random = generator(.children, family)
        return (0..<random.number(in: 1...3)).map { _ in
            let month = today.year * 12 + today.month - 1 - random.number(in: 85...117)
            return ChildForm(
                nickname: random.pick(LoadWords.nicknames), birthMonth: month % 12 + 1, birthYear: month / 12)
        }
    }

    // MARK: Events

    /// An event with as many taken places as ``parties(of:)`` takes. Higher numbers begin later, because the full-text
    /// index is filled faster in order.
    func event(_ number: Int) -> Event {
        var random = generator(.event, number)
        let slot = (number - 1) * (Self.days * Self.slotsPerDay) / plan.events
        let day = today.advanced(by: 1 + slot / Self.slotsPerDay)
        let start = 8 * 60 + slot % Self.slotsPerDay * 15
        let length = 15 * random.number(in: 3...10)
        let isFair = activities(of: number) != nil
        let last = lastDay(of: number).map { day.advanced(by: $0) }
        let end = TimeOfDay(minutes: isFair ? min(start + Self.fairLength, Self.latest) : start + length)!
        let startsAt = zone.instant(day, TimeOfDay(minutes: start)!)
        var address = places[(number - 1) % places.count]
        address.street = random.street()
        let ages = random.pick(LoadWords.ages)
        let taken = parties(of: number).reduce(0) { $0 + $1.children } + Set(joins(of: number).map(\.family)).count
        return Event(
            id: ID(Int64(number)), audience: isFair ? .everyone : .kids, host: host(of: number),
            title: random.pick(LoadWords.adjectives) + " " + random.pick(LoadWords.nouns) + " "
                + random.pick(LoadWords.tails),
            schedule: Schedule(
                day: day, start: TimeOfDay(minutes: start)!, end: end, endDay: last, startsAt: startsAt,
                endsAt: zone.instant(last ?? day, end)),
            venue: Venue(address: address, zone: zone.identifier),
            admission: Admission(
                spots: isFair ? nil : max(random.number(in: 8...60), taken + random.number(in: 0...9)),
                ageFrom: isFair ? nil : ages.from, ageTo: isFair ? nil : ages.to,
                price: random.pick(LoadWords.prices).map { Money(minorUnits: $0, currency: currency) },
                covidSafe: random.number(in: 0..<5) < 2),
            details: EventDetails(
                description: """
                    \(random.pick(LoadWords.sentences)) \(random.pick(LoadWords.sentences))

                    \(random.pick(LoadWords.sentences)) We meet in room \(random.number(in: 1...9_999)).
                    """,
                tags: random.pick(LoadWords.tags)),
            taken: taken)
    }

    /// The account that posts an event or an opportunity; if there are enough providers, one from the same town.
    func host(of event: Int) -> Event.Host {
        let town = (event - 1) % places.count
        var random = generator(.host, event)
        let number =
            town < plan.providers
            ? random.number(in: 0...(plan.providers - 1 - town) / places.count) * places.count + town + 1
            : town % plan.providers + 1
        let provider = provider(number)
        return Event.Host(
            id: ID(Int64(number)), username: "provider-\(number)", name: provider.organization,
            person: "\(provider.firstName) \(provider.lastName)")
    }

    // MARK: Programs

    /// Every twentieth event is a fair with a program, while activities last.
    fileprivate static let perFair = 20
    /// In minutes: the daily opening time of a fair, the latest closing time, and the length of an activity.
    private static let fairLength = 480, latest = 1_425, activityLength = 45
    /// The number of activities at each of the largest fairs, which last three days, and the number of such fairs.
    private static let largest = Activity.most, mostLargest = 50

    private var fairs: Int { plan.activities == 0 ? 0 : plan.events / Self.perFair }
    private var largeFairs: Int { min(fairs / 4, Self.mostLargest, plan.activities / Self.largest / 4) }

    /// The number of a fair, from 1; nil for other events.
    private func fair(of event: Int) -> Int? {
        event % Self.perFair == 0 && event / Self.perFair <= fairs ? event / Self.perFair : nil
    }

    /// The last day of a fair, counted from 0.
    private func lastDay(of event: Int) -> Int? { fair(of: event).flatMap { $0 <= largeFairs ? 2 : nil } }

    /// An event's activities, by number: many at the first fairs; the others have equal shares.
    func activities(of event: Int) -> Range<Int>? {
        guard let fair = fair(of: event) else { return nil }
        guard fair > largeFairs else { return Self.largest * (fair - 1)..<Self.largest * fair }
        let (rest, count) = (plan.activities - Self.largest * largeFairs, fairs - largeFairs)
        func first(_ fair: Int) -> Int { Self.largest * largeFairs + (fair - largeFairs - 1) * rest / count }
        return first(fair)..<first(fair + 1)
    }

    /// One of an event's activities.
    func activity(_ number: Int, of event: Event, among all: Range<Int>) -> Activity {
        var random = generator(.activity, number)
        let days = lastDay(of: Int(event.id.rawValue)) ?? 0
        let day = event.day.advanced(by: (number - all.lowerBound) % (days + 1))
        let room = (event.end!.minutes - event.start.minutes - Self.activityLength) / 15
        let start = event.start.moved(by: 15 * random.number(in: 0...max(0, room))).time
        let startsAt = zone.instant(day, start)
        return Activity(
            id: ID(Int64(number + 1)),
            content: Activity.Content(
                name: "\(random.pick(LoadWords.adjectives)) \(random.pick(LoadWords.nouns)) \(number + 1)",
                place: random.pick(LoadWords.corners),
                schedule: Schedule(
                    day: day, start: start, end: start.moved(by: Self.activityLength).time, startsAt: startsAt,
                    endsAt: startsAt + .minutes(Self.activityLength)),
                spots: number % 3 == 0 ? random.number(in: 10...60) : nil, ageFrom: number % 4 == 0 ? 6 : nil))
    }

    /// A person who goes to an activity.
    struct Join: Sendable {
        let activity: Int
        let family: Int
    }

    /// The participants in an event's activities: everyone goes to two. They are spread evenly over the fairs, and all
    /// of a family's activities are within one stretch of days, so that its weeks there are full.
    func joins(of event: Int) -> [Join] {
        guard let fair = fair(of: event), let all = activities(of: event) else { return [] }
        let first = (fair - 1) * plan.attendances / fairs
        let (stretches, stretch) = plan.families < Self.stretches ? (1, 0) : (Self.stretches, stretch(of: fair))
        return (first..<fair * plan.attendances / fairs).map { number in
            let family = stretch + number / 2 % (plan.families / stretches) * stretches
            return Join(activity: all.lowerBound + number - first, family: family + 1)
        }
    }

    /// The number of stretches of days: each has fifteen days.
    private static let stretches = 8

    private func stretch(of fair: Int) -> Int { (fair - 1) * Self.stretches / fairs }

    // MARK: Venues

    /// The points around the center of a town, up to ten kilometers away.
    func points(around middle: Coordinate, ofPlace number: Int) -> [Coordinate] {
        var random = generator(.venue, number)
        return (0..<Self.venuesPerPlace).compactMap { _ in
            Coordinate(
                latitude: middle.latitude + Double(random.number(in: -900...900)) / 10_000,
                longitude: middle.longitude + Double(random.number(in: -900...900)) / 10_000)
        }
    }

    /// The center of a town that the gazetteer doesn't know: towns are spread over a part of the map, each far from the
    /// others (by multiples of the golden ratio and of its square).
    func middle(ofPlace number: Int) -> Coordinate {
        let east = (Double(number) * 0.618_034).truncatingRemainder(dividingBy: 1)
        let north = (Double(number) * 0.754_878).truncatingRemainder(dividingBy: 1)
        return Coordinate(latitude: 32 + 14 * north, longitude: -118 + 40 * east)!
    }

    /// The venue of an event.
    func venue(of event: Int) -> ID<Point>? {
        guard !venues.isEmpty else { return nil }
        let points = venues[(event - 1) % venues.count]
        return points[(event - 1) / venues.count * 37 % points.count]
    }

    // MARK: Registrations

    /// Children of one family at an event.
    struct Party: Sendable {
        /// The registration's number.
        let number: Int
        let family: Int
        /// How many children come, starting with the family's first.
        let children: Int
    }

    /// The parties at an event. Registrations are spread evenly over events and families.
    func parties(of event: Int) -> [Party] {
        let first = (event - 1) * plan.registrations / plan.events
        return (first..<event * plan.registrations / plan.events).map { number in
            let family = number % plan.families + 1
            var random = generator(.registration, number)
            return Party(
                number: number + 1, family: family, children: random.number(in: 1...children(of: family).count))
        }
    }
}

// MARK: Pets

extension LoadSeed {
    /// The cells of one county in each direction.
    private static let county = 25
    /// The most pets in a ring; each has matches with those after it.
    private static let mostInRing = 2_000

    /// The owner of a pet: pets are numbered, and assigned to families in turn.
    func family(ofPet number: Int) -> Int { (number - 1) % plan.families + 1 }

    /// The number of families with pets.
    var owners: Int { min(plan.families, plan.pets) }

    func owner(_ family: Int) -> (form: OwnerForm, cell: Cell) {
        var random = generator(.owner, family)
        let middle = Cell(at: Coordinate(latitude: 37.35, longitude: -121.9)!)
        let cell = Cell(
            row: middle.row + random.number(in: 0...Self.county - 1) - Self.county / 2,
            column: middle.column + random.number(in: 0...Self.county - 1) - Self.county / 2)
        let form = OwnerForm(
            name: self.family(family).firstName, birthYear: today.year - random.number(in: 20...79), country: "US",
            city: "San Jose", zip: "95112", phone: "555-01\(digits(family % 100, 2))")
        return (form, cell)
    }

    /// A pet; one in four is choosy.
    func pet(_ number: Int) -> PetForm {
        var random = generator(.pet, number)
        func some<V: CaseIterable>(_: V.Type) -> V where V.AllCases == [V] { random.pick(V.allCases) }
        let isChoosy = random.number(in: 0...3) == 0
        let kind: Pet.Kind = random.number(in: 0...1) == 0 ? .dog : some(Pet.Kind.self)
        return PetForm(
            name: random.pick(LoadWords.nicknames), kind: kind, word: "newt", sex: some(Pet.Sex.self),
            years: random.number(in: 0...14), size: some(Pet.Size.self), energy: some(Pet.Energy.self),
            bio: random.pick(LoadWords.sentences), kinds: isChoosy ? [kind, some(Pet.Kind.self)] : [],
            sizes: isChoosy ? [some(Pet.Size.self)] : [], within: random.pick(Reach.allCases).rawValue)
    }

    /// The pets in a match: first each pet of the ring with the next one, then with the one after that, and so on.
    func pets(ofMatch number: Int) -> (first: Int, second: Int) {
        let ring = ring
        let (place, step) = ((number - 1) % ring, 1 + (number - 1) / ring)
        return (1 + place, 1 + (place + step) % ring)
    }

    private var ring: Int { Self.ring(pets: plan.pets, families: plan.families) }

    private static func ring(pets: Int, families: Int) -> Int { min(pets, families, mostInRing) }

    /// The maximum number of matches.
    static func mostMatches(pets: Int, families: Int) -> Int {
        let ring = ring(pets: pets, families: families)
        return ring * max(0, (ring - 1) / 2)
    }
}

// MARK: Kind acts and needs

extension LoadSeed {
    /// A family's deeds, by number: all have equal shares.
    func deeds(of family: Int) -> Range<Int> {
        plan.families == 0
            ? 0..<0 : (family - 1) * plan.deeds / plan.families..<family * plan.deeds / plan.families
    }

    /// A family's deeds: one act of the catalog on each day up to yesterday, as far back as needed.
    func acts(of family: Int) -> [(day: Day, act: KindAct)] {
        var random = generator(.deed, family)
        let count = deeds(of: family).count
        return (0..<count).map { (today.advanced(by: $0 - count), random.pick(KindAct.catalog)) }
    }

    /// A need: one in three at a home, the others at event venues, from the families in turn.
    func need(_ number: Int) -> (family: Int, form: NeedForm, venue: ID<Point>) {
        var random = generator(.need, number)
        let town = (number - 1) % places.count
        var form = NeedForm()
        form.kind = random.pick(Need.Kind.allCases)
        form.title = "\(random.pick(LoadWords.adjectives)) \(random.pick(LoadWords.nouns)) \(number)"
        form.description = random.pick(LoadWords.sentences)
        form.count = random.number(in: 1...10)
        form.until = today.advanced(by: random.number(in: 1...Need.mostDays))
        form.isHome = number % 3 == 0
        form.street = random.street()
        (form.city, form.state) = (places[town].city, places[town].state)
        (form.zip, form.country) = (places[town].zip, places[town].country)
        return ((number - 1) % plan.families + 1, form, random.pick(venues[town]))
    }
}

extension SeededGenerator {
    mutating func street() -> String { "\(number(in: 1...2_999)) \(pick(LoadWords.streets))" }
}

// MARK: - The command

extension Site {
    /// The amounts of data to make.
    package struct LoadPlan: Sendable {
        let families: Int, providers: Int, events: Int, registrations: Int, activities: Int, attendances: Int
        /// Pets are all in one county; messages are all in the first match.
        let pets: Int, matches: Int, messages: Int
        /// Opportunities, and hours of help.
        let opportunities: Int, contributions: Int
        /// Families' kind acts and needs.
        let deeds: Int, needs: Int
        let seed: UInt64
        let password: String
        /// Names of towns; empty for built-in ones.
        let cities: [String]

        package init(
            families: Int, providers: Int, events: Int, registrations: Int, activities: Int = 0,
            attendances: Int = 0, pets: Int = 0, matches: Int = 0, messages: Int = 0, opportunities: Int = 0,
            contributions: Int = 0, deeds: Int = 0, needs: Int = 0, seed: UInt64, password: String, cities: [String]
        ) {
            self.families = families
            self.providers = providers
            self.events = events
            self.registrations = registrations
            self.activities = activities
            self.attendances = attendances
            self.pets = pets
            self.matches = matches
            self.messages = messages
            self.opportunities = opportunities
            self.contributions = contributions
            self.deeds = deeds
            self.needs = needs
            self.seed = seed
            self.password = password
            self.cities = cities
        }

        /// The problems with a plan, a line each.
        package struct Problems: Error, CustomStringConvertible {
            package let lines: [String]
            package var description: String { lines.joined(separator: "\n") }
        }

        func check() throws(Problems) {
            var lines: [String] = []
            let counts = [
                families, providers, events, registrations, activities, attendances, pets, matches, messages,
                opportunities, contributions, deeds, needs,
            ]
            if counts.contains(where: { !(0...100_000_000).contains($0) }) {
                lines.append("Each number is from 0 to 100,000,000.")
            } else if events > 0, providers == 0 {
                lines.append("Events need somebody who offers them: --providers")
            } else if registrations > 0, events == 0 || families == 0 {
                lines.append("Registrations need families and events: --families, --events")
            } else if registrations > 0, (registrations - 1) / events >= min(families, 3_000) {
                lines.append("An event takes each family once, and 3,000 of them at most: give fewer --registrations.")
            } else if pets > families * Pet.most {
                lines.append("A family has \(Pet.most) pets at most: give more --families, or fewer --pets.")
            } else if matches > 0, matches > LoadSeed.mostMatches(pets: pets, families: families) {
                lines.append("So many matches need more --pets and --families.")
            } else if messages > 0, matches == 0 {
                lines.append("Messages are said in a match: --matches")
            } else if opportunities > 0, providers == 0 {
                lines.append("Ways to help need somebody who asks: --providers")
            } else if contributions > 0, opportunities == 0 || families == 0 {
                lines.append("Hours that were given need families and ways to help: --families, --opportunities")
            }
            if deeds + needs > 0, families == 0 { lines.append("Kind acts and needs are of families: --families") }
            let fairs = events / LoadSeed.perFair
            if activities > 0, fairs == 0 || !(1...Activity.most / 2).contains(activities / fairs) {
                lines.append("Every twentieth event has activities, 1 to 100 of them: --events, --activities")
            } else if attendances > 0, attendances > activities / 2 || families == 0 {
                lines.append("There are at most half as many --attendances as --activities, by --families.")
            }
            if let problem = Account.problem(withPassword: password, guessed: .nothing) {
                lines.append(problem.english)
            }
            if !lines.isEmpty { throw Problems(lines: lines) }
        }

        /// The locations: the plan's towns with made-up states and codes, or a built-in list.
        var places: [Address] {
            guard !cities.isEmpty else { return LoadWords.towns }
            return cities.enumerated().map { number, city in
                let state = Country.states[number % Country.states.count].code
                return Address(city: city, state: state, zip: digits(10_001 + number * 397 % 89_000, 5), country: "US")
            }
        }
    }

    /// Fills the empty site with data for load tests.
    ///
    /// - Throws: `LoadPlan.Problems` before anything is made; database errors, which leave part of the data stored.
    package func seedLoad(_ plan: LoadPlan) async throws {
        try plan.check()
        var load = LoadSeed(
            plan: plan, today: today, zone: settings.zone, currency: currency, places: plan.places,
            passwordHash: try await hash(plan.password))
        let empty = load
        load.venues = try await write { db in try empty.storeVenues(in: db) }
        for (count, store) in load.steps {
            for first in stride(from: 1, through: count, by: LoadSeed.batch) {
                let numbers = first...min(count, first + LoadSeed.batch - 1)
                try await write { db in try store(numbers, db) }
            }
        }
    }
}
