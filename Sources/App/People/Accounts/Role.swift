import Forms

/// What somebody may do for the site.
enum Role: String, FormValue, CaseIterable, Sendable {
    case member
    /// Decides about what people wrote, and about people.
    case moderator
    /// Runs the site, too: its settings, who looks after it, plans, letters.
    case admin

    var isStaff: Bool { self != .member }

    var name: Words {
        switch self {
        case .member: Words("member")
        case .moderator: Words("moderator")
        case .admin: Words("admin")
        }
    }

    /// What it lets somebody do, as the form says it.
    var detail: Words {
        switch self {
        case .member: "Uses the site like everybody else."
        case .moderator: "Looks at what was reported: writes to its author, hides, limits, suspends."
        case .admin: "The same, and runs the site: settings, roles, plans, letters, modules."
        }
    }

    /// There must be an admin who can log in.
    struct IsLastAdmin: Error {}
}

/// What somebody may do from now on, and why.
struct RoleForm: Form {
    var role = Role.member
    var reason = ""
    var password = ""

    static let fields: [Field<RoleForm>] = [
        .choice("role", \.role, "Role", options: Role.allCases.map { Choice($0, $0.name, detail: $0.detail) })
            .drawn(as: .radios),
        .reason(\.reason),
        .ownPassword(\.password),
    ]
}
