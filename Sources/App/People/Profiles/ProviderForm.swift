import Forms

/// The provider's profile.
struct ProviderForm: TownForm {
    var firstName = ""
    var lastName = ""
    var organization = ""
    var designation = ""
    var street = ""
    var city = ""
    var state = ""
    var zip = ""
    var country = ""
    var phone = ""
    var email: String?
    var website: String?
    var scope: String?
    var mission: String?
    var kind: Provider.Kind?
    var asks: String?

    static let statePath: any WritableKeyPath<ProviderForm, String> & Sendable = \.state
    static let zipPath: any WritableKeyPath<ProviderForm, String> & Sendable = \.zip

    static let fields: [Field<ProviderForm>] = [
        .text("organization", \.organization, "Name of your organization", 1...100).checked(Name.problem).autocomplete(
            "organization"
        )
        .hint("It appears on every event you post.").missing("Give the name of your organization."),
        .choice(
            "kind", \.kind, "What kind of place is it?",
            options: Provider.Kind.allCases.map { Choice($0.rawValue, $0.name) }),
        .area("mission", \.mission, "What is your mission?", 3...400)
            .hint("A sentence or two: they stand on top of your page."),
        .text("first_name", \.firstName, "First name", 1...60).checked(Name.problem).autocomplete("given-name")
            .missing("Give your first name."),
        .text("last_name", \.lastName, "Last name", 1...60).checked(Name.problem).autocomplete("family-name")
            .missing("Give your last name."),
        .text("designation", \.designation, "What is your role there?", 1...80).checked(Name.problem).autocomplete(
            "organization-title"
        )
        .hint("Such as librarian, coach, owner.").missing("Say what your role there is, such as librarian."),
        .country(\.country),
        .text("address", \.street, "Street and number", 1...120).autocomplete("address-line1")
            .missing("Give street and number."),
        .city(\.city),
        .state(\.state),
        .zip(\.zip),
        .text("phone", \.phone, "Phone", 5...30).drawn(as: .telephone).autocomplete("tel")
            .hint("Families can call you with questions.").missing("Give a phone number."),
        .email("email", \.email, "Public e-mail address").hint("Shown on your page."),
        .text("website", \.website, "Website", 4...200).drawn(as: .url).autocomplete("url"),
        .area("scope", \.scope, "What do you offer?", 3...1_000)
            .hint("A few sentences for your public page."),
        .area("asks", \.asks, "What can people ask you for?", 3...600)
            .hint("Such as: a tour for a class, a room for a meeting, tools to borrow."),
    ]

    func check(_ submission: inout Submission<ProviderForm>) {
        submission.checkTown()
        guard let website, submission.accepts(\.website) else { return }
        if let url = OutsideLink.read(website) {
            submission.fill(\.website, url)
        } else {
            submission.reject(\.website, "Write the website like www.example.org.")
        }
    }
}
