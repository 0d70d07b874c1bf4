import Database

extension Opening {
    /// The stored settings; everything is open by default.
    init(in db: Connection) throws {
        let off = try Note.value("site_off", in: db)?.split(separator: ",") ?? []
        self.init(
            off: Set(off.compactMap { Module(rawValue: String($0)) }),
            isClosed: try Note.isSet("site_closed", in: db))
        guard let text = try Note.value("site_banner", in: db),
            let id = try Note.value("site_banner_id", in: db)
        else { return }
        banner = Banner(id: id, text: text, until: try Note.value("site_banner_until", in: db).flatMap { Day(iso: $0) })
    }

    func save(in db: Connection) throws {
        let notes: [(String, String?)] = [
            ("site_off", off.isEmpty ? nil : off.map(\.rawValue).sorted().joined(separator: ",")),
            ("site_closed", isClosed ? "1" : nil), ("site_banner", banner?.text), ("site_banner_id", banner?.id),
            ("site_banner_until", banner?.until?.iso),
        ]
        for (name, value) in notes {
            if let value { try Note.set(name, value, in: db) } else { try Note.clear(name, in: db) }
        }
    }

    /// Logs the changes.
    func record(instead before: Opening, by admin: ID<Account>, in tx: Transaction) throws {
        func record(_ verb: AuditEntry.Verb, _ subject: String = "", was: String = "") throws {
            try AuditEntry.record(verb, subject, 0, was: was, reason: "", by: admin, in: tx)
        }
        for module in Module.allCases where has(module) != before.has(module) {
            try record(has(module) ? .switchOn : .switchOff, module.rawValue)
        }
        if isClosed != before.isClosed { try record(isClosed ? .closeSite : .openSite) }
        if banner != before.banner { try record(.setBanner, banner?.text ?? "", was: before.banner?.text ?? "") }
    }
}
