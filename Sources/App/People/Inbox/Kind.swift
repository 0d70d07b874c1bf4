import Forms

/// What people are told of: the one list from which notices, letters, settings and their tests come.
enum Kind: String, CaseIterable, Sendable {
    /// An account was made: its address is to be confirmed.
    case welcome
    /// Somebody forgot a password.
    case reset
    /// An admin tries whether letters arrive.
    case test

    /// Where somebody is told.
    enum Channel: String, CaseIterable, Sendable {
        case inbox, mail

        var name: Words {
            switch self {
            case .inbox: "In the inbox"
            case .mail: "By mail"
            }
        }
    }

    /// Whether a channel is used.
    enum Rule: Sendable {
        case never
        /// As long as its reader doesn't choose otherwise.
        case chosen
        /// Whatever its reader would choose.
        case always
    }

    func rule(of channel: Channel) -> Rule {
        switch (self, channel) {
        case (.welcome, .inbox), (.reset, .inbox), (.test, .inbox): .never
        case (.welcome, .mail), (.reset, .mail), (.test, .mail): .always
        }
    }

    /// As the settings name it.
    var name: Words {
        switch self {
        case .welcome: "Confirm your address"
        case .reset: "A new password"
        case .test: "A test"
        }
    }

    /// Why a letter of this kind comes, as its last lines say.
    var why: Words {
        switch self {
        case .welcome: "You get this letter because somebody signed up with this address."
        case .reset: "You get this letter because somebody asked for a new password with this address."
        case .test: "You get this letter because somebody who runs the site wants to know whether letters arrive."
        }
    }

    /// Whether it tells somebody of what they did themselves: such letters go to addresses that nobody confirmed, too.
    var isOwnAct: Bool { true }

    /// How long a letter is of use.
    var shelfLife: Duration {
        switch self {
        case .reset: ResetLink.lifetimeByMail
        case .welcome: ConfirmLink.lifetime
        case .test: .hours(1)
        }
    }
}
