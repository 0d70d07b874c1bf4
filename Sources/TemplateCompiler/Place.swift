/// A place in a template's HTML, which determines how a value is escaped, or whether one is allowed.
struct Place: Equatable {
    enum Kind: Equatable {
        /// Between tags.
        case text
        /// Inside a start tag, between its attributes. `isGlued`: a space, `/` or `>` must follow.
        case tag(isGlued: Bool)
        /// After `name=`, before the quote.
        case beforeValue
        /// Inside an attribute's value; `quote` is 0 without quotes.
        case value(quote: UInt8)
        /// Inside `<title>` or `<textarea>`: character references, but no tags.
        case plainText
        /// Inside `<script>`, `<style>` and the like: no tags and no character references.
        case rawText
    }

    var kind = Kind.text
    /// The element's name, except in text.
    var element = ""
    /// The attribute's name, inside its value.
    var attribute = ""
    var url = URLPlace.none
    /// Distinguishes tags with the same name.
    var tag = 0
    /// Distinguishes attributes with the same name.
    var value = 0
    /// How many `<pre>` are open, inside which white space matters.
    var preDepth = 0
    /// The kind of content that tags belong to here.
    var content = Content.page

    /// The element that determines how tags are parsed: browsers treat them differently in some elements.
    enum Content: Equatable {
        case page
        /// `depth` is how many `<svg>` are open.
        case svg(depth: Int)
        case select

        /// The element; nil for the page itself.
        var element: String? {
            switch self {
            case .page: nil
            case .svg: "svg"
            case .select: "select"
            }
        }
    }

    /// The text that contains this place.
    var text: Place { Place(preDepth: preDepth, content: content) }

    /// Whether the places are the same, apart from the state of a URL and whether a space must follow.
    func isSame(as other: Place) -> Bool {
        func plain(_ place: Place) -> Place {
            var place = place
            place.url = .none
            if case .tag = place.kind { place.kind = .tag(isGlued: false) }
            return place
        }
        return plain(self) == plain(other)
    }

    /// A description for problems.
    var words: String {
        switch kind {
        case .text: (content.element ?? (preDepth > 0 ? "pre" : nil)).map { "the text of <\($0)>" } ?? "text"
        case .tag, .beforeValue: "the tag <\(element)>"
        case .value: "the attribute \(attribute) of <\(element)>"
        case .plainText, .rawText: "<\(element)>"
        }
    }
}

/// The way to write a value.
enum ValuePlace: String {
    case text, attribute, url, link, listedURL, urlPart, json, styleSheet
}

/// The state of the URL in an attribute.
///
/// A value may be empty, and browsers read `\` as `/`, skip tabs and line breaks, and read character references. No
/// value may end up where a host or a scheme would be.
enum URLPlace: Equatable {
    /// Not a URL attribute.
    case none
    /// At the start: a value is a whole URL.
    case start
    /// In the first letters, which may be a scheme.
    case scheme(String)
    /// After a slash at the start.
    case slash
    /// After a slash at the start, followed by values.
    case slashAndValue
    /// In the host; `isBegun` after its first letter.
    case host(isBegun: Bool)
    /// After a value at the start, which is a whole URL.
    case whole
    /// After letters and a value, whose meaning is still open.
    case segment
    /// After branches of an `if` that ended differently.
    case unsure
    /// In the path, query or fragment: a value is part of it.
    case rest
    /// In `srcset`, after the URL.
    case descriptor
    /// In `srcset`, after a comma and before the required space.
    case comma

    /// Attributes whose value is a URL, in any element.
    static let attributes: Set<String> = [
        "action", "background", "cite", "data", "dynsrc", "formaction", "href", "icon", "longdesc", "lowsrc",
        "manifest", "poster", "profile", "src", "usemap", "xlink:href",
    ]
    /// Attributes whose value is a comma-separated list of URLs.
    static let lists: Set<String> = ["srcset", "imagesrcset"]
    /// The schemes allowed in templates.
    private static let schemes: Set<String> = ["http", "https", "mailto", "tel", "sms", "geo", "webcal"]

