/// What a calendar says of one thing: what can be compared with what it said before.
struct ImportContent: Codable, Hashable, Sendable {
    var title: String
    var text: String
    var place: String
    var link: String
    var tags: [String]
    /// In milliseconds since 1970, as an `Instant` has them.
    var start: Int64
    var end: Int64
    var isAllDay: Bool
    /// By whose clock its days are those of the calendar.
    var zone: String

    /// The most of a text that an event has.
    static let mostText = 4_000
    /// The most of a place that is kept.
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

    /// What can't be read anymore.
    static let unknown = ImportContent(
        ImportedEntry(
            uid: nil, occurrence: nil, title: "", text: "", place: nil, link: nil, tags: [],
            start: Instant(milliseconds: 0), end: Instant(milliseconds: 0), isAllDay: false, zone: .utc,
            isCanceled: false))

    var startsAt: Instant { Instant(milliseconds: start) }
    var endsAt: Instant { Instant(milliseconds: end) }

    /// Title and place, as they are compared.
    func name(_ texts: FoldedTexts) -> String { "\(texts[title])|\(texts[place])" }
    /// When it is and what: two of one are the same thing.
    func spot(_ texts: FoldedTexts) -> String { "\(start)|\(name(texts))" }
    /// The day on which it begins.
    var day: Day { Zone(stored: zone).day(of: startsAt) }
    /// Whether it lasts more than a day.
    var isLong: Bool { endsAt - startsAt > .hours(24) }
}

/// An entry of a calendar as it was read the last time, and what it became here.
struct ImportEntry: Sendable {
    let id: ID<ImportEntry>
    let key: String
    /// What the calendar said last.
    let says: ImportContent
    /// What of it was put into the event; nil where there never was one.
    var taken: ImportContent?
    /// The fields of the event as they were then: what differs by now was changed by hand.
    var fields = ""
    var event: ID<Event>?
    /// When the event begins, and whether it was called off.
    var startsAt: Instant?
    var isEventOff = false
    /// Whether somebody left it out, or keeps it though it is gone from the calendar.
    var isLeftOut = false
    var isKept = false
    /// Whether the calendar says that it doesn't take place.
    var isOff = false
    /// Since when it is gone, and when its organization was told.
    var missedAt: Instant?
    var warnedAt: Instant?
    /// Why it can't be an event here; empty where nothing is wrong.
    var refused = ""

    /// Whether it is an event that can still be changed.
    func isAhead(at now: Instant) -> Bool { event != nil && !isEventOff && startsAt.map { $0 > now } ?? false }
    /// Whether somebody deleted the event: it doesn't come back.
    var isDeleted: Bool { taken != nil && event == nil }
    /// Whether it waits to be published.
    func isNew(at now: Instant) -> Bool {
        event == nil && taken == nil && !isLeftOut && !isOff && says.startsAt > now
    }
    /// Whether the calendar says something else by now.
    func isChanged(at now: Instant) -> Bool {
        isAhead(at: now) && !isOff && missedAt == nil && taken.map { $0 != says } ?? false
    }
    /// Whether the calendar called it off, and the site hasn't yet.
    func isToCallOff(at now: Instant) -> Bool { isAhead(at: now) && isOff }
    /// Whether it is gone from the calendar, and isn't kept.
    func isGone(at now: Instant) -> Bool { isAhead(at: now) && missedAt != nil && !isKept }
}

/// Titles, places and UIDs as they are compared. Each is folded once, before the plan is made: that takes its time, and
/// the plan is made while nobody else can write.
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

/// What follows from reading a calendar: which entry is which of those that are known.
///
/// An entry is known by its UID and, of what is repeated, by which time it is. Where those changed, as Outlook's do, it
/// is known by its start, title and place. There are never two events for one entry, and never one for two.
struct ImportPlan: Sendable {
    /// Those that are new.
    private(set) var fresh: [Item] = []
    /// Those that are known already, and what is said of them now.
    private(set) var found: [(id: ID<ImportEntry>, item: Item)] = []
    private(set) var missing: [(id: ID<ImportEntry>, step: Step)] = []
    /// Those of them of which something is to be written down.
    private(set) var changed: [(id: ID<ImportEntry>, item: Item)] = []
    /// Those that were never published, and are gone.
    private(set) var dropped: [ID<ImportEntry>] = []
    /// Whether so much is gone at once that the calendar itself may be broken.
    private(set) var isSuspicious = false
    /// How many events are gone from the calendar.
    private(set) var gone = 0

    /// An entry as it was read now.
    struct Item: Sendable, Hashable {
        let key: String
        let uid: String
        let content: ImportContent
        let isOff: Bool
    }

    /// What becomes of an event that is gone from its calendar.
    enum Step: Sendable, Equatable {
        /// Missed for the first time: nothing yet.
        case note
        /// Missed in a night after that: its organization is told.
        case warn
        /// Missed in a night after that.
        case callOff
    }

    /// So long after one night is another one, whatever somebody reads between them.
    private static let night = Duration.hours(20)

    /// - Parameters:
    ///   - unreadable: The titles or UIDs of entries that couldn't be read: those aren't gone.
    ///   - isCut: Whether the calendar has more than was read.
    ///   - isBelieved: Whether somebody said that what is gone is meant to be.
    ///   - isNight: Whether it was read by itself, and not by somebody's press.
    ///   - folding: The texts of both, where they were folded before.
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
        // Of one that runs, some days may be all that is left in the calendar.
        let running = Dictionary(
            grouping: known.compactMap { $0.event == nil ? nil : $0.taken }.filter {
                $0.isLong && $0.startsAt <= now && $0.endsAt > now
            }, by: { $0.name(texts) })
        fresh = left.filter { item in
            !item.isOff && item.content.startsAt > now
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
        // What takes place stands before what is called off, where both say the same.
        for entry in entries.filter({ !$0.isCanceled }) + entries.filter(\.isCanceled) {
            let content = ImportContent(entry)
            guard content.endsAt > now || content.startsAt > now else { continue }
            let uid = entry.uid.flatMap { $0.utf8.count <= 500 ? $0 : nil } ?? ""
            let spot = content.spot(texts)
            let key = uid.isEmpty ? "at \(spot)" : "\(uid)\u{1F}\(entry.occurrence ?? "")"
            guard !keys.contains(key), !spots.contains(spot) else { continue }
            keys.insert(key)
            spots.insert(spot)
            items.append(Item(key: key, uid: uid, content: content, isOff: entry.isCanceled))
        }
        return items
    }

    /// Takes those of both that say the same together, each once, in their order.
    ///
    /// - Parameters:
    ///   - isKey: Which items can be known so.
    ///   - isAlone: Whether only what is the only one on both sides is the same.
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

    /// Whether two of one name are at the same time.
    private static func overlap(_ one: ImportContent, _ other: ImportContent) -> Bool {
        one.start < other.end && other.start < one.end
    }

    /// Takes together exhibitions of which the first days are no longer in the calendar, or the last ones new, and
    /// their last days: those of one name whose times overlap.
    private mutating func matchExhibitions(
        _ open: inout [ImportEntry], _ left: inout [Item], _ texts: FoldedTexts
    ) {
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

    /// Says what becomes of those that the calendar no longer has.
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
    /// Whether the calendar says of it what it said before.
    fileprivate func isSame(as item: ImportPlan.Item) -> Bool {
        key == item.key && says == item.content && isOff == item.isOff && !isKept && missedAt == nil && warnedAt == nil
    }

    /// The UID in its key; empty of one that has none.
    var uid: String {
        key.contains("\u{1F}") ? String(key.prefix { $0 != "\u{1F}" }) : ""
    }
}
