import Templating

/// Mail to a member's address doesn't arrive: the mail server refused a letter, or accepted it and returned it later.
struct Bounce: Sendable {
    let at: Instant
    /// The mail server's answer.
    let answer: String

    /// The most of a server's answer to store.
    static let longest = 300

    /// Whether a permanent refusal is about the address: it doesn't exist or accepts nothing anymore. If it is about
    /// the letter, its sender or the route (RFC 3463), another letter may arrive.
    static func isOfAddress(_ answer: String) -> Bool {
        if let code = answer.firstMatch(of: /\b5\.([0-9]{1,3})\.([0-9]{1,3})\b/)?.output {
            switch (code.1, code.2) {
            case ("1", "7"), ("1", "8"), ("2", "3"): return false
            case ("1", _), ("2", _), ("4", _): return true
            case ("0", "0"): break
            default: return false
            }
        }
        // Without such a code, or with a generic one: 554 is most often about a letter's content.
        let reply = answer.firstMatch(of: /\b(5[0-9]{2})[ -]/)?.output.1
        return ["521", "550", "551", "552", "553", "556"].contains(reply ?? "")
    }
}

/// The report of a mail server that accepted a letter and couldn't deliver it (RFC 3464).
struct DeliveryReport: Sendable, Equatable {
    /// The letter's ID from its header: without it anyone could claim that letters bounce.
    let letter: ID<Letter>
    /// When that letter was written, from its message ID.
    let writtenAt: Int64
    /// A mark that only its readers know: see ``Letter/mark(_:)``.
    let mark: String
    /// The other server's answer.
    let answer: String

    /// The most of a report to read.
    static let longest = 256 * 1_024

    /// Parses a whole message; nil unless it reports the permanent failure of one of our letters.
    init?(_ message: String) {
        let lines = Self.unfolded(message)
        func value(_ name: String) -> String? {
            lines.first { $0.lowercased().hasPrefix(name + ":") }
                .map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
        }
        let isFailure = lines.contains { $0.lowercased().replacing(" ", with: "") == "action:failed" }
        let status = value("status") ?? ""
        // Programs without such reports write a line with the address, and the other server's answer.
        let isOld = value("x-failed-recipients") != nil || lines.contains { $0.contains("qmail-send program") }
        let said = lines.first { $0.contains(/\b5[0-9]{2}[ -]/) && !$0.lowercased().hasPrefix("received:") }
        guard isFailure && status.hasPrefix("5.") || isOld && said != nil else { return nil }
        guard let name = message.firstMatch(of: /<letter-([0-9]{1,18})\.([0-9a-z]{1,12})\.([0-9a-f]{16})@/)?.output,
            let letter = ID<Letter>(String(name.1)), let at = Int64(name.2, radix: 36)
        else { return nil }
        self.letter = letter
        writtenAt = at
        mark = String(name.3)
        let words = value("diagnostic-code") ?? said ?? ""
        let plain = words.hasPrefix("smtp;") ? String(words.dropFirst(5).drop { $0 == " " }) : words
        let isNamed = plain.contains(status) || status.isEmpty
        answer = String((isNamed ? plain : "\(status) \(plain)").prefix(Bounce.longest))
    }

    /// The lines, with folded headers joined.
    private static func unfolded(_ message: String) -> [String] {
        var lines: [String] = []
        for plain in message.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if let first = plain.first, first == " " || first == "\t", let last = lines.last, !last.isEmpty {
                lines[lines.count - 1] += " " + plain.drop { $0 == " " || $0 == "\t" }
            } else {
                lines.append(String(plain))
            }
        }
        return lines
    }

    /// The messages in a mailbox file (mbox), with their positions.
    static func messages(of file: [UInt8], from start: Int) -> [(at: Int, text: String)] {
        let mark = Array("From ".utf8)
        var starts: [Int] = []
        var place = start
        while place < file.count {
            let isNew = place == 0 || place == start || place > 1 && file[place - 2] == 10
            if isNew, file[place...].starts(with: mark) { starts.append(place) }
            guard let end = file[place...].firstIndex(of: 10) else { break }
            place = end + 1
        }
        return starts.enumerated().map { index, at in
            let end = index + 1 < starts.count ? starts[index + 1] : file.count
            return (at, String(decoding: file[at..<min(end, at + longest)], as: UTF8.self))
        }
    }
}
