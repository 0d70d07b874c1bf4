import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/events/{id}/announcements`: what a host tells everybody who comes.
struct AnnouncementController {
    let site: Site

    func index(_ context: MemberContext) async throws -> Response {
        let page = try page(context, context.member)
        try requireHat(page, context)
        let account = context.member.account
        let now = context.now
        if !page.isHost {
            // A family that reads it here has opened it.
            try await site.writeQuietly { db in
                try Notice.read(.announced, about: page.event.id, of: account, at: now, in: db)
            }
        }
        return context.page(Templates.events.talking.announcements(page: page, form: Submission()))
    }

    /// One form: what it will look like, and only then it is sent.
    func create(_ context: MemberContext) async throws -> Response {
        let page = try page(context, context.member)
        guard page.isHost else { throw Refusal.notFound }
        try requireHat(page, context)
        var submission = context.submission(AnnouncementForm.self)
        let now = context.now
        if page.event.isOver(at: now) { submission.reject("This event is over.") }
        if page.event.isHidden { submission.reject("This event is hidden. Nobody is written to about it.") }
        guard let form = submission.value else {
            return context.again(Templates.events.talking.announcements(page: page, form: submission))
        }
        switch submission.step {
        case .publish:
            let (once, member, sent) = (submission.once, context.member, context.sent(submission))
            do {
                try await site.write { db in
                    try sent.remember(by: member.account, at: now, in: db)
                    try Announcement.send(form, about: page.event.id, once: once, at: now, in: db)
                    try Colleague.authorize(.announced, page.event.title, by: member, as: .roster, at: now, in: db)
                }
                return context.redirect(to: page.link, flash: .announced)
            } catch is Announcement.TooMany {
                submission.reject(
                    """
                    \(Announcement.aDay, as: "count") messages within a day are enough. Please send the next one \
                    tomorrow.
                    """)
                return context.again(Templates.events.talking.announcements(page: page, form: submission))
            }
        case .preview:
            return context.page(Templates.events.talking.preview(page: page, form: submission, message: form))
        default: return context.page(Templates.events.talking.announcements(page: page, form: submission))
        }
    }

    /// A neighbor hosts under any hat, a provider of events for children under the provider's.
    private func requireHat(_ page: AnnouncementsPage, _ context: MemberContext) throws {
        guard !page.isHost || page.event.isForEveryone || context.member.isProvider else {
            throw Refusal.wrongHat(.provider)
        }
    }

    private func page(_ context: some Context, _ member: Visitor) throws -> AnnouncementsPage {
        let id: ID<Event> = try context.id()
        return try site.read { db in try AnnouncementsPage(id, for: member.account, as: member.acting, in: db) }
    }
}
