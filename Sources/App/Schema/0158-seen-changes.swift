import Database

extension Schema {
    /// A family that has seen a change has seen those before it, too: else an older one is told as if it were new.
    static let seenChanges = Migration(
        name: "0158-seen-changes",
        text: """
            UPDATE change_seen SET at = (
                SELECT max(seen.at) FROM change_seen AS seen
                JOIN change AS later ON later.id = seen.change_id
                JOIN change ON change.id = change_seen.change_id AND change.event_id = later.event_id
                WHERE seen.account_id = change_seen.account_id AND seen.change_id > change_seen.change_id)
            WHERE at IS NULL;
            """)
}
