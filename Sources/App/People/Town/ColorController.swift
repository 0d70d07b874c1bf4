import Hummingbird
import HummingbirdCore

/// `/face/{color}.css`: the style sheet of a color, which its address says. There is nothing to keep, and browsers keep
/// it for good.
struct ColorController {
    func sheet(_ context: PublicContext) throws -> Response {
        let name = try context.word("sheet")
        guard name.hasSuffix(".css"), let color = Color(String(name.dropLast(4))), "\(color.digits).css" == name,
            let colors = HouseColors(color)
        else { throw Refusal.notFound }
        var response = context.document(Array(colors.sheet.utf8), type: "text/css; charset=utf-8")
        response.headers[.cacheControl] = "public, max-age=31536000, immutable"
        return response
    }
}
