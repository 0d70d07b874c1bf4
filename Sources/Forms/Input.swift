/// The kind of control that a template draws for a field.
public enum Control: String, Sendable, CaseIterable {
    case text, email, password, area, number, choice, radios, checkbox, checkboxes, date, time, moment, file, search,
        telephone, url, hidden

    /// The `type` of the `<input>`; `area` and `choice` are other elements and don't use it.
    ///
    /// Numbers use a text input with `inputmode`: a number input drops text that it can't parse, and nothing typed may
    /// be lost. (`min` and `max` are invalid on a text input.)
    public var type: String {
        switch self {
        case .text, .area, .number, .choice: "text"
        case .radios: "radio"
        case .checkbox, .checkboxes: "checkbox"
        case .telephone: "tel"
        case .moment: "datetime-local"
        case .email, .password, .date, .time, .file, .search, .url, .hidden: rawValue
        }
    }

    /// The `type` of an `<input>` that shows this text: one for dates or times shows nothing of what it can't read,
    /// such as 31 February, so that is kept in one for text.
    public func type(showing typed: String) -> String {
        let isShown =
            switch self {
            case _ where typed.isEmpty: true
            case .date: Self.isDay(typed[...])
            case .time: Self.isTime(typed[...])
            case .moment:
                typed.utf8.count == 16 && Self.isDay(typed.prefix(10)) && typed.dropFirst(10).first == "T"
                    && Self.isTime(typed.suffix(5))
            default: true
            }
        return isShown ? type : "text"
    }

    /// The `dir` attribute: text follows its own letters, numbers and addresses run from left to right in any language;
    /// nil if browsers know by the type.
    public var direction: String? {
        switch self {
        case .text, .search, .area: "auto"
        case .telephone, .email, .url, .number: "ltr"
        default: nil
        }
    }

    /// The keyboard a phone should offer, if the type doesn't determine it.
    var inputmode: String? { self == .number ? "numeric" : nil }

    /// Whether this is a day there is, as 2028-02-29: what a browser shows of a date.
    private static func isDay(_ text: Substring) -> Bool {
        guard has(text, shape: "0000-00-00"), let year = Int(text.prefix(4)), year > 0,
            let month = Int(text.dropFirst(5).prefix(2)), let day = Int(text.suffix(2))
        else { return false }
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...12).contains(month) && (1...lengths[month - 1]).contains(day)
    }

    private static func isTime(_ text: Substring) -> Bool {
        has(text, shape: "00:00") && text.prefix(2) < "24" && text.suffix(2) < "60"
    }

    /// Whether it has a digit where the shape has one, and else the same sign. Making a regex takes longer than drawing
    /// the field.
    private static func has(_ text: Substring, shape: String) -> Bool {
        text.utf8.count == shape.utf8.count
            && zip(text.utf8, shape.utf8).allSatisfy { sign, place in
                place == UInt8(ascii: "0") ? sign >= UInt8(ascii: "0") && sign <= UInt8(ascii: "9") : sign == place
            }
    }
}

/// How wide a control is drawn, as a hint at how long the answer is.
public enum Width: String, Sendable {
    case narrow, normal, wide
}

/// An answer to choose.
public struct Choice: Sendable, Hashable {
    /// The value in the form data.
    public let value: String
    public let label: Words
    /// A hint below the label.
    public let detail: Words?
    /// Whether it is shown but can't be chosen; `detail` says why. Sending it anyway is an error.
    public let isDisabled: Bool
    /// The heading of the answer's group.
    public let group: Words?
    /// The label's language (BCP 47), if it may differ from the page's.
    public let language: String?
    /// Whether it is chosen, in an `Input`.
    public internal(set) var isChosen = false
    /// The ID of its checkbox or button, in an `Input`: the first has the field's own ID, to which an error's link
    /// leads.
    public internal(set) var id = ""

    public init(
        _ value: some FormValue, _ label: Words, detail: Words? = nil, isDisabled: Bool = false, group: Words? = nil,
        language: String? = nil
    ) {
        self.value = value.typed
        self.label = label
        self.detail = detail
        self.isDisabled = isDisabled
        self.group = group
        self.language = language
    }

    /// Every number in `range`, optionally in groups like "11–20" of `size` numbers.
    public static func numbers(_ range: ClosedRange<Int>, inGroupsOf size: Int? = nil) -> [Choice] {
        range.map { number in
            let group = size.map { size in
                let first = range.lowerBound + (number - range.lowerBound) / size * size
                let last = min(first + size - 1, range.upperBound)
                return "\(digits: first, as: "first")–\(digits: last, as: "last")" as Words
            }
            return Choice(number, Words(number: number), group: group)
        }
    }
}

/// Everything a template needs in order to draw a field.
public struct Input: Sendable {
    public let name: String
    public private(set) var label: Words
    public private(set) var hint: Words?
    /// The error message, which says what to do.
    public let problem: Words?
    /// What somebody else has stored in the meantime, to compare with what was typed; an empty list if they cleared it.
    public let theirs: [Words]?
    public let control: Control
    /// All that was typed; several texts only for checkboxes. Never a password.
    public let all: [String]
    /// The answers, with the chosen ones marked.
    public let choices: [Choice]
    public private(set) var isRequired: Bool
    /// The minimum length in characters, if more than one.
    public let minLength: Int?
    /// The maximum length in characters. Browsers count an emoji as two or more, so they stop a little early.
    public let maxLength: Int?
    public let min: Int?
    public let max: Int?
    public let autocomplete: String?
    public let inputmode: String?
    /// The files that a file input suggests, like `image/*`.
    public let accept: String?
    /// Suggestions while typing, for a `<datalist>`.
    public let suggestions: [String]
    /// Whether it may always be left empty and is labeled optional.
    public private(set) var isOptional: Bool
    /// The address that completes each of several texts while typing.
    public let source: String?
    public let width: Width

    /// The same field with other words, for a form about another kind of thing.
    public func reworded(_ label: Words, hint: Words?) -> Input {
        var input = self
        (input.label, input.hint) = (label, hint)
        return input
    }

    /// The same field with words that somebody else wrote; they also decide whether it is required.
    public func reworded(_ label: Words, hint: Words?, isRequired: Bool) -> Input {
        var input = reworded(label, hint: hint)
        (input.isRequired, input.isOptional) = (isRequired, !isRequired)
        return input
    }

    /// The control's ID, which is its name. The hint's is `{id}-hint`, the problem's `{id}-problem`, the list's
    /// `{id}-list`.
    public var id: String { name }

    /// The typed text, or "" if there is none.
    public var typed: String { all.first ?? "" }

    /// The `type` of the `<input>` that shows what was typed.
    public var type: String { control.type(showing: typed) }

    /// Whether the checkbox is checked.
    public var isChecked: Bool { Bool(typed: typed) ?? false }

    /// The IDs for `aria-describedby`, hint before problem.
    public var describedBy: String? {
        switch (hint, problem) {
        case (nil, nil): nil
        case (_?, nil): "\(id)-hint"
        case (nil, _?): "\(id)-problem"
        case (_?, _?): "\(id)-hint \(id)-problem"
        }
    }

    /// The choices by group, in order; a nil label is for those without a group.
    public var groups: [(label: Words?, choices: [Choice])] {
        var groups: [(label: Words?, choices: [Choice])] = []
        for choice in choices {
            if let last = groups.last, last.label == choice.group {
                groups[groups.count - 1].choices.append(choice)
            } else {
                groups.append((choice.group, [choice]))
            }
        }
        return groups
    }
}
