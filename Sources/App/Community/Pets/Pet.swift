import Forms
import Templating

/// A pet's profile: PET-01.
struct Pet: Sendable {
    let id: ID<Pet>
    let account: ID<Account>
    var name: String
    var traits: Traits
    var wishes: Wishes
    /// Lines of text.
    var bio: [String]
    var cell: Cell
    var isPaused = false
    var isHidden = false
    let createdAt: Instant
    /// The first is its profile picture.
    var pictures: [Picture] = []

    /// The most pets per owner.
    static let most = 10
    static let mostPictures = 9
    static let mostLines = 5

    /// What kind of animal it is.
    enum Kind: String, CaseIterable, Sendable, FormValue {
        case dog, cat, rabbit
        case guineaPig = "guinea-pig"
        case bird, reptile, horse, other

        var name: Words {
            switch self {
            case .dog: "Dog"
            case .cat: "Cat"
            case .rabbit: "Rabbit"
            case .guineaPig: "Guinea pig"
            case .bird: "Bird"
            case .reptile: "Reptile"
            case .horse: "Horse"
            case .other: "Another animal"
            }
        }

        /// For lists: `dogs and cats`.
        var plural: Words {
            switch self {
            case .dog: Words("dogs")
            case .cat: Words("cats")
            case .rabbit: Words("rabbits")
            case .guineaPig: "guinea pigs"
            case .bird: Words("birds")
            case .reptile: Words("reptiles")
            case .horse: Words("horses")
            case .other: "other animals"
            }
        }
    }

    enum Sex: String, CaseIterable, Sendable, FormValue {
        case female, male, unknown

        var name: Words {
            switch self {
            case .female: "Female"
            case .male: "Male"
            case .unknown: "Don’t know"
            }
        }
    }

    enum Size: String, CaseIterable, Sendable, FormValue {
        case small, medium, large

        var name: Words {
            switch self {
            case .small: "Small"
            case .medium: "Medium"
            case .large: "Large"
            }
        }
    }

    enum Energy: String, CaseIterable, Sendable, FormValue {
        case calm, lively, wild

        var name: Words {
            switch self {
            case .calm: "Calm"
            case .lively: "Lively"
            case .wild: "Never tired"
            }
        }
    }

    /// An optional answer.
    enum Known: String, CaseIterable, Sendable, FormValue {
        case yes, no, unknown

        var name: Words {
            switch self {
            case .yes: "Yes"
            case .no: "No"
            case .unknown: "Don’t know"
            }
        }
    }

    /// A pet's characteristics.
    struct Traits: Sendable, Equatable {
        var kind: Kind
        /// The species, for other animals.
        var word: String
        var sex: Sex
        /// The month of birth, counted from year 0.
        var born: Int
        /// Whether the month is known; otherwise the age is approximate.
        var knowsMonth: Bool
        var size: Size
        var energy: Energy
        var neutered: Known
        var vaccinated: Known
        var children: Known
        var dogs: Known
        var cats: Known

        /// The age in whole years on a day.
        func years(on day: Day) -> Int { max(0, day.monthNumber - born) / 12 }
    }

    /// The pets it would like to meet; an empty list means any.
    struct Wishes: Sendable, Equatable {
        var kinds: [Kind] = []
        var sizes: [Size] = []
        var sexes: [Sex] = []
        var energies: [Energy] = []
        var ages = 0...99
        var within = Reach.around

        /// Whether a pet with these characteristics would be welcome, regardless of distance.
        func welcome(_ other: Traits, on day: Day) -> Bool {
            func has<V: Equatable>(_ list: [V], _ value: V) -> Bool { list.isEmpty || list.contains(value) }
            return has(kinds, other.kind) && has(sizes, other.size) && has(sexes, other.sex)
                && has(energies, other.energy) && ages.contains(min(99, other.years(on: day)))
        }
    }

