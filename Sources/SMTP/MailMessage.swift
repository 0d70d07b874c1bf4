/// An e-mail message in the form it is sent in (RFC 5322, MIME).
///
/// People's text can only become part of a value: line ends and control characters are removed from headers, and bodies
/// are encoded.
public struct MailMessage: Sendable {
    /// The same for each attempt to send it: `letter-7@village.example`, without brackets.
    public var id: String
    /// Seconds since 1970.
    public var date: Int64
    public var from: Mailbox
    public var to: Mailbox
    /// Where replies go, instead of the sender.
    public var replyTo: Mailbox?
    public var subject: String
    public var text: String
    public var html: String
    public var attachments: [Attachment] = []
    /// The URL at which one click unsubscribes from messages of this kind (RFC 8058).
    public var unsubscribe: String?

    /// An attached file.
    public struct Attachment: Sendable {
        public var name: String
        /// Its media type with parameters. A single calendar with the method `REQUEST` or `CANCEL` becomes an
        /// alternative form of the body, where calendar programs expect it (RFC 6047).
        public var type: String
        public var bytes: [UInt8]

        fileprivate var isMove: Bool { type.contains("method=REQUEST") || type.contains("method=CANCEL") }

        public init(name: String, type: String, bytes: [UInt8]) {
            self.name = name
            self.type = type
            self.bytes = bytes
        }
    }

    public init(
        id: String, date: Int64, from: Mailbox, to: Mailbox, subject: String, text: String, html: String
    ) {
        self.id = id
        self.date = date
        self.from = from
        self.to = to
        self.subject = subject
        self.text = text
        self.html = html
    }

    /// The whole message, with CR LF line ends and lines of at most 76 bytes except for addresses and links.
    public var bytes: [UInt8] {
        var lines = Lines()
        lines.header("Date", Self.timestamp(date))
        lines.header("From", Self.written(from))
        lines.header("To", Self.written(to))
        if let replyTo { lines.header("Reply-To", Self.written(replyTo)) }
        lines.header("Message-ID", "<\(Self.plain(id))>")
        lines.header("Subject", Self.encoded(subject))
        // Keeps autoresponders from replying (RFC 3834).
        lines.header("Auto-Submitted", "auto-generated")
        if let unsubscribe {
            lines.header("List-Unsubscribe", "<\(Self.plain(unsubscribe))>")
            lines.header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
        }
        lines.header("MIME-Version", "1.0")
        if attachments.isEmpty {
            addBody(to: &lines)
        } else if attachments.count == 1, attachments[0].isMove {
            addBody(with: attachments[0], to: &lines)
        } else {
            let mark = boundary("mixed")
            lines.header("Content-Type", "multipart/mixed; boundary=\"\(mark)\"")
            lines.add("")
            lines.add("--\(mark)")
            addBody(to: &lines)
            for file in attachments {
                lines.add("--\(mark)")
                Self.add(file, as: "attachment", to: &lines)
            }
            lines.add("--\(mark)--")
        }
        return lines.bytes
    }

    private static func add(_ file: Attachment, as disposition: String, to lines: inout Lines) {
        let name = plain(file.name).filter { $0 != "\"" && $0 != "\\" }
        lines.header("Content-Type", "\(plain(file.type, keeping: " ")); name=\"\(name)\"")
        lines.header("Content-Disposition", "\(disposition); filename=\"\(name)\"")
        lines.header("Content-Transfer-Encoding", "base64")
        lines.add("")
        let encoded = Base64.encode(file.bytes)
        for start in stride(from: 0, to: encoded.count, by: 76) {
            lines.add(String(decoding: encoded[start..<min(start + 76, encoded.count)], as: UTF8.self))
        }
    }

