import Testing

@testable import TemplateCompiler
@testable import TemplatePages

/// What is refused when the package builds, each with its line, column and reason, and beside it what is fine.
@Suite struct RefusalTests {
    /// A template after its first line; the place and a part of the reason.
    static let refused: [(text: String, place: String, reason: String)] = [
        // Places no value may stand in.
        ("<p class={{ x }}>", "2:10", "needs quotes"),
        ("<p class=a{{ x }}>", "2:11", "needs quotes"),
        ("<p class=\n  {{ x }}>", "3:3", "needs quotes"),
        ("<p class={% if b %}\"a\"{% end %}>", "2:10", "needs quotes"),
        ("<{{ x }}>", "2:1", "can't stand within an HTML tag's name"),
        ("</{{ x }}>", "2:1", "can't stand within an HTML tag's name"),
        ("<p{{ x }}>", "2:3", "tag or attribute name"),
        ("<p {{ x }}>", "2:4", "tag or attribute name"),
        ("<p data-{{ x }}=\"1\">", "2:9", "tag or attribute name"),
        ("<p></p {{ x }}>", "2:4", "end tag"),
        ("<script>{{ x }}</script>", "2:9", "inside <script>"),
        ("<SCRIPT type=\"module\">let a = \"{{ x }}\"</SCRIPT>", "2:32", "inside <script>"),
        ("<script type='text/plain'>{{ x }}</script>", "2:27", "inside <script>"),
        ("<script{% if b %} type=\"application/ld+json\"{% end %}>{{ x }}</script>", "2:55", "inside <script>"),
        ("<script type=\"{% if b %}application/ld+json{% end %}\">{{ x }}</script>", "2:55", "inside <script>"),
        ("<script type=\"module\" type=\"application/ld+json\">{{ x }}</script>", "2:50", "inside <script>"),
        ("<script type=\"application/{{ x }}ld+json\">{{ x }}</script>", "2:43", "inside <script>"),
        ("<iframe>{{ x }}</iframe>", "2:9", "inside <iframe>"),
        ("<xmp>{{ x }}</xmp>", "2:6", "inside <xmp>"),
        ("<noembed>{{ x }}</noembed>", "2:10", "inside <noembed>"),
        ("<p onclick=\"{{ x }}\">", "2:13", "attribute onclick"),
        ("<p OnClick='go({{ x }})'>", "2:16", "attribute onclick"),
        ("<p style=\"{{ x }}\">", "2:11", "attribute style"),
        ("<iframe srcdoc=\"{{ x }}\"></iframe>", "2:17", "attribute srcdoc"),
        ("<!-- {{ x }} -->", "2:1", "HTML comment"),
        ("<!-- {% if b %}a{% end %} -->", "2:1", "HTML comment"),
        ("<!DOCTYPE {{ x }}>", "2:1", "doctype"),
        ("<base href=\"{{ x }}\">", "2:13", "<base>"),
        ("<object data=\"{{ x }}\"></object>", "2:15", "<object>"),
        ("<embed src=\"{{ x }}\">", "2:13", "<embed>"),
        ("<svg><animate to=\"{{ x }}\"/></svg>", "2:19", "<animate>"),
        ("<meta http-equiv=\"refresh\" content=\"{{ x }}\">", "2:37", "<meta http-equiv>"),
        ("<meta content=\"{{ x }}\" HTTP-EQUIV=\"refresh\">", "2:16", "<meta http-equiv>"),
        ("<meta{% if b %} http-equiv=\"refresh\"{% end %} content=\"{{ x }}\">", "2:56", "<meta http-equiv>"),
        ("<meta http-equiv=\"{{ x }}\">", "2:19", "<meta http-equiv>"),
        // URLs.
        ("<a href=\"javascript:alert(1)\">", "2:20", "may not begin with javascript:"),
        ("<a href=\" JaVa\tScRiPt:{{ x }}\">", "2:22", "may not begin with javascript:"),
        ("<a href=javascript:alert(1)>", "2:19", "may not begin with javascript:"),
        ("<img src=\"data:image/png;base64,{{ x }}\">", "2:15", "may not begin with data:"),
        ("<form action='vbscript:x'>", "2:23", "may not begin with vbscript:"),
        ("<button formaction=\"javascript:x\">", "2:31", "may not begin with javascript:"),
        ("<svg><use xlink:href=\"javascript:x\"/></svg>", "2:33", "may not begin with javascript:"),
        ("<img srcset=\"/a 1x, javascript:x 2x\">", "2:31", "may not begin with javascript:"),
        ("<a href=\"javascript&colon;x\">", "2:20", "character reference"),
        ("<a href=\"&#106;avascript:x\">", "2:10", "character reference"),
        ("<a href=\"{{ x }}:{{ x }}\">", "2:17", "URL's scheme"),
        ("<a href=\"java{{ x }}:y\">", "2:21", "URL's scheme"),
        ("<a href=\"https://{{ x }}/\">", "2:18", "host of a URL"),
        ("<a href=\"https:{{ x }}/\">", "2:16", "host of a URL"),
        ("<a href=\"//{{ x }}\">", "2:12", "host of a URL"),
        ("<a href=\"/\\{{ x }}\">", "2:12", "host of a URL"),
        ("<a href=\"https://a.example{{ x }}\">", "2:27", "host of a URL"),
        ("<a href=\"/{{ x }}/{{ x }}\">", "2:18", "host of a URL"),
        ("<a href=\"{% if b %}/a/{% end %}{{ x }}\">", "2:32", "depends on the branch"),
        ("<a href=\"{% if b %}java{% end %}script:\">", "2:39", "URL's scheme"),
        ("<a href=\"{% for x in s %}{{ x }}{% end %}\">", "2:33", "each turn of a for"),
        // A host out of a value, a slash and another value, any of which may be empty.
        ("<a href=\"{{ x }}/{{ x }}\">", "2:17", "only ? or # can follow"),
        ("<a href=\"{{ x }}{{ x }}\">", "2:17", "two values in a row"),
        ("<a href=\"{{ x }} {{ x }}\">", "2:18", "two values in a row"),
        ("<a href=\"{{ x }}.example/\">", "2:17", "only ? or # can follow"),
        ("<a href=\"{{ x }}@{{ x }}\">", "2:17", "only ? or # can follow"),
        ("<a href=\"{{ x }}{% if b %}/{% end %}{{ x }}\">", "2:27", "only ? or # can follow"),
        ("<a href=\"/{{ x }}/edit\">", "2:18", "the host of a URL would begin here"),
        ("<a href=\"/{{ x }}\\edit\">", "2:18", "the host of a URL would begin here"),
        ("<a href=\"/{{ x }}{{ x }}\t/{{ x }}\">", "2:26", "the host of a URL would begin here"),
        ("<a href=\"/{% for x in s %}{{ x }}{% end %}/{{ x }}\">", "2:34", "each turn of a for"),
        ("<a href=\"{% if b %}/{% end %}/{{ x }}\">", "2:30", "depends on the branch"),
        ("<a href=\"{% if b %}/a{% end %}/{{ x }}\">", "2:31", "depends on the branch"),
        ("<a href=\"/\t/{{ x }}\">", "2:13", "host of a URL"),
        ("<a href=\"/\n\\{{ x }}\">", "3:2", "host of a URL"),
        ("<a href=\"https:/\t{{ x }}\">", "2:18", "host of a URL"),
        ("<a href=\"ftp://{{ x }}/\">", "2:13", "may not begin with ftp:"),
        ("<a href=\"ftp:{{ x }}\">", "2:13", "may not begin with ftp:"),
        ("<a href=\"blob:{{ x }}\">", "2:14", "may not begin with blob:"),
        ("<a href=\"webcal:{{ x }}\">", "2:17", "host of a URL"),
        ("<form action=\"{{ x }}/{{ x }}\">", "2:22", "only ? or # can follow"),
        ("<button formaction=\"/{{ x }}/{{ x }}\">", "2:29", "the host of a URL would begin here"),
        ("<svg><a xlink:href=\"{{ x }}/{{ x }}\"></a></svg>", "2:28", "only ? or # can follow"),
        // A character reference behind a value, or in front of one.
        ("<a href=\"{{ x }}&colon;alert(1)\">", "2:17", "a character reference could hide"),
        ("<a href=\"java{{ x }}&#58;alert(1)\">", "2:21", "a character reference could hide"),
        ("<a href=\"{% if b %}java{% end %}&colon;x\">", "2:33", "a character reference could hide"),
        ("<a href=\"/&sol;{{ x }}\">", "2:11", "a character reference could hide"),
        ("<a href=\"/&Tab;/{{ x }}\">", "2:11", "a character reference could hide"),
        ("<a href=\"https:&sol;&sol;/{{ x }}\">", "2:16", "a character reference could hide"),
        ("<a href=\"/{{ x }}&bsol;{{ x }}\">", "2:18", "a character reference could hide"),
        ("<img srcset=\"/a&Tab;1x&comma;&#32;//{{ x }}\">", "2:16", "a character reference could hide"),
        // Lists of URLs.
        ("<img srcset=\"{{ x }},{{ x }}\">", "2:22", "a space is missing after the comma"),
        ("<img srcset=\"{{ x }},/a\">", "2:22", "a space is missing after this comma"),
        ("<img srcset=\"{{ x }} //{{ x }}\">", "2:22", "only a descriptor"),
        ("<img srcset=\"{% if b %}/a{% end %} //{{ x }}\">", "2:36", "only a descriptor"),
        ("<img srcset=\"/a 1x, {{ x }}/{{ x }} 2x\">", "2:28", "only ? or # can follow"),
        ("<img srcset=\"/a (, javascript:x 2x)\">", "2:17", "only a descriptor"),
        ("<link imagesrcset=\"/{{ x }}/{{ x }} 2x\">", "2:28", "the host of a URL would begin here"),
        ("<a ping=\"/a //{{ x }}\">", "2:15", "attribute ping"),
        // Attributes with a language of their own, and those that decide what others mean.
        ("<svg><rect fill=\"url({{ x }})\"/></svg>", "2:22", "attribute fill"),
        ("<p xml:base=\"{{ x }}\">", "2:14", "attribute xml:base"),
        ("<meta name=\"{{ x }}\" content=\"unsafe-url\">", "2:13", "<meta name>"),
        ("<meta charset=\"{{ x }}\">", "2:16", "<meta charset>"),
        ("<link rel=\"{{ x }}\" href=\"{{ x }}\">", "2:12", "<link rel>"),
        ("<iframe sandbox=\"{{ x }}\"></iframe>", "2:18", "<iframe sandbox>"),
        ("<svg><feImage href=\"{{ x }}\"/></svg>", "2:6", "in another way inside <svg>"),
        ("<svg><set attributeName=\"href\" to=\"{{ x }}\"/></svg>", "2:36", "<set>"),
        ("<svg><animate attributeName=\"{{ x }}\" to=\"x\"/></svg>", "2:30", "<animate>"),
        ("<portal src=\"{{ x }}\"></portal>", "2:14", "<portal>"),
        // Elements in which browsers read tags in another way, closed by another's end tag or by none.
        ("<svg></math><style><a title=\"</style><b href=\"{{ x }}\">", "2:6", "inside <math>"),
        ("<math></svg><style></style></math>", "2:1", "inside <math>"),
        ("<svg><title></math></title></svg>", "2:13", "no tags inside <title>"),
        ("</svg>", "2:1", "no <svg> here"),
        ("<svg></svg></svg>", "2:12", "no <svg> here"),
        ("<svg></p></svg>", "2:6", "in another way inside <svg>"),
        ("<svg></br></svg>", "2:6", "in another way inside <svg>"),
        ("<svg><p></p></svg>", "2:6", "in another way inside <svg>"),
        ("<svg><foreignObject><p></svg><style></style>", "2:6", "in another way inside <svg>"),
        ("<svg><desc><g></desc></svg>", "2:6", "in another way inside <svg>"),
        ("<svg><title/><a href=\"</title>\">{{ x }}</a></svg>", "2:13", "needs its end tag"),
        ("<svg><script></script></svg>", "2:6", "in another way inside <svg>"),
        ("<svg><xmp></xmp></svg>", "2:6", "in another way inside <svg>"),
        ("<svg><iframe></iframe></svg>", "2:6", "in another way inside <svg>"),
        ("<svg><noembed></noembed></svg>", "2:6", "in another way inside <svg>"),
        ("<svg><noframes></noframes></svg>", "2:6", "in another way inside <svg>"),
        ("<svg><select></svg>", "2:6", "in another way inside <svg>"),
        ("<svg>", "2:6", "ends inside the text of <svg>"),
        ("{% if b %}</svg>{% end %}", "2:11", "no <svg> here"),
        ("<svg>{% include parts/_a() %}</svg>", "2:6", "an include can't stand in the text of <svg>"),
        ("<svg>{% yield %}</svg>", "2:6", "a slot can't stand in the text of <svg>"),
        ("<math><mi>{{ x }}</mi></math>", "2:1", "inside <math>"),
        ("<noscript><p title=\"</noscript>{{ x }}\"></p></noscript>", "2:1", "read <noscript> in one way"),
        ("</noscript>", "2:1", "read <noscript> in one way"),
        ("<template><col><style></style></template>", "2:1", "inside <template>"),
        ("<frameset><style></style></frameset>", "2:1", "inside <frameset>"),
        ("<select><style><a title=\"</style>{{ x }}", "2:9", "in another way inside <select>"),
        ("<select><textarea></textarea></select>", "2:9", "in another way inside <select>"),
        ("<select><select></select>", "2:9", "in another way inside <select>"),
        ("<select><svg></svg></select>", "2:9", "in another way inside <select>"),
        ("<select></option></b></select>", "2:18", "in another way inside <select>"),
        ("</select>", "2:1", "no <select> here"),
        ("<select>", "2:9", "ends inside the text of <select>"),
        ("<svg><title></p></title></svg>", "2:13", "no tags inside <title>"),
        ("<select>{% include parts/_a() %}</select>", "2:9", "an include can't stand in the text of <select>"),
        ("<script>\"<!\"</script>", "2:10", "change where the script ends"),
        // Branches and turns that end elsewhere.
        ("{% if b %}<p title=\"{% end %}\">", "2:21", "began in text and ends in the attribute title"),
        ("{% if b %}<p {% else %}>{% end %}", "2:14", "began in text and ends in the tag <p>"),
        ("<p {% if b %}>{% end %}", "2:15", "began in the tag <p> and ends in text"),
        ("<p title=\"{% if b %}\"{% end %}>", "2:22", "began in the attribute title"),
        ("<p title=\"{% if b %}\" lang=\"{% end %}\">", "2:29", "ends in the attribute lang"),
        ("<p title=\"{% if b %}\"><p title=\"{% end %}\">", "2:33", "ends in the attribute title"),
        ("{% if b %}<title>{% end %}</title>", "2:18", "ends in <title>"),
        ("{% if b %}<pre>{% end %}</pre>", "2:16", "ends in the text of <pre>"),
        ("{% for a in s %}<script>{% end %}</script>", "2:25", "ends in <script>"),
        ("{% for a in s %}x{% empty %}<p {% end %}>", "2:32", "ends in the tag <p>"),
        ("<p{% if b %}x{% end %}>", "2:13", "space is missing"),
        ("<p class=\"a\"{% if b %}id=\"b\"{% end %}>", "2:23", "space is missing"),
        ("<p {% for a in s %}id=\"b\"{% end %}>", "2:20", "space is missing"),
        ("<p a{# x #}b>", "2:12", "space is missing"),
        ("<p a {% if b %}{% end %}=\"x\">", "2:25", "can't have"),
        ("<scr{# x #}ipt>", "2:12", "space is missing"),
        ("<{# x #}script>", "2:1", "can't stand within"),
        ("<title></tit{# x #}le>", "2:8", "can't stand within"),
        ("<p></p{% if b %}{% end %}>", "2:4", "end tag"),
        // HTML that browsers read in a way nobody means.
        ("<p title=\"a\"id=\"b\">", "2:13", "space is missing"),
        ("<p <b>", "2:4", "attribute name"),
        ("<p title=>", "2:10", "no value"),
        ("<title><b>x</b></title>", "2:8", "no tags inside <title>"),
        ("<svg><title><a href=\"{{ x }}\"></a></title></svg>", "2:13", "no tags inside <title>"),
        ("<script><!-- <script></script>", "2:9", "change where the script ends"),
        ("<svg><![CDATA[ {{ x }} ]]></svg>", "2:6", "only <!DOCTYPE"),
        ("<svg><style><a title=\"</style><b href=\"{{ x }}\">", "2:6", "in another way inside <svg>"),
        ("<math><textarea></textarea></math>", "2:1", "inside <math>"),
        ("<svg a=b/><script></script></svg>", "2:11", "in another way inside <svg>"),
        ("{% if b %}<svg>{% end %}", "2:16", "ends in the text of <svg>"),
        ("<plaintext>", "2:1", "never ends"),
        ("<?php {{ x }} ?>", "2:1", "neither a tag nor a comment"),
        ("</ p>", "2:1", "neither a tag nor a comment"),
        ("<p title=\"", "2:11", "ends inside the attribute title"),
        ("<p", "2:3", "ends inside the tag <p>"),
        ("<textarea>", "2:11", "ends inside <textarea>"),
        ("<!-- x", "2:1", "HTML comment"),
        ("<", "2:1", "can't stand within"),
        // Tags.
        ("{% if b %}", "2:1", "has no {% end %}"),
        ("{% end %}", "2:1", "nothing to end"),
        ("{% else %}", "2:1", "no if for this else"),
        ("{% if b %}{% else %}{% else %}{% end %}", "2:21", "no if for this else"),
        ("{% if b %}{% else when b %}{% end %}", "2:19", "only if and a condition"),
        ("{% if b %}{% empty %}{% end %}", "2:11", "no for for this empty"),
        ("{% if %}{% end %}", "2:1", "needs a condition"),
        ("{% for x %}{% end %}", "2:1", "needs a pattern, in and a sequence"),
        ("{% for %}{% end %}", "2:1", "needs a pattern, in and a sequence"),
        ("{% endif %}", "2:1", "write {% end %}"),
        ("{% elif b %}", "2:1", "write {% else if"),
        ("{% case .a %}", "2:1", "no switch for this case"),
        ("{% switch b %}{% end %}", "2:15", "a switch needs a case"),
        ("{% switch b %}a{% case true %}{% end %}", "2:1", "only a case can follow switch"),
        ("{% switch b %}<p>{% case true %}</p>{% end %}", "2:1", "only a case can follow switch"),
        ("{% switch %}{% case true %}{% end %}", "2:1", "switch needs a value"),
        ("{% switch b %}{% case %}{% end %}", "2:15", "case needs a pattern"),
        ("{% switch b %}{% else %}{% end %}", "2:15", "no if for this else"),
        ("{% switch b %}{% case true %}<p {% case false %}{% end %}", "2:33", "began in text and ends in the tag <p>"),
        ("{% let a = 1 %}", "2:1", "there is no tag let"),
        ("{% raw x %}", "2:1", "there is no tag raw"),
        ("{% %}", "2:1", "has no name"),
        ("{{ }}", "2:1", "empty"),
        ("{{ x", "2:1", "never closed"),
        ("{% if b", "2:1", "never closed"),
        ("{# x", "2:1", "never closed"),
        ("{{ f(x }}", "2:5", "no partner"),
        ("{{ x) }}", "2:5", "no partner"),
        ("{{ \"x }}", "2:4", "not closed"),
        ("{{ x // y }}", "2:6", "Swift comment"),
        ("{{ x /* y }}", "2:6", "Swift comment"),
        ("{{ __out }}", "2:4", "belong to the engine"),
        ("{% template () %}", "2:1", "stands once"),
        ("x{% layout site() %}", "2:2", "right after"),
        ("{% layout nowhere() %}", "2:11", "no layout layouts/nowhere.html"),
        ("{% slot head %}{% end %}", "2:1", "no {% layout %}"),
        ("{% yield %}", "2:1", "only a layout"),
        ("{% include parts/_gone() %}", "2:12", "no template parts/_gone.html"),
        ("{% include page() %}", "2:12", "only a partial"),
        ("{% include parts/_a %}", "2:1", "write the template and its arguments"),
        ("<p title=\"{% include parts/_a() %}\">", "2:11", "can't stand in the attribute title"),
        ("<title>{% include parts/_a() %}</title>", "2:8", "can't stand in <title>"),
        // Messages.
        ("{% t %}{% end %}", "2:1", "empty"),
        ("{% t %}Hello {{ x }}{% end %}", "2:17", "only the arguments of {% t %}"),
        ("{% t x: x %}Hello {{ x.y }}{% end %}", "2:22", "only the arguments of {% t %}"),
        ("{% t x: x %}Hello{% end %}", "2:1", "doesn't use x"),
        ("{% t x: x, x: x %}{{ x }}{% end %}", "2:12", "twice"),
        ("{% t x %}{{ x }}{% end %}", "2:6", "written name: value"),
        ("{% t context: x %}a{% end %}", "2:6", "the context is written"),
        ("{% t context: \"of {x}\" %}a{% end %}", "2:6", "the context is written"),
        ("{% t x: x %}{x}{% end %}", "2:13", "two braces"),
        ("{% t %}a { b{% end %}", "2:10", "only be part of a placeholder"),
        ("{% t %}a{% if b %}{% end %}{% end %}", "2:9", "no tag but {% plural %}"),
        ("{% t %}a{% plural %}b{% end %}", "2:9", "needs the argument count"),
        ("{% t count: x %}a{% plural %}b{% plural %}c{% end %}", "2:31", "once"),
        ("{% t %}<b{% end %}>x</b>", "2:10", "ends in the tag <b>"),
        ("{% t x: x %}<a href=\"{{ x }}\">{{ x }}</a>{% end %}", "2:31", "two kinds of place"),
        ("<a href=\"{% t %}x{% end %}\">", "2:10", "a message can't stand in the attribute href"),
        ("<script>{% t %}x{% end %}</script>", "2:9", "a message can't stand in <script>"),
        ("<style>{% t %}x{% end %}</style>", "2:8", "a message can't stand in <style>"),
        ("<p onclick=\"go('{% t %}x{% end %}')\">", "2:17", "a message can't stand in the attribute onclick"),
        ("<p style=\"{% t %}x{% end %}\">", "2:11", "a message can't stand in the attribute style"),
        ("<iframe srcdoc=\"{% t %}x{% end %}\"></iframe>", "2:17", "a message can't stand in the attribute srcdoc"),
        ("<meta http-equiv=\"refresh\" content=\"{% t %}x{% end %}\">", "2:37", "a message can't stand in <meta http"),
        ("<meta content=\"{% t %}x{% end %}\" http-equiv=\"refresh\">", "2:16", "a message can't stand in <meta http"),
        ("<meta http-equiv=\"{% t %}x{% end %}\">", "2:19", "a message can't stand in <meta http-equiv>"),
        ("<a ping=\"{% t %}x{% end %}\">", "2:10", "a message can't stand in the attribute ping"),
        ("<object name=\"{% t %}x{% end %}\"></object>", "2:15", "a message can't stand in <object>"),
        ("<img srcset=\"{% t %}x{% end %}\">", "2:14", "a message can't stand in the attribute srcset"),
        ("{% t %}<textarea></textarea> x{% end %}", "2:8", "can't stand in a message"),
        ("{% t %}<svg></svg>{% end %}", "2:8", "can't stand in a message"),
        ("<svg>{% t %}<title>x</title>{% end %}</svg>", "2:13", "can't stand in a message"),
    ]

