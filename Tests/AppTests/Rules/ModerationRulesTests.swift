import Testing

@testable import App

/// Deciding about what people wrote, as a rule: what a ruling comes to in each state.
@Suite struct ModerationRulesTests {
    private static let (author, staff) = (ID<Account>(1), ID<Account>(2))

    private static func subject(_ kind: Subject.Kind) -> Subject {
        switch kind {
        case .event: .event(ID(1))
        case .post: .post(ID(1))
        case .comment: .comment(ID(1))
        case .person: .person(author)
        case .question: .question(ID(1))
        case .pet: .pet(ID(1))
        case .message: .message(ID(1))
        case .opportunity: .opportunity(ID(1))
        case .review: .review(ID(1))
        case .need: .need(ID(1))
        case .act: .act(ID(1))
        }
    }

    /// A thing that is there and shown, of a member, before a moderator.
    private static func thing(
        _ kind: Subject.Kind = .post, _ change: (inout Decision.Facts) -> Void = { _ in }
    ) -> Decision.Facts {
        var facts = Decision.Facts(
            subject: subject(kind), author: author, staff: staff, rights: Decision.Rights(), thing: .init())
        change(&facts)
        return facts
    }

    private static func decision(
        _ verdict: Decision.Verdict, by staff: ID<Account>? = staff, about kind: Subject.Kind = .post
    ) -> Decision {
        Decision(
            id: ID(7), subject: subject(kind), author: author, staff: staff.map { _ in "mira" }, staffID: staff,
            verdict: verdict, ground: .other, reason: "", until: nil, at: Clock.start, endedAt: nil, answer: "",
            answeredAt: nil)
    }

    private static func orders(_ verdict: Decision.Verdict, _ facts: Decision.Facts) throws -> [Decision.Order] {
        guard case .orders(let orders, _) = try Decision.plan(.init(verdict: verdict), about: facts) else { return [] }
        return orders
    }

    private static func isRefused(_ verdict: Decision.Verdict, _ facts: Decision.Facts) -> Bool {
        do {
            _ = try Decision.plan(.init(verdict: verdict), about: facts)
            return false
        } catch {
            return error is Refusal
        }
    }

    @Test(arguments: Subject.Kind.allCases)
    func `of each kind, what can be decided comes to one order, and nothing else can be`(kind: Subject.Kind) throws {
        let facts = Self.thing(kind)
        for verdict in Decision.Verdict.allCases {
            if kind.verdicts.contains(verdict) {
                #expect(try Self.orders(verdict, facts).map(\.ruling.verdict) == [verdict])
            } else {
                #expect(Self.isRefused(verdict, facts), "\(verdict)")
            }
        }
    }

    @Test(arguments: Subject.Kind.allCases)
    func `what nobody has seen yet stays hidden unless it is found fine`(kind: Subject.Kind) throws {
        let facts = Self.thing(kind) { ($0.waitsFor, $0.thing) = (.first, .init(isHidden: true)) }
        for verdict in kind.verdicts {
            let orders = try Self.orders(verdict, facts)
            switch verdict {
            case .fine: #expect(orders.map(\.display) == [.showFirst] && orders[0].isKeptBack)
            case .hide: #expect(orders.map(\.display) == [.hide])
            case .ask: #expect(orders.map(\.display) == [.hide] && orders[0].isKeptBack)
            default:
                #expect(orders.map(\.ruling.verdict) == [.hide, verdict])
                #expect(orders.map(\.display) == [.hide, nil])
            }
        }
    }

    @Test func `what somebody else did meanwhile is not done twice`() throws {
        func isNothing(_ verdict: Decision.Verdict, _ facts: Decision.Facts) throws -> Bool {
            if case .nothing = try Decision.plan(.init(verdict: verdict), about: facts) { true } else { false }
        }
        func hidden(_ last: Decision?) -> Decision.Facts {
            Self.thing { ($0.thing, $0.hiding) = (.init(isHidden: true), last) }
        }
        #expect(try isNothing(.hide, hidden(Self.decision(.hide))) && isNothing(.ask, hidden(Self.decision(.ask))))
        #expect(try isNothing(.hide, hidden(nil)), "it was hidden before decisions were written down")
        // To ask for a change of what is hidden is another decision; what members hid is staff's to decide.
        #expect(try !isNothing(.ask, hidden(Self.decision(.hide))))
        #expect(try !isNothing(.hide, hidden(Self.decision(.hide, by: nil))))
        #expect(try isNothing(.suspend, Self.thing { $0.isSuspended = true }))
        #expect(try isNothing(.delete, Self.thing { $0.isLeaving = true }))
        // Its author is suspended already, and what was kept back is hidden all the same.
        let kept = Self.thing { ($0.isSuspended, $0.waitsFor, $0.thing) = (true, .first, .init(isHidden: true)) }
        #expect(try Self.orders(.suspend, kept).map(\.ruling.verdict) == [.hide])
    }

