import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/images`: a picture sent by itself, while the rest of the form is still being filled in.
struct ImageController {
    let site: Site

    /// JSON for a script that asks for it, else back to where the form was.
    func create(_ context: MemberContext) async throws -> Response {
        guard let file = context.body.file("image") else { throw PictureProblem.missing }
        let form = context.submission(PictureForm.self).form
        let picture = try await site.keep(file, alt: form.alt ?? "", of: context.member.editing, at: context.now)
        guard context.visit.wantsJSON else { return context.redirect(to: context.next ?? Link.me) }
        return context.document([
            "id": .integer(Int(picture.id.rawValue)), "url": .string(picture.link(.card).string),
            "width": .integer(picture.width), "height": .integer(picture.height),
        ])
    }
}
