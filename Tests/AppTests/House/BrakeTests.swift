import Foundation
import Testing

@testable import App

/// What people write who are new here is held back in one place: read off the kinds of things, the route table and the
/// sources.
@Suite struct BrakeTests {
    /// Forms with lines or texts of people's own that nobody else reads, or not as theirs.
    private static let exempt: [String: String] = [
        "admin.hideEvent": "staff", "admin.showEvent": "staff", "admin.setAddress": "staff",
        "admin.giveRole": "staff", "letters.handOver": "staff", "questions.unhide": "staff",
        "timeline.unhide": "staff",
        "queue.decide": "staff", "queue.decideMany": "staff", "questions.hide": "staff", "timeline.hide": "staff",
        "plans.grant": "staff", "plans.setPrices": "staff", "plans.verify": "staff", "opening.setBanner": "staff",
        "townLetters.create": "staff", "siteInvitations.preview": "staff", "siteInvitations.send": "staff",
        "tags.merge": "staff", "town.update": "staff", "waves.stop": "staff", "waves.block": "staff",
        "waves.unblock": "staff", "outside.allow": "staff", "outside.end": "staff",
        "accounts.create": "signing up", "setup.create": "signing up", "sessions.create": "logging in",
        "twoStep.answer": "a code", "twoStep.turnOn": "a code", "twoStep.turnOff": "a code",
        "children.create": "one's own family", "children.update": "one's own family",
        "profiles.updateFamily": "one's own family, and the hosts it registers with",
        "reports.create": "staff read it", "decisions.answer": "staff read it",
        "decisions.answerByLetter": "staff read it", "blocks.update": "a user name",
        "impact.note": "one's own ledger", "impact.certify": "a name on a sheet of one's own",
        "kindness.create": "one's own list", "kindness.done": "one's own diary",
        "posting.cancel": "to those who come; somebody who may only read says nothing by it",
        "opportunities.close": "to those who signed up", "meetings.callOff": "to the one whose pets met",
        "settings.update": "one's own settings", "colleagues.update": "a link", "guardians.update": "a link",
        "signups.bring": "a link for a parent", "signups.agree": "a parent's yes",
        "hats.create": "a hat", "passwords.create": "a password", "signups.say": "one's own hours",
        "cohosts.create": "a name or an address",
        "rosters.count": "a number", "takeovers.find": "a code",
        "guests.create": "the host’s own list", "shiftGuests.create": "the host’s own list",
        "undo.create": "what was there",
    ]

    @Test func `each kind of thing has a route that makes it, and its queue is asked where it is stored`()
        async throws
    {
        let sources = try SourcesTests.files(in: "Sources/App").map(\.text).joined()
        try await withTestSite { site in
            let kinds = Set(site.site.routes().all.compactMap(\.kind))
            for kind in Subject.Kind.allCases {
                #expect(kinds.contains(kind), "\(kind)")
                let isAsked = sources.contains("Matter.keepBack(\(kind.reportable).self, ")
                switch Brake(kind).queue {
                case .first, .links: #expect(isAsked, "\(kind)")
                case .all, .none: #expect(!isAsked, "\(kind)")
                }
            }
        }
    }

    @Test func `what makes a thing that others read is closed to who may only read, and counts links`() async throws {
        try await withTestSite { site in
            for route in site.site.routes().all where route.kind != nil {
                #expect(route.traits.contains(.publishes), "\(route.pattern)")
            }
        }
    }

    /// The forms with a field in which somebody writes what they like.
    private static func forms() throws -> Set<String> {
        var found: Set<String> = []
        for file in try SourcesTests.files(in: "Sources/App") {
            for part in file.text.components(separatedBy: "\nstruct ").dropFirst() {
                guard let name = part.firstMatch(of: /^(\w+): Form\b/)?.output.1 else { continue }
                let body = part.components(separatedBy: "\n}\n")[0]
                if body.contains(".area(") || body.contains(".text(") { found.insert(String(name)) }
            }
        }
        return found
    }

    @Test func `a form whose words others read says so in the table, or why not`() async throws {
        let forms = try Self.forms()
        #expect(forms.count > 30)
        let files = try SourcesTests.files(in: "Sources/App").filter { $0.path.hasSuffix("Controller.swift") }
        var open: Set<String> = []
        for post in try await PostLine.all() where !post.route.traits.contains(.publishes) {
            guard let file = files.first(where: { $0.text.contains("struct \(post.controller) {") }) else { continue }
            let parts = file.text.components(separatedBy: "\n    func \(post.function)(").dropFirst()
            let body = parts.map { $0.components(separatedBy: "\n    }\n")[0] }.joined()
            if forms.contains(where: { body.contains("submission(\($0).self") || body.contains("<\($0)>(") }) {
                open.insert(post.handler)
            }
        }
        #expect(open.subtracting(Self.exempt.keys).sorted() == [])
    }

    @Test func `the pages of what somebody new wrote are kept from search engines in one way`() throws {
        for file in try SourcesTests.files(in: "Sources/App") where file.path.hasSuffix("Controller.swift") {
            #expect(!file.text.contains("isNew("), "\(file.path)")
        }
        let controllers = ["Event", "Timeline", "Profile", "Person", "Need", "Opportunity"]
        let files = try SourcesTests.files(in: "Sources/App")
        for name in controllers {
            let text = files.first { $0.path.hasSuffix("/\(name)Controller.swift") }?.text ?? ""
            let asks = text.contains(/, by: (page|post|person|provider)\.[a-z.]+(\n|\))/)
            #expect(asks, "\(name)")
        }
    }
}