    @Test(arguments: refused)
    func `it is refused at its place with the reason`(text: String, place: String, reason: String) {
        let found = problems("{% template (x: String, b: Bool, s: [String]) %}\n" + text)
        #expect(
            found.contains { $0.hasPrefix("page.html:\(place): error: ") && $0.contains(reason) },
            "\(text) gave \(found)")
    }

    /// The twins: as near to what is refused as may be, and fine.
    static let accepted = [
        "<p class=\"{{ x }}\">", "<p class = '{{ x }}' >", "<p class=a>{{ x }}</p>", "a < {{ x }}", "a <3 b",
        "1 > {{ x }}",
        "<script>let a = 1</script>{{ x }}", "<script type=\"application/ld+json\">{{ x }}</script>",
        "<script type='Application/LD+JSON'>\n{{ x }}\n</script>", "<script src=\"{{ x }}\"></script>",
        "<script src=\"/{{ x }}\" type=\"application/ld+json\">{{ x }}</script>", "<style>p { }</style>{{ x }}",
        "<style>{{ x }}</style>", "<style>p { }{{ x }}\n</style>",
        "<iframe src=\"{{ x }}\"></iframe>", "<p onclick=\"go()\" title=\"{{ x }}\">", "<!-- x -->{{ x }}",
        "<!-->{{ x }}",
        "<!--->{{ x }}", "<!-- a --!>{{ x }}", "<!-- -- > -->{{ x }}", "<!DOCTYPE html>{{ x }}",
        "<base href=\"/\">{{ x }}", "<meta http-equiv=\"refresh\" content=\"1\"><meta content=\"{{ x }}\">",
        "<a href=\"{{ x }}\">", "<a href=\"{{ x }}#a:b\">", "<a href=\"/a:b/{{ x }}\">",
        "<a href=\"?a=b&amp;c={{ x }}\">",
        "<a href=\"https://a.example/{{ x }}\">", "<a href=\"mailto:{{ x }}\">", "<a href=\"#{{ x }}\">",
        "<a href=\"{{ x }}?y={{ x }}\">",
        "<a href=\"{{ x }} \">", "<a href=\"\n /a/{{ x }}\">", "<a href=\"a{{ x }}/{{ x }}/{{ x }}\">",
        "<a href=\"/{{ x }}{{ x }}?{{ x }}\">", "<a href=\"/{{ x }}-edit/{{ x }}\">", "<a href=\"tel:{{ x }}\">",
        "<a href=\"/a?b={{ x }}&colon;&sol;\">", "<a href=\"{% if b %}/a{% end %}?{{ x }}\">",
        "<a href=\"{% if b %}/a/{% else %}/b/{% end %}{{ x }}\">",
        "<a href=\"/a{% if b %}?q={{ x }}{% end %}\">", "<a href=\"{% if b %}{{ x }}{% else %}{{ x }}{% end %}\">",
        "<a href=\"/a?{% for x in s %}t={{ x }}&amp;{% end %}\">", "<a href=\"/a/{{ x }}/edit\">",
        "<img srcset=\"{% for x in s %}{{ x }} 1x, {% end %}\">", "<img srcset=\"{{ x }}, /a/{{ x }} 1.5x ,\n/b 2x\">",
        "<img srcset='/a {{ x }}w'>", "<img ping='/a' style='a:b' alt='{{ x }}'>", "<p title=\"javascript:{{ x }}\">",
        "{% if b %}<p title=\"a\">{% else %}<p>{% end %}", "{% if b %}<b>{% end %}{{ x }}{% if b %}</b>{% end %}",
        "<p{% if b %} title=\"{{ x }}\"{% end %}>", "<p title=\"{% if b %}{{ x }}{% else %}y{% end %}\">",
        "<option{% if b %} selected{% end %}>", "<p {% if b %}hidden{% end %}>",
        "<p{% for a in s %} data-x=\"{{ a }}\"{% end %}>",
        "<p a{# x #} b>", "<p{# x #}>", "<br/>", "<p a/>", "<pre>{% if b %}x{% end %}</pre>",
        "<title>{{ x }} &lt;</title>", "<svg><title>{{ x }}</title></svg><script></script>",
        "<svg><g><a href=\"{{ x }}\"><text>{{ x }}</text></a></g></svg><style></style>{{ x }}",
        "<SVG><svg/><linearGradient id=\"{{ x }}\"/></SVG><math-x></math-x>{% include parts/_a() %}",
        "<select>{% for x in s %}<option value=\"{{ x }}\">{{ x }}{% end %}</select><p>{{ x }}",
        "<svg><text>{% t x: x %}<a href=\"/\">{{ x }}</a>{% end %}</text></svg>",
        "{% if b %}<svg></svg>{% else %}<select></select>{% end %}", "<p fill-x=\"{{ x }}\">",
        "<meta name=\"a\" content=\"{{ x }}\">",
        "<link rel=\"icon\" href=\"{{ x }}\">", "<meta name=\"description\" content=\"{% t %}x{% end %}\">",
        "<svg/><style></style>",
        "<textarea>a < b </text {{ x }}</textarea>", "</p >",
        "{{ \"}}\" }}", "{{ f(\"\\(g(\")\"))\") }}", "{{ #\"a\"b\"# }}", "{{ \"\"\"\na \" b\n\"\"\" }}",
        "{{ s.map { $0 }[0] }}",
        "{# {{ #}", "{% if b { } %}{% end %}", "{% if x == \"%}\" %}{% end %}",
        "{% for x in s where x.contains(\" in \") %}{% end %}",
        "{% for\n  x\n  in\n  s %}{% end %}", "}} %} #} { } {x}",
        "{% t count: x %}a{% plural %}{{ count }}{% end %}", "{% t %}{count} more{% end %}",
        "<p title=\"{% t %}x{% end %}\">", "<title>{% t x: x %}{{ x }}{% end %}</title>",
        "{% t x: x %}<a href=\"{{ x }}\">a</a>{% end %}",
    ]

    @Test(arguments: accepted)
    func `its twin is fine`(text: String) {
        let files = [
            "page": "{% template (x: String, b: Bool, s: [String]) %}\n" + text, "parts/_a": "{% template () %}",
        ]
        #expect(folder(files).problems == [])
    }

    @Test(arguments: [
        ("", "1:1", "begins with {% template"), ("<p>", "1:1", "begins with {% template"),
        ("{% template %}", "1:1", "needs its parameters"), ("{% template (x) %}", "1:14", "written name: Type"),
        ("{% template (frame: Int) %}", "1:14", "belongs to the engine"),
        ("{% template (__out: Int) %}", "1:14", "belong to the engine"), ("{% template () as X %}", "1:16", "only in"),
        ("{% template () kept %}", "1:16", "only a partial can be kept"),
    ])
    func `the first tag is checked`(text: String, place: String, reason: String) {
        let found = problems(text)
        #expect(found.contains { $0.hasPrefix("page.html:\(place): error: ") && $0.contains(reason) }, "\(found)")
    }

    @Test(arguments: [
        ("(x)", "1:22", "written name: value"),
        ("where", "1:21", "followed by (name: value) and where"), ("(x: 1) if x", "1:28", "followed by"),
        ("(x: 1) where x > 0 // always", "1:40", "comment"),
    ])
    func `what follows kept is checked`(text: String, place: String, reason: String) {
        let found = problems("{% template () kept \(text) %}", name: "_page")
        #expect(found.contains { $0.hasPrefix("_page.html:\(place): error: ") && $0.contains(reason) }, "\(found)")
        #expect(problems("{% template () kept (x: 1, y: frame.day) where x > y %}", name: "_page") == [])
        #expect(problems("{% template () kept %}", name: "_page") == [])
        let within = problems("{% template () in some PageFrame kept \(text) %}", name: "_page")
        #expect(within.contains { $0.contains(reason) }, "\(within)")
        #expect(problems("{% template () in some PageFrame kept where x > 1 %}", name: "_page") == [])
        #expect(problems("{% template () in some PageFrame kept %}", name: "_page") == [])
        #expect(problems("{% template () in some PageFrame kept %}").contains { $0.contains("only a partial") })
    }

    @Test func `all problems of all files are told at once, in order`() {
        let found = folder([
            "a": "{% template () %}\n<p {{ x }}>\n<a href=\"javascript:\">\n{% if %}{% end %}", "b": "x",
        ]).problems.map(\.description)
        #expect(
            found.map { $0.prefix(10) }
                == ["a.html:2:4", "a.html:3:20", "a.html:4:1", "b.html:1:1"].map { $0.prefix(10) })
    }

    @Test func `names, layouts and slots are checked across files`() {
        let t = "{% template () %}"
        func reasons(_ files: [String: String]) -> String {
            folder(files).problems.map(\.description).joined(separator: "\n")
        }
        #expect(reasons(["a-b": t, "aB": t]).contains("have one name in Swift: Templates.aB"))
        #expect(reasons(["a": t, "a/b": t]).contains("have one name in Swift: Templates.a"))
        #expect(reasons(["a.b": t]).contains("may only have letters"))
        #expect(reasons(["a b/c": t]).contains("may only have letters"))
        #expect(reasons(["init": t]).contains("can't be one in Swift"))
        #expect(reasons(["layouts/a": t]).contains("{% yield %}"))
        #expect(reasons(["layouts/a": t + "{% layout a() %}{% yield %}"]).contains("for ever"))
        #expect(
            reasons(["layouts/a": t + "{% yield %}", "b": t + "{% layout a() %}{% slot x %}{% end %}"])
                .contains("has no {% yield x %}"))
        #expect(
            reasons(["layouts/a": t + "{% yield %}{% yield x %}", "b": t + "{% layout a() %}{% slot x %}{% end %}"])
                == "")
        #expect(reasons(["new": t, "404": t, "class/default": t, "_a": t, "b": t + "{% include _a() %}"]) == "")
    }
}
