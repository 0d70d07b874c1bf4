import Database

extension Contribution.Kind: SQLValue {}

extension Contribution: RowDecodable {
    static let columns: Columns = [
        "contribution.id", "contribution.kind", "contribution.host_id", "contribution.host_name",
        "contribution.opportunity_id", "contribution.signup_id", "contribution.title", "contribution.day",
        "coalesce(contribution.minutes, 0)", "contribution.confirmed", "contribution.amount", "contribution.currency",
        "contribution.count", "contribution.confirmed_at IS NOT NULL",
    ]

    init(row: inout Row) throws {
        let (id, kind, host, name): (ID<Contribution>, Kind, ID<Account>?, String) =
            (try row.next(), try row.next(), try row.next(), try row.next())
        let (opportunity, signup, title, day): (ID<Opportunity>?, ID<Signup>?, String, Day) =
            (try row.next(), try row.next(), try row.next(), try row.next())
        let (minutes, confirmed, amount, currency): (Int, Int?, Int?, String) =
            (try row.next(), try row.next(), try row.next(), try row.next())
        self.init(
            id: id, kind: kind, host: host, hostName: name, opportunity: opportunity, signup: signup, title: title,
            day: day, minutes: minutes, confirmed: confirmed,
            amount: amount.map { Money(minorUnits: $0, currency: currency) }, count: try row.next(),
            isReceived: try row.next())
    }
}

extension Impact {
    /// The total of a member's help.
    init(of account: ID<Account>, year: Int?, today: Day, in db: Connection) throws {
        let needs: [Day] = try db.all(
            """
            SELECT day FROM deed WHERE account_id = \(account) AND act = \(KindAct.need.id)
            ORDER BY id DESC LIMIT \(Contribution.most)
            """
        ) { try $0.next() }
        self.init(try Contribution.all(of: account, in: db), needs: needs, year: year, today: today)
    }
}

extension Contribution {
    /// The most lines of a member's own that are read.
    static let most = 5_000

    /// A member's ledger, newest first.
    static func all(of account: ID<Account>, in db: Connection) throws -> [Contribution] {
        try db.all(
            """
            SELECT \(columns) FROM contribution WHERE account_id = \(account) ORDER BY day DESC, id DESC LIMIT \(most)
            """)
    }

    /// Stores how long a member says it took; it can be changed until it is confirmed.
    ///
    /// - Throws: `Refusal.notFound`, `Refusal.tooLate`, `TooMuch`, `WrongDay`; `Refusal.overtaken` if the organization
    ///   confirmed another number meanwhile.
    static func say(
        _ minutes: Int, on day: Day?, for id: ID<Signup>, of account: ID<Account>, today: Day, in tx: Transaction
    ) throws {
        guard let signup = try Signup.find(id, in: tx), signup.account == account else { throw Refusal.notFound }
        let stay = signup.stay
        guard stay.canSayHours(at: tx.now) else { throw Refusal.tooLate }
        guard minutes <= stay.mostMinutes else { throw TooMuch(most: stay.mostMinutes) }
        let day = signup.shift?.day ?? day ?? today
        guard day <= today, day > today.advanced(by: -366) else { throw WrongDay() }
        guard try !write(stay, minutes, on: day, in: tx) else { return }
        let isSame = try tx.exists(
            "SELECT 1 FROM contribution WHERE \(stay.isIts) AND day = \(day) AND minutes = \(minutes)")
        if !isSame { throw Refusal.overtaken(signup.link) }
    }

    /// The `once` of a sign-up's hours on a day. No form can have one with a period: otherwise a helper could note a
    /// gift with it, and the organization could confirm nobody's hours.
    static func once(of signup: ID<Signup>, on day: Day) -> String { "signup.\(signup).\(day.iso)" }

