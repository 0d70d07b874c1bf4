import Database

extension Schema {
    /// Needs that somebody met and friends who came since they were invited, each counted with a badge; a streak that
    /// two parents keep; and what of their kind acts somebody lets others see. A badge for friends comes from no deed.
    static let badges = Migration(
        name: "0137-kindness",
        text: """
            ALTER TABLE standing ADD COLUMN needs @integer NOT NULL DEFAULT 0 CHECK (needs >= 0);
            ALTER TABLE standing ADD COLUMN friends @integer NOT NULL DEFAULT 0 CHECK (friends >= 0);
            UPDATE standing SET needs = (SELECT count(*) FROM deed
                WHERE deed.account_id = standing.account_id AND deed.act = 9999);
            UPDATE standing SET friends = (SELECT count(*) FROM account
                WHERE account.inviter_id = standing.account_id AND account.confirmed_at IS NOT NULL);

            CREATE TABLE new_badge (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                kind @text NOT NULL,
                deed_id @integer REFERENCES deed (id) ON DELETE CASCADE,
                day @text NOT NULL,
                PRIMARY KEY (account_id, kind)
            );
            INSERT INTO new_badge (account_id, kind, deed_id, day)
            SELECT account_id, kind, deed_id, day FROM badge ORDER BY account_id, kind;
            DROP TABLE badge;
            ALTER TABLE new_badge RENAME TO badge;
            CREATE INDEX badge_deed ON badge (deed_id) WHERE deed_id IS NOT NULL;
            -- What was earned before there were badges for it.
            INSERT INTO badge (account_id, kind, deed_id, day)
            SELECT account_id, 'first_need', NULL, CURRENT_DATE FROM standing WHERE needs >= 1
            UNION ALL SELECT account_id, 'ten_needs', NULL, CURRENT_DATE FROM standing WHERE needs >= 10
            UNION ALL SELECT account_id, 'first_friend', NULL, CURRENT_DATE FROM standing WHERE friends >= 1
            UNION ALL SELECT account_id, 'five_friends', NULL, CURRENT_DATE FROM standing WHERE friends >= 5;

            -- Who keeps a streak together with the other parent, and from which day on.
            CREATE TABLE family_streak (
                account_id @integer NOT NULL PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
                since @text NOT NULL
            );

            -- A bit for each part of `KindnessPart`.
            ALTER TABLE person ADD COLUMN shows @integer NOT NULL DEFAULT 0;
            """)
}
