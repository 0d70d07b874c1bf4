import Forms
import Templating

/// How others know somebody: a name of their own choosing, and what they say about themselves. The names of the
/// family stay the family's.
struct Person: Sendable {
    let account: ID<Account>
    let username: String
    var name: String
    var about: String
    /// A town, as its owner writes it.
    var town: String
    /// Whether people without an account may read the page.
    var isOpen: Bool
    /// Whether others find it by its name.
    var isFound: Bool
    /// Whether staff hid what they say of themselves.
    var isHidden = false
    /// What of their kind acts others see.
    var shows: [KindnessPart] = []
    /// Their picture, and whether others see it.
    var portrait: Portrait?
    var showsPicture = false

    var link: Link { Link.person(username) }

    /// As others see it: where what somebody says of themselves was hidden, they alone still read it.
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

/// One's own page.
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
