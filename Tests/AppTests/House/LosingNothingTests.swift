import Foundation
import Testing

@testable import App

/// Each form that changes something stored says what it was drawn from, each that adds something is known by its
/// `once`, and each decision of staff says how far their log had come: read off the route table and the controllers.
@Suite struct LosingNothingTests {
    /// What a handler calls so that nobody's words are lost.
    private static let mechanisms = comparisons + [".remember(", ".carryOut(", ".makeLink("] + decisions

    /// What compares a form with what is stored by now.
    private static let comparisons = ["isChange(of:", "requireUnchanged("]

    /// Handlers that don't ask whether their form changes anything, because what stores it compares the values.
    private static let comparing: [String: String] = [
        "answers.update": "`Reply.store`: the same answer counts anew where the question has other words",
        "draws.extend": "`Draw.extend` says whether the day is a later one",
        "draws.wish": "drawn with wishes that aren't stored; writes nothing down and tells nobody",
        "town.update": "`Site.changeTown`", "face.update": "`Site.changeTown`", "face.updatePages": "`Site.changeTown`",
        "opening.setModules": "`Site.change`", "opening.setBanner": "`Site.change`",
    ]

    /// What makes sure of the log of staff: `decide`, and what stands on it.
    private static let decisions = ["context.decide(", "context.hide(", "context.show("]

    /// The handlers whose form needs none, and why.
    private static let exempt: [String: String] = [
        // Ways in, and what is one's own alone: nothing that somebody else, or another tab, could have written.
        "accounts.create": "a new account",
        "setup.create": "the first admin",
        "sessions.create": "logging in",
        "sessions.end": "ends sessions",
        "twoStep.answer": "a code",
        "twoStep.turnOn": "a code, and the password",
        "twoStep.begin": "a new secret",
        "twoStep.renewCodes": "new codes",
        "twoStep.turnOff": "a code, and the password",
        "emails.sendReset": "a letter",
        "emails.update": "a letter to the new address, which takes effect once it is confirmed",
        "passwords.create": "a password: nobody can be shown another's",
        "passwords.update": "a password, with the one before",
        "keeping.download": "a file",
        "keeping.leave": "goes with all there is",
        "images.create": "a picture, which nothing shows yet",
        // A link or a letter each time.
        "guardians.update": "makes a link, which takes the place of the one before",
        "letters.test": "a test letter",
        "letters.handOver": "a link to hand over",
        "siteInvitations.preview": "a look at a list: nothing is stored",
        // What is there once keeps the first, and refuses a second with its words.
        "takeovers.find": "a code, which leads to its page",
        "takeovers.create": "a code that is used up by it",
        "registrations.create": "places: who is registered already is said",
        "posting.create": "an event: `Event.announce` compares it with what was published by the same form",
        "posting.createCopies": "a date that the series has is left out",
        "decisions.answer": "an answer, once",
        "decisions.answerByLetter": "an answer, once",
        // What a button says, with a reason beside it.
        "blocks.update": "blocks somebody, or no longer",
        "posting.cancel": "calls off what isn't called off",
        "opportunities.close": "closes what is open: another reason of a colleague was faster, and that is said",
        "meetings.callOff": "calls off what isn't called off",
        "meetings.after": "one's own answer, once",
        "signups.say": "one's own hours, until they are confirmed, which is said",
        "impact.withdraw": "takes a sheet back",
    ]

    /// Staff's handlers without a decision about anything.
    private static let undecided: [String: String] = [
        "letters.test": "a test letter", "letters.retry": "another try", "letters.handOver": "a link to hand over",
        "townLetters.create": "a letter: another one about the same in that week is refused, with its words",
        "townLetters.stop": "stops what goes out",
        "siteInvitations.preview": "a look at a list",
        "siteInvitations.send": "letters: people who were invited meanwhile get no second one",
        "siteInvitations.end": "takes back those that its page counted",
    ]

    private struct Post {
        let handler: String
        let isForStaff: Bool
        /// Whether it counts by the brake of newcomers.
        var isBraked = false
        /// The handler and all of its controller's functions that it calls.
        let source: String

        var hasForm: Bool {
            source.contains("context.submission(") || source.contains(/Submission<\w+>\(/)
        }
    }

