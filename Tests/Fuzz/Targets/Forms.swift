@testable import Forms

extension FuzzTarget {
    static let forms = [
        FuzzTarget(
            "pairs",
            seeds: [
                "title=Kite+day&child=3&child=5", "a=%C3%A9&b=%00&c=%ff&%41=1", "&&=&a&=b&a=%4&%",
                "price=2.50&once=%zz",
            ],
            words: ["=", "&", "%", "%00", "%0d%0a", "%C3%A9", "%FF", "+", "%2"]
        ) { bytes throws(Broken) in
            let type = "application/x-www-form-urlencoded"
            guard let body = try readInPieces(type, bytes) else { return }
            let again = body.entries.map { encoded($0.name) + "=" + encoded($0.value) }.joined(separator: "&")
            guard let copy = try? FormBody(query: again) else { throw Broken(description: "\(again) can't be read") }
            try hold(
                copy.entries.elementsEqual(body.entries) { $0 == $1 }, "\(body.entries) came back as \(copy.entries)")
        },
        FuzzTarget(
            "parts",
            seeds: [
                "multipart/form-data; boundary=XX\n--XX\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\n"
                    + "Kite\r\n--XX\r\nContent-Disposition: form-data; name=\"p\"; filename=\"C:\\a\\\"b.png\"\r\n"
                    + "Content-Type: image/png\r\n\r\n\u{1}\r\n--XX--\r\n",
                "multipart/form-data; boundary=\"a b'c\"\npreamble\r\n--a b'c \t\r\n"
                    + "content-disposition:form-data;name=é\r\n"
                    + "Content-Transfer-Encoding: binary\r\n\r\n\r\n--a b'\r\n--a b'c--epilogue",
                "Application/X-WWW-Form-URLencoded ; charset=utf-8\na=1&b",
            ],
            words: [
                "--XX", "\r\n--XX", "\r\n--XX\r\n", "\r\n--XX--", "\r\n", "\r\n\r\n", "--", "multipart/form-data;",
                "boundary=", "Content-Disposition: form-data; name=", "filename=", "Content-Type:", "%22", "%0D",
                "\\\"",
                "; ", "content-transfer-encoding: 8bit",
            ]
        ) { bytes throws(Broken) in
            // The first line is the Content-Type, the rest the body.
            let type = bytes.prefix { $0 != UInt8(ascii: "\n") }
            _ = try readInPieces(String(decoding: type, as: UTF8.self), Array(bytes.dropFirst(type.count + 1)))
        },
        FuzzTarget(
            "fields",
            seeds: [
                "title=Kite+day&text=Fun%0D%0Aand+more&note=hats&email=ben@Example.org&spots=1,000&age=3&kind=two"
                    + "&child=3&child=5&adult=on&poster=9&step=preview&once=AAAAAAAAAAAAAAAAAAAAAA",
                "title=%C2%85a%E2%80%A8b&text=%EF%BB%BFx&email=a@b.c&spots=%E2%88%921&kind=one",
            ],
            words: [
                "&title=", "&text=", "&note=", "&email=", "&spots=", "&age=", "&kind=one", "&child=", "&adult=1",
                "&poster=", "&secret=", "&step=publish", "&once=", "%00", "%E2%80%8B", "%C2%AD", "%EF%BF%BD", "%0A",
                "%09",
                "%CC%81", "@", ".org",
            ]
        ) { bytes throws(Broken) in
            guard let body = try? FormBody(query: String(decoding: bytes, as: UTF8.self)) else { return }
            let sent = Submission<FuzzForm>(body)
            for input in sent.inputs {
                for text in input.all {
                    try hold(!hasControl(text, but: ["\n", "\t"]), "\(input.name) shows a control character")
                }
                try hold(input.control != .password || input.all.isEmpty, "a password is shown")
            }
            let problems = sent.problems.map(\.name)
            try hold(Set(problems).count == problems.count, "\(problems) has one twice")
            try hold(sent.once.utf8.count == 22, "once is \(sent.once)")
            guard let form = sent.value else { return }
            // What a page prints back means the same when it is sent.
            for printed in [sent, Submission(filled: form, once: sent.once)] {
                let pairs = printed.hidden + [(name: "secret", value: form.secret)]
                let query = pairs.map { encoded($0.name) + "=" + encoded($0.value) }.joined(separator: "&")
                guard let body = try? FormBody(query: query) else {
                    throw Broken(description: "\(query) can't be read")
                }
                let again = Submission<FuzzForm>(body)
                try hold(
                    again.value == form && again.once == sent.once,
                    "\(form) came back as \(again.form), \(again.problems)")
            }
        },
        FuzzTarget(
            text: "values",
            seeds: [
                "12", "-1,000", "+1 000 000", "٣٤", "9223372036854775807", "−9223372036854775808", "on",
                "ben@Example.ORG",
                "a.b+c@x-y.example.museum", " \u{FEFF}a\r\n\tb\u{B}c\u{2028}\u{0} ",
            ],
            words: ["@", ".", "-", ",000", "’", "\u{A0}", "yes", "9", "\u{200B}", "\u{FFFE}", "\r\n"]
        ) { text throws(Broken) in
            if let number = Int(typed: text) { try hold(Int(typed: number.typed) == number, "\(number)") }
            if let bool = Bool(typed: text) { try hold(Bool(typed: bool.typed) == bool, "\(bool)") }
            if let address = EmailAddress(typed: text) {
                let typed = address.typed
                try hold(EmailAddress(typed: typed) == address, "\(typed) came back otherwise")
                try hold(
                    typed.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
                        && typed.utf8.count { $0 == UInt8(ascii: "@") } == 1,
                    "\(typed) is no address")
            }
            for keepsLines in [true, false] {
                let clean = CleanText(text, keepsLines: keepsLines)
                try hold(!hasControl(clean.text, but: keepsLines ? ["\n", "\t"] : []), "“\(clean.text)” isn't clean")
                let again = CleanText(clean.text, keepsLines: keepsLines)
                try hold(
                    again.text == clean.text && again.isReadable == clean.isReadable,
                    "“\(clean.text)” is cleaned to “\(again.text)”")
            }
            try hold(text.seenLength <= text.unicodeScalars.count, "longer than it is")
        },
    ]

