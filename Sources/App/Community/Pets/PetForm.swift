import Forms

/// The form for the owner, the first step.
struct OwnerForm: TownForm {
    var name = ""
    var birthYear: Int?
    var country = ""
    var city = ""
    var zip = ""
    var phone: String?
    var email: String?
    var other: String?
    var showsReads = true
    /// The form doesn't ask for it.
    var state = ""

    static let statePath: any WritableKeyPath<OwnerForm, String> & Sendable = \.state
    static let asksForState = false
    static let zipPath: any WritableKeyPath<OwnerForm, String> & Sendable = \.zip

    static let fields: [Field<OwnerForm>] = [
        .text("name", \.name, "The name others call you", 1...60).checked(Name.problem).autocomplete("given-name")
            .hint("It appears beside your pets. A first name is enough.").missing("Give a name."),
        .number("birth_year", \.birthYear, "Year of birth", 1900...2100).autocomplete("bday-year").narrow
            .hint("Others read a decade, such as “in their forties”."),
        .country(\.country),
        .city(\.city).hint("It becomes a rough area. Others read only a rough distance."),
        .zip(\.zip),
        .text("phone", \.phone, "Phone", 5...30).drawn(as: .telephone).autocomplete("tel"),
        .email("email", \.email, "E-mail"),
        .text("other", \.other, "Another way", 1...120).autocomplete("off")
            .hint("Such as a messenger and your name there."),
        .checkbox("shows_reads", \.showsReads, "My matches see what I have read"),
        .file("picture", "Picture of you", accept: "image/*"),
    ]

    func check(_ submission: inout Submission<OwnerForm>, today: Day) {
        if let birthYear, birthYear > today.year - 18 {
            submission.reject(\.birthYear, "Accounts are for adults.")
        } else if let birthYear, birthYear < today.year - 120 {
            submission.reject(\.birthYear, "Write the year with all four digits.")
        }
    }

    var contact: Owner.Contact { Owner.Contact(phone: phone, email: email, other: other) }
}

extension OwnerForm {
    init(_ owner: Owner) {
        self.init(
            name: owner.name, birthYear: owner.birthYear, country: owner.country, city: owner.city, zip: owner.zip,
            phone: owner.contact.phone, email: owner.contact.email, other: owner.contact.other,
            showsReads: owner.showsReads)
    }
}

/// The form for a pet and the pets it would like to meet.
struct PetForm: Form {
    var name = ""
    var kind = Pet.Kind.dog
    var word: String?
    var sex = Pet.Sex.unknown
    var birthMonth: Int?
    var birthYear: Int?
    var years: Int?
    /// The highest approximate age.
    static let mostYears = 90
    var size = Pet.Size.medium
    var energy = Pet.Energy.lively
    var neutered = Pet.Known.unknown
    var vaccinated = Pet.Known.unknown
    var children = Pet.Known.unknown
    var dogs = Pet.Known.unknown
    var cats = Pet.Known.unknown
    var bio: String?
    var kinds: [Pet.Kind] = []
    var sizes: [Pet.Size] = []
    var sexes: [Pet.Sex] = []
    var energies: [Pet.Energy] = []
    var ageFrom: Int?
    var ageTo: Int?
    var within = Reach.around.rawValue
    var isPaused = false

    private static func choices<V: RawRepresentable<String> & CaseIterable & FormValue>(
        _: V.Type, _ name: (V) -> Words
    ) -> [Choice] { V.allCases.map { Choice($0, name($0)) } }

    private static func known(
        _ name: String, _ path: any WritableKeyPath<PetForm, Pet.Known> & Sendable, _ label: Words
    ) -> Field<PetForm> {
        .choice(name, path, label, options: choices(Pet.Known.self, \.name)).drawn(as: .radios).narrow
            .missing("Say yes, no or that you don’t know.")
    }

    /// The sexes to choose from.
    private static let sexes = [Pet.Sex.female, .male].map { Choice($0, $0.name) }

