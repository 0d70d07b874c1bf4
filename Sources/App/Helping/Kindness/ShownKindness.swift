import Forms

/// The kind acts that a member shows to others.
struct ShownKindness: Sendable {
    var level: Level?
    var badges: [(badge: Badge, day: Day)] = []
    var streak: Int?
    var record: Int?
    /// Deeds of catalog acts, newest first; people's own acts stay private.
    var history: [(name: Words, day: Day)] = []

    static let historySize = 10

    var isEmpty: Bool { level == nil && badges.isEmpty && streak == nil && record == nil && history.isEmpty }
}