    /// Advances by a byte of the template; returns a reason if it isn't allowed.
    mutating func read(_ byte: UInt8, isList: Bool) -> String? {
        if self == .none { return nil }
        if isList {
            if let reason = readInList(byte) { return reason }
            if self == .descriptor || self == .comma || byte.isSpace || byte == UInt8(ascii: ",") { return nil }
        }
        let isSlash = byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
        let endsPath = byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
        switch (self, byte) {
        case (.none, _), (.rest, _), (.descriptor, _), (.comma, _): break
        case (_, UInt8(ascii: "&")):
            self = .rest
            return "a character reference could hide where this URL leads; write it plainly"
        case (_, .newline), (_, .return), (_, UInt8(ascii: "\t")): break
        case (.start, 0...0x20), (.scheme, 0...0x20), (.whole, 0x20): break
        case (.start, _) where isSlash: self = .slash
        case (.start, _) where !endsPath: return readScheme("", byte)
        case (.scheme(let begun), _) where !endsPath && !isSlash: return readScheme(begun, byte)
        case (.slash, _) where isSlash: self = .host(isBegun: false)
        case (.slashAndValue, _) where isSlash:
            self = .rest
            return "should the value before this slash be empty, the host of a URL would begin here; make it a Link"
        case (.host(let isBegun), _) where !endsPath && !(isSlash && isBegun):
            if !isSlash { self = .host(isBegun: true) }
        case (.whole, UInt8(ascii: ":")), (.segment, UInt8(ascii: ":")), (.unsure, UInt8(ascii: ":")):
            self = .rest
            return "with this colon the value before it would become a URL's scheme"
        case (.whole, _) where !endsPath:
            self = .rest
            return "only ? or # can follow a value that is a whole URL; make all of it a Link"
        case (.segment, _) where !endsPath && !isSlash: break
        case (.unsure, _) where !endsPath:
            guard isSlash else { break }
            self = .rest
            return "whether the host of a URL begins here depends on the branch before it"
        default: self = .rest
        }
        return nil
    }

    private mutating func readScheme(_ begun: String, _ byte: UInt8) -> String? {
        guard byte == UInt8(ascii: ":") else {
            // No relevant scheme is longer.
            self = .scheme(begun.utf8.count < 32 ? begun + [byte].lowercasedText : begun)
            return nil
        }
        self = begun == "http" || begun == "https" || begun == "webcal" ? .host(isBegun: false) : .rest
        return Self.schemes.contains(begun) ? nil : "a URL may not begin with \(begun):"
    }

    /// Advances within a list, in and after the separators of its URLs.
    private mutating func readInList(_ byte: UInt8) -> String? {
        switch (self, byte) {
        case (_, UInt8(ascii: "&")): return "a character reference could hide the end of a URL; write it plainly"
        case (_, UInt8(ascii: ",")): self = .comma
        case (.start, _) where byte.isSpace: break
        case (.comma, _):
            self = .start
            if !byte.isSpace { return "a space is missing after this comma" }
        case (_, _) where byte.isSpace: self = .descriptor
        case (.descriptor, _) where !byte.isLetter && !byte.isDigit && !"+-.".utf8.contains(byte):
            return "here only a descriptor like 2x can stand, or a comma"
        default: break
        }
        return nil
    }

    /// Advances by a value: returns how to write it, or the reason why it isn't allowed.
    mutating func readValue(isList: Bool) -> Result<ValuePlace, Refusal> {
        switch self {
        case .none: return .success(.attribute)
        case .start:
            self = .whole
            return .success(isList ? .listedURL : .url)
        case .host: return .failure(Refusal("the host of a URL can't be a value; make the whole URL a Link"))
        case .unsure: return .failure(Refusal("what this value is to the URL depends on the branch before it"))
        case .comma: return .failure(Refusal("a space is missing after the comma before this value"))
        case .whole:
            return .failure(Refusal("two values in a row could make the host of a URL; make the whole URL a Link"))
        case .rest, .descriptor: break
        case .slash, .slashAndValue: self = .slashAndValue
        case .scheme, .segment: self = .segment
        }
        return .success(.urlPart)
    }
}

/// The reason for a refusal.
struct Refusal: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