    static let fields: [Field<PetForm>] = [
        .text("name", \.name, "Name", 1...40).checked(Name.problem).autocomplete("off").missing("Give its name."),
        .choice("type", \.kind, "What it is", options: choices(Pet.Kind.self, \.name)).narrow
            .missing("Say what it is."),
        .text("word", \.word, "If it is another animal, which", 2...30).autocomplete("off"),
        .choice("sex", \.sex, "Sex", options: choices(Pet.Sex.self, \.name)).drawn(as: .radios).narrow
            .missing("Say which, or that you don’t know."),
        .choice(
            "birth_month", \.birthMonth, "Month of birth",
            options: Day.monthNames.indices.map { Choice($0 + 1, Day.monthNames[$0]) }
        ).narrow.autocomplete("off"),
        .number("birth_year", \.birthYear, "Year of birth", 1900...2100).narrow.autocomplete("off").conditional,
        .number("years", \.years, "Or about so many years", 0...mostYears).narrow.autocomplete("off").conditional,
        .choice("size", \.size, "Size, for its kind", options: choices(Pet.Size.self, \.name)).drawn(as: .radios)
            .narrow.missing("Choose a size."),
        .choice("energy", \.energy, "How lively", options: choices(Pet.Energy.self, \.name)).drawn(as: .radios)
            .narrow.missing("Say how lively it is."),
        known("neutered", \.neutered, "Spayed or neutered"),
        known("vaccinated", \.vaccinated, "Vaccinated"),
        known("good_with_children", \.children, "Good with children"),
        known("good_with_dogs", \.dogs, "Good with dogs"),
        known("good_with_cats", \.cats, "Good with cats"),
        .area("bio", \.bio, "What to know", 1...600)
            .hint("Up to five lines. Please write no address and no phone number."),
        .checkboxes("wants_type", \.kinds, "Kinds", options: choices(Pet.Kind.self, \.name)).narrow,
        .checkboxes("wants_size", \.sizes, "Sizes", options: choices(Pet.Size.self, \.name)).narrow,
        .checkboxes("wants_sex", \.sexes, "Sexes", options: sexes).narrow,
        .checkboxes("wants_energy", \.energies, "How lively a friend may be", options: choices(Pet.Energy.self, \.name))
            .narrow,
        .number("wants_age_from", \.ageFrom, "From age", 0...99).narrow.autocomplete("off"),
        .number("wants_age_to", \.ageTo, "To age", 0...99).narrow.autocomplete("off"),
        .choice("within", \.within, "Within").narrow.missing("Say how far you would go."),
        .checkbox("paused", \.isPaused, "Pause: nobody sees this pet in the cards")
            .hint("Matches stay."),
    ]

    func check(_ submission: inout Submission<PetForm>, today: Day) {
        if kind == .other, word == nil { submission.reject(\.word, "Say what it is, in a word.") }
        if birthYear == nil, years == nil {
            submission.reject(\.birthYear, "Give the year of birth, or about how old it is.")
        } else if let birthYear, (birthYear, birthMonth ?? 1) > (today.year, today.month) {
            submission.reject(\.birthYear, "Choose a month that has begun.")
        }
        if lines.count > Pet.mostLines {
            submission.reject(\.bio, "Write up to \(Pet.mostLines, as: "number") lines; these are more.")
        }
        if let ageFrom, let ageTo, ageFrom > ageTo {
            submission.reject(\.ageTo, "Choose the first age, or a higher one.")
        }
    }

    var lines: [String] {
        (bio ?? "").split(whereSeparator: \.isNewline).map(String.init).filter { !$0.allSatisfy(\.isWhitespace) }
    }

    /// The characteristics on a day.
    func traits(on today: Day) -> Pet.Traits {
        let born: Int =
            if let birthYear {
                birthYear * 12 + (birthMonth ?? 7) - 1
            } else {
                today.monthNumber - (years ?? 0) * 12
            }
        return Pet.Traits(
            kind: kind, word: kind == .other ? word ?? "" : "", sex: sex,
            born: min(born, today.monthNumber),
            knowsMonth: birthYear != nil && birthMonth != nil, size: size, energy: energy, neutered: neutered,
            vaccinated: vaccinated, children: children, dogs: dogs, cats: cats)
    }

    var wishes: Pet.Wishes {
        Pet.Wishes(
            kinds: kinds, sizes: sizes, sexes: sexes, energies: energies,
            ages: (ageFrom ?? 0)...max(ageFrom ?? 0, ageTo ?? 99), within: Reach(rawValue: within) ?? .around)
    }

    /// The distances to choose from, in the reader's unit.
    static func reaches(in unit: Distance.Unit) -> [Choice] {
        Reach.allCases.map { Choice($0.rawValue, $0.words(in: unit)) }
    }
}

extension Reach {
    /// `10 km`, `6 mi`.
    func words(in unit: Distance.Unit) -> Words { "\(number(in: unit), as: "number") \(unit.short, as: "unit")" }

    /// `under a mile away`, `5 to 10 km away`.
    func away(in unit: Distance.Unit) -> Words {
        guard let nearer = Reach.allCases.last(where: { $0 < self }) else {
            return "under \(words(in: unit), as: "distance") away"
        }
        return "\(nearer.number(in: unit), as: "from") to \(words(in: unit), as: "distance") away"
    }
}

extension PetForm {
    init(_ pet: Pet, on today: Day) {
        let traits = pet.traits
        self.init(
            name: pet.name, kind: traits.kind, word: traits.word.nonEmpty, sex: traits.sex,
            birthMonth: traits.knowsMonth ? traits.born % 12 + 1 : nil,
            birthYear: traits.knowsMonth ? traits.born / 12 : nil,
            years: traits.knowsMonth ? nil : min(Self.mostYears, traits.years(on: today)), size: traits.size,
            energy: traits.energy,
            neutered: traits.neutered, vaccinated: traits.vaccinated, children: traits.children, dogs: traits.dogs,
            cats: traits.cats, bio: pet.bio.joined(separator: "\n").nonEmpty,
            kinds: pet.wishes.kinds, sizes: pet.wishes.sizes, sexes: pet.wishes.sexes,
            energies: pet.wishes.energies, ageFrom: pet.wishes.ages.lowerBound == 0 ? nil : pet.wishes.ages.lowerBound,
            ageTo: pet.wishes.ages.upperBound == 99 ? nil : pet.wishes.ages.upperBound,
            within: pet.wishes.within.rawValue, isPaused: pet.isPaused)
    }
}
