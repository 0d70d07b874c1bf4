import Database

extension HelpNews {
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
