import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/playdates`: cards of pets, matches, and messages.
struct PlaydateController {
    let site: Site

    // MARK: The cards

    func index(_ context: MemberContext) throws -> Response {
        let account = context.member.account
        let owner = try site.read { db in try Owner.find(account, in: db) }
        guard let owner, let page = try page(context, asking: context.query["asking"], of: owner) else {
            return try browse(context, owner)
        }
        if let card = page.card, isAbout(card, context) {
            let back = page.link(asking: page.asking)
            return context.page(Templates.community.playdates.about(card: card, back: back))
        }
        return context.page(Templates.community.playdates.index(page: page))
    }

    /// Whether more details of the pet on the card are requested, without a script that shows them in an overlay.
    private func isAbout(_ card: PetCard, _ context: MemberContext) -> Bool {
        context.query["about"] == "\(card.pet.id)"
    }

    /// Shows pets nearby to a member without a pet, without choices.
    private func browse(_ context: MemberContext, _ owner: Owner?) throws -> Response {
        let (account, today, unit) = (context.member.account, context.today, context.unit)
        let last: Cursor<ID<Pet>>? = context.after()
        if last != nil, let wait = site.limits.take(.choices, by: account, at: context.now) {
            throw Refusal.tooMany(retryAfter: wait)
        }
        let family = context.member.family
        let page = try site.read { db in
            var area = owner?.cell
            if area == nil, let family {
                let address = try Gazetteer.address(
                    ofFamilyIn: family.city, zip: family.zip, country: family.country, in: db)
                area = try Gazetteer.coordinate(of: address, in: db).map { Cell(at: $0).county }
            } else if area == nil {
                let town = try Gazetteer.named(site.town.name, country: site.settings.country, in: db)
                area = town.map { Cell(at: $0.coordinate).county }
            }
            var card: PetCard?
            if let area, let id = try Hello.next(around: area, before: last?.keys, for: account, in: db),
                let pet = try Pet.find(id, in: db), let other = try Owner.find(pet.account, in: db)
            {
                card = PetCard(pet, of: other, for: nil, on: today, in: unit)
            }
            return BrowsePage(hasOwner: owner != nil, card: card, last: last)
        }
        if let card = page.card, isAbout(card, context) {
            return context.page(Templates.community.playdates.about(card: card, back: page.here))
        }
        return context.page(Templates.community.playdates.begin(page: page))
    }

    private func page(_ context: MemberContext, asking: String?, of owner: Owner) throws -> CardsPage? {
        let (account, today, unit) = (context.member.account, context.today, context.unit)
        return try site.read { db in
            let pets = try Pet.all(of: account, in: db)
            guard let asking = pets.first(where: { "\($0.id)" == asking }) ?? pets.first else { return nil }
            var card: PetCard?
            if asking.isShown, let id = try Hello.next(for: asking, on: today, in: db),
                let pet = try Pet.find(id, in: db), let owner = try Owner.find(pet.account, in: db)
            {
                card = PetCard(pet, of: owner, for: asking, on: today, in: unit)
            }
            return CardsPage(
                pets: pets, asking: asking, card: card, last: try Hello.last(of: asking.id, in: db),
                hasPassed: try Hello.hasPassed(asking.id, in: db), waiting: try PetMatch.waiting(for: account, in: db),
                unit: unit)
        }
    }

    /// A choice about a card, or its undo, a larger distance, or skipped cards again.
    func choose(_ context: MemberContext) async throws -> Response {
        let account = context.member.account
        guard let id = context.body["asking"].flatMap({ ID<Pet>($0) }),
            let mine = try site.read({ db in try Pet.find(id, of: account, in: db) })
        else { throw Refusal.notFound }
        let back = Link.playdates.with("asking", "\(mine.id)")
        let (today, zone) = (context.today, site.settings.zone)
        do {
            if context.body["undo"] != nil {
                try await site.write { db in try Hello.undo(for: mine, on: today, in: zone, db: db) }
            } else if context.body["again"] != nil {
                try await site.write { db in try Hello.forgetPassed(for: mine.id, in: db) }
            } else if context.body["widen"] != nil {
                guard let wider = mine.wishes.within.wider else { return context.redirect(to: back) }
                try await site.write { db in try Pet.widen(mine.id, to: wider, of: account, in: db) }
            } else {
                guard let other = context.body["pet"].flatMap({ ID<Pet>($0) }),
                    let choice = context.body["choice"], ["hello", "pass"].contains(choice)
                else { throw Refusal.malformed }
                let outcome = try await site.write(counting: .choices, by: account, at: context.now) { tx in
                    (try Hello.choose(choice == "hello", other, for: mine, on: today, in: tx), true)
                }
                if case .matched(let match) = outcome { return context.redirect(to: .match(match), flash: .matched) }
            }
        } catch let problem as Owner.TooManyHellos {
            return try again(
                "There are at most \(problem.most, as: "number") hellos a day. Tomorrow there are more.", mine,
                context)
        } catch let problem as PetMatch.CameMeanwhile {
            let isThere = try site.read { db in try PetMatch.find(problem.match, of: account, in: db) != nil }
            guard isThere else { return try again("This can’t be taken back anymore.", mine, context) }
            return context.redirect(to: .match(problem.match), flash: .matched)
        }
        return context.redirect(to: back)
    }

    private func again(_ problem: Words, _ mine: Pet, _ context: MemberContext) throws -> Response {
        guard let owner = try site.read({ db in try Owner.find(context.member.account, in: db) }),
            var page = try page(context, asking: "\(mine.id)", of: owner)
        else { throw Refusal.notFound }
        page.problem = problem
        return context.again(Templates.community.playdates.index(page: page))
    }

    // MARK: Matches

    func matches(_ context: MemberContext) throws -> Response {
        let (account, isFavorite) = (context.member.account, context.query["show"] == "favorites")
        let after: Cursor<Instant, ID<PetMatch>>? = context.after()
        let page = try site.read(at: context.now) { tx in
            let isAll = after == nil && !isFavorite
            return MatchesPage(
                try PetMatch.all(of: account, onlyFavorites: isFavorite, after: after, in: tx),
                ended: try isAll ? PetMatch.ended(of: account, in: tx) : [],
                former: try isAll ? PetMatch.former(of: account, in: tx) : [],
                undos: try isAll ? Undo.all(.match, of: account, in: tx) : [],
                onlyFavorites: isFavorite, in: context.zone)
        }
        return context.page(Templates.community.playdates.matches(page: page))
    }

    func show(_ context: MemberContext) async throws -> Response {
        let (id, account, now): (ID<PetMatch>, ID<Account>, Instant) =
            (try context.id(), context.member.account, context.now)
        guard let match = try context.findMatch(id) else { return try Self.gone(id, context) }
        if match.wantsLook {
            try await site.write(at: now) { tx in try PetMatch.see(match.id, by: account, in: tx) }
            // Updates the bell on open pages.
            site.listeners.call([account])
        }
        return try Self.show(match, MatchForms(), context)
    }

    /// The page of a match, with the form that has problems.
    static func show(_ match: PetMatch, _ forms: MatchForms, _ context: MemberContext) throws -> Response {
        let (account, site) = (context.member.account, context.site)
        let after: Cursor<ID<Message>>? = context.after()
        let card = PetCard(match.other, of: match.owner, for: match.mine, on: context.today, in: context.unit)
        var forms = forms
        forms.meeting.suggest(
            \.place, try site.town.meetingPlaces + site.read { db in try Meeting.places(of: account, in: db) })
        let page = try site.read(at: context.now) { tx in
            let meetings = try Meeting.all(in: match.id, db: tx)
            let times = meetings.filter { $0.state == .proposed && $0.account != account }.flatMap(\.times)
            var page = MatchPage(
                match, of: account, card: card, contact: try Owner.find(account, in: tx)?.contact ?? Owner.Contact(),
                said: try Talk.Said(in: .match(match.id), after: after, db: tx), meetings: meetings,
                plans: try TimeSlot.plans(of: context.member, around: times, in: tx), at: tx.now,
                in: site.settings.zone, for: context.zone)
            page.undos = try Undo.all(.meeting, of: account, subject: match.id.rawValue, in: tx)
            return page
        }
        // The time is the most common reason to propose again.
        if !forms.meeting.isSent, let moved = page.meetings.first(where: \.canChange) {
            forms.meeting.fill(\.place, moved.meeting.place)
        }
        let view = Templates.community.playdates.match(page: page, forms: forms)
        return forms.problems.isEmpty ? context.page(view) : context.again(view)
    }

    /// The page for a match that has ended: it contains the text typed for it.
    static func gone(_ id: ID<PetMatch>, _ context: MemberContext) throws -> Response {
        let account = context.member.account
        let isFormer = try context.site.read { db in try PetMatch.isFormer(id, of: account, in: db) }
        return context.visit.errorPage(
            .notFound, isFormer ? "A former member" : "No longer there",
            isFormer
                ? "The pet or its owner has left, and what was written went too. Your other matches are there."
                : "This match has ended. Your other matches are still there.",
            link: (.matches, "Your matches"))
    }

    func say(_ context: MemberContext) async throws -> Response {
        let id: ID<PetMatch> = try context.id()
        guard let match = try context.findMatch(id) else { return try Self.gone(id, context) }
        var forms = MatchForms()
        forms.message = context.submission(MessageForm.self)
        guard let form = forms.message.value else { return try Self.show(match, forms, context) }
        let (account, once) = (context.member.account, forms.message.once)
        let sent = context.sent(forms.message)
        do {
            try await site.carryOut(sent, counting: .messages, by: account, at: context.now) { tx in
                ((), try Message.send(form.text, in: match.id, by: account, once: once, tx: tx))
            }
        } catch is Message.HasLink {
            forms.message.reject(\.text, Message.HasLink.words)
            return try Self.show(match, forms, context)
        }
        return context.redirect(to: match.link.fragment("write"))
    }

    func favor(_ context: MemberContext) async throws -> Response {
        let (match, account) = (try match(context), context.member.account)
        let isOn = context.body["on"].map { $0 == "1" } ?? !match.isFavorite
        try await site.write { db in try PetMatch.favor(match.id, isOn, by: account, in: db) }
        return context.redirect(to: context.next ?? match.link)
    }

    func unmatch(_ context: MemberContext) async throws -> Response {
        let (match, account) = (try match(context), context.member.account)
        try await site.write(counting: .messages, by: account, at: context.now) { tx in
            try Undo.ending(match, by: account, in: tx)
            return ((), true)
        }
        return context.redirect(to: .matches)
    }

    /// Ends the match, and blocks the other member.
    func block(_ context: MemberContext) async throws -> Response {
        let (match, account) = (try match(context), context.member.account)
        try await site.write(at: context.now) { tx in
            try PetMatch.end(match.id, by: account, in: tx)
            try Block.add(match.other.account, by: account, in: tx)
        }
        return context.redirect(to: .matches, flash: .blocked)
    }

    private func match(_ context: MemberContext) throws -> PetMatch { try context.match(try context.id()) }
}

extension MemberContext {
    /// A match that is visible to this member.
    func match(_ id: ID<PetMatch>) throws -> PetMatch {
        guard let match = try findMatch(id) else { throw Refusal.notFound }
        return match
    }

    /// A match that is visible to this member; nil if there is none.
    func findMatch(_ id: ID<PetMatch>) throws -> PetMatch? {
        let account = member.account
        return try site.read { db in try PetMatch.find(id, of: account, in: db) }
    }
}
