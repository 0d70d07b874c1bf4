import Testing

@testable import App

/// The forms of these pages, sent with what is at their limits, beyond them, and with what nobody can read:
/// `LimitsTests` tries each field of all forms alone.
@Suite struct FormLimitsTests {
    private static let parent = [
        "/me/profile", "/me/family", "/me/children/1/edit", "/me/children/new", "/timeline/new", "/needs/new",
        "/kindness/acts/new", "/impact", "/events/1", "/blocks",
    ]
    private static let provider = [
        "/me/provider", "/events/1/edit", "/events/new", "/events/1/copy", "/events/1/announcements",
        "/events/1/held", "/events/1/people/new", "/opportunities/1/edit", "/opportunities/new?kind=volunteer",
        "/events/1/cancel", "/opportunities/1/close",
    ]
    private static let staff = [
        "/admin/pages", "/admin/settings", "/admin/banner", "/admin/face", "/admin/letters/new",
    ]

    @Test(.tags(.slow)) func `a parent's forms keep what is typed`() async throws {
        try await withTestSite { site in
            try await Self.furnish(site)
            try await Self.walk(Self.parent, as: site.signIn(.ana, as: .parent), trying: 8)
        }
    }

    @Test(.tags(.slow)) func `an organization's forms keep what is typed`() async throws {
        try await withTestSite { site in
            try await Self.furnish(site)
            try await Self.walk(Self.provider, as: site.signIn(.ben, as: .provider), trying: 8)
        }
    }

    @Test(.tags(.slow)) func `forms of the desk and of visitors keep what is typed`() async throws {
        try await withTestSite { site in
            try await Self.walk(Self.staff, as: site.signIn(.mira, isStaff: true), trying: 5)
            try await Self.walk(["/signup", "/forgot"], as: site.browser(), trying: 2)
        }
    }

    private static func furnish(_ site: TestSite) async throws {
        try await site.publish(by: .ben)
        try await site.ask(by: .ben)
        try await site.child("Mo", of: .ana)
    }

    /// - Parameter fewest: How many forms are there at least.
    private static func walk(_ paths: [String], as browser: Browser, trying fewest: Int) async throws {
        var walk = FormLimitsWalk(browser)
        for path in paths { try await walk.tryForms(on: path) }
        #expect(walk.count >= fewest, "\(paths) have \(walk.count) forms")
        for problem in walk.problems { Issue.record("\(problem)") }
    }
}

/// The forms of pages, each sent in ways of which all but the last are wrong.
private struct FormLimitsWalk {
    private let browser: Browser
    private(set) var problems: [String] = []
    /// How many forms were tried.
    private(set) var count = 0

    /// What is nearly a number or a date, in a field for whatever.
    private static let values = [
        "-1", "99999999999999999999", "1e9", "٣", "2027-02-31", "9999-12-31", "<b>&amp;'\"", "🙂\u{200D}\u{301}x",
    ]

    init(_ browser: Browser) { self.browser = browser }

    mutating func tryForms(on path: String) async throws {
        let page = try await browser.visit(path)
        guard page.status == 200 else { return problems.append("\(path): \(page.status)") }
        let forms = page.forms.filter { form in
            form.isPost && form.controls.contains { Self.isText($0) } && form.action != "/logout"
        }
        for form in forms {
            count += 1
            try await tryTooLong(form, on: path)
            try await tryUnreadable(form, on: path)
            try await tryValues(form, on: path)
            try await tryFull(form, on: path)
        }
    }

    /// Words to find a place by aren't kept, so they are cut to the length of the box.
    private static func isText(_ control: PageForm.Control) -> Bool {
        control.isTyped && control.kind != "password" && control.name != "find"
    }

    /// The same form on the page as it is now; nil where it isn't there anymore.
    private func fresh(_ form: PageForm, on path: String) async throws -> PageForm? {
        let page = try await browser.visit(path)
        return page.status == 200 ? page.forms.first { $0.isPost && $0.action == form.action } : nil
    }

    /// Sends the form with these texts, and goes on from a preview that is right.
    private func send(_ form: PageForm, _ texts: [String: String]) async throws -> Page {
        var form = form
        form.type { texts[$0.name] }
        press(&form)
        let page = try await form.send(from: browser)
        guard page.status == 200, page.redirects.isEmpty,
            var next = page.forms.first(where: { other in
                other.action == form.action && other.buttons.contains { $0.value == "publish" }
            })
        else { return page }
        press(&next)
        return try await next.send(from: browser)
    }

