import Forms

/// A family's profile: PRO-01.
struct Family: Sendable {
    let id: ID<Family>
    let account: ID<Account>
    var firstName: String
    var lastName: String
    var city: String
    var zip: String
    var country: String
    /// Seen only by providers of events the family registers for, and by organizations if `sharesPhone`.
    var phone: String?
    var numberOfChildren: Int?
    var ageGroups: [AgeGroup]
    /// Whether to keep the record of where the children went for longer than necessary.
    var keepsPast: Bool
    /// Whether organizations where they help also see the phone number.
    var sharesPhone: Bool

    var name: String { "\(firstName) \(lastName)" }

    /// Town, code and country on one line.
    var home: Words {
        ([city, zip].filter { !$0.isEmpty }.map(Words.init(verbatim:)) + [Words(CountryName(code: country))]).listed(
            .short)
    }

    var ages: Words { ageGroups.map(\.name).listed(.short) }

    /// A person's label in a party: an empty name is the parent in person; a deleted child has none.
    static func label(_ name: String?) -> Words {
        guard let name else { return "a child" }
        return name.isEmpty ? Words("you") : Words(verbatim: name)
    }
}

/// Age groups, for a rough description of a family's children.
enum AgeGroup: String, Sendable, CaseIterable {
    case baby = "0-2"
    case preschool = "3-5"
    case school = "6-8"
    case older = "9-12"
    case teen = "13-17"

    var name: Words {
        let ages = rawValue.split(separator: "-").compactMap { Int($0) }
        return "\(ages[0], as: "from") to \(ages[1], as: "to") years"
    }
}

/// A child: a nickname, a birth month, and optional notes for carers.
struct Child: Sendable, Equatable {
    let id: ID<Child>
    var nickname: String
    /// 1 to 12.
    var birthMonth: Int
    var birthYear: Int
    /// Shown to nobody unless a parent allows it for an event.
    var note = CareNote()
    /// The name to show: the nickname, distinguished from siblings with the same one.
    let name: String

    /// The most children in a family.
    static let limit = 20

    init(
        id: ID<Child>, nickname: String, birthMonth: Int, birthYear: Int, note: CareNote = CareNote(),
        name: String? = nil
    ) {
        (self.id, self.nickname, self.birthMonth, self.birthYear) = (id, nickname, birthMonth, birthYear)
        (self.note, self.name) = (note, name ?? nickname)
    }

    /// The age on `day`. In the birth month it is unknown whether the birthday has passed, so both ages are given.
    func ages(on day: Day) -> ClosedRange<Int> {
        let (year, month, _) = day.components
        let reached = year - birthYear
        if month == birthMonth { return max(0, reached - 1)...max(0, reached) }
        let age = max(0, month > birthMonth ? reached : reached - 1)
        return age...age
    }

    /// The age in words: `4 years`, or in the birth month `3 or 4 years`.
    func age(on day: Day) -> Words {
        let ages = ages(on: day)
        return ages.count == 1
            ? Words("{count} year", plural: "{count} years", count: ages.lowerBound)
            : Words(
                "\(ages.lowerBound, as: "lower") or {count} year",
                plural: "\(ages.lowerBound, as: "lower") or {count} years", count: ages.upperBound)
    }

    var initial: String { String(nickname.prefix(1)).uppercased() }

    var birth: Words {
        Day(year: birthYear, month: birthMonth, day: 1)?.monthName ?? ""
    }
}
