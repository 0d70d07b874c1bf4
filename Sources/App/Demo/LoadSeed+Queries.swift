import Database

extension LoadSeed {
    /// How many rows share a transaction.
    static let batch = 2_000

    typealias Step = (count: Int, store: @Sendable (ClosedRange<Int>, Connection) throws -> Void)

    /// What is stored, in this order: how many of each, and how to store those with these numbers.
    var steps: [Step] {
        [(plan.providers, storeProviders), (plan.families, storeFamilies), (plan.events, storeEvents)]
    }

    /// The moment everything was made: the same on the same day.
    private var since: Instant { zone.instant(today, .midnight) }

    private func storeProviders(_ numbers: ClosedRange<Int>, in db: Connection) throws {
        for number in numbers {
            try insert("provider-\(number)", account: number, .provider, in: db)
            let provider = provider(number)
            try db.execute(
                """
                INSERT INTO provider (id, account_id, first_name, last_name, organization, designation, street, city,
                    state, zip, country, phone, scope, created_at, updated_at)
                VALUES (\(number), \(number), \(provider.firstName), \(provider.lastName), \(provider.organization),
                    \(provider.designation), \(provider.street), \(provider.city), \(provider.state), \(provider.zip),
                    \(provider.country), \(provider.phone), \(provider.scope), \(since), \(since))
                """)
        }
    }

    private func storeFamilies(_ numbers: ClosedRange<Int>, in db: Connection) throws {
        for number in numbers {
            let account = plan.providers + number
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

    private func storeEvents(_ numbers: ClosedRange<Int>, in db: Connection) throws {
        for number in numbers {
            let provider = provider(of: number)
            let form = self.provider(provider)
            let host = Event.Host(
                id: ID(Int64(provider)), username: "provider-\(provider)", organization: form.organization,
                person: "\(form.firstName) \(form.lastName)")
            let event = event(number, by: host)
            let publication = try Event.publish(event, once: "load-\(number)", at: since, in: db)
            guard case .new(let id) = publication else { continue }
            for party in parties(of: number) {
                let children = (0..<party.children).map { self.id(ofChild: $0, of: party.family) }
                _ = try Registration.insert(
                    children, of: ID(Int64(party.family)), at: id, once: "load-\(party.number)", now: since, in: db)
            }
        }
    }

    private func insert(_ username: String, account: Int, _ hat: Hat, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO account (id, email, username, password, last_hat, created_at, updated_at)
            VALUES (\(account), \(username + "@example.org"), \(username), \(passwordHash), \(hat), \(since), \(since))
            """)
    }

    private func id(ofChild position: Int, of family: Int) -> ID<Child> { ID(Int64(family * 3 - 2 + position)) }
}
