-- The schema that all migrations together make, for reading. A test holds it.
CREATE TABLE absence (
    signup_id INTEGER PRIMARY KEY REFERENCES signup (id) ON DELETE CASCADE,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX absence_at ON absence (at);
CREATE TABLE account (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    email TEXT NOT NULL UNIQUE,
    username TEXT NOT NULL UNIQUE,
    password TEXT NOT NULL,
    is_staff INTEGER CHECK (is_staff IN (0, 1)) NOT NULL DEFAULT FALSE,
    last_hat TEXT CHECK (last_hat IN ('parent', 'provider')),
    is_neighbor INTEGER CHECK (is_neighbor IN (0, 1)) NOT NULL DEFAULT FALSE,
    suspended_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    confirmed_at INTEGER,
    unread INTEGER NOT NULL DEFAULT 0 CHECK (unread >= 0),
    two_step_by INTEGER,
    look TEXT CHECK (look IN ('light', 'dark')),
    text_size TEXT CHECK (text_size IN ('large', 'larger')),
    unit TEXT CHECK (unit IN ('mi', 'km')),
    distance INTEGER,
    language TEXT,
    left_at INTEGER,
    limited_until INTEGER,
    waits_since INTEGER,
    inviter_id INTEGER REFERENCES account (id) ON DELETE SET NULL,
    branch_id INTEGER,
    is_admin INTEGER CHECK (is_admin IN (0, 1)) NOT NULL DEFAULT FALSE,
    zone TEXT,
    refused_at INTEGER,
    refusal TEXT NOT NULL DEFAULT '',
    came_back INTEGER CHECK (came_back IN (0, 1)) NOT NULL DEFAULT FALSE
) STRICT;
CREATE INDEX account_admin ON account (id) WHERE is_admin;
CREATE INDEX account_created ON account (created_at);
CREATE INDEX account_inviter ON account (inviter_id, id) WHERE inviter_id IS NOT NULL;
CREATE INDEX account_left ON account (left_at) WHERE left_at IS NOT NULL;
CREATE INDEX account_refused ON account (refused_at) WHERE refused_at IS NOT NULL;
CREATE INDEX account_staff ON account (id) WHERE is_staff;
CREATE INDEX account_suspended ON account (suspended_at) WHERE suspended_at IS NOT NULL;
CREATE INDEX account_waits ON account (waits_since, id) WHERE waits_since IS NOT NULL;
CREATE TABLE act_reminder (
    account_id INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    minute INTEGER NOT NULL CHECK (minute BETWEEN 0 AND 1439),
    due_at INTEGER NOT NULL
) STRICT;
CREATE INDEX act_reminder_due ON act_reminder (due_at, account_id);
CREATE TABLE activity (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    info TEXT NOT NULL,
    place TEXT NOT NULL,
    day TEXT NOT NULL,
    start_minute INTEGER NOT NULL,
    end_minute INTEGER,
    end_day TEXT,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL CHECK (ends_at >= starts_at),
    spots INTEGER CHECK (spots > 0),
    age_from INTEGER,
    age_to INTEGER,
    taken INTEGER NOT NULL DEFAULT 0 CHECK (taken >= 0),
    cancelled_at INTEGER,
    latitude REAL CHECK (latitude BETWEEN -90 AND 90),
    longitude REAL CHECK (longitude BETWEEN -180 AND 180),
    CHECK (spots IS NULL OR taken <= spots)
) STRICT;
CREATE INDEX activity_event ON activity (event_id, starts_at, id);
CREATE TABLE activity_wait (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    activity_id INTEGER NOT NULL REFERENCES activity (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    child_id INTEGER REFERENCES child (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX activity_wait_account ON activity_wait (account_id);
CREATE INDEX activity_wait_child ON activity_wait (child_id);
CREATE UNIQUE INDEX activity_wait_person ON activity_wait (activity_id, account_id, coalesce(child_id, 0));
CREATE INDEX activity_wait_turn ON activity_wait (activity_id, id);
CREATE TABLE announcement (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id INTEGER REFERENCES event (id) ON DELETE CASCADE,
    opportunity_id INTEGER REFERENCES opportunity (id) ON DELETE CASCADE,
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    tells_waiting INTEGER CHECK (tells_waiting IN (0, 1)) NOT NULL,
    readers TEXT NOT NULL DEFAULT '',
    families INTEGER NOT NULL DEFAULT 0,
    once TEXT NOT NULL,
    at INTEGER NOT NULL,
    CHECK ((event_id IS NULL) <> (opportunity_id IS NULL)),
    UNIQUE (event_id, once),
    UNIQUE (opportunity_id, once)
) STRICT;
CREATE INDEX announcement_event ON announcement (event_id, at, id);
CREATE INDEX announcement_opportunity ON announcement (opportunity_id, at, id);
CREATE TABLE ask (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    root_id INTEGER,
    place INTEGER NOT NULL,
    version INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('agree', 'photo', 'choice', 'line')),
    text TEXT NOT NULL,
    options TEXT NOT NULL,
    why TEXT NOT NULL,
    is_each INTEGER CHECK (is_each IN (0, 1)) NOT NULL,
    is_required INTEGER CHECK (is_required IN (0, 1)) NOT NULL,
    days INTEGER NOT NULL CHECK (days BETWEEN 1 AND 365)
) STRICT;
CREATE INDEX ask_event ON ask (event_id, place, id);
CREATE TABLE attendance (
    activity_id INTEGER NOT NULL REFERENCES activity (id) ON DELETE CASCADE,
    person_id INTEGER NOT NULL REFERENCES registration_person (id) ON DELETE CASCADE,
    arrived_at INTEGER,
    agreed_start INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (activity_id, person_id)
) STRICT;
CREATE INDEX attendance_person ON attendance (person_id);
CREATE TABLE badge (
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    deed_id INTEGER REFERENCES deed (id) ON DELETE CASCADE,
    day TEXT NOT NULL,
    PRIMARY KEY (account_id, kind)
) STRICT;
CREATE INDEX badge_deed ON badge (deed_id) WHERE deed_id IS NOT NULL;
CREATE TABLE block (
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    blocked_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    PRIMARY KEY (account_id, blocked_id)
) STRICT;
CREATE INDEX block_blocked ON block (blocked_id, account_id);
CREATE TABLE blocked_domain (
    domain TEXT NOT NULL PRIMARY KEY,
    staff_id INTEGER REFERENCES account (id) ON DELETE SET NULL,
    wave_id INTEGER REFERENCES wave (id) ON DELETE SET NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX blocked_domain_staff ON blocked_domain (staff_id);
CREATE INDEX blocked_domain_wave ON blocked_domain (wave_id) WHERE wave_id IS NOT NULL;
CREATE TABLE calendar_import (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    -- Empty of one that is brought as a file.
    address TEXT NOT NULL DEFAULT '',
    settings TEXT NOT NULL,
    once TEXT NOT NULL,
    -- Whether what is new is published without asking; nil until the first press.
    publishes INTEGER CHECK (publishes IN (0, 1)),
    validators TEXT NOT NULL DEFAULT '',
    read_at INTEGER,
    -- When all of it was read the last time, not only asked whether it is as it was.
    whole_at INTEGER,
    -- When it is read next, where it has an address.
    due_at INTEGER,
    -- How many nights in a row it couldn't be read, and why.
    failed INTEGER NOT NULL DEFAULT 0,
    problem TEXT NOT NULL DEFAULT '',
    -- What in it can't be read, a line each.
    unreadable TEXT NOT NULL DEFAULT '',
    -- Since when so much is gone from it that nothing is called off; and whether its organization said that
    -- it is right so.
    suspected_on TEXT,
    is_believed INTEGER CHECK (is_believed IN (0, 1)) NOT NULL DEFAULT FALSE,
    created_at INTEGER NOT NULL,
    UNIQUE (account_id, once)
) STRICT;
CREATE INDEX calendar_import_due ON calendar_import (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX calendar_import_list ON calendar_import (account_id, id);
CREATE TABLE calendar_link (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    scope TEXT NOT NULL CHECK (scope IN ('account', 'family', 'child')),
    child_id INTEGER REFERENCES child (id) ON DELETE CASCADE,
    token_hash BLOB NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    CHECK ((child_id IS NOT NULL) = (scope = 'child'))
) STRICT;
CREATE INDEX calendar_link_child ON calendar_link (child_id);
CREATE UNIQUE INDEX calendar_link_scope ON calendar_link (account_id, scope, coalesce(child_id, 0));
CREATE TABLE care_note (
    person_id INTEGER PRIMARY KEY REFERENCES registration_person (id) ON DELETE CASCADE,
    event_id INTEGER NOT NULL REFERENCES event (id),
    allergies TEXT NOT NULL,
    emergency_phone TEXT NOT NULL,
    collectors TEXT NOT NULL,
    erase_at INTEGER NOT NULL,
    agreed_start INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX care_note_erase ON care_note (erase_at);
CREATE INDEX care_note_event ON care_note (event_id);
CREATE TABLE certificate (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    code TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    year INTEGER NOT NULL,
    minutes INTEGER NOT NULL CHECK (minutes > 0),
    lines TEXT NOT NULL,
    once TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    withdrawn_at INTEGER,
    is_own_name INTEGER CHECK (is_own_name IN (0, 1)) NOT NULL DEFAULT TRUE,
    UNIQUE (account_id, once)
) STRICT;
CREATE INDEX certificate_account ON certificate (account_id, id);
CREATE TABLE challenge (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token_hash BLOB NOT NULL UNIQUE,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    act INTEGER NOT NULL,
    message TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    mailed_at INTEGER,
    ended TEXT CHECK (ended IN ('used', 'replaced')),
    taker_id INTEGER REFERENCES account (id) ON DELETE SET NULL,
    deed_id INTEGER REFERENCES deed (id) ON DELETE SET NULL,
    told_at INTEGER,
    taken_at INTEGER
) STRICT;
CREATE INDEX challenge_account ON challenge (account_id, id);
CREATE INDEX challenge_deed ON challenge (deed_id) WHERE deed_id IS NOT NULL;
CREATE INDEX challenge_expires ON challenge (expires_at);
CREATE INDEX challenge_taker ON challenge (taker_id, act) WHERE taker_id IS NOT NULL;
CREATE TABLE change (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    edit_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    what TEXT NOT NULL CHECK (
        what IN ('time', 'place', 'places', 'price', 'ages', 'link', 'dates', 'questions')),
    said_before TEXT NOT NULL,
    says_now TEXT NOT NULL
) STRICT;
CREATE INDEX change_edit ON change (edit_id, id);
CREATE INDEX change_event ON change (event_id, id);
CREATE TABLE change_seen (
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    change_id INTEGER NOT NULL REFERENCES change (id) ON DELETE CASCADE,
    at INTEGER,
    PRIMARY KEY (account_id, change_id)
) STRICT;
CREATE INDEX change_seen_change ON change_seen (change_id);
CREATE INDEX change_unseen ON change_seen (account_id, change_id) WHERE at IS NULL;
CREATE TABLE child (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    family_id INTEGER NOT NULL REFERENCES family (id) ON DELETE CASCADE,
    nickname TEXT NOT NULL,
    birth_month INTEGER NOT NULL CHECK (birth_month BETWEEN 1 AND 12),
    birth_year INTEGER NOT NULL CHECK (birth_year BETWEEN 1900 AND 2200),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    allergies TEXT NOT NULL DEFAULT '',
    emergency_phone TEXT NOT NULL DEFAULT '',
    collectors TEXT NOT NULL DEFAULT '',
    changed_by INTEGER REFERENCES account (id) ON DELETE SET NULL
) STRICT;
CREATE INDEX child_changed_by ON child (changed_by) WHERE changed_by IS NOT NULL;
CREATE INDEX child_family ON child (family_id, birth_year, birth_month, id);
CREATE TABLE claim (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    need_id INTEGER NOT NULL REFERENCES need (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    count INTEGER NOT NULL CHECK (count >= 1),
    message TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('asked', 'taken', 'brought', 'done', 'ended')),
    made_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    reminded_at INTEGER,
    is_reminded INTEGER CHECK (is_reminded IN (0, 1)) NOT NULL DEFAULT FALSE,
    brought_at INTEGER,
    over_at INTEGER
) STRICT;
CREATE INDEX claim_account ON claim (account_id, id);
CREATE INDEX claim_asked ON claim (need_id, made_at) WHERE state = 'asked';
CREATE INDEX claim_ending ON claim (ends_at) WHERE state = 'taken' AND NOT is_reminded;
CREATE INDEX claim_ends ON claim (ends_at) WHERE state IN ('asked', 'taken');
CREATE INDEX claim_need ON claim (need_id, id);
CREATE UNIQUE INDEX claim_open ON claim (account_id, need_id) WHERE state IN ('asked', 'taken', 'brought');
CREATE TABLE cohost (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    account_id INTEGER REFERENCES account (id) ON DELETE CASCADE,
    typed TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('asked', 'taken', 'declined')),
    is_listed INTEGER CHECK (is_listed IN (0, 1)) NOT NULL DEFAULT TRUE,
    at INTEGER NOT NULL,
    UNIQUE (account_id, event_id)
) STRICT;
CREATE INDEX cohost_event ON cohost (event_id, id);
CREATE INDEX cohost_open ON cohost (at) WHERE state <> 'taken';
CREATE TABLE colleague (
    account_id INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    host_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    duty TEXT NOT NULL CHECK (duty IN ('edit', 'roster')),
    was_owner INTEGER CHECK (was_owner IN (0, 1)) NOT NULL DEFAULT FALSE,
    since INTEGER NOT NULL,
    CHECK (account_id <> host_id)
) STRICT;
CREATE INDEX colleague_host ON colleague (host_id, since);
CREATE TABLE comment (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    post_id INTEGER NOT NULL REFERENCES post (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES account (id),
    text TEXT NOT NULL,
    once TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    hidden_at INTEGER,
    UNIQUE (account_id, once)
) STRICT;
CREATE INDEX comment_account ON comment (account_id, id);
CREATE INDEX comment_post ON comment (post_id, id);
CREATE TABLE companion (
    signup_id INTEGER REFERENCES signup (id) ON DELETE CASCADE,
    wait_id INTEGER REFERENCES shift_wait (id) ON DELETE CASCADE,
    child_id INTEGER NOT NULL REFERENCES child (id) ON DELETE CASCADE,
    erase_at INTEGER NOT NULL,
    CHECK ((signup_id IS NULL) <> (wait_id IS NULL))
) STRICT;
CREATE INDEX companion_child ON companion (child_id);
CREATE INDEX companion_erase ON companion (erase_at);
CREATE UNIQUE INDEX companion_signup ON companion (signup_id, child_id) WHERE signup_id IS NOT NULL;
CREATE UNIQUE INDEX companion_wait ON companion (wait_id, child_id) WHERE wait_id IS NOT NULL;
CREATE TABLE contribution (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER REFERENCES account (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('hours', 'shadow', 'money', 'things')),
    host_id INTEGER REFERENCES account (id) ON DELETE SET NULL,
    host_name TEXT NOT NULL,
    opportunity_id INTEGER REFERENCES opportunity (id) ON DELETE SET NULL,
    signup_id INTEGER REFERENCES signup (id) ON DELETE SET NULL,
    promise_id INTEGER UNIQUE REFERENCES promise (id) ON DELETE SET NULL,
    title TEXT NOT NULL,
    day TEXT NOT NULL,
    minutes INTEGER CHECK (minutes BETWEEN 1 AND 1560),
    confirmed INTEGER CHECK (confirmed BETWEEN 1 AND 1560),
    confirmed_at INTEGER,
    amount INTEGER CHECK (amount > 0),
    currency TEXT NOT NULL,
    count INTEGER CHECK (count > 0),
    once TEXT NOT NULL,
    at INTEGER NOT NULL,
    helper_name TEXT NOT NULL DEFAULT '',
    confirmer_id INTEGER REFERENCES account (id) ON DELETE SET NULL,
    in_minute INTEGER CHECK (in_minute BETWEEN 0 AND 1439),
    out_minute INTEGER CHECK (out_minute BETWEEN 0 AND 1439),
    guest_id INTEGER UNIQUE REFERENCES guest (id) ON DELETE CASCADE,
    UNIQUE (account_id, once),
    UNIQUE (signup_id, day),
    CHECK ((account_id IS NULL) <> (guest_id IS NULL))
) STRICT;
CREATE INDEX contribution_account ON contribution (account_id, day, id);
CREATE INDEX contribution_confirmer ON contribution (confirmer_id) WHERE confirmer_id IS NOT NULL;
CREATE INDEX contribution_days ON contribution (host_id, day, id) WHERE confirmed IS NOT NULL;
CREATE INDEX contribution_host ON contribution (host_id, account_id);
CREATE INDEX contribution_opportunity ON contribution (opportunity_id, id);
CREATE TABLE decision (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    subject TEXT NOT NULL,
    author_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    staff_id INTEGER REFERENCES account (id) ON DELETE SET NULL,
    act TEXT NOT NULL
        CHECK (act IN ('fine', 'note', 'hide', 'ask', 'limit', 'suspend', 'admit', 'refuse', 'delete')),
    ground TEXT NOT NULL CHECK (ground IN ('unkind', 'spam', 'private', 'danger', 'other')),
    reason TEXT NOT NULL,
    until INTEGER,
    at INTEGER NOT NULL,
    ended_at INTEGER,
    answer TEXT NOT NULL DEFAULT '',
    answered_at INTEGER,
    kept_back INTEGER CHECK (kept_back IN (0, 1)) NOT NULL DEFAULT FALSE,
    words TEXT NOT NULL DEFAULT '',
    verifies INTEGER CHECK (verifies IN (0, 1)) NOT NULL DEFAULT FALSE,
    reply TEXT NOT NULL DEFAULT '',
    replied_at INTEGER,
    said TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX decision_at ON decision (at);
CREATE INDEX decision_author ON decision (author_id, id);
CREATE UNIQUE INDEX decision_removal ON decision (author_id) WHERE act = 'delete' AND ended_at IS NULL;
CREATE INDEX decision_staff ON decision (staff_id);
CREATE INDEX decision_subject ON decision (subject, id);
CREATE TABLE deed (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('act', 'need')),
    act INTEGER NOT NULL,
    theme TEXT NOT NULL,
    day TEXT NOT NULL,
    points INTEGER NOT NULL CHECK (points >= 0),
    is_of_day INTEGER CHECK (is_of_day IN (0, 1)) NOT NULL,
    has_children INTEGER CHECK (has_children IN (0, 1)) NOT NULL,
    note TEXT NOT NULL,
    level INTEGER NOT NULL,
    once TEXT NOT NULL,
    done_at INTEGER NOT NULL,
    UNIQUE (account_id, act, once)
) STRICT;
CREATE INDEX deed_act ON deed (account_id, act, id);
CREATE INDEX deed_day ON deed (account_id, day, act);
CREATE INDEX deed_done ON deed (account_id, done_at);
CREATE INDEX deed_of_day ON deed (account_id, day) WHERE is_of_day;
CREATE INDEX deed_theme ON deed (account_id, theme);
CREATE TABLE digest (
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    count INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, event_id)
) STRICT;
CREATE INDEX digest_due ON digest (due_at, account_id);
CREATE TABLE draft (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    title TEXT NOT NULL,
    form TEXT NOT NULL,
    picture_id INTEGER,
    once TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    kind TEXT NOT NULL DEFAULT 'event' CHECK (kind IN ('event', 'opportunity')),
    is_own INTEGER CHECK (is_own IN (0, 1)) NOT NULL DEFAULT FALSE,
    keeper_id INTEGER REFERENCES account (id) ON DELETE SET NULL,
    UNIQUE (account_id, once)
) STRICT;
CREATE INDEX draft_account ON draft (account_id, updated_at, id);
CREATE INDEX draft_keeper ON draft (keeper_id) WHERE keeper_id IS NOT NULL;
CREATE INDEX draft_picture ON draft (picture_id) WHERE picture_id IS NOT NULL;
CREATE TABLE draw (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    title TEXT NOT NULL,
    first_zips TEXT NOT NULL,
    last_day TEXT NOT NULL,
    until_at INTEGER NOT NULL,
    once TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    sealed_at INTEGER,
    hash TEXT NOT NULL DEFAULT '',
    -- How many families and how many wishes that was of, also once they are erased.
    families INTEGER,
    wishes INTEGER,
    seed TEXT,
    drawn_at INTEGER,
    progress INTEGER NOT NULL DEFAULT 0,
    done_at INTEGER,
    UNIQUE (account_id, once)
) STRICT;
CREATE INDEX draw_account ON draw (account_id, id);
CREATE INDEX draw_done ON draw (done_at) WHERE done_at IS NOT NULL;
CREATE INDEX draw_due ON draw (until_at, id) WHERE done_at IS NULL;
CREATE TABLE draw_event (
    draw_id INTEGER NOT NULL REFERENCES draw (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    event_id INTEGER UNIQUE REFERENCES event (id) ON DELETE SET NULL,
    places INTEGER,
    gone INTEGER CHECK (gone IN (0, 1)) NOT NULL DEFAULT FALSE,
    PRIMARY KEY (draw_id, number)
) STRICT;
CREATE TABLE draw_unit (
    draw_id INTEGER NOT NULL REFERENCES draw (id) ON DELETE CASCADE,
    code TEXT NOT NULL,
    seats INTEGER NOT NULL CHECK (seats > 0),
    is_first INTEGER CHECK (is_first IN (0, 1)) NOT NULL,
    wishes TEXT NOT NULL,
    sheet_id INTEGER REFERENCES wish_sheet (id) ON DELETE SET NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (draw_id, code)
) STRICT;
CREATE INDEX draw_unit_sheet ON draw_unit (sheet_id) WHERE sheet_id IS NOT NULL;
CREATE TABLE email_change (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    old_email TEXT NOT NULL,
    new_email TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    made_at INTEGER,
    undo_hash BLOB UNIQUE,
    undo_until INTEGER,
    ended TEXT CHECK (ended IN ('used', 'replaced'))
) STRICT;
CREATE INDEX email_change_account ON email_change (account_id, id);
CREATE INDEX email_change_asked ON email_change (asked_at);
CREATE INDEX email_change_old ON email_change (old_email);
CREATE TABLE event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id),
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    day TEXT NOT NULL,
    start_minute INTEGER NOT NULL CHECK (start_minute BETWEEN 0 AND 1439),
    end_minute INTEGER CHECK (end_minute BETWEEN 0 AND 1439),
    zone TEXT NOT NULL,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL CHECK (ends_at >= starts_at),
    street TEXT NOT NULL,
    city TEXT NOT NULL,
    state TEXT NOT NULL,
    zip TEXT NOT NULL,
    country TEXT NOT NULL,
    city_key TEXT NOT NULL,
    spots INTEGER CHECK (spots BETWEEN 1 AND 10000),
    taken INTEGER NOT NULL DEFAULT 0 CHECK (taken >= 0 AND taken <= spots),
    sessions INTEGER CHECK (sessions IN (0, 1)) NOT NULL DEFAULT FALSE,
    covid_safe INTEGER CHECK (covid_safe IN (0, 1)) NOT NULL,
    age_from INTEGER CHECK (age_from BETWEEN 0 AND 17),
    age_to INTEGER CHECK (age_to BETWEEN 0 AND 17 AND (age_from IS NULL OR age_to >= age_from)),
    price INTEGER CHECK (price >= 0),
    currency TEXT NOT NULL,
    tags TEXT NOT NULL,
    search_key INTEGER UNIQUE,
    cancelled_at INTEGER,
    hidden_at INTEGER,
    listed INTEGER CHECK (listed IN (0, 1)) NOT NULL DEFAULT TRUE,
    once TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    synopsis TEXT NOT NULL DEFAULT '',
    motif TEXT NOT NULL DEFAULT 'party',
    bring TEXT NOT NULL DEFAULT '',
    safety TEXT NOT NULL DEFAULT '',
    access INTEGER NOT NULL DEFAULT 0,
    pays_what_they_can INTEGER CHECK (pays_what_they_can IN (0, 1)) NOT NULL DEFAULT FALSE,
    online_url TEXT NOT NULL DEFAULT '',
    cancel_reason TEXT NOT NULL DEFAULT '',
    sequence INTEGER NOT NULL DEFAULT 0,
    series_id INTEGER REFERENCES event (id),
    counts INTEGER CHECK (counts IN (0, 1)) NOT NULL DEFAULT TRUE,
    picture_id INTEGER REFERENCES picture (id) ON DELETE SET NULL,
    point_id INTEGER REFERENCES point (id),
    late INTEGER CHECK (late IN (0, 1)) NOT NULL DEFAULT FALSE,
    walk_ins INTEGER NOT NULL DEFAULT 0 CHECK (walk_ins >= 0),
    arrived INTEGER NOT NULL DEFAULT 0 CHECK (arrived >= 0),
    heads INTEGER CHECK (heads BETWEEN 0 AND 100000),
    heads_online INTEGER CHECK (heads_online BETWEEN 0 AND 100000),
    audience TEXT NOT NULL DEFAULT 'kids' CHECK (audience IN ('kids', 'everyone')),
    end_day TEXT,
    is_long INTEGER CHECK (is_long IN (0, 1)) NOT NULL DEFAULT FALSE,
    place_name TEXT NOT NULL DEFAULT '',
    booking TEXT NOT NULL DEFAULT 'each' CHECK (booking IN ('each', 'together', 'either')),
    asks INTEGER CHECK (asks IN (0, 1)) NOT NULL DEFAULT FALSE,
    opens_at INTEGER,
    closes_at INTEGER,
    first_zips TEXT NOT NULL DEFAULT '',
    first_until INTEGER,
    language TEXT NOT NULL DEFAULT '',
    other_language TEXT NOT NULL DEFAULT '',
    other_title TEXT NOT NULL DEFAULT '',
    other_description TEXT NOT NULL DEFAULT '',
    other_synopsis TEXT NOT NULL DEFAULT '',
    held INTEGER NOT NULL DEFAULT 0 CHECK (held >= 0),
    held_until INTEGER,
    held_free INTEGER NOT NULL DEFAULT 0 CHECK (held_free BETWEEN 0 AND held AND held_free <= taken),
    UNIQUE (account_id, once)
) STRICT;
CREATE INDEX event_account ON event (account_id, starts_at, id, ends_at);
CREATE INDEX event_at_point ON event (point_id) WHERE point_id IS NOT NULL;
CREATE INDEX event_city ON event (city_key, starts_at, id, ends_at) WHERE listed;
CREATE INDEX event_ended ON event (ends_at);
CREATE INDEX event_everyone ON event (audience, starts_at, id, ends_at)
    WHERE listed AND audience = 'everyone';
CREATE INDEX event_feed ON event (starts_at, id, ends_at) WHERE listed;
CREATE INDEX event_held ON event (held_until) WHERE held_free > 0;
CREATE INDEX event_hidden ON event (hidden_at, id) WHERE hidden_at IS NOT NULL;
CREATE INDEX event_long ON event (is_long, starts_at, id, ends_at) WHERE listed AND is_long;
CREATE INDEX event_newest ON event (created_at, id) WHERE listed;
CREATE INDEX event_picture ON event (picture_id) WHERE picture_id IS NOT NULL;
CREATE INDEX event_plan ON event (account_id, day) WHERE counts;
CREATE INDEX event_point ON event (point_id, starts_at, id) WHERE listed AND point_id IS NOT NULL;
CREATE INDEX event_series ON event (series_id, starts_at, id) WHERE series_id IS NOT NULL;
CREATE INDEX event_sessions ON event (sessions, starts_at, id) WHERE listed AND sessions;
CREATE INDEX event_zip ON event (substr(zip, 1, 5), starts_at, id) WHERE listed;
CREATE VIRTUAL TABLE event_search USING fts5 (
    title, description, provider, city, tags,
    tokenize = 'ascii tokenchars _', prefix = '1 2 3 4 5 6 7 8'
);
CREATE TABLE event_tag (
    tag TEXT NOT NULL,
    starts_at INTEGER NOT NULL,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    PRIMARY KEY (tag, starts_at, event_id)
) STRICT;
CREATE INDEX event_tag_event ON event_tag (event_id);
CREATE TABLE family (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    city TEXT NOT NULL,
    zip TEXT NOT NULL,
    country TEXT NOT NULL,
    phone TEXT,
    number_of_children INTEGER CHECK (number_of_children BETWEEN 0 AND 20),
    age_groups TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    keeps_past INTEGER CHECK (keeps_past IN (0, 1)) NOT NULL DEFAULT FALSE,
    shares_phone INTEGER CHECK (shares_phone IN (0, 1)) NOT NULL DEFAULT FALSE
) STRICT;
CREATE TABLE family_streak (
    account_id INTEGER NOT NULL PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    since TEXT NOT NULL
) STRICT;
CREATE TABLE follow (
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    host_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    PRIMARY KEY (account_id, host_id)
) STRICT;
CREATE INDEX follow_host ON follow (host_id);
CREATE TABLE follow_digest (
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('opportunity', 'event')),
    number INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, kind, number)
) STRICT;
CREATE INDEX follow_digest_due ON follow_digest (due_at, account_id);
CREATE TABLE former_match (
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    match_id INTEGER NOT NULL,
    pet_id INTEGER NOT NULL REFERENCES pet (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    PRIMARY KEY (account_id, match_id)
) STRICT;
CREATE INDEX former_match_at ON former_match (at);
CREATE INDEX former_match_pet ON former_match (pet_id);
CREATE TABLE former_name (
    hash BLOB NOT NULL PRIMARY KEY,
    until INTEGER NOT NULL
) STRICT;
CREATE INDEX former_name_until ON former_name (until);
CREATE TABLE former_owner (
    account_id INTEGER NOT NULL PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    moved_at INTEGER,
    moved_before INTEGER,
    moved_first INTEGER,
    hellos INTEGER NOT NULL CHECK (hellos >= 0),
    hellos_on TEXT,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX former_owner_at ON former_owner (at);
CREATE TABLE guardian (
    account_id INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    head_id INTEGER NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
    since INTEGER NOT NULL
) STRICT;
CREATE TABLE guest (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    registration_id INTEGER UNIQUE REFERENCES registration (id) ON DELETE CASCADE,
    shift_id INTEGER REFERENCES shift (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    age INTEGER,
    phone TEXT,
    code TEXT NOT NULL UNIQUE,
    once TEXT NOT NULL,
    off_at INTEGER,
    untold_since INTEGER,
    erase_at INTEGER,
    missed_at INTEGER,
    CHECK ((registration_id IS NULL) <> (shift_id IS NULL))
) STRICT;
CREATE INDEX guest_erase ON guest (erase_at) WHERE erase_at IS NOT NULL;
CREATE INDEX guest_shift ON guest (shift_id) WHERE shift_id IS NOT NULL;
CREATE TABLE hello (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    pet_id INTEGER NOT NULL REFERENCES pet (id) ON DELETE CASCADE,
    other_id INTEGER NOT NULL REFERENCES pet (id) ON DELETE CASCADE,
    is_yes INTEGER CHECK (is_yes IN (0, 1)) NOT NULL,
    at INTEGER NOT NULL,
    UNIQUE (pet_id, other_id)
) STRICT;
CREATE INDEX hello_last ON hello (pet_id, id);
CREATE INDEX hello_other ON hello (other_id, pet_id);
CREATE TABLE import_entry (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    import_id INTEGER NOT NULL REFERENCES calendar_import (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    event_id INTEGER REFERENCES event (id) ON DELETE SET NULL,
    says TEXT NOT NULL,
    took_says TEXT NOT NULL DEFAULT '',
    took TEXT NOT NULL DEFAULT '',
    ends_at INTEGER NOT NULL,
    is_left_out INTEGER CHECK (is_left_out IN (0, 1)) NOT NULL DEFAULT FALSE,
    is_kept INTEGER CHECK (is_kept IN (0, 1)) NOT NULL DEFAULT FALSE,
    is_off INTEGER CHECK (is_off IN (0, 1)) NOT NULL DEFAULT FALSE,
    missed_at INTEGER,
    warned_at INTEGER,
    refused TEXT NOT NULL DEFAULT '',
    UNIQUE (import_id, key)
) STRICT;
CREATE INDEX import_entry_ended ON import_entry (ends_at);
CREATE UNIQUE INDEX import_entry_event ON import_entry (event_id) WHERE event_id IS NOT NULL;
CREATE INDEX import_entry_list ON import_entry (import_id, id);
CREATE TABLE job (
    name TEXT NOT NULL PRIMARY KEY,
    last_at INTEGER NOT NULL
) STRICT;
CREATE TABLE lease (
    name TEXT NOT NULL PRIMARY KEY,
    node_id INTEGER NOT NULL,
    term INTEGER NOT NULL,
    ends_at INTEGER NOT NULL
) STRICT;
CREATE TABLE less (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    tag TEXT,
    event_id INTEGER REFERENCES event (id) ON DELETE CASCADE,
    opportunity_id INTEGER REFERENCES opportunity (id) ON DELETE CASCADE,
    CHECK (CASE WHEN tag IS NULL THEN 0 ELSE 1 END + CASE WHEN event_id IS NULL THEN 0 ELSE 1 END
        + CASE WHEN opportunity_id IS NULL THEN 0 ELSE 1 END = 1)
) STRICT;
CREATE INDEX less_account ON less (account_id, id);
CREATE UNIQUE INDEX less_event ON less (account_id, event_id) WHERE event_id IS NOT NULL;
CREATE UNIQUE INDEX less_help ON less (account_id, opportunity_id) WHERE opportunity_id IS NOT NULL;
CREATE INDEX less_of_event ON less (event_id) WHERE event_id IS NOT NULL;
CREATE INDEX less_of_help ON less (opportunity_id) WHERE opportunity_id IS NOT NULL;
CREATE INDEX less_of_tag ON less (tag) WHERE tag IS NOT NULL;
CREATE UNIQUE INDEX less_tag ON less (account_id, tag) WHERE tag IS NOT NULL;
CREATE TABLE letter (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    account_id INTEGER REFERENCES account (id) ON DELETE CASCADE,
    address TEXT NOT NULL,
    event_id INTEGER REFERENCES event (id) ON DELETE CASCADE,
    registration_id INTEGER REFERENCES registration (id) ON DELETE CASCADE,
    detail TEXT NOT NULL DEFAULT '',
    secret TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'failed', 'late')),
    tries INTEGER NOT NULL DEFAULT 0,
    answer TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    done_at INTEGER,
    subject INTEGER,
    claimed_by INTEGER,
    claimed_until INTEGER
) STRICT;
CREATE INDEX letter_account ON letter (account_id);
CREATE INDEX letter_ahead ON letter (address, id) WHERE state = 'waiting';
CREATE INDEX letter_due ON letter (state, due_at, id);
CREATE INDEX letter_event ON letter (event_id) WHERE event_id IS NOT NULL;
CREATE INDEX letter_late ON letter (state, ends_at);
CREATE INDEX letter_old ON letter (created_at);
CREATE INDEX letter_registration ON letter (registration_id) WHERE registration_id IS NOT NULL;
CREATE INDEX letter_secret ON letter (ends_at) WHERE secret <> '';
CREATE INDEX letter_state ON letter (state, id);
CREATE INDEX letter_strangers ON letter (state)
    WHERE kind IN ('invited', 'invitedHere', 'deleted', 'decided') AND address <> '';
CREATE TABLE match_side (
    match_id INTEGER NOT NULL REFERENCES pet_match (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    pet_id INTEGER NOT NULL REFERENCES pet (id) ON DELETE CASCADE,
    other_account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    other_pet_id INTEGER NOT NULL REFERENCES pet (id) ON DELETE CASCADE,
    last_at INTEGER NOT NULL,
    unread INTEGER NOT NULL DEFAULT 0 CHECK (unread >= 0),
    is_new INTEGER CHECK (is_new IN (0, 1)) NOT NULL DEFAULT TRUE,
    read_up_to INTEGER NOT NULL DEFAULT 0,
    is_favorite INTEGER CHECK (is_favorite IN (0, 1)) NOT NULL DEFAULT FALSE,
    PRIMARY KEY (match_id, account_id)
) STRICT;
CREATE INDEX match_side_account ON match_side (account_id, last_at, match_id);
CREATE INDEX match_side_favorite ON match_side (account_id, last_at, match_id) WHERE is_favorite;
CREATE INDEX match_side_other ON match_side (other_account_id);
CREATE INDEX match_side_other_pet ON match_side (other_pet_id);
CREATE INDEX match_side_pet ON match_side (pet_id);
CREATE TABLE matter (
    subject TEXT NOT NULL PRIMARY KEY,
    author_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    waits_for TEXT NOT NULL
        CHECK (waits_for IN ('reports', 'look', 'answer', 'first', 'entry', 'removal')),
    is_grave INTEGER CHECK (is_grave IN (0, 1)) NOT NULL DEFAULT FALSE,
    since INTEGER,
    reports INTEGER NOT NULL DEFAULT 0 CHECK (reports >= 0),
    fine_words TEXT,
    settled_at INTEGER
) STRICT;
CREATE INDEX matter_author ON matter (author_id);
CREATE INDEX matter_settled ON matter (settled_at) WHERE settled_at IS NOT NULL;
CREATE INDEX matter_waiting ON matter (is_grave DESC, since, subject) WHERE since IS NOT NULL;
CREATE TABLE meeting (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    match_id INTEGER NOT NULL REFERENCES pet_match (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    other_account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    place TEXT NOT NULL,
    time_1 INTEGER NOT NULL,
    time_2 INTEGER,
    time_3 INTEGER,
    state TEXT NOT NULL CHECK (state IN ('proposed', 'agreed', 'declined', 'canceled')),
    starts_at INTEGER,
    reason TEXT NOT NULL DEFAULT '',
    again TEXT CHECK (again IN ('yes', 'no', 'wrong')),
    other_again TEXT CHECK (other_again IN ('yes', 'no', 'wrong')),
    once TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    due_at INTEGER,
    lapsed INTEGER CHECK (lapsed IN (0, 1)) NOT NULL DEFAULT FALSE,
    zone TEXT NOT NULL DEFAULT '',
    UNIQUE (account_id, once)
) STRICT;
CREATE INDEX meeting_account ON meeting (account_id, starts_at) WHERE state = 'agreed';
CREATE INDEX meeting_asked ON meeting (other_account_id, id) WHERE state = 'proposed';
CREATE INDEX meeting_created ON meeting (created_at);
CREATE INDEX meeting_due ON meeting (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX meeting_match ON meeting (match_id, id);
CREATE INDEX meeting_other ON meeting (other_account_id, starts_at) WHERE state = 'agreed';
CREATE INDEX meeting_other_account ON meeting (other_account_id);
CREATE TABLE message (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    match_id INTEGER REFERENCES pet_match (id) ON DELETE CASCADE,
    thread_id INTEGER REFERENCES thread (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    once TEXT NOT NULL,
    at INTEGER NOT NULL,
    hidden_at INTEGER,
    UNIQUE (account_id, once),
    CHECK ((match_id IS NULL) <> (thread_id IS NULL))
) STRICT;
CREATE INDEX message_account ON message (account_id, id);
CREATE INDEX message_at ON message (at);
CREATE INDEX message_match ON message (match_id, id);
CREATE INDEX message_thread ON message (thread_id, id);
CREATE TABLE month_total (
    month TEXT NOT NULL,
    host_id INTEGER NOT NULL,
    what TEXT NOT NULL CHECK (what IN ('minutes', 'things', 'needs')),
    count INTEGER NOT NULL CHECK (count >= 0),
    PRIMARY KEY (month, host_id, what)
) STRICT;
CREATE TABLE my_act (
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    act INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (account_id, act)
) STRICT;
CREATE TABLE need (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id),
    kind TEXT NOT NULL CHECK (kind IN ('things', 'time', 'skill', 'place')),
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    wanted INTEGER NOT NULL CHECK (wanted BETWEEN 1 AND 1000),
    promised INTEGER NOT NULL DEFAULT 0 CHECK (promised >= 0),
    brought INTEGER NOT NULL DEFAULT 0 CHECK (brought >= 0),
    days INTEGER NOT NULL CHECK (days BETWEEN 1 AND 30),
    until TEXT NOT NULL,
    ends_at INTEGER NOT NULL,
    is_home INTEGER CHECK (is_home IN (0, 1)) NOT NULL,
    place_name TEXT NOT NULL,
    street TEXT NOT NULL,
    city TEXT NOT NULL,
    state TEXT NOT NULL,
    zip TEXT NOT NULL,
    country TEXT NOT NULL,
    point_id INTEGER REFERENCES point (id),
    closed_at INTEGER,
    hidden_at INTEGER,
    listed INTEGER CHECK (listed IN (0, 1)) NOT NULL DEFAULT TRUE,
    ask_at INTEGER NOT NULL,
    is_asked INTEGER CHECK (is_asked IN (0, 1)) NOT NULL DEFAULT FALSE,
    once TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    picture_id INTEGER REFERENCES picture (id) ON DELETE SET NULL,
    is_lasting INTEGER CHECK (is_lasting IN (0, 1)) NOT NULL DEFAULT FALSE,
    verified_at INTEGER,
    verified_until INTEGER,
    UNIQUE (account_id, once),
    CHECK (promised + brought <= wanted)
) STRICT;
CREATE INDEX need_account ON need (account_id, id);
CREATE INDEX need_ask ON need (ask_at) WHERE listed;
CREATE INDEX need_ends ON need (ends_at) WHERE closed_at IS NULL;
CREATE INDEX need_listed ON need (listed, id);
CREATE INDEX need_picture ON need (picture_id) WHERE picture_id IS NOT NULL;
CREATE INDEX need_point ON need (point_id, id);
CREATE INDEX need_verified ON need (verified_until) WHERE verified_until IS NOT NULL;
CREATE VIRTUAL TABLE need_search USING fts5 (
    title, description, city, kind,
    tokenize = 'ascii tokenchars _', prefix = '1 2 3 4 5 6 7 8'
);
CREATE TABLE 'need_search_config'(k PRIMARY KEY, v) WITHOUT ROWID;
CREATE TABLE 'need_search_content'(id INTEGER PRIMARY KEY, c0, c1, c2, c3);
CREATE TABLE 'need_search_data'(id INTEGER PRIMARY KEY, block BLOB);
CREATE TABLE 'need_search_docsize'(id INTEGER PRIMARY KEY, sz BLOB);
CREATE TABLE 'need_search_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
CREATE TABLE node (
    id INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    lag INTEGER NOT NULL,
    ahead INTEGER NOT NULL
) STRICT;
CREATE TABLE note (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    value TEXT NOT NULL
) STRICT;
CREATE TABLE notice (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    event_id INTEGER REFERENCES event (id) ON DELETE CASCADE,
    registration_id INTEGER REFERENCES registration (id) ON DELETE CASCADE,
    detail TEXT NOT NULL DEFAULT '',
    subject INTEGER,
    times INTEGER NOT NULL DEFAULT 1,
    at INTEGER NOT NULL,
    read_at INTEGER,
    is_shown INTEGER CHECK (is_shown IN (0, 1)) NOT NULL DEFAULT FALSE
) STRICT;
CREATE INDEX notice_account ON notice (account_id, id);
CREATE INDEX notice_at ON notice (at);
CREATE INDEX notice_beside ON notice (account_id, kind, subject) WHERE event_id IS NULL;
CREATE INDEX notice_event ON notice (event_id, account_id, kind);
CREATE INDEX notice_registration ON notice (registration_id) WHERE registration_id IS NOT NULL;
CREATE INDEX notice_subject ON notice (subject, kind) WHERE event_id IS NULL;
CREATE INDEX notice_unread ON notice (account_id, id) WHERE read_at IS NULL;
CREATE TABLE notice_choice (
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    channel TEXT NOT NULL CHECK (channel IN ('inbox', 'mail', 'daily', 'push', 'calendar')),
    is_on INTEGER CHECK (is_on IN (0, 1)) NOT NULL,
    PRIMARY KEY (account_id, kind, channel)
) STRICT;
CREATE INDEX notice_choice_on ON notice_choice (kind, channel, account_id) WHERE is_on;
CREATE TABLE one_time_link (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token_hash BLOB NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('reset', 'confirm', 'change', 'guardian', 'colleague', 'invitation',
        'challenge', 'site_invitation')),
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    detail TEXT NOT NULL,
    change_id INTEGER REFERENCES email_change (id) ON DELETE CASCADE,
    -- Of an invitation by the site, a keyed hash of the address, until it ends.
    invited BLOB UNIQUE,
    expires_at INTEGER NOT NULL,
    ended TEXT CHECK (ended IN ('used', 'replaced')),
    CHECK ((change_id IS NOT NULL) = (kind = 'change'))
) STRICT;
CREATE INDEX one_time_link_account ON one_time_link (account_id, kind, expires_at);
CREATE INDEX one_time_link_change ON one_time_link (change_id) WHERE change_id IS NOT NULL;
CREATE INDEX one_time_link_expires ON one_time_link (expires_at);
CREATE TABLE opportunity (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id),
    kind TEXT NOT NULL CHECK (kind IN ('volunteer', 'donate', 'shadow')),
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    language TEXT NOT NULL DEFAULT '',
    conditions TEXT NOT NULL,
    url TEXT NOT NULL,
    rhythm TEXT NOT NULL CHECK (rhythm IN ('shifts', 'regular', 'whenever')),
    hours INTEGER CHECK (hours BETWEEN 1 AND 60),
    age_from INTEGER CHECK (age_from BETWEEN 0 AND 99),
    with_adult INTEGER CHECK (with_adult IN (0, 1)) NOT NULL,
    at_home INTEGER CHECK (at_home IN (0, 1)) NOT NULL,
    with_children INTEGER CHECK (with_children IN (0, 1)) NOT NULL,
    approval INTEGER CHECK (approval IN (0, 1)) NOT NULL,
    goal INTEGER CHECK (goal >= 0),
    amount INTEGER CHECK (amount >= 0),
    currency TEXT NOT NULL,
    as_of TEXT,
    until TEXT,
    place_name TEXT NOT NULL,
    street TEXT NOT NULL,
    city TEXT NOT NULL,
    state TEXT NOT NULL,
    zip TEXT NOT NULL,
    country TEXT NOT NULL,
    zone TEXT NOT NULL,
    point_id INTEGER REFERENCES point (id),
    tags TEXT NOT NULL,
    wanted INTEGER NOT NULL DEFAULT 0 CHECK (wanted >= 0),
    promised INTEGER NOT NULL DEFAULT 0 CHECK (promised BETWEEN 0 AND wanted),
    ends_at INTEGER NOT NULL,
    closed_at INTEGER,
    hidden_at INTEGER,
    asked_at INTEGER,
    listed INTEGER CHECK (listed IN (0, 1)) NOT NULL DEFAULT TRUE,
    once TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    close_reason TEXT NOT NULL DEFAULT '',
    UNIQUE (account_id, once)
) STRICT;
CREATE INDEX opportunity_account ON opportunity (account_id, id);
CREATE INDEX opportunity_ends ON opportunity (ends_at) WHERE listed;
CREATE INDEX opportunity_listed ON opportunity (listed, id);
CREATE INDEX opportunity_point ON opportunity (point_id, id, kind, listed, ends_at, age_from);
CREATE VIRTUAL TABLE opportunity_search USING fts5 (
    title, description, organization, city, tags,
    tokenize = 'ascii tokenchars _', prefix = '1 2 3 4 5 6 7 8'
);
CREATE TABLE 'opportunity_search_config'(k PRIMARY KEY, v) WITHOUT ROWID;
CREATE TABLE 'opportunity_search_content'(id INTEGER PRIMARY KEY, c0, c1, c2, c3, c4);
CREATE TABLE 'opportunity_search_data'(id INTEGER PRIMARY KEY, block BLOB);
CREATE TABLE 'opportunity_search_docsize'(id INTEGER PRIMARY KEY, sz BLOB);
CREATE TABLE 'opportunity_search_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
CREATE TABLE opportunity_tag (
    tag TEXT NOT NULL,
    opportunity_id INTEGER NOT NULL REFERENCES opportunity (id) ON DELETE CASCADE,
    PRIMARY KEY (tag, opportunity_id)
) STRICT;
CREATE INDEX opportunity_tag_opportunity ON opportunity_tag (opportunity_id);
CREATE TABLE organization_total (
    account_id INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    stars_1 INTEGER NOT NULL DEFAULT 0 CHECK (stars_1 >= 0),
    stars_2 INTEGER NOT NULL DEFAULT 0 CHECK (stars_2 >= 0),
    stars_3 INTEGER NOT NULL DEFAULT 0 CHECK (stars_3 >= 0),
    stars_4 INTEGER NOT NULL DEFAULT 0 CHECK (stars_4 >= 0),
    stars_5 INTEGER NOT NULL DEFAULT 0 CHECK (stars_5 >= 0),
    followers INTEGER NOT NULL DEFAULT 0 CHECK (followers >= 0),
    helpers INTEGER NOT NULL DEFAULT 0 CHECK (helpers >= 0),
    minutes INTEGER NOT NULL DEFAULT 0 CHECK (minutes >= 0)
) STRICT;
CREATE TABLE organization_year (
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    year INTEGER NOT NULL,
    helpers INTEGER NOT NULL CHECK (helpers >= 0),
    minutes INTEGER NOT NULL CHECK (minutes >= 0),
    PRIMARY KEY (account_id, year)
) STRICT;
CREATE TABLE outside_log_in (
    account_id INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    email TEXT NOT NULL UNIQUE,
    staff_id INTEGER REFERENCES account (id) ON DELETE SET NULL,
    at INTEGER NOT NULL,
    issuer TEXT,
    subject TEXT,
    first_at INTEGER,
    UNIQUE (issuer, subject)
) STRICT;
CREATE INDEX outside_log_in_staff ON outside_log_in (staff_id);
CREATE TABLE own_act (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    theme TEXT NOT NULL,
    difficulty TEXT NOT NULL CHECK (difficulty IN ('easy', 'time', 'brave')),
    once TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    proposed_at INTEGER,
    hidden_at INTEGER,
    UNIQUE (account_id, once)
) STRICT;
CREATE INDEX own_act_account ON own_act (account_id, id);
CREATE INDEX own_act_town ON own_act (id) WHERE proposed_at IS NOT NULL AND hidden_at IS NULL;
CREATE TABLE owner (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    birth_year INTEGER,
    city TEXT NOT NULL,
    zip TEXT NOT NULL,
    country TEXT NOT NULL,
    cell INTEGER NOT NULL,
    moved_at INTEGER,
    moved_before INTEGER,
    moved_first INTEGER,
    phone TEXT,
    email TEXT,
    other TEXT,
    shows_reads INTEGER CHECK (shows_reads IN (0, 1)) NOT NULL DEFAULT TRUE,
    picture_id INTEGER REFERENCES picture (id) ON DELETE SET NULL,
    hellos INTEGER NOT NULL DEFAULT 0 CHECK (hellos >= 0),
    hellos_on TEXT,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX owner_picture ON owner (picture_id) WHERE picture_id IS NOT NULL;
CREATE TABLE parted (
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    other_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    PRIMARY KEY (account_id, other_id)
) STRICT;
CREATE INDEX parted_other ON parted (other_id);
CREATE TABLE pause (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    first TEXT NOT NULL,
    last TEXT NOT NULL
) STRICT;
CREATE INDEX pause_account ON pause (account_id, first);
CREATE TABLE pending_log_in (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token_hash BLOB NOT NULL UNIQUE,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    ends_at INTEGER NOT NULL
) STRICT;
CREATE INDEX pending_log_in_account ON pending_log_in (account_id);
CREATE INDEX pending_log_in_ends ON pending_log_in (ends_at);
CREATE TABLE person (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    about TEXT NOT NULL,
    town TEXT NOT NULL,
    is_open INTEGER CHECK (is_open IN (0, 1)) NOT NULL,
    updated_at INTEGER NOT NULL,
    is_found INTEGER CHECK (is_found IN (0, 1)) NOT NULL DEFAULT TRUE,
    hidden_at INTEGER,
    shows INTEGER NOT NULL DEFAULT 0,
    picture_id INTEGER REFERENCES picture (id) ON DELETE SET NULL,
    shows_picture INTEGER CHECK (shows_picture IN (0, 1)) NOT NULL DEFAULT FALSE
) STRICT;
CREATE INDEX person_picture ON person (picture_id) WHERE picture_id IS NOT NULL;
CREATE TABLE person_key (
    key TEXT NOT NULL,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    PRIMARY KEY (key, account_id)
) STRICT;
CREATE INDEX person_key_account ON person_key (account_id, key);
CREATE TABLE person_word (
    word TEXT NOT NULL,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    PRIMARY KEY (word, account_id)
) STRICT;
CREATE INDEX person_word_account ON person_word (account_id);
CREATE TABLE pet (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    type TEXT NOT NULL
        CHECK (type IN ('dog', 'cat', 'rabbit', 'guinea-pig', 'bird', 'reptile', 'horse', 'other')),
    word TEXT NOT NULL DEFAULT '',
    sex TEXT NOT NULL CHECK (sex IN ('female', 'male', 'unknown')),
    born INTEGER NOT NULL,
    knows_month INTEGER CHECK (knows_month IN (0, 1)) NOT NULL,
    size TEXT NOT NULL CHECK (size IN ('small', 'medium', 'large')),
    energy TEXT NOT NULL CHECK (energy IN ('calm', 'lively', 'wild')),
    neutered TEXT NOT NULL CHECK (neutered IN ('yes', 'no', 'unknown')),
    vaccinated TEXT NOT NULL CHECK (vaccinated IN ('yes', 'no', 'unknown')),
    children TEXT NOT NULL CHECK (children IN ('yes', 'no', 'unknown')),
    dogs TEXT NOT NULL CHECK (dogs IN ('yes', 'no', 'unknown')),
    cats TEXT NOT NULL CHECK (cats IN ('yes', 'no', 'unknown')),
    bio TEXT NOT NULL DEFAULT '',
    wants_type INTEGER NOT NULL DEFAULT 0,
    wants_size INTEGER NOT NULL DEFAULT 0,
    wants_sex INTEGER NOT NULL DEFAULT 0,
    wants_energy INTEGER NOT NULL DEFAULT 0,
    wants_age_from INTEGER NOT NULL DEFAULT 0,
    wants_age_to INTEGER NOT NULL DEFAULT 99,
    within INTEGER NOT NULL CHECK (within IN (2, 5, 10, 25, 50)),
    cell INTEGER NOT NULL,
    is_paused INTEGER CHECK (is_paused IN (0, 1)) NOT NULL DEFAULT FALSE,
    hidden_at INTEGER,
    once TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (account_id, once)
) STRICT;
CREATE INDEX pet_account ON pet (account_id, id);
CREATE INDEX pet_card ON pet (cell, id, type, size, sex, energy, born, within, wants_type, wants_size,
    wants_sex, wants_energy, wants_age_from, wants_age_to, account_id)
    WHERE hidden_at IS NULL AND is_paused = FALSE;
CREATE TABLE pet_match (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    first_id INTEGER NOT NULL REFERENCES pet (id) ON DELETE CASCADE,
    second_id INTEGER NOT NULL REFERENCES pet (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    ended_at INTEGER,
    UNIQUE (first_id, second_id),
    CHECK (first_id < second_id)
) STRICT;
CREATE INDEX pet_match_ended ON pet_match (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX pet_match_second ON pet_match (second_id);
CREATE TABLE pet_picture (
    pet_id INTEGER NOT NULL REFERENCES pet (id) ON DELETE CASCADE,
    place INTEGER NOT NULL CHECK (place BETWEEN 1 AND 9),
    picture_id INTEGER NOT NULL REFERENCES picture (id) ON DELETE CASCADE,
    PRIMARY KEY (pet_id, place)
) STRICT;
CREATE INDEX pet_picture_picture ON pet_picture (picture_id);
CREATE TABLE picture (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    alt TEXT NOT NULL,
    width INTEGER NOT NULL CHECK (width > 0),
    height INTEGER NOT NULL CHECK (height > 0),
    focus INTEGER NOT NULL DEFAULT 5 CHECK (focus BETWEEN 1 AND 9),
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX picture_account ON picture (account_id, created_at);
CREATE INDEX picture_created ON picture (created_at);
CREATE INDEX picture_hash ON picture (hash);
CREATE TABLE point (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
    longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
    band INTEGER NOT NULL,
    UNIQUE (latitude, longitude)
) STRICT;
CREATE INDEX point_band ON point (band, longitude, latitude);
CREATE TABLE post (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id),
    text TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('done', 'received', 'thanks')),
    audience TEXT NOT NULL CHECK (audience IN ('everyone', 'members')),
    likes INTEGER NOT NULL DEFAULT 0 CHECK (likes >= 0),
    comments INTEGER NOT NULL DEFAULT 0 CHECK (comments >= 0),
    once TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    edited_at INTEGER,
    hidden_at INTEGER,
    shows_children INTEGER CHECK (shows_children IN (0, 1)) NOT NULL DEFAULT FALSE,
    event_id INTEGER REFERENCES event (id) ON DELETE SET NULL,
    UNIQUE (account_id, once)
) STRICT;
CREATE INDEX post_account ON post (account_id, id);
CREATE INDEX post_event ON post (event_id) WHERE event_id IS NOT NULL;
CREATE INDEX post_public ON post (id) WHERE hidden_at IS NULL AND audience = 'everyone';
CREATE TABLE post_picture (
    post_id INTEGER NOT NULL REFERENCES post (id) ON DELETE CASCADE,
    place INTEGER NOT NULL CHECK (place BETWEEN 1 AND 4),
    picture_id INTEGER NOT NULL REFERENCES picture (id) ON DELETE CASCADE,
    PRIMARY KEY (post_id, place)
) STRICT;
CREATE INDEX post_picture_picture ON post_picture (picture_id);
CREATE TABLE promise (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    opportunity_id INTEGER NOT NULL REFERENCES opportunity (id) ON DELETE CASCADE,
    thing_id INTEGER NOT NULL REFERENCES thing (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    count INTEGER NOT NULL CHECK (count > 0),
    state TEXT NOT NULL CHECK (state IN ('open', 'given', 'cancelled', 'lapsed')),
    once TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    is_reminded INTEGER CHECK (is_reminded IN (0, 1)) NOT NULL DEFAULT FALSE,
    waits INTEGER CHECK (waits IN (0, 1)) NOT NULL DEFAULT FALSE,
    UNIQUE (account_id, once)
) STRICT;
CREATE INDEX promise_account ON promise (account_id, id);
CREATE INDEX promise_due ON promise (ends_at) WHERE state = 'open';
CREATE INDEX promise_ending ON promise (ends_at) WHERE state = 'open' AND NOT is_reminded;
CREATE INDEX promise_opportunity ON promise (opportunity_id, id);
CREATE INDEX promise_thing ON promise (thing_id);
CREATE INDEX promise_waits ON promise (opportunity_id, id) WHERE waits;
CREATE TABLE provider (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    organization TEXT NOT NULL,
    designation TEXT NOT NULL,
    street TEXT NOT NULL,
    city TEXT NOT NULL,
    state TEXT NOT NULL,
    zip TEXT NOT NULL,
    country TEXT NOT NULL,
    phone TEXT NOT NULL,
    email TEXT,
    website TEXT,
    scope TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    plan TEXT NOT NULL DEFAULT 'basic' CHECK (plan IN ('basic', 'gold', 'platinum', 'public')),
    name_key TEXT NOT NULL DEFAULT '',
    picture_id INTEGER REFERENCES picture (id) ON DELETE SET NULL,
    verified_at INTEGER,
    verified_until INTEGER,
    verified_by_checking TEXT NOT NULL DEFAULT '',
    verified_is_asked INTEGER CHECK (verified_is_asked IN (0, 1)) NOT NULL DEFAULT FALSE,
    mission TEXT,
    kind TEXT,
    asks TEXT
) STRICT;
CREATE INDEX provider_name ON provider (name_key, id);
CREATE INDEX provider_picture ON provider (picture_id) WHERE picture_id IS NOT NULL;
CREATE INDEX provider_plan ON provider (plan);
CREATE INDEX provider_verified ON provider (verified_until) WHERE verified_until IS NOT NULL;
CREATE TABLE provider_key (
    key TEXT NOT NULL,
    provider_id INTEGER NOT NULL REFERENCES provider (id) ON DELETE CASCADE,
    PRIMARY KEY (key, provider_id)
) STRICT;
CREATE INDEX provider_key_provider ON provider_key (provider_id, key);
CREATE TABLE push (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    notice_id INTEGER NOT NULL REFERENCES notice (id) ON DELETE CASCADE,
    subscription_id INTEGER NOT NULL REFERENCES push_subscription (id) ON DELETE CASCADE,
    tries INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    UNIQUE (notice_id, subscription_id)
) STRICT;
CREATE INDEX push_due ON push (due_at, id);
CREATE INDEX push_to ON push (subscription_id, due_at);
CREATE TABLE push_subscription (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    session_id INTEGER NOT NULL UNIQUE REFERENCES session (id) ON DELETE CASCADE,
    device TEXT NOT NULL,
    endpoint TEXT NOT NULL UNIQUE,
    public_key TEXT NOT NULL,
    secret TEXT NOT NULL,
    made_at INTEGER NOT NULL
) STRICT;
CREATE INDEX push_subscription_account ON push_subscription (account_id);
CREATE TABLE question (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    is_private INTEGER CHECK (is_private IN (0, 1)) NOT NULL,
    answer TEXT NOT NULL DEFAULT '',
    once TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    answered_at INTEGER,
    closed_at INTEGER,
    hidden_at INTEGER,
    UNIQUE (account_id, once)
) STRICT;
CREATE INDEX question_account ON question (account_id, asked_at);
CREATE INDEX question_asked ON question (asked_at);
CREATE INDEX question_event ON question (event_id, id);
CREATE TABLE rate_count (
    slot INTEGER NOT NULL PRIMARY KEY,
    empty_at INTEGER NOT NULL
) STRICT;
CREATE INDEX rate_count_empty ON rate_count (empty_at);
CREATE TABLE reaction (
    post_id INTEGER NOT NULL REFERENCES post (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    PRIMARY KEY (post_id, account_id)
) STRICT;
CREATE INDEX reaction_account ON reaction (account_id);
CREATE TABLE recovery_code (
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (account_id, number)
) STRICT;
CREATE TABLE registration (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id INTEGER NOT NULL REFERENCES event (id),
    account_id INTEGER REFERENCES account (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('confirmed', 'waiting', 'offered', 'queued', 'cancelled')),
    fits INTEGER CHECK (fits IN (0, 1)) NOT NULL DEFAULT FALSE,
    turn INTEGER,
    offered INTEGER NOT NULL DEFAULT 0 CHECK (offered >= 0),
    offer_ends_at INTEGER CHECK ((offer_ends_at IS NOT NULL) = (state = 'offered')),
    once TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    asks_again INTEGER CHECK (asks_again IN (0, 1)) NOT NULL DEFAULT FALSE,
    guardian_id INTEGER REFERENCES account (id),
    passed_over INTEGER CHECK (passed_over IN (0, 1)) NOT NULL DEFAULT FALSE,
    extra INTEGER NOT NULL DEFAULT 0,
    needs_help INTEGER CHECK (needs_help IN (0, 1)) NOT NULL DEFAULT FALSE,
    held INTEGER NOT NULL DEFAULT 0 CHECK (held >= 0),
    UNIQUE (account_id, once)
) STRICT;
CREATE INDEX registration_account ON registration (account_id, state, event_id);
CREATE INDEX registration_event ON registration (event_id, state, id);
CREATE INDEX registration_guardian ON registration (guardian_id) WHERE guardian_id IS NOT NULL;
CREATE INDEX registration_help ON registration (event_id) WHERE needs_help OR held > 0;
CREATE INDEX registration_kept ON registration (event_id) WHERE state = 'waiting' AND offered > 0;
CREATE INDEX registration_offer ON registration (offer_ends_at) WHERE state = 'offered';
CREATE INDEX registration_turn ON registration (event_id, turn, id) WHERE state = 'waiting';
CREATE TABLE registration_person (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    registration_id INTEGER NOT NULL REFERENCES registration (id) ON DELETE CASCADE,
    event_id INTEGER NOT NULL REFERENCES event (id),
    child_id INTEGER REFERENCES child (id) ON DELETE SET NULL,
    cancelled_at INTEGER,
    arrived_at INTEGER,
    left_at INTEGER,
    is_self INTEGER CHECK (is_self IN (0, 1)) NOT NULL DEFAULT FALSE,
    shows_name INTEGER CHECK (shows_name IN (0, 1)) NOT NULL DEFAULT FALSE
) STRICT;
CREATE INDEX registration_person_child ON registration_person (child_id);
CREATE INDEX registration_person_event ON registration_person (event_id, arrived_at);
CREATE UNIQUE INDEX registration_person_once ON registration_person (event_id, child_id)
    WHERE cancelled_at IS NULL;
CREATE INDEX registration_person_registration ON registration_person (registration_id);
CREATE UNIQUE INDEX registration_person_self ON registration_person (registration_id)
    WHERE is_self AND cancelled_at IS NULL;
CREATE INDEX registration_person_shown ON registration_person (event_id, id, shows_name) WHERE shows_name;
CREATE TABLE reminder (
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    lead TEXT NOT NULL CHECK (lead IN ('day', 'hours')),
    due_at INTEGER NOT NULL,
    PRIMARY KEY (event_id, lead)
) STRICT;
CREATE INDEX reminder_due ON reminder (due_at, event_id);
CREATE TABLE reply (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    person_id INTEGER NOT NULL REFERENCES registration_person (id) ON DELETE CASCADE,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    ask_id INTEGER REFERENCES ask (id) ON DELETE SET NULL,
    version INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('agree', 'photo', 'choice', 'line')),
    is_each INTEGER CHECK (is_each IN (0, 1)) NOT NULL,
    text TEXT NOT NULL,
    answer TEXT NOT NULL,
    giver_id INTEGER REFERENCES account (id) ON DELETE SET NULL,
    at INTEGER NOT NULL,
    taken_back_at INTEGER,
    days INTEGER NOT NULL CHECK (days BETWEEN 1 AND 365),
    erase_at INTEGER NOT NULL,
    UNIQUE (person_id, ask_id)
) STRICT;
CREATE INDEX reply_ask ON reply (ask_id) WHERE ask_id IS NOT NULL;
CREATE INDEX reply_erase ON reply (erase_at);
CREATE INDEX reply_event ON reply (event_id, id);
CREATE INDEX reply_giver ON reply (giver_id) WHERE giver_id IS NOT NULL;
CREATE TABLE report (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    subject TEXT NOT NULL REFERENCES matter (subject) ON DELETE CASCADE,
    account_id INTEGER REFERENCES account (id) ON DELETE SET NULL,
    ground TEXT NOT NULL CHECK (ground IN ('unkind', 'spam', 'private', 'danger', 'other')),
    note TEXT NOT NULL,
    words TEXT NOT NULL,
    once TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    verdict TEXT CHECK (verdict IN ('right', 'wrong')),
    email TEXT NOT NULL DEFAULT '',
    decided_at INTEGER
) STRICT;
CREATE INDEX report_account ON report (account_id, verdict);
CREATE INDEX report_email ON report (subject) WHERE email <> '';
CREATE UNIQUE INDEX report_open ON report (subject, account_id)
    WHERE verdict IS NULL AND account_id IS NOT NULL;
CREATE INDEX report_subject ON report (subject, id);
CREATE TABLE review (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    host_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
    comment TEXT NOT NULL,
    year INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    edited_at INTEGER,
    hidden_at INTEGER,
    answer TEXT NOT NULL DEFAULT '',
    answered_at INTEGER,
    UNIQUE (host_id, account_id, year)
) STRICT;
CREATE INDEX review_account ON review (account_id, id);
CREATE INDEX review_host ON review (host_id, id);
CREATE TABLE roster_note (
    view_id INTEGER NOT NULL REFERENCES roster_view (id) ON DELETE CASCADE,
    registration_id INTEGER NOT NULL REFERENCES registration (id) ON DELETE CASCADE,
    PRIMARY KEY (view_id, registration_id)
) STRICT;
CREATE INDEX roster_note_registration ON roster_note (registration_id);
CREATE TABLE roster_view (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    account_id INTEGER REFERENCES account (id) ON DELETE SET NULL,
    kind TEXT NOT NULL CHECK (kind IN ('notes', 'csv', 'print')),
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX roster_view_account ON roster_view (account_id);
CREATE INDEX roster_view_at ON roster_view (at);
CREATE INDEX roster_view_event ON roster_view (event_id, at);
CREATE TABLE saved_event (
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, event_id)
) STRICT;
CREATE INDEX saved_event_ended ON saved_event (ends_at);
CREATE INDEX saved_event_event ON saved_event (event_id);
CREATE INDEX saved_event_list ON saved_event (account_id, starts_at, event_id, ends_at);
CREATE TABLE saved_opportunity (
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    opportunity_id INTEGER NOT NULL REFERENCES opportunity (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, opportunity_id)
) STRICT;
CREATE INDEX saved_opportunity_ended ON saved_opportunity (ends_at);
CREATE INDEX saved_opportunity_list ON saved_opportunity (account_id, ends_at, opportunity_id);
CREATE INDEX saved_opportunity_opportunity ON saved_opportunity (opportunity_id);
CREATE TABLE saved_search (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    query TEXT NOT NULL,
    at INTEGER NOT NULL,
    UNIQUE (account_id, query)
) STRICT;
CREATE INDEX saved_search_list ON saved_search (account_id, id);
CREATE TABLE search_letter (
    account_id INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    since INTEGER NOT NULL,
    due_at INTEGER NOT NULL
) STRICT;
CREATE INDEX search_letter_due ON search_letter (due_at, account_id);
CREATE TABLE sent_form (
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    once TEXT NOT NULL,
    path TEXT NOT NULL,
    digest INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (account_id, once, path)
) STRICT;
CREATE INDEX sent_form_at ON sent_form (at);
CREATE TABLE session (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token_hash BLOB NOT NULL UNIQUE,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    csrf BLOB NOT NULL,
    hat TEXT CHECK (hat IN ('parent', 'provider')),
    device TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    network TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX session_account ON session (account_id, seen_at);
CREATE INDEX session_seen ON session (seen_at);
CREATE TABLE session_reminder (
    activity_id INTEGER NOT NULL REFERENCES activity (id) ON DELETE CASCADE,
    lead TEXT NOT NULL CHECK (lead IN ('day', 'hours')),
    due_at INTEGER NOT NULL,
    PRIMARY KEY (activity_id, lead)
) STRICT;
CREATE INDEX session_reminder_due ON session_reminder (due_at, activity_id);
CREATE TABLE setup_link (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token_hash BLOB NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    ended TEXT CHECK (ended IN ('used', 'replaced'))
) STRICT;
CREATE TABLE shift (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    opportunity_id INTEGER NOT NULL REFERENCES opportunity (id) ON DELETE CASCADE,
    day TEXT NOT NULL,
    start_minute INTEGER NOT NULL,
    end_minute INTEGER NOT NULL,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    spots INTEGER NOT NULL CHECK (spots BETWEEN 1 AND 500),
    taken INTEGER NOT NULL DEFAULT 0 CHECK (taken BETWEEN 0 AND spots),
    lead TEXT NOT NULL,
    removed_at INTEGER,
    asked_at INTEGER
) STRICT;
CREATE INDEX shift_opportunity ON shift (opportunity_id, starts_at, id);
CREATE INDEX shift_over ON shift (ends_at, id) WHERE asked_at IS NULL AND removed_at IS NULL;
CREATE TABLE shift_reminder (
    shift_id INTEGER NOT NULL REFERENCES shift (id) ON DELETE CASCADE,
    lead TEXT NOT NULL CHECK (lead IN ('day', 'hours')),
    due_at INTEGER NOT NULL,
    PRIMARY KEY (shift_id, lead)
) STRICT;
CREATE INDEX shift_reminder_due ON shift_reminder (due_at, shift_id);
CREATE TABLE shift_wait (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    shift_id INTEGER NOT NULL REFERENCES shift (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    message TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    places INTEGER NOT NULL DEFAULT 1 CHECK (places >= 1)
) STRICT;
CREATE INDEX shift_wait_account ON shift_wait (account_id);
CREATE UNIQUE INDEX shift_wait_person ON shift_wait (shift_id, account_id);
CREATE INDEX shift_wait_turn ON shift_wait (shift_id, id, account_id, places);
CREATE TABLE signup (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    opportunity_id INTEGER NOT NULL REFERENCES opportunity (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    shift_id INTEGER REFERENCES shift (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('asked', 'confirmed', 'declined', 'cancelled')),
    message TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    places INTEGER NOT NULL DEFAULT 1 CHECK (places >= 1),
    reminded_at INTEGER,
    lapsed INTEGER CHECK (lapsed IN (0, 1)) NOT NULL DEFAULT FALSE
) STRICT;
CREATE INDEX signup_account ON signup (account_id, id);
CREATE INDEX signup_asked ON signup (opportunity_id, created_at) WHERE state = 'asked';
CREATE UNIQUE INDEX signup_open ON signup (account_id, opportunity_id, coalesce(shift_id, 0))
    WHERE state IN ('asked', 'confirmed');
CREATE INDEX signup_opportunity ON signup (opportunity_id, id);
CREATE INDEX signup_shift ON signup (shift_id) WHERE shift_id IS NOT NULL;
CREATE TRIGGER staff_act_is_fixed
BEFORE UPDATE OF verb, subject_id, reason, at, ground, was, became ON staff_act BEGIN
    SELECT RAISE(ABORT, 'what staff did stays as it was written down');
END;
CREATE TRIGGER staff_act_stays BEFORE DELETE ON staff_act BEGIN
    SELECT RAISE(ABORT, 'what staff did stays written down');
END;
CREATE TABLE staff_act (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER REFERENCES account (id) ON DELETE SET NULL,
    verb TEXT NOT NULL,
    subject TEXT NOT NULL,
    subject_id INTEGER,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL,
    ground TEXT,
    was TEXT NOT NULL DEFAULT '',
    became TEXT NOT NULL DEFAULT '',
    about TEXT,
    author_id INTEGER REFERENCES account (id) ON DELETE SET NULL
) STRICT;
CREATE INDEX staff_act_author ON staff_act (author_id) WHERE author_id IS NOT NULL;
CREATE INDEX staff_act_subject ON staff_act (subject_id, verb, id);
CREATE INDEX staff_act_verb ON staff_act (verb, ground);
CREATE TABLE standing (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
    points INTEGER NOT NULL CHECK (points >= 0),
    acts INTEGER NOT NULL CHECK (acts >= 0),
    with_children INTEGER NOT NULL CHECK (with_children >= 0),
    themes INTEGER NOT NULL,
    streak_length INTEGER NOT NULL,
    streak_record INTEGER NOT NULL,
    streak_rests INTEGER NOT NULL,
    streak_first TEXT,
    streak_last TEXT,
    day_length INTEGER NOT NULL,
    day_record INTEGER NOT NULL,
    day_rests INTEGER NOT NULL,
    day_first TEXT,
    day_last TEXT,
    needs INTEGER NOT NULL DEFAULT 0 CHECK (needs >= 0),
    friends INTEGER NOT NULL DEFAULT 0 CHECK (friends >= 0)
) STRICT;
CREATE TABLE tag (
    name TEXT NOT NULL PRIMARY KEY,
    uses INTEGER NOT NULL,
    merged_into TEXT,
    is_hidden INTEGER CHECK (is_hidden IN (0, 1)) NOT NULL DEFAULT FALSE
) STRICT;
CREATE INDEX tag_merged ON tag (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX tag_uses ON tag (uses, name);
CREATE TABLE talk_news (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    match_id INTEGER UNIQUE REFERENCES pet_match (id) ON DELETE CASCADE,
    thread_id INTEGER UNIQUE REFERENCES thread (id) ON DELETE CASCADE,
    CHECK ((match_id IS NULL) <> (thread_id IS NULL))
) STRICT;
CREATE TABLE team_act (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    host_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    account_id INTEGER REFERENCES account (id) ON DELETE SET NULL,
    verb TEXT NOT NULL,
    title TEXT NOT NULL,
    at INTEGER NOT NULL,
    about_id INTEGER REFERENCES account (id) ON DELETE SET NULL
) STRICT;
CREATE INDEX team_act_about ON team_act (about_id) WHERE about_id IS NOT NULL;
CREATE INDEX team_act_account ON team_act (account_id);
CREATE INDEX team_act_at ON team_act (at);
CREATE INDEX team_act_host ON team_act (host_id, id);
CREATE TABLE thing (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    opportunity_id INTEGER NOT NULL REFERENCES opportunity (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    wanted INTEGER NOT NULL CHECK (wanted BETWEEN 1 AND 10000),
    promised INTEGER NOT NULL DEFAULT 0 CHECK (promised BETWEEN 0 AND wanted),
    place INTEGER NOT NULL,
    removed_at INTEGER
) STRICT;
CREATE INDEX thing_opportunity ON thing (opportunity_id, place, id);
CREATE TABLE thread (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    claim_id INTEGER UNIQUE REFERENCES claim (id) ON DELETE CASCADE,
    opportunity_id INTEGER REFERENCES opportunity (id) ON DELETE CASCADE,
    question_id INTEGER UNIQUE REFERENCES question (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    UNIQUE (opportunity_id, account_id),
    CHECK (CASE WHEN claim_id IS NULL THEN 0 ELSE 1 END + CASE WHEN opportunity_id IS NULL THEN 0 ELSE 1 END
        + CASE WHEN question_id IS NULL THEN 0 ELSE 1 END = 1)
) STRICT;
CREATE INDEX thread_account ON thread (account_id, id);
CREATE TABLE thread_side (
    thread_id INTEGER NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    last_at INTEGER NOT NULL,
    unread INTEGER NOT NULL DEFAULT 0 CHECK (unread >= 0),
    PRIMARY KEY (thread_id, account_id)
) STRICT;
CREATE INDEX thread_side_account ON thread_side (account_id, last_at, thread_id);
CREATE TABLE town (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name_key TEXT NOT NULL,
    name TEXT NOT NULL,
    region TEXT NOT NULL,
    country TEXT NOT NULL,
    latitude REAL NOT NULL,
    longitude REAL NOT NULL,
    zone TEXT NOT NULL,
    population INTEGER NOT NULL,
    band INTEGER NOT NULL
) STRICT;
CREATE INDEX town_band ON town (band, longitude);
CREATE INDEX town_name ON town (name_key, country, population);
CREATE TABLE town_letter (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    topic TEXT NOT NULL CHECK (topic IN ('events', 'helping', 'kindness', 'pets', 'site')),
    follows INTEGER NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    at INTEGER NOT NULL,
    reached INTEGER NOT NULL DEFAULT 0,
    count INTEGER NOT NULL DEFAULT 0,
    ended_at INTEGER,
    is_stopped INTEGER CHECK (is_stopped IN (0, 1)) NOT NULL DEFAULT FALSE,
    UNIQUE (topic, follows)
) STRICT;
CREATE INDEX town_letter_at ON town_letter (at);
CREATE INDEX town_letter_open ON town_letter (id) WHERE ended_at IS NULL;
CREATE TABLE town_total (
    month TEXT NOT NULL,
    theme TEXT NOT NULL,
    count INTEGER NOT NULL CHECK (count >= 0),
    PRIMARY KEY (month, theme)
) STRICT;
CREATE TABLE two_step (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
    secret BLOB NOT NULL,
    begun_at INTEGER NOT NULL,
    turned_on_at INTEGER,
    last_step INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0,
    waits_until INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE undo (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    kind TEXT NOT NULL
        CHECK (kind IN ('places', 'offer', 'child', 'draft', 'event', 'visit', 'post', 'comment', 'match',
        'signup', 'promise', 'claim', 'wait', 'companion', 'meeting', 'challenge')),
    subject INTEGER NOT NULL,
    label TEXT NOT NULL,
    kept TEXT NOT NULL,
    ends_at INTEGER NOT NULL,
    is_done INTEGER CHECK (is_done IN (0, 1)) NOT NULL DEFAULT FALSE
) STRICT;
CREATE INDEX undo_account ON undo (account_id, kind, id);
CREATE INDEX undo_end ON undo (ends_at);
CREATE TABLE wave (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    staff_id INTEGER REFERENCES account (id) ON DELETE SET NULL,
    ground TEXT NOT NULL CHECK (ground IN ('unkind', 'spam', 'private', 'danger', 'other')),
    reason TEXT NOT NULL,
    accounts INTEGER NOT NULL,
    things INTEGER NOT NULL,
    at INTEGER NOT NULL,
    ended_at INTEGER
) STRICT;
CREATE INDEX wave_staff ON wave (staff_id);
CREATE TABLE wave_part (
    wave_id INTEGER NOT NULL REFERENCES wave (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (wave_id, kind, number)
) STRICT;
CREATE TABLE wish (
    sheet_id INTEGER NOT NULL REFERENCES wish_sheet (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    child_id INTEGER NOT NULL REFERENCES child (id) ON DELETE CASCADE,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    PRIMARY KEY (sheet_id, number, rank)
) STRICT;
CREATE INDEX wish_child ON wish (child_id);
CREATE INDEX wish_event ON wish (event_id);
CREATE TABLE wish_sheet (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    draw_id INTEGER NOT NULL REFERENCES draw (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    code TEXT NOT NULL UNIQUE,
    together INTEGER CHECK (together IN (0, 1)) NOT NULL,
    updated_at INTEGER NOT NULL,
    told INTEGER CHECK (told IN (0, 1)) NOT NULL DEFAULT FALSE,
    UNIQUE (draw_id, account_id)
) STRICT;
CREATE INDEX wish_sheet_account ON wish_sheet (account_id);
CREATE INDEX wish_sheet_draw ON wish_sheet (draw_id, id);
CREATE INDEX wish_sheet_untold ON wish_sheet (draw_id, id) WHERE NOT told;
CREATE TABLE word (
    text TEXT NOT NULL PRIMARY KEY,
    initial TEXT NOT NULL,
    uses INTEGER NOT NULL
) STRICT;
CREATE INDEX word_initial ON word (initial, uses, text);
CREATE TABLE written_address (
    hash BLOB NOT NULL PRIMARY KEY,
    written_at INTEGER NOT NULL,
    refused_at INTEGER
) STRICT;
CREATE INDEX written_address_at ON written_address (written_at) WHERE refused_at IS NULL;
CREATE TABLE young_person (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    signup_id INTEGER NOT NULL REFERENCES signup (id) ON DELETE CASCADE,
    token_hash BLOB NOT NULL UNIQUE,
    expires_at INTEGER NOT NULL,
    agreed_at INTEGER,
    ended_at INTEGER,
    erase_at INTEGER NOT NULL
) STRICT;
CREATE INDEX young_person_erase ON young_person (erase_at);
CREATE INDEX young_person_expires ON young_person (expires_at) WHERE agreed_at IS NULL AND ended_at IS NULL;
CREATE INDEX young_person_signup ON young_person (signup_id, id);
CREATE TABLE zip (
    code TEXT NOT NULL PRIMARY KEY,
    city TEXT NOT NULL,
    city_key TEXT NOT NULL,
    state TEXT NOT NULL,
    latitude REAL NOT NULL,
    longitude REAL NOT NULL,
    zone TEXT NOT NULL
) STRICT;
CREATE INDEX zip_city ON zip (city_key, state, code);
