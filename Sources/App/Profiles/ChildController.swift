import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/me/children`: the children of a family.
struct ChildController {
    let site: Site

    func index(_ context: ParentContext) throws -> Response {
        let children = try site.read { db in try Child.all(of: context.family, in: db) }
        return context.page(Templates.children.overview(children: children, today: context.today))
    }

    func new(_ context: ParentContext) -> Response {
        context.page(Templates.children.edit(form: Submission(), child: nil, next: context.nextText))
    }

    func create(_ context: ParentContext) async throws -> Response {
        var submission = context.submission(ChildForm.self)
        submission.form.check(&submission, today: context.today)
        guard let form = submission.value else {
            return context.again(Templates.children.edit(form: submission, child: nil, next: context.nextText))
        }
        let family = context.family
        let now = context.now
        do {
            try await site.write { db in try Child.insert(form, of: family, at: now, in: db) }
        } catch is Child.TooMany {
            submission.reject("A family can have \(Child.limit, as: "number") children here. Nobody was added.")
            return context.again(Templates.children.edit(form: submission, child: nil, next: context.nextText))
        }
        return context.redirect(to: context.next ?? Link("/me/children"), flash: .childAdded)
    }

    func edit(_ context: ParentContext) throws -> Response {
        let child = try child(context)
        let form = ChildForm(
            nickname: child.nickname, birthMonth: child.birthMonth, birthYear: child.birthYear,
            allergies: child.note.allergies, emergencyPhone: child.note.emergencyPhone,
            collectors: child.note.collectors)
        return context.page(
            Templates.children.edit(form: Submission(filled: form), child: child, next: context.nextText))
    }

    func update(_ context: ParentContext) async throws -> Response {
        let child = try child(context)
        var submission = context.submission(ChildForm.self)
        submission.form.check(&submission, today: context.today)
        guard let form = submission.value else {
            return context.again(Templates.children.edit(form: submission, child: child, next: context.nextText))
        }
        let family = context.family
        let now = context.now
        try await site.write { db in try Child.update(child.id, form, of: family, at: now, in: db) }
        return context.redirect(to: context.next ?? Link("/me/children"), flash: .childSaved)
    }

    func remove(_ context: ParentContext) throws -> Response {
        let child = try child(context)
        let places = try site.read { db in
            try Registration.upcoming(of: child.id, from: context.now, in: db)
        }
        return context.page(Templates.children.delete(child: child, places: places))
    }

    func delete(_ context: ParentContext) async throws -> Response {
        let child = try child(context)
        let family = context.family
        let now = context.now
        try await site.write { db in
            try Registration.giveBack(everyPlaceOf: child.id, from: now, in: db)
            try Child.delete(child.id, of: family, in: db)
        }
        return context.redirect(to: Link("/me/children"), flash: .childRemoved)
    }

    private func child(_ context: ParentContext) throws -> Child {
        let id: ID<Child> = try context.id()
        guard let child = try site.read({ db in try Child.find(id, of: context.family, in: db) }) else {
            throw Refusal.notFound
        }
        return child
    }
}
