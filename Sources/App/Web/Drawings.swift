/// The line drawings of `Public/images/icons.svg`.
enum Icon: String, Sendable, CaseIterable {
    case back, bell, block, calendar, check, chevron, child, clock, compass, copy, cross, device, down, download,
        edit, eye, eyeOff = "eye-off", filter, flag, globe, heart, help, house, info, key, link, lock, log,
        logout, mail, map, me, money, people, phone, pin, plus, print, search, settings, share, shield, sun, tag,
        ticket, trash, warning, week
}

/// The drawings of `Public/images/drawings.svg`.
enum Drawing: String, Sendable, CaseIterable {
    case calendarEmpty = "calendar-empty", searchEmpty = "search-empty", ticketEmpty = "ticket-empty",
        childrenEmpty = "children-empty", peopleEmpty = "people-empty", mail, done, waiting, lost, broken, locked,
        parents, providers, town
}
