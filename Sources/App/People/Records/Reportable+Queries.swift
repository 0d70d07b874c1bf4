import Database

/// Content by a person that can be reported. Each kind says in its own room what staff see of it, who reads it where it
/// is shown, and how it is hidden; `Subject.Kind.reportable` lists them all.
protocol Reportable {
    /// The entity whose rows its subjects name.
    associatedtype Key

    static var kind: Subject.Kind { get }
    /// The table and its ID column. The author is in `account_id`, and `hidden_at` says since when it is hidden.
    static var rows: (table: SQL, number: SQL) { get }
    /// Whether the first one waits for the verification of its organization, not for the confirmation of an address.
    static var needsVerified: Bool { get }

    /// What staff see of it; nil if it is gone.
    static func exhibit(_ id: ID<Key>, in db: Connection) throws -> Exhibit?
    /// Whether the reader may read it where it is shown.
    static func isShown(_ id: ID<Key>, _ exhibit: Exhibit, to reader: Visitor?, in db: Connection) throws -> Bool
    /// The text that such a reader sees.
    static func text(_ id: ID<Key>, _ exhibit: Exhibit, for reader: Visitor?, in db: Connection) throws -> String
    /// Its name in the staff's log. Never the hidden text: a name in it would outlive it there.
    static func logName(_ exhibit: Exhibit) -> String

    /// Hides it, or shows it again.
    static func hide(_ id: ID<Key>, at instant: Instant?, in tx: Transaction) throws
    /// Updates lists and totals after many were hidden or shown at once.
    ///
    /// - Parameter numbers: A list of them in parentheses.
    static func recount(_ numbers: SQL, in db: Connection) throws
    /// The author's other visible ones: if there are any, this isn't the first.
    static func others(of account: ID<Account>, than id: ID<Key>) -> SQL
    /// Notes that it was held since publication and is about to be shown.
    ///
    /// - Returns: Whether nobody had seen it.
    static func noteAnnounced(_ id: ID<Key>, in tx: Transaction) throws -> Bool
    /// Notifies those who would have been notified at publication.
    static func tellShown(_ id: ID<Key>, in tx: Transaction) throws
}

extension Reportable {
    static var needsVerified: Bool { false }

    static func isShown(_ id: ID<Key>, _ exhibit: Exhibit, to reader: Visitor?, in db: Connection) throws -> Bool {
        !exhibit.isHidden || exhibit.author.account == reader?.account
    }

    static func text(_ id: ID<Key>, _ exhibit: Exhibit, for reader: Visitor?, in db: Connection) throws -> String {
        exhibit.text
    }

    static func logName(_ exhibit: Exhibit) -> String { "" }

    static func hide(_ id: ID<Key>, at instant: Instant?, in tx: Transaction) throws {
        try tx.execute("UPDATE \(rows.table) SET hidden_at = \(instant) WHERE \(rows.number) = \(id)")
    }

    static func recount(_ numbers: SQL, in db: Connection) throws {}
    static func others(of account: ID<Account>, than id: ID<Key>) -> SQL { "SELECT 1 WHERE FALSE" }
    static func noteAnnounced(_ id: ID<Key>, in tx: Transaction) throws -> Bool { true }
    static func tellShown(_ id: ID<Key>, in tx: Transaction) throws {}
}

/// Reportable content that is on lists, and about which people were told something.
protocol Relistable: Reportable {
    /// Notifies those who count on it that it is hidden, each once.
    static func tellHidden(_ ids: [ID<Key>], in tx: Transaction) throws
    /// Notifies them that it is shown again, each once. What they read before asks for nothing anymore.
    static func tellShownAgain(_ ids: [ID<Key>], in tx: Transaction) throws
}

extension Relistable {
    /// Makes a change, and notifies people if it put the content on the lists or took it off.
    static func relisting(_ id: ID<Key>, in tx: Transaction, _ change: () throws -> Void) throws {
        let look: SQL = "SELECT 1 FROM \(rows.table) WHERE \(rows.number) = \(id) AND listed"
        let wasListed = try tx.exists(look)
        try change()
        let isListed = try tx.exists(look)
        guard wasListed != isListed else { return }
        try isListed ? tellShownAgain([id], in: tx) : tellHidden([id], in: tx)
    }
}

extension Reportable {
    static func subject(_ id: ID<Key>) -> Subject { Subject(kind: kind, number: id.rawValue) }

    /// The content of a subject of this kind; nil if it is gone.
    static func exhibit(_ subject: Subject, in db: Connection) throws -> Exhibit? {
        try exhibit(ID<Key>(subject.number), in: db)
    }

    /// The content of a subject of this kind, if the reader may read it where it is shown.
    static func exhibit(_ subject: Subject, for reader: Visitor?, in db: Connection) throws -> Exhibit? {
        let id = ID<Key>(subject.number)
        guard var exhibit = try exhibit(id, in: db), try isShown(id, exhibit, to: reader, in: db) else { return nil }
        if reader?.isStaff != true { exhibit.aside = "" }
        exhibit.text = try text(id, exhibit, for: reader, in: db)
        return exhibit
    }

    static func hide(_ subject: Subject, at instant: Instant?, in tx: Transaction) throws {
        try hide(ID<Key>(subject.number), at: instant, in: tx)
    }

    static func showKept(_ subject: Subject, in tx: Transaction) throws {
        try Matter.showKept(Self.self, ID(subject.number), in: tx)
    }
}
