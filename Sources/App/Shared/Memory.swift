/// How long what several rooms hold about people stays.
enum Memory {
    /// How long it is stored where a child went, unless the family keeps it: 90 days after the event.
    static let past = Duration.days(90)

    /// How long an ended one-time link can say why.
    static let links = Duration.days(30)
}
