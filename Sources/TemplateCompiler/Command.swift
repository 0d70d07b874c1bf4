#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The command line.
enum Command {
    /// Compiles or checks a folder's templates, lists their messages, or compiles catalogs; returns the exit status.
    static func run(_ arguments: [String]) -> Int32 {
        switch (arguments.first, arguments.count) {
        case ("--check", 2):
            return read(arguments[1]) == nil ? 1 : 0
        case ("--extract", 2...):
            guard let folder = read(arguments[1]) else { return 1 }
            do {
                print(MessageList.pot(of: folder, and: try arguments.dropFirst(2).flatMap(sources)), terminator: "")
                return 0
            } catch {
                complain("\(arguments.dropFirst(2).joined(separator: ", ")): error: \(error)")
                return 1
            }
        case ("--output", 4...) where arguments[arguments.count - 2] == "--":
            guard let folder = read(arguments[arguments.count - 1]) else { return 1 }
            do {
                try folder.write(
                    to: arguments[1], imports: arguments.dropFirst(2).dropLast(2).filter { $0 != "--imports" })
                return 0
            } catch {
                complain("\(arguments[1]): error: \(error)")
                return 1
            }
        case ("--catalogs", 3):
            do {
                try CatalogueFolder(arguments[2]).write(to: arguments[1])
                return 0
            } catch {
                complain("\(arguments[2]): error: \(error)")
                return 1
            }
        default:
            complain(
                """
                TemplateCompiler --check FOLDER                            says what is wrong with its templates
                TemplateCompiler --extract FOLDER [SOURCES …]              prints their messages as a .pot file, with
                                                                           those of the Swift in other folders
                TemplateCompiler --output OUT [--imports A B] -- FOLDER    writes their Swift
                TemplateCompiler --catalogs OUT FOLDER                     writes the catalogs of a folder as Swift
                """)
            return 2
        }
    }

    /// A folder's templates; if there are problems, prints them to standard error and returns `nil`.
    private static func read(_ path: String) -> Folder? {
        let folder = Folder(path)
        for problem in folder.problems { complain(problem.description) }
        return folder.problems.isEmpty ? folder : nil
    }

    /// The Swift files below a folder, as path and text; hidden files belong to editors.
    ///
    /// - Throws: Errors of reading the folder or a file.
    static func sources(in folder: String) throws -> [(path: String, text: String)] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
            .filter { $0.hasSuffix(".swift") && !("/" + $0).contains("/.") }
            .map { path in
                let path = "\(folder)/\(path)"
                return (path, try String(contentsOfFile: path, encoding: .utf8))
            }
    }

    private static func complain(_ text: String) {
        var text = text + "\n"
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
