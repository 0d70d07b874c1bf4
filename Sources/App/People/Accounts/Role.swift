import Forms

/// A member's rights over the site.
enum Role: String, FormValue, CaseIterable, Sendable {
    case member
    /// Decides about content and members.
    case moderator
    /// Also runs the site: settings, staff, plans, letters.
    case admin

    var isStaff: Bool { self != .member }

    var name: Words {
        switch self {
        case .member: Words("member")
        case .moderator: Words("moderator")
        case .admin: Words("admin")
        }
    }

    /// A description of the rights, for the form.
    var detail: Words {
        switch self {
        case .member: "Uses the site like everybody else."
        case .moderator: "Looks at what was reported: writes to its author, hides, limits, suspends."
        case .admin: "The same, and runs the site: settings, roles, plans, letters, modules."
        }
    }

    /// At least one admin must be able to log in.
    struct IsLastAdmin: Error {}
}

/// A new role, and the reason.
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
