import Templating

/// A link in a letter that does one thing for one row, logged in or not. Anyone with the letter may, as long as its
/// reader may, and it opens nothing else.
struct LetterLink<Row>: Sendable {
    private let path: Link
    private let purpose: String

    private init(_ path: Link, _ purpose: String) {
        self.path = path
        self.purpose = purpose
    }

    /// - Parameter reader: To whom the letter goes.
    func link(to id: ID<Row>, for reader: ID<Account>, _ seal: Seal) -> Link {
        path / seal.sealed("\(id)-\(reader)", as: purpose)
    }

    /// The row that a token in an address names, and the reader of the letter; nil where the seal isn't ours, or was
    /// made for something else.
    func open(_ token: String, _ seal: Seal) -> (id: ID<Row>, reader: ID<Account>)? {
        let parts = seal.open(token, of: purpose)?.split(separator: "-").map(String.init) ?? []
        guard parts.count == 2, let id = ID<Row>(parts[0]), let reader = ID<Account>(parts[1]) else { return nil }
        return (id, reader)
    }
}

extension LetterLink<Registration> {
    /// Gives back all places of the family at that event; it stands in reminders.
    static var giveBack: Self { Self(.givingBack, "back") }
    /// Answers an offer of places, as long as it lasts.
    static var offer: Self { Self(.offers, "offer") }
}

extension LetterLink<Decision> {
    /// Shows a decision to its author and takes the answer: a suspended member can't log in, and may answer.
    static var appeal: Self { Self(.appeals, "decision") }
}
