import Database

extension Demo {
    /// Stores the whole town in one transaction, through the same functions that visitors use.
    func store(passwordHash: String, in db: Connection) throws {
        let since = now - .days(90)
        func account(_ username: String, _ email: String, isStaff: Bool = false) throws -> ID<Account> {
            try Account.insert(
                email: email, username: username, passwordHash: passwordHash, isStaff: isStaff, at: since, in: db)
        }

        try Town(
            name: "San Jose", host: "The volunteers of this demo town", email: "hello@village.example",
            phone: "(408) 555-0199", privacyEmail: "privacy@village.example",
            zone: DemoTown.zone
        ).save(in: db)
        _ = try account(DemoTown.staff, "mira@example.org", isStaff: true)
        var owners: [String: ID<Account>] = [:]
        var families: [ID<Account>] = []
        var children: [[String: ID<Child>]] = []
        for (number, home) in homes.enumerated() {
            let username = home.household.username
            let id = try account(username, username.replacing("-", with: ".") + "@example.org")
            owners[username] = id
            var form = home.form
            // One in four keeps the number to itself. 555-0100 to 555-0199 are nobody's.
            form.phone = number % 4 == 3 ? nil : "(408) 555-01\(digits(number, 2))"
            try Family.save(form, of: id, at: since, in: db)
            try Account.put(on: .parent, id, in: db)
            guard let family = try Family.find(of: id, in: db)?.id else { continue }
            families.append(id)
            for child in home.children {
                let form = ChildForm(
                    nickname: child.nickname, birthMonth: child.birthMonth, birthYear: child.birthYear)
                try Child.insert(form, of: family, at: since, in: db)
            }
            children.append(
                Dictionary(uniqueKeysWithValues: try Child.all(of: family, in: db).map { ($0.nickname, $0.id) }))
        }

        var hosts: [Event.Host] = []
        for (number, organization) in DemoTown.organizations.enumerated() {
            let username = organization.username
            let id = try owners[username] ?? account(username, "\(username)@example.org")
            let form = ProviderForm(organization, phone: "(408) 555-01\(digits(80 + number, 2))")
            try Provider.save(form, of: id, at: since, in: db)
            try Account.put(on: .provider, id, in: db)
            if let host = try Event.host(id, in: db) { hosts.append(host) }
        }

        var events: [ID<Event>] = []
        for (number, happening) in happenings.enumerated() {
            var event = happening.event
            event.host = hosts[happening.organization]
            event.venue.coordinate = try Gazetteer.coordinate(of: event.address, in: db)?.near(event.address.street)
            let publication = try Event.publish(event, once: "demo-\(number)", at: happening.publishedAt, in: db)
            if case .new(let id) = publication { events.append(id) }
        }
        // The busy ones have a plan that fits.
        for host in hosts where happenings.count(where: { hosts[$0.organization].id == host.id }) > Plan.basic.events {
            try Plan.grant(.platinum, to: host.id, at: since, in: db)
        }
        for (number, party) in parties.enumerated() {
            let family = families[party.home]
            let registration = try Registration.insert(
                party.children.compactMap { children[party.home][$0.nickname] }, of: family,
                at: events[party.happening], once: "demo-\(number)", now: party.registeredAt, in: db)
            if let givenBackAt = party.givenBackAt {
                try Registration.giveBack(registration, children: [], of: family, at: givenBackAt, in: db)
            }
        }
        // Last: nobody can register for an event that was called off.
        for (id, happening) in zip(events, happenings) {
            if let cancelledAt = happening.cancelledAt { try Event.cancel(id, at: cancelledAt, in: db) }
        }
        try gather(families, in: db)
        try talk(families, in: db)
        try beKind(families, in: db)
        try Note.set("demo", "1", in: db)
    }
}

extension Demo {
    /// Lets families do kind acts on the days behind, and choose some for those to come.
    private func beKind(_ families: [ID<Account>], in db: Connection) throws {
        let today = DemoTown.zone.day(of: now)
        for (number, family) in families.enumerated() {
            for act in DemoTown.acts(of: number).chosen { try Act.choose(act, by: family, at: now - .days(20), in: db) }
            for (ago, id) in DemoTown.acts(of: number).done {
                guard let act = Act.listed(id) else { continue }
                let entry = Deed.Entry(
                    act: act, day: today.advanced(by: -ago), isWithChildren: ago % 3 == 0, once: "demo-\(ago)")
                try Deed.record(entry, by: family, at: now - .days(ago), in: db)
            }
        }
    }

