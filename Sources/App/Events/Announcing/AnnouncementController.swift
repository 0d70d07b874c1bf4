import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/events/{id}/announcements` and `/opportunities/{id}/messages`: a host's messages to participants, and an
/// organization's to helpers.
struct AnnouncementController {
    let site: Site
    let kind: Kind

    /// The subject of the messages.
    enum Kind: Sendable { case event, help }

    func index(_ context: MemberContext) async throws -> Response {
        let page = try page(context, context.member)
        try requireHat(page, context)
        let (account, about) = (context.member.account, page.about)
        if !page.isHost {
            // Viewing the page marks the messages as opened.
            try await site.writeQuietly(at: context.now) { tx in
                switch about {
                case .event(let id): try Notice.read(.announced, about: id, of: account, in: tx)
                case .help(let id): try Announcement.read(about: id, by: account, in: tx)
                }
            }
        }
        let form = AnnouncementForm.blank(for: page)
        return context.page(Templates.events.announcing.index(page: page, form: form))
    }

    /// One form: first a preview, and then it is sent.
    func create(_ context: MemberContext) async throws -> Response {
        var page = try page(context, context.member)
        guard page.isHost else { throw Refusal.notFound }
        try requireHat(page, context)
        var submission = context.submission(AnnouncementForm.self)
        let now = context.now
        AnnouncementForm.offer(page, in: &submission)
        AnnouncementForm.check(&submission, for: page, at: now)
        guard let form = submission.value else {
            return context.again(Templates.events.announcing.index(page: page, form: submission))
        }
        switch submission.step {
        case .publish:
            let (once, member, sent) = (submission.once, context.member, context.sent(submission))
            let (about, title, event) = (page.about, page.title, page.event)
            do {
                let isNew = try await site.write(at: now) { tx in
                    try sent.remember(by: member.account, in: tx)
                    guard try Announcement.send(form, about: about, once: once, in: tx) else { return false }
                    if let event {
                        try Cohost.authorize(
                            .announced, title, of: event.host.id, at: event.id, by: member, as: .roster, in: tx)
                    } else {
                        try Colleague.authorize(.announced, title, by: member, in: tx)
                    }
                    return true
                }
                return context.redirect(to: page.link, flash: isNew ? .announced : .sentBefore)
            } catch is Announcement.TooMany {
                submission.reject(
                    """
                    \(Announcement.aDay, as: "count") messages within a day are enough. Please send the next one \
                    tomorrow.
                    """)
                return context.again(Templates.events.announcing.index(page: page, form: submission))
            }
        case .preview:
            if let opportunity = page.opportunity {
                page.chosen = try site.read(at: now) { tx in
                    try Announcement.count(form.readers, of: opportunity.id, in: tx)
                }
            }
            return context.page(Templates.events.announcing.preview(page: page, form: submission, message: form))
        default: return context.page(Templates.events.announcing.index(page: page, form: submission))
        }
    }

    /// A neighbor hosts under any hat; the provider of an event for children, and an organization that asks for help,
    /// under the provider's.
    private func requireHat(_ page: AnnouncementsPage, _ context: MemberContext) throws {
        guard !page.isHost || page.event?.isForEveryone == true || context.member.isProvider else {
            throw Refusal.wrongHat(.provider)
        }
        // For helpers, such a colleague can only see the list.
        guard !(page.isHost && page.opportunity != nil && context.member.onlyLooks) else { throw Refusal.notAllowed }
    }

    private func page(_ context: some Context, _ member: Visitor) throws -> AnnouncementsPage {
        return try site.read(at: context.now) { tx in
            switch kind {
            case .event:
                let id: ID<Event> = try context.id()
                return try AnnouncementsPage(id, for: member.account, as: Cohost.acting(member, at: id, in: tx), in: tx)
            case .help:
                return try AnnouncementsPage(
                    context.id() as ID<Opportunity>, for: member.account, as: member.acting, in: tx)
            }
        }
    }
}
