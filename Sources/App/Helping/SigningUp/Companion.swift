import Forms

/// A child who comes to a shift with their adult, in a place of their own: only the family and the organization see who
/// it is.
struct Companion: Sendable {
    let id: ID<Child>
    let name: String
    let birthMonth: Int
    let birthYear: Int

    /// How long companions are stored after the shift.
    static let memory = Memory.past

    /// The organization's view: `Mo, 8 years`.
    func words(on day: Day) -> Words {
        let child = Child(id: id, nickname: name, birthMonth: birthMonth, birthYear: birthYear)
        return "\(name, as: "name"), \(child.age(on: day), as: "age")"
    }

    /// The companions that a query joined into one text.
    static func all(_ text: String?) -> [Companion] {
        (text ?? "").split(separator: "\u{1E}").compactMap { line in
            let parts = line.split(separator: "\u{1F}").map(String.init)
            guard parts.count == 4, let id = ID<Child>(parts[0]), let year = Int(parts[2]), let month = Int(parts[3])
            else { return nil }
            return Companion(id: id, name: parts[1], birthMonth: month, birthYear: year)
        }.sorted { ($0.birthYear, $0.birthMonth, $0.name) < ($1.birthYear, $1.birthMonth, $1.name) }
    }

    /// A child who can be selected, or the reason why not.
    struct Choice: Sendable {
        let id: ID<Child>
        let name: String
        let detail: Words
        let isFit: Bool
        let isTicked: Bool
        /// The shifts in which the child already has a place, with either parent.
        let taken: Set<ID<Shift>>

        init(_ child: Child, for opportunity: Opportunity, on day: Day, isTicked: Bool, takenIn taken: Set<ID<Shift>>) {
            self.taken = taken
            id = child.id
            name = child.name
            isFit = Companion.isFit(child, for: opportunity, on: day)
            detail = isFit ? child.age(on: day) : "too young: from \(opportunity.ageFrom ?? 0, as: "age")"
            self.isTicked = isFit && isTicked
        }
    }

    /// Whether a shift has room for more of a helper's children.
    enum Room: Sendable { case free, full }

    /// Nil if no further child could come, with this parent or the other.
    static func room(beside signup: Signup, _ choices: [Choice], at now: Instant) -> Room? {
        guard let shift = signup.shift, signup.isHeld, shift.isOpen(at: now),
            choices.contains(where: { $0.isFit && !$0.taken.contains(shift.id) })
        else { return nil }
        return shift.left > 0 ? .free : .full
    }

    /// Whether children may come: the shifts allow it, and the organization is verified.
    static func mayCome(to opportunity: Opportunity, at now: Instant) -> Bool {
        opportunity.withAdult && opportunity.rhythm == .shifts && opportunity.kind != .donate
            && opportunity.host.verified?.holds(at: now) == true
    }

    static func isFit(_ child: Child, for opportunity: Opportunity, on day: Day) -> Bool {
        child.ages(on: day).upperBound >= opportunity.ageFrom ?? 0
    }
}
