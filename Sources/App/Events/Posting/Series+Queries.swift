import Database

extension Series.Booking: SQLValue {}

extension Series {
    /// The series' other dates to which a change of `event` applies: upcoming ones that aren't canceled.
    static func others(of event: Event, _ scope: Scope, in tx: Transaction) throws -> [Event] {
        guard let series = event.series, scope != .one else { return [] }
        let from = scope == .later ? max(event.startsAt, tx.now) : tx.now
        let dates: [ID<Event>] = try tx.all(
            """
            SELECT id FROM event WHERE series_id = \(series) AND starts_at > \(from) AND cancelled_at IS NULL
            ORDER BY starts_at, id LIMIT 400
            """
        ) { try $0.next() }
        return try dates.filter { $0 != event.id }.compactMap { try Event.find($0, in: tx) }
    }

    /// The next visible dates of a series, except the current one.
    static func next(of series: ID<Event>, but event: ID<Event>, in tx: Transaction) throws -> [EventCard] {
        try tx.all(
            """
            SELECT \(EventCard.columns) FROM event \(EventCard.host)
            WHERE event.series_id = \(series) AND event.starts_at > \(tx.now) AND event.listed AND event.id <> \(event)
            ORDER BY event.starts_at, event.id LIMIT 12
            """)
    }

    /// The number of upcoming dates in a series that aren't canceled.
    static func count(of event: Event, in tx: Transaction) throws -> Int {
        try others(of: event, .all, in: tx).count + 1
    }

    /// Any other date of its series.
    static func sibling(of event: Event, in db: Connection) throws -> ID<Event>? {
        guard let series = event.series else { return nil }
        return try db.value(
            """
            SELECT id FROM event WHERE series_id = \(series) AND id <> \(event.id) ORDER BY starts_at, id LIMIT 1
            """)
    }

    /// Publishes the event on more days, as a series with it. A day that it already has from this form is skipped.
    ///
    /// An event hidden by staff gets no more dates: they would show hidden content again, or if hidden themselves, only
    /// use up the provider's plan.
    ///
    /// - Returns: Whether there are new dates.
    /// - Throws: `Plan.IsFull`, `Impossible`, `IsHidden` or `Draw.KeepsPlaces`; then nothing is stored.
    @discardableResult
    static func publish(_ event: Event, on days: [Day], in tx: Transaction) throws -> Bool {
        guard let stored = try Event.find(event.id, in: tx), !stored.isHiddenByStaff else { throw IsHidden() }
        var event = event
        event.programme = try Activity.all(of: event.id, in: tx).filter { !$0.isCancelled }
        // They are linked with the new dates' questions from now on.
        event.asks = try Ask.all(of: stored, in: tx).map { Ask(root: $0.family, content: $0.content) }
        let series = event.series ?? event.id
        var taken: Set<Day> = [event.day]
        for other in try others(of: event, .all, in: tx) { taken.insert(other.day) }
        let fresh = days.filter { taken.insert($0).inserted }
        try Plan.check(fresh, of: event.host.id, in: tx)
        if event.series == nil { try tx.execute("UPDATE event SET series_id = \(series) WHERE id = \(series)") }
        event.series = series
        if event.booking != stored.booking { try settle(event, in: tx) }
        // Followers are notified once, regardless of the number of dates, and not again of a series of which they were
        // told within a day: its first date, or others, were published shortly before.
        let isTold = try tx.exists(
            "SELECT 1 FROM event WHERE series_id = \(series) AND created_at > \(tx.now - .days(1))")
        for day in fresh {
            var date = event.on(day)
            date.series = series
            try check(date, at: tx.now)
            let publication = try Event.publish(date, once: "\(series).\(day.iso).\(tx.now.milliseconds)", in: tx)
            if day == fresh.first, !isTold, case .new(let id) = publication {
                try FollowNews.tell(id, date, in: tx)
            }
        }
        if event.booking == .together, !fresh.isEmpty { try Change.tell(ofNew: fresh, of: series, in: tx) }
        return !fresh.isEmpty
    }

