import Forms
import Testing

private let pairs = "application/x-www-form-urlencoded"
private let parts = "multipart/form-data; boundary=XX"

private func parse(
    _ text: String, as type: String = pairs, limits: FormLimits = FormLimits()
) throws(FormProblem) -> FormBody {
    try parse(Array(text.utf8), as: type, limits: limits)
}

private func parse(
    _ bytes: [UInt8], as type: String = pairs, limits: FormLimits = FormLimits()
) throws(FormProblem) -> FormBody {
    var parser = try FormParser(contentType: type, limits: limits)
    try parser.feed(bytes)
    return try parser.finish()
}

/// A multipart body of parts as they stand between the delimiters.
private func multipart(_ parts: String...) -> String {
    parts.map { "--XX\r\n\($0)\r\n" }.joined() + "--XX--\r\n"
}

private func text(_ name: String, _ value: String) -> String {
    "Content-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)"
}

private func file(_ name: String, _ filename: String, _ content: String) -> String {
    "Content-Disposition: form-data; name=\"\(name)\"; filename=\"\(filename)\"\r\nContent-Type: image/png\r\n\r\n"
        + content
}

@Suite struct ContentTypeTests {
    @Test(arguments: [
        pairs, "APPLICATION/X-WWW-Form-Urlencoded; charset=UTF-8", parts, "Multipart/Form-Data;boundary=\"a b'(?)\"",
        "multipart/form-data; charset=utf-8; BOUNDARY=----WebKitFormBoundary7MA4YWxkTrZu0gW;",
    ])
    func `two types are read`(type: String) throws {
        _ = try FormParser(contentType: type)
    }

    @Test(arguments: [
        "", "text/plain", "application/json", "multipart/mixed; boundary=XX", "multipart/form-data",
        "multipart/form-data; boundary=", "multipart/form-data; boundary=\"\"", "multipart/form-data; boundary=\"a \"",
        "multipart/form-data; boundary=a\r\nb", "multipart/form-data; boundary=\"a",
        "multipart/form-data; boundary=a; boundary=b",
        "multipart/form-data; boundary=" + String(repeating: "a", count: 71), "application/x-www-form-urlencoded2",
    ])
    func `any other is not`(type: String) {
        #expect(throws: FormProblem.unsupportedType) { try FormParser(contentType: type) }
    }

    @Test func `the most bytes are known before reading`() throws {
        let limits = FormLimits(body: 100, fields: 10, upload: 1_000)
        #expect(try FormParser(contentType: pairs, limits: limits).byteLimit == 100)
        #expect(try FormParser(contentType: parts, limits: limits).byteLimit == 1_100)
        #expect(FormLimits().body == 262_144 && FormLimits().fields == 1_000 && FormLimits().upload == 10_485_760)
    }
}

@Suite struct PairsTests {
    @Test func `pairs are decoded`() throws {
        let body = try parse("a=1&b=x+y%2Bz&&c&=d&%C3%A4=%e2%82%ac&a=2&e==&")
        #expect(body["a"] == "1")
        #expect(body.all("a") == ["1", "2"])
        #expect(body["b"] == "x y+z")
        #expect(body["c"] == "")
        #expect(body[""] == "d")
        #expect(body["ä"] == "€")
        #expect(body["e"] == "=")
        #expect(body["f"] == nil)
        #expect(body.files.isEmpty)
    }

    @Test(arguments: ["%", "%4", "%zz", "100%", "%%41", "%+1"])
    func `a percent sign that begins nothing stands for itself`(value: String) throws {
        #expect(
            try parse("a=\(value)")["a"] == value.replacing("+", with: " ").replacing("%41", with: "A"))
    }

    @Test func `values that aren't UTF-8 are marked, names refuse the body`() throws {
        #expect(try parse("a=x%FFy")["a"] == "x\u{FFFD}y")
        #expect(try parse("a=x%00y")["a"] == "x\u{FFFD}y")
        for name in ["%FF", "a%00", "a%0A", "a%7F"] {
            #expect(throws: FormProblem.malformed) { try parse("\(name)=1") }
        }
    }

    @Test func `a body of the limit is read, one byte more is not`() throws {
        let limit = 256 * 1_024
        let value = String(repeating: "x", count: limit - 2)
        #expect(try parse("a=\(value)")["a"] == value)
        #expect(throws: FormProblem.tooLarge(limit: limit)) { try parse("a=\(value)x") }
        #expect(try parse("a=\(value)x", limits: FormLimits(body: limit + 1))["a"] == value + "x")
    }

    @Test func `what stands between the pairs counts too`() throws {
        #expect(try parse("a=1&", limits: FormLimits(body: 4))["a"] == "1")
        #expect(throws: FormProblem.tooLarge(limit: 3)) { try parse("a=1&", limits: FormLimits(body: 3)) }
    }

    @Test func `a thousand fields are read, one more is not`() throws {
        let thousand = String(repeating: "a=1&", count: 1_000)
        #expect(try parse(thousand).all("a").count == 1_000)
        #expect(throws: FormProblem.tooManyFields(limit: 1_000)) { try parse(thousand + "a=1") }
        #expect(try parse(thousand + "a=1", limits: FormLimits(fields: 1_001)).all("a").count == 1_001)
    }

    @Test func `a problem is thrown again by all that follows`() throws {
        var parser = try FormParser(contentType: pairs, limits: FormLimits(body: 4))
        #expect(throws: FormProblem.tooLarge(limit: 4)) { try parser.feed("abcdef".utf8) }
        #expect(throws: FormProblem.tooLarge(limit: 4)) { try parser.feed("a".utf8) }
        #expect(throws: FormProblem.tooLarge(limit: 4)) { try parser.finish() }
    }

    @Test func `a search form comes in the URL`() throws {
        let body = try FormBody(query: "q=kite+day&tag=art&tag=sport")
        #expect(body["q"] == "kite day")
        #expect(body.all("tag") == ["art", "sport"])
        #expect(try FormBody(query: "")["q"] == nil)
    }

    @Test func `a body can be made by hand`() {
        let body: FormBody = ["a": "1", "b": "2", "a": "3"]
        #expect(body.all("a") == ["1", "3"])
        #expect(body["b"] == "2")
    }
}

