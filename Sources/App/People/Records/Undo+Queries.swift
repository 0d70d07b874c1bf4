import Database

extension Undo.Kind: SQLValue {}

/// Storing what is needed to undo an action.
extension Undo {
    /// The data to restore something, as pairs like those of a form.
    typealias Kept = [(name: String, value: String)]

    /// The name of the pair that marks the reader's own.
    static let ownMark = "own"
    /// The name of the pair that marks leaving a whole community event, rather than activities.
    static let eventMark = "event"
    /// The name of the pair with a draft's kind.
    static let kindMark = "undo.kind"

    /// Stores what was just deleted, for ten minutes.
    static func keep(
        _ kind: Kind, _ subject: Int64, _ label: String, _ kept: Kept, of account: ID<Account>, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO undo (account_id, kind, subject, label, kept, ends_at)
            VALUES (\(account), \(kind), \(subject), \(label), \(Draft.text(of: kept)), \(tx.now + time))
            """)
    }

    static func text(of instant: Instant?) -> String { instant.map { "\($0.milliseconds)" } ?? "" }
}
