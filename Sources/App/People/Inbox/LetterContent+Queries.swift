import Database

/// What a letter says, by its kind.
extension Letter {
    /// A letter's current text, and the recipient of replies; nil if there is nothing to say anymore.
    ///
    /// - Parameters:
    ///   - seal: Seals links that work without a log-in; nil for a page that others see.
    ///   - country: The site’s country; `zone` is the site's, too.
    func text(_ seal: Seal? = nil, country: String, zone: Zone, in tx: Transaction) throws -> LetterText? {
        var text = try said(seal, country: country, zone: zone, in: tx)
        if text != nil { text?.answers = try answers(in: tx) }
        return text
    }

    /// The address for the reader's reply: that of the organization that the letter is about, unless the reader acts
    /// for it.
    private func answers(in db: Connection) throws -> LetterText.Answers {
        switch kind {
        case .registered, .changed, .cancelled, .dayBefore, .hoursBefore, .offered, .lapsed, .drawn, .announced,
            .answered, .helping:
            break
        case .matched, .messaged, .met, .meeting, .needs, .wrote, .talked, .challenged, .cohosting: return .members
        case .hidden, .booked, .asked, .published, .imported, .decided, .helpers, .followed, .role, .desk, .verified,
            .team,
            .guardianOn, .guardianOff, .welcome, .reset, .address, .moved, .newPassword, .twoStepOn, .twoStepOff,
            .recovered, .deleted, .test, .invited, .dayAct, .searched,
            .aboutEvents, .aboutHelping, .aboutKindness, .aboutPets, .aboutSite:
            return .site
        }
        var help = subject.map { ID<Opportunity>($0) }
        if kind == .announced { help = try subject.flatMap { try Announcement.opportunity(of: ID($0), in: db) } }
        let host: ID<Account>? =
            try event.map { try db.value("SELECT account_id FROM event WHERE id = \($0)") }
            ?? help.map { try db.value("SELECT account_id FROM opportunity WHERE id = \($0)") } ?? nil
        guard let host, try Account.find(host, in: db)?.suspendedAt == nil,
            let provider = try Provider.find(of: host, in: db)
        else {
            // Questions about a neighbor's event are asked on its page.
            return event == nil ? .site : .members
        }
        return .organization(provider, at: event)
    }

    /// A letter about new registrations: about all that are still held, if there were several.
    private func registered(for zone: Zone, in db: Connection) throws -> LetterText? {
        let several = detail.split(separator: ",").compactMap { ID<Registration>(String($0)) }
        let parties = several.isEmpty ? [registration].compactMap(\.self) : several
        let held = try Registration.confirmed(among: parties, in: db)
        guard let first = held.first, let event = try Event.find(first.event, in: db) else { return nil }
        let places = try Registration.places(of: first.id, in: db)
        var sessions: [ActivityLine] = []
        if event.hasSessions, let account {
            sessions = try Activity.lines(of: account, at: event.id, from: event.startsAt, in: db)
                .filter { !$0.isCancelled }
        }
        return places == 0
            ? nil
            : .registered(
                event, first.id, places: places, days: held.map(\.day), sessions: sessions, in: zone)
    }

