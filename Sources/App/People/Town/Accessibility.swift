import Templating

/// The site's accessibility: each criterion of WCAG 2.2 at levels A and AA, with the evidence that it is met.
/// `/accessibility` and the machine-readable report are made from this list, and `AccessibilityTests` fails if a
/// criterion is missing or a named test no longer exists.
enum Accessibility {
    /// When the list was last reviewed.
    static let reviewed = Day(year: 2026, month: 11, day: 29)!

    /// The criteria with a certain result.
    static func criteria(_ adherence: Adherence) -> [Criterion] { criteria.filter { $0.adherence == adherence } }
}

/// A success criterion of WCAG 2.2, and its evidence.
struct Criterion: Sendable {
    enum Level: CaseIterable, Sendable { case a, aa }

    /// The finding of a manual test.
    struct Look: Sendable {
        let day: Day
        /// The tools, pages and result: a sentence in English.
        let found: String
    }

    let number: String
    /// Its name in the standard.
    let name: String
    let level: Level
    let adherence: Adherence
    /// Names of tests, with … for the varying part of several.
    let tests: [String]
    let looks: [Look]

    init(
        _ number: String, _ name: String, _ level: Level, _ adherence: Adherence, _ tests: [String] = [],
        looks: [Look] = []
    ) {
        self.number = number
        self.name = name
        self.level = level
        self.adherence = adherence
        self.tests = tests
        self.looks = looks
    }

    /// Criteria added in WCAG 2.2: EN 301 549 v3.2.1 is based on WCAG 2.1.
    static let absentFromEN: Set<String> = ["2.4.11", "2.5.7", "2.5.8", "3.2.6", "3.3.7", "3.3.8"]

    /// Its clause in EN 301 549; nil if there is none.
    var clause: String? { Self.absentFromEN.contains(number) ? nil : "9.\(number)" }

    /// Its number, name, level and clause.
    var title: String {
        let level = level == .a ? "A" : "AA"
        return "\(number) \(name) (\(level)\(clause.map { "; EN 301 549: \($0)" } ?? ""))"
    }

    /// All of its evidence, a sentence each.
    var evidence: [String] { tests + looks.map { "\($0.day.iso): \($0.found)" } }
}

// MARK: The list

extension Accessibility {
    private static let media = "no page plays a sound or a video, or is used by moving the device"
    private static let look =
        "the pages a … sees pass axe, and fit a phone, its side, a desktop, text at 200 % and a finger (… of 2)"
    private static let states = "pages in special states are valid, pass axe, fit and can be hit with a finger: …"
    private static let read = "in …, no page of a … scrolls sideways or cuts a word, narrow or with text at 200 %"
    private static let crawl = "every link a … can follow leads to a page, and every page has one heading and a title"
    private static let focus = "the focus is always seen, there and back, on long pages with bars"
    private static let filters =
        "in the open filters the focus is always seen: their button covers nothing that has it"
    private static let summary = "the summary of problems takes the focus, and its links lead to the fields"
    private static let keyboard =
        "with the keyboard alone, a parent logs in, finds an event and registers two children on a desktop"
    private static let rows =
        "rows of a program are added, copied, moved and removed in place; the focus follows, and it is said aloud"
    private static let card =
        "a card is decided by arrow keys and by a swipe, as by its buttons, and the arrows leaf through pictures alone"
    private static let pin =
        "on the preview the pin is put right by a click, by dragging and by the arrow keys, and stays there"
    private static let foot =
        "every page has the same tabs and the same links at its foot, help among them, in one order"
    private static let passwords = "passwords are masked, and open to password managers"
    private static let preview =
        "preview, back to editing, preview, publish: nothing is lost, and nothing stored before"

