/// How browsers treat elements and attributes, as far as it determines what is allowed in a template.
enum Elements {
    /// Elements whose content is text with character references but no tags.
    static let plainText: Set<String> = ["title", "textarea"]
    /// Elements whose content is raw text.
    static let rawText: Set<String> = ["script", "style", "xmp", "iframe", "noembed", "noframes"]

    /// Elements that are blocks or invisible: browsers ignore white space beside their tags (CSS Text 3, section
    /// 4.1.2). No style sheet may make these inline.
    static let blocks: Set<String> = [
        "address", "article", "aside", "base", "blockquote", "body", "br", "caption", "col", "colgroup", "dd",
        "details", "dialog", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3",
        "h4", "h5", "h6", "head", "header", "hgroup", "hr", "html", "legend", "li", "link", "main", "menu", "meta",
        "nav", "ol", "optgroup", "option", "p", "pre", "search", "section", "summary", "table", "tbody", "td", "tfoot",
        "th", "thead", "title", "tr", "ul",
    ]

    /// Elements that no template may contain, and why.
    static let refused: [String: String] = [
        "plaintext": "<plaintext> never ends",
        "noscript": "browsers read <noscript> in one way with scripts and in another without",
        "math": "browsers read tags in another way inside <math>, and pages need no formulas",
        "template": "browsers read tags in another way inside <template>",
        "frameset": "browsers read tags in another way inside <frameset>",
        "frame": "browsers read tags in another way inside <frameset>",
    ]

    /// Elements whose attributes determine what the page loads, where it leads or what runs: all must be static.
    static let isStatic: Set<String> = [
        "base", "object", "embed", "applet", "param", "portal", "fencedframe", "animate", "animatecolor",
        "animatemotion", "animatetransform", "mpath", "set", "feimage",
    ]

    /// The elements allowed in an `<svg>`: browsers parse them there as elsewhere, and `</svg>` ends it.
    ///
    /// Others would end the `<svg>` (`<p>`), begin HTML inside it (`<foreignObject>`, `<desc>`), or may contain tags
    /// that they don't outside (`<style>`).
    static let svg: Set<String> = [
        "svg", "g", "defs", "symbol", "use", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text",
        "tspan", "textpath", "title", "a", "image", "switch", "view", "lineargradient", "radialgradient", "stop",
        "pattern", "clippath", "mask", "marker", "filter", "feblend", "fecolormatrix", "fecomposite", "fedropshadow",
        "feflood", "fegaussianblur", "femerge", "femergenode", "feoffset", "animate", "animatemotion",
        "animatetransform", "mpath", "set",
    ]

    /// The elements allowed in a `<select>`; at other tags, browsers drop the tag or end the `<select>`.
    static let select: Set<String> = ["option", "optgroup", "hr"]

    /// Why this attribute of this element can't contain a value or message; nil if it can.
    static func refusal(of attribute: String, in element: String) -> String? {
        if isStatic.contains(element) { return "<\(element)>" }
        if attribute.hasPrefix("on") || code.contains(attribute) { return "the attribute \(attribute)" }
        if powers[element]?.contains(attribute) == true { return "<\(element) \(attribute)>" }
        return nil
    }

    /// Attributes that contain a language of their own, or several URLs in a format of their own.
    private static let code: Set<String> = [
        "style", "srcdoc", "ping", "attributionsrc", "archive", "codebase", "classid", "xml:base",
        // CSS properties of SVG elements, which may load what url() names.
        "clip-path", "cursor", "fill", "filter", "marker", "marker-end", "marker-mid", "marker-start", "mask", "stroke",
    ]
    /// Attributes that determine the meaning or the rights of the element's other attributes.
    private static let powers: [String: Set<String>] = [
        "meta": ["http-equiv", "name", "charset"], "link": ["rel"], "iframe": ["sandbox", "allow", "csp"],
    ]
}
