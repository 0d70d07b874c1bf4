import Forms
import Templating

/// What a host tells everybody who comes.
struct Announcement: Sendable {
    let id: ID<Announcement>
    let subject: String
    let body: String
    let at: Instant
    /// How many families were told.
    let families: Int
    /// How many of them opened the notice.
    var opened = 0

    /// The most within a day.
    static let aDay = 3

    var text: HTML { .paragraphs(of: body) }

    /// How many opened it; of a community event, to which not only families come, members.
    func readBy(at event: Event) -> Words {
        if event.isForEveryone {
            return Words(
                "Opened by \(opened, as: "opened") of {count} member.",
                plural: "Opened by \(opened, as: "opened") of {count} members.", count: families)
        }
        return Words(
            "Opened by \(opened, as: "opened") of {count} family.",
            plural: "Opened by \(opened, as: "opened") of {count} families.", count: families)
    }

    func when(in zone: String) -> Words { Zone(stored: zone).words(at) }

    /// There were as many as there may be within a day.
    struct TooMany: Error {}
}

struct AnnouncementForm: Form {
    var subject = ""
    var body = ""
    var tellsWaiting = false

    static let fields: [Field<AnnouncementForm>] = [
        .text("subject", \.subject, "Subject", 3...120)
            .hint("It appears on their page and in the letter; name no child."),
        .area("body", \.body, "What do you want to tell them?", 5...2_000)
            .hint("Plain text; a web address becomes a link."),
        .checkbox("waiting", \.tellsWaiting, "Also those on the waiting list"),
    ]
}

/// `/events/{id}/announcements`: for the host, what was told and a form to tell more; for a family, what it was told.
struct AnnouncementsPage: Sendable {
    let event: Event
    let announcements: [Announcement]
    let isHost: Bool
    /// How many families come, and how many wait.
    var families = 0
    var waiting = 0
    /// People the host added, whom no message reaches; nil where there are none.
    var guests: Words?

    var link: Link { .announcements(event.id) }
    /// Whether there is somebody to tell, and something still to come.
    var canTell: Bool { families + waiting > 0 }

    func told(_ form: AnnouncementForm) -> Words {
        let count = families + (form.tellsWaiting ? waiting : 0)
        return event.isForEveryone
            ? Words("{count} member will be told.", plural: "{count} members will be told.", count: count)
            : Words("{count} family will be told.", plural: "{count} families will be told.", count: count)
    }
}