@Suite struct PartsTests {
    @Test func `texts and files are told apart`() throws {
        let body = try parse(
            multipart(text("title", "Kite\r\nday"), file("picture", "kite.png", "\u{0}\r\n--X"), text("title", "2")),
            as: parts)
        #expect(body.all("title") == ["Kite\r\nday", "2"])
        let picture = try #require(body.file("picture"))
        #expect(picture.filename == "kite.png")
        #expect(picture.contentType == "image/png")
        #expect(picture.bytes == Array("\u{0}\r\n--X".utf8))
        #expect(body["picture"] == nil)
    }

    @Test func `a file reaches the submission, and one that must come is missed`() throws {
        let body = try parse(multipart(file("picture", "kite.png", "png")), as: parts)
        #expect(Submission<FairForm>(body).file(named: "picture")?.filename == "kite.png")
        #expect(Submission<FairForm>(body).input(named: "picture").all.isEmpty)

        struct PictureForm: Form {
            static let fields: [Field<PictureForm>] = [
                .file("picture", "Picture", accept: "image/*", isRequired: true)
            ]
        }
        #expect(Submission<PictureForm>(body).isValid)
        #expect(
            Submission<PictureForm>(FormBody()).problems.map(\.words.english) == ["Choose a file for “Picture”."])
    }

    @Test func `a file input left empty is no file`() throws {
        #expect(try parse(multipart(file("picture", "", "")), as: parts).files.isEmpty)
        #expect(try parse(multipart(file("picture", "", "x")), as: parts).files.count == 1)
        #expect(try parse(multipart(file("picture", "a.png", "")), as: parts).files.count == 1)
    }

    @Test(arguments: [
        ("kite.png", "kite.png"), ("C:\\pictures\\kite.png", "kite.png"), ("../../etc/passwd", "passwd"), ("a/", ""),
        ("k%22i%22te.png", "k\"i\"te.png"), ("k\\\"ite.png", "k\"ite.png"), ("kite; name=x.png", "kite; name=x.png"),
        ("\u{0}a\u{1}.png", "\u{FFFD}a\u{FFFD}.png"), ("a%0D%0Ab.png", "a b.png"), ("Größe.png", "Größe.png"),
        ("end\\", ""), ("100%.png", "100%.png"),
        (String(repeating: "é", count: 300), String(repeating: "é", count: 255)),
    ])
    func `a filename is what the visitor calls it and no path`(sent: String, filename: String) throws {
        let body = try parse(multipart(file("picture", sent, "x")), as: parts)
        #expect(body.file("picture")?.filename == filename)
    }

    @Test func `a preamble, padding, an epilogue and other headers are passed over`() throws {
        let body = try parse(
            """
            hello\r\n--X\r\n--XX \t\r\ncontent-disposition:form-data;name=a\r\nContent-Type: text/plain;charset=utf-8\r
            X-Other: 1\r\n\r\n1\r\n--XX--\r\n--XX\r\nbye
            """, as: parts)
        #expect(body["a"] == "1")
    }

    @Test func `a form without fields and an empty value are fine`() throws {
        #expect(try parse("--XX--", as: parts).files.isEmpty)
        #expect(try parse(multipart(text("a", "")), as: parts)["a"] == "")
    }

    @Test func `values that aren't UTF-8 are marked`() throws {
        var bytes = Array(multipart(text("a", "x?y")).utf8)
        bytes[try #require(bytes.firstIndex(of: UInt8(ascii: "?")))] = 0xFF
        #expect(try parse(bytes, as: parts)["a"] == "x\u{FFFD}y")
    }

    @Test(arguments: [
        "", "hello", "--XX", "--XX\r\n", "--XX\r\n--XX--", "--XX-", "--XX- -", "--XXjunk\r\n", "--XX\rjunk",
        "--XX\r\n\(text("a", "1"))", "--XX\r\n\(text("a", "1"))\r\n--XX", "--XX\r\n\(text("a", "1"))--XX--",
        multipart("\r\n1"), multipart("Content-Type: text/plain\r\n\r\n1"),
        multipart("Content-Disposition: form-data\r\n\r\n1"),
        multipart("Content-Disposition: attachment; name=a\r\n\r\n1"),
        multipart("Content-Disposition: form-data; name=\"a\r\n\r\n1"),
        multipart("Content-Disposition: form-data; name=\"a\"b\r\n\r\n1"),
        multipart("Content-Disposition: form-data; name=a; name=b\r\n\r\n1"),
        multipart("Content-Disposition: form-data; name\r\n\r\n1"),
        multipart("Content-Disposition: form-data; name=a\r\nContent-Disposition: form-data; name=b\r\n\r\n1"),
        multipart("Content-Disposition: form-data;\r\n name=a\r\n\r\n1"), multipart("no colon\r\n\r\n1"),
        multipart("Content-Transfer-Encoding: base64\r\n" + text("a", "MQ==")), multipart(text("a%0Ab", "1")),
        multipart(text("a\u{0}", "1")),
    ])
    func `what isn't multipart is refused`(body: String) {
        #expect(throws: FormProblem.malformed) { try parse(body, as: parts) }
    }

    @Test func `a part whose head is very long is refused`() {
        let body = multipart("X: " + String(repeating: "x", count: 9_000) + "\r\n" + text("a", "1"))
        #expect(throws: FormProblem.malformed) { try parse(body, as: parts) }
    }

    @Test func `a file too large to keep is read to its end, and nothing else is lost`() throws {
        let limits = FormLimits(body: 1_000, fields: 10, upload: 1_000, kept: 100)
        func kept(_ first: Int, _ second: Int) throws -> [Int?] {
            let body = try parse(
                multipart(
                    text("a", "1"), file("f", "f.png", String(repeating: "x", count: first)),
                    file("g", "g.png", String(repeating: "x", count: second)), text("b", "2")),
                as: parts, limits: limits)
            #expect(body["a"] == "1" && body["b"] == "2")
            return body.files.map { $0.isTooLarge ? nil : $0.bytes.count }
        }
        #expect(try kept(60, 40) == [60, 40])
        #expect(try kept(60, 41) == [60, nil])
        #expect(try kept(101, 100) == [nil, 100])
        #expect(throws: FormProblem.tooLarge(limit: 1_000)) { try kept(900, 101) }
    }

    @Test func `files have a limit of their own`() throws {
        let limits = FormLimits(body: 500, fields: 10, upload: 1_000)
        func body(_ first: Int, _ second: Int) -> String {
            multipart(
                file("a", "a", String(repeating: "x", count: first)),
                file("b", "b", String(repeating: "x", count: second)))
        }
        #expect(try parse(body(400, 600), as: parts, limits: limits).files.map(\.bytes.count) == [400, 600])
        #expect(throws: FormProblem.tooLarge(limit: 1_000)) { try parse(body(400, 601), as: parts, limits: limits) }
        #expect(throws: FormProblem.tooLarge(limit: 1_000)) { try parse(body(1_001, 0), as: parts, limits: limits) }
    }

    @Test func `all that is no file counts against the body`() throws {
        let limits = FormLimits(body: 500, fields: 10, upload: 1_000)
        let long = String(repeating: "x", count: 500)
        for body in [
            multipart(text("a", long)), "\(long)\r\n--XX--", "--XX--\(long)",
            "--XX\(String(repeating: " ", count: 500))\r\n", multipart("X: \(long)\r\n" + text("a", "1")),
        ] {
            #expect(throws: FormProblem.tooLarge(limit: 500)) { try parse(body, as: parts, limits: limits) }
            #expect(throws: Never.self) { _ = try? parse(body, as: parts) }
        }
        #expect(try parse(multipart(text("a", long)), as: parts)["a"] == long)
    }

    @Test func `the headers of a part have 8 KiB, however they come`() throws {
        for (size, isFine) in [(8_192, true), (8_193, false)] {
            let start = "Content-Disposition: form-data; name=a\r\nX: "
            let body = multipart(start + String(repeating: "x", count: size - start.utf8.count) + "\r\n\r\n1")
            var parser = try FormParser(contentType: parts)
            if isFine {
                #expect(try parse(body, as: parts)["a"] == "1")
                for byte in body.utf8 { try parser.feed([byte]) }
                #expect(try parser.finish()["a"] == "1")
            } else {
                #expect(throws: FormProblem.malformed) { try parse(body, as: parts) }
                #expect(throws: FormProblem.malformed) { for byte in body.utf8 { try parser.feed([byte]) } }
            }
        }
    }

    @Test func `parts are counted, files and all`() {
        let limits = FormLimits(fields: 2)
        #expect(throws: Never.self) {
            try parse(multipart(text("a", ""), file("b", "", "")), as: parts, limits: limits)
        }
        #expect(throws: FormProblem.tooManyFields(limit: 2)) {
            try parse(multipart(text("a", ""), file("b", "", ""), text("c", "")), as: parts, limits: limits)
        }
    }
}
