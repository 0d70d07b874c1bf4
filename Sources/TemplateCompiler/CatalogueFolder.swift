#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A folder's catalogs as Swift code, for bundling with the program.
struct CatalogueFolder {
    /// The language of each file, `es` for `es.po`, and its text.
    let catalogues: [(language: String, text: String)]

    /// Reads every `.po` file in a folder.
    ///
    /// - Throws: Errors of reading the folder or a file.
    init(_ path: String) throws {
        catalogues = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            .filter { $0.hasSuffix(".po") && !$0.hasPrefix(".") }
            .map { (String($0.dropLast(3)), try String(contentsOfFile: "\(path)/\($0)", encoding: .utf8)) }
    }

    /// A literal per catalog; none is parsed before it is needed.
    ///
    /// Translators' comments are omitted.
    var swift: String {
        var swift = """
            /// The catalogs that the program brings along, by language.
            enum ShippedCatalogues {
                static let all: [(language: String, text: StaticString)] = [

            """
        for (language, text) in catalogues {
            let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") || $0.hasPrefix("#,") }
            swift += "        (\n            \"\(language)\",\n            ###\"\"\"\n"
            for line in lines { swift += "            \(line)\n" }
            swift += "            \"\"\"###\n        ),\n"
        }
        return swift + "    ]\n}\n"
    }

    /// Writes the Swift code, unless the file has it already.
    ///
    /// - Throws: Errors of writing the file.
    func write(to path: String) throws {
        let data = Data(swift.utf8)
        if FileManager.default.contents(atPath: path) != data { try data.write(to: URL(filePath: path)) }
    }
}
