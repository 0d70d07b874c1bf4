import Database

extension Demo {
    /// Stores the whole town in one transaction, with the same functions that visitors' forms use.
    func store(passwordHash: String, in db: Connection) throws {
        let since = now - .days(90)
        func account(_ username: String, _ email: String, role: Role = .member) throws -> ID<Account> {
            let id = try Account.insert(
                email: email, username: username, passwordHash: passwordHash, role: role, in: db.at(since))
            try Account.confirm(id, in: db.at(since))
            return id
        }

        try Town(
            name: "San Jose", host: "The volunteers of this demo town", email: "hello@village.example",
            phone: "(408) 555-0199", privacyEmail: "privacy@village.example",
            zone: DemoTown.zone
        ).save(in: db)
        let admin = try account(DemoTown.staff, "mira@example.org", role: .admin)
        _ = try account(DemoTown.moderator, "noor@example.org", role: .moderator)
        var owners: [String: ID<Account>] = [:]
        var families: [ID<Account>] = []
        var children: [[String: ID<Child>]] = []
        for (number, home) in homes.enumerated() {
            let username = home.household.username
            let id = try account(username, username.replacing("-", with: ".") + "@example.org")
            owners[username] = id
            var form = home.form
            // One in four keeps the number private. 555-0100 to 555-0199 are reserved for fiction.
            form.phone = number % 4 == 3 ? nil : "(408) 555-01\(digits(number, 2))"
            try Family.save(form, of: id, in: db.at(since))
            try Account.put(on: .parent, id, in: db)
            guard let family = try Family.find(of: id, in: db)?.id else { continue }
            families.append(id)
            for child in home.children {
                let form = ChildForm(
                    nickname: child.nickname, birthMonth: child.birthMonth, birthYear: child.birthYear)
                try Child.insert(form, of: family, in: db.at(since))
            }
            children.append(
                Dictionary(uniqueKeysWithValues: try Child.all(of: family, in: db).map { ($0.nickname, $0.id) }))
        }

        var hosts: [Event.Host] = []
        for (number, organization) in DemoTown.organizations.enumerated() {
            let username = organization.username
            let id = try owners[username] ?? account(username, "\(username)@example.org")
            let form = ProviderForm(organization, phone: "(408) 555-01\(digits(80 + number, 2))")
            try Provider.save(form, of: id, in: db.at(since))
            try Account.put(on: .provider, id, in: db)
            if let host = try Event.host(id, in: db) { hosts.append(host) }
            // Two of three are verified; the others show what an unverified provider lacks.
            if number % 3 < 2, let provider = try Provider.find(of: id, in: db) {
                let verified = Verified(
                    checked: "its entry in the state’s register, and a call to its office", at: since,
                    until: now + .days(300))
                try Verified.set(verified, of: provider, reason: "", by: admin, in: db.at(since))
            }
        }

        var events: [ID<Event>] = []
        for (number, happening) in happenings.enumerated() {
            var event = happening.event
            event.host = hosts[happening.organization]
            event.asks = happening.questions.map { Ask(content: $0.content) }
            event.venue.coordinate = try Gazetteer.coordinate(of: event.address, in: db)?.near(event.address.street)
            let publication = try Event.publish(event, once: "demo-\(number)", in: db.at(happening.publishedAt))
            if case .new(let id) = publication { events.append(id) }
        }
        // The busy providers get a plan that allows as many events.
        for host in hosts where happenings.count(where: { hosts[$0.organization].id == host.id }) > Plan.basic.events {
            try Plan.grant(.platinum, to: host.id, in: db.at(since))
        }
        for (number, party) in parties.enumerated() {
            let family = families[party.home]
            let registration = try Registration.insert(
                party.children.compactMap { children[party.home][$0.nickname] }, of: family,
                at: events[party.happening], once: "demo-\(number)", in: db.at(party.registeredAt))
            try answer(number, party, children[party.home], of: family, at: events[party.happening], in: db)
            if let givenBackAt = party.givenBackAt {
                try Registration.giveBack(registration, children: [], of: family, in: db.at(givenBackAt))
            }
        }
        // Last, because nobody can register for a canceled event.
        for (id, happening) in zip(events, happenings) {
            if let cancelledAt = happening.cancelledAt { try Event.cancel(id, at: cancelledAt, in: db) }
        }
        try gather(families, in: db)
        try camp(families, hosts, in: db)
        try talk(families, in: db)
        try beKind(families, in: db)
        try play(families, in: db)
        try help(families, hosts, in: db)
        try need(families, in: db)
        try sortNotices(in: db)
        try Note.set("demo", "1", in: db)
    }

