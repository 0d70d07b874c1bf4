import Foundation
import Testing

@testable import App

/// The program as an operator sees it: what its commands say when something is wrong, and what they leave behind.
@Suite(.serialized) struct ProgramTests {
    /// `village`, as it was built beside these tests.
    private static let program: String? = {
        let arguments = CommandLine.arguments + [Bundle.main.executablePath ?? ""]
        let folders = arguments.compactMap { $0.range(of: ".build/") != nil ? URL(filePath: $0) : nil }.flatMap {
            file in
            sequence(first: file.deletingLastPathComponent()) { folder in
                folder.path.contains(".build/") ? folder.deletingLastPathComponent() : nil
            }
        }
        return folders.map { $0.appending(path: "village").path }.first(where: FileManager.default.isExecutableFile)
    }()

    /// A folder with a data folder's name in it.
    private struct Desk {
        let folder: String
        var environment: [String: String]
        var data: String { folder + "/data" }

        init() throws {
            folder = NSTemporaryDirectory() + "/village-program-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("VILLAGE_") }
            environment["VILLAGE_DATA"] = folder + "/data"
            environment["VILLAGE_SETTINGS"] = "/dev/null"
            environment["VILLAGE_PORT"] = "0"
        }

        func run(_ arguments: String..., typing input: String? = nil) throws -> Program.Result {
            guard let input else {
                return try Program.run(#require(ProgramTests.program), arguments, environment: environment, in: root)
            }
            // Through a shell, which hands the words over without reading them.
            let script = "printf '%s\\n' \"$1\" | { shift; \"$@\"; }"
            return try Program.run(
                "/bin/sh", ["-c", script, "sh", input, #require(ProgramTests.program)] + arguments,
                environment: environment, in: root)
        }

        func remove() { try? FileManager.default.removeItem(atPath: folder) }

        var root: String { SourcesTests.root.path }
    }

    /// Gives `body` a desk whose data folder holds an empty site.
    private func withDesk(_ body: (inout Desk) throws -> Void) throws {
        var desk = try Desk()
        defer { desk.remove() }
        let made = try desk.run("migrate")
        try #require(made.status == 0, "\(made.text)")
        try body(&desk)
    }

    private func expectRefusal(_ result: Program.Result, _ words: String) {
        #expect(result.status == 1 && result.text.contains(words), "\(result.status): \(result.text)")
        let isPlain = !result.text.contains("DatabaseError") && !result.text.contains("NSError")
        #expect(isPlain, "\(result.text)")
    }

    @Test(.enabled(if: TestServer.any != nil, "VILLAGE_TEST_POSTGRESQL names no server"))
    func `a town moves to a server when the operator says so, and each step says what is missing`() async throws {
        try await TestServer.any?.withDatabase(isEmpty: true) { url in
            var desk = try Desk()
            defer { desk.remove() }
            let made = try desk.run(
                "admin", "create", "--email", "mia@example.org", "--username", "mia-berg", typing: "a house by the sea")
            expectRefusal(made, "There is no site in")
            #expect(try desk.run("seed", "--families", "3", "--events", "2", "--providers", "1").status == 0)
            expectRefusal(try desk.run("migrate", "--to-sqlite", desk.folder + "/copy"), "There is no server.")
            desk.environment["VILLAGE_DATABASE_URL"] = url.replacing("village@", with: "village:seaside@")
            expectRefusal(try desk.run("check"), "names another place")
            let old = desk.folder + "/old"
            try FileManager.default.moveItem(atPath: desk.data, toPath: old)
            let early = try desk.run("serve")
            expectRefusal(early, "As the owner of the tables, run: village migrate")
            #expect(!early.text.contains("seaside"))
            let trial = try desk.run("migrate", "--from-sqlite", old, "--dry-run")
            #expect(trial.status == 0 && trial.text.contains("and nothing was kept"), "\(trial.text)")
            let moved = try desk.run("migrate", "--from-sqlite", old)
            #expect(moved.status == 0 && moved.text.contains("rows were copied and compared"), "\(moved.text)")
            #expect(!moved.text.contains("calendar.key"), "it lies in the folder, and went along")
            expectRefusal(try desk.run("migrate", "--from-sqlite", old), "it already holds a town")
            let check = try desk.run("check")
            #expect(check.status == 0 && check.text.contains("PostgreSQL "), "\(check.text)")
            #expect(try desk.run("admin", "link", "family-1").status == 0)
            let copy = desk.folder + "/copy.sqlite"
            #expect(try desk.run("migrate", "--to-sqlite", copy).text == "Copied to \(copy) and checked.\n")
            expectRefusal(try desk.run("restore", copy), "village migrate --from-sqlite \(copy)")
            desk.environment["VILLAGE_DATABASE_URL"] = nil
            #expect(try desk.run("restore", copy).status == 0)
            #expect(try desk.run("admin", "link", "family-1").status == 0)
        }
    }

    @Test func `each command says in a sentence what is wrong, and can be said again`() throws {
        try withDesk { desk in
            let copy = desk.folder + "/copy.sqlite"
            #expect(try desk.run("migrate").status == 0)
            #expect(try desk.run("backup", copy).text == "Copied to \(copy) and checked.\n")
            expectRefusal(try desk.run("backup", copy), "\(copy) is there already. Choose another name.")
            expectRefusal(try desk.run("backup", desk.folder + "/nowhere/copy"), "nowhere/copy can't be written")
            expectRefusal(try desk.run("restore", desk.folder + "/nothing"), "There is no file \(desk.folder)/nothing.")
            expectRefusal(try desk.run("restore", desk.folder), "can't be read as a backup")
            let empty = desk.folder + "/empty.sqlite"
            try Data().write(to: URL(filePath: empty))
            expectRefusal(try desk.run("restore", empty), "that is no backup of a village. Nothing was changed.")
            for _ in 1...2 {
                let done = try desk.run("restore", copy)
                #expect(done.status == 0 && done.text.hasPrefix("The site is back at \(copy)."), "\(done.text)")
            }
            expectRefusal(try desk.run("admin", "link", "nobody"), "There is no account nobody.")
            expectRefusal(try desk.run("seed", "--families", "1", "--cities", empty + "x"), "can't be read")
            #expect(try desk.run("seed").status == 64)
            #expect(try desk.run("admin", "create", "--email", "a", "--username", "b", typing: "").status == 1)
            #expect(try desk.run("nonsense").status == 64)
            let checked = try desk.run("check")
            #expect(checked.status == 0 && checked.text.hasSuffix("All is well.\n"), "\(checked.text)")
            desk.environment["VILLAGE_DATA"] = empty
            expectRefusal(try desk.run("serve"), "can't be used")
            expectRefusal(try desk.run("check"), "a folder that can be written")
            expectRefusal(try desk.run("backup", copy + "2"), "There is no site in")
        }
    }

    @Test func `every mistake in the settings is told at once, at the start too`() throws {
        try withDesk { desk in
            let file = desk.folder + "/file"
            try Data().write(to: URL(filePath: file))
            desk.environment["VILLAGE_PUBLC_URL"] = "https://village.example"
            desk.environment["VILLAGE_PUBLIC_URL"] = "https://village.example:99999"
            desk.environment["VILLAGE_TRUSTED_PROXIES"] = "0.0.0.0/0"
            desk.environment["VILLAGE_MAP_TILES"] = "https:///{z}/{x}/{y}.png"
            desk.environment["VILLAGE_BACKUP_FOLDER"] = file
            for command in ["check", "serve"] {
                let result = try desk.run(command)
                #expect(result.status == 1)
                for words in [
                    "VILLAGE_PUBLC_URL isn't a setting; do you mean VILLAGE_PUBLIC_URL?", ":99999: a URL such as",
                    "VILLAGE_TRUSTED_PROXIES=0.0.0.0/0: ", "VILLAGE_MAP_TILES=https:///",
                    "\(file): a folder that can be",
                ] {
                    #expect(result.text.contains(words), "\(command): \(words)")
                }
                #expect(result.text.split(separator: "\n").count == 5, "\(result.text)")
            }
        }
    }

    // MARK: Which site is meant

    @Test func `every command reads the file of settings, and a folder in it is meant from the file`() throws {
        try withDesk { desk in
            let file = desk.folder + "/settings.env"
            let lines = "# The site\r\n\r\nVILLAGE_DATA=\"data\"\nVILLAGE_COUNTRY=DE\r\n"
            try Data(lines.utf8).write(to: URL(filePath: file))
            desk.environment["VILLAGE_DATA"] = nil
            desk.environment["VILLAGE_SETTINGS"] = file
            let checked = try desk.run("check")
            #expect(checked.status == 0 && checked.text.contains("settings: \(file)\ndata: \(desk.data)\n"))
            let made = try desk.run(
                "admin", "create", "--email", "mia@example.org", "--username", "mia-berg", typing: "a house by the sea")
            #expect(made.text == "mia-berg looks after the site in \(desk.data) now.\n", "\(made.text)")
            #expect(try desk.run("admin", "link", "mia-berg").text.contains("/reset/"))
            // The environment comes first, a flag before it.
            desk.environment["VILLAGE_DATA"] = desk.folder + "/other"
            #expect(try desk.run("check").text.contains("data: \(desk.folder)/other\n"))
            #expect(
                try desk.run("check", "--data", desk.folder + "/third").text.contains("data: \(desk.folder)/third\n"))
            try Data("VILLAGE_DTA=x\nnonsense password\n".utf8).write(to: URL(filePath: file))
            let wrong = try desk.run("check")
            #expect(wrong.status == 1 && wrong.text.contains("VILLAGE_DTA isn't a setting"))
            #expect(wrong.text.contains("\(file), line 2: a line is NAME=value") && !wrong.text.contains("password"))
            expectRefusal(try desk.run("check", "--settings", file + "x"), "\(file)x: a file that can be read")
        }
    }

