import Forms
import Templating

/// Letters about an account itself, and the test letter.
enum AccountLetter: Told {}

extension LetterText {
    static func welcome(_ name: String, token: String) -> LetterText {
        LetterText(
            subject: "Welcome to the village: confirm your e-mail address",
            heading: "Welcome, \(name, as: "name")!",
            lines: ["Press the button, so that we know that letters reach you: what changes, and what is canceled."],
            action: Action(name: "Confirm my e-mail address", link: Link.verify(token)),
            closing: [
                "The link works for 24 hours.",
                "If you didn’t sign up, you need not do anything: somebody mistyped their address.",
            ])
    }

    /// Staff set another address for a member, at their request.
    static func addressSet(_ name: String, token: String) -> LetterText {
        LetterText(
            subject: "Confirm your new e-mail address", heading: "Confirm your new e-mail address",
            lines: [
                """
                Somebody who runs the site wrote this address down for the account \(name, as: "name"), since letters \
                to the one before didn’t reach you, or because you asked for it.
                """,
                "Press the button, so that we know that letters reach you: what changes, and what is canceled.",
            ],
            action: Action(name: "Confirm my e-mail address", link: Link.verify(token)),
            closing: [
                "The link works for 24 hours.",
                "If you have no account here, you need not do anything: somebody mistyped their address.",
            ])
    }

    static func reset(_ name: String, token: String) -> LetterText {
        LetterText(
            subject: "A new password for the village", heading: "Choose a new password",
            lines: ["Somebody asked for a new password for the account \(name, as: "name")."],
            action: Action(name: "Choose a new password", link: Link.reset(token)),
            closing: [
                "The link works once, for 15 minutes. Then you are logged out on all devices.",
                "If it wasn’t you, you need not do anything: your password stays as it is.",
            ])
    }

    static func address(token: String) -> LetterText {
        LetterText(
            subject: "Confirm your new e-mail address", heading: "Confirm your new e-mail address",
            lines: ["Somebody wants to use this address for their account. If that is you, press the button."],
            action: Action(name: "Use this address", link: Link.verify(token)),
            closing: [
                "The link works for 24 hours. Until then nothing changes.",
                "If it wasn’t you, you need not do anything.",
            ])
    }

    /// To the previous address: it doesn't name the new owner.
    static func moved(_ name: String, token: String) -> LetterText {
        let ask: Words = "If it wasn’t you, please ask the people who run this site right away."
        return LetterText(
            subject: "Your e-mail address was changed", heading: "Your e-mail address was changed",
            lines: ["The account \(name, as: "name") has another e-mail address now. If that was you, all is well."],
            action: token.isEmpty ? nil : Action(name: "It wasn’t me", link: Link.undoEmail(token)),
            closing: token.isEmpty
                ? [ask]
                : ["For 72 hours the button puts this address back, and logs the account out on all devices."])
    }

    static func twoStep(_ name: String, isOn: Bool) -> LetterText {
        let subject: Words = isOn ? "Two-step log-in is on" : "Two-step log-in is off"
        return LetterText(
            subject: subject, heading: subject,
            lines: [
                isOn
                    ? "From now on \(name, as: "name") logs in with the password and a code from the phone."
                    : "From now on \(name, as: "name") logs in with the password alone."
            ],
            action: Action(name: "Look at your account", link: Link.twoStep),
            closing: ["If it wasn’t you, change your password, and tell the people who run this site right away."])
    }

    static func newPassword(_ name: String) -> LetterText {
        let subject: Words = "Your password was changed"
        return LetterText(
            subject: subject, heading: subject,
            lines: ["The account \(name, as: "name") has a new password. If that was you, all is well."],
            action: Action(name: "It wasn’t me", link: Link.forgot),
            closing: ["If it wasn’t you, choose another one there, and tell the people who run this site right away."])
    }

    static func recovered(_ name: String, left: Int) -> LetterText {
        let subject: Words = "A recovery code was used"
        return LetterText(
            subject: subject, heading: subject,
            lines: [
                "Somebody gave the password of \(name, as: "name") and one of the recovery codes.",
                Words("{count} code is left.", plural: "{count} codes are left.", count: left),
            ],
            action: Action(name: "Look at your account", link: Link.twoStep),
            closing: ["If it wasn’t you, change your password, and tell the people who run this site right away."])
    }

    /// To a member who left; their name has been erased.
    static var deleted: LetterText {
        let subject: Words = "Your account was deleted"
        return LetterText(
            subject: subject, heading: subject,
            lines: [
                "What you had here is erased, and your places are free for others. Thank you for having been with us.",
                "If it wasn’t you, please tell the people who run this site right away.",
            ])
    }
}
