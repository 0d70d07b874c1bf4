/// The rule that selects a plural form: the `Plural-Forms` header of a PO file, a C expression (GNU gettext manual,
/// section 11.2.6 "Additional functions for plural forms").
struct PluralRule: Sendable {
    /// How many forms the language has.
    let count: Int
    private let expression: Expression

    struct Problem: Error { let reason: String }

    private indirect enum Expression: Sendable {
        case number
        case constant(Int)
        case not(Expression)
        case binary(String, Expression, Expression)
        case choice(Expression, Expression, Expression)

        /// Evaluates as in C, except that overflow and division by zero are harmless.
        func value(for n: Int) -> Int {
            switch self {
            case .number: return n
            case .constant(let constant): return constant
            case .not(let inner): return inner.value(for: n) == 0 ? 1 : 0
            case .choice(let condition, let yes, let no):
                return condition.value(for: n) != 0 ? yes.value(for: n) : no.value(for: n)
            case .binary(let sign, let left, let right):
                let a = left.value(for: n)
                let b = right.value(for: n)
                return switch sign {
                case "||": a != 0 || b != 0 ? 1 : 0
                case "&&": a != 0 && b != 0 ? 1 : 0
                case "==": a == b ? 1 : 0
                case "!=": a != b ? 1 : 0
                case "<": a < b ? 1 : 0
                case ">": a > b ? 1 : 0
                case "<=": a <= b ? 1 : 0
                case ">=": a >= b ? 1 : 0
                case "+": a &+ b
                case "-": a &- b
                case "*": a &* b
                case "/": b == 0 ? 0 : a.dividedReportingOverflow(by: b).partialValue
                default: b == 0 ? 0 : a.remainderReportingOverflow(dividingBy: b).partialValue
                }
            }
        }
    }

    /// One form for 1 and one for all else, for a header without a rule.
    static let ofTwo = PluralRule(count: 2, expression: .binary("!=", .number, .constant(1)))

    private init(count: Int, expression: Expression) {
        self.count = count
        self.expression = expression
    }

    /// Parses `nplurals=3; plural=n==1 ? 0 : 1;`.
    init(_ header: String) throws(Problem) {
        let unreadable = Problem(reason: "Plural-Forms can't be read")
        let fields = header.split(separator: ";").map { $0.drop(while: \.isWhitespace) }
        guard let number = fields.first(where: { $0.hasPrefix("nplurals=") }),
            let count = Int(number.dropFirst("nplurals=".count).filter { !$0.isWhitespace }), (1...10).contains(count),
            let plural = fields.first(where: { $0.hasPrefix("plural=") })
        else { throw unreadable }
        // The longest rule of any language has about 200 characters. The limit also bounds the expression's depth.
        guard plural.utf8.count <= 1_000 else { throw unreadable }
        var reader = Reader(plural.dropFirst("plural=".count))
        guard let expression = reader.choice(depth: 0), reader.isAtEnd else { throw unreadable }
        self.count = count
        self.expression = expression
        for number in 0...200 where !(0..<count).contains(expression.value(for: number)) {
            throw Problem(reason: "Plural-Forms has no form for \(number)")
        }
    }

    /// The form for `number`; a negative number takes the form of its absolute value.
    func form(of number: Int) -> Int {
        let form = expression.value(for: number == .min ? .max : abs(number))
        return (0..<count).contains(form) ? form : 0
    }

    private struct Reader {
        private var tokens: [Substring]

        init(_ text: Substring) {
            tokens = []
            var rest = text
            while let character = rest.first {
                if character.isWhitespace {
                    rest.removeFirst()
                } else if let sign = ["||", "&&", "==", "!=", "<=", ">="].first(where: { rest.hasPrefix($0) }) {
                    tokens.append(rest.prefix(sign.count))
                    rest.removeFirst(2)
                } else {
                    let digits = rest.prefix { ("0"..."9").contains($0) }
                    tokens.append(digits.isEmpty ? rest.prefix(1) : digits)
                    rest = rest[tokens[tokens.count - 1].endIndex...]
                }
            }
            tokens.reverse()
        }

        var isAtEnd: Bool { tokens.isEmpty }

        private mutating func take(_ token: Substring) -> Bool {
            guard tokens.last == token else { return false }
            tokens.removeLast()
            return true
        }

        mutating func choice(depth: Int) -> Expression? {
            guard depth < 64, let condition = binary(level: 0, depth: depth) else { return nil }
            guard take("?") else { return condition }
            guard let yes = choice(depth: depth + 1), take(":"), let no = choice(depth: depth + 1) else { return nil }
            return .choice(condition, yes, no)
        }

        private static let levels: [[Substring]] = [
            ["||"], ["&&"], ["==", "!="], ["<", ">", "<=", ">="], ["+", "-"], ["*", "/", "%"],
        ]

        private mutating func binary(level: Int, depth: Int) -> Expression? {
            guard level < Self.levels.count else { return operand(depth: depth) }
            guard var left = binary(level: level + 1, depth: depth) else { return nil }
            while let sign = Self.levels[level].first(where: { take($0) }) {
                guard let right = binary(level: level + 1, depth: depth) else { return nil }
                left = .binary(String(sign), left, right)
            }
            return left
        }

        private mutating func operand(depth: Int) -> Expression? {
            if take("n") { return .number }
            if take("!") { return depth < 64 ? operand(depth: depth + 1).map(Expression.not) : nil }
            if take("(") {
                guard let inner = choice(depth: depth + 1), take(")") else { return nil }
                return inner
            }
            guard let token = tokens.popLast(), let number = Int(token) else { return nil }
            return .constant(number)
        }
    }
}
