import Database

extension Series {
    /// The other dates of the series that a change of `event` reaches: those still to come and not cancelled.
    static func others(
        of event: Event, _ scope: Scope, at now: Instant, in db: Connection
    ) throws -> [Event] {
        guard let series = event.series, scope != .one else { return [] }
        let from = scope == .later ? max(event.startsAt, now) : now
        let dates: [ID<Event>] = try db.all(
            """
            SELECT id FROM event WHERE series_id = \(series) AND starts_at > \(from) AND cancelled_at IS NULL
            ORDER BY starts_at, id LIMIT 400
            """
        ) { try $0[0] }
        return try dates.filter { $0 != event.id }.compactMap { try Event.find($0, in: db) }
    }

    /// The next dates of a series that visitors see, without the one they look at.
    static func next(
        of series: ID<Event>, but event: ID<Event>, from now: Instant, in db: Connection
    ) throws -> [EventCard] {
        try db.all(
            """
            SELECT \(EventCard.columns) FROM event \(EventCard.host)
            WHERE event.series_id = \(series) AND event.starts_at > \(now) AND event.listed AND event.id <> \(event)
            ORDER BY event.starts_at, event.id LIMIT 12
            """, EventCard.read)
    }

    /// How many dates a series has, those to come and not cancelled.
    static func count(of event: Event, at now: Instant, in db: Connection) throws -> Int {
        try others(of: event, .all, at: now, in: db).count + 1
    }

    /// Publishes the event on more days, as one series with it. A day it has already, by this form, is left out.
    ///
    /// - Throws: `Plan.IsFull`; nothing is stored then.
    static func publish(_ event: Event, on days: [Day], at now: Instant, in db: Connection) throws {
        let series = event.series ?? event.id
        var taken: Set<Day> = [event.day]
        for other in try others(of: event, .all, at: now, in: db) { taken.insert(other.day) }
        let fresh = days.filter { taken.insert($0).inserted }
        try Plan.check(fresh, of: event.provider.id, in: db)
        if event.series == nil { try db.execute("UPDATE event SET series_id = \(series) WHERE id = \(series)") }
        for day in fresh {
            var date = event.on(day)
            date.series = series
            _ = try Event.publish(date, once: "\(series)-\(day.iso)-\(now.milliseconds)", at: now, in: db)
        }
    }

    /// Stores a change of `event` and what it means for the other dates: everything but the day.
    ///
    /// - Throws: `Event.TooManyRegistered` with the day it is about; nothing is stored then.
    static func update(_ event: Event, _ scope: Scope, at now: Instant, in db: Connection) throws {
        guard let before = try Event.find(event.id, in: db) else { throw Refusal.notFound }
        let others = try others(of: before, scope, at: now, in: db)
        if event.day.year != before.day.year { try Plan.check([event.day], of: event.provider.id, in: db) }
        try Event.update(event, at: now, in: db)
        for other in others { try Event.update(event.replacing(other), at: now, in: db) }
    }

    /// Cancels the event and the other dates in reach.
    static func cancel(_ event: Event, _ scope: Scope, reason: String, at now: Instant, in db: Connection) throws {
        for date in [event] + (try others(of: event, scope, at: now, in: db)) {
            try Event.cancel(date.id, reason: reason, at: now, in: db)
        }
    }
}

extension Event {
    /// This event's content on the day and in the row of another date of the series.
    fileprivate func replacing(_ other: Event) -> Event {
        var event = on(other.day)
        event.id = other.id
        event.series = other.series
        return event
    }

    /// Calls the event off. It stays, shown as cancelled; if nobody ever registered, its place in the plan is free again.
    static func cancel(_ id: ID<Event>, reason: String, at now: Instant, in db: Connection) throws {
        try db.execute(
            """
            UPDATE event SET cancelled_at = \(now), cancel_reason = \(reason), listed = \(false),
                sequence = sequence + 1, updated_at = \(now),
                counts = EXISTS (SELECT 1 FROM registration WHERE registration.event_id = event.id)
            WHERE id = \(id) AND cancelled_at IS NULL AND starts_at > \(now)
            """)
        try CareNote.erase(of: id, in: db)
    }

    /// Deletes an event that nobody ever registered for.
    ///
    /// - Throws: `Refusal.notAllowed` when somebody did, and be it that the places were given back.
    static func delete(_ event: Event, in db: Connection) throws {
        let id = event.id
        guard try !hasRegistrations(id, in: db) else { throw Refusal.notAllowed }
        if event.series == id {
            let next: ID<Event>? = try db.value(
                "SELECT id FROM event WHERE series_id = \(id) AND id <> \(id) ORDER BY starts_at, id LIMIT 1")
            try db.execute("UPDATE event SET series_id = \(next) WHERE series_id = \(id)")
        }
        try db.execute("DELETE FROM event_search WHERE rowid = (SELECT search_key FROM event WHERE id = \(id))")
        try db.execute("DELETE FROM event WHERE id = \(id)")
    }

    /// Whether anybody ever registered.
    static func hasRegistrations(_ id: ID<Event>, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM registration WHERE event_id = \(id) LIMIT 1")
    }
}