    /// All criteria in the order of the standard. WCAG 2.2 no longer contains 4.1.1.
    static let criteria: [Criterion] = [
        Criterion("1.1.1", "Non-text Content", .a, .part, [look, states]),
        Criterion("1.2.1", "Audio-only and Video-only (Prerecorded)", .a, .notApplicable, [media]),
        Criterion("1.2.2", "Captions (Prerecorded)", .a, .notApplicable, [media]),
        Criterion("1.2.3", "Audio Description or Media Alternative (Prerecorded)", .a, .notApplicable, [media]),
        Criterion("1.2.4", "Captions (Live)", .aa, .notApplicable, [media]),
        Criterion("1.2.5", "Audio Description (Prerecorded)", .aa, .notApplicable, [media]),
        Criterion("1.3.1", "Info and Relationships", .a, .part, [look, states, crawl]),
        Criterion("1.3.2", "Meaningful Sequence", .a, .notEvaluated),
        Criterion("1.3.3", "Sensory Characteristics", .a, .notEvaluated),
        Criterion(
            "1.3.4", "Orientation", .aa, .supports,
            [
                "nothing turns the screen, and only the sheet of the lobby's screen asks how it is held",
                look,
            ]),
        Criterion("1.3.5", "Identify Input Purpose", .aa, .part, [look, passwords]),
        Criterion("1.4.1", "Use of Color", .a, .part, [look]),
        Criterion("1.4.2", "Audio Control", .a, .notApplicable, [media]),
        Criterion(
            "1.4.3", "Contrast (Minimum)", .aa, .part,
            [look, states, "a color that is taken can be read everywhere", "contrast on white is that of WCAG"]),
        Criterion("1.4.4", "Resize Text", .aa, .supports, [look, states, read]),
        Criterion("1.4.5", "Images of Text", .aa, .notEvaluated),
        Criterion("1.4.10", "Reflow", .aa, .supports, [look, states, read]),
        Criterion(
            "1.4.11", "Non-text Contrast", .aa, .part,
            ["the half of the switch in use is told from the other by a contrast of 3 to 1, in light and dark"]),
        Criterion("1.4.12", "Text Spacing", .aa, .notEvaluated),
        Criterion("1.4.13", "Content on Hover or Focus", .aa, .notEvaluated),
        Criterion(
            "2.1.1", "Keyboard", .a, .part,
            [
                keyboard, "with the keyboard, a pet finds a friend, and they meet in My week", card, pin,
                "the map is reached, moved and looked at more closely by the keyboard, and its pins lead to the events",
            ]),
        Criterion("2.1.2", "No Keyboard Trap", .a, .part, [focus, filters, keyboard]),
        Criterion(
            "2.1.4", "Character Key Shortcuts", .a, .supports,
            ["no script waits for a letter: keys are arrows, Enter and Escape"]),
        Criterion(
            "2.2.1", "Timing Adjustable", .a, .part,
            [
                "a form whose session has ended is kept, and goes on with a log-in",
                "a session ends after 14 days without a visit",
            ]),
        Criterion("2.2.2", "Pause, Stop, Hide", .a, .part, ["nothing on a page moves by itself again and again"]),
        Criterion(
            "2.3.1", "Three Flashes or Below Threshold", .a, .part,
            ["nothing on a page moves by itself again and again", media]),
        Criterion(
            "2.4.1", "Bypass Blocks", .a, .supports, ["the first Tab shows a link that skips the bars", look]),
        Criterion("2.4.2", "Page Titled", .a, .part, [crawl]),
        Criterion("2.4.3", "Focus Order", .a, .part, [summary, rows]),
        Criterion("2.4.4", "Link Purpose (In Context)", .a, .part, [look, states]),
        Criterion("2.4.5", "Multiple Ways", .aa, .part, [crawl]),
        Criterion("2.4.6", "Headings and Labels", .aa, .part, [crawl, look]),
        Criterion("2.4.7", "Focus Visible", .aa, .part, [focus, filters, keyboard]),
        Criterion("2.4.11", "Focus Not Obscured (Minimum)", .aa, .part, [focus, filters, keyboard]),
        Criterion("2.5.1", "Pointer Gestures", .a, .part, [card]),
        Criterion("2.5.2", "Pointer Cancellation", .a, .notEvaluated),
        Criterion("2.5.3", "Label in Name", .a, .notEvaluated),
        Criterion("2.5.4", "Motion Actuation", .a, .notApplicable, [media]),
        Criterion("2.5.7", "Dragging Movements", .aa, .part, [card, pin]),
        Criterion("2.5.8", "Target Size (Minimum)", .aa, .supports, [look, states]),
        Criterion(
            "3.1.1", "Language of Page", .a, .supports,
            [look, read, "no English is left on any page in another language"]),
        Criterion(
            "3.1.2", "Language of Parts", .aa, .part,
            ["readers get the text in their language first, and each text says its own"]),
        Criterion("3.2.1", "On Focus", .a, .notEvaluated),
        Criterion("3.2.2", "On Input", .a, .notEvaluated),
        Criterion("3.2.3", "Consistent Navigation", .aa, .supports, [foot]),
        Criterion("3.2.4", "Consistent Identification", .aa, .notEvaluated),
        Criterion("3.2.6", "Consistent Help", .a, .supports, [foot]),
        Criterion(
            "3.3.1", "Error Identification", .a, .part,
            [
                summary,
                "problems stand on top and beside the fields, and all that was typed but the password stays",
            ]),
        Criterion("3.3.2", "Labels or Instructions", .a, .part, [look, states]),
        Criterion(
            "3.3.3", "Error Suggestion", .aa, .part, ["the example is one that the page writes, and can be typed"]),
        Criterion("3.3.4", "Error Prevention (Legal, Financial, Data)", .aa, .part, [preview]),
        Criterion(
            "3.3.7", "Redundant Entry", .a, .part,
            [preview, "a place used before is chosen again with one press, and nothing typed is lost"]),
        Criterion(
            "3.3.8", "Accessible Authentication (Minimum)", .aa, .supports,
            [passwords, "no script stands in the way of what fills in a password or a code"]),
        Criterion("4.1.2", "Name, Role, Value", .a, .part, [look, states]),
        Criterion(
            "4.1.3", "Status Messages", .aa, .part,
            [
                rows,
                "an open page hears of news: the bell counts, the chat goes on, the timeline says that there is more",
            ]),
    ]
}