    /// Whether two pets would both like to meet: the rule for the cards.
    func fits(_ other: Pet, on day: Day) -> Bool {
        guard let reach = Reach(kilometres: cell.distance(to: other.cell)) else { return false }
        return reach <= wishes.within && reach <= other.wishes.within && wishes.welcome(other.traits, on: day)
            && other.wishes.welcome(traits, on: day)
    }

    /// Whether it may appear in others' cards.
    var isShown: Bool { !isPaused && !isHidden }

    var link: Link { Link.pet(id) }
    var edit: Link { link / "edit" }
    var portrait: Picture? { pictures.first }
    var numbered: [(number: Int, picture: Picture)] { pictures.enumerated().map { ($0.offset + 1, $0.element) } }

    /// The drawing used in place of a picture.
    var drawing: String {
        switch traits.kind {
        case .dog: "biscuit"
        case .rabbit: "clover"
        case .cat: "miso"
        case .guineaPig, .bird, .reptile, .horse, .other: "paws"
        }
    }

    /// The species: `Dog`, or the owner's word for another animal.
    var kindName: Words { traits.word.isEmpty ? traits.kind.name : Words(verbatim: traits.word) }

    func age(on day: Day) -> Words {
        let months = max(0, day.monthNumber - traits.born)
        let years = months / 12
        if traits.knowsMonth, months < 24 {
            return Words("{count} month old", plural: "{count} months old", count: months)
        }
        return traits.knowsMonth
            ? Words("{count} year old", plural: "{count} years old", count: years)
            : Words("about {count} year old", plural: "about {count} years old", count: years)
    }

    /// The facts on its card.
    var facts: [(words: Words, isGood: Bool)] {
        var facts: [(words: Words, isGood: Bool)] = [(traits.size.name, false), (traits.energy.name, false)]
        if traits.sex != .unknown { facts.append((traits.sex.name, false)) }
        if traits.vaccinated == .yes { facts.append(("Vaccinated", true)) }
        if traits.neutered == .yes { facts.append(("Spayed or neutered", true)) }
        return facts
    }
}

extension Collection where Element: CaseIterable & Equatable {
    /// A bit for each value, in the order of all cases.
    var bits: Int {
        var bits = 0
        for (place, value) in Element.allCases.enumerated() where contains(value) { bits |= 1 << place }
        return bits
    }
}

extension CaseIterable where Self: Equatable {
    /// The values whose bits are set.
    static func of(bits: Int) -> [Self] {
        allCases.enumerated().filter { bits & 1 << $0.offset != 0 }.map(\.element)
    }
}

/// A member with pets.
struct Owner: Sendable {
    let account: ID<Account>
    var name: String
    var birthYear: Int?
    var city: String
    var zip: String
    var country: String
    var cell: Cell
    var contact: Contact
    /// Whether others see which messages they have read.
    var showsReads: Bool
    var picture: Picture?

    /// Contact data for matches; nobody else sees it.
    struct Contact: Sendable, Equatable {
        var phone: String?
        var email: String?
        var other: String?

        var isEmpty: Bool { phone == nil && email == nil && other == nil }
        var numbers: [PhoneNumber] { phone.map(PhoneNumber.all) ?? [] }
        var write: Link? { email.flatMap { Link(writingTo: $0) } }
    }

    /// The most moves in 30 days: a member who moves around could find out where others live.
    static let mostMoves = 3
    static let movesWithin = Duration.days(30)

    /// Hellos per day; fewer for a newcomer.
    static let hellos = 60
    static let hellosOfNew = 10

    /// The limit of moves is reached.
    struct TooManyMoves: Error {}
    /// The day's hellos are used up.
    struct TooManyHellos: Error { let most: Int }

    /// The approximate age: a year of birth is given as a decade.
    func decade(on day: Day) -> Words? {
        guard let birthYear else { return nil }
        let age = day.year - birthYear
        return age < 30 ? "in their twenties" : "in their \(age / 10 * 10, as: "age")s"
    }

    var initial: String { String(name.prefix(1)).uppercased() }
}
