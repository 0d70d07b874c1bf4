import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/tags`: the tags of events.
struct TagController {
    let site: Site

    /// The most used tags, or those with a given beginning: a page with links, or JSON for a script.
    func index(_ context: PublicContext) throws -> Response {
        let typed = String((context.query["q"] ?? "").lowercased().prefix(30))
        let tags = try site.read { db in try Tag.suggestions(for: typed, in: db) }
        let response =
            context.visit.wantsJSON
            ? context.document(["items": .array(tags.map { .string($0) })])
            : context.page(Templates.events.tags(tags: tags))
        return response.varyingByAccept
    }

    // MARK: The desk

    /// `/admin/tags`: all tags, and with `tag` the actions on one.
    func desk(_ context: AdminContext) throws -> Response {
        try desk(Submission(), context)
    }

    private func desk(_ form: Submission<TagForm>, _ context: AdminContext) throws -> Response {
        let typed = String((context.query["q"] ?? "").lowercased().prefix(Tag.mostCharacters))
        let (page, chosen) = try site.read { db in
            (
                try Tag.all(beginning: typed, after: context.after(), in: db),
                try (form.isSent ? form.form.tag : context.query["tag"]).flatMap { try Tag.find($0, in: db) }
            )
        }
        let here = Link.adminTags.with("q", typed.nonEmpty)
        let view = Templates.people.admin.tags(
            words: typed, tags: page.items, chosen: chosen, more: page.more(at: here), form: form)
        return form.problems.isEmpty ? context.page(view) : context.again(view)
    }

    /// Replaces a tag with another.
    func merge(_ context: AdminContext) async throws -> Response {
        var submission = context.submission(TagForm.self)
        submission.form.check(&submission)
        guard let form = submission.value, let target = form.target else { return try desk(submission, context) }
        let admin = context.member.account
        try await context.decide(about: [.tag(form.tag)], at: .adminTags.with("tag", form.tag)) { tx in
            try Tag.merge(form.tag, into: target, by: admin, in: tx)
        }
        return context.redirect(to: .adminTags.with("tag", target), flash: .saved)
    }

    /// Stops suggesting a tag.
    func hide(_ context: AdminContext) async throws -> Response { try await offer(false, context) }

    /// Resumes suggesting it.
    func unhide(_ context: AdminContext) async throws -> Response { try await offer(true, context) }

    private func offer(_ isOffered: Bool, _ context: AdminContext) async throws -> Response {
        guard let tag = context.body["tag"] else { throw Refusal.notFound }
        let (admin, there) = (context.member.account, Link.adminTags.with("tag", tag))
        try await context.decide(about: [.tag(tag)], at: there) { tx in
            try Tag.offer(tag, isOffered, by: admin, in: tx)
        }
        return context.redirect(to: there, flash: .saved)
    }
}
