/// What browsers do with elements and attributes, as far as it decides what may stand in a template.
enum Elements {
    /// Their content is text without tags, though with character references.
    static let plainText: Set<String> = ["title", "textarea"]
    /// Their content is text as it stands.
    static let rawText: Set<String> = ["script", "style", "xmp", "iframe", "noembed", "noframes"]

    /// Elements that begin and end a line of their own, and those that show nothing: a browser ignores the white space
    /// beside their tags (CSS Text 3, section 4.1.2). No style sheet may set these within a line of text.
    static let blocks: Set<String> = [
        "address", "article", "aside", "base", "blockquote", "body", "br", "caption", "col", "colgroup", "dd",
        "details", "dialog", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3",
        "h4", "h5", "h6", "head", "header", "hgroup", "hr", "html", "legend", "li", "link", "main", "menu", "meta",
        "nav", "ol", "optgroup", "option", "p", "pre", "search", "section", "summary", "table", "tbody", "td", "tfoot",
        "th", "thead", "title", "tr", "ul",
    ]

    /// Elements that no template may have, and why.
    static let refused: [String: String] = [
        "plaintext": "<plaintext> never ends",
        "noscript": "browsers read <noscript> in one way with scripts and in another without",
        "math": "browsers read tags in another way inside <math>, and pages need no formulas",
        "template": "browsers read tags in another way inside <template>",
        "frameset": "browsers read tags in another way inside <frameset>",
        "frame": "browsers read tags in another way inside <frameset>",
    ]

    /// Elements whose attributes decide what the page loads, where it leads or what runs: all of theirs are static.
    static let isStatic: Set<String> = [
        "base", "object", "embed", "applet", "param", "portal", "fencedframe", "animate", "animatecolor",
        "animatemotion", "animatetransform", "mpath", "set", "feimage",
    ]

    /// What may stand in an `<svg>`: it draws, browsers read it there as in a page, and its end tag ends it.
    ///
    /// Others would end the `<svg>` (`<p>`), begin HTML within it (`<foreignObject>`, `<desc>`), or have tags in it
    /// that they don't have outside (`<style>`).
    static let svg: Set<String> = [
        "svg", "g", "defs", "symbol", "use", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text",
        "tspan", "textpath", "title", "a", "image", "switch", "view", "lineargradient", "radialgradient", "stop",
        "pattern", "clippath", "mask", "marker", "filter", "feblend", "fecolormatrix", "fecomposite", "fedropshadow",
        "feflood", "fegaussianblur", "femerge", "femergenode", "feoffset", "animate", "animatemotion",
        "animatetransform", "mpath", "set",
    ]

    /// What may stand in a `<select>`; browsers drop other tags there, or end the `<select>` at them.
    static let select: Set<String> = ["option", "optgroup", "hr"]

    /// Why neither a value nor a message may stand in this attribute of this element: where they can't.
    static func refusal(of attribute: String, in element: String) -> String? {
        if isStatic.contains(element) { return "<\(element)>" }
        if attribute.hasPrefix("on") || code.contains(attribute) { return "the attribute \(attribute)" }
        if powers[element]?.contains(attribute) == true { return "<\(element) \(attribute)>" }
        return nil
    }

    /// Attributes that hold a language of their own, or several URLs in a way of their own.
    private static let code: Set<String> = [
        "style", "srcdoc", "ping", "attributionsrc", "archive", "codebase", "classid", "xml:base",
        // CSS of SVG's elements, which may load what its url() names.
        "clip-path", "cursor", "fill", "filter", "marker", "marker-end", "marker-mid", "marker-start", "mask", "stroke",
    ]
    /// Attributes that decide what the others of their element mean, or may do.
    private static let powers: [String: Set<String>] = [
        "meta": ["http-equiv", "name", "charset"], "link": ["rel"], "iframe": ["sandbox", "allow", "csp"],
    ]
}