    /// Small enough that inputs reach them.
    private static let limits = FormLimits(body: 600, fields: 9, upload: 60)

    /// The body, or nil when it is refused: the same however it is cut.
    private static func readInPieces(_ type: String, _ bytes: [UInt8]) throws(Broken) -> FormBody? {
        let whole = read(type, bytes, piece: max(bytes.count, 1))
        for piece in [1, bytes.count % 13 + 2] {
            let cut = read(type, bytes, piece: piece)
            try hold(isSame(cut, whole), "pieces of \(piece) give \(cut), the whole \(whole)")
        }
        guard case .success(let body) = whole else { return nil }
        try hold(body.pairs.count + body.files.count <= limits.fields, "too many fields")
        try hold(body.files.reduce(0) { $0 + $1.bytes.count } <= limits.upload, "too large a file")
        for (name, value) in body.entries {
            try hold(!name.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "a control character in the name \(name)")
            try hold(!value.utf8.contains(0), "NUL in \(name)")
        }
        for file in body.files {
            let name = file.filename
            try hold(!hasControl(name) && name.count <= 255, "the file name “\(name)”")
            try hold(!name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }, "the path “\(name)”")
        }
        return body
    }

    private static func read(_ type: String, _ bytes: [UInt8], piece: Int) -> Result<FormBody, FormProblem> {
        do throws(FormProblem) {
            var parser = try FormParser(contentType: type, limits: limits)
            try bytes.withUnsafeBufferPointer { (buffer) throws(FormProblem) in
                let all = UnsafeRawBufferPointer(buffer)
                for start in stride(from: 0, to: all.count, by: piece) {
                    try parser.feed(UnsafeRawBufferPointer(rebasing: all[start..<min(start + piece, all.count)]))
                }
            }
            return .success(try parser.finish())
        } catch {
            return .failure(error)
        }
    }

    private static func isSame(_ a: Result<FormBody, FormProblem>, _ b: Result<FormBody, FormProblem>) -> Bool {
        switch (a, b) {
        case (.failure(let a), .failure(let b)): a == b
        case (.success(let a), .success(let b)):
            a.pairs.elementsEqual(b.pairs) {
                $0.name == $1.name && $0.value == $1.value && $0.isReadable == $1.isReadable
            }
                && a.files.elementsEqual(b.files) {
                    $0.name == $1.name && $0.filename == $1.filename && $0.contentType == $1.contentType
                        && $0.bytes == $1.bytes
                }
        default: false
        }
    }

    /// Percent-encodes every byte.
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3)
        for byte in text.utf8 {
            bytes.append(UInt8(ascii: "%"))
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A form with a field of every kind.
private struct FuzzForm: Form, Equatable {
    enum Kind: String, FormValue { case one, two }

    var title = ""
    var text = ""
    var note: String?
    var email = ""
    var spots = 1
    var age: Int?
    var kind: Kind?
    var children: [Int] = []
    var isAdult = false
    var poster: Int?
    var secret = ""

    static let fields: [Field<FuzzForm>] = [
        .text("title", \.title, "Title", 3...20),
        .area("text", \.text, "Text", 0...50),
        .text("note", \.note, "Note", 2...10),
        .email("email", \.email, "E-mail"),
        .number("spots", \.spots, "Spots", -10...10_000),
        .number("age", \.age, "Age", 0...17),
        .choice("kind", \.kind, "Kind", options: [Choice(Kind.one, "One"), Choice(Kind.two, "Two")]),
        .checkboxes("child", \.children, "Children"),
        .checkbox("adult", \.isAdult, "Adult"),
        .hidden("poster", \.poster),
        .password("secret", \.secret, "Secret", atLeast: 1, bytes: 40),
    ]
}
