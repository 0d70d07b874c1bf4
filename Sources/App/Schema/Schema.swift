import Database

/// The tables, with a file for each feature, named after its folder.
///
/// Until the tag `v0.2.0`, each file creates its tables in their current form and is edited when that changes. From the
/// tag on the files are frozen, and a change is a new file: see CONTRIBUTING.
enum Schema {
    /// The signature of `village.sqlite` (`PRAGMA application_id`): "Vlge".
    static let application: Int32 = 0x566C_6765
    /// The signature of `media.sqlite`: "Vlgm".
    static let applicationOfMedia: Int32 = 0x566C_676D

    /// In order: a table comes after those it refers to.
    static let migrations: [Migration] = [
        accounts, town, pictures, places, profiles, team, moderation, joining, admin, events, finding, posting,
        cohosts, registrations, draws, asking, programme, undoing, calendars, timeline, pets, playdates, opportunities,
        talking, signingUp, guests, promises, impact, reviews, needs, messages, kindness, suggesting, saving, imports,
        inbox, mail, letters, upkeep, push, reporting, dialects,
    ]
}
