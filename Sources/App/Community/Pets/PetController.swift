import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/me/owner` and `/me/pets`: who looks after which pets, in two steps from `/playdates`.
struct PetController {
    let site: Site

    // MARK: The owner

    func editOwner(_ context: MemberContext) throws -> Response {
        let owner = try owner(context)
        var submission = owner.map { Submission(filled: OwnerForm($0)) } ?? Submission(filled: OwnerForm())
        if owner == nil {
            submission.fill(\.country, site.settings.country)
            if let family = context.member.family {
                submission.fill(\.name, family.firstName)
                submission.fill(\.city, family.city)
                submission.fill(\.zip, family.zip)
                submission.fill(\.country, family.country)
            }
        }
        return context.page(
            Templates.community.pets.owner(form: submission, owner: owner, next: context.nextText))
    }

    func updateOwner(_ context: MemberContext) async throws -> Response {
        var submission = context.submission(OwnerForm.self)
        submission.checkTown()
        submission.form.check(&submission, today: context.today)
        let (before, account, now) = (try owner(context), context.member.account, context.now)
        var cell: Cell?
        if submission.problems.isEmpty {
            cell = try locate(submission.form)
            if cell == nil { submission.reject(\.city, "We don’t know where that is. Try the next larger town.") }
        }
        if let form = submission.value, let cell {
            do {
                var picture: Picture?
                if let file = context.body.file("picture") {
                    picture = try await site.keep(file, of: account, at: now)
                }
                let kept = picture?.id
                try await site.write { db in
                    try Owner.save(form, at: cell, picture: kept, of: account, at: now, in: db)
                }
                guard before == nil else { return context.redirect(to: context.next ?? Link("/me"), flash: .saved) }
                return context.redirect(to: Link("/me/pets/new").with("next", context.nextOrNil), flash: .saved)
            } catch let problem as PictureProblem {
                submission.reject(named: "picture", problem.words)
            } catch is Owner.TooManyMoves {
                submission.reject(
                    \.city, "You moved \(Owner.mostMoves, as: "number") times lately. Please come back in some weeks.")
            }
        }
        return context.again(
            Templates.community.pets.owner(form: submission, owner: before, next: context.nextText))
    }

    private func owner(_ context: MemberContext) throws -> Owner? {
        try site.read { db in try Owner.find(context.member.account, in: db) }
    }

    private func locate(_ form: OwnerForm) throws -> Cell? {
        try site.read { db in
            let address = try Gazetteer.address(ofFamilyIn: form.city, zip: form.zip, country: form.country, in: db)
            return try Gazetteer.coordinate(of: address, in: db).map { Cell(at: $0) }
        }
    }

    // MARK: Pets

    func new(_ context: MemberContext) throws -> Response {
        guard try owner(context) != nil else {
            return context.redirect(to: Link("/me/owner").with("next", context.nextOrNil))
        }
        return try form(Submission(filled: PetForm()), nil, context)
    }

    func create(_ context: MemberContext) async throws -> Response {
        guard try owner(context) != nil else { return context.redirect(to: Link("/me/owner")) }
        var submission = try checked(context)
        if let form = submission.value {
            let (account, today, now, once) =
                (context.member.account, context.today, context.now, submission.once)
            do {
                let id = try await site.write { db in
                    try Pet.insert(form, of: account, once: once, on: today, at: now, in: db)
                }
                return context.redirect(to: Link("/me/pets") / id / "pictures", flash: .saved)
            } catch is Pet.TooMany {
                submission.reject("\(Pet.most, as: "number") pets are as many as fit here.")
            }
        }
        return try form(submission, nil, context)
    }

    func edit(_ context: MemberContext) throws -> Response {
        let pet = try pet(context)
        return try form(Submission(filled: PetForm(pet, on: context.today)), pet, context)
    }

    func update(_ context: MemberContext) async throws -> Response {
        let pet = try pet(context)
        let submission = try checked(context)
        guard let form = submission.value else { return try self.form(submission, pet, context) }
        let (account, today, now) = (context.member.account, context.today, context.now)
        try await site.write { db in try Pet.update(pet.id, form, of: account, on: today, at: now, in: db) }
        return context.redirect(to: context.next ?? Link("/me"), flash: .saved)
    }

    private func checked(_ context: MemberContext) throws -> Submission<PetForm> {
        var submission = context.submission(PetForm.self)
        submission.form.check(&submission, today: context.today)
        return submission
    }

    private func form(
        _ submission: Submission<PetForm>, _ pet: Pet?, _ context: MemberContext
    ) throws -> Response {
        var submission = submission
        submission.offer(\.within, PetForm.reaches(in: context.unit))
        let view = Templates.community.pets.edit(form: submission, pet: pet, next: context.nextText)
        return submission.problems.isEmpty ? context.page(view) : context.again(view)
    }

    func remove(_ context: MemberContext) throws -> Response {
        context.page(Templates.community.pets.delete(pet: try pet(context)))
    }

    func delete(_ context: MemberContext) async throws -> Response {
        let (id, account): (ID<Pet>, ID<Account>) = (try context.id(), context.member.account)
        try await site.write { db in try Pet.delete(id, of: account, in: db) }
        return context.redirect(to: Link("/me"), flash: .petRemoved)
    }

    // MARK: Pictures

    func pictures(_ context: MemberContext) throws -> Response {
        context.page(Templates.community.pets.pictures(page: PetPicturesPage(pet: try pet(context))))
    }

    /// The pictures that stay, in the order that was pressed, with those that came along.
    func updatePictures(_ context: MemberContext) async throws -> Response {
        let pet = try pet(context)
        let account = context.member.account
        var pictures = pet.pictures.filter { context.body["drop"] != "\($0.id)" }
        for index in pictures.indices {
            guard let typed = context.body[PetPicturesPage.alt(pictures[index].id)] else { continue }
            pictures[index].alt = String(typed.prefix(Picture.altLimit))
        }
        if let first = pictures.firstIndex(where: { context.body["first"] == "\($0.id)" }) {
            pictures.insert(pictures.remove(at: first), at: 0)
        }
        if let later = pictures.firstIndex(where: { context.body["earlier"] == "\($0.id)" }), later > 0 {
            pictures.swapAt(later, later - 1)
        }
        var problem: Words?
        let files = context.body.files.filter { $0.name == "photo" }
        for file in files.prefix(max(0, Pet.mostPictures - pictures.count)) {
            do {
                pictures.append(try await site.keep(file, of: account, at: context.now))
            } catch let refused as PictureProblem {
                problem = refused.words
                break
            }
        }
        if files.count + pet.pictures.count > Pet.mostPictures, problem == nil {
            problem = "A pet has up to \(Pet.mostPictures, as: "number") pictures. The others were left out."
        }
        let kept = pictures
        try await site.write { db in try Pet.put(kept, to: pet.id, of: account, in: db) }
        guard let problem else { return context.redirect(to: pet.link / "pictures", flash: .saved) }
        var page = PetPicturesPage(pet: try self.pet(context))
        page.problem = problem
        return context.again(Templates.community.pets.pictures(page: page))
    }

    private func pet(_ context: MemberContext) throws -> Pet {
        let id: ID<Pet> = try context.id()
        let account = context.member.account
        guard let pet = try site.read({ db in try Pet.find(id, of: account, in: db) }) else { throw Refusal.notFound }
        return pet
    }
}

extension MemberContext {
    /// What this reader's distances are in.
    var unit: Distance.Unit {
        member.preferences.unit ?? (site.settings.country == "US" ? .miles : .kilometres)
    }

    /// The same as `next`, as a link carries it on.
    var nextOrNil: String? { nextText.isEmpty ? nil : nextText }
}
