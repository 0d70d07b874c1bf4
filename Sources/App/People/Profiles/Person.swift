import Forms
import Templating

/// A member's page for others: a name of their choice, and what they say about themselves. The family's names stay
/// private.
struct Person: Sendable {
    let account: ID<Account>
    let username: String
    var name: String
    var about: String
    /// A town, as typed.
    var town: String
    /// Whether people without an account may read the page.
    var isOpen: Bool
    /// Whether others can find it by name.
    var isFound: Bool
    /// Whether staff hid the page.
    var isHidden = false
    /// The kind acts that others see.
    var shows: [KindnessPart] = []
    /// The picture, and whether others see it.
    var portrait: Portrait?
    var showsPicture = false

    var link: Link { Link.person(username) }

    /// The page as others see it: hidden content is visible only to its owner.
    func shown(to reader: ID<Account>?) -> Person {
        guard isHidden, account != reader else { return self }
        var person = self
        (person.name, person.about, person.town, person.shows, person.showsPicture) = (username, "", "", [], false)
        return person
    }

    var author: Author {
        Author(
            account: account, username: username, chosenName: name, hasOpenPage: isOpen,
            portrait: showsPicture ? portrait : nil)
    }
}

/// The form for one's own page.
struct PersonForm: Form {
    var name = ""
    var town: String?
    var about: String?
    var isOpen = false
    var isFound = true
    var shows: [KindnessPart] = []

    static let fields: [Field<PersonForm>] = [
        .text("display_name", \.name, "What you want to be called here", 2...60).checked(Name.problem)
            .hint("It appears beside what you write. It need not be your real name.").autocomplete("nickname")
            .missing("Give a name."),
        .text("town", \.town, "Town or part of town", 2...60).hint("Roughly is enough."),
        .area("about", \.about, "About you", 1...1_000),
        .checkbox("is_open", \.isOpen, "People without an account may read my page"),
        .checkbox("is_found", \.isFound, "Others find me by my name or user name"),
        .checkboxes(
            "shows", \.shows, "What others see of my kind acts",
            options: KindnessPart.allCases.map { Choice($0, $0.name) }
        ).hint("Nothing, unless you choose it."),
    ]
}