    /// Writes or changes the line of a day, as long as it isn’t confirmed.
    ///
    /// - Returns: Whether it isn't.
    @discardableResult
    private static func write(_ stay: Stay, _ minutes: Int, on day: Day, in tx: Transaction) throws -> Bool {
        let kind: Kind = stay.kind == .shadow ? .shadow : .hours
        let once =
            switch stay.holder {
            case .signup(let id): once(of: id, on: day)
            case .guest(let id): "guest-\(id)"
            }
        let line: SQL = stay.holder.guest == nil ? "signup_id, day" : "guest_id"
        let count = try tx.execute(
            """
            INSERT INTO contribution (account_id, kind, host_id, host_name, opportunity_id, signup_id, guest_id, title,
                day, minutes, currency, once, at)
            VALUES (\(stay.account), \(kind), \(stay.host), \(stay.hostName), \(stay.opportunity),
                \(stay.holder.signup), \(stay.holder.guest), \(stay.title), \(day), \(minutes), '', \(once), \(tx.now))
            ON CONFLICT (\(line)) DO UPDATE SET minutes = \(minutes) WHERE contribution.confirmed IS NULL
            """)
        try HelpNews.settleHours(of: stay, in: tx)
        return count == 1
    }

    /// An organization's confirmation of one day of one helper.
    struct Confirmation: Sendable, Equatable {
        let holder: Stay.Holder
        let day: Day
        let minutes: Int
        /// The times of arrival and departure, in the place's zone.
        var arrived: TimeOfDay?
        var left: TimeOfDay?

        init(of holder: Stay.Holder, day: Day, minutes: Int, arrived: TimeOfDay? = nil, left: TimeOfDay? = nil) {
            (self.holder, self.day, self.minutes, self.arrived, self.left) = (holder, day, minutes, arrived, left)
        }
    }

    /// Whether an organization confirmed hours of a member's help: ever, and in that year. Shadowing is no help. Of
    /// somebody without an account nothing counts before.
    static func isCounted(
        _ account: ID<Account>?, at host: ID<Account>, in year: Int, db: Connection
    ) throws -> (ever: Bool, year: Bool) {
        guard let account else { return (false, false) }
        func exists(_ days: SQL = "") throws -> Bool {
            try db.exists(
                """
                SELECT 1 FROM contribution WHERE host_id = \(host) AND account_id = \(account)
                    AND confirmed IS NOT NULL AND kind <> 'shadow'\(days) LIMIT 1
                """)
        }
        let (name, day): (String, SQL) = (digits(year, 4), "\(unindexed: "day")")
        return (try exists(), try exists(" AND \(day) > \("\(name)-") AND \(day) < \("\(name).")"))
    }

    /// Confirms hours: all of them or none. Nobody can confirm their own, nor more than the shift's length.
    ///
    /// - Parameter colleague: The colleague who confirms them, if it isn't the organization's owner.
    /// - Returns: How many weren't confirmed already.
    /// - Throws: `Refusal.notFound`, `TooMuch`.
    @discardableResult
    static func confirm(
        _ all: [Confirmation], at opportunity: ID<Opportunity>, by host: ID<Account>,
        pressedBy colleague: ID<Account>? = nil, in tx: Transaction
    ) throws -> Int {
        var sum = 0
        for one in all {
            let stay = try Stay.find(one.holder, at: opportunity, by: host, pressedBy: colleague ?? host, in: tx)
            guard stay.isHeld else { throw Refusal.notFound }
            guard stay.canSayHours(at: tx.now) else { throw Refusal.tooLate }
            guard one.minutes <= stay.mostMinutes else { throw TooMuch(most: stay.mostMinutes) }
            if let shift = stay.shift, shift.day != one.day { throw Refusal.notFound }
            let said = try tx.exists("SELECT 1 FROM contribution WHERE \(stay.isIts) AND day = \(one.day)")
            guard said || stay.shift != nil else { throw Refusal.notFound }
            if !said { try write(stay, one.minutes, on: one.day, in: tx) }
            let before = try isCounted(stay.account, at: host, in: one.day.year, db: tx)
            let count = try tx.execute(
                """
                UPDATE contribution SET confirmed = \(one.minutes), confirmed_at = \(tx.now),
                    confirmer_id = \(colleague ?? host), in_minute = \(one.arrived), out_minute = \(one.left),
                    helper_name = coalesce((SELECT guest.name FROM guest WHERE guest.id = \(stay.holder.guest)),
                        (SELECT \(HelperList.name) FROM account
                            LEFT JOIN family ON family.account_id = account.id
                            LEFT JOIN person ON person.account_id = account.id WHERE account.id = \(stay.account)), '')
                WHERE \(stay.isIts) AND day = \(one.day) AND confirmed IS NULL
                """)
            guard count == 1 else { continue }
            sum += 1
            try stay.forgetAbsence(in: tx)
            if stay.kind != .shadow {
                try OrganizationTotal.add(
                    one.minutes, helpers: before.ever ? 0 : 1, ofYear: before.year ? 0 : 1, to: host, on: one.day,
                    in: tx)
                try MonthTotal.minutes.add(one.minutes, to: host, on: one.day, in: tx)
            }
            if let account = stay.account {
                try HelpNews(.confirmed, opportunity, stay.title).tell(account, in: tx)
            }
        }
        return sum
    }

