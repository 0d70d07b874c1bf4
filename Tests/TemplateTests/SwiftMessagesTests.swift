import Testing

@testable import TemplateCompiler

/// The messages in Swift that go to the translators.
@Suite struct SwiftMessagesTests {
    private func found(_ code: String) -> [String] { SwiftMessages.messages(in: code).map(\.id) }

    @Test(arguments: [
        (#"f("Choose the date.")"#, ["Choose the date."]),
        (#".text("title", \.title, "Event title")"#, ["Event title"]),
        (#"case .off: "Saved""#, ["Saved"]),
        (#""At most \(limit, as: "limit") dates""#, ["At most {limit} dates"]),
        (#""\(f("Free here"), as: "a") and \(b[1], as: "b")""#, ["Free here", "{a} and {b}"]),
        (#"Words("mi")"#, ["mi"]),
        (#"a ? "Two words" : "More words""#, ["Two words", "More words"]),
        (#""Say “\"yes\"” or \\ no""#, [#"Say “"yes"” or \ no"#]),
        (##"x = #"A "raw" one"#"##, [#"A "raw" one"#]),
        (#""A \u{2014} B c""#, ["A — B c"]),
    ])
    func `words are found`(code: String, expected: [String]) {
        #expect(found(code) == expected)
    }

    @Test(arguments: [
        #""At most \(limit) dates""#, #""title""#, #""A_B""#, #"// "A comment here""#,
        #"/* "A comment /* "in it" */ " */"#,
        #"log.error("It went wrong")"#, #"db.all("SELECT a FROM b")"#, #"x.joined(separator: ", and ")"#, #"f(/"a b/)"#,
        #""""#, #"" , ""#,
    ])
    func `what is no message isn't taken`(code: String) {
        #expect(found(code).isEmpty)
    }

    @Test func `several lines are one message, and the lines are counted`() {
        let code = #"""
            let a = "One here"
            let words: Words = """
                You sent \(count, as: "count") \
                pictures, and more \
                is less.
                """
            """#
        let messages = SwiftMessages.messages(in: code)
        #expect(messages.map(\.id) == ["One here", "You sent {count} pictures, and more is less."])
        #expect(messages.map(\.line) == [1, 2])
    }

    @Test func `one and many are one message`() {
        let messages = SwiftMessages.messages(in: #"Words("{count} place", plural: "{count} places", count: n)"#)
        #expect(messages == [SwiftMessages.Message(id: "{count} place", plural: "{count} places", line: 1)])
    }

    @Test func `a file that knows no words has no messages`() {
        #expect(SwiftMessages.messages(ofFile: #"let a = "Not for people""#).isEmpty)
        #expect(SwiftMessages.messages(ofFile: "import Forms\nlet a = f(\"For people here\")").count == 1)
        #expect(SwiftMessages.messages(ofFile: #"let a: Words = "For people here""#).count == 1)
    }

    @Test(arguments: ["\"", "\"\\", "\"\\(", "\"\"\"", "#\"", "/*", "\"\\(\"\\(\"", "f(/", "\"\\u{"])
    func `broken Swift ends`(code: String) {
        _ = found(code)
    }
}
