import Foundation
import PackagePlugin

/// Compiles a target's templates and its bundled catalogs when it is built.
///
/// The target contains a link named `Templates` to the folder, because SwiftPM replans a build only when something
/// inside the target changes; without the link, added templates would be missed. A target with catalogs contains a link
/// named `Languages`, too.
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
        // Templates use fields and forms. The site's own types come with the target itself.
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
