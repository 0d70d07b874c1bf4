import Forms

/// The form to add a guest to the list of an event or shift.
struct GuestForm: Form {
    var name = ""
    /// Only at an event.
    var age: Int?
    var phone: String?
    /// Only at an event: whether they are already there.
    var isHere = false
    /// Only for an opportunity: the shift.
    var shift: ID<Shift>?

    static let fields: [Field<GuestForm>] = [
        .text("name", \.name, "First name", 1...30).checked(Name.problem).autocomplete("off")
            .missing("Give a first name, or what they are called.")
            .hint("Or what they are called. Only those who look after the list see it, and those who have the slip."),
        .number("age", \.age, "Age, if it is a child", 0...17).narrow.conditional,
        .text("phone", \.phone, "Phone", 5...30).drawn(as: .telephone).autocomplete("off")
            .hint("To call if something changes: no letter reaches them."),
        .checkbox("here", \.isHere, "Is here already").conditional,
        .choice("shift", \.shift, "Shift").drawn(as: .radios).conditional,
    ]

    /// The problem that there is no place, and where to add some.
    static func full(_ list: GuestList) -> Words {
        list.isOfEvent
            ? "All places are taken. You can add places where you change the event."
            : "All places in this shift are taken. You can add some where you change the shifts."
    }

    /// A form to fill in: a single shift is chosen, or the only one that goes on; and somebody at the door is there.
    static func blank(for list: GuestList, at now: Instant) -> Submission<GuestForm> {
        var form = Submission<GuestForm>()
        let shifts = list.shifts(at: now)
        let running = shifts.filter { $0.startsAt <= now && $0.endsAt > now }
        if let only = shifts.count == 1 ? shifts[0] : running.count == 1 ? running[0] : nil {
            form.fill(\.shift, only.id)
        }
        if case .event(let event) = list { form.fill(\.isHere, event.hasStarted(at: now)) }
        offer(list, in: &form, at: now)
        return form
    }

    /// Offers the shifts to which people are added, and refuses any other.
    static func offer(_ list: GuestList, in form: inout Submission<GuestForm>, at now: Instant) {
        guard !list.isOfEvent else { return }
        form.offer(
            \.shift,
            list.shifts(at: now).map {
                Choice(
                    $0.id, $0.moment, detail: $0.room(at: now, isClosed: false), isDisabled: !$0.takesGuests(at: now))
            }
        )
    }

    /// Checks the form against the list.
    static func check(_ form: inout Submission<GuestForm>, for list: GuestList, at now: Instant) {
        if !list.isOpen(at: now) {
            form.reject("Nobody can be added anymore: it is over or canceled.")
        } else if !list.isOfEvent, form.accepts(\.shift), form.form.shift == nil {
            form.reject(\.shift, "Choose a shift.")
        }
    }
}
