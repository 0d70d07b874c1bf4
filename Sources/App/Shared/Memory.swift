/// How long data about people that several rooms hold is stored.
enum Memory {
    /// Where a child went, unless the family keeps it: after the event.
    static let past = Duration.days(90)

    /// One-time links, so that an ended one can say why: after it has ended.
    static let links = Duration.days(30)
}
