/// The content of a calendar entry, for comparison with its earlier content.
struct ImportContent: Codable, Hashable, Sendable {
    var title: String
    var text: String
    var place: String
    var link: String
    var tags: [String]
    /// In milliseconds since 1970, like `Instant`.
    var start: Int64
    var end: Int64
    var isAllDay: Bool
    /// The zone that determines its days.
    var zone: String

    /// The longest text of an event.
    static let mostText = 4_000
    /// The longest place that is stored.
    static let mostPlace = 300

    init(_ entry: ImportedEntry) {
        title = String(entry.title.prefix(200))
        text = String(entry.text.prefix(Self.mostText))
        place = String((entry.place ?? "").prefix(Self.mostPlace))
        link = entry.link.flatMap { $0.utf8.count <= 500 ? $0 : nil } ?? ""
        tags = entry.tags.prefix(20).map { String($0.prefix(60)) }
        (start, end) = (entry.start.milliseconds, max(entry.start, entry.end).milliseconds)
        isAllDay = entry.isAllDay
        zone = entry.zone.identifier
    }

    /// Stored content that can't be parsed.
    static let unknown = ImportContent(
        ImportedEntry(
            uid: nil, occurrence: nil, title: "", text: "", place: nil, link: nil, tags: [],
            start: Instant(milliseconds: 0), end: Instant(milliseconds: 0), isAllDay: false, zone: .utc,
            isCanceled: false))

    var startsAt: Instant { Instant(milliseconds: start) }
    var endsAt: Instant { Instant(milliseconds: end) }

    /// Title and place, folded for comparison.
    func name(_ texts: FoldedTexts) -> String { "\(texts[title])|\(texts[place])" }
    /// Start, title and place: entries with the same spot are the same event.
    func spot(_ texts: FoldedTexts) -> String { "\(start)|\(name(texts))" }
    /// The day on which it begins.
    var day: Day { Zone(stored: zone).day(of: startsAt) }
    /// Whether it lasts more than a day.
    var isLong: Bool { endsAt - startsAt > .hours(24) }
    /// Whether it is so long that it can still be posted after it has begun, for the rest of its days.
    var isExhibition: Bool { endsAt - startsAt > .days(7) }
    /// Whether it can still be posted: it hasn't begun, or is on for another day at least.
    func isToCome(at now: Instant) -> Bool { startsAt > now || isExhibition && endsAt - .hours(24) > now }
}

/// An entry of a calendar from the last reading, and its event.
struct ImportEntry: Sendable {
    let id: ID<ImportEntry>
    let key: String
    /// The calendar's latest content.
    let says: ImportContent
    /// The part of it copied into the event; nil if there never was one.
    var taken: ImportContent?
    /// The event's fields at that time: different values now were edited by hand.
    var fields = ""
    var event: ID<Event>?
    /// When the event begins, and whether it was canceled.
    var startsAt: Instant?
    var isEventOff = false
    /// Whether somebody excluded it, or keeps it despite its removal from the calendar.
    var isLeftOut = false
    var isKept = false
    /// Whether the calendar cancels it.
    var isOff = false
    /// Since when it is missing, and when the organization was notified.
    var missedAt: Instant?
    var warnedAt: Instant?
    /// Why it can't become an event; empty if it can.
    var refused = ""

    /// Whether it has an event that can still be changed.
    func isAhead(at now: Instant) -> Bool { event != nil && !isEventOff && startsAt.map { $0 > now } ?? false }
    /// Whether it is waiting to be published.
    func isNew(at now: Instant) -> Bool {
        event == nil && taken == nil && !isLeftOut && !isOff && says.isToCome(at: now)
    }
    /// Whether it can be published as it is.
    func isReady(at now: Instant) -> Bool { isNew(at: now) && refused.isEmpty }
    /// Whether the calendar's content has changed.
    func isChanged(at now: Instant) -> Bool {
        isAhead(at: now) && !isOff && missedAt == nil && taken.map { $0 != says } ?? false
    }
    /// Whether the calendar canceled it but the site hasn't yet.
    func isToCallOff(at now: Instant) -> Bool { isAhead(at: now) && isOff }
    /// Whether it is missing from the calendar and isn't kept.
    func isGone(at now: Instant) -> Bool { isAhead(at: now) && missedAt != nil && !isKept }
}

/// Titles, places and UIDs, folded for comparison. Each is folded once, before planning, because folding is slow and
/// planning happens while nobody else can write.
struct FoldedTexts: Sendable {
    private var known: [String: String] = [:]

    init(_ entries: [ImportEntry], _ read: [ImportedEntry]) {
        for entry in entries {
            add(entry.says)
            add(entry.uid)
        }
        for entry in read { add(ImportContent(entry)) }
    }

