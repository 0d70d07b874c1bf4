/// News for a member, for open pages.
///
/// It contains no content: no words, no names. Each browser fetches the page itself, with the member's current rights.
struct News: Equatable, Sendable {
    /// The number of unread notices.
    let unread: Int
    /// The newest post by others; nil if there is none.
    let post: ID<Post>?
    /// The threads in which something happened after what was told last, on another page of one’s own too.
    var threads: [ID<TalkThread>]
    /// The matches of which the same holds.
    var matches: [ID<PetMatch>]
    /// The last news sent, after which an interrupted stream continues.
    let last: ID<TalkNews>

    /// The JSON for a page that can't use streams.
    var json: String {
        let post = post.map { "\($0)" } ?? "0"
        let threads = threads.map { "\($0)" }.joined(separator: ",")
        let matches = matches.map { "\($0)" }.joined(separator: ",")
        return #"{"unread":\#(unread),"post":\#(post),"threads":[\#(threads)],"matches":[\#(matches)],"last":\#(last)}"#
    }

    /// The server-sent event, in the format of the HTML standard.
    var event: String { "id: \(last)\ndata: \(json)\n\n" }
}