    /// Corrects the confirmation of a day, or revokes it because the helper didn't come. Totals and certificates are
    /// updated, and the helper is notified if the time changes.
    ///
    /// - Parameter new: The right values; nil if the helper didn't come, which is recorded as an absence.
    /// - Returns: Whether they are other values than before.
    /// - Throws: `Refusal.notFound`, also for one's own; `Refusal.tooLate`.
    static func correct(
        _ holder: Stay.Holder, on day: Day, to new: Confirmation?, at opportunity: ID<Opportunity>,
        by host: ID<Account>, pressedBy colleague: ID<Account>, in tx: Transaction
    ) throws -> Bool {
        let stay = try Stay.find(holder, at: opportunity, by: host, pressedBy: colleague, in: tx)
        guard
            let (line, confirmedAt, old): (ID<Contribution>, Instant, Confirmation) = try tx.first(
                """
                SELECT id, confirmed_at, confirmed, in_minute, out_minute FROM contribution
                WHERE \(stay.isIts) AND day = \(day) AND confirmed IS NOT NULL
                """,
                { row in
                    let (line, at): (ID<Contribution>, Instant) = (try row.next(), try row.next())
                    let minutes: Int = try row.next()
                    return (
                        line, at,
                        Confirmation(
                            of: holder, day: day, minutes: minutes, arrived: try row.next(), left: try row.next())
                    )
                })
        else {
            // Somebody else noted at the same moment that they didn't come.
            guard try new == nil && stay.isMissed(in: tx) else { throw Refusal.notFound }
            return false
        }
        guard old != new else { return false }
        guard stay.canCorrect(day, at: tx.now) else { throw Refusal.tooLate }
        if let new {
            guard (1...stay.mostMinutes).contains(new.minutes) else { throw Refusal.malformed }
            try tx.execute(
                """
                UPDATE contribution SET confirmed = \(new.minutes), confirmer_id = \(colleague),
                    in_minute = \(new.arrived), out_minute = \(new.left)
                WHERE id = \(line)
                """)
        } else {
            guard stay.shift != nil else { throw Refusal.malformed }
            try tx.execute("DELETE FROM contribution WHERE id = \(line)")
            try Stay.miss([holder], at: opportunity, by: host, pressedBy: colleague, in: tx)
        }
        let more = (new?.minutes ?? 0) - old.minutes
        guard more != 0 else { return true }
        if stay.kind != .shadow {
            let left = try isCounted(stay.account, at: host, in: day.year, db: tx)
            try OrganizationTotal.add(
                more, helpers: new == nil && !left.ever ? -1 : 0, ofYear: new == nil && !left.year ? -1 : 0, to: host,
                on: day, in: tx)
            try MonthTotal.minutes.correct(by: more, of: host, on: day, in: tx)
        }
        guard let account = stay.account else { return true }
        try Certificate.correct(of: account, in: day.year, since: confirmedAt, tx: tx)
        try HelpNews(.corrected, opportunity, stay.title).tell(account, in: tx)
        return true
    }

