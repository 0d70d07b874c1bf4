// Each kind has a variant for a required property and one for an optional property, which is nil if left empty.

extension Field {
    /// A line of text. `length` counts characters; if it starts at 0, the field may stay empty.
    public static func text(_ name: String, _ path: Path<String>, _ label: Words, _ length: ClosedRange<Int>) -> Self {
        text(name, path, label, .text, length)
    }

    /// A line of text that may be missing.
    public static func text(_ name: String, _ path: Path<String?>, _ label: Words, _ length: ClosedRange<Int>) -> Self {
        text(name, path, label, .text, length)
    }

    /// Text of several lines. `length` counts characters; if it starts at 0, the field may stay empty.
    public static func area(_ name: String, _ path: Path<String>, _ label: Words, _ length: ClosedRange<Int>) -> Self {
        text(name, path, label, .area, length)
    }

    /// Text of several lines that may be missing.
    public static func area(_ name: String, _ path: Path<String?>, _ label: Words, _ length: ClosedRange<Int>) -> Self {
        text(name, path, label, .area, length)
    }

    private static func text(
        _ name: String, _ path: Path<String>, _ label: Words, _ control: Control, _ length: ClosedRange<Int>
    ) -> Self {
        single(
            name, path, label, control, empty: length.lowerBound > 0 ? nil : "", length: length, show: \.self,
            read: Self.readText)
    }

    private static func text(
        _ name: String, _ path: Path<String?>, _ label: Words, _ control: Control, _ length: ClosedRange<Int>
    ) -> Self {
        single(name, path, label, control, empty: .some(nil), length: length, show: \.self, read: Self.readText)
    }

    /// An e-mail address, as `EmailAddress` reads it.
    public static func email(_ name: String, _ path: Path<String>, _ label: Words) -> Self {
        single(
            name, path, label, .email, empty: nil, length: 0...254, show: EmailAddress.readable, read: Self.readEmail
        ).autocomplete("email")
    }

    /// An e-mail address that may be missing.
    public static func email(_ name: String, _ path: Path<String?>, _ label: Words) -> Self {
        single(
            name, path, label, .email, empty: .some(nil), length: 0...254, show: { $0.map(EmailAddress.readable) },
            read: Self.readEmail
        ).autocomplete("email")
    }

    /// A password: any Unicode, never trimmed, never sent back.
    ///
    /// - Parameters:
    ///   - fewest: The minimum number of characters; 1 for an existing password.
    ///   - bytes: The maximum number of UTF-8 bytes, which bounds the work of hashing.
    public static func password(
        _ name: String, _ path: Path<String>, _ label: Words, atLeast fewest: Int = 10, bytes: Int = 1_024
    ) -> Self {
        Field(
            name, path, label, .password, isRequired: true, length: fewest...Int.max, show: { _ in [] },
            take: { field, typed, _, form throws(Unfit) in
                let password = typed.first ?? ""
                guard password.count >= fewest else {
                    throw Unfit(
                        words: """
                            Write at least \(fewest, as: "limit") characters for “\(field.label, as: "label")”: it had \
                            \(password.count, as: "count").
                            """)
                }
                guard password.utf8.count <= bytes else {
                    throw Unfit(
                        words: """
                            Shorten “\(field.label, as: "label")”: it had \(password.utf8.count, as: "count") bytes, \
                            and \(bytes, as: "limit") are the most.
                            """)
                }
                form[keyPath: path] = password
            })
    }

    /// A whole number within `range`, typed.
    public static func number(_ name: String, _ path: Path<Int>, _ label: Words, _ range: ClosedRange<Int>) -> Self {
        single(name, path, label, .number, empty: nil, range: range, show: \.typed, read: Self.readNumber)
    }

    /// A whole number within `range` that may be missing.
    public static func number(_ name: String, _ path: Path<Int?>, _ label: Words, _ range: ClosedRange<Int>) -> Self {
        single(name, path, label, .number, empty: .some(nil), range: range, show: \.?.typed, read: Self.readNumber)
    }

