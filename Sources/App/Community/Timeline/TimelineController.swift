import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/timeline` and `/posts`: posts and comments.
struct TimelineController {
    let site: Site

    // MARK: Reading

    func index(_ context: PublicContext) throws -> Response {
        let reader = context.visit.visitor
        let after: Cursor<ID<Post>>? = context.after()
        let page = try site.read(at: context.now) { tx in
            var page = TimelinePage(
                try Post.timeline(for: reader?.account, after: after, in: tx), at: Link.timeline, by: reader,
                isFirst: after == nil, now: tx.now, in: context.zone)
            if let reader, page.isFirst {
                page.undos = try Undo.all(.post, of: reader.account, in: tx)
            }
            return page
        }
        return context.page(Templates.community.timeline.index(page: page, form: Submission()))
    }

    /// The public posts for feed readers; for a logged-in member without those by people they don't meet.
    func atom(_ context: PublicContext) throws -> Response {
        let reader = context.visit.visitor?.account
        let posts = try site.read { db in try Post.timeline(for: reader, isPublic: true, after: nil, in: db) }
        let title: Words = "Community"
        let feed = Atom(
            title: "\(title.text(in: context.language)) · \(site.town.shortName)", site: site.settings.publicURL,
            language: context.language, link: Link.timelineFeed.read(in: context.asked),
            page: Link.timeline.read(in: context.asked),
            entries: posts.items.map { Atom.Entry($0) }, now: context.now)
        return context.document(feed.bytes, type: "application/atom+xml; charset=utf-8", isTranslated: true)
    }

    func show(_ context: PublicContext) throws -> Response {
        let post = try post(context)
        let response = try show(post, Submission(), context)
        return try context.shown(response, by: post.author.account)
    }

    private func show(
        _ post: Post, _ form: Submission<CommentForm>, _ context: some Context,
        reason: Submission<ReasonForm> = Submission()
    ) throws -> Response {
        let page = try site.read(at: context.now) { tx in
            let reader = context.visit.visitor
            var page = PostPage(
                post, comments: try Comment.all(of: post.id, for: reader?.account, in: tx), by: reader,
                at: tx.now, in: context.zone)
            if let reader {
                page.undos = try Undo.all(.comment, of: reader.account, subject: post.id.rawValue, in: tx)
            }
            return page
        }
        let view = Templates.community.timeline.show(page: page, form: form, reason: reason)
        return form.problems.isEmpty && reason.problems.isEmpty ? context.page(view) : context.again(view)
    }

    func likes(_ context: MemberContext) throws -> Response {
        let post = try post(context)
        let page = try site.read { db in
            try Post.admirers(of: post.id, after: context.after(), for: context.member.account, in: db)
        }
        return context.page(
            Templates.community.timeline.likes(post: post, people: page.items, more: page.more(at: post.link / "likes"))
        )
    }

    // MARK: Writing

    /// The form, or for an event directly the preview of a post about it.
    func new(_ context: MemberContext) throws -> Response {
        if let id = context.query["event"].flatMap({ ID<Event>($0) }) {
            guard let event = try shared(id) else { throw Refusal.notFound }
            let form = PostForm(about: event, at: context.now, in: context.language)
            return try preview(Submission(filled: form), form, Composition(event: event), context)
        }
        return context.page(
            Templates.community.timeline.new(form: Submission(filled: PostForm()), composition: Composition()))
    }

    func create(_ context: MemberContext) async throws -> Response {
        var composition = Composition()
        let submission = try await checked(context, &composition)
        guard submission.step == .publish, let form = submission.value, !composition.hasNewPictures else {
            return try compose(submission, composition, context)
        }
        let (account, once) = (context.member.account, submission.once)
        let (pictures, hasBrakes) = (composition.pictures, site.hasBrakes)
        let sent = context.sent(submission, beside: composition.alts)
        let (id, waits, isNew) = try await site.carryOut(sent, counting: .posts, by: account, at: context.now) { tx in
            let (id, isNew) = try Post.publish(
                form, with: pictures, by: account, once: once, hasBrakes: hasBrakes, in: tx)
            return ((id, try Post.waits(id, in: tx), isNew), isNew)
        }
        return context.redirect(to: .post(id), flash: waits ? .waitsForLook : isNew ? .postPublished : .sentBefore)
    }

    func edit(_ context: MemberContext) throws -> Response {
        let post = try own(context)
        guard post.isEditable(by: context.member.account, at: context.now) else {
            return context.redirect(to: post.link)
        }
        let event = try post.happening.flatMap { try shared($0.id) }
        let composition = Composition(post: post, pictures: post.pictures, event: event)
        return context.page(
            Templates.community.timeline.new(
                form: Submission(changing: PostForm(post)), composition: composition))
    }

    func update(_ context: MemberContext) async throws -> Response {
        let post = try own(context)
        var composition = Composition(post: post)
        var submission = try await checked(context, &composition)
        guard post.isEditable(by: context.member.account, at: context.now) else {
            submission.reject(
                """
                A post can be changed for \(Post.editable.inWords, as: "time"). This one stays as it is; you can \
                delete it and write another.
                """)
            return context.again(Templates.community.timeline.new(form: submission, composition: composition))
        }
        guard submission.step == .publish, let form = submission.value, !composition.hasNewPictures else {
            return try compose(submission, composition, context)
        }
        let (account, pictures) = (context.member.account, composition.pictures)
        let sent = submission
        do {
            try await site.write(at: context.now) { tx in
                guard let stored = try Post.find(post.id, for: account, in: tx) else { throw Refusal.notFound }
                let isDescribedAnew = pictures.map(\.alt) != stored.pictures.map(\.alt)
                guard try sent.isChange(of: Submission(changing: PostForm(stored))) || isDescribedAnew else { return }
                try Post.update(post.id, form, with: pictures, by: account, in: tx)
            }
        } catch is Post.Heard {
            submission.reject(\.audience, "Members have said something to it already. It stays for members.")
            return context.again(Templates.community.timeline.new(form: submission, composition: composition))
        }
        return context.redirect(to: post.link, flash: .saved)
    }

    /// The form again, or the preview.
    private func compose(
        _ submission: Submission<PostForm>, _ composition: Composition, _ context: MemberContext
    ) throws -> Response {
        // New photos can only be described now that they are uploaded.
        let page = Templates.community.timeline.new(form: submission, composition: composition)
        guard submission.step != .edit else { return context.page(page) }
        guard let form = submission.value else { return context.again(page) }
        guard !composition.hasNewPictures else { return context.page(page) }
        return try preview(submission, form, composition, context)
    }

    private func preview(
        _ submission: Submission<PostForm>, _ form: PostForm, _ composition: Composition, _ context: MemberContext
    ) throws -> Response {
        guard let author = try site.read({ db in try Author.find(context.member.account, in: db) }) else {
            throw Refusal.notFound
        }
        let post = form.preview(
            by: author, with: composition.pictures, about: composition.happening,
            at: composition.post?.createdAt ?? context.now)
        let preview = PostRow(post, by: nil, at: context.now, in: context.zone)
        return context.page(
            Templates.community.timeline.preview(row: preview, form: submission, composition: composition))
    }

    /// The form with its photos: those it names and those uploaded with it. Problems with a photo are added to its
    /// field, and the rest isn't lost.
    private func checked(
        _ context: MemberContext, _ composition: inout Composition
    ) async throws -> Submission<PostForm> {
        var submission =
            composition.post.map { context.submission(changing: PostForm($0), by: nil) }
            ?? context.submission(PostForm.self)
        let account = context.member.account
        var named: [ID<Picture>] = []
        for id in submission.form.images where !named.contains(id) { named.append(id) }
        let (wanted, most) = (Array(named.prefix(Post.mostPictures)), Post.mostPictures)
        composition.pictures =
            try wanted.isEmpty ? [] : site.read { db in try Picture.all(wanted, of: account, in: db) }
        if composition.pictures.count < wanted.count { submission.reject(named: "photo", PictureProblem.gone.words) }
        for index in composition.pictures.indices {
            let id = composition.pictures[index].id
            let name = Composition.name(id)
            guard let typed = context.body[name] else { continue }
            let said = Submission<PictureForm>(["alt": typed])
            let (alt, conflict) = Picture.merge(
                alt: said.form.alt ?? "", drawn: composition.post == nil ? nil : context.body[Composition.drawn(id)],
                stored: composition.stored(id))
            composition.pictures[index].alt = alt
            if let conflict { submission.reject(conflict) }
            if let problem = said.problems.first(where: { $0.name == "alt" }) { submission.reject(problem.words) }
        }
        let files = context.body.files.filter { $0.name == "photo" }
        for file in files.prefix(max(0, composition.room)) {
            do {
                composition.pictures.append(try await site.keep(file, of: account, at: context.now))
                composition.hasNewPictures = true
            } catch let problem as PictureProblem {
                submission.reject(named: "photo", problem.words)
                break
            }
        }
        if files.count + wanted.count > most || named.count > most {
            submission.reject(
                named: "photo", "A post has up to \(most, as: "number") photos. The others were left out.")
        }
        if let problem = context.visit.newcomer?.problem(withPictures: composition.pictures.count) {
            submission.reject(named: "photo", problem)
        }
        submission.fill(\.images, composition.pictures.map(\.id))
        composition.isHeldBackNow = Self.guardChildren(&submission)
        if let id = submission.form.event {
            composition.event = try shared(id)
            if composition.event == nil {
                submission.fill(\.event, nil)
                submission.reject("The event isn’t shown anymore. You can post the words without it.")
            } else if composition.event?.isOver(at: context.now) == true, submission.form.audience == .everyone {
                submission.reject(\.audience, "Only members are told which event that was.")
            }
        }
        return submission
    }

    /// An event that everyone may see.
    private func shared(_ id: ID<Event>) throws -> Event? {
        guard let event = try site.read({ db in try Event.find(id, in: db) }), !event.isHidden, !event.isCancelled
        else { return nil }
        return event
    }

    /// Photos of children need consent, and are for members unless their author, after being told so, chooses
    /// otherwise.
    ///
    /// - Returns: Whether it has just become members-only.
    private static func guardChildren(_ submission: inout Submission<PostForm>) -> Bool {
        guard submission.form.showsChildren, !submission.form.images.isEmpty else {
            if submission.form.images.isEmpty { submission.fill(\.showsChildren, false) }
            submission.fill(\.isHeldBack, nil)
            return false
        }
        if !submission.form.hasConsent {
            submission.reject(\.hasConsent, "Ask the children’s parents first, or leave the photo out.")
        }
        guard submission.form.isHeldBack != true else { return false }
        submission.fill(\.isHeldBack, true)
        let widens = submission.form.audience == .everyone
        submission.fill(\.audience, .members)
        return widens
    }

    func delete(_ context: MemberContext) async throws -> Response {
        let post = try own(context)
        let account = context.member.account
        try await site.write(at: context.now) { tx in try Undo.deleting(post.id, of: account, in: tx) }
        return context.redirect(to: .timeline)
    }

    // MARK: Reactions

    func like(_ context: MemberContext) async throws -> Response {
        let post = try post(context)
        let account = context.member.account
        // The button's value says which; without one the like is toggled.
        let isOn = context.body["on"].map { $0 == "1" } ?? !post.isLiked
        try await site.write(at: context.now) { tx in try Post.like(post.id, isOn, by: account, in: tx) }
        return context.redirect(to: context.next ?? post.link)
    }

    func comment(_ context: MemberContext) async throws -> Response {
        let post = try post(context)
        var submission = context.submission(CommentForm.self)
        guard let form = submission.value else { return try show(post, submission, context) }
        let (account, once) = (context.member.account, submission.once)
        let (sent, hasBrakes) = (context.sent(submission), site.hasBrakes)
        do {
            let waits = try await site.carryOut(sent, counting: .comments, by: account, at: context.now) { tx in
                let (waits, isNew) = try Comment.add(
                    form.text, to: post.id, by: account, once: once, hasBrakes: hasBrakes, in: tx)
                return (waits, isNew)
            }
            return context.redirect(to: post.link, flash: waits ? .waitsForLook : nil)
        } catch is Comment.TooMany {
            submission.reject("A post takes at most \(Comment.limit, as: "number") comments. This one is full.")
            return try show(post, submission, context)
        }
    }

    func deleteComment(_ context: MemberContext) async throws -> Response {
        let id: ID<Comment> = try context.id()
        let account = context.member.account
        let post = try await site.write(at: context.now) { tx in try Undo.deleting(id, of: account, in: tx) }
        return context.redirect(to: .post(post))
    }

    // MARK: Staff

    /// Hides a post.
    func hide(_ context: StaffContext) async throws -> Response {
        let post = try post(context)
        let form = context.submission(ReasonForm.self)
        guard let reason = form.value?.reason else { return try show(post, Submission(), context, reason: form) }
        try await context.hide(.post(post.id), because: reason, at: post.link)
        return context.redirect(to: post.link)
    }

    /// Shows it again.
    func unhide(_ context: StaffContext) async throws -> Response {
        let post = try post(context)
        let form = context.submission(ReasonForm.self)
        guard let reason = form.value?.reason else { return try show(post, Submission(), context, reason: form) }
        try await context.show(.post(post.id), because: reason, at: post.link)
        return context.redirect(to: post.link)
    }

    private func own(_ context: MemberContext) throws -> Post {
        let post = try post(context)
        guard post.author.account == context.member.account else { throw Refusal.notFound }
        return post
    }

    /// The post in the address, if the visitor may read it.
    private func post(_ context: some Context) throws -> Post {
        let id: ID<Post> = try context.id()
        let reader = context.visit.visitor
        guard
            let post = try site.read({ db in
                try Post.find(id, for: reader?.account, isStaff: reader?.isStaff == true, in: db)
            }),
            post.isVisible(to: reader)
        else { throw Refusal.notFound }
        return post
    }
}
