import Forms
import Templating

/// A part of a pet's profile that is edited on a separate page.
enum PetPart: String, CaseIterable, Sendable {
    case name, type, sex, age, size, energy, vaccinated, neutered
    case children = "good-with-children"
    case dogs = "good-with-dogs"
    case cats = "good-with-cats"
    case bio
    case wantedTypes = "wanted-types"
    case wantedSizes = "wanted-sizes"
    case wantedSexes = "wanted-sexes"
    case wantedEnergies = "wanted-energies"
    case wantedAges = "wanted-ages"
    case within, pause

    /// The parts about the pet itself and about the pets it would like to meet.
    static let own: [PetPart] = [
        .name, .type, .sex, .age, .size, .energy, .vaccinated, .neutered, .children, .dogs, .cats, .bio,
    ]
    static let wanted: [PetPart] = [
        .wantedTypes, .wantedSizes, .wantedSexes, .wantedEnergies, .wantedAges, .within,
    ]

    var label: Words {
        switch self {
        case .name: "Name"
        case .type: "What it is"
        case .sex: "Sex"
        case .age: "How old it is"
        case .size: "Size, for its kind"
        case .energy: "How lively"
        case .vaccinated: "Vaccinated"
        case .neutered: "Spayed or neutered"
        case .children: "Good with children"
        case .dogs: "Good with dogs"
        case .cats: "Good with cats"
        case .bio: "What to know"
        case .wantedTypes: "Kinds"
        case .wantedSizes: "Sizes"
        case .wantedSexes: "Sexes"
        case .wantedEnergies: "How lively a friend may be"
        case .wantedAges: "Ages"
        case .within: "Within"
        case .pause: "In the cards"
        }
    }

    /// The names of its fields in the form for the whole pet.
    var fields: [String] {
        switch self {
        case .name, .sex, .size, .energy, .vaccinated, .neutered, .bio, .within: [rawValue]
        case .type: ["type", "word"]
        case .age: ["birth_month", "birth_year", "years"]
        case .children: ["good_with_children"]
        case .dogs: ["good_with_dogs"]
        case .cats: ["good_with_cats"]
        case .wantedTypes: ["wants_type"]
        case .wantedSizes: ["wants_size"]
        case .wantedSexes: ["wants_sex"]
        case .wantedEnergies: ["wants_energy"]
        case .wantedAges: ["wants_age_from", "wants_age_to"]
        case .pause: ["paused"]
        }
    }

    /// The current value.
    func value(of pet: Pet, on today: Day, in unit: Distance.Unit) -> Words {
        func any(_ names: [Words]) -> Words { names.isEmpty ? "Any" : names.listed() }
        let (traits, wishes) = (pet.traits, pet.wishes)
        return switch self {
        case .name: Words(verbatim: pet.name)
        case .type: pet.kindName
        case .sex: traits.sex.name
        case .age: pet.age(on: today)
        case .size: traits.size.name
        case .energy: traits.energy.name
        case .vaccinated: traits.vaccinated.name
        case .neutered: traits.neutered.name
        case .children: traits.children.name
        case .dogs: traits.dogs.name
        case .cats: traits.cats.name
        case .bio: pet.bio.isEmpty ? "Nothing yet" : Words(verbatim: pet.bio.joined(separator: " "))
        case .wantedTypes: any(wishes.kinds.map(\.name))
        case .wantedSizes: any(wishes.sizes.map(\.name))
        case .wantedSexes: any(wishes.sexes.map(\.name))
        case .wantedEnergies: any(wishes.energies.map(\.name))
        case .wantedAges: Self.years(wishes.ages)
        case .within: wishes.within.words(in: unit)
        case .pause: pet.isPaused ? "Paused: nobody sees this pet in the cards" : "Seen by others"
        }
    }

    private static func years(_ ages: ClosedRange<Int>) -> Words {
        switch (ages.lowerBound, ages.upperBound) {
        case (0, 99...): "Any"
        case (let from, 99...): Words("from {count} year", plural: "from {count} years", count: from)
        case (0, let to): Words("up to {count} year", plural: "up to {count} years", count: to)
        case (let from, let to): "\(from, as: "from") to \(to, as: "to") years"
        }
    }

    /// The page to edit it.
    func link(of pet: Pet) -> Link { pet.link / "edit" / rawValue }
}

/// `/me/pets/{id}/edit`: a pet's profile, with links to edit each part.
struct PetPage: Sendable {
    let pet: Pet
    let own: [Fact]
    let wanted: [Fact]
    let pause: Fact

    init(_ pet: Pet, on today: Day, in unit: Distance.Unit) {
        self.pet = pet
        func fact(_ part: PetPart) -> Fact {
            Fact(label: part.label, value: part.value(of: pet, on: today, in: unit), link: part.link(of: pet))
        }
        own = PetPart.own.map(fact)
        wanted = PetPart.wanted.map(fact)
        pause = fact(.pause)
    }

    /// A value, and the page to edit it.
    struct Fact: Sendable {
        let label: Words
        let value: Words
        let link: Link
    }
}
