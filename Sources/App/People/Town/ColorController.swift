import Hummingbird
import HummingbirdCore

/// `/face/{color}`: the style sheet for a color. The address contains the color, so nothing is stored, and browsers can
/// cache it forever.
struct ColorController {
    func sheet(_ context: PublicContext) throws -> Response {
        let digits = try context.word("color")
        guard let color = Color(digits), color.digits == digits, let colors = HouseColors(color) else {
            throw Refusal.notFound
        }
        var response = context.document(Array(colors.sheet.utf8), type: "text/css; charset=utf-8")
        response.headers.keepForGood()
        return response
    }
}