    /// Stores a change of `event`, and applies the changed values except the day to the other dates; other people's
    /// changes to these are kept.
    ///
    /// - Throws: `Event.TooManyRegistered`, `Draw.KeepsPlaces`, or `Impossible` with the day affected; then nothing is
    ///   stored.
    static func update(_ event: Event, _ scope: Scope, in tx: Transaction) throws {
        guard let before = try Event.find(event.id, in: tx) else { throw Refusal.notFound }
        let others = try others(of: before, scope, in: tx)
        if event.day.year != before.day.year { try Plan.check([event.day], of: event.host.id, in: tx) }
        var changes: [Change] = []
        let asked = try Ask.all(of: before, in: tx)
        let clock = before.hasStarted(at: tx.now) ? try event.clockToCome(since: before, in: tx) : nil
        let isAskedAnew = event.asks.map { $0.map(\.content) != asked.map(\.content) } ?? false
        for var old in [before] + others {
            var new = old.id == event.id ? event : old.following(event, since: before)
            if isAskedAnew { old.asks = try Ask.all(of: old, in: tx) }
            if old.id != event.id {
                if let clock { new.move(to: clock) }
                try check(new, at: tx.now)
                // What happens there goes by the clock of the place, too.
                if new.clock != old.clock {
                    let programme = try Activity.all(of: old.id, in: tx).filter { !$0.isCancelled }
                    new.programme = programme.map { $0.moved(to: new.clock) }
                }
                if isAskedAnew {
                    // The changed date comes first, and has its new questions by now.
                    new.asks = Ask.following(try Ask.all(of: event.id, in: tx), since: asked, of: old.asks ?? [])
                }
            }
            try Event.update(new, in: tx)
            changes += Change.between(old, new)
        }
        let isOtherWindow = event.admission.window != before.admission.window
        if event.booking != before.booking || event.booking == .together && isOtherWindow {
            try settle(event, in: tx)
        }
        try Change.record(changes, of: [before] + others, in: tx)
    }

    /// Applies the registration settings to a whole series. Dates that belong together open and close together; others
    /// close as long before their start as this one.
    ///
    /// - Throws: `Impossible` if registration for a date would never open; `Draw.KeepsPlaces` if the places at one of
    ///   them are drawn.
    private static func settle(_ event: Event, in tx: Transaction) throws {
        guard let series = event.series else { return }
        let booking = event.booking
        try Draw.check(event, in: tx)
        try tx.execute("UPDATE event SET booking = \(booking) WHERE series_id = \(series) AND booking <> \(booking)")
        try Hold.follow(event, in: tx)
        for var date in try others(of: event, .all, in: tx) {
            let window = event.window(on: date.day)
            (date.admission.booking, date.admission.window) = (booking, window)
            try check(date, at: tx.now)
            try Draw.check(date, in: tx)
            try Hold.follow(date, in: tx)
            try tx.execute(
                """
                UPDATE event SET opens_at = \(window.opensAt), closes_at = \(window.closesAt),
                    first_zips = \(window.firstZIPs.joined(separator: "\n")), first_until = \(window.firstUntil)
                WHERE id = \(date.id)
                """)
        }
    }

    /// Makes sure that a date's new times are possible.
    private static func check(_ date: Event, at now: Instant) throws {
        let times = EventTimes(
            date.day, from: date.start, to: date.end, until: date.schedule.endDay,
            in: Zone(stored: date.zone))
        if let problem = times.problem { throw Impossible(reason: .clocks(problem)) }
        guard !date.hasStarted(at: now) else { throw Impossible(reason: .past(date.day, date.start)) }
        let window = date.admission.window
        let closing = window.closesAt ?? (date.takesLate ? times.end : times.start)
        if let opens = window.opensForAll, opens >= closing { throw Impossible(reason: .neverOpen(date.day)) }
    }