    /// Answers a happening's questions for a party, rotating through the answers.
    private func answer(
        _ number: Int, _ party: Party, _ children: [String: ID<Child>], of family: ID<Account>, at event: ID<Event>,
        in db: Connection
    ) throws {
        let questions = happenings[party.happening].questions
        guard !questions.isEmpty else { return }
        let asks = try Ask.all(of: event, in: db)
        let entries = zip(asks, questions).flatMap { ask, question in
            let about: [ID<Child>?] = ask.content.isEach ? party.children.map { children[$0.nickname] } : [nil]
            return about.enumerated().map { place, child in
                AnswerSheet.Entry(
                    ask: ask, child: child, answer: question.answers[(number + place) % question.answers.count])
            }
        }
        try Reply.store(entries, of: family, by: family, at: event, in: db.at(party.registeredAt))
    }

    /// Numbers the notices in order of time, as in a real town; here each feature wrote its own, one after another.
    private func sortNotices(in db: Connection) throws {
        try db.execute(
            """
            WITH ranked AS MATERIALIZED (SELECT id, row_number() OVER (ORDER BY at, id) AS place FROM notice)
            UPDATE notice SET id = -ranked.place FROM ranked WHERE ranked.id = notice.id
            """)
        try db.execute("UPDATE notice SET id = -id WHERE id < 0")
    }
}

extension Demo {
    /// Makes families do kind acts on past days and plan some for the next.
    private func beKind(_ families: [ID<Account>], in db: Connection) throws {
        let today = DemoTown.zone.day(of: now)
        for (number, family) in families.enumerated() {
            for act in DemoTown.acts(of: number).chosen {
                try KindAct.choose(act, by: family, in: db.at(now - .days(20)))
            }
            for (ago, id) in DemoTown.acts(of: number).done {
                guard let act = KindAct.listed(id) else { continue }
                let entry = Deed.Entry(
                    act: act, day: today.advanced(by: -ago), isWithChildren: ago % 3 == 0, once: "demo-\(ago)")
                try Deed.record(entry, by: family, in: db.at(now - .days(ago)))
            }
        }
    }

    /// Gives families pets; two of them said hello to the first one and got an answer.
    private func play(_ families: [ID<Account>], in db: Connection) throws {
        let (since, today) = (now - .days(40), DemoTown.zone.day(of: now))
        var pets: [Pet] = []
        for (number, friend) in DemoTown.friends.enumerated() where families.indices.contains(friend.home) {
            let (account, home) = (families[friend.home], homes[friend.home].form)
            let address = Address(city: home.city, state: "CA", zip: home.zip, country: "US")
            guard let cell = try Gazetteer.coordinate(of: address, in: db).map({ Cell(at: $0) }) else { continue }
            let owner = OwnerForm(
                name: home.firstName, birthYear: today.year - 34 - number * 3, country: "US", city: home.city,
                zip: home.zip, phone: number < 2 ? "(408) 555-0177" : nil,
                email: "\(home.firstName.lowercased())@example.org")
            try Owner.save(owner, at: cell, picture: nil, of: account, in: db.at(since))
            let form = PetForm(
                name: friend.name, kind: friend.kind, sex: friend.sex, years: friend.years, size: friend.size,
                energy: friend.energy, neutered: .yes, vaccinated: .yes, children: number % 2 == 0 ? .unknown : .yes,
                dogs: .yes, cats: .unknown, bio: friend.bio, kinds: friend.wants, within: Reach.far.rawValue)
            let id = try Pet.insert(form, of: account, once: "demo", on: today, in: db.at(since))
            if let pet = try Pet.find(id, in: db) { pets.append(pet) }
        }
        guard let first = pets.first, first.name == DemoTown.friends[0].name else { return }
        for friend in DemoTown.friends where friend.saysHello {
            guard let pet = pets.first(where: { $0.name == friend.name }) else { continue }
            _ = try Hello.choose(true, first.id, for: pet, on: today, in: db.at(now - .days(3)))
            let outcome = try Hello.choose(true, pet.id, for: first, on: today, in: db.at(now - .days(2)))
            guard case .matched(let match) = outcome, pet.name == "Biscuit" else { continue }
            for (number, line) in DemoTown.chat.enumerated() {
                try Message.send(
                    line.text, in: match, by: line.isFirst ? first.account : pet.account, once: "demo-\(number)",
                    tx: db.at(now - .hours(40 - number * 12)))
            }
            let start = DemoTown.zone.instant(today.advanced(by: 5), TimeOfDay(hour: 10, minute: 0)!)
            try Meeting.propose(
                "The lawn behind King Library", [start, start + .hours(29)], in: match, by: pet.account,
                once: "demo", tx: db.at(now - .hours(2)))
        }
    }