    /// Records that a promised thing was brought.
    static func note(_ promise: Promise, isReceived: Bool, on day: Day, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO contribution (account_id, kind, host_id, host_name, opportunity_id, promise_id, title, day,
                count, currency, confirmed_at, once, at)
            VALUES (\(promise.account), 'things', \(promise.host), \(promise.hostName), \(promise.opportunity),
                \(promise.id), \("\(promise.count) × \(promise.thingName)"), \(day), \(promise.count),
                '', \(isReceived ? tx.now : nil),
                \("promise-\(promise.id)"), \(tx.now))
            ON CONFLICT (promise_id) DO UPDATE SET
                confirmed_at = coalesce(contribution.confirmed_at, excluded.confirmed_at)
            """)
    }

    /// When a promised thing was brought, according to its giver.
    static func day(of promise: Promise, in db: Connection) throws -> Day? {
        try db.value("SELECT day FROM contribution WHERE promise_id = \(promise.id) AND confirmed_at IS NULL")
    }

    /// Deletes the record of a promised thing that its giver said was brought but that didn't arrive.
    static func forget(_ promise: Promise, in db: Connection) throws {
        try db.execute("DELETE FROM contribution WHERE promise_id = \(promise.id) AND confirmed_at IS NULL")
    }

    /// Records a gift of money, visible only to its giver.
    static func note(
        _ amount: Money, to organization: String, on day: Day, by account: ID<Account>, once: String, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO contribution (account_id, kind, host_name, title, day, amount, currency, once, at)
            VALUES (\(account), 'money', \(organization), \(organization), \(day), \(amount.minorUnits),
                \(amount.currency), \(once), \(tx.now))
            ON CONFLICT (account_id, once) DO NOTHING
            """)
    }
}

extension Contribution {
    /// A gift that a member recorded.
    ///
    /// - Throws: `Refusal.notFound` if it is something else, or somebody else's.
    static func gift(_ id: ID<Contribution>, of account: ID<Account>, in db: Connection) throws -> Contribution {
        let found: Contribution? = try db.first(
            "SELECT \(columns) FROM contribution WHERE id = \(id) AND account_id = \(account) AND kind = 'money'")
        guard let found else { throw Refusal.notFound }
        return found
    }

    static func change(
        _ gift: Contribution, to amount: Money, for organization: String, on day: Day, in db: Connection
    ) throws {
        try db.execute(
            """
            UPDATE contribution SET host_name = \(organization), title = \(organization), day = \(day),
                amount = \(amount.minorUnits) WHERE id = \(gift.id)
            """)
    }

    /// Deletes a gift that a member recorded.
    ///
    /// - Returns: The year it was in.
    static func deleteGift(_ id: ID<Contribution>, of account: ID<Account>, in db: Connection) throws -> Int {
        let gift = try gift(id, of: account, in: db)
        try db.execute("DELETE FROM contribution WHERE id = \(id)")
        return gift.day.year
    }
}

extension OrganizationTotal {
    /// Adds to what the help that an organization confirmed comes to, or takes from it, no less than to nothing.
    ///
    /// - Parameters:
    ///   - helpers: How many people came to it who had given nothing before.
    ///   - ofYear: How many who had given nothing in that year.
    static func add(
        _ minutes: Int, helpers: Int, ofYear: Int, to host: ID<Account>, on day: Day, in db: Connection
    ) throws {
        func sum(_ column: SQL, _ more: Int) -> SQL {
            "CASE WHEN \(column) + \(more) < 0 THEN 0 ELSE \(column) + \(more) END"
        }
        try make(host, in: db)
        try db.execute(
            """
            UPDATE organization_total SET minutes = \(sum("minutes", minutes)), helpers = \(sum("helpers", helpers))
            WHERE account_id = \(host)
            """)
        try db.execute(
            """
            INSERT INTO organization_year (account_id, year, helpers, minutes) VALUES (\(host), \(day.year), 0, 0)
            ON CONFLICT (account_id, year) DO NOTHING
            """)
        try db.execute(
            """
            UPDATE organization_year SET minutes = \(sum("minutes", minutes)), helpers = \(sum("helpers", ofYear))
            WHERE account_id = \(host) AND year = \(day.year)
            """)
    }
}

