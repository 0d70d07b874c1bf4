/// When a letter reminds somebody that others wait for their yes or no.
enum YesReminder {
    /// How long a request waits before the member is reminded by letter.
    static let patience = Duration.days(2)
    /// The reminder for a request that ends sooner comes this long before, if it has waited for ``least``.
    static let lead = Duration.days(1)
    static let least = Duration.hours(6)

    /// When to send a reminder; nil if it would come too late.
    static func due(askedAt: Instant, endsAt: Instant?) -> Instant? {
        let usual = askedAt + patience
        guard let endsAt else { return usual }
        let due = min(usual, max(askedAt + least, endsAt - lead))
        return due < endsAt ? due : nil
    }
}