    /// A letter's current text; nil if there is nothing to say anymore.
    private func said(_ seal: Seal?, country: String, zone: Zone, in tx: Transaction) throws -> LetterText? {
        if kind == .test { return .test }
        if kind == .deleted { return .deleted }
        if isAboutReport {
            guard let id = subject.map({ ID<Report>($0) }), let answer = try Report.answer(to: id, in: tx) else {
                return nil
            }
            return .report(answer, seal.map { Report.link(to: id, $0) })
        }
        guard let account = try account.flatMap({ try Account.find($0, in: tx) }),
            account.suspendedAt == nil || kind == .decided
        else {
            return nil
        }
        switch kind {
        case .welcome: return .welcome(account.username, token: secret)
        case .address:
            let isByStaff = try address == account.email && EmailChange.isByStaff(account.id, in: tx)
            return isByStaff ? .addressSet(account.username, token: secret) : .address(token: secret)
        case .moved: return .moved(account.username, token: secret)
        case .twoStepOn: return .twoStep(account.username, isOn: true)
        case .twoStepOff: return .twoStep(account.username, isOn: false)
        case .newPassword: return .newPassword(account.username)
        case .recovered: return .recovered(account.username, left: try TwoStep.recoveryCodes(of: account.id, in: tx))
        case .guardianOn: return .guardian(isOn: true)
        case .guardianOff: return .guardian(isOn: false)
        case .reset: return .reset(account.username, token: secret)
        case .test, .deleted, .dayAct: return nil
        case .decided:
            let decision = try subject.flatMap { try Decision.find(ID($0), in: tx) }
            return decision.map { .decided($0, seal) }
        case .matched, .messaged, .met, .meeting:
            guard let match = subject.map({ ID<PetMatch>($0) }),
                try PlaydateNews(kind, detail).isOfEnded || PetMatch.other(in: match, of: account.id, tx) != nil
            else { return nil }
            return .playdate(kind, detail, match)
        case .booked where event == nil:
            let lines = try Digest.kept(detail).compactMap { line in
                try Event.find(line.event, in: tx).map { (event: $0, count: line.count) }
            }
            return lines.isEmpty ? nil : .digest(lines)
        case .followed:
            let news = try FollowNews.all(FollowNews.kept(detail), in: tx)
            return news.isEmpty ? nil : .followed(news)
        case .searched:
            let told = try SearchNews(detail: detail).told(to: account.id, country: country, zone: zone, in: tx)
            return told.isEmpty ? nil : .searched(told, in: zone)
        case .aboutEvents, .aboutHelping, .aboutKindness, .aboutPets, .aboutSite:
            return try subject.flatMap { try TownLetter.text(of: ID($0), as: kind, to: account.id, in: tx) }
        case .talked:
            guard var news = PostNews(detail: detail, subject: subject) else { return nil }
            if let author = try Author.find(news.author, in: tx) { news.name = author.name }
            return .post(news)
        case .invited:
            // The recipient may have unsubscribed meanwhile.
            if let seal, try WrittenAddress(address, seal).isRefused(in: tx) { return nil }
            return try Challenge.letter(secret, in: tx)
        case .challenged:
            guard let subject, try Challenge.isDone(ID(subject), in: tx) else { return nil }
            return ChallengeNews(detail: detail).map { .challenged($0) }
        case .needs: return NeedNews(detail: detail, subject: subject).map { .need($0) }
        case .wrote:
            guard let news = ThreadNews(detail: detail, subject: subject),
                try TalkThread.find(news.about, of: account.id, in: tx) != nil
            else { return nil }
            return .thread(news)
        case .team: return TeamNews(detail: detail, subject: subject)?.letter
        case .cohosting: return CohostNews(detail: detail, subject: subject)?.letter
        case .imported: return ImportNews(detail: detail, subject: subject)?.letter
        case .role, .desk, .verified: return try DeskNews(detail: detail, subject: subject)?.letter(in: tx)
        case .dayBefore where event == nil, .hoursBefore where event == nil:
            guard let news = HelpNews(detail: detail, subject: subject) else { return nil }
            let held = try Signup.held(by: account.id, at: news.about, in: tx)
            let isHeld = held.contains { $0.shift.map { $0.fact == news.now && $0.startsAt > tx.now } ?? false }
            return try isHeld ? help(news, to: account.id, zone, in: tx) : nil
        case .helping, .helpers:
            return try HelpNews(detail: detail, subject: subject).map { try help($0, to: account.id, zone, in: tx) }
        case .announced where event == nil:
            guard let id = subject.map({ ID<Announcement>($0) }), let message = try Announcement.find(id, in: tx),
                let help = try Announcement.opportunity(of: id, in: tx),
                let opportunity = try Opportunity.find(help, in: tx), !opportunity.isHidden
            else { return nil }
            return .announced(opportunity, message)
        case .registered, .changed, .cancelled, .hidden, .offered, .lapsed, .drawn, .dayBefore, .hoursBefore,
            .announced, .answered, .booked, .asked, .published:
            break
        }
        guard let event = try event.flatMap({ try Event.find($0, in: tx) }), !event.isOver(at: tx.now) else {
            return nil
        }
        let reader = try Preferences.find(of: account.id, in: tx).zone ?? zone
        switch kind {
        case .registered:
            return try registered(for: reader, in: tx)
        case .changed:
            guard !event.isCancelled else { return nil }
            var changes = Change.kept(detail, of: event.id)
            if let edit { changes = try Change.current(changes, since: edit, in: tx) }
            return changes.isEmpty ? nil : .changed(event, changes, edit: edit, days: try days(in: tx), in: reader)
        case .hidden: return event.isHidden && !event.isCancelled ? .hidden(event, registration, in: reader) : nil
        case .dayBefore where event.hasSessions, .hoursBefore where event.hasSessions:
            guard let registration, !event.isCancelled, !event.isHidden else { return nil }
            // It may have moved since, or the place been given back.
            let isStill = try Activity.lines(of: account.id, at: event.id, from: tx.now, in: tx).contains { line in
                Change.keeping(line.activity) == detail && !line.isCancelled && !line.activity.hasStarted(at: tx.now)
            }
            return isStill ? .sessionReminder(event, registration, detail, in: reader) : nil
        case .dayBefore, .hoursBefore:
            guard let registration, let reminder = Reminder(kind), !event.isCancelled, !event.isHidden,
                !event.hasStarted(at: tx.now), reminder.due(for: event) <= tx.now
            else { return nil }
            let holder = try Registration.holder(of: registration, in: tx)
            let places = try holder.map { try Registration.places(of: $0.account, at: event.id, in: tx) } ?? 0
            return places == 0
                ? nil : .reminder(event, registration, places: places, to: account.id, in: reader, seal)
        case .cancelled: return .cancelled(event, edit: edit, days: try days(in: tx), in: reader)
        case .offered where !detail.isEmpty && Int(detail) == nil:
            return event.isCancelled ? nil : .won(event, detail, in: reader)
        case .offered:
            guard let registration, let offer = try Registration.offer(to: registration, in: tx) else {
                return nil
            }
            return .offered(event, registration, offer, to: account.id, in: reader, seal)
        case .lapsed: return event.isCancelled ? nil : .lapsed(event, in: reader)
        case .drawn:
            return try drawn(event, to: account.id, in: tx)
        case .announced:
            let message = try subject.flatMap { try Announcement.find(ID($0), in: tx) }
            return message.map { .announced(event, $0, in: reader) }
        case .answered: return .answered(event, subject, in: reader)
        case .asked:
            let question = try subject.flatMap { try Question.find(ID($0), in: tx) }
            return question?.isOpen == true ? question.map { .asked(event, $0, in: reader) } : nil
        case .booked: return event.isCancelled ? nil : .booked(event, in: reader)
        case .published: return event.isCancelled ? nil : .published(event, in: reader)
        case .welcome, .reset, .address, .moved, .newPassword, .twoStepOn, .twoStepOff, .recovered, .deleted,
            .guardianOn, .guardianOff, .test, .decided, .matched, .messaged, .met, .meeting, .helping, .helpers,
            .followed, .needs, .wrote, .role, .desk, .verified, .team, .talked, .invited, .challenged, .dayAct,
            .searched, .imported,
            .cohosting, .aboutEvents, .aboutHelping, .aboutKindness, .aboutPets, .aboutSite:
            return nil
        }
    }

