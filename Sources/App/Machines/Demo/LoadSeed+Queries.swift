import Database

extension LoadSeed {
    /// How many rows share a transaction.
    static let batch = 2_000

    typealias Step = (count: Int, store: @Sendable (ClosedRange<Int>, Connection) throws -> Void)

    /// The steps in order: how many items there are, and how to store those with given numbers.
    var steps: [Step] {
        [
            (plan.providers, storeProviders), (plan.families, storeFamilies), (plan.events, storeEvents),
            (owners, storeOwners), (plan.pets, storePets), (plan.matches, storeMatches),
            (plan.messages, storeMessages), (plan.opportunities, storeOpportunities),
            (plan.opportunities > 0 ? plan.families : 0, storeFollows), (plan.contributions, storeContributions),
            (plan.deeds == 0 ? 0 : plan.families, storeDeeds), (plan.needs, storeNeeds),
        ]
    }

    /// The creation time of everything: the same on the same day.
    var since: Instant { zone.instant(today, .midnight) }

    private func storeProviders(_ numbers: ClosedRange<Int>, in db: Connection) throws {
        for number in numbers {
            try insert("provider-\(number)", account: number, .provider, in: db)
            let provider = provider(number)
            try db.execute(
                """
                INSERT INTO provider (id, account_id, first_name, last_name, organization, name_key, designation,
                    street, city, state, zip, country, phone, scope, created_at, updated_at)
                VALUES (\(number), \(number), \(provider.firstName), \(provider.lastName), \(provider.organization),
                    \(folded(provider.organization)), \(provider.designation), \(provider.street),
                    \(provider.city), \(provider.state), \(provider.zip), \(provider.country), \(provider.phone),
                    \(provider.scope), \(since), \(since))
                """)
            try Provider.index(ID(Int64(number)), provider.organization, in: db)
        }
    }

    private func storeFamilies(_ numbers: ClosedRange<Int>, in db: Connection) throws {
        for number in numbers {
            let account = account(ofFamily: number)
            try insert("family-\(number)", account: account, .parent, in: db)
            let family = family(number)
            try db.execute(
                """
                INSERT INTO family (id, account_id, first_name, last_name, city, zip, country, phone,
                    number_of_children, age_groups, created_at, updated_at)
                VALUES (\(number), \(account), \(family.firstName), \(family.lastName), \(family.city), \(family.zip),
                    \(family.country), \(family.phone), \(family.numberOfChildren),
                    \(family.ageGroups.map(\.rawValue).joined(separator: " ")), \(since), \(since))
                """)
            for (position, child) in children(of: number).enumerated() {
                try db.execute(
                    """
                    INSERT INTO child (id, family_id, nickname, birth_month, birth_year, created_at, updated_at)
                    VALUES (\(id(ofChild: position, of: number)), \(number), \(child.nickname), \(child.birthMonth),
                        \(child.birthYear), \(since), \(since))
                    """)
            }
        }
    }

    /// Puts points for all towns on the map, near the gazetteer's position of each.
    func storeVenues(in db: Connection) throws -> [[ID<Point>]] {
        try places.enumerated().map { number, place in
            // In a list of town names, states and codes are made up.
            let address = plan.cities.isEmpty ? place : Address(city: place.city, country: place.country)
            let middle = try Gazetteer.coordinate(of: address, in: db) ?? middle(ofPlace: number)
            return try points(around: middle, ofPlace: number).map { try Point.id(at: $0, in: db) }
        }
    }

    private func storeEvents(_ numbers: ClosedRange<Int>, in db: Connection) throws {
        for number in numbers {
            let event = event(number)
            try insert(event, in: db)
            for party in parties(of: number) { try insert(party, at: number, in: db) }
            if let all = activities(of: number) { try insert(all, of: event, in: db) }
        }
    }

    private func storeOwners(_ numbers: ClosedRange<Int>, in db: Connection) throws {
        for number in numbers {
            let (form, cell) = owner(number)
            try Owner.save(form, at: cell, picture: nil, of: owner(ofFamily: number), in: db.at(since))
        }
    }

    private func storePets(_ numbers: ClosedRange<Int>, in db: Connection) throws {
        for number in numbers {
            _ = try Pet.insert(
                pet(number), of: owner(ofFamily: family(ofPet: number)), once: "load-\(number)", on: today,
                in: db.at(since))
        }
    }

    private func storeMatches(_ numbers: ClosedRange<Int>, in db: Connection) throws {
        for number in numbers {
            let (first, second) = pets(ofMatch: number)
            let ids = [first, second].map { ID<Pet>(Int64($0)) }
            for (one, other) in [(ids[0], ids[1]), (ids[1], ids[0])] {
                try db.execute(
                    "INSERT INTO hello (pet_id, other_id, is_yes, at) VALUES (\(one), \(other), TRUE, \(since))")
            }
            guard let one = try Pet.find(ids[0], in: db), let other = try Pet.find(ids[1], in: db) else { continue }
            _ = try PetMatch.insert(one, other, in: db.at(since))
        }
    }