// MARK: The machine-readable report

extension Adherence {
    /// Its name in OpenACR, which has no “in part”: a criterion that wasn't judged as a whole is not evaluated.
    var term: String {
        switch self {
        case .supports: "supports"
        case .part, .notEvaluated: "not-evaluated"
        case .notApplicable: "not-applicable"
        }
    }
}

extension Accessibility {
    /// The catalog's chapters without WCAG criteria, and why none of theirs are answered here.
    private static let chaptersApart: [(id: String, why: String)] = [
        ("success_criteria_level_aaa", "Level AAA is not evaluated."),
        ("functional_performance_criteria", "Not evaluated."),
        ("hardware", "Not applicable: the product is a web site."),
        ("software", "Not applicable: the product is a web site."),
        ("support_documentation_and_services", "Not evaluated."),
        ("en_301_549_functional_performance", "Not evaluated."),
        ("en_301_549_generic_requirements", "Not evaluated."),
        ("en_301_549_ict_with_two-way_voice", "Not applicable: nobody talks by voice here."),
        ("en_301_549_ict_with_video", "Not applicable: the site shows no video."),
        ("en_301_549_hardware", "Not applicable: the product is a web site."),
        ("en_301_549_non-web-documents", "Not evaluated: calendars and spreadsheets can be downloaded."),
        ("en_301_549_software", "Not applicable: the product is a web site. 11.8, authoring tools, is not evaluated."),
        ("en_301_549_documentation_and_support_services", "Not evaluated."),
        (
            "en_301_549_ict_providing_relay_or_emergency_service_access",
            "Not applicable: the site gives access to no such service."
        ),
    ]

