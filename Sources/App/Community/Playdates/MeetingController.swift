import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/meetings`: meetings of two pets and their owners, in public places.
struct MeetingController {
    let site: Site

    func propose(_ context: MemberContext) async throws -> Response {
        let id: ID<PetMatch> = try context.id()
        guard let match = try context.findMatch(id) else { return try PlaydateController.gone(id, context) }
        var forms = MatchForms()
        forms.meeting = context.submission(MeetingForm.self)
        let (account, now, zone) = (context.member.account, context.now, site.settings.zone)
        forms.meeting.form.check(&forms.meeting, at: now, in: zone)
        guard let form = forms.meeting.value else { return try PlaydateController.show(match, forms, context) }
        let (times, once) = (form.times(in: zone), forms.meeting.once)
        do {
            let sent = context.sent(forms.meeting)
            try await site.carryOut(sent, counting: .messages, by: account, at: now) { tx in
                ((), try Meeting.propose(form.place, times, in: match.id, by: account, once: once, tx: tx))
            }
        } catch is Meeting.IsOpen {
            forms.meeting.reject("There is a meeting already. Call it off first, or answer it.")
            forms.isOvertaken = true
            return try PlaydateController.show(match, forms, context)
        }
        return context.redirect(to: match.link.fragment("meetings"), flash: .proposed)
    }

    /// Proposes other times in place of the agreed one.
    func change(_ context: MemberContext) async throws -> Response {
        let meeting = try meeting(context)
        let match = try context.match(meeting.match)
        var forms = MatchForms()
        forms.meeting = context.submission(MeetingForm.self)
        let (account, now, zone) = (context.member.account, context.now, site.settings.zone)
        forms.meeting.form.check(&forms.meeting, isChange: true, at: now, in: zone)
        guard let form = forms.meeting.value, let why = form.why else {
            return try PlaydateController.show(match, forms, context)
        }
        let (times, once) = (form.times(in: zone), forms.meeting.once)
        do {
            let sent = context.sent(forms.meeting)
            try await site.carryOut(sent, counting: .messages, by: account, at: now) { tx in
                let isNew = try Meeting.propose(
                    form.place, times, insteadOf: (meeting, why), in: match.id, by: account, once: once, tx: tx)
                return ((), isNew)
            }
        } catch is Meeting.HasChanged {
            return changed(meeting, context)
        } catch is Meeting.IsOpen {
            return changed(meeting, context)
        }
        return context.redirect(to: match.link.fragment("meetings"), flash: .proposed)
    }

    /// Accepts one of the times, or none.
    func answer(_ context: MemberContext) async throws -> Response {
        let meeting = try meeting(context)
        let (account, zone) = (context.member.account, site.settings.zone)
        guard let typed = context.body["time"], let number = typed == "none" ? 0 : Int(typed), (0...3).contains(number)
        else { throw Refusal.malformed }
        do {
            try await site.write(at: context.now) { tx in
                try Meeting.answer(meeting.id, taking: number == 0 ? nil : number - 1, by: account, in: zone, tx: tx)
            }
        } catch is Meeting.HasChanged {
            return changed(meeting, context)
        }
        return context.redirect(
            to: Link.match(meeting.match).fragment("meetings"), flash: number == 0 ? .declined : .agreed)
    }

    func callOff(_ context: MemberContext) async throws -> Response {
        let meeting = try meeting(context)
        var forms = MatchForms()
        forms.callOff = context.submission(CallOffForm.self)
        guard let form = forms.callOff.value else {
            return try PlaydateController.show(try context.match(meeting.match), forms, context)
        }
        let (account, now, zone) = (context.member.account, context.now, site.settings.zone)
        // A member restricted to reading cancels without a reason.
        let reason = context.member.limitedUntil.map { $0 > now } ?? false ? "" : form.reason
        do {
            try await site.write(counting: .messages, by: account, at: now) { tx in
                try Undo.callingOff(meeting, reason: reason, by: account, in: zone, tx: tx)
                return ((), true)
            }
        } catch is Meeting.HasChanged {
            return changed(meeting, context)
        }
        // The result and its undo button are at the top.
        return context.redirect(to: .match(meeting.match), flash: .calledOff)
    }

    func after(_ context: MemberContext) async throws -> Response {
        let meeting = try meeting(context)
        var forms = MatchForms()
        forms.after = context.submission(AfterForm.self)
        if forms.after.form.again == .wrong, forms.after.form.note == nil {
            forms.after.reject(\.note, "Say what was wrong, in a line.")
        }
        guard let form = forms.after.value else {
            return try PlaydateController.show(try context.match(meeting.match), forms, context)
        }
        let (account, once) = (context.member.account, forms.after.once)
        try await site.write(at: context.now) { tx in
            guard let pet = try Meeting.answer(meeting.id, form, by: account, in: tx) else { return }
            let report = ReportForm(ground: .danger, note: form.note)
            _ = try Report.file(report, about: pet, by: account, once: once, in: tx)
        }
        return context.redirect(
            to: .match(meeting.match), flash: form.again == .wrong ? .reported : .saved)
    }

    private func changed(_ meeting: Meeting, _ context: MemberContext) -> Response {
        context.visit.errorPage(
            .conflict, "That has changed meanwhile", "Open the match again, and see how the meeting stands now.",
            link: (Link.match(meeting.match).fragment("meetings"), "Open the match"))
    }

    private func meeting(_ context: MemberContext) throws -> Meeting {
        let id: ID<Meeting> = try context.id()
        let account = context.member.account
        guard let meeting = try site.read({ db in try Meeting.find(id, of: account, in: db) }) else {
            throw Refusal.notFound
        }
        return meeting
    }
}
