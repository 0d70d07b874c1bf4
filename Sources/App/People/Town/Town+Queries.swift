import Database

extension Town {
    /// The stored values; empty by default.
    init(in db: Connection) throws {
        var notes: [String: String] = [:]
        for note in try db.all(
            "SELECT name, value FROM note WHERE name >= 'town_' AND name < 'town`' LIMIT 50",
            { (name: try $0.next() as String, value: try $0.next() as String) })
        {
            notes[note.name] = note.value
        }
        self.init()
        for value in Self.values { if let text = notes[value.note] { value.read(text, &self) } }
    }

    func save(in db: Connection) throws {
        for value in Self.values {
            let text = value.text(self)
            if text.isEmpty { try Note.clear(value.note, in: db) } else { try Note.set(value.note, text, in: db) }
        }
    }
}
