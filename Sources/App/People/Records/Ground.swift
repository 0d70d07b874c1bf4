import Forms

/// The grounds for reports and decisions.
enum Ground: String, CaseIterable, Sendable, FormValue {
    case danger, unkind
    case privacy = "private"
    case spam, other

    var name: Words {
        switch self {
        case .danger: "Danger"
        case .unkind: "Unkind"
        case .privacy: "Private"
        case .spam: "Advertising"
        case .other: "Something else"
        }
    }

    /// For the reporter.
    var hint: Words {
        switch self {
        case .danger: "Somebody could be hurt, a child above all"
        case .unkind: "It hurts or threatens somebody"
        case .privacy: "It tells or shows what isn’t theirs to tell"
        case .spam: "It sells something, or is sent everywhere"
        case .other: "Say below what it is"
        }
    }

    /// For the author.
    var sentence: Words {
        switch self {
        case .danger: "It could put somebody in danger."
        case .unkind: "It is unkind to somebody."
        case .privacy: "It says or shows what is somebody’s private matter."
        case .spam: "It is advertising."
        case .other: "It doesn’t belong here."
        }
    }

    var icon: Icon {
        switch self {
        case .danger: .warning
        case .unkind: .comment
        case .privacy: .lock
        case .spam: .tag
        case .other: .flag
        }
    }
}