extension Certificate: RowDecodable {
    static let columns: Columns = [
        "code", "account_id", "name", "year", "minutes", "lines", "made_at", "withdrawn_at", "is_own_name",
    ]

    init(row: inout Row) throws {
        self.init(
            code: try row.next(), account: try row.next(), name: try row.next(), year: try row.next(),
            minutes: try row.next(), lines: Self.lines(try row.next()), madeAt: try row.next(),
            withdrawnAt: try row.next(), isOwnName: try row.next())
    }

    /// Whether an organization confirmed something in that year under another name.
    private static func isOwn(_ name: String, of account: ID<Account>, in year: Int, db: Connection) throws -> Bool {
        let confirmed: [String] = try db.all(
            """
            SELECT helper_name FROM contribution
            WHERE account_id = \(account) AND confirmed IS NOT NULL
                AND day >= \("\(digits(year, 4))-") AND day < \("\(digits(year + 1, 4))-")
            LIMIT \(Contribution.most)
            """
        ) { try $0.next() }
        return !confirmed.allSatisfy { folded($0) == folded(name) && !$0.isEmpty }
    }

    /// The certificate with a code, without content that staff have hidden.
    static func find(_ code: String, in db: Connection) throws -> Certificate? {
        guard var sheet: Certificate = try db.first("SELECT \(columns) FROM certificate WHERE code = \(code)") else {
            return nil
        }
        let hidden: [String] = try db.all(
            """
            SELECT contribution.title FROM contribution
            JOIN opportunity ON opportunity.id = contribution.opportunity_id AND opportunity.hidden_at IS NOT NULL
            WHERE contribution.account_id = \(sheet.account) LIMIT 10000
            """
        ) { try $0.next() }
        sheet.lines = lines(sheet.lines, without: Set(hidden))
        return sheet
    }

    /// An account's certificates, newest first.
    static func all(
        of account: ID<Account>, after: Cursor<ID<Certificate>>?, in db: Connection
    ) throws -> Page<Certificate> {
        let found: Page<(id: ID<Certificate>, sheet: Certificate)> = try Page(of: pageSize, by: \.id) { limit in
            try db.all(
                """
                SELECT id, \(columns) FROM certificate
                WHERE account_id = \(account) AND id < \(after?.keys ?? ID(.max)) ORDER BY id DESC LIMIT \(limit)
                """
            ) { (try $0.next(), try $0.next()) }
        }
        return found.changed { $0.map(\.sheet) }
    }