    private func storeMessages(_ numbers: ClosedRange<Int>, in db: Connection) throws {
        let (first, second) = pets(ofMatch: 1)
        for number in numbers {
            let author = owner(ofFamily: family(ofPet: number % 2 == 0 ? first : second))
            try Message.send(
                LoadWords.sentences[number % LoadWords.sentences.count], in: ID<PetMatch>(1), by: author,
                once: "load-\(number)", tx: db.at(since + .seconds(number)))
        }
    }

    /// Stores what `Deed.record` would store for these families, with the totals added at the end of each.
    private func storeDeeds(_ numbers: ClosedRange<Int>, in db: Connection) throws {
        var totals: [String: (month: Day, theme: KindAct.Theme, count: Int)] = [:]
        for number in numbers {
            let (account, acts) = (account(ofFamily: number), acts(of: number))
            guard !acts.isEmpty else { continue }
            var streaks = (Streak(), Streak())
            for (place, done) in acts.enumerated() {
                let isOfDay = KindAct.ofDay(done.day).id == done.act.id
                try db.execute(
                    """
                    INSERT INTO deed (account_id, kind, act, theme, day, points, is_of_day, has_children, note, level,
                        once, done_at)
                    VALUES (\(account), 'act', \(done.act.id), \(done.act.theme), \(done.day), \(done.act.points),
                        \(isOfDay), FALSE, '', 0, \("load-\(place)"),
                        \(zone.instant(done.day, TimeOfDay(minutes: 720)!)))
                    """)
                streaks.0.add(done.day)
                if isOfDay { streaks.1.add(done.day) }
                let month = done.day.firstOfMonth
                totals["\(month.iso) \(done.act.theme.rawValue)", default: (month, done.act.theme, 0)].count += 1
            }
            let themes = acts.reduce(0) { $0 | $1.act.theme.bit }
            let points = acts.reduce(0) { $0 + $1.act.points }
            let (days, ofDay) = streaks
            try db.execute(
                """
                INSERT INTO standing (account_id, points, acts, with_children, themes, streak_length, streak_record,
                    streak_rests, streak_first, streak_last, day_length, day_record, day_rests, day_first, day_last)
                VALUES (\(account), \(points), \(acts.count), 0, \(themes), \(days.length), \(days.record),
                    \(days.rests), \(days.first), \(days.last), \(ofDay.length), \(ofDay.record), \(ofDay.rests),
                    \(ofDay.first), \(ofDay.last))
                """)
            for badge in [Badge.firstAct, .tenActs, .hundredActs] where acts.count >= badge.number {
                try db.execute(
                    """
                    INSERT INTO badge (account_id, kind, day)
                    VALUES (\(account), \(badge), \(acts[badge.number - 1].day))
                    """)
            }
            for act in Set(acts.map(\.act.id.rawValue)).sorted().prefix(5) {
                try db.execute("INSERT INTO my_act (account_id, act, at) VALUES (\(account), \(act), \(since))")
            }
        }
        for (_, total) in totals.sorted(by: { $0.key < $1.key }) {
            try db.execute(
                """
                INSERT INTO town_total (month, theme, count) VALUES (\(total.month), \(total.theme), \(total.count))
                ON CONFLICT (month, theme) DO UPDATE SET count = town_total.count + excluded.count
                """)
        }
    }

    private func storeNeeds(_ numbers: ClosedRange<Int>, in db: Connection) throws {
        for number in numbers {
            let (family, form, venue) = need(number)
            var point = venue
            if form.isHome, let exact = try Point.coordinate(of: venue, in: db) {
                point = try Point.id(at: exact.gridded, in: db)
            }
            let endsAt = zone.instant(form.until!.advanced(by: 1), .midnight)
            let id = try db.insert(
                """
                INSERT INTO need (account_id, kind, title, description, wanted, days, until, ends_at, is_home,
                    place_name, street, city, state, zip, country, point_id, ask_at, once, created_at)
                VALUES (\(account(ofFamily: family)), \(form.kind), \(form.title), \(form.description), \(form.count),
                    5, \(form.until), \(endsAt), \(form.isHome), '', \(form.street), \(form.city), \(form.state),
                    \(form.zip), \(form.country), \(point), \(since + Need.asking), \("load-\(number)"),
                    \(since))
                """)
            try Need.index(
                ID(id), form.kind!, title: form.title, description: form.description, city: form.city, in: db)
        }
    }

