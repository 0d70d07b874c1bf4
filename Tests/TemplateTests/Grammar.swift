@testable import TemplateCompiler

/// Makes templates: most of what they may say, in any order and depth, and now and then what a careless or a wicked
/// hand would write. Most of the latter is refused; what isn't must be safe.
struct Grammar {
    static let head = "{% template (v: Values) %}\n<!DOCTYPE html><body>"

    private var random: SeededGenerator
    /// How likely a piece is to be mischief, in percent.
    private var mischief = 0

    init(seed: UInt64) { random = SeededGenerator(state: seed) }

    /// A template that the compiler accepts and that draws some value, with what was tried before it.
    mutating func template() -> (text: String, refused: Int) {
        var refused = 0
        while true {
            mischief = pick([0, 0, 5, 15])
            let text = Self.head + content(3)
            let folder = folder(["page": text, "_part": "{% template (v: Values) %}<i title='{{ v.x }}'>{{ v.x }}</i>"])
            guard folder.problems.isEmpty else {
                refused += 1
                continue
            }
            let values = folder.templates.flatMap { Self.values(of: $0.body) }
            if folder.templates.allSatisfy({ $0.source.bytes.count < 3_000 }), values.count > 2,
                values.allSatisfy(Self.isTyped)
            {
                return (text, refused)
            }
        }
    }

    private static func values(of nodes: [Node]) -> [(code: String, place: ValuePlace)] {
        nodes.flatMap { node -> [(code: String, place: ValuePlace)] in
            switch node {
            case .value(let code, let place): [(code.text, place)]
            case .choice(let choice): values(of: choice.branches.flatMap(\.body))
            case .loop(_, let body, let empty): values(of: body + empty)
            case .message(let message):
                (message.singular + (message.plural ?? [])).compactMap { piece in
                    guard case .placeholder(let name, let place) = piece else { return nil }
                    return (name, place)
                }
            case .markup, .include, .yield: []
            }
        }
    }

    /// Whether Swift would take the value in its place.
    private static func isTyped(_ value: (code: String, place: ValuePlace)) -> Bool {
        switch value.place {
        case .text: ["v.x", "v.n", "v.html", "x"].contains(value.code)
        case .attribute: ["v.x", "v.n", "v.url", "x"].contains(value.code)
        case .url, .listedURL: ["v.url", "v.link"].contains(value.code)
        case .link: value.code == "v.link"
        case .urlPart: ["v.x", "v.n", "x"].contains(value.code)
        case .json: value.code == "v.data"
        case .styleSheet: value.code == "v.sheet"
        }
    }

    // MARK: Choosing

    private mutating func pick<Item>(_ items: [Item]) -> Item { items.randomElement(using: &random)! }
    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    private mutating func many(_ range: ClosedRange<Int>, _ piece: (inout Grammar) -> String) -> String {
        (0..<Int.random(in: range, using: &random)).map { _ in piece(&self) }.joined()
    }

    // MARK: Content

    private mutating func content(_ depth: Int) -> String {
        many(1...(depth > 2 ? 5 : 3)) { $0.piece(depth) }
    }

    private mutating func piece(_ depth: Int) -> String {
        if chance(mischief) { return pick(Self.tricks) }
        if depth == 0 { return words() }
        return switch Int.random(in: 0..<26, using: &random) {
        case 0...3: words()
        case 4...9: element(depth)
        case 10: "<\(pick(["img", "input", "br", "hr", "wbr", "source"]))\(attributes())>"
        case 11: "{% if v.b %}\(content(depth - 1)){% else %}\(content(depth - 1)){% end %}"
        case 12: "{% if v.c %}\(content(depth - 1)){% end %}"
        case 13: "{% for x in v.s %}\(content(depth - 1)){% empty %}\(content(depth - 1)){% end %}"
        case 14...15: "<svg\(attributes())>\(drawing(depth))</svg>"
        case 16: "<select\(attributes())>\(many(0...3) { $0.option() })</select>"
        case 17: "<\(pick(["textarea", "title"]))\(attributes())>\(plain())"  // Its end stands in `plain`.
        case 18: "<script type=\"application/ld+json\">{{ v.data }}</script>"
        case 19: pick(Self.raw)
        case 24: "<style>{{ v.sheet }}</style>"
        case 20: "\n  {% include _part(v: v) %}\n"
        case 21: message()
        case 22: "<table\(attributes())><tr><td>\(content(depth - 1))</td></tr></table>"
        case 23:
            "{% switch v.b %}{% case true %}\(content(depth - 1)){% case false %}\(content(depth - 1)){% end %}"
        default: "<pre>\(content(depth - 1))</pre>"
        }
    }