    /// Makes families ask for something, and the next ones promise it.
    private func need(_ families: [ID<Account>], in db: Connection) throws {
        let (today, asked) = (DemoTown.zone.day(of: now), now - .days(2))
        for (number, lack) in DemoTown.lacks.enumerated() where families.count > 2 {
            let place = number % families.count
            guard let author = try Author.find(families[place], in: db) else { continue }
            var form = NeedForm()
            form.kind = lack.kind
            form.title = lack.title
            form.description = lack.text
            form.count = lack.count
            form.until = today.advanced(by: lack.days)
            form.isHome = lack.isHome
            form.placeName = lack.place
            form.street = lack.street
            form.city = "San Jose"
            form.state = "CA"
            form.zip = lack.zip
            form.country = "US"
            let need = try form.need(by: author, zone: DemoTown.zone, today: today).located(in: db)
            guard case .new(let id) = try Need.publish(need, once: "demo-\(number)", in: db.at(asked)) else {
                continue
            }
            if lack.promised > 0 {
                let helper = families[(place + families.count - 1) % families.count]
                try Claim.make(
                    lack.promised, message: "I pass by on Saturday.", of: id, by: helper, in: db.at(asked + .hours(3)))
                guard let claim = try Claim.find(of: helper, at: id, in: db),
                    let thread = try TalkThread.id(of: claim.id, in: db)
                else { continue }
                for (number, line) in DemoTown.thread.enumerated() {
                    let (writer, at) = (line.isHelper ? helper : author.account, asked + .hours(4 + number * 5))
                    try TalkThread.see(thread, by: writer, in: db.at(at))
                    try Message.send(line.text, in: thread, by: writer, once: "demo-thread-\(number)", tx: db.at(at))
                }
            }
        }
    }

    /// Makes organizations ask for help, and families give it.
    private func help(_ families: [ID<Account>], _ hosts: [Event.Host], in db: Connection) throws {
        let (today, asked) = (DemoTown.zone.day(of: now), now - .days(10))
        for (number, call) in DemoTown.calls.enumerated() where !hosts.isEmpty && !families.isEmpty {
            let host = hosts[call.organization % hosts.count]
            guard let address = try Provider.find(of: host.id, in: db)?.address else { continue }
            let form = OpportunityForm(call, at: address, today: today)
            var opportunity = form.opportunity(by: host, zone: DemoTown.zone, currency: "USD", now: asked)
            opportunity.endsAt = max(opportunity.endsAt, now + .days(60))
            let outcome = try Opportunity.publish(
                opportunity.located(in: db), form.drawnShifts(in: DemoTown.zone), form.drawnThings,
                once: "demo-\(number)", in: db.at(asked))
            guard case .new(let id) = outcome else { continue }
            let (shifts, things) = (try Shift.all(of: id, in: db), try Thing.all(of: id, in: db))
            for (place, family) in families.prefix(5).enumerated() where family != host.id {
                if let thing = things.first {
                    try Promise.make(
                        place + 1, of: thing.id, by: family, at: id, once: "demo-\(place)", in: db.at(now - .days(2)))
                } else if call.kind != .donate, place == 0 || shifts.count > 2 {
                    try Signup.take(
                        shifts.filter { place == 0 || $0.id.rawValue % 2 == 0 }.map(\.id), message: "", of: family,
                        at: id, in: db.at(asked))
                }
            }
        }
        try thank(in: db)
    }

