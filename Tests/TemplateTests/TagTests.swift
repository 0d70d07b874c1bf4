import Templating
import Testing

@testable import TemplatePages

/// Each tag, drawn.
@Suite struct TagTests {
    @Test func `a page stands in its layout, and that in its own`() {
        let page = Templates.page(title: "Kites", names: ["Mia", "Ben"], note: "Bring string.")
        #expect(
            page.string() == """
                <!DOCTYPE html><html lang="en"><head><title>Kites</title><meta name="robots" content="noindex"></head>\
                <body><main><h1>Kites</h1><ul><li>Mia</li><li>Ben</li></ul><p>Bring string.</p></main></body></html>
                """)
    }

    @Test func `an unfilled slot draws nothing, and empty stands for no turns`() {
        #expect(Templates.bare().string().contains("<title>Bare</title></head><body><main></main></body>"))
        #expect(
            Templates.page(title: "", names: [], note: nil).string().contains(
                "<ul><li class=\"none\">Nobody.</li></ul>"))
    }

    @Test(arguments: [
        (0, nil, "none"), (1, nil, "one"), (2, nil, "many"), (2, "Mia", "many of Mia"), (1, "Mia", "one"),
    ])
    func `if, else if, else if let and else choose one`(size: Int, name: String?, expected: String) {
        #expect(Templates.choice(size: size, name: name).string() == expected)
    }

    @Test(arguments: [(ChoiceOfSize.none, "0 none"), (.some(1), "1 one"), (.some(7), "2 some: 7"), (.many, "3 ")])
    func `switch draws the case that fits, and a case may draw nothing`(size: ChoiceOfSize, expected: String) {
        #expect(Templates.cases(size: size).string() == expected)
    }

    @Test func `for takes any Swift pattern and where`() {
        #expect(Templates.loop(pairs: [("a", 1), ("b", 0), ("c", 3)]).string() == "0.a=1;2.c=3;")
        #expect(Templates.loop(pairs: []).string() == "nothing")
        #expect(Templates.loop(pairs: [("a", 0)]).string() == "nothing")
    }

    @Test func `comments vanish, includes in a line bring no space, attributes come and go`() {
        #expect(
            Templates.inline(isOn: true).string() == """
                <button><i></i>On</button>(<i></i>)<input type="checkbox" checked name="a"><p class="b is-on">a  b</p>
                """)
        #expect(
            Templates.inline(isOn: false).string().contains("<input type=\"checkbox\" name=\"a\"><p class=\"b\">"))
    }

    @Test func `white space that shows nothing isn't sent, and what counts is`() {
        let text = "\n\n  first\n\nlast  "
        #expect(
            Templates.space(text: text).string() == """
                <div class="x" title="one
                  two">a
                b <b>c</b>
                d</div><pre>
                  kept


                  \(text)
                </pre><textarea>
                \(text)</textarea><pre>
                \(text)</pre>
                """)
    }

    @Test func `no line break is sent beside a template tag, and a space is`() {
        #expect(Templates.lines(isOn: true).string() == "<b>a</b><i>on</i> , b <i></i>c")
        #expect(Templates.lines(isOn: false).string() == "<b>a</b> , b <i></i>c")
    }

    @Test func `a letter has a frame of its own, and a parameter its label and default`() {
        let letter = Templates.letters.helloAgain(for: 3).bytes(in: LetterFrame(name: "<Ben>"))
        #expect(String(decoding: letter, as: UTF8.self) == "<p>Dear &lt;Ben&gt;</p><p>3<i></i></p>")
        let other = Templates.letters.helloAgain().bytes(in: LetterFrame(name: "Ann"))
        #expect(String(decoding: other, as: UTF8.self) == "<p>Dear Ann</p><p>2<i></i></p>")
    }

    @Test func `two templates may have one file name in two folders`() {
        #expect(Templates.other.page(name: "Mia").string() == "<p>Mia</p>")
    }

    @Test func `a view is drawn without a copy too`() {
        #expect(Templates.bare().draw(in: Frame()) { Array($0) } == Templates.bare().bytes(in: Frame()))
    }
}