    /// One of `choices`, as a drop-down; use `.drawn(as: .radios)` for buttons.
    ///
    /// If there are no choices here, `Submission.offer` supplies them when the form is used.
    public static func choice<V: FormValue>(
        _ name: String, _ path: Path<V>, _ label: Words, options choices: [Choice] = []
    ) -> Self {
        single(name, path, label, .choice, empty: nil, choices: choices, show: \.typed, read: Self.readChoice)
    }

    /// One of `choices`, or none.
    public static func choice<V: FormValue>(
        _ name: String, _ path: Path<V?>, _ label: Words, options choices: [Choice] = []
    ) -> Self {
        single(name, path, label, .choice, empty: .some(nil), choices: choices, show: \.?.typed, read: Self.readChoice)
    }

    /// A number from `range`, as a drop-down with all of them.
    public static func choice(
        _ name: String, _ path: Path<Int>, _ label: Words, from range: ClosedRange<Int>
    ) -> Self {
        choice(name, path, label, options: Choice.numbers(range))
    }

    /// A number from `range` or none, as a drop-down with all of them.
    public static func choice(
        _ name: String, _ path: Path<Int?>, _ label: Words, from range: ClosedRange<Int>
    ) -> Self {
        choice(name, path, label, options: Choice.numbers(range))
    }

    /// A checkbox. Unchecked means no.
    public static func checkbox(_ name: String, _ path: Path<Bool>, _ label: Words) -> Self {
        single(name, path, label, .checkbox, empty: false, show: { $0 ? "1" : nil }, read: Self.readChoice)
    }

    /// A checkbox that must be checked; otherwise `problem` is shown.
    public static func checkbox(
        _ name: String, _ path: Path<Bool>, _ label: Words, mustBe: Bool, _ problem: Words
    ) -> Self {
        Field(
            name, path, label, .checkbox, isRequired: mustBe, show: { $0[keyPath: path] ? ["1"] : [] },
            take: { field, typed, _, form throws(Unfit) in
                let isTicked = typed.first.flatMap(Bool.init(typed:)) ?? false
                guard isTicked == mustBe else { throw Unfit(words: problem) }
                form[keyPath: path] = isTicked
            }
        ).missing(problem)
    }

    /// Checkboxes, of which at least `fewest` must be checked.
    ///
    /// If there are no choices here, `Submission.offer` supplies them when the form is used.
    public static func checkboxes<V: FormValue>(
        _ name: String, _ path: Path<[V]>, _ label: Words, options choices: [Choice] = [], atLeast fewest: Int = 0
    ) -> Self {
        Field(
            name, path, label, .checkboxes, isRequired: fewest > 0, choices: choices,
            show: { $0[keyPath: path].map(\.typed) },
            take: { field, typed, body, form throws(Unfit) in
                var values: [V] = []
                for text in typed { values.append(try field.readChoice(text, body)) }
                guard values.count >= fewest else {
                    throw Unfit(
                        words: """
                            Check at least \(fewest, as: "limit") boxes of “\(field.label, as: "label")”: \
                            \(values.count, as: "count") are checked now.
                            """)
                }
                form[keyPath: path] = values
            })
    }

    /// A file. It is not part of the form's value: use `Submission.file(named:)`.
    ///
    /// - Parameter accept: The files the browser suggests, like `image/*`; others aren't refused.
    public static func file(_ name: String, _ label: Words, accept: String, isRequired: Bool = false) -> Self {
        Field(
            name, nil, label, .file, isRequired: isRequired, accept: accept, show: { _ in [] },
            take: { _, _, _, _ throws(Unfit) in })
    }

    /// A value the visitor doesn't see: a picture's ID, the next address. Nil if unreadable.
    public static func hidden<V: FormValue>(_ name: String, _ path: Path<V?>) -> Self {
        value(name, path, "", control: .hidden, unreadable: "")
    }