    /// The current standing of the certificate's organizations, by name; if several share a name, the most cautious
    /// one.
    func standings(in tx: Transaction) throws -> [String: Standing] {
        var found: [String: Standing] = [:]
        let hosts: [(name: String, isGone: Bool, isSuspended: Bool, isVerified: Bool)] = try tx.all(
            """
            SELECT contribution.host_name, account.id IS NULL OR account.left_at IS NOT NULL,
                account.suspended_at IS NOT NULL, coalesce(\(Verified.isOn(tx.now)), FALSE)
            FROM contribution LEFT JOIN account ON account.id = contribution.host_id
            LEFT JOIN provider ON provider.account_id = account.id
            WHERE contribution.account_id = \(account) AND contribution.confirmed IS NOT NULL
                AND contribution.day >= \("\(digits(year, 4))-") AND contribution.day < \("\(digits(year + 1, 4))-")
            LIMIT \(Contribution.most)
            """
        ) { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
        for host in hosts {
            let standing: Standing =
                host.isGone ? .gone : host.isSuspended ? .suspended : host.isVerified ? .verified : .unverified
            if standing.rawValue >= found[host.name]?.rawValue ?? 0 { found[host.name] = standing }
        }
        return found
    }

    /// Nothing is confirmed for that year.
    struct Nothing: Error {}

    /// Makes a certificate of what is confirmed now, only once if its form is sent repeatedly.
    ///
    /// - Throws: `Nothing`.
    static func make(
        _ form: CertificateForm, of account: ID<Account>, once: String, in tx: Transaction
    ) throws -> String {
        if let code: String = try tx.value(
            "SELECT code FROM certificate WHERE account_id = \(account) AND once = \(once)")
        {
            return code
        }
        let lines = lines(of: try Contribution.all(of: account, in: tx), in: form.year, saysWhat: form.saysWhat)
        guard !lines.isEmpty else { throw Nothing() }
        let (code, minutes) = (freshCode(), lines.reduce(0) { $0 + $1.minutes })
        let isOwn = try isOwn(form.name, of: account, in: form.year, db: tx)
        try tx.execute(
            """
            INSERT INTO certificate (account_id, code, name, is_own_name, year, minutes, lines, once, made_at)
            VALUES (\(account), \(code), \(form.name), \(isOwn), \(form.year), \(minutes), \(text(of: lines)),
                \(once), \(tx.now))
            """)
        return code
    }

    /// Updates a year's certificates after a correction, under the same codes; one without any content left becomes
    /// invalid.
    ///
    /// - Parameter confirmed: When the corrected entry was confirmed: earlier certificates don't contain it.
    static func correct(of account: ID<Account>, in year: Int, since confirmed: Instant, tx: Transaction) throws {
        let sheets: [Certificate] = try tx.all(
            """
            SELECT \(columns) FROM certificate
            WHERE account_id = \(account) AND year = \(year) AND made_at >= \(confirmed) LIMIT 1000
            """)
        guard !sheets.isEmpty else { return }
        let confirmedYet: [(entry: Contribution, at: Instant)] = try tx.all(
            """
            SELECT \(Contribution.columns), confirmed_at FROM contribution
            WHERE account_id = \(account) AND confirmed IS NOT NULL
                AND day >= \("\(digits(year, 4))-") AND day < \("\(digits(year + 1, 4))-")
            LIMIT \(Contribution.most)
            """
        ) { (try Contribution(row: &$0), try $0.next()) }
        // Many certificates may have the same content, which is computed only once.
        var known: [String: [Line]] = [:]
        for sheet in sheets {
            let saysWhat = sheet.lines.contains { $0.work != nil }
            let entries = confirmedYet.filter { $0.at <= sheet.madeAt }.map(\.entry)
            let key = "\(entries.count) \(saysWhat)"
            let lines = known[key] ?? Self.lines(of: entries, in: year, saysWhat: saysWhat)
            known[key] = lines
            let minutes = lines.reduce(0) { $0 + $1.minutes }
            if minutes == 0 {
                try tx.execute(
                    """
                    UPDATE certificate SET withdrawn_at = coalesce(withdrawn_at, \(tx.now)) WHERE code = \(sheet.code)
                    """)
            } else {
                try tx.execute(
                    """
                    UPDATE certificate SET minutes = \(minutes), lines = \(text(of: lines))
                    WHERE code = \(sheet.code)
                    """)
            }
        }
    }

    /// Marks a certificate as invalid, and erases its tasks and days.
    static func withdraw(_ code: String, of account: ID<Account>, in tx: Transaction) throws {
        guard let sheet = try find(code, in: tx), sheet.account == account else { throw Refusal.notFound }
        let bare = sheet.lines.map { Line(name: $0.name, minutes: $0.minutes, shadowed: $0.shadowed) }
        try tx.execute(
            """
            UPDATE certificate SET withdrawn_at = coalesce(withdrawn_at, \(tx.now)), lines = \(text(of: bare))
            WHERE code = \(code)
            """)
    }
}
