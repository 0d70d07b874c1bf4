import Database

extension TagForm {
    /// Does it, and writes it to the log with what it was before.
    func carryOut(by admin: ID<Account>, at now: Instant, in db: Connection) throws {
        try Role.require(.admin, of: admin, in: db)
        guard let row = try Tag.find(tag, in: db) else { throw Refusal.notFound }
        func record(_ verb: StaffAct.Verb, _ subject: String) throws {
            try StaffAct.record(verb, subject, 0, reason: "", by: admin, at: now, in: db)
        }
        switch act {
        case .merge:
            guard let target, row.mergedInto == nil else { throw Refusal.notFound }
            let isNew = try Tag.find(target, in: db) == nil
            try Tag.merge(tag, into: target, in: db)
            try record(isNew ? .renameTag : .mergeTag, "\(tag) → \(target)")
        case .hide, .show:
            guard row.isHidden != (act == .hide) else { return }
            try Tag.hide(tag, act == .hide, in: db)
            try record(act == .hide ? .hideTag : .showTag, tag)
        }
    }
}
