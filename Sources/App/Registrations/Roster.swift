import Forms
import Templating

/// Who comes to an event, as its provider sees it.
struct Roster: Sendable {
    let event: Event
    let parties: [RosterParty]
    /// Whether the notes that parents shared are shown with it.
    let showsNotes: Bool
    /// Whether there are some to be shown now.
    let hasNotes: Bool

    var children: [RosterChild] { parties.flatMap(\.children) }
    var arrived: Int { children.count { $0.presence != .away } }

    /// The list as a spreadsheet reads it (RFC 4180), without notes: files travel.
    ///
    /// It begins with a byte order mark, by which spreadsheets know UTF-8.
    var csv: String {
        var lines = [["Child", "Age on that day", "Parent", "E-mail", "Phone", "Came", "Left"]]
        for party in parties {
            for child in party.children {
                lines.append([
                    child.name, child.age, party.parent, party.email, party.phone ?? "", child.arrival ?? "",
                    child.departure ?? "",
                ])
            }
        }
        return "\u{FEFF}" + lines.map { $0.map(Self.cell).joined(separator: ",") + "\r\n" }.joined()
    }

    /// A cell in quotes. What a spreadsheet would take for a formula gets an apostrophe in front (OWASP, CSV injection).
    static func cell(_ text: String) -> String {
        let isFormula = text.unicodeScalars.first.map {
            "=+-@\t\r\n\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains($0)
        }
        return "\"" + (isFormula == true ? "'" : "") + text.replacing("\"", with: "\"\"") + "\""
    }
}

/// One family's line of the roster.
struct RosterParty: Sendable {
    let registration: ID<Registration>
    let parent: String
    let phone: String?
    let email: String
    var children: [RosterChild]

    var mail: Link? { Link(outside: "mailto:\(email)") }
}

/// One child on the roster.
struct RosterChild: Sendable {
    let id: ID<Registration.Person>
    let name: String
    let age: String
    /// When it came and went, as a clock at the venue shows it.
    var arrival: String?
    var departure: String?
    var note: CareNote?

    enum Presence: String, FormValue {
        case away, here, gone
    }

    var presence: Presence { departure != nil ? .gone : arrival != nil ? .here : .away }
}
