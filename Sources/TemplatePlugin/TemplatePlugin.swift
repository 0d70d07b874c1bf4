import Foundation
import PackagePlugin

/// Compiles the templates of a target when it is built, and the catalogs that it brings along.
///
/// The target holds a link `Templates` to the folder: SwiftPM plans a build anew only when something inside the target
/// changes, so without it a template that was added would be missed. One that brings catalogs along holds such a link
/// `Languages` too.
@main
struct TemplatePlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        let root = target.directoryURL.appending(path: "Templates").resolvingSymlinksInPath()
        let output = context.pluginWorkDirectoryURL
        guard let all = try? FileManager.default.subpathsOfDirectory(atPath: root.path(percentEncoded: false)) else {
            Diagnostics.error("the target \(target.name) has no folder Templates")
            return []
        }
        let paths = all.filter { $0.hasSuffix(".html") && !("/" + $0).contains("/.") }.sorted()
        // The compiler names its files by the same rule.
        let names = paths.map { "Templates." + $0.dropLast(5).replacing("/", with: ".") + ".swift" }
        let modules = target.dependencies.compactMap { dependency in
            if case .target(let target) = dependency { target.name } else { nil }
        }
        // Templates speak of fields and forms; more of the site's own types come with the target itself.
        let imports = ["Templating", "Forms"].filter(modules.contains)
        let compiler = try context.tool(named: "TemplateCompiler").url
        return [
            .buildCommand(
                displayName: "Compiling templates",
                executable: compiler,
                arguments: ["--output", output.path(percentEncoded: false), "--imports"] + imports
                    + ["--", root.path(percentEncoded: false)],
                inputFiles: paths.map { root.appending(path: $0) },
                outputFiles: Set(["Templates.swift"] + names).sorted().map { output.appending(path: $0) })
        ] + catalogues(of: target, compiler, to: output)
    }

    private func catalogues(of target: any Target, _ compiler: URL, to output: URL) -> [Command] {
        let folder = target.directoryURL.appending(path: "Languages").resolvingSymlinksInPath()
        guard let all = try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)) else {
            return []
        }
        let file = output.appending(path: "ShippedCatalogues.swift")
        return [
            .buildCommand(
                displayName: "Compiling catalogs", executable: compiler,
                arguments: ["--catalogs", file.path(percentEncoded: false), folder.path(percentEncoded: false)],
                inputFiles: all.filter { $0.hasSuffix(".po") }.sorted().map { folder.appending(path: $0) },
                outputFiles: [file])
        ]
    }
}
