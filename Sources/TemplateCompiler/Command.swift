#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What the tool does when it is called.
enum Command {
    /// Compiles or checks the templates of a folder or lists their messages; gives the exit status.
    static func run(_ arguments: [String]) -> Int32 {
        func complain(_ text: String) {
            var text = text + "\n"
            text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
        }
        switch (arguments.first, arguments.dropFirst().count) {
        case ("--check", 1):
            let folder = Folder(arguments[1])
            folder.problems.forEach { complain($0.description) }
            return folder.problems.isEmpty ? 0 : 1
        case ("--extract", 1):
            let folder = Folder(arguments[1])
            folder.problems.forEach { complain($0.description) }
            guard folder.problems.isEmpty else { return 1 }
            print(Catalogue.pot(of: folder), terminator: "")
            return 0
        case ("--output", 3...) where arguments[arguments.count - 2] == "--":
            let imports = arguments.dropFirst(2).dropLast(2).filter { $0 != "--imports" }
            let folder = Folder(arguments[arguments.count - 1])
            folder.problems.forEach { complain($0.description) }
            guard folder.problems.isEmpty else { return 1 }
            do {
                try folder.write(to: arguments[1], imports: imports)
                return 0
            } catch {
                complain("\(arguments[1]): error: \(error)")
                return 1
            }
        default:
            complain(
                """
                TemplateCompiler --check FOLDER                          says what is wrong with the templates
                TemplateCompiler --extract FOLDER                        prints their messages as a .pot file
                TemplateCompiler --output FOLDER [--imports A B] -- ROOT writes their Swift
                """)
            return 2
        }
    }
}
