import Database

/// The tables, a migration a file, in the order they came. One that was released is never edited.
enum Schema {
    static let migrations: [Migration] = [
        accounts, profiles, events, registrations, moderation, search, running, pictures, places, calendars,
    ]
}
