import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/me/owner` and `/me/pets`: owners and pets, set up in two steps from `/playdates`.
struct PetController {
    let site: Site

    // MARK: The owner

    /// The first step, or afterwards the whole profile.
    func owner(_ context: MemberContext) throws -> Response {
        if let owner = try find(context) {
            return context.page(Templates.community.pets.own(page: OwnerPage(owner, on: context.today)))
        }
        // If another tab saves first, both changes are merged.
        var submission = Submission(changing: OwnerForm())
        submission.fill(\.country, site.settings.country)
        if let family = context.member.family {
            submission.fill(\.name, family.firstName)
            submission.fill(\.city, family.city)
            submission.fill(\.zip, family.zip)
            submission.fill(\.country, family.country)
        }
        return context.page(Templates.community.pets.owner(form: submission, next: context.nextText))
    }

    func createOwner(_ context: MemberContext) async throws -> Response {
        var submission = context.submission(
            changing: try find(context).map(OwnerForm.init) ?? OwnerForm(), by: nil)
        let cell = try locate(&submission, context)
        if let form = submission.value, let cell {
            let (account, sent) = (context.member.account, submission)
            let isKept = try await keep(&submission, context) { picture in
                try await site.write(at: context.now) { tx in
                    let stored = try Owner.find(account, in: tx)
                    let page = Submission(changing: stored.map(OwnerForm.init) ?? OwnerForm())
                    guard try sent.isChange(of: page) || picture != nil || stored == nil else { return }
                    try Owner.save(form, at: cell, picture: picture, of: account, in: tx)
                }
            }
            if isKept {
                return context.redirect(to: .newPet.with("next", context.nextOrNil), flash: .saved)
            }
        }
        return context.again(Templates.community.pets.owner(form: submission, next: context.nextText))
    }

    /// A part of an owner's profile, on a separate page.
    func editOwner(_ context: MemberContext) throws -> Response {
        guard let owner = try find(context) else { return context.redirect(to: .owner) }
        let part = try ownerPart(context)
        return try form(part, Submission(changing: OwnerForm(owner), only: part.fields), of: owner, context)
    }

    func updateOwner(_ context: MemberContext) async throws -> Response {
        guard let owner = try find(context) else { return context.redirect(to: .owner) }
        let part = try ownerPart(context)
        var submission = context.submission(changing: OwnerForm(owner), only: part.fields, by: nil)
        let cell = try part == .area ? locate(&submission, context) : check(&submission, context)
        if part == .picture, context.body.file("picture") == nil {
            submission.reject(named: "picture", PictureProblem.missing.words)
        }
        if let form = submission.value {
            let (account, sent) = (context.member.account, submission)
            let isKept = try await keep(&submission, context) { picture in
                try await site.write(at: context.now) { tx in
                    guard let stored = try Owner.find(account, in: tx) else { throw Refusal.notFound }
                    let page = Submission(changing: OwnerForm(stored), only: part.fields)
                    guard try sent.isChange(of: page) || picture != nil else { return }
                    try Owner.update(part, form, at: cell, picture: picture, of: account, in: tx)
                }
            }
            if isKept { return context.redirect(to: .owner, flash: .saved) }
        }
        return try form(part, submission, of: owner, context)
    }

    private func form(
        _ part: OwnerPart, _ submission: Submission<OwnerForm>, of owner: Owner, _ context: MemberContext
    ) throws -> Response {
        let view = Templates.community.pets.ownerPart(part: part, form: submission, owner: owner)
        return submission.problems.isEmpty ? context.page(view) : context.again(view)
    }

    /// Stores an owner's profile with the uploaded picture; false if there are problems, which are added to the form.
    private func keep(
        _ submission: inout Submission<OwnerForm>, _ context: MemberContext,
        _ store: (ID<Picture>?) async throws -> Void
    ) async throws -> Bool {
        do {
            var picture: Picture?
            if let file = context.body.file("picture") {
                picture = try await site.keep(file, of: context.member.account, at: context.now)
            }
            try await store(picture?.id)
            return true
        } catch let problem as PictureProblem {
            submission.reject(named: "picture", problem.words)
        } catch is Owner.TooManyMoves {
            submission.reject(
                \.city, "You moved \(Owner.mostMoves, as: "number") times lately. Please come back in a few weeks.")
        }
        return false
    }

    func leaving(_ context: MemberContext) throws -> Response {
        guard try find(context) != nil else { throw Refusal.notFound }
        return context.page(Templates.community.pets.leave())
    }

    func leave(_ context: MemberContext) async throws -> Response {
        let account = context.member.account
        try await site.write(at: context.now) { tx in try Owner.leave(account, in: tx) }
        return context.redirect(to: .me, flash: .ownerLeft)
    }

    private func find(_ context: MemberContext) throws -> Owner? {
        try site.read { db in try Owner.find(context.member.account, in: db) }
    }

    private func ownerPart(_ context: MemberContext) throws -> OwnerPart {
        guard let part = OwnerPart(rawValue: try context.word("part")) else { throw Refusal.notFound }
        return part
    }

    /// Checks an owner's profile.
    private func check(_ submission: inout Submission<OwnerForm>, _ context: MemberContext) -> Cell? {
        submission.form.check(&submission, today: context.today)
        return nil
    }

    /// Checks it, and returns the cell it names.
    private func locate(_ submission: inout Submission<OwnerForm>, _ context: MemberContext) throws -> Cell? {
        submission.checkTown()
        _ = check(&submission, context)
        guard submission.problems.isEmpty else { return nil }
        let form = submission.form
        let cell = try site.read { db in
            let address = try Gazetteer.address(ofFamilyIn: form.city, zip: form.zip, country: form.country, in: db)
            return try Gazetteer.coordinate(of: address, in: db).map { Cell(at: $0) }
        }
        if cell == nil { submission.reject(\.city, "We don’t know where that is. Try the next larger town.") }
        return cell
    }

    // MARK: Pets

    func new(_ context: MemberContext) throws -> Response {
        guard try find(context) != nil else {
            return context.redirect(to: Link.owner.with("next", context.nextOrNil))
        }
        var submission = Submission(filled: PetForm())
        submission.offer(\.within, PetForm.reaches(in: context.unit))
        return context.page(Templates.community.pets.new(form: submission, next: context.nextText))
    }

    func create(_ context: MemberContext) async throws -> Response {
        guard try find(context) != nil else { return context.redirect(to: .owner) }
        var submission = context.submission(PetForm.self)
        check(&submission, context)
        if let form = submission.value {
            let (account, today, now, once) =
                (context.member.account, context.today, context.now, submission.once)
            let sent = context.sent(submission)
            do {
                let id = try await site.write(at: now) { tx in
                    try sent.remember(by: account, in: tx)
                    return try Pet.insert(form, of: account, once: once, on: today, in: tx)
                }
                return context.redirect(to: .pet(id) / "pictures", flash: .saved)
            } catch is Pet.TooMany {
                submission.reject("At most \(Pet.most, as: "number") pets fit here.")
            }
        }
        return context.again(Templates.community.pets.new(form: submission, next: context.nextText))
    }

    /// A pet's profile, with links to edit each part.
    func edit(_ context: MemberContext) throws -> Response {
        let page = PetPage(try pet(context), on: context.today, in: context.unit)
        return context.page(Templates.community.pets.edit(page: page))
    }

    /// A part of a pet's profile, on a separate page.
    func editPart(_ context: MemberContext) throws -> Response {
        let (pet, part) = (try pet(context), try part(context))
        var submission = Submission(changing: PetForm(pet, on: context.today), only: part.fields)
        submission.offer(\.within, PetForm.reaches(in: context.unit))
        return context.page(Templates.community.pets.part(part: part, form: submission, pet: pet))
    }

    func updatePart(_ context: MemberContext) async throws -> Response {
        let (pet, part) = (try pet(context), try part(context))
        var submission = context.submission(
            changing: PetForm(pet, on: context.today), only: part.fields, by: nil)
        check(&submission, context)
        guard let form = submission.value else {
            return context.again(Templates.community.pets.part(part: part, form: submission, pet: pet))
        }
        let (account, today) = (context.member.account, context.today)
        let sent = submission
        try await site.write(at: context.now) { tx in
            guard let stored = try Pet.find(pet.id, of: account, in: tx) else { throw Refusal.notFound }
            let page = Submission(changing: PetForm(stored, on: today), only: part.fields)
            guard try sent.isChange(of: page) else { return }
            try Pet.update(part, of: pet.id, form, by: account, on: today, in: tx)
        }
        return context.redirect(to: pet.link / "edit", flash: .saved)
    }

    private func part(_ context: MemberContext) throws -> PetPart {
        guard let part = PetPart(rawValue: try context.word("part")) else { throw Refusal.notFound }
        return part
    }

    private func check(_ submission: inout Submission<PetForm>, _ context: MemberContext) {
        submission.form.check(&submission, today: context.today)
        submission.offer(\.within, PetForm.reaches(in: context.unit))
    }

    func remove(_ context: MemberContext) throws -> Response {
        context.page(Templates.community.pets.delete(pet: try pet(context)))
    }

    func delete(_ context: MemberContext) async throws -> Response {
        let (id, account, now): (ID<Pet>, ID<Account>, Instant) =
            (try context.id(), context.member.account, context.now)
        try await site.write(at: now) { tx in try Pet.delete(id, of: account, in: tx) }
        return context.redirect(to: .me, flash: .petRemoved)
    }

    // MARK: Pictures

    func pictures(_ context: MemberContext) throws -> Response {
        context.page(Templates.community.pets.pictures(page: PetPicturesPage(pet: try pet(context))))
    }

    /// The pictures to keep, reordered by the pressed button, and the uploaded ones.
    func updatePictures(_ context: MemberContext) async throws -> Response {
        let pet = try pet(context)
        let account = context.member.account
        var pictures = pet.pictures.filter { context.body["drop"] != "\($0.id)" }
        var problem: Words?
        var written: [ID<Picture>: String] = [:]
        for index in pictures.indices {
            let id = pictures[index].id
            guard let typed = context.body[PetPicturesPage.alt(id)] else { continue }
            let (alt, conflict) = Picture.merge(
                alt: String(typed.prefix(Picture.altLimit)), drawn: context.body[PetPicturesPage.drawn(id)],
                stored: pictures[index].alt)
            if let conflict {
                problem = conflict
                written[id] = alt
            } else {
                pictures[index].alt = alt
            }
        }
        if let first = pictures.firstIndex(where: { context.body["first"] == "\($0.id)" }) {
            pictures.insert(pictures.remove(at: first), at: 0)
        }
        if let later = pictures.firstIndex(where: { context.body["earlier"] == "\($0.id)" }), later > 0 {
            pictures.swapAt(later, later - 1)
        }
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
        guard let problem else {
            let goesOn = context.body["then"] == "playdates"
            return context.redirect(to: goesOn ? .playdates : pet.link / "pictures", flash: .saved)
        }
        var page = PetPicturesPage(pet: try self.pet(context))
        page.problem = problem
        page.written = written
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
    /// The reader's unit of distances.
    var unit: Distance.Unit { member.preferences.unit ?? .usual(in: site.settings.country) }

    /// The value of `next` for a link.
    var nextOrNil: String? { nextText.nonEmpty }
}
