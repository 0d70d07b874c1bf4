import Database

extension HelpNews {
    /// Records what nobody waits for anymore at an opportunity, after requests and promises of it changed.
    static func settleDone(at opportunity: ID<Opportunity>, in tx: Transaction) throws {
        let here: SQL = "opportunity_id = \(opportunity)"
        if try !tx.exists("SELECT 1 FROM signup WHERE \(here) AND state = 'asked'") {
            try settle([.asked, .askedAlong, .waits], opportunity, in: tx)
        }
        if try !tx.exists("SELECT 1 FROM promise WHERE \(here) AND waits") { try settle([.given], opportunity, in: tx) }
        let ending: SQL = "SELECT 1 FROM promise WHERE \(here) AND state = 'open' AND is_reminded"
        if try !tx.exists(ending) { try settle([.endingThere], opportunity, in: tx) }
        try settle(
            [.ending], opportunity, where: "NOT EXISTS (\(ending) AND promise.account_id = notice.account_id)", in: tx)
    }

    /// Records that no parent has to agree anymore to a young person whom this member brings along.
    static func settleAgreed(at opportunity: ID<Opportunity>, of account: ID<Account>, in tx: Transaction) throws {
        let waits = try tx.exists(
            """
            SELECT 1 FROM signup JOIN young_person ON young_person.signup_id = signup.id
            WHERE signup.opportunity_id = \(opportunity) AND signup.account_id = \(account)
                AND signup.state IN ('asked', 'confirmed') AND young_person.agreed_at IS NULL
                AND young_person.ended_at IS NULL
            """)
        if !waits { try settle([.asksAgain], opportunity, where: "notice.account_id = \(account)", in: tx) }
    }

    /// Records that the hours of a shift are known: its helper isn’t asked for them anymore.
    static func settleHours(of stay: Stay, in tx: Transaction) throws {
        guard let account = stay.account, let shift = stay.shift else { return }
        // The title may be another one by now.
        let isIts: SQL = "\(position: "\(shift.fact.kept)", in: "notice.detail") > 0"
        try settle([.ended], stay.opportunity, where: "notice.account_id = \(account) AND \(isIts)", in: tx)
    }

    static func text(of letter: Letter, to reader: LetterReader, in tx: Transaction) throws -> LetterText? {
        guard let news = HelpNews(detail: letter.detail, subject: letter.subject) else { return nil }
        if Reminder(letter.kind) != nil {
            let held = try Signup.held(by: reader.account.id, at: news.about, in: tx)
            let isHeld = held.contains { $0.shift.map { $0.fact == news.now && $0.startsAt > tx.now } ?? false }
            guard isHeld else { return nil }
        }
        let found: (host: ID<Account>, zone: String, name: String, address: Address)? = try tx.first(
            """
            SELECT account_id, zone, place_name, \(Address.columns(of: "opportunity")) FROM opportunity
            WHERE id = \(news.about)
            """
        ) { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
        var text = LetterText.help(
            news, at: found.map { AddressLine(name: $0.name, address: $0.address) },
            in: found.flatMap { news.zoneName(in: Zone(stored: $0.zone), for: reader.zone) })
        if letter.kind != .helpers { text.answers = try .host(found?.host, in: tx) }
        return text
    }
}
