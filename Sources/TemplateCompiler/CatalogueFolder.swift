#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The catalogs of a folder as Swift, so that the program brings them along.
struct CatalogueFolder {
    /// The language of each file, `es` of `es.po`, and its text.
    let catalogues: [(language: String, text: String)]

    /// Reads every `.po` file of a folder.
    ///
    /// - Throws: What reading the folder or one of its files throws.
    init(_ path: String) throws {
        catalogues = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            .filter { $0.hasSuffix(".po") && !$0.hasPrefix(".") }
            .map { (String($0.dropLast(3)), try String(contentsOfFile: "\(path)/\($0)", encoding: .utf8)) }
    }

    /// A literal for each: nothing is read of it before it is asked for.
    ///
    /// The comments of translators stay behind.
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

    /// Writes the Swift, unless it is there already.
    ///
    /// - Throws: What writing the file throws.
    func write(to path: String) throws {
        let data = Data(swift.utf8)
        if FileManager.default.contents(atPath: path) != data { try data.write(to: URL(filePath: path)) }
    }
}
