import Forms

/// Notes for carers of a child: entered once with the child, and shown only where a parent allowed it.
struct CareNote: Sendable, Equatable {
    /// Allergies, medicine, what to do.
    var allergies = ""
    /// The emergency contact.
    var emergencyPhone = ""
    /// The people who may pick the child up.
    var collectors = ""

    var isEmpty: Bool { self == CareNote() }

    /// How long after the event they are kept with the registration.
    static let kept = Duration.hours(24)

    /// How long before the start they are shown, and how far an event may move before the parent is asked again.
    static let ahead = Duration.hours(48)
}
