import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/signups`, `/promises`, and the list of helpers.
struct SignupController {
    let site: Site

    /// `/signups/{id}`: one's own sign-up.
    func show(_ context: MemberContext) throws -> Response {
        try show(Submission(), context)
    }

    private func show(_ form: Submission<HoursForm>, _ context: MemberContext) throws -> Response {
        let signup = try own(context)
        let said = try site.read { db in
            try Contribution.all(of: context.member.account, in: db).filter { $0.signup == signup.id }
        }
        let young = try young(context, of: signup.id)
        let undos = try site.read(at: context.now) { tx in
            try Undo.all(.companion, of: context.member.account, subject: signup.id.rawValue, in: tx)
        }
        let view = try view(signup, said, form, young, undos, context)
        return form.problems.isEmpty
            ? context.keptPage(view, called: Words(verbatim: signup.title)) : context.again(view)
    }

    private func view(
        _ signup: Signup, _ said: [Contribution], _ form: Submission<HoursForm>, _ young: YoungPart,
        _ undos: [Undo], _ context: MemberContext
    ) throws -> View<Frame> {
        let (isTold, thread) = try site.read { db in
            (
                try Announcement.reached(context.member.account, about: signup.opportunity, in: db),
                try TalkThread.find(at: signup.opportunity, by: context.member.account, in: db)
            )
        }
        return Templates.helping.signups.show(
            signup: signup, said: said, form: form, canGiveBack: signup.canGiveBack(at: context.now),
            canSay: signup.stay.canSayHours(at: context.now) && !(signup.shift != nil && said.first?.confirmed != nil),
            young: young, undos: undos, isTold: isTold, thread: thread)
    }

    private func young(_ context: MemberContext, of id: ID<Signup>) throws -> YoungPart {
        try site.read(at: context.now) { tx in try YoungPart(of: id, for: context.member, in: context.zone, tx: tx) }
    }

    private func own(_ context: MemberContext) throws -> Signup {
        let id: ID<Signup> = try context.id()
        guard let signup = try site.read({ db in try Signup.find(id, in: db) }),
            signup.account == context.member.account
        else { throw Refusal.notFound }
        return signup
    }

    func cancel(_ context: MemberContext) async throws -> Response {
        let id: ID<Signup> = try context.id()
        let account = context.member.account
        try await site.write(at: context.now) { tx in try Undo.givingBack(id, of: account, in: tx) }
        return context.redirect(to: context.next ?? Link.week, flash: .placeGivenBack)
    }

    /// Stores reported hours.
    func say(_ context: MemberContext) async throws -> Response {
        let signup = try own(context)
        var submission = context.submission(HoursForm.self)
        if submission.accepts(\.hours), submission.form.minutes == nil {
            submission.reject(\.hours, "Write the hours like 3, 2.5 or 1:30.")
        }
        guard let form = submission.value, let minutes = form.minutes else { return try show(submission, context) }
        let (account, today) = (context.member.account, context.today)
        do {
            try await site.write(at: context.now) { tx in
                try Contribution.say(minutes, on: form.day, for: signup.id, of: account, today: today, in: tx)
            }
            return context.redirect(to: .impact, flash: .hoursSaid)
        } catch let much as Contribution.TooMuch {
            submission.reject(\.hours, much.words)
        } catch is Contribution.WrongDay {
            submission.reject(\.day, "Choose a day of the last year, today at the latest.")
        }
        return try show(submission, context)
    }

    /// `POST /signups/{id}/children/cancel`: gives a child's place back.
    func cancelChild(_ context: MemberContext) async throws -> Response {
        let id: ID<Signup> = try context.id()
        guard let child = context.body["child"].flatMap({ ID<Child>($0) }) else { throw Refusal.malformed }
        let account = context.member.account
        try await site.write(at: context.now) { tx in try Undo.givingBack(child, with: id, of: account, in: tx) }
        return context.redirect(to: .signup(id), flash: .placeGivenBack)
    }

    // MARK: Young people

    /// `POST /signups/{id}/young`: takes a place for a young person, with a link for the parent that is shown only
    /// once; `renew` makes another link, `remove` gives the place back.
    func bring(_ context: MemberContext) async throws -> Response {
        let id: ID<Signup> = try context.id()
        let (account, now) = (context.member.account, context.now)
        if let word = context.body["remove"] {
            guard let young = ID<YoungPerson>(word) else { throw Refusal.malformed }
            try await site.write(at: now) { tx in try YoungPerson.giveBack(young, with: id, of: account, in: tx) }
            return context.redirect(to: .signup(id), flash: .placeGivenBack)
        }
        // A restricted member can give places back, but not take any.
        if let until = context.member.limitedUntil, until > now { throw Refusal.limited(until: until) }
        let token = Token()
        var refused: YoungPerson.Refused?
        do {
            if let word = context.body["renew"] {
                guard let young = ID<YoungPerson>(word) else { throw Refusal.malformed }
                try await site.write(counting: .comments, by: account, at: now, isQuiet: true) { tx in
                    try YoungPerson.renew(young, token, with: id, of: account, in: tx)
                    return ((), true)
                }
            } else {
                let count = context.body["beside"].flatMap { Int($0) } ?? 0
                let isNew = try await site.write(counting: .comments, by: account, at: now) { tx in
                    let isNew = try YoungPerson.bring(token, to: id, beside: count, of: account, in: tx)
                    return (isNew, isNew)
                }
                guard isNew else { return context.redirect(to: .signup(id)) }
            }
        } catch let reason as YoungPerson.Refused {
            refused = reason
        }
        var part = try young(context, of: id)
        part.refused = refused
        if refused == nil { part.link = site.settings.publicURL + Link.agree(token.text).string }
        let said = try site.read { db in
            try Contribution.all(of: account, in: db).filter { $0.signup == id }
        }
        let view = try view(part.signup, said, Submission(), part, [], context)
        return refused == nil ? context.page(view).withoutReferrer : context.again(view)
    }

    /// `/agree/{token}`: the request for a parent without an account.
    func askParent(_ context: PublicContext) throws -> Response {
        let token = try token(context)
        let request = try site.read(at: context.now) { tx in
            guard let request = try YoungPerson.find(token, in: tx)?.opened() else {
                throw Refusal.notFound
            }
            return request
        }
        return context.page(Templates.helping.signups.agree(request: request)).unlisted.withoutReferrer
    }

    /// `POST /agree/{token}`: the parent's agreement.
    func agree(_ context: PublicContext) async throws -> Response {
        let token = try token(context)
        try await site.write(at: context.now) { tx in try YoungPerson.agree(token, in: tx) }
        return context.redirect(to: .agree(token.text)).withoutReferrer
    }

    private func token(_ context: PublicContext) throws -> Token {
        guard let token = Token(try context.word("token")) else { throw Refusal.notFound }
        return token
    }

    // MARK: The organization

    /// `/opportunities/{id}/signups`: the helpers; `as=csv` for a spreadsheet.
    func list(_ context: ProviderContext) throws -> Response {
        let (isFile, id) = (context.query["as"] == "csv", try context.id() as ID<Opportunity>)
        // Other visitors, who use this address only with a form, are redirected to the opportunity's page.
        let host = try site.read(at: context.now) { tx in try Opportunity.find(id, in: tx)?.host.id }
        guard isFile || host == nil || host == context.host else { return context.redirect(to: .opportunity(id)) }
        let list = try roster(context, atMost: isFile ? 100_000 : 200)
        guard isFile else { return context.page(Templates.helping.signups.list(list: list)) }
        return context.file(list.sheet(in: context.language), name: list.opportunity.title)
    }

    private func roster(_ context: ProviderContext, atMost limit: Int = 200) throws -> HelperList {
        let id: ID<Opportunity> = try context.id()
        return try site.read(at: context.now) { tx in
            var list = try HelperList(
                of: try Opportunity.own(id, of: context.host, in: tx), after: context.after(),
                promisedAfter: context.after(.promised), confirmedBefore: context.after(.confirmed),
                atMost: limit, in: tx)
            let threads = try TalkThread.all(at: id, of: context.member.account, in: tx)
            list.threads = Dictionary(threads.map { ($0.guest, $0) }) { first, _ in first }
            list.undos = try Undo.all(
                .signup, .promise, of: list.opportunity.host.id, subject: id.rawValue, in: tx)
            return list
        }
    }

    func answer(_ context: ProviderContext) async throws -> Response {
        let id: ID<Signup> = try context.id()
        guard let answer = context.body["answer"], answer == "yes" || answer == "no" else { throw Refusal.malformed }
        let member = context.member
        let signup = try await site.write(at: context.now) { tx in
            let signup = try Signup.answer(id, answer == "yes", by: member.acting, said: member.account, in: tx)
            try Colleague.authorize(
                answer == "yes" ? .accepted : .declined, signup.title, by: member,
                isNew: signup.state == .asked, in: tx)
            return signup
        }
        return context.redirect(to: context.next ?? .opportunity(signup.opportunity) / "signups", flash: .saved)
    }

    /// `POST /opportunities/{id}/hours`: confirms the chosen hours, or all, and records absences.
    func confirm(_ context: ProviderContext) async throws -> Response {
        var list = try roster(context)
        let (opportunity, member) = (list.opportunity, context.member)
        if let word = context.body["came"] { return try await forgetAbsence(word, in: list, context) }
        if let key = context.body["change"] { return try await correct(key, in: list, context) }
        // Hours reported since the page was drawn haven't been seen, and wait for the next time.
        let rows = list.hours.filter { $0.isIn(context.body) }.map { $0.filled(from: context.body) }
        list.hours = list.hours.map { $0.filled(from: context.body) }
        let isAll = context.body["all"] != nil
        // Of two who press at once the first one's hours hold, and the other one reads so.
        let isOvertaken = list.isOvertaken(by: context.body, isAll: isAll)
        let missed = rows.filter(\.entry.isMissed).map(\.stay.holder)
        var all: [Contribution.Confirmation] = []
        // Times that were typed beside an unchecked box would be lost without a word.
        if !isAll, let row = rows.first(where: { $0.isTyped && !$0.entry.isChosen && !$0.entry.isMissed }) {
            let words: Words = """
                You changed the times or hours of \(row.name, as: "name"), but the box beside the name isn’t checked: \
                check it, or change them back. Nothing is confirmed yet.
                """
            list.problems.append(Problem(name: row.tick, words: words))
        }
        for row in rows where !row.entry.isMissed && (isAll || row.entry.isChosen) {
            do throws(HelperList.HoursRow.Unfit) {
                all.append(try row.confirmation())
            } catch {
                list.problems.append(error.problem)
            }
        }
        if all.isEmpty, missed.isEmpty, list.problems.isEmpty {
            // If it was pressed twice, it is done.
            guard !list.hasSettled(context.body, isAll: isAll) else {
                return context.redirect(
                    to: list.link, flash: isOvertaken ? .hoursOvertaken : .hoursSettled)
            }
            list.problems = [Problem(name: list.hours.first?.tick, words: "Choose whose hours you confirm.")]
        }
        let confirmed = all
        if list.problems.isEmpty {
            do {
                try await site.write(at: context.now) { tx in
                    let count =
                        try Contribution.confirm(
                            confirmed, at: opportunity.id, by: member.acting, pressedBy: member.account, in: tx)
                        + Stay.miss(missed, at: opportunity.id, by: member.acting, pressedBy: member.account, in: tx)
                    try Colleague.authorize(.confirmed, opportunity.title, by: member, isNew: count > 0, in: tx)
                }
                return context.redirect(
                    to: list.link,
                    // People who were added by hand aren't told.
                    flash: isOvertaken
                        ? .hoursOvertaken : confirmed.allSatisfy { $0.holder.guest != nil } ? .saved : .hoursConfirmed)
            } catch let much as Contribution.TooMuch {
                // The shift became shorter meanwhile.
                list.problems = [Problem(name: "hours", words: much.words)]
            }
        }
        return context.again(Templates.helping.signups.list(list: list))
    }

    /// Takes back that somebody didn't come.
    private func forgetAbsence(
        _ word: String, in list: HelperList, _ context: ProviderContext
    ) async throws -> Response {
        guard let holder = Stay.Holder(typed: word) else { throw Refusal.malformed }
        let (opportunity, member) = (list.opportunity, context.member)
        try await site.write(at: context.now) { tx in
            let isNew = try Stay.forgetAbsence(holder, at: opportunity.id, by: member.acting, in: tx)
            try Colleague.authorize(.confirmed, opportunity.title, by: member, isNew: isNew, in: tx)
        }
        return context.redirect(to: list.link, flash: .saved)
    }

    /// Corrects the confirmation of one day of one helper.
    private func correct(_ key: String, in list: HelperList, _ context: ProviderContext) async throws -> Response {
        var list = list
        let (opportunity, member, now) = (list.opportunity, context.member, context.now)
        guard let index = list.days.firstIndex(where: { $0.key == key && $0.canChange(at: now) }) else {
            guard list.isMissed(key) else { throw Refusal.notFound }
            // Noted meanwhile: if it says the same, pressed twice or by two people, it is done.
            guard context.body["missed-\(key)"] != nil else { throw Refusal.overtaken(list.link) }
            return context.redirect(to: list.link, flash: .saved)
        }
        let stored = list.days[index]
        let row = stored.filled(from: context.body)
        list.days[index] = row
        list.changing = key
        let new: Contribution.Confirmation?
        do throws(HelperList.HoursRow.Unfit) {
            new = try row.entry.isMissed ? nil : row.confirmation()
        } catch {
            list.problems = [error.problem]
            return context.again(Templates.helping.signups.list(list: list))
        }
        // If it was pressed twice, it is done.
        if let new, new == stored.confirmed {
            return context.redirect(to: list.link, flash: .saved)
        }
        // Somebody else corrected it meanwhile: their values are shown, and nothing is stored.
        if let drawn = row.drawn, drawn.kept != stored.entry.kept {
            throw Refusal.overtaken(list.link)
        }
        try await site.write(at: now) { tx in
            let isNew = try Contribution.correct(
                row.stay.holder, on: row.day, to: new, at: opportunity.id, by: member.acting,
                pressedBy: member.account, in: tx)
            try Colleague.authorize(.confirmed, opportunity.title, by: member, isNew: isNew, in: tx)
        }
        return context.redirect(to: list.link, flash: .saved)
    }

    // MARK: Things

    func cancelPromise(_ context: MemberContext) async throws -> Response {
        let id: ID<Promise> = try context.id()
        let account = context.member.account
        try await site.write(at: context.now) { tx in try Undo.takingBack(id, of: account, in: tx) }
        return context.redirect(to: context.next ?? Link.week, flash: .promiseTakenBack)
    }

    func given(_ context: MemberContext) async throws -> Response {
        let id: ID<Promise> = try context.id()
        let (member, today) = (context.member, context.today)
        let (promise, isHost) = try await site.write(at: context.now) { tx in
            let (promise, isNew) = try Promise.give(id, by: member.account, for: member.editing, on: today, in: tx)
            let isHost = promise.account != member.account
            if isHost { try Colleague.authorize(.received, promise.title, by: member, isNew: isNew, in: tx) }
            return (promise, isHost)
        }
        return context.redirect(
            to: context.next ?? (isHost ? .opportunity(promise.opportunity) / "signups" : .impact), flash: .thingGiven)
    }

    /// `POST /promises/{id}/not-yet`: corrects that it was brought.
    func notYet(_ context: MemberContext) async throws -> Response {
        let id: ID<Promise> = try context.id()
        let account = context.member.account
        let promise = try await site.write(at: context.now) { tx in try Promise.giveNotYet(id, by: account, in: tx) }
        return context.redirect(to: context.next ?? promise.page, flash: .notYet)
    }

    /// `POST /promises/{id}/missed`: records that it didn’t arrive.
    func missed(_ context: ProviderContext) async throws -> Response {
        let id: ID<Promise> = try context.id()
        let (host, member) = (context.host, context.member)
        let promise = try await site.write(at: context.now) { tx in
            let (promise, isNew) = try Promise.miss(id, by: host, in: tx)
            if isNew { try Colleague.authorize(.missed, promise.title, by: member, in: tx) }
            return promise
        }
        return context.redirect(to: context.next ?? .opportunity(promise.opportunity) / "signups", flash: .saved)
    }
}
