import Database

/// Waiting for a place in a full activity. Each waits alone, in the order in which they came; whoever is first has what
/// becomes free at once, and is told: a place at a fair is given back with one press, and no time is lost by asking.
extension Activity {
    /// Which of an account's people wait for which activities of an event.
    static func waiting(
        of account: ID<Account>, at event: ID<Event>, in db: Connection
    ) throws -> [ID<Activity>: Set<Attendee>] {
        var waiting: [ID<Activity>: Set<Attendee>] = [:]
        let head = try Guardian.head(of: account, in: db)
        try db.each(
            """
            SELECT activity_wait.activity_id, activity_wait.child_id, activity_wait.account_id
            FROM activity_wait JOIN activity ON activity.id = activity_wait.activity_id
            WHERE activity_wait.account_id IN (\(account), \(head)) AND activity.event_id = \(event) LIMIT 2000
            """
        ) { row in
            let activity: ID<Activity> = try row.next()
            let (child, holder): (ID<Child>?, ID<Account>) = (try row.next(), try row.next())
            if let child {
                waiting[activity, default: []].insert(.child(child))
            } else if holder == account {
                waiting[activity, default: []].insert(.me)
            }
            return true
        }
        return waiting
    }

    /// Lets people of an account wait for an activity. Who is in, or waits already, stays so.
    ///
    /// - Throws: `Attendee.Refused`; `Refusal.notFound` for somebody else's child, and where there is no such activity.
    static func wait(
        _ people: [Attendee], of account: ID<Account>, for id: ID<Activity>, of event: ID<Event>, now: Instant,
        db: Connection
    ) throws {
        guard let activity = try find(id, of: event, in: db), let whole = try Event.find(event, in: db),
            whole.isForEveryone, !whole.isHidden
        else { throw Refusal.notFound }
        guard activity.isOpen(at: now), whole.isOpen(at: now) else { throw Attendee.Refused.closed }
        let present = try present(of: account, at: event, in: db)[id] ?? []
        let there = present.union(try waiting(of: account, at: event, in: db)[id] ?? [])
        let fresh = Set(people).subtracting(there)
        try Attendee.check(fresh, of: account, for: activity, in: db)
        for attendee in people where fresh.contains(attendee) {
            let holder = try holder(of: attendee, account, in: db)
            guard try !db.exists("SELECT 1 FROM activity_wait WHERE \(isOf(attendee, holder, id))") else { continue }
            try db.execute(
                """
                INSERT INTO activity_wait (activity_id, account_id, child_id, created_at)
                VALUES (\(id), \(holder), \(attendee.child), \(now))
                """)
        }
        try passOn(id, at: now, in: db)
    }

    /// Takes people off the list.
    static func stopWaiting(
        _ people: some Sequence<Attendee>, of account: ID<Account>, for id: ID<Activity>, in db: Connection
    ) throws {
        for attendee in people {
            let holder = try holder(of: attendee, account, in: db)
            try db.execute("DELETE FROM activity_wait WHERE \(isOf(attendee, holder, id))")
        }
    }

    /// Takes people who leave an event off the lists of its activities.
    static func stopWaiting(
        _ people: some Sequence<Attendee>, of account: ID<Account>, at event: ID<Event>, in db: Connection
    ) throws {
        for (activity, waiting) in try waiting(of: account, at: event, in: db) {
            try stopWaiting(waiting.intersection(people), of: account, for: activity, in: db)
        }
    }

    /// Gives the free places of an activity to those who wait for it. Where its event is full, only those who are at it
    /// can have them.
    static func passOn(_ id: ID<Activity>, at now: Instant, in db: Connection) throws {
        let waiting: [(event: ID<Event>, account: ID<Account>, child: ID<Child>?)] = try db.all(
            """
            SELECT activity.event_id, activity_wait.account_id, activity_wait.child_id
            FROM activity_wait JOIN activity ON activity.id = activity_wait.activity_id
            WHERE activity_wait.activity_id = \(id) AND NOT EXISTS (SELECT 1 FROM account
                WHERE account.id = activity_wait.account_id AND account.suspended_at IS NOT NULL)
            ORDER BY activity_wait.id LIMIT 1000
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        for one in waiting {
            let event = one.event
            guard let activity = try find(id, of: event, in: db), activity.isOpen(at: now), !activity.isFull else {
                return
            }
            let attendee = one.child.map(Attendee.child) ?? .me
            do {
                try join([attendee], of: one.account, in: id, of: event, now: now, db: db)
            } catch Attendee.Refused.full {
                continue
            } catch Attendee.Refused.closed {
                return
            } catch is Attendee.Refused {
                // Meanwhile it is for other ages.
                try stopWaiting([attendee], of: one.account, for: id, in: db)
                continue
            } catch is Refusal {
                try stopWaiting([attendee], of: one.account, for: id, in: db)
                continue
            }
            let change = Change(of: event, gettingInto: activity)
            try Notice.tell(
                .init(kind: .changed, event: event, detail: Change.keeping([change])),
                "account.id = \(one.account)", at: now, in: db)
        }
    }

    /// What has to happen by itself: places that became free in another way than by leaving the activity go to those
    /// who wait, and nobody waits for what is over.
    ///
    /// - Returns: how many activities it concerned.
    @discardableResult static func tidyWaiting(at now: Instant, in db: Connection) throws -> Int {
        let over = try db.execute(
            """
            DELETE FROM activity_wait WHERE id IN (
                SELECT activity_wait.id FROM activity_wait JOIN activity ON activity.id = activity_wait.activity_id
                WHERE activity.ends_at <= \(now) OR activity.cancelled_at IS NOT NULL LIMIT 1000)
            """)
        let free: [ID<Activity>] = try db.all(
            """
            SELECT DISTINCT activity_wait.activity_id
            FROM activity_wait JOIN activity ON activity.id = activity_wait.activity_id
            WHERE activity.spots IS NULL OR activity.taken < activity.spots LIMIT 1000
            """
        ) { try $0.next() }
        for activity in free { try passOn(activity, at: now, in: db) }
        return over + free.count
    }

    /// Under which account somebody waits: a child under its family's.
    private static func holder(of attendee: Attendee, _ account: ID<Account>, in db: Connection) throws -> ID<Account> {
        attendee == .me ? account : try Guardian.head(of: account, in: db)
    }

    private static func isOf(_ attendee: Attendee, _ holder: ID<Account>, _ id: ID<Activity>) -> SQL {
        let who: SQL = attendee.child.map { "child_id = \($0)" } ?? "child_id IS NULL"
        return "activity_id = \(id) AND account_id = \(holder) AND \(who)"
    }
}