    /// - Parameter move: An alternative form for calendar programs.
    private func addBody(with move: Attachment? = nil, to lines: inout Lines) {
        let mark = boundary("body")
        lines.header("Content-Type", "multipart/alternative; boundary=\"\(mark)\"")
        lines.add("")
        for (type, content) in [("plain", text), ("html", html)] {
            lines.add("--\(mark)")
            lines.header("Content-Type", "text/\(type); charset=utf-8")
            lines.header("Content-Transfer-Encoding", "quoted-printable")
            lines.add("")
            lines.addQuoted(content)
        }
        if let move {
            lines.add("--\(mark)")
            Self.add(move, as: "inline", to: &lines)
        }
        lines.add("--\(mark)--")
    }

    /// A boundary that no line of a body can match: a quoted `=` is followed by two hexadecimal digits.
    private func boundary(_ part: String) -> String { "=_village_\(part)" }

    // MARK: Header values

    /// The text's printing ASCII characters, without spaces.
    private static func plain(_ text: String, keeping kept: Unicode.Scalar? = nil) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { (0x21...0x7E).contains($0.value) || $0 == kept }))
    }

    private static func written(_ box: Mailbox) -> String {
        let name = box.name.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        guard !name.isEmpty else { return box.address }
        let isPlain = name.count <= 60 && name.allSatisfy { $0.isASCII && $0 != "\"" && $0 != "\\" }
        let text = String(String.UnicodeScalarView(name))
        return (isPlain ? "\"\(text)\"" : encoded(text, always: true)) + " <\(box.address)>"
    }

    /// A text for a header: as is if it is short ASCII, otherwise as encoded words (RFC 2047), one per line.
    static func encoded(_ text: String, always: Bool = false) -> String {
        let scalars = text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }
        if !always, scalars.count <= 66, scalars.allSatisfy(\.isASCII), !text.contains("=?") {
            return String(String.UnicodeScalarView(scalars))
        }
        var words: [String] = []
        var word: [UInt8] = []
        func end() { words.append("=?UTF-8?B?\(String(decoding: Base64.encode(word), as: UTF8.self))?=") }
        for scalar in scalars {
            let bytes = Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            if word.count + bytes.count > 42 {
                end()
                word = []
            }
            word += bytes
        }
        end()
        return words.joined(separator: "\r\n ")
    }

    /// A date such as `Sat, 20 Mar 2027 10:00:00 +0000`.
    static func timestamp(_ seconds: Int64) -> String {
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let time = seconds - days * 86_400
        // Converts days to a Gregorian date, with eras of 400 years that begin in March (H. Hinnant, "chrono-Compatible
        // Low-Level Date Algorithms").
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * part + 2) / 5 + 1
        let month = part < 10 ? part + 3 : part - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][Int(((days % 7) + 7) % 7)]
        let name = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][Int(month) - 1]
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(weekday), \(two(day)) \(name) \(year) "
            + "\(two(time / 3_600)):\(two(time / 60 % 60)):\(two(time % 60)) +0000"
    }
}

/// Lines that end with CR LF.
private struct Lines {
    var bytes: [UInt8] = []

    mutating func add(_ line: String) { bytes += Array(line.utf8) + [13, 10] }

    mutating func header(_ name: StaticString, _ value: String) { add("\(name): \(value)") }

    /// Quoted-printable (RFC 2045, section 6.7).
    mutating func addQuoted(_ text: String) {
        let digits = Array("0123456789ABCDEF".utf8)
        for line in text.utf8.filter({ $0 != 13 }).split(separator: 10, omittingEmptySubsequences: false) {
            var width = 0
            for (index, byte) in line.enumerated() {
                let isLast = index == line.count - 1
                let isPlain = (0x21...0x7E).contains(byte) && byte != 0x3D || (byte == 0x20 || byte == 9) && !isLast
                if width + (isPlain ? 1 : 3) > 75 {
                    bytes += [0x3D, 13, 10]
                    width = 0
                }
                bytes += isPlain ? [byte] : [0x3D, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                width += isPlain ? 1 : 3
            }
            bytes += [13, 10]
        }
    }
}

/// Base64 (RFC 4648, section 4).
private enum Base64 {
    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let bits = part.enumerated().reduce(0) { $0 | Int($1.element) << (16 - 8 * $1.offset) }
            for index in 0..<4 {
                encoded.append(index <= part.count ? alphabet[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
        return encoded
    }
}
