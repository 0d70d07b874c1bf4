import Forms
import Templating

/// The five rooms. A tab appears with the feature that fills it.
enum Tab: Sendable {
    case today, discover, week, community, me, help
}

extension Flash {
    /// Whether it reports that something went wrong.
    var isWarning: Bool { Self.warnings.contains(self) }

    private static let warnings: [Flash] = [
        .offerOver, .placeGone, .overtaken, .pushNotTaken, .outsideAway, .outsideLost, .outsideStopped, .outsideWrong,
        .outsideUnknown, .outsideFamily, .hoursOvertaken,
    ]

    /// A link to the result.
    var next: (link: Link, label: Words)? {
        self == .decided ? (Link.staffLog, "What staff did") : nil
    }

    var words: Words {
        switch self {
        case .welcome: "Welcome to the village."
        case .signedOut: "You are logged out."
        case .saved: "Saved."
        case .pushOn: "Push messages come to this browser from now on."
        case .pushOff: "Push messages don’t come there anymore."
        case .pushNotTaken: "This browser gave an address that we can’t send push messages to."
        case .helpPublished: "It is published, under Helping."
        case .helpClosed: "Closed. Everybody who was in it is told."
        case .signedUp: "Thank you. It is in My week."
        case .placeGivenBack: "Given back. Thank you for saying so."
        case .promised: "Promised. Thank you."
        case .promiseTakenBack: "Taken back. Others can promise it now."
        case .thingGiven: "Noted. Thank you."
        case .notCounted: "It doesn’t count among your kind acts anymore."
        case .notYet: "It stands as promised again."
        case .hoursSaid: "Noted. The organization confirms it."
        case .hoursConfirmed: "Confirmed. They are told."
        case .hoursSettled: "These were confirmed meanwhile."
        case .hoursOvertaken:
            """
            Saved. Somebody else confirmed some of them meanwhile with other times, or noted that they did not come: \
            that counts. Please look at them.
            """
        case .reviewed: "Your review is published."
        case .reviewDeleted: "Your review is deleted."
        case .childAdded: "Added. You can register for events now."
        case .childSaved: "Saved."
        case .takenBack: "Undone: it is as it was."
        case .takenBackWithoutActivities:
            "Undone. Some of what you had joined is full or called off by now: look at the program."
        case .takenBackInPart: "Undone. Some of the places went to others meanwhile."
        case .takenBackWithoutBegun:
            "Undone, for the dates still to come. What has begun or was called off meanwhile stays given back."
        case .takenBackWithoutPicture: "Undone, but without its picture: please choose it again."
        case .takenBackWithoutReplies:
            "Undone. What you had answered about this child is erased: please answer the hosts’ questions again."
        case .consentTakenBack: "Your consent was taken back, and the host’s list says so."
        case .consentTakenBackForAll: "Your consent was taken back for all dates, and the host’s lists say so."
        case .takenBackWithoutAnswers: "Undone, but without its likes and comments: they are gone."
        case .passwordChanged: "The password is changed."
        case .sessionEnded: "That device is logged out."
        case .eventChanged: "Changed. Families see it at once."
        case .eventCancelled: "The event is canceled. Its page says so, with your reason."
        case .datesPublished: "The dates are published."
        case .calendarPublished: "Published. Your events say what the calendar says."
        case .draftKept: "Kept as a draft. Nobody reads it before you publish it."
        case .planGranted: "Saved. It is in the log."
        case .eventHidden: "The event is hidden."
        case .eventShown: "The event is public again."
        case .offerOver: "The time for an answer is over, and the place has gone to the next family."
        case .overtaken: "That changed meanwhile, so nothing was done. This is how it is now."
        case .placeGone: "Somebody else was faster. You are still on the waiting list."
        case .invited: "The family has been offered its places."
        case .personAdded: "Added. Print the slip, or read the code out."
        case .placeTakenOver: "The place is yours now."
        case .suspended: "The account is suspended."
        case .restored: "The account is restored."
        case .sessionsEnded: "All other devices are logged out."
        case .twoStepOff: "Two-step log-in is off."
        case .emailPutBack: "Your old address is back, and all devices are logged out. Now choose a new password."
        case .addressConfirmed: "Your e-mail address is confirmed."
        case .letterKept: "The letter is written. This site sends none yet: ask the people who run it."
        case .announced: "Sent. Everybody finds it in the inbox."
        case .sentBefore: "You already sent this. It went out once."
        case .asked: "Asked. You are told when there is an answer."
        case .letterWaits: "The letter is tried again at once."
        case .letterSent: "The letter is on its way."
        case .invitationsSent: "The letters go out now, one a second."
        case .invitationsEnded: "The invitations are taken back. Letters that were still waiting aren’t sent."
        case .letterGoesOut: "It goes out now, a few letters at a time. Until the last of them you can stop it."
        case .outsideAllowed: "Saved. They can log in that way from now on."
        case .outsideEnded: "Done. They are logged out, and can’t log in that way anymore."
        case .outsideAway: "The place where you log in doesn’t answer. Try again later, or use your password."
        case .outsideLost: "The log-in took too long, or it began in another browser. Please try again."
        case .outsideStopped: "The log-in was stopped there. Try again, or use your password."
        case .outsideWrong: "The answer from the place where you log in isn’t valid. Try again, or use your password."
        case .outsideUnknown:
            "Nobody has said that you may log in that way. Ask the people who run this site, or use your password."
        case .outsideFamily:
            """
            This is a family’s account. Families log in with their own password, so that nothing about children hangs \
            on an account elsewhere.
            """
        case .postPublished: "Your post is published."
        case .waitsForLook: "Thank you. Somebody looks at it before others see it."
        case .waveStopped: "Done. It is listed below, and can be taken back all at once."
        case .waveUndone: "Taken back, all of it."
        case .domainBlocked: "Blocked. Nobody new comes in from there."
        case .domainUnblocked: "Addresses from there can be used again."
        case .removalAsked: "Noted. The account is deleted after a second moderator agrees."
        case .accountRemoved: "The account is deleted, with what it wrote."
        case .blocked: "Blocked. You no longer see what the other writes, and nobody is told."
        case .unblocked: "Unblocked."
        case .reported: "Thank you. Somebody who runs this site looks at it soon."
        case .foundFine: "Somebody looked at this already, and found it fine."
        case .decided: "Decided."
        case .decisionUndone: "Taken back. The author is told."
        case .decisionAnswered: "Sent. Somebody who runs this site reads it."
        case .needAsked: "Asked. You are told as soon as somebody takes it."
        case .needClosed: "Closed. Everybody who promised something is told."
        case .needRenewed: "Good, it stays."
        case .challengeTaken: "Lovely. It is on your Today, and your friend hears once you have done it."
        case .actProposed: "Thank you. Somebody looks at it, and you are told."
        case .needTaken: "Thank you. It is on your Today."
        case .needMet: "Lovely. It counts for the person who promised it."
        case .needBrought: "Thank you. They are asked to say so, too."
        case .needDropped: "Taken back. Others can take it now."
        case .joined: "You are in."
        case .childJoined: "Your child is in."
        case .childrenJoined: "Your children are in."
        case .cohostAsked: "Noted. If there is a member by that name or address, they are asked."
        case .leftTeam: "Done. You don’t look after it anymore."
        case .waits: "You are on the list. When a place becomes free it is yours, and you are told."
        case .left: "Done. The places are free for others."
        case .lessOfThat: "You won’t be suggested that anymore."
        case .moreAgain: "It may be suggested again."
        case .petRemoved: "The pet is removed, with its matches."
        case .ownerLeft: "Your pets are gone from here, with their matches and your area."
        case .matched: "You said hello to each other. Write a word, or propose when to meet."
        case .proposed: "Sent. You are told when there is an answer."
        case .agreed: "Agreed. It is in My week for both of you."
        case .declined: "Sent. Propose other times if you like."
        case .calledOff: "Called off. The other person is told, with your reason."
        case .drawOff: "The draw was called off."
        case .wishesTakenBack: "Your wishes are taken back."
        case .wishesStay: "The time was over; your earlier wishes count."
        case .accountDeleted: "Your account is deleted. Thank you for having been here."
        case .roleGiven: "Saved. They are told, and log in anew."
        case .devicesLoggedOut: "The account is logged out on all devices."
        case .calendarOff: "The calendar is switched off. Its address opens nothing anymore."
        }
    }
}

extension Frame {
    /// The log-in page, which returns here.
    var logIn: Link { Link.logIn(next: onward) }

    /// Whether anyone may sign up without an invitation.
    var canSignUp: Bool { town.joining.admits(invited: false) }

    /// The sign-up page, which returns here.
    var signUp: Link { Link.signUp(next: onward) }
}