    /// Lets families announce something for everybody, and others join it.
    private func gather(_ families: [ID<Account>], in db: Connection) throws {
        let today = DemoTown.zone.day(of: now)
        for (number, gathering) in DemoTown.gatherings.enumerated() where !families.isEmpty {
            let day = today.advanced(by: gathering.ahead)
            let venue = gathering.venue
            let form = EventForm(
                audience: .everyone, title: gathering.title, description: gathering.text, date: day,
                startTime: TimeOfDay(typed: gathering.start)!, endDate: day.advanced(by: gathering.days - 1),
                endTime: TimeOfDay(typed: gathering.end), placeName: gathering.place, street: venue.street,
                city: venue.city, state: "CA", zip: venue.zip, country: "US", spots: gathering.spots,
                tags: gathering.tags)
            guard let host = try Event.host(families[(number + 1) % families.count], in: db) else { continue }
            var event = form.preview(by: host, zone: DemoTown.zone, currency: "USD")
            event.venue.coordinate = try Gazetteer.coordinate(of: event.address, in: db)?.near(event.address.street)
            let announced = now - .days(3)
            guard
                case .new(let id) = try Event.publish(event, once: "gathering-\(number)", at: announced, in: db)
            else { continue }
            for account in families.prefix(gathering.families) where account != host.id {
                let children = try Attendee.children(of: account, in: db).map { Attendee.child($0.id) }
                try Attendee.join([.me] + children, of: account, at: id, now: announced + .hours(5), in: db)
            }
        }
    }

    /// Lets families say something to each other, each in its turn.
    private func talk(_ families: [ID<Account>], in db: Connection) throws {
        for (id, home) in zip(families, homes) {
            let name = "\(home.form.firstName) \(home.form.lastName.prefix(1))."
            try Person.save(PersonForm(name: name), of: id, at: now - .days(60), in: db)
        }
        var turn = 0
        func next() -> ID<Account> {
            turn += 1
            return families[turn % families.count]
        }
        for (number, voice) in DemoTown.voices.enumerated() {
            let at = now - voice.ago
            let form = PostForm(text: voice.text, kind: voice.kind, audience: voice.audience)
            let post = try Post.publish(form, by: next(), once: "demo-\(number)", at: at, in: db)
            for (place, text) in voice.answers.enumerated() {
                try Comment.add(
                    text, to: post, by: next(), once: "demo-\(number)-\(place)", at: at + .minutes(20 * (place + 1)),
                    in: db)
            }
            for _ in 0..<voice.likes { try Post.like(post, true, by: next(), at: at + .minutes(5), in: db) }
            for complaint in DemoTown.complaints where complaint.voice == number {
                try store(complaint, about: post, by: next, at: at + .hours(1), in: db)
            }
        }
    }
}

extension Demo {
    /// A comment with the reports about it.
    private func store(
        _ complaint: DemoTown.Complaint, about post: ID<Post>, by next: () -> ID<Account>, at now: Instant,
        in db: Connection
    ) throws {
        try Comment.add(complaint.text, to: post, by: next(), once: "demo-complaint", at: now, in: db)
        guard let comment: ID<Comment> = try db.value("SELECT max(id) FROM comment"),
            let exhibit = try Exhibit.find(.comment(comment), in: db)
        else { return }
        for (number, report) in complaint.reports.enumerated() {
            let form = ReportForm(ground: report.ground, note: report.note)
            _ = try Report.file(
                form, about: exhibit, by: next(), once: "demo-\(comment)-\(number)",
                at: now + .minutes(30 * (number + 1)), in: db)
        }
    }
}

extension Account {
    /// Makes `hat` the one that the next session begins with.
    fileprivate static func put(on hat: Hat, _ id: ID<Account>, in db: Connection) throws {
        try db.execute("UPDATE account SET last_hat = \(hat) WHERE id = \(id)")
    }
}

extension Coordinate {
    /// A point some hundred metres away, the same for the same street: the gazetteer knows no more than the ZIP code.
    fileprivate func near(_ street: String) -> Coordinate? {
        let number = street.utf8.reduce(5_381) { ($0 * 33 + Int($1)) % 1_000_003 }
        return Coordinate(
            latitude: latitude + Double(number % 1_000 - 500) / 100_000,
            longitude: longitude + Double(number / 1_000 - 500) / 100_000)
    }
}

extension Event {
    fileprivate static func cancel(_ id: ID<Event>, at instant: Instant, in db: Connection) throws {
        try db.execute(
            "UPDATE event SET cancelled_at = \(instant), listed = \(false), updated_at = \(instant) WHERE id = \(id)")
    }
}
