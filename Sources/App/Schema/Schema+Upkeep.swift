import Database

extension Schema {
    /// The nodes that serve the site on a server's database, and what they agree on. Files have one node alone, and
    /// leave these tables empty.
    ///
    /// - `node`: when each was seen last, by the database's clock.
    /// - `lease`: which of them does what one alone may do, until when, and how many had it before.
    /// - `job`: when what is done by the clock was done last.
    /// - `rate_count`: when the bucket of a count is empty again. `slot` stands for rule and key; without
    ///   the site's key (`SiteKey`) nobody can tell which.
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