    /// Staff hid the event, so it can't be copied.
    struct IsHidden: Error {}

    /// Cancels the event and the other dates in scope.
    static func cancel(_ event: Event, _ scope: Scope, reason: String, in tx: Transaction) throws {
        let dates = [event] + (try others(of: event, scope, in: tx))
        try Event.cancel(dates, reason: reason, in: tx)
    }
}

extension Event {
    /// This date of a series with the changes of another one. Related values are changed together: times, place, ages,
    /// price.
    fileprivate func following(_ new: Event, since old: Event) -> Event {
        var event = self
        // Each date keeps its own program, because people take part in it.
        event.programme = nil
        event.take(\.title, of: new, since: old)
        let (times, before) = (new.on(day), old.on(day))
        let window = (old.admission.window.moved(from: old.clock, to: new.clock), new.admission.window)
        if times.venue.zone != before.venue.zone { event.move(to: new.clock) }
        if !times.schedule.isSame(byClockAs: before.schedule) { event.takeTimes(of: times) }
        let (place, placeBefore) = (new.venue, old.venue)
        if (place.name, place.address, place.coordinate)
            != (placeBefore.name, placeBefore.address, placeBefore.coordinate)
        {
            (event.venue.name, event.venue.address) = (place.name, place.address)
            event.venue.coordinate = place.coordinate
        }
        // Another picture, or another description of the one they share.
        if new.picture != old.picture, new.picture?.id != old.picture?.id || new.picture?.id == picture?.id {
            event.picture = new.picture
        }
        event.take(\.venue.onlineURL, of: new, since: old)
        event.take(\.admission.spots, of: new, since: old)
        if (new.admission.ageFrom, new.admission.ageTo) != (old.admission.ageFrom, old.admission.ageTo) {
            (event.admission.ageFrom, event.admission.ageTo) = (new.admission.ageFrom, new.admission.ageTo)
        }
        if new.admission.price != old.admission.price || new.admission.isPriceOpen != old.admission.isPriceOpen {
            (event.admission.price, event.admission.isPriceOpen) = (new.admission.price, new.admission.isPriceOpen)
        }
        event.take(\.admission.takesLate, of: new, since: old)
        event.take(\.admission.covidSafe, of: new, since: old)
        if window.0 != window.1 { event.admission.window = new.window(on: day) }
        event.take(\.details.description, of: new, since: old)
        event.take(\.details.tags, of: new, since: old)
        event.take(\.details.bring, of: new, since: old)
        event.take(\.details.safety, of: new, since: old)
        event.take(\.details.language, of: new, since: old)
        event.take(\.details.other, of: new, since: old)
        event.take(\.details.amenities, of: new, since: old)
        return event
    }

    private mutating func take<Value: Equatable>(
        _ path: WritableKeyPath<Event, Value>, of new: Event, since old: Event
    ) {
        if new[keyPath: path] != old[keyPath: path] { self[keyPath: path] = new[keyPath: path] }
    }

    static func cancel(_ event: Event, reason: String, in tx: Transaction) throws {
        try cancel([event], reason: reason, in: tx)
    }

    /// Cancels dates, which remain visible as canceled; those without any registration free their place in the plan.
    /// Each family is notified once.
    static func cancel(_ dates: [Event], reason: String, in tx: Transaction) throws {
        var changes: [Change] = []
        for date in dates {
            let count = try tx.execute(
                """
                UPDATE event SET cancelled_at = \(tx.now), cancel_reason = \(reason),
                    sequence = sequence + 1, updated_at = \(tx.now),
                    counts = EXISTS (SELECT 1 FROM registration WHERE registration.event_id = event.id)
                WHERE id = \(date.id) AND cancelled_at IS NULL AND starts_at > \(tx.now)
                """)
            if count == 1 {
                changes.append(.cancelling(date))
                try Draw.tellOfLost(date.id, in: tx)
                try Cohost.tellCanceled(date, in: tx)
            }
        }
        try Change.record(changes, of: dates, in: tx)
        for date in dates {
            try Registration.endWaiting(for: date.id, in: tx)
            try Decision.settle(.event(date.id), in: tx)
            try relist("id = \(date.id)", in: tx)
            try CareNote.erase(of: date.id, in: tx)
            if date.isAsking { try Reply.erase(of: date.id, in: tx) }
            try Reminder.forget(date.id, in: tx)
        }
    }

