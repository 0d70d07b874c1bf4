import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/inbox` and `/me/notices`: a member's notices, and which they want.
struct InboxController {
    let site: Site

    func index(_ context: MemberContext) async throws -> Response {
        let onlyUnread = context.query["show"] == "unread"
        let account = context.member.account
        let (notices, seal) = try site.read { db in
            (try Notice.all(of: account, onlyUnread: onlyUnread, after: context.after(), in: db), try Seal(in: db))
        }
        // A listed notice has been read, and isn't withdrawn silently anymore. The page is shown even if nothing can be
        // written at the moment.
        let fresh = notices.items.filter { !$0.isShown }.map(\.id)
        if let newest = fresh.first, let oldest = fresh.last {
            try? await site.writeQuietly { db in try Notice.show(oldest...newest, to: account, in: db) }
        }
        let page = InboxPage(
            notices, of: context.member.account, onlyUnread: onlyUnread, now: context.now, in: context.zone, seal)
        return context.page(Templates.people.inbox.index(page: page, choices: try choices(of: context.member)))
    }

    /// Redirects to the subject of a notice, which is marked as read.
    func open(_ context: MemberContext) async throws -> Response {
        let id: ID<Notice> = try context.id()
        let account = context.member.account
        guard let notice = try site.read({ db in try Notice.find(id, of: account, in: db) }) else {
            throw Refusal.notFound
        }
        // The row also represented the earlier notices.
        try await site.writeQuietly(at: context.now) { tx in try Notice.readAll(upTo: notice, of: account, in: tx) }
        return context.redirect(to: notice.link)
    }

    func readAll(_ context: MemberContext) async throws -> Response {
        let account = context.member.account
        try await site.writeQuietly(at: context.now) { tx in try Notice.readAll(of: account, in: tx) }
        return context.redirect(to: .inbox)
    }

    func edit(_ context: MemberContext) async throws -> Response {
        let choices = try choices(of: context.member)
        let key = try await site.pushKey()
        return context.page(Templates.people.inbox.choices(choices: choices, key: key))
    }

    func update(_ context: MemberContext) async throws -> Response {
        let account = context.member.account
        let choices = try choices(of: context.member)
        let on = Set(context.body.all("on"))
        // An untouched checkbox keeps its stored state, which may have changed in another tab or through a letter's
        // link.
        let was = Dictionary(
            choices.kinds.flatMap { kind in kind.channels.map { NoticeChoices.name(kind, $0) } }
                .compactMap { name in context.body["was.\(name)"].map { (name, $0 == "1") } }, uniquingKeysWith: { $1 })
        let typed = context.body["act_reminder"]
        let hour = NoticeChoices.hours.first { $0.iso == typed }
        let isTimed =
            choices.kinds.contains(.dayAct) && typed != context.body["was.act_reminder"]
            && (typed == "" || hour != nil)
        let zone = context.zone
        try await site.writeQuietly(at: context.now) { tx in
            if isTimed { try ActReminder.set(hour, of: account, in: zone, tx: tx) }
            for kind in choices.kinds {
                for channel in kind.channels {
                    let name = NoticeChoices.name(kind, channel)
                    let isOn = on.contains(name)
                    guard was[name] != isOn else { continue }
                    try Notice.choose(kind, channel, isOn, by: account, in: tx)
                }
            }
        }
        return context.redirect(to: .noticeChoices, flash: .saved)
    }

    private func choices(of member: Visitor) throws -> NoticeChoices {
        let hasServer = site.settings.smtp != nil
        return try site.read { db in try Notice.choices(of: member, site.opening, hasServer: hasServer, in: db) }
    }

    // MARK: Unsubscribing

    func unsubscribe(_ context: PublicContext) throws -> Response {
        let kind = try writtenAddress(context) != nil ? NoticeKind.invited : ending(context).kind
        return context.page(Templates.people.inbox.unsubscribe(kind: kind, isDone: false)).withoutReferrer
    }

    /// `POST /unsubscribe/{token}`: also sent by mail programs, with nothing but the token (RFC 8058).
    func endLetters(_ context: PublicContext) async throws -> Response {
        if let written = try writtenAddress(context) {
            try await site.writeQuietly(at: context.now) { tx in try written.refuse(in: tx) }
            return context.page(Templates.people.inbox.unsubscribe(kind: .invited, isDone: true)).withoutReferrer
        }
        let ending = try ending(context)
        try await site.writeQuietly { db in
            for channel in [NoticeKind.Channel.mail, .daily] where ending.kind.rule(of: channel) != .never {
                try Notice.choose(ending.kind, channel, false, by: ending.account, in: db)
            }
        }
        return context.page(Templates.people.inbox.unsubscribe(kind: ending.kind, isDone: true))
            .withoutReferrer
    }

    /// The address behind the link in a letter to somebody without an account; nil for other links.
    private func writtenAddress(_ context: PublicContext) throws -> WrittenAddress? {
        let token = try context.word("token")
        return try site.read { db in try Seal(in: db) }.flatMap { WrittenAddress(token: token, $0) }
    }

    private func ending(_ context: PublicContext) throws -> LetterEnding {
        let token = try context.word("token")
        guard let seal = try site.read({ db in try Seal(in: db) }),
            let ending = LetterEnding(token, seal),
            try site.read({ db in try Account.find(ending.account, in: db) }) != nil
        else { throw Refusal.notFound }
        return ending
    }
}
