import Forms
import Templating

/// A form that its sender left half filled for another one, such as a sheet for a new child’s entry. The other page
/// carries it in hidden fields until it is drawn again as it was typed: it is in no store and no address.
struct LeftForm: Sendable {
    /// The form as it was typed.
    let body: FormBody
    /// The address that draws it again, by POST.
    let link: Link

    /// The name of the button that leaves the form for a new child’s; its value is the address.
    static let button = "new_child"
    private static let prefix = "left."

    /// The form that was just left; nil if it was sent with another button.
    init?(_ body: FormBody) {
        guard let link = body.only(Self.button).flatMap({ Link(onSite: $0) }) else { return nil }
        (self.body, self.link) = (body, link)
    }

    /// The form that another one carries; nil if there is none.
    init?(carriedBy other: FormBody) {
        var body = FormBody()
        (body.home, body.decimalPoint) = (other.home, other.decimalPoint)
        let pairs = other.entries.filter { $0.name.hasPrefix(Self.prefix) }
        for (name, pairs) in Dictionary(grouping: pairs, by: \.name) {
            body = body.replacing(String(name.dropFirst(Self.prefix.count)), with: pairs.map(\.value))
        }
        self.init(body)
    }

    /// The hidden fields of the form that carries it; the page’s own token stays behind.
    var carried: [(name: String, value: String)] {
        body.entries.filter { $0.name != "csrf" }.map { (Self.prefix + $0.name, $0.value) }
    }
}