    /// Deletes an event that never had registrations or participants.
    ///
    /// A past event stays even without participants, because it counts toward its year's plan and a deleted event
    /// doesn't.
    ///
    /// - Throws: `Refusal.notAllowed` if there were any, even if all places have been given back; `Refusal.tooLate`
    ///   once it has begun, unless it was canceled before.
    static func delete(_ event: Event, in tx: Transaction) throws {
        let id = event.id
        // Read again, because it may have changed since the page was requested.
        guard let event = try find(id, in: tx) else { throw Refusal.notFound }
        if let refusal = try refusesDeleting(event, in: tx) { throw refusal }
        if event.series == id {
            let next: ID<Event>? = try tx.value(
                "SELECT id FROM event WHERE series_id = \(id) AND id <> \(id) ORDER BY starts_at, id LIMIT 1")
            try tx.execute("UPDATE event SET series_id = \(next) WHERE series_id = \(id)")
        }
        try unindex("id = \(id)", in: tx)
        try Notice.erase(about: id, in: tx)
        try Cohost.untellAll(of: event, in: tx)
        try TalkThread.eraseAll(at: id, in: tx)
        try tx.execute("DELETE FROM event WHERE id = \(id)")
        try Decision.settle(.event(id), in: tx)
    }

    /// Why an event can't be deleted; nil if it can.
    static func refusesDeleting(_ event: Event, in tx: Transaction) throws -> Refusal? {
        if try hasRegistrations(event.id, in: tx) { return .notAllowed }
        // The attendance is stored only in the event. While its places are drawn, families wish for them: it can be
        // canceled, which they are told, or the draw called off. Deleted and restored, it would be open to the fastest.
        let isKept: SQL = """
            walk_ins + arrived > 0 OR heads IS NOT NULL OR heads_online IS NOT NULL OR \(Draw.isPending(at: "event.id"))
            """
        if try tx.exists("SELECT 1 FROM event WHERE id = \(event.id) AND (\(isKept))") { return .notAllowed }
        return event.isCancelled || !event.hasStarted(at: tx.now) ? nil : .tooLate
    }

    /// Restores a recently deleted event under its ID.
    ///
    /// - Throws: `Plan.IsFull` if other events have used up the plan.
    static func restore(_ event: Event, once: String, in tx: Transaction) throws {
        if !event.isCancelled { try Plan.check([event.day], of: event.host.id, in: tx) }
        _ = try publish(event, number: event.id, once: once, in: tx)
        let hiddenAt = event.isHiddenByStaff ? tx.now : nil
        try tx.execute(
            """
            UPDATE event SET created_at = \(event.createdAt), cancelled_at = \(event.cancelledAt),
                cancel_reason = \(event.cancelReason), hidden_at = \(hiddenAt), counts = \(!event.isCancelled)
            WHERE id = \(event.id)
            """)
        try relist("id = \(event.id)", in: tx)
        // Open reports about it return to the queue.
        if try Matter.author(of: .event(event.id), in: tx) != nil {
            try Matter.raise(.event(event.id), of: event.host.id, for: .look, in: tx)
        }
    }

    /// Whether there was ever a registration.
    static func hasRegistrations(_ id: ID<Event>, in db: Connection) throws -> Bool {
        try db.exists("SELECT 1 FROM registration WHERE event_id = \(id) LIMIT 1")
    }
}