    /// Confirms past help, with reviews by the helpers.
    private func thank(in db: Connection) throws {
        let past: [Signup] = try db.all(
            """
            SELECT \(Signup.columns) FROM \(Signup.sources)
            WHERE signup.state = 'confirmed' AND shift.ends_at <= \(now) LIMIT 20
            """)
        for (place, signup) in past.enumerated() {
            guard let shift = signup.shift else { continue }
            let one = Contribution.Confirmation(of: .signup(signup.id), day: shift.day, minutes: shift.minutes)
            if place % 3 != 1 {
                try Contribution.confirm([one], at: signup.opportunity, by: signup.host, in: db.at(now))
                try Review.write(
                    ReviewForm(
                        stars: 5 - place % 2,
                        comment: "I came to carry plates and stayed for the company. You are shown everything."),
                    of: signup.host, by: signup.account, today: DemoTown.zone.day(of: now), in: db.at(now))
            }
            try Followed.follow(signup.host, true, by: signup.account, in: db.at(now))
        }
    }

    /// Makes families announce something for everyone, and others join it.
    private func gather(_ families: [ID<Account>], in db: Connection) throws {
        let today = DemoTown.zone.day(of: now)
        for (number, gathering) in DemoTown.gatherings.enumerated() where !families.isEmpty {
            let day = today.advanced(by: gathering.ahead)
            let venue = gathering.venue
            let form = EventForm(
                audience: .everyone, title: gathering.title, description: gathering.text,
                language: DemoTown.language, date: day, startTime: TimeOfDay(typed: gathering.start)!,
                endDate: day.advanced(by: gathering.days - 1),
                endTime: TimeOfDay(typed: gathering.end), placeName: gathering.place, street: venue.street,
                city: venue.city, state: "CA", zip: venue.zip, country: "US", spots: gathering.spots,
                price: "0", tags: gathering.tags)
            guard let host = try Event.host(families[(number + 1) % families.count], in: db) else { continue }
            var event = form.preview(by: host, zone: DemoTown.zone, currency: "USD")
            event.venue.coordinate = try Gazetteer.coordinate(of: event.address, in: db)?.near(event.address.street)
            let announced = now - .days(3)
            guard
                case .new(let id) = try Event.publish(event, once: "gathering-\(number)", in: db.at(announced))
            else { continue }
            let programme = gathering.programme.map { happening in
                var activity = happening.activity(from: day)
                if !activity.place.isEmpty {
                    activity.content.coordinate = event.venue.coordinate?.near(activity.place, meters: 100)
                }
                return activity
            }
            try Activity.save(programme, of: id, in: db.at(announced))
            let stored = try Activity.all(of: id, in: db)
            let coming = families.prefix(gathering.families).filter { $0 != host.id }
            for (number, account) in coming.enumerated() {
                let children = try Attendee.children(of: account, in: db)
                let joined = announced + .hours(5)
                try Attendee.join([.me] + children.map { .child($0.id) }, of: account, at: id, in: db.at(joined))
                for happening in gathering.programme where number < happening.families {
                    guard let activity = stored.first(where: { $0.name == happening.name }) else { continue }
                    let fitting = children.filter { activity.fits($0.ages(on: activity.day)) }
                    let people = (activity.takesAdults ? [Attendee.me] : []) + fitting.map { .child($0.id) }
                    guard activity.spots.map({ activity.taken + 4 * number + people.count <= $0 }) ?? true else {
                        continue
                    }
                    try Activity.join(people, of: account, in: activity.id, of: id, tx: db.at(joined))
                }
            }
        }
    }