    private mutating func add(_ content: ImportContent) {
        add(content.title)
        add(content.place)
    }

    private mutating func add(_ text: String) {
        if known[text] == nil { known[text] = folded(text) }
    }

    subscript(text: String) -> String { known[text] ?? folded(text) }
}

/// The plan for a reading: the matching of the calendar's entries with the known ones.
///
/// An entry is identified by its UID and, if repeated, by its occurrence. If those changed, as they do in Outlook, it
/// is identified by start, title and place. There are never two events for one entry, or one for two.
struct ImportPlan: Sendable {
    /// New entries.
    private(set) var fresh: [Item] = []
    /// Known entries, with their current content.
    private(set) var found: [(id: ID<ImportEntry>, item: Item)] = []
    private(set) var missing: [(id: ID<ImportEntry>, step: Step)] = []
    /// Known entries with changes to store.
    private(set) var changed: [(id: ID<ImportEntry>, item: Item)] = []
    /// Entries that were never published and are gone.
    private(set) var dropped: [ID<ImportEntry>] = []
    /// Whether so many entries are missing that the calendar itself may be broken.
    private(set) var isSuspicious = false
    /// The number of missing events.
    private(set) var gone = 0

    /// Whether there is anything to store.
    var isAnything: Bool { !fresh.isEmpty || !changed.isEmpty || !dropped.isEmpty || !missing.isEmpty }

    /// An entry of the current reading.
    struct Item: Sendable, Hashable {
        let key: String
        let uid: String
        let content: ImportContent
        let isOff: Bool
    }

    /// What to do with an event that is missing from its calendar.
    enum Step: Sendable, Equatable {
        /// Missing for the first time: nothing yet.
        case note
        /// Missing on a later night: notify its organization.
        case warn
        /// Missing on another night after that: cancel it.
        case callOff
    }

    /// The minimum time between nights, independent of readings in between.
    private static let night = Duration.hours(20)

