import Templating

/// A link in a letter that does one thing with one row, logged in or not. Anyone with the letter may use it, as long as
/// its reader may, and it allows nothing else.
struct LetterLink<Row>: Sendable {
    private let path: Link
    private let purpose: String

    init(_ path: Link, _ purpose: String) {
        self.path = path
        self.purpose = purpose
    }

    /// - Parameter reader: The letter's recipient.
    func link(to id: ID<Row>, for reader: ID<Account>, _ seal: Seal) -> Link {
        path / seal.sealed("\(id)-\(reader)", as: purpose)
    }

    /// The row and the reader for a token in an address; nil if the seal is invalid, or made for another purpose.
    func open(_ token: String, _ seal: Seal) -> (id: ID<Row>, reader: ID<Account>)? {
        let parts = seal.open(token, of: purpose)?.split(separator: "-").map(String.init) ?? []
        guard parts.count == 2, let id = ID<Row>(parts[0]), let reader = ID<Account>(parts[1]) else { return nil }
        return (id, reader)
    }
}

extension LetterLink<Decision> {
    /// Shows a decision to its author and accepts an answer: a suspended member can't log in, but may answer.
    static var appeal: Self { Self(.appeals, "decision") }
}
