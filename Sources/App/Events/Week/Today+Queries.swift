import Database

extension Today {
    /// - Parameters:
    ///   - day: The current day in `zone`.
    ///   - zone: The member's zone.
    init(
        of visitor: Visitor, _ opening: Opening, on day: Day, in zone: Zone, at now: Instant, db: Connection
    ) throws {
        let (account, isProvider) = (visitor.account, visitor.hat == .provider)
        let around = try Around(of: visitor, opening, on: day, in: zone, at: now, db: db)
        let search = isProvider ? OwnSearch(isApart: true) : OwnSearch(audience: .everyone, isApart: true)
        let events = try Event.own(
            search, by: visitor.acting, and: around.shared, after: nil, now: now, in: db
        ).items.filter { !around.has($0.card) }
        let signups =
            try !isProvider && opening.has(.helping)
            ? Signup.ahead(of: account, at: now, in: db).items.filter { !around.has($0) } : []
        self.init(
            around: around, awaited: try Awaited.all(of: visitor, opening, at: now, in: db),
            kindness: TodaysKindness(try MyKindness(of: account, at: now, in: zone, db), at: now, in: zone),
            planned: PlannedMeetings(around.meetings.filter { !around.has($0) }, at: now, in: zone),
            hosting: Array(events.prefix(isProvider ? 10 : 5)),
            helping: Helping(
                signups: signups,
                // Today names none.
                promises: .empty,
                claims: opening.has(.needs) ? try Claim.lines(of: account, in: zone, db: db) : .empty,
                threads: try TalkThread.unread(of: account, about: opening.modules, in: db)),
            // Those that begin sooner are shown above, among current plans.
            gaps: try isProvider && opening.has(.helping)
                ? HostedShift.gaps(of: visitor.acting, after: now + Schedule.margin, in: db) : [],
            parents: try visitor.hat == .parent
                ? visitor.family.map { family in
                    try ParentsToday(family, of: visitor, around, on: day, in: zone, at: now, db: db)
                } : nil)
    }
}

extension ParentsToday {
    /// - Parameters:
    ///   - day: The current day in `zone`.
    ///   - zone: The member's zone.
    fileprivate init(
        _ family: Visitor.FamilyBadge, of visitor: Visitor, _ around: Around, on day: Day, in zone: Zone,
        at now: Instant, db: Connection
    ) throws {
        let children = try Child.all(of: family.id, in: db)
        let nearby = try Event.search(
            .fitting(children, in: family.city, today: day), atMost: 60, in: zone, now: now, in: db)
        let lines = try Registration.lines(
            of: visitor.account, head: visitor.head, upcoming: true, day: day, knowing: around.changes, now: now,
            in: db
        ).items.filter { !around.has($0) }
        let ahead = lines.filter { !$0.isOver(at: now) }
        let next = Array(Registration.Line.courses(ahead).prefix(3))
        let shown = Set(next.flatMap { [$0.id] + $0.later.map(\.id) })
        self.init(
            name: family.firstName,
            offers: try Registration.waiting(of: visitor.head, now: now, in: db)
                .filter { $0.state == .offered || $0.lastOffer != nil },
            asked: children.isEmpty ? [] : try OpenQuestions.all(of: visitor.head, at: now, in: db),
            earlier: lines.filter { $0.isOver(at: now) }, next: next,
            changed: ahead.filter { !shown.contains($0.id) && !$0.changes.isEmpty },
            hasChildren: !children.isEmpty, city: family.city,
            nearby: Self.fitting(
                nearby, children, booked: try Commitment.all(of: visitor.head, from: now, in: db), today: day),
            day: day)
    }
}
