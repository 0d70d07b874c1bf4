import Forms

/// A form with a field of every kind.
struct FairForm: Form {
    enum Audience: String, FormValue { case kids, everyone }

    var title = ""
    var description = ""
    var note: String?
    var email = ""
    var copyTo: String?
    var password = ""
    var spots = 10
    var ageFrom: Int?
    var audience = Audience.kids
    var state: String?
    var tables: Int?
    var covidSafe = false
    var adult = false
    var children: [Int] = []
    var tags: [String] = []
    var poster: Int?
    var rows: Int?
    var price = Cents(number: 0)
    var deposit: Cents?

    static let fields: [Field<FairForm>] = [
        .text("title", \.title, "Event title", 3...20).missing("Give the event a title.").hint("Short and clear.").wide,
        .area("description", \.description, "What happens there?", 0...200),
        .text("note", \.note, "Note", 2...50),
        .email("email", \.email, "E-mail"),
        .email("copy_to", \.copyTo, "Copy to"),
        .password("password", \.password, "Password").autocomplete("new-password"),
        .number("spots", \.spots, "Spots", 1...10_000),
        .number("age_from", \.ageFrom, "Ages from", 0...17).narrow,
        .choice(
            "audience", \.audience, "For whom?",
            options: [Choice(Audience.kids, "Children"), Choice(Audience.everyone, "Everyone", isDisabled: true)]
        ).drawn(as: .radios),
        .choice("state", \.state, "State", options: [Choice("CA", "California"), Choice("NY", "New York")]),
        .choice("tables", \.tables, "Tables", from: 1...25),
        .checkbox("covid_safe", \.covidSafe, "COVID-19 safe"),
        .checkbox("adult", \.adult, "I am an adult", mustBe: true, "Check that you are an adult."),
        .checkboxes("child", \.children, "Who is coming?", atLeast: 1),
        .checkboxes("tag", \.tags, "Tags", options: [Choice("art", "Art"), Choice("sport", "Sport")]),
        .file("picture", "Picture", accept: "image/*"),
        .hidden("poster", \.poster),
        .hidden("rows", \.rows).bookkeeping,
        .value("price", \.price, "Price", control: .text, unreadable: "Write the price like 2.50."),
        .value(
            "deposit", \.deposit, "Deposit", control: .text, unreadable: "Write the deposit like 2.50.",
            read: { text, body in body["currency"] == "JPY" ? Int(typed: text).map(Cents.init) : Cents(typed: text) }
        ).inputmode("decimal").suggestions(["1.00", "2.00"]),
    ]
}

/// A type of the site's own.
struct Cents: FormValue, Equatable {
    let number: Int

    init(number: Int) { self.number = number }

    init?(typed: String) {
        let parts = typed.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count == 2, let whole = Int(parts[0]), let rest = Int(parts[1]) else {
            return nil
        }
        number = whole * 100 + rest
    }

    var typed: String { "\(number / 100).\(number % 100 < 10 ? "0" : "")\(number % 100)" }
}

extension FairForm {
    /// What a careful visitor sends.
    static let good: [String: String] = [
        "title": "Kite day", "email": "ben@Library.Example.ORG", "password": "correct horse battery", "spots": "20",
        "audience": "kids", "adult": "1", "child": "3", "price": "2.50",
    ]

    /// What comes of the good pairs with some of them changed; "" leaves one out.
    static func sent(_ changes: [String: String] = [:]) -> Submission<FairForm> {
        let pairs = good.merging(changes) { $1 }.filter { !$0.value.isEmpty }
        let query = pairs.map { "\(encoded($0.key))=\(encoded($0.value))" }.joined(separator: "&")
        return sent(query: query)
    }

    /// The same from a body as it stands on the wire.
    static func sent(query: String) -> Submission<FairForm> {
        do {
            return Submission(try FormBody(query: query))
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

/// Percent-encodes every byte.
func encoded(_ text: String) -> String {
    text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

extension Submission {
    /// The problem of a field, in English.
    func problem(_ path: PartialKeyPath<F>) -> String? { self[path].problem?.english }
}