    @Test func `found fine, what was hidden is shown, and its author hears only of what changes`() throws {
        let shown = try Self.orders(.fine, Self.thing())
        #expect(shown.map(\.display) == [nil] && !shown[0].tells && shown[0].endsDisplay)
        let hidden = Self.thing { ($0.thing, $0.hiding) = (.init(isHidden: true), Self.decision(.hide)) }
        let fine = try Self.orders(.fine, hidden)
        #expect(fine.map(\.display) == [.show] && fine[0].tells && !fine[0].isKeptBack)
    }

    @Test func `what is gone can't be hidden, and what changed isn't found fine unseen`() throws {
        let gone = Self.thing { $0.thing = nil }
        #expect(Self.isRefused(.hide, gone) && Self.isRefused(.ask, gone))
        #expect(try Self.orders(.suspend, gone).count == 1 && Self.orders(.fine, gone).count == 1)
        let facts = Self.thing { $0.thing = .init(version: "b") }
        #expect(throws: Decision.Changed.self) { try Decision.plan(.init(verdict: .fine, seen: "a"), about: facts) }
        #expect(throws: Never.self) { try Decision.plan(.init(verdict: .fine, seen: "b"), about: facts) }
        #expect(throws: Never.self) { try Decision.plan(.init(verdict: .hide, seen: "a"), about: facts) }
    }

    @Test func `what was answered is lifted or stands, or something else is decided, and is never just fine`() throws {
        let facts = Self.thing {
            ($0.thing, $0.hiding) = (.init(isHidden: true), Self.decision(.hide))
            $0.answered = Self.decision(.hide)
        }
        for verdict in [Decision.Verdict.lift, .stands] {
            guard case .reply(let answered) = try Decision.plan(.init(verdict: verdict), about: facts) else {
                Issue.record("\(verdict) is no reply")
                continue
            }
            #expect(answered.id == ID(7))
        }
        #expect(throws: Decision.Changed.self) { try Decision.plan(.init(verdict: .fine), about: facts) }
        #expect(try Self.orders(.suspend, facts).count == 1)
        #expect(Self.isRefused(.note, facts))
    }

    @Test func `somebody who waits is let in or not; a question leaves them waiting`() throws {
        let facts = Self.thing(.person) { $0.isEntry = true }
        for verdict in Decision.Verdict.allCases where ![.admit, .note, .refuse, .suspend, .delete].contains(verdict) {
            #expect(Self.isRefused(verdict, facts), "\(verdict)")
        }
        #expect(try Self.orders(.admit, facts).map(\.endsOfAuthor) == [.refuse])
        #expect(try Self.orders(.note, facts).map(\.settles) == [false])
        #expect(try Self.orders(.refuse, facts).map(\.settles) == [true])
        #expect(try Self.orders(.note, Self.thing()).map(\.settles) == [true])
    }

    @Test func `nobody decides about themselves, and staff are judged by an admin`() throws {
        let own = Self.thing { $0.rights.isOwn = true }
        for verdict in Decision.Verdict.usual {
            #expect(Self.isRefused(verdict, own) == (verdict != .hide), "\(verdict)")
        }
        let colleague = Self.thing { $0.rights.isOfStaff = true }
        for verdict in Decision.Verdict.usual {
            #expect(Self.isRefused(verdict, colleague) == verdict.isOnAccount, "\(verdict)")
        }
        var byAdmin = colleague
        byAdmin.rights.isByAdmin = true
        // An account of staff is deleted once its owner no longer looks after the site.
        for verdict in Decision.Verdict.usual {
            #expect(Self.isRefused(verdict, byAdmin) == (verdict == .delete), "\(verdict)")
        }
        byAdmin.rights.isOfLastAdmin = true
        #expect(Self.isRefused(.suspend, byAdmin) && Self.isRefused(.limit, byAdmin))
        let admins = Self.thing { ($0.rights.isOfStaff, $0.rights.isOfAdmin) = (true, true) }
        for verdict in Decision.Verdict.usual {
            #expect(Self.isRefused(verdict, admins) == (verdict != .fine), "\(verdict)")
        }
    }

    @Test func `a newer limit takes the place of the older one`() throws {
        #expect(try Self.orders(.limit, Self.thing()).map(\.endsOfAuthor) == [.limit])
        #expect(try Self.orders(.limit, Self.thing()).map(\.endsDisplay) == [false])
    }
}
