/// The message about the completed action on the next page. The cookie contains only one of these names, never a text.
enum Flash: String, CaseIterable {
    case welcome, signedOut, saved, childAdded, childSaved, takenBack, takenBackInPart
    case takenBackWithoutPicture, takenBackWithoutActivities, takenBackWithoutAnswers, takenBackWithoutBegun
    case takenBackWithoutReplies, consentTakenBack, consentTakenBackForAll
    case passwordChanged
    case eventChanged, eventCancelled, datesPublished, calendarPublished, draftKept, planGranted
    case offerOver, placeGone, overtaken
    case invited, sessionEnded, eventHidden, eventShown, suspended, restored, calendarOff
    case addressConfirmed, emailPutBack, twoStepOff, sessionsEnded, letterSent, letterKept, letterWaits
    case accountDeleted, announced, asked, waitsForLook, waveStopped, waveUndone, domainBlocked, domainUnblocked
    case removalAsked, accountRemoved, pushOn, pushOff, pushNotTaken
    case postPublished, sentBefore
    case blocked, unblocked, reported, foundFine, decided, decisionUndone, decisionAnswered
    case needAsked, needClosed, needRenewed, needTaken, needMet, needBrought, needDropped, notCounted
    case joined, childJoined, childrenJoined, left, waits, lessOfThat, moreAgain
    case petRemoved, ownerLeft, matched, proposed, agreed, declined, calledOff
    case helpPublished, helpClosed, signedUp, placeGivenBack, promised, promiseTakenBack, thingGiven, notYet
    case personAdded, placeTakenOver
    case roleGiven, devicesLoggedOut, leftTeam, cohostAsked
    case challengeTaken, actProposed
    case hoursSaid, hoursConfirmed, hoursSettled, hoursOvertaken, reviewed, reviewDeleted
    case letterGoesOut, invitationsSent, invitationsEnded
    case outsideAllowed, outsideEnded, outsideAway, outsideLost, outsideStopped, outsideWrong, outsideUnknown
    case outsideFamily
    case drawOff, wishesTakenBack, wishesStay

    static let cookieName = "village_flash"

    /// The `Set-Cookie` line that removes the message.
    static func gone(_ settings: Settings) -> String { Cookie.line(cookieName, "", seconds: 0, in: settings) }

    init?(cookie: Substring?) {
        guard let cookie, let flash = Flash(rawValue: String(cookie)) else { return nil }
        self = flash
    }

    func cookie(in settings: Settings) -> String {
        Cookie.line(Self.cookieName, rawValue, seconds: 60, in: settings)
    }
}