    /// Stores what `Event.publish` would store, with ID and taken places known in advance: no query before it, no
    /// update after it.
    private func insert(_ event: Event, in db: Connection) throws {
        let address = event.address
        let key = SearchKey(event.startsAt, event.id).rawValue
        try db.execute(
            """
            INSERT INTO event (id, account_id, title, description, synopsis, motif, day, start_minute, end_minute,
                zone, starts_at, ends_at, street, city, state, zip, country, city_key, spots, taken, covid_safe,
                age_from, age_to, price, currency, tags, access, point_id, counts, search_key, once, created_at,
                updated_at, audience, end_day, is_long)
            VALUES (\(event.id), \(event.host.id), \(event.title), \(event.description), \(event.own.synopsis),
                \(event.motif.rawValue), \(event.day), \(event.start), \(event.end), \(event.zone),
                \(event.startsAt), \(event.endsAt), \(address.street), \(address.city), \(address.state),
                \(address.zip), \(address.country), \(Folding.townKey(address.city)), \(event.spots), \(event.taken),
                \(event.covidSafe), \(event.ageFrom), \(event.ageTo), \(event.price?.minorUnits),
                \(event.price?.currency ?? ""), \(event.tags.joined(separator: ",")), \(event.amenities.bits),
                \(venue(of: Int(event.id.rawValue))), FALSE, \(key), \("load-\(event.id)"), \(since), \(since),
                \(event.audience), \(event.schedule.endDay), \(event.schedule.endDay != nil))
            """)
        for tag in event.tags {
            try db.execute(
                "INSERT INTO event_tag (tag, starts_at, event_id) VALUES (\(tag), \(event.startsAt), \(event.id))")
            try Tag.use(tag, in: db)
        }
        try Vocabulary.use([event.title] + event.tags, instead: [], in: db)
        try SearchIndex.insert(event, at: key, in: db)
    }

    /// Stores what `Activity.save` and `Activity.join` would store.
    private func insert(_ all: Range<Int>, of event: Event, in db: Connection) throws {
        let joins = joins(of: Int(event.id.rawValue))
        let taken = Dictionary(grouping: joins, by: \.activity).mapValues(\.count)
        for number in all {
            let activity = activity(number, of: event, among: all)
            let stored: Assignments =
                [
                    "id": activity.id, "event_id": event.id, "name": activity.name, "info": "",
                    "place": activity.place, "spots": activity.spots, "age_from": activity.ageFrom,
                    "taken": taken[number] ?? 0,
                ] + activity.content.schedule.stored
            try db.execute("INSERT INTO activity \(values: stored)")
        }
        var people: [Int: Int64] = [:]
        for join in joins {
            let person = try people[join.family] ?? insert(join.family, at: event.id, in: db)
            people[join.family] = person
            try db.execute("INSERT INTO attendance (activity_id, person_id) VALUES (\(join.activity + 1), \(person))")
        }
    }

    /// Registers a parent at a fair in person.
    private func insert(_ family: Int, at event: ID<Event>, in db: Connection) throws -> Int64 {
        let party = try db.insert(
            """
            INSERT INTO registration (event_id, account_id, state, once, created_at, updated_at)
            VALUES (\(event), \(account(ofFamily: family)), 'confirmed', \("join-\(event)"), \(since), \(since))
            """)
        return try db.insert(
            """
            INSERT INTO registration_person (registration_id, event_id, is_self) VALUES (\(party), \(event), TRUE)
            """)
    }

    /// Families are numbered after the providers.
    private func account(ofFamily number: Int) -> Int { plan.providers + number }
    private func owner(ofFamily number: Int) -> ID<Account> { ID(Int64(account(ofFamily: number))) }

    private func insert(_ party: Party, at event: Int, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO registration (id, event_id, account_id, state, once, created_at, updated_at)
            VALUES (\(party.number), \(event), \(account(ofFamily: party.family)), 'confirmed',
                \("load-\(party.number)"), \(since), \(since))
            """)
        for position in 0..<party.children {
            try db.execute(
                """
                INSERT INTO registration_person (registration_id, event_id, child_id)
                VALUES (\(party.number), \(event), \(id(ofChild: position, of: party.family)))
                """)
        }
    }

    private func insert(_ username: String, account: Int, _ hat: Hat, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO account (id, email, username, password, last_hat, created_at, updated_at)
            VALUES (\(account), \(username + "@example.org"), \(username), \(passwordHash), \(hat), \(since), \(since))
            """)
    }

    /// Three numbers are reserved for each family's children.
    private func id(ofChild position: Int, of family: Int) -> ID<Child> { ID(Int64(family * 3 - 2 + position)) }
}
