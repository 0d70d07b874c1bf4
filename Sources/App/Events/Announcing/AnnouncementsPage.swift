import Forms
import Templating

struct AnnouncementForm: Form {
    var subject = ""
    var body = ""
    var tellsWaiting = false
    /// For an opportunity: the groups of helpers.
    var readers: [Announcement.Readers] = []

    static let fields: [Field<AnnouncementForm>] = [
        .checkboxes("to", \.readers, "Who is to read it").conditional,
        .text("subject", \.subject, "Subject", 3...120)
            .hint("It appears on their page and in the letter; name no child."),
        .area("body", \.body, "What do you want to tell them?", 5...2_000)
            .hint("Plain text; a web address becomes a link."),
        .checkbox("waiting", \.tellsWaiting, "Also those on the waiting list"),
    ]

    /// An empty form, with upcoming helpers preselected.
    static func blank(for page: AnnouncementsPage) -> Submission<AnnouncementForm> {
        var form = Submission<AnnouncementForm>()
        if page.opportunity != nil {
            form.fill(\.readers, page.circles.filter(\.isAhead).map(\.readers))
            offer(page, in: &form)
        }
        return form
    }

    /// Offers the groups of helpers.
    static func offer(_ page: AnnouncementsPage, in form: inout Submission<AnnouncementForm>) {
        guard page.opportunity != nil else { return }
        form.offer(\.readers, page.circles.map { Choice($0.readers, $0.name, detail: $0.size) })
    }

    /// Checks the form.
    static func check(_ form: inout Submission<AnnouncementForm>, for page: AnnouncementsPage, at now: Instant) {
        switch page.place {
        case .event(let event):
            if event.isOver(at: now) { form.reject("This event is over.") }
            if event.isHidden { form.reject("This event is hidden. Nobody is written to about it.") }
        case .help(let opportunity):
            if opportunity.isHidden { form.reject("This is hidden. Nobody is written to about it.") }
            if form.accepts(\.readers), form.form.readers.isEmpty {
                form.reject(\.readers, "Choose who is to read it.")
            }
        }
    }
}

/// `/events/{id}/announcements` and `/opportunities/{id}/messages`: for the host the sent messages and a form, for a
/// family or helper the messages to them.
struct AnnouncementsPage: Sendable {
    let place: Place
    let announcements: [Announcement]
    let isHost: Bool
    /// The number of families coming, and of those waiting.
    var families = 0
    var waiting = 0
    /// The groups of helpers.
    var circles: [Circle] = []
    /// The number of recipients, in the preview.
    var chosen = 0
    /// A sentence about guests, who get no messages; nil if there are none.
    var guests: Words?

    enum Place: Sendable {
        case event(Event)
        case help(Opportunity)
    }

    /// A group of helpers.
    struct Circle: Sendable {
        let readers: Announcement.Readers
        /// The shift, for its helpers.
        var shift: Shift?
        let count: Int
        /// Whether they are yet to come.
        let isAhead: Bool

        var name: Words {
            switch readers {
            case .shift: shift?.moment ?? ""
            case .shiftless: "Those who help without a shift"
            case .waiting: "Those who wait for a place or an answer"
            }
        }

        var size: Words { Words("{count} person", plural: "{count} people", count: count) }
    }

    var about: Announcement.Place {
        switch place {
        case .event(let event): .event(event.id)
        case .help(let opportunity): .help(opportunity.id)
        }
    }

    var event: Event? { if case .event(let event) = place { event } else { nil } }
    var opportunity: Opportunity? { if case .help(let opportunity) = place { opportunity } else { nil } }

    var link: Link {
        switch place {
        case .event(let event): .announcements(event.id)
        case .help(let opportunity): .messages(opportunity.id)
        }
    }

    var title: String {
        switch place {
        case .event(let event): event.title
        case .help(let opportunity): opportunity.title
        }
    }

    /// The time or place, and the host, on one line.
    func facts(for reader: Zone) -> Words {
        switch place {
        case .event(let event): "\(event.when(for: reader), as: "when") · \(event.host.name, as: "host")"
        case .help(let opportunity): "\(opportunity.whereabouts, as: "when") · \(opportunity.host.name, as: "host")"
        }
    }

    /// The time zone of the place.
    var zone: Zone {
        switch place {
        case .event(let event): event.clock
        case .help(let opportunity): opportunity.zone
        }
    }

    /// Whether there are any recipients.
    func canTell(at now: Instant) -> Bool {
        switch place {
        case .event(let event): families + waiting > 0 && !event.isOver(at: now)
        case .help: !circles.isEmpty
        }
    }

    func told(_ form: AnnouncementForm) -> Words {
        guard let event else {
            let names = circles.filter { form.readers.contains($0.readers) }.map(\.name)
            return Words(
                "{count} person will be told: \(names.listed(), as: "names")",
                plural: "{count} people will be told: \(names.listed(), as: "names")", count: chosen)
        }
        let count = families + (form.tellsWaiting ? waiting : 0)
        return event.isForEveryone
            ? Words("{count} member will be told.", plural: "{count} members will be told.", count: count)
            : Words("{count} family will be told.", plural: "{count} families will be told.", count: count)
    }

    /// How many opened a message; for a community event the number counts members instead of families.
    func readBy(_ message: Announcement) -> Words {
        let (opened, count) = (message.opened, message.families)
        guard let event else {
            return Words(
                "Opened by \(opened, as: "opened") of {count} person.",
                plural: "Opened by \(opened, as: "opened") of {count} people.", count: count)
        }
        if event.isForEveryone {
            return Words(
                "Opened by \(opened, as: "opened") of {count} member.",
                plural: "Opened by \(opened, as: "opened") of {count} members.", count: count)
        }
        return Words(
            "Opened by \(opened, as: "opened") of {count} family.",
            plural: "Opened by \(opened, as: "opened") of {count} families.", count: count)
    }
}
