import Database

/// The tables, a file for each feature, named after its folder.
///
/// Until the tag `v0.2.0` each makes its tables as they are today, and is edited where that changes. From the tag on
/// they are frozen, and a change is a file of its own: CONTRIBUTING says how.
enum Schema {
    /// What `village.sqlite` is signed with (`PRAGMA application_id`): "Vlge".
    static let application: Int32 = 0x566C_6765
    /// The same for `media.sqlite`: "Vlgm".
    static let applicationOfMedia: Int32 = 0x566C_676D

    /// In an order in which a table comes after those it refers to.
    static let migrations: [Migration] = [
        accounts, town, pictures, places, profiles, team, moderation, joining, admin, events, finding, posting,
        cohosts, registrations, draws, asking, programme, undoing, calendars, timeline, pets, playdates, opportunities,
        talking, signingUp, guests, promises, impact, reviews, needs, messages, kindness, suggesting, saving, imports,
        inbox, mail, letters, upkeep, push, reporting, dialects,
    ]
}