    /// Makes an organization offer a week of sessions, and families choose some for their children.
    private func camp(_ families: [ID<Account>], _ hosts: [Event.Host], in db: Connection) throws {
        let camp = DemoTown.camp
        let today = DemoTown.zone.day(of: now)
        let monday = today.advanced(by: 21 - today.weekday)
        guard let host = hosts.first(where: { $0.username == camp.organization }),
            let address = try Provider.find(of: host.id, in: db)?.address
        else { return }
        let form = EventForm(
            title: camp.title, description: camp.text, language: DemoTown.language, date: monday,
            startTime: TimeOfDay(typed: "8am")!, endDate: monday.advanced(by: 4), endTime: TimeOfDay(typed: "5pm"),
            street: address.street,
            city: address.city, state: address.state, zip: address.zip, country: address.country, price: camp.price,
            tags: camp.tags)
        var event = form.preview(by: host, zone: DemoTown.zone, currency: "USD")
        event.venue.coordinate = try Gazetteer.coordinate(of: event.address, in: db)?.near(event.address.street)
        event.take(programme: camp.sessions.map { $0.activity(from: monday) })
        let announced = now - .days(6)
        guard case .new(let id) = try Event.publish(event, once: "camp", in: db.at(announced)) else { return }
        let sessions = try Activity.all(of: id, in: db).sorted { $0.id < $1.id }
        for (family, choice) in zip(families, camp.choices) {
            let children = try Attendee.children(of: family, in: db)
            for session in choice.map({ sessions[$0] }) {
                let fitting = children.filter { session.fits($0.ages(on: session.day)) }
                guard let left = try Activity.find(session.id, of: id, in: db)?.placesLeft else { continue }
                let (seated, rest) = (fitting.prefix(left), fitting.dropFirst(left))
                let (joined, account) = (announced + .hours(9), family)
                try Activity.enter(seated.map { .child($0.id) }, of: account, in: session.id, of: id, tx: db.at(joined))
                try Activity.wait(rest.map { .child($0.id) }, of: account, for: session.id, of: id, tx: db.at(joined))
            }
        }
    }

    /// Makes families post and comment, in turn.
    private func talk(_ families: [ID<Account>], in db: Connection) throws {
        for (id, home) in zip(families, homes) {
            let name = "\(home.form.firstName) \(home.form.lastName.prefix(1))."
            try Person.save(PersonForm(name: name), of: id, in: db.at(now - .days(60)))
        }
        var turn = 0
        func next() -> ID<Account> {
            turn += 1
            return families[turn % families.count]
        }
        for (number, voice) in DemoTown.voices.enumerated() {
            let at = now - voice.ago
            let form = PostForm(text: voice.text, kind: voice.kind, audience: voice.audience)
            let post = try Post.publish(form, by: next(), once: "demo-\(number)", in: db.at(at)).id
            for (place, text) in voice.answers.enumerated() {
                try Comment.add(
                    text, to: post, by: next(), once: "demo-\(number)-\(place)",
                    in: db.at(at + .minutes(20 * (place + 1))))
            }
            for _ in 0..<voice.likes { try Post.like(post, true, by: next(), in: db.at(at + .minutes(5))) }
            for complaint in DemoTown.complaints where complaint.voice == number {
                try store(complaint, about: post, by: next, in: db.at(at + .hours(1)))
            }
        }
    }
}

extension Demo {
    /// Stores a comment with the reports about it.
    private func store(
        _ complaint: DemoTown.Complaint, about post: ID<Post>, by next: () -> ID<Account>, in tx: Transaction
    ) throws {
        try Comment.add(complaint.text, to: post, by: next(), once: "demo-complaint", in: tx)
        guard let comment: ID<Comment> = try tx.value("SELECT max(id) FROM comment"),
            let exhibit = try Exhibit.find(.comment(comment), in: tx)
        else { return }
        for (number, report) in complaint.reports.enumerated() {
            let form = ReportForm(ground: report.ground, note: report.note)
            _ = try Report.file(
                form, about: exhibit, by: next(), once: "demo-\(comment)-\(number)",
                in: tx.at(tx.now + .minutes(30 * (number + 1))))
        }
    }
}

extension Account {
    /// Makes `hat` the one with which the next session begins.
    fileprivate static func put(on hat: Hat, _ id: ID<Account>, in db: Connection) throws {
        try db.execute("UPDATE account SET last_hat = \(hat) WHERE id = \(id)")
    }
}

extension Coordinate {
    /// A point nearby, always the same for the same name: the gazetteer only knows the ZIP code.
    fileprivate func near(_ name: String, meters: Double = 500) -> Coordinate? {
        let number = name.utf8.reduce(5_381) { ($0 * 33 + Int($1)) % 1_000_003 }
        let reach = meters / 500 / 100_000
        return Coordinate(
            latitude: latitude + Double(number % 1_000 - 500) * reach,
            longitude: longitude + Double(number / 1_000 - 500) * reach)
    }
}

extension Event {
    fileprivate static func cancel(_ id: ID<Event>, at instant: Instant, in db: Connection) throws {
        try db.execute(
            "UPDATE event SET cancelled_at = \(instant), listed = \(false), updated_at = \(instant) WHERE id = \(id)")
    }
}
