import Database

extension WishSheet {
    /// The wishes of the reader's family in an event's draw.
    ///
    /// - Throws: `Refusal.notFound` if the event isn't visible, or has no draw.
    init(at event: ID<Event>, for member: Visitor, in db: Connection) throws {
        guard let shown = try Event.find(event, in: db), !shown.isHidden, let family = member.family,
            let draw = try Draw.pending(at: event, in: db), !draw.isHidden
        else { throw Refusal.notFound }
        let events = try Draw.events(of: draw.id, in: db).filter { !$0.isHidden && !$0.isCancelled }
        let sheet: (id: Int64, code: String, isTogether: Bool)? = try db.first(
            "SELECT id, code, together FROM wish_sheet WHERE draw_id = \(draw.id) AND account_id = \(member.head)"
        ) { (try $0.next(), try $0.next(), try $0.next()) }
        var stored: [ID<Child>: [ID<Event>]] = [:]
        if let sheet {
            try db.each(
                "SELECT child_id, event_id FROM wish WHERE sheet_id = \(sheet.id) ORDER BY number, rank LIMIT 1000"
            ) { row in
                let (child, event): (ID<Child>, ID<Event>) = (try row.next(), try row.next())
                stored[child, default: []].append(event)
                return true
            }
        }
        let children = try Child.all(of: family.id, in: db)
        // A family with one child probably comes from the page of its first choice.
        if sheet == nil, children.count == 1, shown.fits(children[0].ages(on: shown.day)) {
            stored[children[0].id] = [event]
        }
        self.init(
            draw, events, children: children, stored: stored,
            isTogether: sheet?.isTogether ?? false, code: sheet?.code)
    }

    /// Stores a family's wishes, replacing earlier ones, and notifies it the first time.
    ///
    /// - Throws: `Refusal.tooLate` after the deadline.
    func save(of family: ID<Account>, in tx: Transaction) throws {
        try Draw.requireOpen(draw.id, in: tx)
        let earlier: Int64? = try tx.value(
            "SELECT id FROM wish_sheet WHERE draw_id = \(draw.id) AND account_id = \(family)")
        let sheet: Int64
        if let earlier {
            sheet = earlier
            try tx.execute("UPDATE wish_sheet SET together = \(isTogether), updated_at = \(tx.now) WHERE id = \(sheet)")
            try tx.execute("DELETE FROM wish WHERE sheet_id = \(sheet)")
        } else {
            sheet = try tx.insert(
                """
                INSERT INTO wish_sheet (draw_id, account_id, code, together, updated_at)
                VALUES (\(draw.id), \(family), \(PrintedCode.fresh(Draw.codeLength)), \(isTogether), \(tx.now))
                """)
        }
        for (number, list) in lists.enumerated() {
            for (rank, event) in list.wishes.enumerated() {
                try tx.execute(
                    """
                    INSERT INTO wish (sheet_id, number, rank, child_id, event_id)
                    VALUES (\(sheet), \(number + 1), \(rank + 1), \(list.child.id), \(event))
                    """)
            }
        }
        guard earlier == nil, let first = lists.first?.wishes.first else { return }
        try Draw.tell(.wished, of: draw.id, event: first, "account.id = \(family)", in: tx)
    }

    /// Deletes a family's wishes.
    ///
    /// - Throws: `Refusal.tooLate` after the deadline.
    func withdraw(of family: ID<Account>, in tx: Transaction) throws {
        try Draw.requireOpen(draw.id, in: tx)
        try tx.execute("DELETE FROM wish_sheet WHERE draw_id = \(draw.id) AND account_id = \(family)")
    }
}

extension Draw {
    /// A child's wishes in draws that aren't complete, as the child's removal keeps them to be restored.
    static func keptWishes(of child: ID<Child>, in db: Connection) throws -> [KeptWish] {
        try db.all(
            """
            SELECT wish.sheet_id, wish.number, wish.rank, wish.event_id, draw.sealed_at
            FROM wish JOIN wish_sheet ON wish_sheet.id = wish.sheet_id JOIN draw ON draw.id = wish_sheet.draw_id
            WHERE wish.child_id = \(child) AND draw.done_at IS NULL LIMIT 1000
            """
        ) {
            KeptWish(
                sheet: try $0.next(), number: try $0.next(), rank: try $0.next(), event: try $0.next(),
                sealedAt: try $0.next())
        }
    }

    /// Restores a wish of a removed child, unless the family sent other wishes meanwhile, or they were sealed without
    /// it: then it isn't among those that were published.
    ///
    /// - Returns: Whether it counts again.
    static func restore(_ wish: KeptWish, of child: ID<Child>, in tx: Transaction) throws -> Bool {
        let sealedAt = wish.sealedAt?.milliseconds ?? 0
        let draw: ID<Draw>? = try tx.value(
            """
            SELECT draw.id FROM wish_sheet JOIN draw ON draw.id = wish_sheet.draw_id
            WHERE wish_sheet.id = \(wish.sheet) AND draw.done_at IS NULL
                AND coalesce(draw.sealed_at, 0) = \(sealedAt)
                AND EXISTS (SELECT 1 FROM event WHERE event.id = \(wish.event))
                AND NOT EXISTS (SELECT 1 FROM wish
                    WHERE wish.sheet_id = \(wish.sheet) AND wish.number = \(wish.number)
                        AND (wish.child_id <> \(child) OR wish.rank = \(wish.rank)))
            """)
        guard let draw else { return false }
        if wish.sealedAt == nil {
            do { try requireOpen(draw, in: tx) } catch Refusal.tooLate { return false }
        }
        try tx.execute(
            """
            INSERT INTO wish (sheet_id, number, rank, child_id, event_id)
            VALUES (\(wish.sheet), \(wish.number), \(wish.rank), \(child), \(wish.event))
            """)
        return true
    }
}
