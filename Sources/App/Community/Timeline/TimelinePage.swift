import Forms
import Templating

/// A post for display to a reader.
struct PostRow: Sendable {
    let post: Post
    /// When it was written.
    let time: Words
    let isOwn: Bool
    let isEditable: Bool

    init(_ post: Post, by reader: Visitor?, at now: Instant, in zone: Zone) {
        self.post = post
        time = zone.words(post.createdAt, \.shortName)
        isOwn = reader?.account == post.author.account
        isEditable = post.isEditable(by: reader?.account, at: now)
    }
}

/// A page of the timeline.
struct TimelinePage: Sendable {
    let rows: [PostRow]
    /// The link to older posts.
    let more: Link?
    let isFirst: Bool
    /// The reader's posts that can be restored.
    var undos: [Undo] = []
    /// The ID of its newest post.
    var newest: Int64 { rows.first?.post.id.rawValue ?? 0 }

    /// - Parameters:
    ///   - link: The address of the first page.
    init(_ page: Page<Post>, at link: Link, by reader: Visitor?, isFirst: Bool, now: Instant, in zone: Zone) {
        rows = page.items.map { PostRow($0, by: reader, at: now, in: zone) }
        more = page.more(at: link)
        self.isFirst = isFirst
    }
}

/// A post with its comments.
struct PostPage: Sendable {
    let row: PostRow
    let comments: [CommentRow]
    /// The reader's deleted comments that can be restored.
    var undos: [Undo] = []

    struct CommentRow: Sendable {
        let comment: Comment
        let time: Words
        /// Whether the reader may delete it.
        let isErasable: Bool
    }

    init(_ post: Post, comments: [Comment], by reader: Visitor?, at now: Instant, in zone: Zone) {
        row = PostRow(post, by: reader, at: now, in: zone)
        self.comments = comments.map { comment in
            CommentRow(
                comment: comment, time: zone.words(comment.createdAt, \.shortName),
                isErasable: reader.map { [comment.author.account, post.author.account].contains($0.account) } ?? false)
        }
    }
}
