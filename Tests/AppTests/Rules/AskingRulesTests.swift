import Forms
import Testing

@testable import App

/// Which questions go together, what an answer is an answer to, and what is still asked.
@Suite struct AskingRulesTests {
    private func ask(
        _ id: Int64, _ text: String, root: Int64? = nil, kind: Ask.Kind = .line, isEach: Bool = false,
        isRequired: Bool = false, version: Int = 1
    ) -> Ask {
        Ask(
            id: ID(id), root: root.map { ID($0) }, version: version,
            content: .init(kind: kind, text: text, isEach: isEach, isRequired: isRequired))
    }

    @Test func `other dates follow what one changed, and keep what is theirs alone`() {
        let old = [ask(1, "Boots?"), ask(2, "Hat?")]
        let mine = [ask(11, "Boots, please?", root: 1), ask(12, "Hat?", root: 2), ask(13, "Mine?")]
        // Boots is as it was, Hat says something else, Rain is new.
        let new = [ask(1, "Boots?"), ask(2, "Cap?"), ask(3, "Rain?")]
        let followed = Ask.following(new, since: old, of: mine)
        #expect(followed.map(\.text) == ["Boots, please?", "Cap?", "Rain?", "Mine?"])
        #expect(followed.map(\.id.rawValue) == [11, 12, 0, 13])
        #expect(followed[2].root == ID(3))
        // What was taken out goes.
        #expect(Ask.following([ask(2, "Hat?")], since: old, of: mine).map(\.text) == ["Hat?", "Mine?"])
    }

    @Test func `what decides whether an answer still answers is the words, not the reason or the days`() {
        var one = Ask.Content(kind: .choice, text: "Bread?", options: ["white", "dark"], isEach: true)
        let other = one
        (one.why, one.days, one.isRequired) = ("To bake.", 7, true)
        #expect(one.asksTheSame(as: other))
        for change in [
            { $0.text = "Rolls?" }, { $0.options = ["white"] }, { $0.isEach = false }, { $0.kind = .line },
        ] as [(inout Ask.Content) -> Void] {
            var changed = other
            change(&changed)
            #expect(!changed.asksTheSame(as: other))
        }
    }

    @Test func `the host reads how many have answered what is changed or taken out, and nothing of the rest`() {
        let old = [ask(1, "Boots?"), ask(2, "Hat?"), ask(3, "Rain?")]
        let lines = AskPreview(
            from: old, to: [ask(1, "Boots?"), ask(2, "Cap?")], counts: [ID(1): 9, ID(2): 3]
        ).lines.map(\.plain)
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix("“Hat?” has changed. 3 families have answered"))
        #expect(lines[1] == "“Rain?” is no longer asked. Nobody has answered it.")
    }

    @Test func `the questions of several dates are one where they say the same`() {
        let dates: [ID<Event>] = [ID(1), ID(2)]
        let items = AnswerSheet.items(
            [
                (dates[0], ask(1, "Boots?")), (dates[0], ask(2, "Size?", isEach: true)),
                (dates[1], ask(11, "Boots?", root: 1)), (dates[1], ask(12, "Which size?", root: 2, isEach: true)),
            ], children: [(ID(7), "Mo"), (ID(8), "Lu")])
        #expect(items.count == 1 + 2 + 2)
        #expect(items[0].asks.keys.sorted() == dates)
        #expect(items.map { $0.child?.name ?? "-" } == ["-", "Mo", "Lu", "Mo", "Lu"])
    }

    @Test func `a question about a child who stays home has not to be answered`() throws {
        let event = ID<Event>(1)
        let items = AnswerSheet.items(
            [ask(1, "Size?", isEach: true, isRequired: true)], at: event, children: [(ID(7), "Mo"), (ID(8), "Lu")])
        var sheet = try #require(
            AnswerSheet(items, endingAt: Instant(milliseconds: 0), in: .utc))
        sheet.check(for: [ID(8)])
        #expect(sheet.problems.map(\.words.plain) == ["Lu, “Size?”: Please answer: the host needs to know."])
        // The twin: where both come, both are asked.
        sheet.check(for: [ID(7), ID(8)])
        #expect(sheet.problems.count == 2)
    }

    @Test func `the mark of a photo consent says yes only to what is asked now, and as long as it stands`() {
        let photo = ask(1, "Photos?", kind: .photo, version: 2)
        func reply(_ answer: String, version: Int = 2, takenBack: Instant? = nil) -> App.Reply {
            App.Reply(
                id: ID(1), person: ID(1), ask: ID(1), version: version, content: photo.content, answer: answer,
                giver: "Ana", at: Instant(milliseconds: 0), takenBackAt: takenBack, eraseAt: Instant(milliseconds: 9))
        }
        let now = Instant(milliseconds: 5)
        #expect(PhotoMark([photo], [reply("yes")]) == .yes)
        #expect(PhotoMark([photo], [reply("no")]) == .no)
        #expect(PhotoMark([photo], [reply("yes", takenBack: now)]) == .no)
        #expect(PhotoMark([photo], [reply("yes", version: 1)]) == .unanswered)
        #expect(PhotoMark([photo], []) == .unanswered)
        #expect(PhotoMark([], [reply("yes")]) == nil)
        // Nobody owes an answer to what they weren't asked.
        #expect(PhotoMark([photo], [], of: .never) == .unasked)
        #expect(PhotoMark([photo], [reply("yes")], of: .never) == .yes)
    }
}
