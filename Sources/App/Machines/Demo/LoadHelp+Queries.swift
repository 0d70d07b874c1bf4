import Database

/// Opportunities, followers and contributions, for load tests.
extension LoadSeed {
    /// An opportunity's shifts begin on one of this many days from tomorrow on.
    private static let helpDays = 60
    /// Contributions are from the last two years.
    private static let daysOfHelp = 700
    /// How many organizations each family follows.
    private static let followed = 3

    /// An opportunity: three in five ask for helpers, one for things, one offers a day of shadowing.
    func opportunity(_ number: Int) -> OpportunityForm {
        var random = generator(.opportunity, number)
        let place = places[(number - 1) % places.count]
        var form = OpportunityForm()
        // Every town has all kinds: there are thirty.
        form.kind = number / 7 % 5 == 3 ? .donate : number / 7 % 5 == 4 ? .shadow : .volunteer
        form.title =
            random.pick(LoadWords.adjectives) + " " + random.pick(LoadWords.nouns) + " " + random.pick(LoadWords.tails)
        form.description = "\(random.pick(LoadWords.sentences)) We need you in room \(random.number(in: 1...9_999))."
        form.tags = random.pick(LoadWords.tags).joined(separator: ", ")
        form.ageFrom = random.pick([nil, 12, 14, 16, 18])
        form.withAdult = false
        (form.street, form.city) = (random.street(), place.city)
        (form.state, form.zip, form.country) = (place.state, place.zip, place.country)
        if form.kind == .donate {
            form.things[0] = OpportunityForm.ThingRow(name: "Coats", wanted: random.number(in: 5...50))
            return form
        }
        form.rhythm = .shifts
        for row in 0..<2 {
            let hour = random.number(in: 8...17)
            form.shifts[row] = OpportunityForm.ShiftRow(
                date: today.advanced(by: 1 + (number + row * 7) % Self.helpDays),
                start: TimeOfDay(hour: hour, minute: 0), end: TimeOfDay(hour: hour + 3, minute: 0),
                spots: random.number(in: 2...20))
        }
        return form
    }

    func storeOpportunities(_ numbers: ClosedRange<Int>, in db: Connection) throws {
        for number in numbers {
            let form = opportunity(number)
            let opportunity = form.opportunity(by: host(of: number), zone: zone, currency: currency, now: since)
            let outcome = try Opportunity.publish(
                opportunity, form.drawnShifts(in: zone), form.drawnThings, once: "load-\(number)", in: db.at(since))
            guard case .new(let id) = outcome else { continue }
            try db.execute("UPDATE opportunity SET point_id = \(venue(of: number)) WHERE id = \(id)")
        }
    }

    func storeFollows(_ families: ClosedRange<Int>, in db: Connection) throws {
        for family in families {
            for turn in 0..<min(Self.followed, plan.providers) {
                let host = (family * 31 + turn * 977) % plan.providers + 1
                try Followed.follow(ID(Int64(host)), true, by: ID(Int64(plan.providers + family)), in: db.at(since))
            }
        }
    }

    /// Hours of help, five in six confirmed, with each organization's totals.
    func storeContributions(_ numbers: ClosedRange<Int>, in db: Connection) throws {
        for number in numbers {
            let (account, opportunity) = (
                plan.providers + number % plan.families + 1, number * 7_919 % plan.opportunities + 1
            )
            let host = host(of: opportunity)
            let day = today.advanced(by: -(1 + number / plan.families * 37 % Self.daysOfHelp))
            let minutes = 60 + number % 5 * 30
            let confirmed = number % 6 == 0 ? nil : minutes
            let isFirst = try !db.exists(
                """
                SELECT 1 FROM contribution WHERE host_id = \(host.id) AND account_id = \(account)
                    AND confirmed IS NOT NULL LIMIT 1
                """)
            try db.execute(
                """
                INSERT INTO contribution (account_id, kind, host_id, host_name, opportunity_id, title, day, minutes,
                    confirmed, confirmed_at, currency, once, at)
                VALUES (\(account), 'hours', \(host.id), \(host.name), \(opportunity),
                    \("Shift \(opportunity)"), \(day), \(minutes), \(confirmed),
                    \(confirmed == nil ? nil : since), '', \("load-\(number)"), \(since))
                """)
            guard let confirmed else { continue }
            try db.execute(
                """
                INSERT INTO organization_total (account_id, helpers, minutes) VALUES (\(host.id), 1, \(confirmed))
                ON CONFLICT (account_id) DO UPDATE SET
                    helpers = organization_total.helpers + \(isFirst ? 1 : 0),
                    minutes = organization_total.minutes + \(confirmed)
                """)
            try db.execute(
                """
                INSERT INTO organization_year (account_id, year, helpers, minutes)
                VALUES (\(host.id), \(day.year), 1, \(confirmed))
                ON CONFLICT (account_id, year) DO UPDATE SET
                    helpers = organization_year.helpers + \(isFirst ? 1 : 0),
                    minutes = organization_year.minutes + \(confirmed)
                """)
        }
    }
}
