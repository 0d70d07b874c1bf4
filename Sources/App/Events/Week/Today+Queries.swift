import Database

extension Today {
    /// - Parameters:
    ///   - day: The current day in `zone`.
    ///   - zone: The member's zone.
    init(of visitor: Visitor, _ opening: Opening, on day: Day, in zone: Zone, tx: Transaction) throws {
        let (account, isProvider) = (visitor.account, visitor.hat == .provider)
        let around = try Around(of: visitor, opening, on: day, in: zone, tx: tx)
        let search = isProvider ? OwnSearch(isApart: true) : OwnSearch(audience: .everyone, isApart: true)
        let events = try Event.own(
            search, by: visitor.acting, and: around.shared, after: nil, in: tx
        ).items.filter { !around.has($0.card) }
        let signups =
            try !isProvider && opening.has(.helping)
            ? Signup.ahead(of: account, in: tx).items.filter { !around.has($0) } : []
        self.init(
            around: around, awaited: try Awaited.all(of: visitor, opening, in: tx),
            kindness: TodaysKindness(try MyKindness(of: account, in: zone, tx), at: tx.now, in: zone),
            planned: PlannedMeetings(around.meetings.filter { !around.has($0) }, at: tx.now, in: zone),
            hosting: Array(events.prefix(isProvider ? 10 : 5)),
            helping: Helping(
                signups: signups,
                // Today names none.
                promises: .empty,
                claims: opening.has(.needs) ? try Claim.lines(of: account, in: zone, db: tx) : .empty,
                threads: try TalkThread.unread(of: account, about: opening.modules, in: tx)),
            // Those that begin sooner are shown above, among current plans.
            gaps: try isProvider && opening.has(.helping)
                ? HostedShift.gaps(of: visitor.acting, after: tx.now + Schedule.margin, in: tx) : [],
            parents: try visitor.hat == .parent
                ? visitor.family.map { family in
                    try ParentsToday(family, of: visitor, around, on: day, in: zone, tx: tx)
                } : nil)
    }
}

extension ParentsToday {
    /// - Parameters:
    ///   - day: The current day in `zone`.
    ///   - zone: The member's zone.
    fileprivate init(
        _ family: Visitor.FamilyBadge, of visitor: Visitor, _ around: Around, on day: Day, in zone: Zone,
        tx: Transaction
    ) throws {
        let children = try Child.all(of: family.id, in: tx)
        let fitting = EventFilter.fitting(children, in: family.city, today: day)
        let nearby = try Event.search(fitting, atMost: 60, in: zone, in: tx).cards
        let lines = try Registration.lines(
            of: visitor.account, head: visitor.head, upcoming: true, day: day, knowing: around.changes, in: tx
        ).items.filter { !around.has($0) }
        let ahead = lines.filter { !$0.isOver(at: tx.now) }
        let next = Array(Registration.Line.courses(ahead).prefix(3))
        let shown = Set(next.flatMap { [$0.id] + $0.later.map(\.id) })
        self.init(
            name: family.firstName,
            offers: try Registration.waiting(of: visitor.head, in: tx)
                .filter { $0.state == .offered || $0.lastOffer != nil },
            asked: children.isEmpty ? [] : try OpenQuestions.all(of: visitor.head, in: tx),
            earlier: lines.filter { $0.isOver(at: tx.now) }, next: next,
            changed: ahead.filter { !shown.contains($0.id) && !$0.changes.isEmpty },
            hasChildren: !children.isEmpty, city: family.city,
            nearby: Self.fitting(nearby, children, booked: try Commitment.all(of: visitor.head, in: tx), today: day),
            day: day)
    }
}
