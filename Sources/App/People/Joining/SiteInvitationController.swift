import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/admin/invitations`: inviting people from a list. They get letters, and no account.
struct SiteInvitationController {
    let site: Site

    func index(_ context: AdminContext) throws -> Response {
        context.page(try form(Submission(), context))
    }

    /// Shows who would be invited. Nothing is stored.
    func preview(_ context: AdminContext) async throws -> Response {
        var submission = context.submission(SiteInvitationForm.self)
        guard submission.isValid, let list = read(&submission, context) else {
            return context.again(try form(submission, context))
        }
        return context.page(try await view(list, context))
    }

    func send(_ context: AdminContext) async throws -> Response {
        let list = InvitationList(addresses: context.body["addresses"] ?? "", most: SiteInvitation.most)
        guard site.settings.smtp != nil else { return context.again(try await view(list, context)) }
        // The addresses aren't part of it: not even their fingerprint is stored.
        let sent = context.sent(context.submission(SiteInvitationForm.self))
        let (account, seal) = (context.member.account, try await site.seal())
        do {
            let isNew = try await site.carryOut(
                sent, counting: SiteInvitation.rule, by: account, at: context.now
            ) { tx, isFirst in
                try Role.require(.admin, of: account, in: tx)
                guard isFirst else { return (false, false) }
                let count = try SiteInvitation.send(list, by: account, seal, in: tx)
                guard count > 0 else { throw SiteInvitation.Nobody() }
                try AuditEntry.record(.invitePeople, "\(count)", 0, reason: "", by: account, in: tx)
                return (true, true)
            }
            return context.redirect(to: .siteInvitations, flash: isNew ? .invitationsSent : .sentBefore)
        } catch is SiteInvitation.Nobody {
            return context.again(try await view(list, context))
        }
    }

    /// `POST /admin/invitations/end`: takes back those that were open when the page was drawn, from all lists.
    func end(_ context: AdminContext) async throws -> Response {
        guard let last = context.body["last"].flatMap({ ID<OneTimeLink>($0) }) else { throw Refusal.malformed }
        let account = context.member.account
        let count = try await site.write(at: context.now) { tx in
            try Role.require(.admin, of: account, in: tx)
            let count = try SiteInvitation.takeBack(upTo: last, in: tx)
            guard count > 0 else { return count }
            try AuditEntry.record(.uninvitePeople, "\(count)", 0, reason: "", by: account, in: tx)
            return count
        }
        return context.redirect(to: .siteInvitations, flash: count > 0 ? .invitationsEnded : nil)
    }

    private func form(_ form: Submission<SiteInvitationForm>, _ context: AdminContext) throws -> View<Frame> {
        Templates.people.joining.siteInvitations(
            form: form, hasServer: site.settings.smtp != nil, joining: site.town.joining,
            open: try site.read(at: context.now) { tx in try SiteInvitation.open(in: tx) })
    }

    private func view(_ list: InvitationList, _ context: AdminContext) async throws -> View<Frame> {
        let seal = try await site.seal()
        let review = try await site.readSlowly(at: context.now) { tx in try InvitationReview(list, seal, in: tx) }
        return Templates.people.joining.siteInvitationsPreview(
            page: InvitationPreview(
                form: Submission(), list: list, review: review, hasServer: site.settings.smtp != nil,
                joining: site.town.joining))
    }

    /// The list in the file, or in the pasted lines; nil if there is a problem, which is added to the form.
    private func read(
        _ submission: inout Submission<SiteInvitationForm>, _ context: AdminContext
    ) -> InvitationList? {
        let file = context.body.file(SiteInvitationForm.file)
        if let file, file.isTooLarge || file.bytes.count > InvitationList.mostBytes {
            submission.reject(named: SiteInvitationForm.file, "The file is larger than 2 MB. Divide it.")
            return nil
        }
        guard file == nil || submission.form.list == nil else {
            submission.reject(\.list, "Use one list at a time: a file, or lines.")
            return nil
        }
        guard let bytes = file?.bytes ?? submission.form.list.map({ Array($0.utf8) }) else {
            submission.reject(named: SiteInvitationForm.file, "Choose a file, or paste some lines.")
            return nil
        }
        let list = InvitationList(bytes)
        guard !list.entries.isEmpty else {
            // Headings that speak of children alone are the reason.
            let columns = list.aboutChildren.map(Words.init(verbatim:)).listed()
            submission.reject(
                named: file == nil ? "list" : SiteInvitationForm.file,
                list.aboutChildren.isEmpty
                    ? "No e-mail address was found in it."
                    : "These columns are or may be about children, and weren’t read: \(columns, as: "columns")")
            return nil
        }
        return list
    }
}
