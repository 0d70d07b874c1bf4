import Database

extension Schema {
    /// Accounts, sessions and the second step; one-time links; e-mail addresses and their changes.
    ///
    /// `account.waits_since` is the sign-up time of a member who isn't let in yet. `inviter_id` forms the tree of
    /// invitations; `branch_id` is the first account below the trunk, which is nobody or staff: it is NULL for that
    /// account itself. Preferences are NULL if they have their defaults. An account that left stays as a bare number,
    /// so that what others saw remains consistent.
    static let accounts = Migration(
        name: "accounts",
        text: """
            -- `is_neighbor`: said to be here as neither parent nor provider, and is asked no more.
            -- `refused_at`, `refusal`: letters to the address don't arrive, and what its mail server said; with
            -- `came_back` it took them first and sent them back later.
            CREATE TABLE account (
                id @id,
                email @text NOT NULL UNIQUE,
                username @text NOT NULL UNIQUE,
                password @text NOT NULL,
                is_staff @boolean NOT NULL DEFAULT FALSE,
                last_hat @text CHECK (last_hat IN ('parent', 'provider')),
                is_neighbor @boolean NOT NULL DEFAULT FALSE,
                suspended_at @integer,
                created_at @integer NOT NULL,
                updated_at @integer NOT NULL,
                confirmed_at @integer,
                unread @integer NOT NULL DEFAULT 0 CHECK (unread >= 0),
                two_step_by @integer,
                look @text CHECK (look IN ('light', 'dark')),
                text_size @text CHECK (text_size IN ('large', 'larger')),
                unit @text CHECK (unit IN ('mi', 'km')),
                distance @integer,
                language @text,
                left_at @integer,
                limited_until @integer,
                waits_since @integer,
                inviter_id @integer REFERENCES account (id) ON DELETE SET NULL,
                branch_id @integer,
                is_admin @boolean NOT NULL DEFAULT FALSE,
                zone @text,
                refused_at @integer,
                refusal @text NOT NULL DEFAULT '',
                came_back @boolean NOT NULL DEFAULT FALSE
            );
            CREATE INDEX account_created ON account (created_at);

            -- User names of members who left, which nobody may take until then: a keyed hash.
            CREATE TABLE former_name (
                hash @blob NOT NULL PRIMARY KEY,
                until @integer NOT NULL
            );
            CREATE INDEX former_name_until ON former_name (until);

            CREATE INDEX account_suspended ON account (suspended_at) WHERE suspended_at IS NOT NULL;
            CREATE INDEX account_staff ON account (id) WHERE is_staff;
            CREATE INDEX account_waits ON account (waits_since, id) WHERE waits_since IS NOT NULL;
            CREATE INDEX account_inviter ON account (inviter_id, id) WHERE inviter_id IS NOT NULL;
            CREATE INDEX account_admin ON account (id) WHERE is_admin;
            CREATE INDEX account_left ON account (left_at) WHERE left_at IS NOT NULL;
            CREATE INDEX account_refused ON account (refused_at) WHERE refused_at IS NOT NULL;

            CREATE TABLE session (
                id @id,
                token_hash @blob NOT NULL UNIQUE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                csrf @blob NOT NULL,
                hat @text CHECK (hat IN ('parent', 'provider')),
                device @text NOT NULL,
                created_at @integer NOT NULL,
                seen_at @integer NOT NULL,
                network @text NOT NULL DEFAULT ''
            );
            CREATE INDEX session_account ON session (account_id, seen_at);
            CREATE INDEX session_seen ON session (seen_at);

            CREATE TABLE setup_link (
                id @id,
                token_hash @blob NOT NULL UNIQUE,
                created_at @integer NOT NULL,
                ended @text CHECK (ended IN ('used', 'replaced'))
            );

            -- Made when the new address is confirmed, undone from the old one for three days.
            CREATE TABLE email_change (
                id @id,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                old_email @text NOT NULL,
                new_email @text NOT NULL,
                asked_at @integer NOT NULL,
                made_at @integer,
                undo_hash @blob UNIQUE,
                undo_until @integer,
                ended @text CHECK (ended IN ('used', 'replaced'))
            );
            CREATE INDEX email_change_account ON email_change (account_id, id);
            CREATE INDEX email_change_old ON email_change (old_email);
            CREATE INDEX email_change_asked ON email_change (asked_at);

            -- `detail` is the address that using it confirms, a colleague's duty, or a note of whom it is for.
            CREATE TABLE one_time_link (
                id @id,
                token_hash @blob NOT NULL UNIQUE,
                kind @text NOT NULL CHECK (kind IN ('reset', 'confirm', 'change', 'guardian', 'colleague', 'invitation',
                    'challenge', 'site_invitation')),
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                detail @text NOT NULL,
                change_id @integer REFERENCES email_change (id) ON DELETE CASCADE,
                -- Of an invitation by the site, a keyed hash of the address, until it ends.
                invited @blob UNIQUE,
                expires_at @integer NOT NULL,
                ended @text CHECK (ended IN ('used', 'replaced')),
                CHECK ((change_id IS NOT NULL) = (kind = 'change'))
            );
            CREATE INDEX one_time_link_account ON one_time_link (account_id, kind, expires_at);
            CREATE INDEX one_time_link_expires ON one_time_link (expires_at);
            CREATE INDEX one_time_link_change ON one_time_link (change_id) WHERE change_id IS NOT NULL;

            -- The secret that an app on a phone shares. `last_step` is the half minute of the last code that was
            -- used.
            CREATE TABLE two_step (
                id @id,
                account_id @integer NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
                secret @blob NOT NULL,
                begun_at @integer NOT NULL,
                turned_on_at @integer,
                last_step @integer NOT NULL DEFAULT 0,
                failures @integer NOT NULL DEFAULT 0,
                waits_until @integer NOT NULL DEFAULT 0
            );

            -- For when the phone is lost.
            CREATE TABLE recovery_code (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                number @integer NOT NULL,
                hash @text NOT NULL,
                PRIMARY KEY (account_id, number)
            );

            -- Log-ins between the two steps.
            CREATE TABLE pending_log_in (
                id @id,
                token_hash @blob NOT NULL UNIQUE,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                ends_at @integer NOT NULL
            );
            CREATE INDEX pending_log_in_account ON pending_log_in (account_id);
            CREATE INDEX pending_log_in_ends ON pending_log_in (ends_at);

            -- People who may log in with the account that they have elsewhere, as an admin wrote down. What they are
            -- called there is known from their first log-in on.
            CREATE TABLE outside_log_in (
                account_id @integer PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
                email @text NOT NULL UNIQUE,
                staff_id @integer REFERENCES account (id) ON DELETE SET NULL,
                at @integer NOT NULL,
                issuer @text,
                subject @text,
                first_at @integer,
                UNIQUE (issuer, subject)
            );
            CREATE INDEX outside_log_in_staff ON outside_log_in (staff_id);

            -- The words of their names, by which staff find people.
            CREATE TABLE person_word (
                word @text NOT NULL,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                PRIMARY KEY (word, account_id)
            );
            CREATE INDEX person_word_account ON person_word (account_id);

            -- The forms that an account sent, so that the same `once` with other words is told from the same form
            -- sent twice.
            CREATE TABLE sent_form (
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                once @text NOT NULL,
                path @text NOT NULL,
                digest @integer NOT NULL,
                at @integer NOT NULL,
                PRIMARY KEY (account_id, once, path)
            );
            CREATE INDEX sent_form_at ON sent_form (at);
            """)
}
