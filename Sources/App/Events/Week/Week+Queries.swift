import Database

extension WeekItem {
    /// A member's plans on some days, including those that began earlier: places at events, activities, shifts,
    /// meetings, and their own events. Without changes: see `marked`.
    ///
    /// - Parameters:
    ///   - head: The account under which the children they look after are registered.
    ///   - host: The account for which they post events, if it isn't their own.
    ///   - opening: Modules that are switched off are left out.
    ///   - zone: The town's zone, in which pets meet.
    ///   - shared: The events they co-host, if already loaded.
    ///   - meetings: The meetings around these days, if already loaded.
    static func all(
        of account: ID<Account>, head: ID<Account>, announcing host: ID<Account>? = nil, on days: Range<Day>,
        _ opening: Opening, in zone: Zone, and shared: [ID<Event>]? = nil, meetings: [MeetingLine]? = nil,
        db: Connection
    ) throws -> [WeekItem] {
        let (start, end) = (zone.instant(days.lowerBound, .midnight), zone.instant(days.upperBound, .midnight))
        let host = host ?? account
        let shared = try shared ?? (host == account ? Cohost.events(of: account, in: db) : [])
        var items =
            try Event.own(by: host, and: shared, on: days, in: zone, db: db).map(WeekItem.own)
            + Registration.lines(of: account, head: head, on: days, in: db).filter { !$0.hasSessions }
            .map(WeekItem.party)
            + Activity.lines(of: account, head: head, on: days, in: db)
            .filter { $0.isSession || opening.has(.programs) }.flatMap(\.eachDay).map(WeekItem.activity)
        if opening.has(.helping) {
            let (earliest, latest) = (start - .days(1), end + .days(1))
            items += try Signup.shifts(of: account, from: earliest, to: latest, in: db).map(WeekItem.shift)
        }
        if opening.has(.playdates) {
            items += try (meetings ?? Meeting.lines(of: account, from: start, to: end, in: db)).map {
                .meeting($0, zone)
            }
        }
        return items
    }

    /// The items, with unseen changes of places.
    ///
    /// - Returns: The items, and all changes that the family hasn't seen; nil if no item is a place.
    static func marked(
        _ items: [WeekItem], of account: ID<Account>, head: ID<Account>, in tx: Transaction
    ) throws -> (items: [WeekItem], changes: [Change]?) {
        let lines = items.compactMap { if case .party(let line) = $0 { line } else { nil } }
        guard !lines.isEmpty else { return (items, nil) }
        let changes = try Change.unseen(byFamilyOf: account, head: head, in: tx)
        var marked = Registration.marked(lines, with: changes)[...]
        let all = items.map { item -> WeekItem in
            if case .party = item, let line = marked.popFirst() { .party(line) } else { item }
        }
        return (all, changes)
    }
}

extension WeekPage {
    /// A week's plans, and a summary of later ones.
    init(_ week: Week, of member: Visitor, _ opening: Opening, in zone: Zone, tx: Transaction) throws {
        let account = member.account
        let last = week.days.upperBound.advanced(by: 7 * WeekAhead.most)
        let planned = try WeekItem.all(
            of: account, head: member.head, announcing: member.acting, on: week.from..<last, opening, in: zone, db: tx
        ).filter { $0.schedule.day < last && $0.reaches(week.from) }
        let items = try WeekItem.marked(planned, of: account, head: member.head, in: tx).items
        let (helps, meets) = (opening.has(.helping), opening.has(.needs))
        let ahead = try helps ? Signup.ahead(of: account, in: tx).items : []
        let later = [
            try Event.nextDay(of: member.acting, from: last, in: zone, tx: tx),
            try Registration.nextDay(of: account, head: member.head, from: last, in: tx),
            ahead.compactMap(\.shift?.day).filter { $0 >= last }.min(),
        ].compactMap(\.self).min()
        self.init(
            week, items.filter { $0.schedule.day < week.days.upperBound },
            ahead: items.filter { $0.schedule.day >= week.days.upperBound }, later: later,
            people: WeekPerson.all(try Attendee.children(headedBy: member.head, in: tx)),
            // Shifts are part of the week.
            helping: Helping(
                signups: ahead.filter { $0.shift == nil },
                promises: try helps ? Promise.open(of: account, alsoWaiting: true, in: tx) : .empty,
                claims: try meets ? Claim.lines(of: account, in: zone, db: tx) : .empty))
    }
}

extension TimeSlot {
    /// A member's plans around some times, to detect overlaps. They count even if their module is switched off now.
    static func plans(of member: Visitor, around moments: [Instant], in db: Connection) throws -> [TimeSlot] {
        guard let first = moments.min(), let last = moments.max() else { return [] }
        let days = Zone.utc.day(of: first).advanced(by: -1)..<Zone.utc.day(of: last).advanced(by: 3)
        return try WeekItem.all(of: member.account, head: member.head, on: days, Opening(), in: .utc, db: db)
            .map(TimeSlot.init)
    }
}