    private func press(_ form: inout PageForm) {
        let values = form.buttons.map(\.value)
        if let value = ["publish", "preview"].first(where: values.contains) {
            form.press { $0.value == value }
        } else {
            form.press { _ in true }
        }
    }

    /// What the page has in a field, wherever it stands.
    private static func has(_ page: Page, _ name: String, _ text: String) -> Bool {
        page.forms.contains { form in form.controls.contains { $0.name == name && $0.values == [text] } }
    }

    private static func hasProblem(_ page: Page, at name: String) -> Bool {
        page.html.all(ofClass: "problem").contains { $0["id"] == "\(name)-problem" }
    }

    /// Sends what can't be right, and looks at each field.
    private mutating func refuse(
        _ form: PageForm, _ texts: [String: String], as shown: (String) -> String, _ what: String
    ) async throws {
        guard !texts.isEmpty else { return }
        let page = try await send(form, texts)
        guard page.status == 422 else { return problems.append("\(form.action) answers \(what) with \(page.status)") }
        for (name, text) in texts {
            if !Self.has(page, name, shown(text)) { problems.append("\(form.action) loses \(name), \(what)") }
            if !Self.hasProblem(page, at: name) { problems.append("\(form.action) has no problem at \(name), \(what)") }
        }
    }

    private static func texts(of form: PageForm, _ text: (PageForm.Control) -> String?) -> [String: String] {
        var texts: [String: String] = [:]
        for control in form.controls where isText(control) { texts[control.name] = text(control) }
        return texts
    }

    private mutating func tryTooLong(_ form: PageForm, on path: String) async throws {
        guard let first = try await fresh(form, on: path) else { return }
        let long = Self.texts(of: first) { control in control.most.map { String(repeating: "木", count: $0 + 1) } }
        try await refuse(first, long, as: \.self, "one letter too many")
        guard let second = try await fresh(form, on: path) else { return }
        // More than a form may have in all is refused as a whole.
        let longer = Self.texts(of: second) { control in
            control.most.flatMap { $0 > 5_000 ? nil : String(repeating: "x", count: 10 * $0) }
        }
        try await refuse(second, longer, as: \.self, "ten times too long")
    }

    private mutating func tryUnreadable(_ form: PageForm, on path: String) async throws {
        guard let form = try await fresh(form, on: path) else { return }
        let texts = Self.texts(of: form) { _ in "a\u{0}b" }
        try await refuse(form, texts, as: { _ in "a\u{FFFD}b" }, "a NUL")
    }

    /// Whatever is right: what comes back is all that was typed.
    private mutating func tryValues(_ form: PageForm, on path: String) async throws {
        for value in Self.values {
            guard let form = try await fresh(form, on: path) else { return }
            let texts = Self.texts(of: form) { _ in value }
            let page = try await send(form, texts)
            switch page.status {
            case 200: continue
            case 409, 422:
                for name in texts.keys where !Self.has(page, name, value) {
                    problems.append("\(form.action) loses “\(value)” of \(name)")
                }
            default: problems.append("\(form.action) answers “\(value)” with \(page.status)")
            }
        }
    }

    /// Each text alone, full to its limit, in a form that changes what is stored: it isn't too long, and where it is
    /// taken the form shows it.
    private mutating func tryFull(_ form: PageForm, on path: String) async throws {
        guard form.controls.contains(where: { $0.name == "drawn" }) else { return }
        let texts = form.controls.filter { control in
            Self.isText(control) && ["text", "textarea"].contains(control.kind) && control.most != nil
        }
        for (index, control) in texts.enumerated() {
            guard let form = try await fresh(form, on: path), let most = control.most else { return }
            // A family has 25 bytes: no page of them is read.
            let letter = ["木", most > 5_000 ? "🙂" : "👨‍👩‍👧‍👦", "e\u{301}", "𐐷"][index % 4]
            let full = String(repeating: letter, count: most)
            let page = try await send(form, [control.name: full])
            if page.problems.contains(where: { $0.hasPrefix("Shorten") }) || ![200, 422].contains(page.status) {
                problems.append("\(form.action) refuses \(most) × \(letter) for \(control.name): \(page.status)")
            } else if page.status == 200, !page.redirects.isEmpty {
                let shown = try await browser.visit(path)
                if !Self.has(shown, control.name, full) {
                    problems.append("\(form.action) keeps \(control.name) otherwise than it was typed")
                }
            }
        }
    }
}
