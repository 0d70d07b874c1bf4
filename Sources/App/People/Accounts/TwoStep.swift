import Forms
import Templating

/// Logging in with a code besides the password.
struct TwoStep: Sendable {
    let account: ID<Account>
    let code: OneTimeCode
    let begunAt: Instant
    /// Nil while it is being set up.
    let turnedOnAt: Instant?
    /// The half minute of the last used code.
    let lastStep: Int64
    /// The wrong codes since the last right one.
    let failures: Int
    /// No code is accepted before this time.
    let waitsUntil: Instant

    var isOn: Bool { turnedOnAt != nil }

    /// The number of wrong codes before a wait.
    static let tries = 5
    /// How long the setup may take.
    static let setUp = Duration.hours(1)
    /// How long staff have to set it up.
    static let grace = Duration.hours(72)

    /// The wait after a number of wrong codes: a quarter of an hour after five, doubled after each further five, up to
    /// eight hours; nil in between.
    static func wait(after failures: Int) -> Duration? {
        guard failures > 0, failures.isMultiple(of: tries) else { return nil }
        return .minutes(15 * (1 << min(failures / tries - 1, 5)))
    }

    /// The result of checking a code.
    enum Answer: Sendable, Equatable {
        case right, wrong
        case waits(Duration)
    }
}

/// A one-time code for when the phone is lost: `3k7m-qx2d-9pfa`. Its first character is its number among the ten.
struct RecoveryCode: Sendable {
    /// From 0 to 9.
    let number: Int
    /// Without hyphens, starting with the number.
    let text: String

    static let count = 10
    /// The symbols of Crockford's base 32.
    private static let letters = Array("0123456789abcdefghjkmnpqrstvwxyz")

    /// Ten new codes with 55 random bits each.
    static func fresh() -> [RecoveryCode] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { number in
            let rest = (0..<11).map { _ in letters[Int.random(in: 0..<32, using: &generator)] }
            return RecoveryCode(number: number, text: "\(number)" + String(rest))
        }
    }

    private init(number: Int, text: String) { (self.number, self.text) = (number, text) }

    /// Parses a typed code with any spacing; nil if it can't be one.
    init?(typed: String) {
        let plain = typed.plainCode.map { $0 == "o" ? "0" : $0 == "i" || $0 == "l" ? "1" : $0 }
            .filter { Self.letters.contains($0) }
        guard plain.count == 12, let number = plain.first?.wholeNumberValue else { return nil }
        self.init(number: number, text: String(plain))
    }

    /// The format for display.
    var shown: String {
        [text.prefix(4), text.dropFirst(4).prefix(4), text.dropFirst(8)].joined(separator: "-")
    }
}

/// The page `/me/two-step`.
struct TwoStepPage: Sendable {
    enum State: Sendable {
        case off
        /// The secret, as a QR code and for typing.
        case begun(code: QRCode?, link: Link, secret: String)
        case on(since: Words, codesLeft: Int)
    }

    let state: State
    /// The deadline for staff; nil for others, and once it is on.
    var due: Words?
    var isOverdue = false
}

/// A code of the authenticator app.
struct CodeForm: Form {
    var code = ""

    static let fields: [Field<CodeForm>] = [
        .text("code", \.code, "Code", 1...40).hint("The six digits that the app shows now.")
            .autocomplete("one-time-code").inputmode("numeric").narrow.missing("Type the code that the app shows.")
    ]
}

/// A recovery code in place of an app code.
struct RecoveryForm: Form {
    var code = ""

    static let fields: [Field<RecoveryForm>] = [
        .text("code", \.code, "Recovery code", 1...40).hint("One of the ten that you wrote down. Each is good once.")
            .autocomplete("off").missing("Type one of your recovery codes.")
    ]
}

/// Both steps once more, before an important change.
struct BothStepsForm: Form {
    var current = ""
    var code = ""

    static let fields: [Field<BothStepsForm>] = [
        .password("current_password", \.current, "Your password", atLeast: 1)
            .autocomplete("current-password").missing("Give your password."),
        .text("code", \.code, "Code", 1...40).hint("The six digits that the app shows now, or a recovery code.")
            .autocomplete("one-time-code").missing("Type the code that the app shows."),
    ]
}

/// The code inside a form whose session ended.
struct ResumeCodeForm: Form {
    var code = ""

    static let fields: [Field<ResumeCodeForm>] = [
        .text("session_code", \.code, "Code", 1...40)
            .hint("The six digits that the app shows now, or a recovery code.")
            .autocomplete("one-time-code").missing("Type the code that the app shows.")
    ]
}

/// A log-in whose password was right and whose code is pending: it grants nothing yet.
enum PendingLogIn {
    static let lifetime = Duration.minutes(10)
}