    private static func posts() async throws -> [Post] {
        let files = try SourcesTests.files(in: "Sources/App").filter { $0.path.hasSuffix("Controller.swift") }
        return try await PostLine.all().compactMap { line in
            guard let file = files.first(where: { $0.text.contains("struct \(line.controller) {") }) else { return nil }
            return Post(
                handler: line.handler, isForStaff: ["staff", "admins"].contains(line.route.access),
                isBraked: isBraked(line.route),
                source: reach(of: line.function, in: functions(of: file.text)))
        }
    }

    private static func isBraked(_ route: Route) -> Bool {
        if route.traits.contains(.speaksToStrangers) { return true }
        guard let kind = route.kind else { return false }
        if case .free = Brake(kind).pace { return false }
        return true
    }

    /// The functions of a controller by name; those of one name together.
    private static func functions(of text: String) -> [String: String] {
        var found: [String: String] = [:]
        for part in text.split(separator: /\n    (?=(?:private |fileprivate |static |mutating )*func )/) {
            guard let name = part.firstMatch(of: /func (\w+)/)?.output.1 else { continue }
            let end = part.firstRange(of: "\n    }\n")?.upperBound ?? part.endIndex
            found[String(name), default: ""] += part[..<end]
        }
        return found
    }

    private static func reach(of name: String, in functions: [String: String]) -> String {
        var (seen, open, text) = (Set<String>(), [name], "")
        while let next = open.popLast() {
            guard let source = functions[next], seen.insert(next).inserted else { continue }
            text += source
            open += source.matches(of: /\b(\w+)\(/).map { String($0.output.1) }
        }
        return text
    }

    private static func lacks(_ post: Post) -> Bool {
        post.hasForm && !mechanisms.contains { post.source.contains($0) }
    }

    @Test func `each form that is sent says what it was made on, or is exempt for a reason`() async throws {
        let posts = try await Self.posts()
        #expect(posts.count > 140)
        let lacking = Set(posts.filter(Self.lacks).map(\.handler))
        #expect(lacking.subtracting(Self.exempt.keys).sorted() == [])
        // A reason that isn't needed anymore goes.
        #expect(Set(Self.exempt.keys).subtracting(lacking).sorted() == [])
    }

    @Test func `each decision of staff says how far their log had come, or what its form was drawn from`()
        async throws
    {
        let posts = try await Self.posts().filter(\.isForStaff)
        #expect(posts.count > 15)
        let lacking = posts.filter { post in
            !(Self.decisions + Self.comparisons).contains { post.source.contains($0) }
        }.map(\.handler)
        #expect(Set(lacking).subtracting(Self.undecided.keys).sorted() == [])
    }

    @Test func `each form asks whether it changes anything, or it is said what does`() async throws {
        let posts = try await Self.posts().filter { post in Self.comparisons.contains { post.source.contains($0) } }
        #expect(posts.count > 24)
        let silent = Set(posts.filter { !$0.source.contains("isChange(of:") }.map(\.handler))
        #expect(silent.subtracting(Self.comparing.keys).sorted() == [])
        #expect(Set(Self.comparing.keys).subtracting(silent).sorted() == [])
    }

    /// A newcomer's press counts once: where the handler didn't know its form again, each one after it would make
    /// another thing for nothing.
    @Test func `what counts by the brake of newcomers knows its form again`() async throws {
        let posts = try await Self.posts().filter(\.isBraked)
        #expect(posts.count > 9)
        let lacking = posts.filter { post in !Self.mechanisms.contains { post.source.contains($0) } }
        #expect(lacking.map(\.handler).sorted() == [])
    }

    /// The twin: a handler without the mechanism is found, through the functions it calls too.
    @Test func `a form that lacks it is found`() {
        let controller = """
            struct X {
                func update(_ context: MemberContext) async throws -> Response {
                    let form = checked(context)
                    try await site.write { db in try save(form) }
                }

                private func checked(_ context: MemberContext) -> Submission<XForm> {
                    context.submission(XForm.self)
                }
            }
            """
        func post(_ text: String) -> Post {
            Post(
                handler: "x.update", isForStaff: false,
                source: Self.reach(of: "update", in: Self.functions(of: text)))
        }
        #expect(Self.lacks(post(controller)))
        #expect(
            !Self.lacks(post(controller.replacing("try save", with: "try sent.requireUnchanged(since: x); try save"))))
        #expect(!Self.lacks(post(controller.replacing("context.submission(XForm.self)", with: "XForm()"))))
    }
}