    @Test func `a command for the accounts makes no site in a folder that nobody meant`() throws {
        try withDesk { desk in
            desk.environment["VILLAGE_DATA"] = desk.folder + "/typo"
            for command in [["link", "ana"], ["two-step-off", "ana"], ["create", "--existing", "ana"]] {
                let result = try Program.run(
                    #require(Self.program), ["admin"] + command, environment: desk.environment, in: desk.root)
                expectRefusal(result, "There is no site in \(desk.folder)/typo (VILLAGE_DATA).")
            }
            #expect(!FileManager.default.fileExists(atPath: desk.folder + "/typo"))
        }
    }

    @Test func `check tries the mail server and the folder of the backups`() throws {
        try withDesk { desk in
            desk.environment["VILLAGE_SMTP_URL"] = "smtp://127.0.0.1:1"
            desk.environment["VILLAGE_MAIL_FROM"] = "village@example.org"
            expectRefusal(try desk.run("check"), "The mail server smtp://127.0.0.1:1 takes no letters: ")
            desk.environment["VILLAGE_SMTP_URL"] = nil
            try Data().write(to: URL(filePath: desk.data + "/backups"))
            expectRefusal(try desk.run("check"), "No backup can be made: \(desk.data)/backups can't be written.")
        }
    }

    // MARK: A full disk

    /// Whether a small disk can be made here without being root.
    private static let canMakeDisk: Bool = {
        let result = try? Program.run(
            "/usr/bin/unshare", ["--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"])
        return result?.status == 0
    }()

    @Test(.enabled(if: canMakeDisk, "needs a name space of its own"))
    func `a full disk is said in a sentence, and no half file stays`() throws {
        try withDesk { desk in
            let disk = desk.folder + "/disk"
            try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
            let village = try #require(Self.program)
            /// Runs a script where there is a small disk, with the program as `$0`.
            func run(_ size: String, _ script: String) throws -> Program.Result {
                let all = "mount -t tmpfs -o size=\(size) tmpfs \(disk) || exit 9; \(script)"
                return try Program.run(
                    "/usr/bin/unshare", ["--user", "--map-root-user", "--mount", "sh", "-c", all, village],
                    environment: desk.environment, in: desk.root)
            }
            let words = "The disk that holds \(disk) is full."
            let copying = try run("1m", "\"$0\" backup \(disk)/copy; code=$?; ls -A \(disk); exit $code")
            #expect(copying.status == 1 && copying.text == "Error: \(words) No copy was made.\n", "\(copying.text)")

            let copy = desk.folder + "/copy"
            #expect(try desk.run("backup", copy).status == 0)
            desk.environment["VILLAGE_DATA"] = disk
            let restoring = try run("1m", "\"$0\" restore \(copy); code=$?; ls -A \(disk); exit $code")
            #expect(restoring.status == 1 && restoring.text.hasPrefix("Error: \(words) Make room"), "\(restoring.text)")
            #expect(!restoring.text.contains("restored") && !restoring.text.contains("before-"), "\(restoring.text)")
            for command in ["migrate", "seed --demo", "serve"] {
                let result = try run("1m", "\"$0\" \(command)")
                #expect(result.status == 1 && result.text.contains(words), "\(command): \(result.text)")
                // The town's names are one transaction, and so is the demo town: once there is room it goes on.
                let again = try run(
                    "1m", "\"$0\" \(command) 2>/dev/null; mount -o remount,size=64m \(disk); \"$0\" migrate")
                #expect(again.text == "The database is up to date.\n", "\(command): \(again.text)")
            }
        }
    }

    // MARK: Signals

    @Test func `a closed terminal and stray signals don't end the site, SIGTERM does`() async throws {
        let desk = try Desk()
        defer { desk.remove() }
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.program))
        process.arguments = ["serve"]
        process.environment = desk.environment
        process.currentDirectoryURL = URL(filePath: desk.root)
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        func line() -> String {
            var bytes: [UInt8] = []
            while let byte = try? pipe.fileHandleForReading.read(upToCount: 1), let first = byte.first,
                first != UInt8(ascii: "\n")
            {
                bytes.append(first)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        let open = line()
        let port = try #require(open.split(separator: ":").last.flatMap { Int($0) }, "\(open)")
        for number in [SIGHUP, SIGUSR1, SIGUSR2] {
            #expect(kill(process.processIdentifier, number) == 0)
            // A signal that ends a process does so before it runs on: an answer means that it was let pass.
            #expect(try await Browser(port: port).visit("/readyz").string.hasPrefix("ready\n"))
        }
        // While it runs, nobody else writes.
        for command in [["migrate"], ["seed", "--demo"], ["serve"]] {
            let result = try Program.run(
                process.executableURL!.path, command, environment: desk.environment, in: desk.root)
            expectRefusal(result, "is in use by another village. Stop that one first.")
        }
        // What concerns accounts it does itself when it is asked.
        expectRefusal(try desk.run("admin", "link", "nobody"), "There is no account nobody.")
        let made = try desk.run(
            "admin", "create", "--email", "mia@example.org", "--username", "mia-berg", typing: "a house by the sea")
        #expect(made.status == 0 && made.text.hasPrefix("mia-berg looks after the site in "), "\(made.text)")
        let again = try desk.run("admin", "create", "--existing", "mia-berg")
        #expect(again.text.hasPrefix("mia-berg did so already"), "\(again.text)")
        let link = try desk.run("admin", "link", "mia@example.org")
        #expect(link.status == 0 && link.text.contains("/reset/"), "\(link.text)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: desk.data + "/errands").isEmpty)
        #expect(try desk.run("backup", desk.folder + "/copy").status == 0)
        expectRefusal(try desk.run("restore", desk.folder + "/copy"), "is in use by another village.")
        #expect(try desk.run("check").status == 0)
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && process.terminationReason == .exit)
    }
}
