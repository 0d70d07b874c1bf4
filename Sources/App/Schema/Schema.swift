import Database

/// The tables, a migration a file, in the order they came. One that was released is never edited.
enum Schema {
    /// What `village.sqlite` is signed with (`PRAGMA application_id`): "Vlge".
    static let application: Int32 = 0x566C_6765
    /// The same for `media.sqlite`: "Vlgm".
    static let applicationOfMedia: Int32 = 0x566C_676D

    static let migrations: [Migration] = [
        accounts, profiles, events, registrations, moderation, search, running, pictures, places, calendars, rules,
        people, undo, words, hosts, names, letters, addresses, ages, notices, email, twoStep, preferences,
        receipts, reminders, talking, digests, leaving, timeline, photos, sharedEvents, peopleSearch,
        noticesBesideEvents, blocks, reports, communityEvents, kindness, guardians, programme, suggestions,
        playdates, helping, needs, door, desk, week, visits, hands, pets, badges, plans,
        colleagues, companions, challenges, proposals, lastingNeeds, together, undonePosts, faster, needSearch,
        provenAddresses, verifiedPlaces, childChangedBy, sentForms, staffChanges, bounces, seenChanges, answers,
        matchNews, runOut, fairTurns, reportAnswers, rosterNotes, certificateNames, strangers, smallestUnits,
        searchWords, faces, replies, undoneAnswers, draftKeepers, staffSubjects, deletedHidden,
    ]
}
