import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/share`: what somebody's phone shares with the site becomes a post or an event that is being written.
struct ShareController {
    let site: Site

    /// `POST /share`: keeps the picture, as any that is being chosen, and asks what it is for. Nothing is published.
    func create(_ context: MemberContext) async throws -> Response {
        var shared = Shared(context.body)
        if let file = context.body.file("picture") {
            do {
                shared.picture = try await site.keep(file, of: context.member.account, at: context.now)
            } catch let problem as PictureProblem {
                shared.problem = problem.words
            }
        }
        let page = Templates.events.share(shared: shared, isForEveryone: !context.member.isProvider)
        return shared.problem == nil ? context.page(page) : context.again(page)
    }
}

/// What somebody's phone shared: words, and a picture.
struct Shared: Sendable {
    let title: String
    /// Title, words and address, each once, as far as a post may hold.
    let text: String
    var picture: Picture?
    /// Why the picture wasn't taken.
    var problem: Words?

    init(_ body: FormBody) {
        title = body["title"] ?? ""
        let parts = [title, body["text"] ?? "", body["url"] ?? ""].filter { !$0.isEmpty }
        let own = parts.enumerated().filter { index, part in
            !parts.enumerated().contains { $0 != index && $1.contains(part) && ($1 != part || $0 < index) }
        }
        text = String(own.map(\.element).joined(separator: "\n\n").prefix(2_000))
    }

    /// What the form of a post holds of it.
    var post: [(name: String, value: String)] {
        [("text", text), ("kind", PostForm().kind.rawValue), ("audience", PostForm().audience.rawValue)]
            + (picture.map { [("image", $0.id.typed)] } ?? []) + [("step", Step.edit.rawValue)]
    }

    /// What the draft of an event holds of it.
    ///
    /// - Parameter isForEveryone: Whether it is a neighbor's, for everybody; a provider's is for children.
    func event(isForEveryone: Bool) -> [(name: String, value: String)] {
        let audience = isForEveryone ? Event.Audience.everyone : .kids
        return [("title", title), ("description", text), ("audience", audience.rawValue)]
            + (picture.map { [("poster", $0.id.typed)] } ?? []) + [("step", Step.draft.rawValue)]
    }
}
