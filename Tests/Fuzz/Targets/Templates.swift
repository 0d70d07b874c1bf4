@testable import TemplateCompiler
@testable import Templating

extension FuzzTarget {
    static let templates = [
        FuzzTarget(
            "template",
            seeds: [
                "{% template (x: String) %}\n<p title=\"{{ x }}\">{{ x }}</p>\n",
                "{% template () %}{% layout l(a: 1) %}{% slot s %}<b>{% end %}{% include _p() %}",
                "{% template (n: Int) in some TemplateFrame %}{% t count: n %}{{ count }} <b>place</b>{% plural %}"
                    + "{{ count }} places{% end %}<a href=\"/e/{{ n }}?q={{ n }}\">{# no #}</a>",
                "{% template () %}{% for a in b where c %}<li>{% empty %}{% end %}{% if let x = y { $0 } %}"
                    + "{% else if z %}{% else %}<option{% if z %} selected{% end %}>{% end %}"
                    + "{{ \"{{\" }}{{ \"\"\"\n\\(a)\n\"\"\" }}",
                "{% template () %}<!DOCTYPE html><script type=\"application/ld+json\">{{ j }}</script><textarea>{{ x }}"
                    + "</textarea><svg><title>{{ x }}</title></svg><img srcset='{{ x }} 2x, {{ y }} 3x'><!-- c -->",
            ],
            words: [
                "{{ x }}", "{{", "}}", "{%", "%}", "{#", "#}", "{% if b %}", "{% switch b %}", "{% case .a(let c) %}",
                "{% else %}", "{% else if c %}",
                "{% end %}",
                "{% for a in b %}", "{% empty %}", "{% t %}", "{% t count: n %}", "{% plural %}", "{{ count }}",
                "{% yield s %}", "{% slot s %}", "{% layout l() %}", "{% include _p() %}", "{% template () %}", "<p>",
                "</p>", "<!--", "-->", "<script>", "</script>", "<title>", "</title>", "<textarea>", "<pre>", "<svg>",
                " href=\"", " srcset='", "javascript:", "\"\"\"", "\\(", "#\"", "\r\n", "//", "/*", "*/",
            ]
        ) { bytes throws(Broken) in
            let folder = Folder(files: [
                "page": bytes, "_p": Array("{% template () %}".utf8),
                "layouts/l": Array("{% template (a: Int) %}{% yield %}{% yield s %}".utf8),
            ])
            for problem in folder.problems where problem.path == "page.html" {
                let ends = bytes.count { $0 == .newline || $0 == .return }
                let position = problem.position
                try hold((1...ends + 1).contains(position.line), "line \(position.line) of \(ends + 1): \(problem)")
                try hold((1...bytes.count + 1).contains(position.column), "column \(position.column): \(problem)")
            }
            try hold(folder.problems.count <= Source.mostProblems + 5, "\(folder.problems.count) problems")
            guard folder.problems.isEmpty else { return }
            try hold(folder.swiftFiles(imports: ["Forms"]).count == 4, "a file is missing")
            let messages = MessageList.pot(of: folder)
            if let problem = CatalogueReader.entries(of: messages).lazy.compactMap(\.problem).first {
                throw Broken(description: "its messages can't be read: \(problem)\n\(messages)")
            }
        },
        FuzzTarget(
            text: "catalogue",
            seeds: [
                "msgid \"\"\nmsgstr \"Language: pl\\n\"\n\"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 "
                    + "&& n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\\n\"\n\nmsgid \"{count} <b>place</b>\"\n"
                    + "msgid_plural \"{count} <b>places</b>\"\nmsgstr[0] \"a <b></b>\"\nmsgstr[1] \"{count}<b></b>\"\n"
                    + "msgstr[2] \"<b></b>c\"\n",
                "#, fuzzy\nmsgctxt \"x\"\nmsgid \"a\"\nmsgstr \"b\"\n# c\n\nmsgid \"Hello {name}!\"\n"
                    + "msgstr \"{name}\\t\\\"\"\r\n",
                "msgid \"\"\nmsgstr \"Plural-Forms: nplurals=2; plural=!(n-n*2/0)+1>=0 == n<3;\\n\"\nmsgid \"a\"\n"
                    + "msgid_plural \"b\"\nmsgstr[0] \"c\"\nmsgstr[1] \"d\"",
            ],
            words: [
                "msgid \"", "msgid_plural \"", "msgstr \"", "msgstr[0] \"", "msgstr[1] \"", "msgctxt \"", "\"\n", "\\n",
                "Plural-Forms: nplurals=2; plural=", "n%10", "||", "&&", "!=", "?", ":", "#, fuzzy\n", "{name}", "<a>",
                "9223372036854775807", "/0",
            ]
        ) { text throws(Broken) in
            let catalogue = Catalogue(parsing: text)
            let lines = text.utf8.count { $0 == .newline } + 1
            for problem in catalogue.problems {
                try hold((1...lines).contains(problem.line), "line \(problem.line) of \(lines): \(problem)")
            }
            for entry in CatalogueReader.entries(of: text) {
                guard let id = entry.id else { continue }
                var translations = [catalogue.translation(of: id, context: entry.context)]
                for count in [0, 1, 2, -1, .min, .max] {
                    translations.append(
                        catalogue.translation(
                            of: id, context: entry.context, plural: entry.plural ?? "", count: count))
                }
                let sources = [id, entry.plural ?? id].map { Message($0) }
                for case let translation? in translations {
                    try hold(sources.contains { $0.tags == translation.tags }, "other tags than in “\(id)”")
                    try hold(
                        translation.names.isSubset(of: sources[0].names.union(sources[1].names)),
                        "a name not in “\(id)”")
                }
            }
        },
    ]
}
