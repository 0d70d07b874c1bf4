import Forms
import Templating

/// News about needs.
struct NeedNews: TitledNews {
    let what: What
    let about: ID<Need>
    let title: String

    enum What: String, Sendable, CaseIterable {
        // To a helper who promised something.
        case accepted, declined, missed, lapsed, closed, thanked, ending
        /// Nobody answered them in time.
        case unanswered
        /// It is needed at another place, which for a home the author has to open to them again; staff hid it, or it is
        /// shown again.
        case moved, movedHome, hidden, shown
        // To the author.
        case asked, taken, dropped, brought, stale, verified
        /// Somebody still waits for an answer, or waited in vain.
        case waits, overlooked
        /// A promise expires tomorrow, or has expired; nobody said that it is still needed, or its last day is over.
        case endingThere, lapsedThere, forgotten, over
        /// To either of the two: a promise was restored.
        case resumed
        /// To the author: the helper had confirmed by mistake.
        case notYet
    }

    init(_ what: What, _ about: ID<Need>, _ title: String) {
        self.what = what
        self.about = about
        self.title = title
    }

    var kind: NoticeKind { .needs }
    /// The part of its page that it is about.
    var link: Link {
        switch what {
        case .accepted, .ending, .resumed, .moved, .movedHome, .shown: Link.need(about).fragment("mine")
        // Its own page is closed to them.
        case .hidden: Link.needs / "mine"
        case .thanked: Link.need(about).fragment("given")
        case .asked, .taken, .dropped, .brought, .stale, .waits, .overlooked, .endingThere, .lapsedThere, .notYet:
            Link.need(about).fragment("who")
        case .declined, .missed, .lapsed, .closed, .unanswered, .verified, .forgotten, .over: .need(about)
        }
    }
    var icon: Icon { .gift }
    var button: Words { "See it" }
    var answers: LetterText.Answers { .members }
    var group: String? { "\(about)\(what.rawValue)" }

    var words: Words {
        switch what {
        case .accepted: "They said yes: \(title, as: "title")"
        case .declined: "They can do without you this time: \(title, as: "title")"
        case .missed: "They say that it didn’t come: \(title, as: "title")"
        case .moved, .movedHome: "It is needed at another place: \(title, as: "title")"
        case .hidden: "The page of \(title, as: "title") isn’t shown at the moment"
        case .shown: "The page of \(title, as: "title") is shown again"
        case .lapsed: "Your promise ran out, and others can take it: \(title, as: "title")"
        case .unanswered: "There was no answer in time: \(title, as: "title")"
        case .waits: "Somebody still waits for your answer: \(title, as: "title")"
        case .overlooked: "Somebody waited for your answer, and it ran out: \(title, as: "title")"
        case .ending: "Tomorrow your promise runs out: \(title, as: "title")"
        case .endingThere: "Tomorrow a promise runs out: \(title, as: "title")"
        case .lapsedThere: "A promise ran out: \(title, as: "title")"
        case .forgotten: "Closed, since you didn’t say whether it is still needed: \(title, as: "title")"
        case .over: "Its last day is over, and it is closed: \(title, as: "title")"
        case .closed: "It isn’t needed anymore: \(title, as: "title")"
        case .thanked: "They say thank you: \(title, as: "title")"
        case .asked: "Somebody would help: \(title, as: "title")"
        case .taken: "Somebody promised it: \(title, as: "title")"
        case .dropped: "A promise was taken back: \(title, as: "title")"
        case .brought: "Did it happen? \(title, as: "title")"
        case .stale: "Is it still needed? \(title, as: "title")"
        case .verified: "Verified, and marked so: \(title, as: "title")"
        case .notYet: "It isn’t there yet after all: \(title, as: "title")"
        case .resumed: "It was taken back, and the promise holds again: \(title, as: "title")"
        }
    }

    var more: Words {
        switch what {
        case .ending: "Bring it, or say that you can’t after all: then others can take it."
        case .endingThere: "Has it happened already? Then say so."
        case .moved: "Look where, before you go."
        case .movedHome: "They say yes or no again, and then you see where."
        case .hidden: "Please wait: the people who run this site look at it."
        case .shown: "Your promise stayed yours."
        case .lapsedThere: "Others can take it now."
        case .forgotten, .over: "If it is still needed, ask again."
        case .stale: "It is closed in a week, unless you say so."
        case .asked: "Say yes or no: only then they see where it is."
        case .waits: "They would help. Without a yes or no their offer runs out."
        case .overlooked: "Their offer ran out, and others can help now."
        case .unanswered: "Your offer ran out, and you are free. Thank you for it."
        case .brought: "Somebody says so. Say it too, and it counts."
        case .notYet: "They had said so by mistake. The promise holds."
        case .verified: "The mark counts for half a year, and then somebody looks again."
        default: Words(verbatim: "")
        }
    }
}