    /// A value of one of the site's own types, for kinds of field that Forms doesn't have.
    ///
    /// - Parameters:
    ///   - unreadable: The message if the text can't be read; it says how to write it.
    ///   - read: Parses the trimmed, non-empty text if other fields of the body matter (a date is read by the chosen
    ///     country's rules); by default the type parses it alone.
    public static func value<V: FormValue>(
        _ name: String, _ path: Path<V>, _ label: Words, control: Control, unreadable: Words,
        read: (@Sendable (String, FormBody) -> V?)? = nil
    ) -> Self {
        single(
            name, path, label, control, empty: nil, show: \.typed,
            read: { _ in { text, body throws(Unfit) in try Self.read(text, body, read, else: unreadable) } })
    }

    /// An optional value of one of the site's own types.
    public static func value<V: FormValue>(
        _ name: String, _ path: Path<V?>, _ label: Words, control: Control, unreadable: Words,
        read: (@Sendable (String, FormBody) -> V?)? = nil
    ) -> Self {
        single(
            name, path, label, control, empty: .some(nil), show: \.?.typed,
            read: { _ in { text, body throws(Unfit) in try Self.read(text, body, read, else: unreadable) } })
    }
}

// MARK: - Parsing

extension Field {
    private func readText(_ text: String, _: FormBody) throws(Unfit) -> String {
        guard let length else { return text }
        let count = text.seenLength
        if count > length.upperBound {
            throw Unfit(
                words: """
                    Shorten “\(label, as: "label")” to \(length.upperBound, as: "limit") characters or fewer: it has \
                    \(count, as: "count") now.
                    """)
        }
        if count < length.lowerBound {
            throw Unfit(
                words: """
                    Write at least \(length.lowerBound, as: "limit") characters for “\(label, as: "label")”: it has \
                    \(count, as: "count") now.
                    """)
        }
        return text
    }

    private func readEmail(_ text: String, _: FormBody) throws(Unfit) -> String {
        do throws(EmailAddress.Flaw) {
            return try EmailAddress(reading: text).typed
        } catch {
            throw Unfit(words: words(for: error))
        }
    }

    private func words(for flaw: EmailAddress.Flaw) -> Words {
        switch flaw {
        case .unclear: "Write “\(label, as: "label")” like name@example.org."
        case .dots:
            """
            Write “\(label, as: "label")” like name@example.org: before the @ a dot can’t be first or last, nor stand \
            twice in a row.
            """
        case .letter(let letter):
            """
            Letters can’t be delivered to an address with “\(String(letter), as: "letter")” before the @. Give another \
            one, like name@example.org.
            """
        case .domain(let domain):
            """
            No mail can be sent to “\(domain, as: "domain")”. Write “\(label, as: "label")” like name@example.org.
            """
        case .tooLong: "An e-mail address has at most 254 characters, 64 of them before the @. Give another one."
        }
    }

    private func readNumber(_ text: String, _ body: FormBody) throws(Unfit) -> Int {
        let range = range ?? .min ... .max
        guard let number = Int(typed: text, point: body.decimalPoint(body.country)), range.contains(number) else {
            throw Unfit(
                words: """
                    Write “\(label, as: "label")” as a whole number from \(digits: range.lowerBound, as: "min") to \
                    \(digits: range.upperBound, as: "max").
                    """)
        }
        return number
    }

    private func readChoice<V: FormValue>(_ text: String, _: FormBody) throws(Unfit) -> V {
        guard let value = V(typed: text) else { throw Unfit(words: notOfferedWords) }
        if !choices.isEmpty { try check([value.typed], among: choices) }
        return value
    }

    private static func read<V: FormValue>(
        _ text: String, _ body: FormBody, _ reader: (@Sendable (String, FormBody) -> V?)?, else unreadable: Words
    ) throws(Unfit) -> V {
        guard let value = reader.map({ $0(text, body) }) ?? V(typed: text) else { throw Unfit(words: unreadable) }
        return value
    }
}
