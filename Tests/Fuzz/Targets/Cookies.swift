@testable import App

extension FuzzTarget {
    static let cookies = [
        FuzzTarget(
            text: "cookie",
            seeds: [
                "village=AAAA; village_flash=saved", "a=b;village=;village=c", " village =x; __Host-village=\"y\"",
                "village",
            ],
            words: ["village", "__Host-village", "village_flash", "=", ";", "; ", "\u{301}", "\u{FE0F}", "\"", ","]
        ) { field throws(Broken) in
            for name in ["village", "__Host-village", "village_flash"] {
                guard let value = Cookie.value(of: name, in: field).map(String.init) else {
                    try hold(!("; " + field).utf8Contains("; \(name)="), "\(name) isn't found in \(field)")
                    continue
                }
                try hold(!value.utf8.contains(UInt8(ascii: ";")), "\(value) is more than one cookie")
                try hold(field.utf8Contains("\(name)=\(value)"), "\(value) isn't in \(field)")
                for other in ["\(name)=\(value)", "a=\(name);  \(name)=\(value);\(name)=b"] {
                    let again = Cookie.value(of: name, in: other)
                    try hold(again.map(String.init) == value, "\(value) came back as \(again ?? "nothing")")
                }
            }
        },
        FuzzTarget(
            "base64url",
            seeds: ["Zm9vYg", "w7_Dvg", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "ab+/=="],
            words: ["-", "_", "="]
        ) { bytes throws(Broken) in
            let text = Base64URL.encode(bytes)
            try hold(text.utf8.count == (bytes.count * 4 + 2) / 3, "\(text) has another length")
            try hold(Base64URL.decode(text) == bytes, "\(text) came back otherwise")
            let typed = String(decoding: bytes, as: UTF8.self)
            guard let read = Base64URL.decode(typed) else { return }
            try hold(read.count == typed.utf8.count * 3 / 4, "\(typed) gives \(read.count) bytes")
            // The last digit may have bits to spare.
            try hold(
                typed.utf8.dropLast().starts(with: Base64URL.encode(read).utf8.dropLast()), "\(typed) isn't \(read)")
        },
    ]
}

extension String {
    fileprivate func utf8Contains(_ other: String) -> Bool {
        let (text, part) = (Array(utf8), Array(other.utf8))
        return (0...max(text.count, part.count) - part.count).contains { text[$0...].starts(with: part) }
    }
}