    /// - Parameters:
    ///   - unreadable: The titles or UIDs of unreadable entries, which aren't missing.
    ///   - isCut: Whether the calendar has more than was read.
    ///   - isBelieved: Whether somebody confirmed the removals.
    ///   - isNight: Whether it is a scheduled reading, rather than on demand.
    ///   - folding: The folded texts of both, if available.
    init(
        _ known: [ImportEntry], reading entries: [ImportedEntry], unreadable: [String] = [], isCut: Bool = false,
        isBelieved: Bool = false, isNight: Bool = true, folding: FoldedTexts? = nil, at now: Instant
    ) {
        let texts = folding ?? FoldedTexts(known, entries)
        let items = Self.items(entries, texts, at: now)
        var (open, left) = (known, items)
        match(&open, &left, by: \.key, and: \.key)
        match(&open, &left, by: { $0.says.spot(texts) }, and: { $0.content.spot(texts) })
        // Moved within its day, under the same UID or another.
        match(
            &open, &left, by: { "\($0.uid)|\($0.says.day.iso)" }, and: { "\($0.uid)|\($0.content.day.iso)" },
            where: { !$0.uid.isEmpty })
        match(
            &open, &left, by: { "\($0.says.name(texts))|\($0.says.day.iso)" },
            and: { "\($0.content.name(texts))|\($0.content.day.iso)" }, onlyAlone: true)
        matchExhibitions(&open, &left, texts)
        // For a running exhibition, only some days may be left in the calendar.
        let running = Dictionary(
            grouping: known.compactMap { $0.event == nil ? nil : $0.taken }.filter {
                $0.isLong && $0.startsAt <= now && $0.endsAt > now
            }, by: { $0.name(texts) })
        fresh = left.filter { item in
            !item.isOff && item.content.isToCome(at: now)
                && !(running[item.content.name(texts)] ?? []).contains { Self.overlap($0, item.content) }
        }
        let before = Dictionary(known.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        changed = found.filter { id, item in !(before[id]?.isSame(as: item) ?? false) }
        look(
            for: open, of: known, items, unreadable, isCut: isCut, isBelieved: isBelieved, texts, isNight: isNight,
            at: now)
    }

    private static func items(_ entries: [ImportedEntry], _ texts: FoldedTexts, at now: Instant) -> [Item] {
        var (keys, spots): (Set<String>, Set<String>) = ([], [])
        var items: [Item] = []
        // Entries that take place come before canceled ones with the same content.
        for entry in entries.filter({ !$0.isCanceled }) + entries.filter(\.isCanceled) {
            let content = ImportContent(entry)
            guard content.endsAt > now || content.startsAt > now else { continue }
            let uid = entry.uid.flatMap { $0.utf8.count <= 500 ? $0 : nil } ?? ""
            let spot = content.spot(texts)
            let name = uid.isEmpty ? "at \(spot)" : "\(uid)\u{1F}\(entry.occurrence ?? "")"
            let key = name.beginning(ofBytes: Folding.longestKey)
            guard !keys.contains(key), !spots.contains(spot) else { continue }
            keys.insert(key)
            spots.insert(spot)
            items.append(Item(key: key, uid: uid, content: content, isOff: entry.isCanceled))
        }
        return items
    }

    /// Matches entries with equal keys, each once, in order.
    ///
    /// - Parameters:
    ///   - isKey: Which items can be identified by the key.
    ///   - isAlone: Whether to match only keys that are unique on both sides.
    private mutating func match(
        _ open: inout [ImportEntry], _ left: inout [Item], by key: (ImportEntry) -> String,
        and itemKey: (Item) -> String, onlyAlone isAlone: Bool = false, where isKey: (Item) -> Bool = { _ in true }
    ) {
        guard !open.isEmpty, !left.isEmpty else { return }
        var places: [String: [Int]] = [:]
        for (index, entry) in open.enumerated() { places[key(entry), default: []].append(index) }
        var counts: [String: Int] = [:]
        if isAlone { for item in left { counts[itemKey(item), default: 0] += 1 } }
        var taken: Set<Int> = []
        left = left.filter { item in
            let key = itemKey(item)
            guard isKey(item), let index = places[key]?.first else { return true }
            if isAlone, counts[key] != 1 || places[key]?.count != 1 { return true }
            places[key]?.removeFirst()
            taken.insert(index)
            found.append((open[index].id, item))
            return false
        }
        open = open.enumerated().filter { !taken.contains($0.offset) }.map(\.element)
    }

    /// Whether two entries with one name overlap.
    private static func overlap(_ one: ImportContent, _ other: ImportContent) -> Bool {
        one.start < other.end && other.start < one.end
    }

    /// Matches exhibitions whose first days are no longer in the calendar, or whose last days are new: those with the
    /// same name whose times overlap.
    private mutating func matchExhibitions(_ open: inout [ImportEntry], _ left: inout [Item], _ texts: FoldedTexts) {
        var rows: [String: [(says: ImportContent, index: Int)]] = [:]
        for (index, entry) in open.enumerated() where entry.says.isLong {
            rows[entry.says.name(texts), default: []].append((entry.says, index))
        }
        guard !rows.isEmpty else { return }
        var taken: Set<Int> = []
        var rest: [Item] = []
        for item in left.filter(\.content.isLong) + left.filter({ !$0.content.isLong }) {
            let name = item.content.name(texts)
            if let place = rows[name]?.firstIndex(where: { Self.overlap($0.says, item.content) }),
                let row = rows[name]?.remove(at: place)
            {
                taken.insert(row.index)
                found.append((open[row.index].id, item))
            } else {
                rest.append(item)
            }
        }
        left = rest
        open = open.enumerated().filter { !taken.contains($0.offset) }.map(\.element)
    }

    /// Decides what to do with missing entries.
    private mutating func look(
        for absent: [ImportEntry], of known: [ImportEntry], _ items: [Item], _ unreadable: [String], isCut: Bool,
        isBelieved: Bool, _ texts: FoldedTexts, isNight: Bool, at now: Instant
    ) {
        dropped = absent.filter { $0.taken == nil && !$0.isLeftOut }.map(\.id)
        let last = items.map(\.content.start).max() ?? .min
        let names = Set(unreadable.map { texts[$0] })
        let missed = absent.filter { entry in
            entry.isAhead(at: now) && !entry.isKept
                && !names.contains(texts[entry.says.title]) && !names.contains(texts[entry.uid])
                && !(isCut && entry.says.start >= last)
        }
        let ahead = known.filter { $0.isAhead(at: now) && !$0.isKept }.count
        let isEmpty = !items.contains { !$0.isOff }
        gone = missed.count
        isSuspicious = !missed.isEmpty && !isBelieved && (isEmpty || missed.count * 2 > ahead)
        guard !isSuspicious else { return }
        for entry in missed {
            switch (entry.missedAt, entry.warnedAt) {
            case (nil, _): missing.append((entry.id, .note))
            case (let then?, nil): if isNight, now - then >= Self.night { missing.append((entry.id, .warn)) }
            case (_, let then?): if isNight, now - then >= Self.night { missing.append((entry.id, .callOff)) }
            }
        }
    }
}

extension ImportEntry {
    /// Whether the calendar's content is unchanged.
    fileprivate func isSame(as item: ImportPlan.Item) -> Bool {
        key == item.key && says == item.content && isOff == item.isOff && !isKept && missedAt == nil && warnedAt == nil
    }

    /// The UID in its key; empty if there is none.
    var uid: String {
        key.contains("\u{1F}") ? String(key.prefix { $0 != "\u{1F}" }) : ""
    }
}