    /// News of a way to help; `zone` is the site's.
    private func help(_ news: HelpNews, to reader: ID<Account>, _ zone: Zone, in db: Connection) throws -> LetterText {
        let there: String? = try db.value("SELECT zone FROM opportunity WHERE id = \(news.about)")
        let own = try Preferences.find(of: reader, in: db).zone ?? zone
        return .help(news, in: there.flatMap { news.zoneName(in: Zone(stored: $0), for: own) })
    }

    /// A letter about a draw; nil if the wishes were withdrawn.
    private func drawn(_ event: Event, to reader: ID<Account>, in db: Connection) throws -> LetterText? {
        guard let news = DrawNews(rawValue: detail) else { return nil }
        guard let draw = try subject.flatMap({ try Draw.find(ID($0), in: db) }) else {
            return news == .off ? .drawn(news, nil, code: nil, held: [], event) : nil
        }
        let family = try Guardian.head(of: reader, in: db)
        guard let code = try draw.code(of: family, in: db) else { return nil }
        let held = news == .drawn ? try Draw.held(by: family, in: draw.id, db: db) : []
        return .drawn(news, draw, code: code, held: held, event)
    }

    /// The dates of the reader's events that an edit changed.
    private func days(in db: Connection) throws -> [Day] {
        guard let edit, let account else { return [] }
        return try Change.days(of: edit, concerning: [account, Guardian.head(of: account, in: db)], in: db)
    }
}

extension FollowNews {
    /// The content of a letter; things no longer visible are left out.
    static func all(_ kept: [What], in tx: Transaction) throws -> [FollowNews] {
        try kept.compactMap { what in
            switch what {
            case .opportunity(let id):
                guard let opportunity = try Opportunity.find(id, in: tx), opportunity.isOpen(at: tx.now) else {
                    return nil
                }
                return FollowNews(opportunity.host.name, what, EventTitle(title: opportunity.title))
            case .event(let id):
                guard let event = try Event.find(id, in: tx), !event.isHidden, !event.isCancelled else { return nil }
                return FollowNews(event.host.name, what, event.eventTitle)
            }
        }
    }
}
