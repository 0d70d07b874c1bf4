import Database

extension NoticeKind {
    /// What its notices and letters say: the one list of all kinds.
    ///
    /// - Parameter isAtEvent: Whether it is about an event: a reminder can be about a shift.
    func told(isAtEvent: Bool) -> any Told.Type {
        switch self {
        case .dayBefore where !isAtEvent, .hoursBefore where !isAtEvent: HelpNews.self
        case .registered, .changed, .cancelled, .hidden, .offered, .lapsed, .dayBefore, .hoursBefore, .answered,
            .booked, .asked, .published:
            EventNews.self
        case .drawn: DrawNews.self
        case .announced: AnnouncementNews.self
        case .imported: ImportNews.self
        case .cohosting: CohostNews.self
        case .searched: SearchNews.self
        case .followed: FollowNews.self
        case .helping, .helpers: HelpNews.self
        case .needs: NeedNews.self
        case .challenged: ChallengeNews.self
        case .dayAct: DayActNews.self
        case .invited: Challenge.self
        case .invitedHere: SiteInvitation.self
        case .matched, .messaged, .met, .meeting: PlaydateNews.self
        case .talked: PostNews.self
        case .wrote: ThreadNews.self
        case .decided: DecisionNews.self
        case .role, .desk, .verified: DeskNews.self
        case .team: TeamNews.self
        case .guardianOn, .guardianOff: GuardianNews.self
        case .aboutEvents, .aboutHelping, .aboutKindness, .aboutPets, .aboutSite: TownLetter.self
        case .welcome, .reset, .address, .moved, .newPassword, .twoStepOn, .twoStepOff, .recovered, .deleted, .test:
            AccountLetter.self
        }
    }
}

extension Letter {
    /// A letter's current text; nil if there is nothing to say anymore.
    ///
    /// - Parameters:
    ///   - seal: Seals links that work without a log-in; nil for a page that others see.
    ///   - country: The site’s country; `zone` is the site's, too.
    func text(_ seal: Seal? = nil, country: String, zone: Zone, in tx: Transaction) throws -> LetterText? {
        let told = kind.told(isAtEvent: event != nil)
        guard let id = account else { return try told.textForStranger(of: self, seal, in: tx) }
        // Suspended members are told why, and nothing else.
        guard let account = try Account.find(id, in: tx), account.suspendedAt == nil || kind == .decided else {
            return nil
        }
        let own = try Preferences.find(of: id, in: tx).zone
        let reader = LetterReader(account: account, zone: own ?? zone, seal: seal, country: country, siteZone: zone)
        return try told.text(of: self, to: reader, in: tx)
    }
}
