import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/me/children`: the children of a family.
struct ChildController {
    let site: Site

    func index(_ context: ParentContext) throws -> Response {
        let (children, undos) = try site.read(at: context.now) { tx in
            (try Child.all(of: context.family, in: tx), try Undo.all(.child, of: context.head, in: tx))
        }
        return context.page(Templates.people.children.overview(children: children, undos: undos, today: context.today))
    }

    func new(_ context: ParentContext) -> Response {
        context.page(
            Templates.people.children.edit(
                form: Submission(), child: nil, places: [], there: nil, next: context.nextText))
    }

    /// A new child, or its form for a sheet that was left for it and comes back afterward.
    func create(_ context: ParentContext) async throws -> Response {
        if let left = LeftForm(context.body) {
            return context.page(
                Templates.people.children.edit(
                    form: Submission(), child: nil, places: [], there: nil, next: context.nextText, left: left))
        }
        var submission = context.submission(ChildForm.self)
        submission.form.check(&submission, today: context.today)
        guard let form = submission.value else {
            return try again(submission, nil, context)
        }
        let (account, family) = (context.member.account, context.family)
        let sent = context.sent(submission)
        do {
            try await context.write { tx in
                guard try sent.remember(by: account, in: tx) else { return }
                try Child.insert(form, of: family, by: account, in: tx)
            }
        } catch is Child.TooMany {
            submission.reject("A family can have \(Child.limit, as: "number") children here. Nobody was added.")
            return try again(submission, nil, context)
        } catch let there as Child.IsThere {
            submission.reject(
                \.nickname,
                """
                A child of that name and month is on your list already, with other notes. Nothing is saved yet: write \
                yours into the entry that is there, or say that it is another child.
                """)
            return try again(submission, nil, context, there: there.id)
        }
        if let left = LeftForm(carriedBy: context.body) { return context.resend(to: left.link, flash: .childAdded) }
        // Brothers and sisters come one after the other, before the form that lists them all.
        guard context.body["more"] == nil else {
            let another = context.next.map { Link.newChild.with("next", $0.string) } ?? Link.newChild
            return context.redirect(to: another, flash: .childAdded)
        }
        return context.redirect(to: context.next ?? Link.children, flash: .childAdded)
    }

    func edit(_ context: ParentContext) throws -> Response {
        let child = try child(context)
        return context.page(
            Templates.people.children.edit(
                form: Submission(changing: ChildForm(child)), child: child, places: try places(of: child, context),
                there: nil, next: context.nextText))
    }

    func update(_ context: ParentContext) async throws -> Response {
        let child = try child(context)
        if context.body["open"] != nil { return try open(child, context) }
        let (account, family) = (context.member.account, context.family)
        var submission = try context.submission(
            changing: ChildForm(child),
            by: try site.read { db in try Child.changer(of: child.id, besides: account, in: db) })
        submission.form.check(&submission, today: context.today)
        guard let form = submission.value else {
            return try again(submission, child, context)
        }
        let sent = submission
        try await context.write { tx in
            guard let stored = try Child.find(child.id, of: family, in: tx) else { throw Refusal.notFound }
            guard try sent.isChange(of: Submission(changing: ChildForm(stored))) else { return }
            try Child.update(child.id, form, of: family, by: account, in: tx)
        }
        if let left = LeftForm(carriedBy: context.body) { return context.resend(to: left.link, flash: .childSaved) }
        return context.redirect(to: context.next ?? Link.children, flash: .childSaved)
    }

    /// The entry in place of a new one for the same child, with the notes typed for that one after those that it has.
    private func open(_ child: Child, _ context: ParentContext) throws -> Response {
        let typed = Submission<ChildForm>(unfinished: context.body).form
        var form = Submission(changing: ChildForm(child))
        for note in [\ChildForm.allergies, \.emergencyPhone, \.collectors] {
            guard let text = typed[keyPath: note]?.nonEmpty else { continue }
            let there = form.form[keyPath: note] ?? ""
            if !there.contains(text) { form.fill(note, there.isEmpty ? text : "\(there); \(text)") }
        }
        return context.page(
            Templates.people.children.edit(
                form: form, child: child, places: try places(of: child, context), there: nil, next: context.nextText,
                left: LeftForm(carriedBy: context.body)))
    }

    /// The child's own page has the button.
    func remove(_ context: ParentContext) throws -> Response {
        context.redirect(to: .child(try child(context).id) / "edit")
    }

    func delete(_ context: ParentContext) async throws -> Response {
        let child = try child(context)
        let family = context.family
        let account = context.head
        try await context.write { tx in try Undo.removing(child, of: family, account: account, in: tx) }
        return context.redirect(to: .children)
    }

    private func again(
        _ form: Submission<ChildForm>, _ child: Child?, _ context: ParentContext, there: ID<Child>? = nil
    ) throws -> Response {
        let places = try child.map { try self.places(of: $0, context) } ?? []
        return context.again(
            Templates.people.children.edit(
                form: form, child: child, places: places, there: there, next: context.nextText,
                left: LeftForm(carriedBy: context.body)))
    }

    /// The places that are given back when the child is removed.
    private func places(of child: Child, _ context: ParentContext) throws -> [Registration.Line] {
        try site.read(at: context.now) { tx in try Registration.upcoming(of: child.id, in: tx) }
    }

    private func child(_ context: ParentContext) throws -> Child {
        let id: ID<Child> = try context.id()
        guard let child = try site.read({ db in try Child.find(id, of: context.family, in: db) }) else {
            throw Refusal.notFound
        }
        return child
    }
}
