import Database

extension Schema {
    /// The nodes that serve the site with a server's database, and their coordination. With files there is only one
    /// node, and these tables stay empty.
    ///
    /// - `node`: when each was last seen, by the database's clock.
    /// - `lease`: which node holds an exclusive task, until when, and how many have held it before.
    /// - `job`: when each scheduled job last ran.
    /// - `rate_count`: when a count's bucket is empty again. `slot` identifies rule and key; without the site's key
    ///   (`SiteKey`) nobody can tell which.
    static let upkeep = Migration(
        name: "upkeep",
        text: """
            CREATE TABLE node (
                id @integer NOT NULL PRIMARY KEY,
                name @text NOT NULL,
                version @text NOT NULL,
                started_at @integer NOT NULL,
                seen_at @integer NOT NULL,
                lag @integer NOT NULL,
                ahead @integer NOT NULL
            );
            CREATE TABLE lease (
                name @text NOT NULL PRIMARY KEY,
                node_id @integer NOT NULL,
                term @integer NOT NULL,
                ends_at @integer NOT NULL
            );
            CREATE TABLE job (
                name @text NOT NULL PRIMARY KEY,
                last_at @integer NOT NULL
            );
            CREATE TABLE rate_count (
                slot @integer NOT NULL PRIMARY KEY,
                empty_at @integer NOT NULL
            );
            CREATE INDEX rate_count_empty ON rate_count (empty_at);
            """)
}
