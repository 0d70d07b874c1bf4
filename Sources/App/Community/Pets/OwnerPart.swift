import Forms
import Templating

/// A part of an owner's profile that is edited on a separate page.
enum OwnerPart: String, CaseIterable, Sendable {
    case name, age, area, picture, phone, email, other, reads

    var label: Words {
        switch self {
        case .name: "The name others call you"
        case .age: "Year of birth"
        case .area: "Where you live"
        case .picture: "Picture of you"
        case .phone: "Phone"
        case .email: "E-mail"
        case .other: "Another way"
        case .reads: "My matches see what I have read"
        }
    }

    /// The names of its fields in the form for the whole owner.
    var fields: [String] {
        switch self {
        case .name, .picture, .phone, .email, .other: [rawValue]
        case .age: ["birth_year"]
        case .area: ["country", "city", "zip"]
        case .reads: ["shows_reads"]
        }
    }

    /// The current value.
    func value(of owner: Owner, on today: Day) -> Words {
        func given(_ text: String?) -> Words { text.map { Words(verbatim: $0) } ?? "Not given" }
        return switch self {
        case .name: Words(verbatim: owner.name)
        case .age:
            owner.birthYear.flatMap { year in
                owner.decade(on: today).map { "\(digits: year, as: "year"): others read “\($0, as: "decade")”" }
            } ?? "Not given"
        case .area: Words(verbatim: owner.zip.isEmpty ? owner.city : "\(owner.city) \(owner.zip)")
        case .picture: owner.picture == nil ? "None yet" : "One is shown"
        case .phone: given(owner.contact.phone)
        case .email: given(owner.contact.email)
        case .other: given(owner.contact.other)
        case .reads: owner.showsReads ? "Yes" : "No"
        }
    }

    var link: Link { .owner / rawValue }
}

/// `/me/owner`: an owner's profile, with links to edit each part.
struct OwnerPage: Sendable {
    let owner: Owner
    let own: [PetPage.Fact]
    let contact: [PetPage.Fact]

    init(_ owner: Owner, on today: Day) {
        self.owner = owner
        func facts(_ parts: [OwnerPart]) -> [PetPage.Fact] {
            parts.map { PetPage.Fact(label: $0.label, value: $0.value(of: owner, on: today), link: $0.link) }
        }
        own = facts([.name, .age, .area, .picture])
        contact = facts([.phone, .email, .other, .reads])
    }
}
