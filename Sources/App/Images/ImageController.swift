import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/images`: a picture that is uploaded on its own while the rest of the form is being filled in.
struct ImageController {
    let site: Site

    /// Responds with JSON to a script, otherwise redirects to the form.
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