    private mutating func words() -> String {
        pick([
            "{{ v.x }}", "{{ v.x }}", "{{ v.x }}", "{{ v.html }}", "{{ v.n }}", "Kites &amp; more", " a < b ",
            "{# no #}",
            "<!-- {kept} -->", "\n", "&{{ v.x }}", "&#{{ v.x }};", "{{ v.x }};", "<3", "é🐶",
            "{{ \"{{\" == v.x ? v.x : v.x }}",
        ])
    }

    private mutating func element(_ depth: Int) -> String {
        let name = pick([
            "div", "p", "b", "span", "section", "h2", "button", "label", "a", "li", "form", "blockquote", "x-y",
        ])
        // What HTML doesn't nest stands in a cell, where everything begins anew.
        let inner = ["p", "b", "h2", "button", "a", "form"].contains(name) ? words() + words() : content(depth - 1)
        return "<\(name)\(attributes())>\(inner)</\(name)>"
    }

    private mutating func drawing(_ depth: Int) -> String {
        if chance(mischief) { return pick(Self.tricks) }
        return many(1...3) { grammar in
            switch Int.random(in: 0..<7, using: &grammar.random) {
            case 0 where depth > 1: "<g\(grammar.attributes())>\(grammar.drawing(depth - 1))</g>"
            case 1: "<use \(grammar.pick(["href", "xlink:href"]))=\"{{ v.link }}\"/>"
            case 2: "<title>{{ v.x }}</title>"
            case 3: "<a\(grammar.attributes())><text>{{ v.x }}</text></a>"
            case 4: "<text\(grammar.attributes())>{% if v.b %}{{ v.x }}{% end %}</text>"
            case 5 where depth > 1: "<svg>\(grammar.drawing(depth - 1))</svg>"
            default: "<path d=\"{{ v.x }}\"\(grammar.pick(["/>", "></path>"]))"
            }
        }
    }

    private mutating func option() -> String {
        if chance(mischief) { return pick(Self.tricks) }
        return pick([
            "<option value=\"{{ v.x }}\">{{ v.x }}</option>", "<option{% if v.b %} selected{% end %}>{{ v.x }}", "<hr>",
            "<optgroup label='{{ v.x }}'><option>{{ v.n }}</optgroup>",
        ])
    }

    private mutating func plain() -> String {
        let text = many(1...3) {
            $0.chance($0.mischief) ? $0.pick(Self.tricks) : $0.pick(["{{ v.x }}", "a", "&lt;", " < "])
        }
        return text + pick(["</textarea>", "</title>"]) + "{{ v.x }}" + pick(["", "</textarea>", "</title>"])
    }

    private mutating func message() -> String {
        pick([
            "{% t x: v.x %}Hello <b>{{ x }}</b>{% end %}",
            "{% t x: v.x %}<a title=\"{{ x }}\" href=\"/\">a</a>{% end %}",
            "{% t x: v.x %}<a href=\"/a?{{ x }}\">a</a>{% end %}", "<p title=\"{% t x: v.x %}a {{ x }}{% end %}\"></p>",
        ])
    }

    // MARK: Attributes

    private mutating func attributes() -> String {
        many(0...3) { grammar in
            if grammar.chance(grammar.mischief) { return grammar.pick(Self.attributeTricks) }
            let attribute = grammar.attribute()
            return switch Int.random(in: 0..<8, using: &grammar.random) {
            case 0: "{% if v.b %} \(attribute){% end %}"
            case 1: "{% if v.c %} \(attribute){% else %} lang=\"en\"{% end %}"
            case 2: "{# no #} \(attribute)"
            default: " \(attribute)"
            }
        }
    }

