import Forms
import Templating

/// News that a host wrote to all who come, or an organization to its helpers.
struct AnnouncementNews: InboxNews {
    private let headline: String
    private let happening: Notice.Happening?
    private let helped: Notice.Helped?

    init?(_ notice: Notice) {
        (headline, happening, helped) = (notice.headline, notice.happening, notice.helped)
    }

    var words: Words {
        "A message about \(happening?.name ?? Words(verbatim: helped?.title ?? ""), as: "title")"
    }

    func more(for reader: Zone) -> Words {
        if !headline.isEmpty { return Words(verbatim: headline) }
        return happening?.time(for: reader) ?? Words(verbatim: "")
    }

    var link: Link {
        helped.map { .messages($0.id) } ?? happening.map { .announcements($0.event) } ?? .inbox
    }

    var icon: Icon { .mail }
    var look: String { "word" }
    var group: String? { happening.map { "event-\($0.event)" } }
}

extension LetterText {
    static func announced(_ opportunity: Opportunity, _ message: Announcement) -> LetterText {
        let (name, title) = (opportunity.host.name, opportunity.title)
        return LetterText(
            // An organization's own subject may contain a name.
            subject: "A message about \(title, as: "title")", heading: Words(verbatim: message.subject),
            lines: ["\(name, as: "name") writes to those who help with \(title, as: "title"):"],
            body: message.body, action: Action(name: "See the message", link: .messages(opportunity.id)))
    }
}
