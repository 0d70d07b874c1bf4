import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/timeline` and `/posts`: what people tell each other.
struct TimelineController {
    let site: Site

    // MARK: Reading

    func index(_ context: PublicContext) throws -> Response {
        let reader = context.visit.visitor
        let before = context.query["before"].flatMap { ID<Post>($0) }
        let posts = try site.read { db in try Post.timeline(for: reader?.account, before: before, in: db) }
        let page = TimelinePage(
            posts, at: Link("/timeline"), by: reader, before: before, now: context.now, in: site.settings.zone)
        return context.page(Templates.community.timeline.index(page: page, form: Submission()))
    }

    func show(_ context: PublicContext) throws -> Response {
        try show(try post(context), Submission(), context)
    }

    private func show(
        _ post: Post, _ form: Submission<CommentForm>, _ context: some Context,
        reason: Submission<ReasonForm> = Submission()
    ) throws -> Response {
        let comments = try site.read { db in try Comment.all(of: post.id, for: context.visit.visitor?.account, in: db) }
        let page = PostPage(
            post, comments: comments, by: context.visit.visitor, at: context.now, in: site.settings.zone)
        let view = Templates.community.timeline.show(page: page, form: form, reason: reason)
        return form.problems.isEmpty && reason.problems.isEmpty ? context.page(view) : context.again(view)
    }

    func likes(_ context: MemberContext) throws -> Response {
        let post = try post(context)
        let people = try site.read { db in try Post.admirers(of: post.id, for: context.member.account, in: db) }
        return context.page(Templates.community.timeline.likes(post: post, people: people))
    }

    // MARK: Writing

    func new(_ context: MemberContext) -> Response {
        context.page(Templates.community.timeline.new(form: Submission(filled: PostForm()), post: nil))
    }

    func create(_ context: MemberContext) async throws -> Response {
        let submission = context.submission(PostForm.self)
        guard submission.step == .publish, let form = submission.value else {
            return try compose(submission, nil, context)
        }
        if let wait = site.limits.take(.posts, by: context.member.account, at: context.now) {
            throw Refusal.tooMany(retryAfter: wait)
        }
        let (account, now, once) = (context.member.account, context.now, submission.once)
        let id = try await site.write { db in try Post.publish(form, by: account, once: once, at: now, in: db) }
        return context.redirect(to: Link("/posts") / id, flash: .postPublished)
    }

    func edit(_ context: MemberContext) throws -> Response {
        let post = try own(context)
        guard post.isEditable(by: context.member.account, at: context.now) else {
            return context.redirect(to: post.link)
        }
        let form = PostForm(text: post.text, kind: post.kind, audience: post.audience)
        return context.page(Templates.community.timeline.new(form: Submission(filled: form), post: post))
    }

    func update(_ context: MemberContext) async throws -> Response {
        let post = try own(context)
        var submission = context.submission(PostForm.self)
        guard post.isEditable(by: context.member.account, at: context.now) else {
            submission.reject(
                """
                A post can be changed for \(Post.editable.inWords, as: "time"). This one stays as it is; you can \
                delete it and write another.
                """)
            return context.again(Templates.community.timeline.new(form: submission, post: post))
        }
        guard submission.step == .publish, let form = submission.value else {
            return try compose(submission, post, context)
        }
        let (account, now) = (context.member.account, context.now)
        do {
            try await site.write { db in try Post.update(post.id, form, by: account, at: now, in: db) }
        } catch is Post.Heard {
            submission.reject(\.audience, "Members have said something to it already. It stays for members.")
            return context.again(Templates.community.timeline.new(form: submission, post: post))
        }
        return context.redirect(to: post.link, flash: .saved)
    }

    /// The form again, or what the post would look like.
    private func compose(
        _ submission: Submission<PostForm>, _ post: Post?, _ context: MemberContext
    ) throws -> Response {
        guard submission.step != .edit else {
            return context.page(Templates.community.timeline.new(form: submission, post: post))
        }
        guard let form = submission.value else {
            return context.again(Templates.community.timeline.new(form: submission, post: post))
        }
        guard let author = try site.read({ db in try Author.find(context.member.account, in: db) }) else {
            throw Refusal.notFound
        }
        let preview = PostRow(
            form.preview(by: author, at: post?.createdAt ?? context.now), by: nil, at: context.now,
            in: site.settings.zone)
        return context.page(Templates.community.timeline.preview(row: preview, form: submission, post: post))
    }

    func delete(_ context: MemberContext) async throws -> Response {
        let post = try own(context)
        let account = context.member.account
        try await site.write { db in try Post.delete(post.id, by: account, in: db) }
        return context.redirect(to: Link("/timeline"), flash: .postDeleted)
    }

    // MARK: Answering

    func like(_ context: MemberContext) async throws -> Response {
        let post = try post(context)
        let (account, now) = (context.member.account, context.now)
        // What the button said; without it the other way round.
        let isOn = context.body["on"].map { $0 == "1" } ?? !post.isLiked
        try await site.write { db in try Post.like(post.id, isOn, by: account, at: now, in: db) }
        return context.redirect(to: context.next ?? post.link)
    }

    func comment(_ context: MemberContext) async throws -> Response {
        let post = try post(context)
        var submission = context.submission(CommentForm.self)
        guard let form = submission.value else { return try show(post, submission, context) }
        if let wait = site.limits.take(.comments, by: context.member.account, at: context.now) {
            throw Refusal.tooMany(retryAfter: wait)
        }
        let (account, now, once) = (context.member.account, context.now, submission.once)
        do {
            try await site.write { db in
                try Comment.add(form.text, to: post.id, by: account, once: once, at: now, in: db)
            }
        } catch is Comment.TooMany {
            submission.reject("A post takes at most \(Comment.limit, as: "number") comments. This one is full.")
            return try show(post, submission, context)
        }
        return context.redirect(to: post.link)
    }

    func deleteComment(_ context: MemberContext) async throws -> Response {
        let id: ID<Comment> = try context.id()
        let account = context.member.account
        let post = try await site.write { db in try Comment.delete(id, by: account, in: db) }
        return context.redirect(to: Link("/posts") / post)
    }

    // MARK: Staff

    /// Takes a post away, or brings it back.
    func hide(_ context: StaffContext) async throws -> Response {
        let post = try post(context)
        let submission = context.submission(ReasonForm.self)
        guard let form = submission.value else { return try show(post, Submission(), context, reason: submission) }
        guard let verb = StaffAct.Verb(rawValue: form.act), verb == .hidePost || verb == .showPost else {
            throw Refusal.notFound
        }
        let (staff, now) = (context.member.account, context.now)
        try await site.write { db in
            guard try Post.hide(post.id, at: verb == .hidePost ? now : nil, in: db) else { return }
            // Not the words: a name in what was taken away would outlive it in the log.
            try StaffAct.record(
                verb, "", post.id.rawValue, reason: form.reason, by: staff, at: now, in: db)
        }
        return context.redirect(to: post.link)
    }

    private func own(_ context: MemberContext) throws -> Post {
        let post = try post(context)
        guard post.author.account == context.member.account else { throw Refusal.notFound }
        return post
    }

    /// The post in the address, where whoever asks may read it.
    private func post(_ context: some Context) throws -> Post {
        let id: ID<Post> = try context.id()
        let reader = context.visit.visitor
        guard let post = try site.read({ db in try Post.find(id, for: reader?.account, in: db) }),
            post.isVisible(to: reader)
        else { throw Refusal.notFound }
        return post
    }
}