    private mutating func attribute() -> String {
        let quote = pick(["\"", "\"", "'"])
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return "hidden"
        case 1: return "class=a"
        case 2: return "onclick=\(quote)go()\(quote)"
        case 3...5:
            let value = pick([
                "{{ v.x }}", "a {{ v.x }} b", "{% if v.b %}{{ v.x }}{% else %}{{ v.n }}{% end %}", "&{{ v.x }};",
            ])
            return "\(pick(["title", "class", "data-x", "alt", "value"]))=\(quote)\(value)\(quote)"
        case 6: return "srcset=\(quote)\(url()) 1x,\(pick([" ", "\n", ""]))\(url()) 2x\(quote)"
        default:
            let name = pick([
                "href", "src", "action", "formaction", "poster", "cite", "data", "xlink:href", "background", "HREF",
            ])
            return "\(name)=\(quote)\(url())\(quote)"
        }
    }

    private mutating func url() -> String {
        if chance(25) {
            return pick(["{{ v.url }}", "{{ v.link }}", " {{ v.link }}", "{{ v.link }}?a={{ v.x }}#{{ v.x }}"])
        }
        let odd = mischief > 0
        let first = pick(
            ["/", "/a/", "a", "?", "#", "https://a.example/", "mailto:", "/a?b="]
                + (odd
                    ? [
                        "", "", "//", "\\", "/\t", "/&Tab;", "java", "https:", "javascript", "{{ v.link }}",
                        "{{ v.url }}",
                    ] : []))
        let joints =
            ["?q=", "#", "-", "a", "/b", "&amp;c="]
            + (odd ? ["/", "/", ":", "&sol;", "&colon;", "\\", "\n/", "//", "@"] : [])
        return first
            + many(1...3) { grammar in
                let value = grammar.pick([
                    "{{ v.x }}", "{{ v.x }}", "{{ v.x }}", "{{ v.n }}", "{% if v.b %}{{ v.x }}{% end %}",
                    "{% if v.c %}/{% end %}",
                    "{% for x in v.s %}{{ x }}{% end %}", "",
                ])
                return value + (grammar.chance(60) ? grammar.pick(joints) : "")
            }
    }

    // MARK: Mischief

    /// Static content that browsers don't read as tags.
    private static let raw = [
        "<style>p > a { }</style>", "<script>let a = 1 < 2</script>", "<xmp><b></xmp>",
        "<iframe src=\"{{ v.link }}\"></iframe>",
        "<noembed><b></noembed>", "<script src=\"{{ v.link }}\"></script>", "<noframes><p></noframes>",
        "<style media=\"{{ v.x }}\"><a title=\"</style>",
    ]

    private static let tricks = [
        "<svg>", "</svg>", "<math>", "</math>", "<svg><title>", "<svg><desc>", "<svg><foreignObject>",
        "</foreignObject>",
        "<noscript>", "</noscript>", "<select>", "</select>", "<template>", "<col>", "<frameset>", "<plaintext>",
        "<table>",
        "<style><a title=\"</style>", "<style>", "</style>", "<xmp><a title=\"</xmp>", "<textarea>", "</textarea>",
        "<title>",
        "</title>", "<script>", "</script>", "<iframe><a title=\"</iframe>", "<noembed><a title=\"</noembed>", "<!--",
        "-->",
        "<!-->", "<![CDATA[", "]]>", "\"", "'", ">", "<", "</", "<p", "<a href=\"", "<a title='", "{% end %}",
        "{% if v.b %}", "/>",
        "<p title=a", "<svg a=b/>", "<svg/>", "<title/>", "</p>", "</br>", "</body>", "</html>", "<b>", "</b>", "<?",
        "<!x>",
        "<noframes><a title=\"</noframes>", "<svg></p><style><a title=\"</style>", "<svg><p><style><a title=\"</style>",
        "<select><style><a title=\"</style>", "<svg></math><style><a title=\"</style>", "<script>\"<!\"</script>",
    ]

    private static let attributeTricks = [
        " title={{ v.x }}", " {{ v.x }}=\"a\"", " onclick=\"{{ v.x }}\"", " style=\"{{ v.x }}\"", "title=\"{{ v.x }}\"",
        " \"", " '",
        " =", " >", "/", " a=\"b\"c", " href=\"{{ v.link }}/{{ v.x }}\"", " href=\"/{{ v.x }}/{{ v.x }}\"",
        " href=\"{{ v.link }}{{ v.x }}\"", " href=\"{{ v.x }}&colon;{{ v.x }}\"",
        " srcset=\"{{ v.link }},{{ v.link }}\"",
        " srcset=\"{{ v.link }} //{{ v.x }}\"", " ping=\"/a //{{ v.x }}\"", " fill=\"url({{ v.x }})\"",
        " href=\"/a//{{ v.x }}\"",
        " srcdoc='{% t %}a{% end %}'", " href=\"https:&sol;&sol;/{{ v.x }}\"", " srcset=\"/a 1x&comma; //{{ v.x }}\"",
    ]
}
