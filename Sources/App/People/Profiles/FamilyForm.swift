import Forms

/// The family's profile.
struct FamilyForm: TownForm {
    var firstName = ""
    var lastName = ""
    var city = ""
    var zip = ""
    var country = ""
    var phone: String?
    /// Whether organizations where they help also see it.
    var sharesPhone = false
    var numberOfChildren: Int?
    var ageGroups: [AgeGroup] = []
    /// Whether to keep the record of where the children went for longer than necessary.
    var keepsPast = false
    /// The form doesn't ask for it.
    var state = ""

    static let statePath: any WritableKeyPath<FamilyForm, String> & Sendable = \.state
    static let asksForState = false
    static let zipPath: any WritableKeyPath<FamilyForm, String> & Sendable = \.zip

    static let fields: [Field<FamilyForm>] = [
        .text("first_name", \.firstName, "First name", 1...60).checked(Name.problem).autocomplete("given-name")
            .missing("Give your first name."),
        .text("last_name", \.lastName, "Last name", 1...60).checked(Name.problem).autocomplete("family-name")
            .missing("Give your last name."),
        .country(\.country),
        .city(\.city).hint("Your events start with those in your city."),
        .zip(\.zip),
        .text("phone", \.phone, "Phone", 5...30).drawn(as: .telephone).autocomplete("tel")
            .hint("The providers of events you register for see it."),
        .checkbox("shares_phone", \.sharesPhone, "Organizations where I help see my phone, too"),
        .number("number_of_children", \.numberOfChildren, "Number of children", 0...Child.limit).narrow,
        .checkboxes(
            "age_groups", \.ageGroups, "Ages of your children",
            options: AgeGroup.allCases.map { Choice($0.rawValue, $0.name) }),
        .checkbox(
            "keeps_past", \.keepsPast,
            "Keep where our children have been for longer than \(Memory.past.inWords, as: "time")"
        ),
    ]
}

extension AgeGroup: FormValue {}

/// One child.
struct ChildForm: Form {
    var nickname = ""
    var birthMonth = 0
    var birthYear = 0
    var allergies: String?
    var emergencyPhone: String?
    var collectors: String?
    /// Whether it is a different child from the existing one with that name and month.
    var isAnother = false

    static let fields: [Field<ChildForm>] = [
        .text("nickname", \.nickname, "What do you call your child?", 1...30)
            .hint("A nickname is enough. Only the providers of events you register for see it.")
            .autocomplete("off").missing("Give a name, a nickname is enough."),
        .choice(
            "birth_month", \.birthMonth, "Month of birth",
            options: Day.monthNames.indices.map { Choice($0 + 1, Day.monthNames[$0]) }
        ).autocomplete("off").missing("Choose the month of birth."),
        .number("birth_year", \.birthYear, "Year of birth", 0...9_999).autocomplete("off").narrow
            .hint("All four digits.")
            .missing("Give the year of birth."),
        .area("allergies", \.allergies, "Allergies and what to mind", 1...500).autocomplete("off")
            .hint("Such as nuts, asthma, a medicine and where it is."),
        .text("emergency_phone", \.emergencyPhone, "Phone in an emergency", 5...60).drawn(as: .telephone)
            .autocomplete("off"),
        .text("may_collect", \.collectors, "Who may pick up the child", 1...200).autocomplete("off"),
        .checkbox("another", \.isAnother, "It is another child of the same name, such as a twin"),
    ]

    /// The notes for carers.
    var note: CareNote {
        CareNote(allergies: allergies ?? "", emergencyPhone: emergencyPhone ?? "", collectors: collectors ?? "")
    }

    func check(_ submission: inout Submission<ChildForm>, today: Day) {
        guard submission.accepts(\.birthYear), submission.accepts(\.birthMonth) else { return }
        let (year, month, _) = today.components
        if birthYear < 1_000 {
            submission.reject(\.birthYear, "Write the year with all four digits.")
        } else if (birthYear, birthMonth) > (year, month) {
            submission.reject(\.birthYear, "Choose a month that has begun. You can add the child once it is born.")
        } else if birthYear < year - 18 || (birthYear == year - 18 && birthMonth < month) {
            submission.reject(\.birthYear, "Children here are younger than 18. Adults have an account of their own.")
        }
    }
}

extension ChildForm {
    /// A form to change a stored child.
    init(_ child: Child) {
        self.init(
            nickname: child.nickname, birthMonth: child.birthMonth, birthYear: child.birthYear,
            allergies: child.note.allergies, emergencyPhone: child.note.emergencyPhone,
            collectors: child.note.collectors)
    }
}
