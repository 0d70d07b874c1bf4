import Forms
import Hummingbird
import HummingbirdCore
import Templating

/// `/share`: content shared from a phone starts a post or an event.
struct ShareController {
    let site: Site

    /// `POST /share`: stores the picture temporarily and asks what it is for. Nothing is published.
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

/// Content shared from a phone: text and a picture.
struct Shared: Sendable {
    let title: String
    /// Title, text and address, without duplicates, up to a post's length.
    let text: String
    var picture: Picture?
    /// Why the picture was refused.
    var problem: Words?

    init(_ body: FormBody) {
        title = body["title"] ?? ""
        let parts = [title, body["text"] ?? "", body["url"] ?? ""].filter { !$0.isEmpty }
        let own = parts.enumerated().filter { index, part in
            !parts.enumerated().contains { $0 != index && $1.contains(part) && ($1 != part || $0 < index) }
        }
        text = String(own.map(\.element).joined(separator: "\n\n").prefix(2_000))
    }

    /// The fields of the form for a post.
    var post: [(name: String, value: String)] {
        [("text", text), ("kind", PostForm().kind.rawValue), ("audience", PostForm().audience.rawValue)]
            + (picture.map { [("image", $0.id.typed)] } ?? []) + [("step", Step.edit.rawValue)]
    }

    /// The fields of a draft for an event.
    ///
    /// - Parameter isForEveryone: Whether it is a neighbor's event for everyone, rather than a provider's for children.
    func event(isForEveryone: Bool) -> [(name: String, value: String)] {
        let audience = isForEveryone ? Event.Audience.everyone : .kids
        return [("title", title), ("description", text), ("audience", audience.rawValue)]
            + (picture.map { [("poster", $0.id.typed)] } ?? []) + [("step", Step.draft.rawValue)]
    }
}
