/// The line drawings of `Public/images/icons.svg`.
///
/// Their raw values are positions in a list, because every page looks up dozens of them.
enum Icon: Int, Sendable, CaseIterable {
    case back, bell, block, calendar, check, chevron, child, clock, comment, compass, copy, cross, device, down,
        download, edit, eye, eyeOff
    case cards, filter, flag, gift, globe, hands, heart, help, house, info, key, link, lock, log,
        logout, mail, map, me, minus, money, moon, out, paw, people, phone, pin, plus, print, search, send, settings,
        shadow, share, shield, smile, sprout, star, sun, table, tag,
        ticket, trash, undo, verified, warning, wave, week
    case starHalf

    /// Its name in the file.
    var name: String {
        switch self {
        case .eyeOff: "eye-off"
        case .starHalf: "star-half"
        default: String(describing: self)
        }
    }
}

/// The drawings of `Public/images/drawings.svg`.
enum Drawing: String, Sendable, CaseIterable {
    case calendarEmpty = "calendar-empty"
    case searchEmpty = "search-empty"
    case ticketEmpty = "ticket-empty"
    case
        childrenEmpty = "children-empty"
    case peopleEmpty = "people-empty"
    case mail, done, waiting, lost, broken, locked,
        parents, providers, town
}
