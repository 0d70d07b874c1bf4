/// Where in the HTML a template is: what decides how a value is escaped, or that none may stand there.
struct Place: Equatable {
    enum Kind: Equatable {
        /// Between tags.
        case text
        /// Inside a start tag, between its attributes. `isGlued`: what follows must begin with a space, `/` or `>`.
        case tag(isGlued: Bool)
        /// After `name=`, before the quote.
        case beforeValue
        /// Inside an attribute's value; `quote` is 0 without quotes.
        case value(quote: UInt8)
        /// Inside `<title>` or `<textarea>`: character references, but no tags.
        case plainText
        /// Inside `<script>`, `<style>` and the like: neither.
        case rawText
    }

    var kind = Kind.text
    /// The element's name, except in text.
    var element = ""
    /// The attribute's name, inside its value.
    var attribute = ""
    var url = URLPlace.none
    /// Tells tags of the same name apart.
    var tag = 0
    /// Tells attributes of the same name apart.
    var value = 0
    /// How many `<pre>` are open: white space counts in them.
    var preDepth = 0
    /// How many `<svg>` and `<math>` are open: other elements read their content in another way in them.
    var foreignDepth = 0

    /// The text at the same depths.
    var text: Place { Place(preDepth: preDepth, foreignDepth: foreignDepth) }

    /// The same place, whatever a URL in it has come to, and whether or not a space is due.
    func isSame(as other: Place) -> Bool {
        func plain(_ place: Place) -> Place {
            var place = place
            place.url = .none
            if case .tag = place.kind { place.kind = .tag(isGlued: false) }
            return place
        }
        return plain(self) == plain(other)
    }

    /// In words, for problems.
    var words: String {
        switch kind {
        case .text: preDepth > 0 ? "the text of <pre>" : foreignDepth > 0 ? "the text of <svg> or <math>" : "text"
        case .tag, .beforeValue: "the tag <\(element)>"
        case .value: "the attribute \(attribute) of <\(element)>"
        case .plainText, .rawText: "<\(element)>"
        }
    }
}

/// How a value is written.
enum ValuePlace: String {
    case text, attribute, url, listedURL, urlPart, json
}

/// How far the URL in an attribute has come.
enum URLPlace: Equatable {
    /// No URL attribute.
    case none
    /// Nothing of it yet: a value is a whole URL.
    case start
    /// Its first letters, which may be a scheme.
    case scheme(String)
    /// A scheme and its colon; what follows an http one is the host.
    case colon
    /// One slash at its start.
    case slash
    /// Within the host; `isBegun` once it has a letter.
    case host(isBegun: Bool)
    /// A value stood first, and nothing since told what it was.
    case value
    /// After the branches of an `if` that left it in several ways.
    case unsure
    /// In the path, query or fragment: a value is a part of it.
    case rest
    /// In `srcset`, after the URL.
    case descriptor

    /// Attributes whose value is a URL, wherever they stand.
    static let attributes: Set<String> = [
        "action", "background", "cite", "data", "formaction", "href", "icon", "longdesc", "manifest", "ping", "poster",
        "src", "usemap", "xlink:href",
    ]
    /// Attributes whose value is a list of URLs with commas.
    static let lists: Set<String> = ["srcset", "imagesrcset"]
    private static let refused = ["javascript", "data", "vbscript"]

    /// Goes on by a byte of the template; gives the reason if it must not stand there.
    mutating func read(_ byte: UInt8, isList: Bool) -> String? {
        if self == .none { return nil }
        if isList {
            if byte == UInt8(ascii: ",") {
                self = .start
                return nil
            }
            if byte.isSpace {
                if self != .start { self = .descriptor }
                return nil
            }
            if self == .descriptor { return nil }
        }
        let isSlash = byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
        let endsPath = byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
        switch self {
        case .none, .rest, .descriptor: break
        case .start, .scheme:
            var name = ""
            if case .scheme(let begun) = self { name = begun }
            switch byte {
            // Browsers skip these before and within a scheme.
            case 0...0x20: break
            case UInt8(ascii: ":"):
                self = name == "http" || name == "https" ? .host(isBegun: false) : .colon
                if Self.refused.contains(name) { return "a URL may not begin with \(name):" }
            case UInt8(ascii: "&"):
                self = .rest
                return "a character reference could hide the scheme of this URL; write it plainly"
            case _ where endsPath: self = .rest
            case _ where isSlash: self = name.isEmpty ? .slash : .rest
            // No scheme that matters is longer.
            default: self = .scheme(name.utf8.count < 32 ? name + [byte].lowercasedText : name)
            }
        case .colon: self = isSlash ? .slash : .rest
        case .slash: self = isSlash ? .host(isBegun: false) : .rest
        case .host(let isBegun):
            if endsPath || (isSlash && isBegun) { self = .rest } else if !isSlash { self = .host(isBegun: true) }
        case .value, .unsure:
            if isSlash || endsPath { self = .rest }
            if byte == UInt8(ascii: ":") { return "with this colon the value before it would become a URL's scheme" }
        }
        return nil
    }

    /// Goes on by a value: how it is written, or the reason why it can't stand there.
    mutating func readValue(isList: Bool) -> Result<ValuePlace, Refusal> {
        switch self {
        case .none: return .success(.attribute)
        case .start:
            self = .value
            return .success(isList ? .listedURL : .url)
        case .host: return .failure(Refusal("the host of a URL can't be a value; make the whole URL a Link"))
        case .unsure: return .failure(Refusal("what this value is to the URL depends on the if before it"))
        // After one slash a second would make a host, and the value may be empty: so it stays.
        case .slash, .rest, .descriptor: break
        case .scheme, .value: self = .value
        case .colon: self = .rest
        }
        return .success(.urlPart)
    }
}

/// Why something is refused.
struct Refusal: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
