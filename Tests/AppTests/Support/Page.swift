import Synchronization

/// A response of the site. For an HTML page, also what a visitor can see and do on it.
struct Page: Sendable {
    let browser: Browser
    /// The path and query that were requested, after all redirects.
    let path: String
    let status: Int
    /// Names in lower case, in the order in which they arrived.
    let headers: [(name: String, value: String)]
    let body: [UInt8]
    /// The targets of the 303s on the way here, in order.
    var redirects: [String] = []
    private let document: Document

    init(_ reply: Reply, at path: String, in browser: Browser) {
        self.browser = browser
        self.path = path
        status = reply.status
        headers = reply.headers
        body = reply.body
        let isHTML = reply.headers.contains { $0.name == "content-type" && $0.value.hasPrefix("text/html") }
        let isPlain = !reply.headers.contains { $0.name == "content-encoding" }
        document = Document(isHTML && isPlain ? body : [])
    }

    /// All values of a header, joined as RFC 9110 allows, or nil if there are none.
    subscript(_ header: String) -> String? {
        let values = headers.filter { $0.name == header.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    var location: String? { self["Location"] }
    var string: String { String(decoding: body, as: UTF8.self) }
    var html: Element { root }
    private var root: Element { document.root }
    private var main: Element { root.first("main") ?? root }

    var title: String { root.first("title")?.text ?? "" }
    var heading: String { root.first("h1")?.text ?? "" }
    /// All readable text between header and footer.
    var text: String { main.text }
    /// The lines of the summary at the top of a form.
    var problems: [String] { main.all(ofClass: "problems").flatMap { $0.all("li") }.map(\.text) }
    /// Whether there is such a summary, and each of its lines leads to something on the page.
    var problemsLead: Bool {
        let lines = main.all(ofClass: "problems").flatMap { $0.all("li") }
        return !lines.isEmpty
            && lines.allSatisfy { line in
                guard let link = line.first("a")?["href"], link.first == "#" else { return false }
                return !main.all { $0["id"].map { "#" + $0 } == link }.isEmpty
            }
    }
    /// The confirmation of what was just done, which the next page shows.
    var flash: String? { main.all(ofClass: "flash").first { $0["role"] == "status" }?.text }
    /// The titles of the cards in a list.
    var cards: [String] { main.all(ofClass: "card").compactMap { $0.first("h3")?.text } }

    /// The titles of the entries in the week.
    var slots: [String] { main.all(ofClass: "slot").compactMap { $0.first("h3")?.all(ofClass: "name").first?.text } }

    /// The titles of the rows in a list.
    var rows: [String] {
        main.all(ofClass: "rows").flatMap { $0.all(ofClass: "what") }.compactMap { $0.first("a")?.text }
    }

    // MARK: Links

    var links: [(text: String, href: String)] { root.all("a").map { ($0.text, $0["href"] ?? "") } }

    /// The address of the link with a text, preferably in the main part of the page. Nil if there is none, or if
    /// several differ.
    func link(_ text: String) -> String? {
        for part in [main, root] {
            let found = Set(part.all("a").filter { $0.text == text }.map { $0["href"] ?? "" })
            if !found.isEmpty { return found.count == 1 ? found.first : nil }
        }
        return nil
    }

    func follow(_ text: String) async throws -> Page {
        guard let href = link(text) else { throw Missing("the link “\(text)”", on: self, links.map(\.text)) }
        return try await browser.visit(href)
    }

    // MARK: Forms

    /// The forms that can be sent. A form in a dialog only closes it.
    var forms: [PageForm] {
        root.all("form").filter { $0["method"] != "dialog" }.map { PageForm($0, in: root, on: path) }
    }

    /// The labels of all buttons in the page's forms.
    var buttons: [String] { forms.flatMap(\.buttons).map(\.text) }

    /// The form that contains a button with this label, preferably in the main part of the page, filled in as a visitor
    /// could, with that button pressed.
    ///
    /// Throws if the page has no such button, or the form has no such field or choice.
    func form(with button: String, filling answers: [String: Filling] = [:]) throws -> PageForm {
        func holding(_ part: Element) -> [PageForm] {
            part.all("form").map { PageForm($0, in: root, on: path) }
                .filter { form in form.buttons.contains { $0.text == button } }
        }
        var found = holding(main)
        if found.isEmpty { found = holding(root) }
        guard found.count == 1, var form = found.first else {
            throw Missing("one form with the button “\(button)”", on: self, buttons)
        }
        form.press(button)
        for (name, answer) in answers {
            guard form.fill(name, answer) else {
                throw Missing("\(answer) for the field “\(name)”", on: self, form.controls.map(\.name))
            }
        }
        return form
    }

    /// The value of the field with this name, including hidden fields, preferably in the main part of the page.
    func value(of name: String) -> String? { values(of: name).first }

    func values(of name: String) -> [String] {
        for part in [main, root] {
            let forms = part.all("form").map { PageForm($0, in: root, on: path) }
            let found = forms.flatMap(\.pairs).filter { $0.name == name }.map(\.value)
            if !found.isEmpty { return found }
        }
        return []
    }

    /// Fills in the form around a button, presses the button, and follows redirects.
    ///
    /// Hidden fields and values that are already filled in are sent along. Throws if a visitor couldn't do that.
    func press(_ button: String, filling answers: [String: Filling] = [:]) async throws -> Page {
        try await form(with: button, filling: answers).send(from: browser)
    }
}

extension Page {
    /// Fills in the form with an address, and sends it with the button that has a name and value: for pages in a
    /// language that a test doesn't know.
    func send(
        to action: String, _ button: (name: String, value: String)? = nil, filling answers: [String: Filling] = [:]
    ) async throws -> Page {
        let found = forms.filter { form in
            form.action.prefix { $0 != "?" } == action
                && (button.map { wanted in
                    form.buttons.contains { $0.name == wanted.name && $0.value == wanted.value }
                } ?? true)
        }
        guard var form = found.first else {
            throw Missing("a form to \(action) with \(button as Any)", on: self, forms.map(\.action))
        }
        form.press { pressed in
            button.map { pressed.name == $0.name && pressed.value == $0.value } ?? true
        }
        for (name, answer) in answers {
            guard form.fill(name, answer) else {
                throw Missing("\(answer) for the field “\(name)”", on: self, form.controls.map(\.name))
            }
        }
        return try await form.send(from: browser)
    }
}

/// The tree of a page, parsed when a test first looks at it. For many responses, only the status matters.
private final class Document: Sendable {
    private let bytes: [UInt8]
    private let tree = Mutex<Element?>(nil)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var root: Element {
        tree.withLock { tree in
            let root = tree ?? Element(page: bytes)
            tree = root
            return root
        }
    }
}

/// A test asked for something that a visitor wouldn't find on the page.
struct Missing: Error, CustomStringConvertible {
    let description: String

    init(_ what: String, on page: Page, _ there: [String]) {
        description =
            "Not on \(page.path) (\(page.status), “\(page.heading)” \(page.problems)): \(what). There: \(there)"
    }
}

/// What is filled into a field: a text, several choices, a checkbox that is checked or not, or a file.
enum Filling: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, Sendable
{
    case texts([String])
    case tick(Bool)
    case file(SentFile)

    static func text(_ text: String) -> Filling { .texts([text]) }

    init(stringLiteral value: String) { self = .texts([value]) }
    init(integerLiteral value: Int) { self = .texts([String(value)]) }
    init(booleanLiteral value: Bool) { self = .tick(value) }
    init(arrayLiteral elements: String...) { self = .texts(elements) }
}

/// A form of a page as a browser sees it, which can be filled in and sent.
struct PageForm: Sendable {
    struct Button: Sendable {
        let text: String
        let name: String
        let value: String
        /// The address to which this button sends the form, if it differs from the form's own.
        let action: String?
    }

    struct Control: Sendable {
        let name: String
        /// `hidden`, `text`, `select`, `textarea`, `checkbox`, `radio`, …
        let kind: String
        /// The choices of a select, radio buttons or checkboxes. Empty for text fields.
        let offered: [String]
        /// The values that are sent.
        var values: [String]
        /// The most letters that a browser lets somebody type into it.
        var most: Int?

        var isTyped: Bool { !["hidden", "select", "checkbox", "radio", "file"].contains(kind) }
    }

    let action: String
    let isPost: Bool
    /// Whether it can send files.
    let isMultipart: Bool
    let buttons: [Button]
    private(set) var files: [String: SentFile] = [:]
    private(set) var controls: [Control] = []
    private var pressed: Button?

    /// - Parameter page: Contains the buttons outside the form that belong to it.
    init(_ form: Element, in page: Element, on path: String) {
        // A form without an action is sent to the page's own address.
        action = form["action"] ?? path
        isPost = form["method"]?.lowercased() == "post"
        isMultipart = form["enctype"] == "multipart/form-data"
        let others = form["id"].map { id in page.all("button").filter { $0["form"] == id } } ?? []
        buttons = (form.all("button") + others).filter { ($0["type"] ?? "submit") == "submit" && $0["disabled"] == nil }
            .map { Button(text: $0.text, name: $0["name"] ?? "", value: $0["value"] ?? "", action: $0["formaction"]) }
        for element in form.all("input", "select", "textarea") {
            guard let name = element["name"] else { continue }
            add(element, name)
        }
    }

    private mutating func add(_ element: Element, _ name: String) {
        let isFree = element["disabled"] == nil
        let value = element["value"]
        let most = element["maxlength"].flatMap { Int($0) }
        switch (element.name, element["type"] ?? "text") {
        case ("textarea", _):
            let text = element.verbatim
            controls.append(
                Control(
                    name: name, kind: "textarea", offered: [],
                    values: [text.hasPrefix("\n") ? String(text.dropFirst()) : text], most: most))
        case ("select", _):
            let options = element.all("option").filter { $0["disabled"] == nil }
            let chosen = options.first { $0["selected"] != nil } ?? options.first
            controls.append(
                Control(
                    name: name, kind: "select", offered: options.map { $0["value"] ?? $0.text },
                    values: chosen.map { [$0["value"] ?? $0.text] } ?? []))
        case ("input", "checkbox"), ("input", "radio"):
            let chosen = element["checked"] != nil && isFree ? [value ?? "on"] : []
            let offered = isFree ? [value ?? "on"] : []
            if let index = controls.firstIndex(where: { $0.name == name && $0.kind == element["type"] }) {
                let old = controls[index]
                controls[index] = Control(
                    name: name, kind: old.kind, offered: old.offered + offered, values: old.values + chosen)
            } else {
                controls.append(Control(name: name, kind: element["type"]!, offered: offered, values: chosen))
            }
        case ("input", "file"): controls.append(Control(name: name, kind: "file", offered: [], values: []))
        case ("input", let kind):
            controls.append(Control(name: name, kind: kind, offered: [], values: [value ?? ""], most: most))
        default: break
        }
    }

    fileprivate mutating func press(_ text: String) { press { $0.text == text } }

    mutating func press(where isMeant: (Button) -> Bool) { pressed = buttons.first(where: isMeant) }

    /// Puts a text into every text field, and unchecks every checkbox.
    mutating func spoil(with text: String) {
        for index in controls.indices {
            if controls[index].isTyped { controls[index].values = [text] }
            if controls[index].kind == "checkbox" || controls[index].kind == "radio" { controls[index].values = [] }
        }
    }

    /// Puts a text into each typed field for which there is one.
    mutating func type(_ text: (Control) -> String?) {
        for index in controls.indices where controls[index].isTyped {
            if let text = text(controls[index]) { controls[index].values = [text] }
        }
    }

    /// Whether a visitor could choose this.
    func offers(_ name: String, _ value: String) -> Bool {
        controls.contains { $0.name == name && $0.offered.contains(value) }
    }

    /// Fills in a field. Returns false if a visitor couldn't give this answer.
    fileprivate mutating func fill(_ name: String, _ answer: Filling) -> Bool {
        guard let index = controls.firstIndex(where: { $0.name == name && $0.kind != "hidden" }) else { return false }
        switch answer {
        case .tick(let isTicked):
            guard controls[index].kind == "checkbox", controls[index].offered.count == 1 else { return false }
            controls[index].values = isTicked ? controls[index].offered : []
        case .texts(let texts):
            let isOne = controls[index].kind != "checkbox"
            guard !isOne || texts.count == 1 else { return false }
            guard controls[index].isTyped || texts.allSatisfy(controls[index].offered.contains) else { return false }
            controls[index].values = texts
        case .file(let file):
            guard controls[index].kind == "file", isMultipart else { return false }
            files[name] = file
        }
        return true
    }

    /// The names and values that are sent, in order.
    var pairs: [(name: String, value: String)] {
        var pairs = controls.flatMap { control in control.values.map { (name: control.name, value: $0) } }
        if let pressed, !pressed.name.isEmpty { pairs.append((pressed.name, pressed.value)) }
        // Browsers send line breaks in a text as CR LF.
        return pairs.map {
            ($0.name, $0.value.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n"))
        }
    }

    private var fileInputs: [String] {
        controls.filter { $0.kind == "file" }.map(\.name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    func send(from browser: Browser) async throws -> Page {
        let action = String((pressed?.action ?? action).prefix { $0 != "#" })
        if isMultipart { return try await browser.post(action, pairs, fileInputs.map { ($0, files[$0]) }) }
        if isPost { return try await browser.post(action, pairs) }
        return try await browser.visit(action.prefix { $0 != "?" } + "?" + Browser.encode(pairs))
    }
}
