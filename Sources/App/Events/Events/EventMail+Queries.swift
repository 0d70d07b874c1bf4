import Database

extension EventNews {
    static func text(of letter: Letter, to reader: LetterReader, in tx: Transaction) throws -> LetterText? {
        guard let what = What(letter.kind) else { return nil }
        if what == .booked, letter.event == nil { return try digest(letter, in: tx) }
        guard let event = try letter.event.flatMap({ try Event.find($0, in: tx) }), !event.isOver(at: tx.now) else {
            return nil
        }
        var text = try text(of: letter, what, event, to: reader, in: tx)
        if what.isOfGuests { text?.answers = try .host(event.host.id, at: event.id, in: tx) }
        return text
    }

    private static func text(
        of letter: Letter, _ what: What, _ event: Event, to reader: LetterReader, in tx: Transaction
    ) throws -> LetterText? {
        let (zone, account, detail) = (reader.zone, reader.account.id, letter.detail)
        /// What changed or canceled it.
        var edit: ID<Change>? { letter.subject.map { ID($0) } }
        switch what {
        case .registered: return try registered(letter, to: reader, in: tx)
        case .changed:
            guard !event.isCancelled else { return nil }
            var changes = Change.kept(detail, of: event.id)
            if let edit { changes = try Change.current(changes, since: edit, in: tx) }
            return changes.isEmpty
                ? nil
                : .changed(event, changes, edit: edit, days: try days(of: edit, for: account, in: tx), in: zone)
        case .cancelled:
            return .cancelled(event, edit: edit, days: try days(of: edit, for: account, in: tx), in: zone)
        case .hidden where detail == Notice.shownAgain:
            return event.isHidden || event.isCancelled ? nil : .shownAgain(event, letter.registration, in: zone)
        case .hidden:
            return event.isHidden && !event.isCancelled ? .hidden(event, letter.registration, in: zone) : nil
        case .dayBefore where event.hasSessions, .hoursBefore where event.hasSessions:
            guard let registration = letter.registration, !event.isCancelled, !event.isHidden else { return nil }
            // It may have moved since, or the place been given back.
            let isStill = try Activity.lines(of: account, at: event.id, from: tx.now, in: tx).contains { line in
                Change.keeping(line.activity) == detail && !line.isCancelled && !line.activity.hasStarted(at: tx.now)
            }
            return isStill
                ? .sessionReminder(event, registration, detail, in: zone, takesPart: reader.seal != nil) : nil
        case .dayBefore, .hoursBefore:
            guard let registration = letter.registration, let reminder = Reminder(letter.kind), !event.isCancelled,
                !event.isHidden, !event.hasStarted(at: tx.now), reminder.due(for: event) <= tx.now
            else { return nil }
            let holder = try Registration.holder(of: registration, in: tx)
            let places = try holder.map { try Registration.places(of: $0.account, at: event.id, in: tx) } ?? 0
            return places == 0
                ? nil : .reminder(event, registration, places: places, to: account, in: zone, reader.seal)
        case .offered where !detail.isEmpty && Int(detail) == nil:
            return event.isCancelled ? nil : .won(event, detail, in: zone)
        case .offered:
            guard let registration = letter.registration,
                let offer = try Registration.offer(to: registration, in: tx)
            else { return nil }
            return .offered(event, registration, offer, to: account, in: zone, reader.seal)
        case .lapsed: return event.isCancelled ? nil : .lapsed(event, in: zone)
        case .answered: return .answered(event, letter.subject, in: zone)
        case .asked:
            let question = try letter.subject.flatMap { try Question.find(ID($0), in: tx) }
            return question?.isOpen == true ? question.map { .asked(event, $0, in: zone) } : nil
        case .booked: return event.isCancelled ? nil : .booked(event, in: zone)
        case .published: return event.isCancelled ? nil : .published(event, in: zone)
        }
    }

    /// A letter about new registrations: about all that are still held, if there were several.
    private static func registered(_ letter: Letter, to reader: LetterReader, in db: Connection) throws -> LetterText? {
        let several = letter.detail.split(separator: ",").compactMap { ID<Registration>(String($0)) }
        let parties = several.isEmpty ? [letter.registration].compactMap(\.self) : several
        let held = try Registration.confirmed(among: parties, in: db)
        guard let first = held.first, let event = try Event.find(first.event, in: db) else { return nil }
        let places = try Registration.places(of: first.id, in: db)
        var sessions: [ActivityLine] = []
        if event.hasSessions {
            sessions = try Activity.lines(of: reader.account.id, at: event.id, from: event.startsAt, in: db)
                .filter { !$0.isCancelled }
        }
        return places == 0
            ? nil
            : .registered(
                event, first.id, places: places, days: held.map(\.day), sessions: sessions, in: reader.zone)
    }

    /// A letter about a day's registrations for several events.
    private static func digest(_ letter: Letter, in db: Connection) throws -> LetterText? {
        let lines = try Digest.kept(letter.detail).compactMap { line in
            try Event.find(line.event, in: db).map { (event: $0, count: line.count) }
        }
        return lines.isEmpty ? nil : .digest(lines)
    }

    /// The dates of the reader's events that an edit changed.
    private static func days(of edit: ID<Change>?, for account: ID<Account>, in db: Connection) throws -> [Day] {
        guard let edit else { return [] }
        return try Change.days(of: edit, concerning: [account, Guardian.head(of: account, in: db)], in: db)
    }
}
