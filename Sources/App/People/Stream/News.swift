/// What is new for a member, for pages that stay open.
///
/// Nothing of it can be read: no words, no names. Each browser that is told fetches the page, with the rights of the
/// moment.
struct News: Equatable, Sendable {
    /// How many notices in the inbox are unread.
    let unread: Int
    /// The newest post that others wrote; nil while there is none.
    let post: ID<Post>?
    /// The threads in which something happened after what was told last, on another page of one’s own too.
    var threads: [ID<TalkThread>]
    /// The matches of which the same holds.
    var matches: [ID<PetMatch>]
    /// What was told last, behind which an interrupted stream goes on.
    let last: ID<TalkNews>

    /// For programs: what a page reads that can't listen.
    var json: String {
        let post = post.map { "\($0)" } ?? "0"
        let threads = threads.map { "\($0)" }.joined(separator: ",")
        let matches = matches.map { "\($0)" }.joined(separator: ",")
        return #"{"unread":\#(unread),"post":\#(post),"threads":[\#(threads)],"matches":[\#(matches)],"last":\#(last)}"#
    }

    /// As an event of a stream, as the HTML standard writes it.
    var event: String { "id: \(last)\ndata: \(json)\n\n" }
}
