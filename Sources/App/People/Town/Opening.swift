import Forms
import Templating

/// A part of the site that an admin can switch off: its pages aren't available then, nothing links to them, and its
/// data is kept. Events for children are the core and can't be switched off.
enum Module: String, FormValue, CaseIterable, Sendable {
    case programs, timeline, kindness, playdates, helping, needs

    var name: Words {
        switch self {
        case .programs: "Programs of events"
        case .timeline: "Timeline"
        case .kindness: "Kind acts"
        case .playdates: "Play dates"
        case .helping: "Helping"
        case .needs: "Needs"
        }
    }

    /// A description of what it includes.
    var detail: Words {
        switch self {
        case .programs: "The activities of community events, and joining them. The events themselves stay."
        case .timeline: "Posts, comments and likes; sharing to it."
        case .kindness: "Small kind acts, with streaks and badges."
        case .playdates: "Pets, their matches, messages and meetings."
        case .helping: "What organizations ask for, shifts, promises, hours, reviews and following."
        case .needs: "What neighbors ask for around the corner."
        }
    }

    var icon: Icon {
        switch self {
        case .programs: .log
        case .timeline: .comment
        case .kindness: .heart
        case .playdates: .paw
        case .helping: .hands
        case .needs: .gift
        }
    }
}

/// The parts of the site that are open, and to whom, set by an admin; and the banner on every page.
struct Opening: Sendable, Equatable {
    /// The modules switched off.
    var off: Set<Module> = []
    /// Whether only members can read more than the pages that explain the site.
    var isClosed = false
    var banner: Banner?

    func has(_ module: Module) -> Bool { !off.contains(module) }
    /// What is switched on, and nil for what can’t be switched off.
    var modules: Set<Module?> { Set([nil] + Module.allCases.filter { !off.contains($0) }.map { Optional($0) }) }
    func has(_ module: Module?) -> Bool { module.map(has) ?? true }

    /// A banner at the top of every page, which readers can dismiss.
    struct Banner: Sendable, Equatable {
        /// Distinguishes it from earlier banners.
        let id: String
        let text: String
        /// The last day it is shown; nil if there is no end.
        var until: Day?

        func isShown(on today: Day) -> Bool { until.map { today <= $0 } ?? true }

        /// The cookie that remembers until the browser is closed that it was dismissed.
        static let cookie = "village_banner"
    }
}

/// `/admin/modules`.
struct OpeningForm: Form {
    var modules: [Module] = []
    var isClosed = false

    static let fields: [Field<OpeningForm>] = [
        .checkboxes(
            "module", \.modules, "Parts of the site",
            options: Module.allCases.map { Choice($0, $0.name, detail: $0.detail) }
        ).hint("What you switch off disappears for everybody, and comes back as it was."),
        .checkbox("closed", \.isClosed, "Only members may read")
            .hint("Visitors see the start page, About, Help, Privacy, and where to log in and sign up."),
    ]

    init() {}

    init(_ opening: Opening) {
        modules = Module.allCases.filter(opening.has)
        isClosed = opening.isClosed
    }
}

/// `/admin/banner`.
struct BannerForm: Form {
    var text: String?
    var until: Day?

    static let fields: [Field<BannerForm>] = [
        .text("text", \.text, "What it says", 3...200).autocomplete("off")
            .hint("On top of every page, for everybody. Leave it empty to take it away."),
        .date("until", \.until, "Until").hint(
            "The last day it is shown on. Without one it stays until you take it away."),
    ]

    init() {}

    init(_ banner: Opening.Banner?) {
        text = banner?.text
        until = banner?.until
    }

    /// - Parameter today: The current day: a banner that has ended already is a mistake.
    func check(_ submission: inout Submission<BannerForm>, today: Day) {
        if text != nil, submission.accepts(\.until), let until, until < today {
            submission.reject(\.until, "This day is over. Choose today or a later one.")
        }
    }
}