    /// The report in OpenACR's schema 0.1.0 (https://github.com/GSA/openacr), with the catalog for WCAG 2.2 and EN 301
    /// 549.
    ///
    /// - Parameters:
    ///   - version: The program's version.
    ///   - site: The site's public URL.
    static func report(version: String, site: String, town: Town) -> JSON {
        [
            "title": "\(town.siteName) Accessibility Conformance Report",
            "product": [
                "name": "Village", "version": .string(version),
                "description": "A web site for one town, run by its neighbors: events, helping, kindness, play dates.",
            ],
            "author": .object(contact(site: site, town: town)),
            "report_date": .string(reviewed.iso),
            "notes": .string(notes), "evaluation_methods_used": .string(methods),
            "feedback": .string(site + Link.accessibility.string),
            "license": "MIT",
            "catalog": "2.5-edition-wcag-2.2-508-eu-en",
            "chapters": .object(chapters),
        ]
    }

    private static let notes =
        "“supports” stands only where tests of the program show it, or somebody who looked on the day that is named; "
        + "a test fails when one that is named here is gone. All else is “not-evaluated”, or “not-applicable” where "
        + "the site holds nothing of the kind. No conformance as a whole is claimed."
    private static let methods =
        "Tests that run before each release: Chromium on the real program, axe-core and the W3C's HTML checker on "
        + "every kind of page as each kind of person; measuring of targets, focus, width and large text; walks "
        + "through the site's answers. No screen reader and no other browser engine was used."

    /// The publisher of the report: the people who run the site.
    private static func contact(site: String, town: Town) -> [(name: String, value: JSON)] {
        var members: [(name: String, value: JSON)] = [
            ("company_name", .string(town.host.isEmpty ? town.siteName : town.host)),
            ("website", .string(site)),
        ]
        if !town.email.isEmpty { members.append(("email", .string(town.email))) }
        if !town.phone.isEmpty { members.append(("phone", .string(town.phone))) }
        return members
    }

    private static var chapters: [(name: String, value: JSON)] {
        let web =
            "Clause 9 takes over the criteria of WCAG 2.1: 9.1.1.1 is 1.1.1, and so on; see the chapters of levels A "
            + "and AA. 9.4.1.1, Parsing, is met by any HTML, as WCAG's errata say. 9.6 is not evaluated."
        let levels: [(name: String, value: JSON)] = [
            ("success_criteria_level_a", ["criteria": .array(answers(.a))]),
            ("success_criteria_level_aa", ["criteria": .array(answers(.aa))]),
            ("en_301_549_web", ["notes": .string(web)]),
        ]
        let apart = chaptersApart.map { chapter -> (name: String, value: JSON) in
            (chapter.id, ["disabled": true, "notes": .string(chapter.why)])
        }
        return levels + apart
    }

    private static func answers(_ level: Criterion.Level) -> [JSON] {
        criteria.filter { $0.level == level }.map { criterion -> JSON in
            let (level, notes) = (criterion.adherence.term, remarks(on: criterion))
            let adherence: JSON = ["level": .string(level), "notes": .string(notes)]
            let web: JSON = ["name": "web", "adherence": adherence]
            return ["num": .string(criterion.number), "components": .array([web])]
        }
    }

    private static func remarks(on criterion: Criterion) -> String {
        let evidence = criterion.evidence.map { "“\($0)”" }.joined(separator: "; ")
        switch criterion.adherence {
        case .supports: return "Shown by: \(evidence)."
        case .part: return "Nobody has judged it as a whole. A part of it is shown by: \(evidence)."
        case .notEvaluated: return "Nobody has looked at it with care yet."
        case .notApplicable: return "The site holds nothing of the kind, as shown by: \(evidence)."
        }
    }
}
