import Forms

/// The sign-up form: ACC-01, ACC-05 to ACC-07.
struct SignUpForm: Form {
    var email = ""
    var username = ""
    var password = ""
    var adult = false
    var agrees = false

    static let fields: [Field<SignUpForm>] = [
        .email("email", \.email, "E-mail address")
            .hint("Only the people who run this site see it, and providers where you register or help.")
            .missing("Give your e-mail address."),
        .text("username", \.username, "User name", 1...30)
            .hint("6 to 30 letters, numbers, - or _. You can log in with it.")
            .autocomplete("username").missing("Choose a user name."),
        .password("password", \.password, "Password", atLeast: 1)
            .hint("At least 10 characters. A few words in a row are easy to remember and hard to guess.")
            .autocomplete("new-password").missing("Choose a password."),
        .checkbox(
            "adult", \.adult, "I am 18 or older", mustBe: true,
            "Accounts are for adults. Children take part through a parent or guardian."),
        .checkbox("agrees", \.agrees, "I agree to the house rules and the terms of use"),
    ]

    /// - Parameter pages: The texts that the town wants members to agree to.
    func check(_ submission: inout Submission<SignUpForm>, guessed: GuessedFirst, pages: OwnPages = OwnPages()) {
        if pages.areAgreedTo, !agrees { submission.reject(\.agrees, "Please read and agree to them.") }
        if let problem = Account.problem(withUsername: username.lowercased()), !username.isEmpty {
            submission.reject(\.username, problem)
        }
        if !password.isEmpty,
            let problem = Account.problem(
                withPassword: password, email: email, username: username.lowercased(), guessed: guessed)
        {
            submission.reject(\.password, problem)
        }
    }
}

extension Submission<SignUpForm> {
    /// The fields; if the form comes back for something else, the one for the password says why it is empty.
    var shown: [Input] {
        inputs.map { input in
            guard input.name == "password", input.problem == nil, !problems.isEmpty else { return input }
            return input.reworded(input.label, hint: "Type it once more, please: no page ever holds a password.")
        }
    }
}

extension Account {
    /// The account's key for a typed log-in: its address with the domain in canonical spelling, or its user name.
    static func name(typed login: String) -> String {
        (EmailAddress(typed: login.trimmingPrefix { $0.isWhitespace }.squeezed)?.typed ?? login).lowercased()
    }
}

struct LogInForm: Form {
    var login = ""
    var password = ""

    static let fields: [Field<LogInForm>] = [
        .text("login", \.login, "E-mail address or user name", 1...254)
            .autocomplete("username").missing("Give your e-mail address or user name."),
        .password("password", \.password, "Password", atLeast: 1)
            .autocomplete("current-password").missing("Give your password."),
    ]
}

/// The log-in fields inside a form whose session ended.
struct ResumeForm: Form {
    var login = ""
    var password = ""

    static let fields: [Field<ResumeForm>] = [
        .text("session_login", \.login, "E-mail address or user name", 1...254)
            .autocomplete("username").missing("Give your e-mail address or user name."),
        .password("session_password", \.password, "Password", atLeast: 1)
            .autocomplete("current-password").missing("Give your password."),
    ]
}

/// The address for a letter to set a new password.
struct ForgotForm: Form {
    var email = ""

    static let fields: [Field<ForgotForm>] = [
        .email("email", \.email, "E-mail address").missing("Give the e-mail address of your account.")
    ]
}

/// A new password through a one-time link.
struct ResetForm: Form {
    var password = ""

    static let fields: [Field<ResetForm>] = [
        .password("password", \.password, "New password", atLeast: 1)
            .hint("At least 10 characters. A few words in a row are easy to remember and hard to guess.")
            .autocomplete("new-password").missing("Choose a password.")
    ]

    func check(_ submission: inout Submission<ResetForm>, of account: Account, guessed: GuessedFirst) {
        if !password.isEmpty,
            let problem = Account.problem(
                withPassword: password, email: account.email, username: account.username, guessed: guessed)
        {
            submission.reject(\.password, problem)
        }
    }
}

/// A new password for a member who knows the old one.
struct PasswordForm: Form {
    var current = ""
    var password = ""

    static let fields: [Field<PasswordForm>] = [
        .password("current_password", \.current, "Your password now", atLeast: 1)
            .autocomplete("current-password").missing("Give the password you have now."),
        .password("password", \.password, "New password", atLeast: 1)
            .hint("At least 10 characters. A few words in a row are easy to remember and hard to guess.")
            .autocomplete("new-password").missing("Choose a password."),
    ]

    func check(_ submission: inout Submission<PasswordForm>, of account: Account, guessed: GuessedFirst) {
        if !password.isEmpty,
            let problem = Account.problem(
                withPassword: password, email: account.email, username: account.username, guessed: guessed)
        {
            submission.reject(\.password, problem)
        }
    }
}
