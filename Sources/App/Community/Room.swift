import Forms
import Templating

/// An entry of the Community tab.
enum Room: CaseIterable, Sendable {
    case timeline, kindness, playdates

    var module: Module {
        switch self {
        case .timeline: .timeline
        case .kindness: .kindness
        case .playdates: .playdates
        }
    }

    var name: Words {
        switch self {
        case .timeline: "Timeline"
        case .kindness: "Kind acts"
        case .playdates: "Play dates"
        }
    }

    var icon: Icon {
        switch self {
        case .timeline: .comment
        case .kindness: .heart
        case .playdates: .paw
        }
    }

    var link: Link {
        switch self {
        case .timeline: Link.timeline
        case .kindness: .kindness
        case .playdates: .playdates
        }
    }
}
