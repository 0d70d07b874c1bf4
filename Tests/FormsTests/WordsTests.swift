import Forms
import Testing

@Suite struct WordsTests {
    @Test func `a literal is the message`() {
        let words: Words = "Give the event a title."
        #expect(words.message == "Give the event a title.")
        #expect(words.pieces == [.text("Give the event a title.")])
        #expect(words.plural == nil)
        #expect(words.english == "Give the event a title.")
    }

    @Test func `a value in it becomes a named placeholder`() {
        let limit = 80
        let words: Words = "At most \(limit, as: "limit") characters, \("Ada", as: "name")."
        #expect(words.message == "At most {limit} characters, {name}.")
        #expect(words.argument("limit") == .count(80))
        #expect(words.argument("name") == .text("Ada"))
        #expect(words.english == "At most 80 characters, Ada.")
    }

    @Test(arguments: [(0, "0 places left"), (1, "1 place left"), (2, "2 places left")])
    func `the count chooses the form`(count: Int, english: String) {
        let words = Words("{count} place left", plural: "{count} places left", count: count)
        #expect(words.english == english)
        #expect(words.plural?.message == "{count} places left")
        #expect(words.plural?.count == count)
        #expect(words.argument("count") == .count(count))
    }

    @Test func `words inside words can be translated first`() {
        let label: Words = "Event title"
        let words: Words = "Fill in “\(label, as: "label")”."
        #expect(words.argument("label") == .words(label))
        #expect(words.english == "Fill in “Event title”.")
    }

    @Test func `a value that looks like a placeholder is not filled again`() {
        let words: Words = "\("{b}", as: "a") and \("x", as: "b")"
        #expect(words.english == "{b} and x")
    }

    @Test func `words of a visitor are no message of ours`() {
        #expect(Words(verbatim: "No {places} left").message == "{text}")
        #expect(Words(verbatim: "No {places} left").english == "No {places} left")
    }

    @Test func `a brace without an end stays`() {
        #expect(Words(stringLiteral: "a { b").english == "a { b")
        #expect(Words(stringLiteral: "a {b} c").english == "a {b} c")
    }
}
