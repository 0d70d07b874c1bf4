import Foundation
import Templating

/// What the template is drawn in.
struct Frame: TemplateFrame {
    var catalogue: Catalogue?
}

struct Fortune {
    let id: Int
    let message: String
}

/// Draws a table of fortunes, of 12 and of 1,000 rows, many times: the engine alone, without HTTP and database.
///
///     TemplateBench [FILE]      FILE holds a message a line; without it, messages of its own of the same kind
///
/// Prints a line for each table: engine, rows, bytes, median µs a drawing, best, MB/s (median), spread of 7 batches.
@main
enum TemplateBench {
    static func main() throws {
        let messages =
            if CommandLine.arguments.count > 1 {
                String(decoding: try Data(contentsOf: URL(filePath: CommandLine.arguments[1])), as: UTF8.self)
                    .split(separator: "\n").map(String.init)
            } else {
                ownMessages
            }
        for rows in [12, 1_000] {
            let fortunes = (0..<rows).map { Fortune(id: $0 + 1, message: messages[$0 % messages.count]) }
            measure(rows) { Templates.fortunes(fortunes: fortunes).draw(in: Frame()) { $0.count } }
        }
    }

    private static func measure(_ rows: Int, _ draw: () -> Int) {
        let bytes = draw()
        var sum = 0
        func microseconds(_ count: Int) -> Double {
            let time = ContinuousClock().measure { for _ in 0..<count { sum += draw() } }
            return time / .microseconds(1)
        }
        var count = 1
        while microseconds(count) < 200_000 { count *= 2 }
        let batches = (0..<7).map { _ in microseconds(count) / Double(count) }.sorted()
        // Every drawing is looked at, so none can be left out by the optimizer.
        precondition(sum % bytes == 0)
        let (best, median, worst) = (batches[0], batches[3], batches[6])
        let figures = String(
            format: "%.2f\t%.2f\t%.1f\t%.0f%%", median, best, Double(bytes) / median, 100 * (worst - best) / median)
        print("Village\t\(rows)\t\(bytes)\t\(figures)")
    }

    private static let ownMessages = [
        "fortune: No such file or directory",
        "A list that is never empty is called a to-do list.",
        "Whoever counts from one has never missed a bus by zero seconds.",
        "Bad luck, in order: 7, 7, 7, 7, 7, 1.21e+21, 7, 7, 7",
        "A program that does what it is told is not yet a program that does what was meant.",
        "Kettles are nice, but the soup was better. — Everybody's grandmother",
        "Nothing lasts like a quick repair.",
        "What is written twice is wrong once. — Proverb",
        "A bug is a feature nobody asked for.",
        "The fastest request is the one that isn't made.",
        "<script>alert(\"Nobody should ever see this in a box of the browser.\");</script>",
        "村のみんなで子どもを育てる",
    ]
}
