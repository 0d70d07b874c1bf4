import Database
import FoundationEssentials
import Logging
import Passwords
import ServiceLifecycle

/// An operator's command on accounts. If the site is stopped, the command does the work itself; if it is running, the
/// command leaves a note in the data folder and the site does the work, because only one process may write.
package enum Errand: Sendable, Equatable {
    /// Make a link that sets a new password.
    case link(login: String)
    /// Turn two-step log-in off.
    case twoStepOff(login: String)
    /// Create an admin account. The password is hashed already, so no file contains it.
    case makeAdmin(email: String, username: String, hash: String)
    /// Make an existing account an admin.
    case giveAdmin(login: String)

    /// The result, for the operator.
    package struct Outcome: Sendable, Equatable {
        package let isDone: Bool
        package let text: String
    }
}

extension Errand {
    /// The text of a note: one word per line, none of which contains a line end.
    var note: String {
        let words =
            switch self {
            case .link(let login): ["link", login]
            case .twoStepOff(let login): ["two-step-off", login]
            case .makeAdmin(let email, let username, let hash): ["make-admin", email, username, hash]
            case .giveAdmin(let login): ["give-admin", login]
            }
        return words.map { $0.filter { !$0.isNewline } }.joined(separator: "\n")
    }

    init?(note: String) {
        let words = note.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        switch (words.first, words.count) {
        case ("link", 2): self = .link(login: words[1])
        case ("two-step-off", 2): self = .twoStepOff(login: words[1])
        case ("make-admin", 4): self = .makeAdmin(email: words[1], username: words[2], hash: words[3])
        case ("give-admin", 2): self = .giveAdmin(login: words[1])
        default: return nil
        }
    }
}

extension Site {
    /// Runs the errand, on the site opened by this command or by the server.
    package func run(_ errand: Errand) async throws -> Errand.Outcome {
        func none(_ login: String) -> Errand.Outcome { .init(isDone: false, text: "There is no account \(login).") }
        switch errand {
        case .link(let login):
            return try await resetLink(for: login).map { .init(isDone: true, text: $0) } ?? none(login)
        case .twoStepOff(let login):
            guard let wasOn = try await takeOffTwoStep(of: login) else { return none(login) }
            return .init(
                isDone: true,
                text: wasOn
                    ? "\(login) logs in with the password alone now, and was logged out everywhere."
                    : "Two-step log-in isn't on for \(login). Nothing was changed.")
        case .makeAdmin(let email, let username, let hash):
            let problems = try await createAdmin(email: email, username: username, hash: hash)
            return .init(
                isDone: problems.isEmpty,
                text: problems.isEmpty
                    ? "\(username) looks after the site in \(settings.data) now." : problems.joined(separator: "\n"))
        case .giveAdmin(let login):
            guard let isNew = try await giveAdmin(to: login) else { return none(login) }
            return .init(
                isDone: true,
                text: "\(login) \(isNew ? "looks after the site now" : "did so already"): \(settings.data)")
        }
    }
}

/// The notes that commands leave for the running site, `errands/….ask` in its data folder, and the answers.
package struct Errands: Sendable {
    private let folder: String
    /// How long a command waits.
    private static let patience = Duration.seconds(20)

    package init(_ settings: Settings) { folder = settings.data + "/errands" }

    /// Leaves a note for the running site, and waits for the answer.
    ///
    /// - Returns: Nil if there is none: the site is of an older release, or too busy.
    package func ask(_ errand: Errand) async throws -> Errand.Outcome? {
        let files = FileManager.default
        // Older releases don't have this folder.
        guard files.fileExists(atPath: folder) else { return nil }
        let name = "\(folder)/\(Token().text)"
        // Renamed when it is complete.
        try errand.note.write(toFile: name + ".partial", atomically: false, encoding: .utf8)
        try files.moveItem(atPath: name + ".partial", toPath: name + ".ask")
        defer { for end in [".ask", ".done"] { try? files.removeItem(atPath: name + end) } }
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(100))
            guard let text = try? String(contentsOfFile: name + ".done", encoding: .utf8) else { continue }
            let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return Errand.Outcome(isDone: parts.first == "done", text: parts.count > 1 ? String(parts[1]) : "")
        }
        return nil
    }

    /// Carries out the notes.
    func serve(_ site: Site) async {
        let files = FileManager.default
        // A missing folder has no notes.
        for name in (try? files.contentsOfDirectory(atPath: folder)) ?? [] {
            let path = "\(folder)/\(name)"
            guard name.hasSuffix(".ask") else { continue }
            let errand = (try? String(contentsOfFile: path, encoding: .utf8)).flatMap(Errand.init(note:))
            // Deleted before it is carried out, so that it never runs twice.
            guard (try? files.removeItem(atPath: path)) != nil, let errand else { continue }
            let answer = "\(folder)/\(name.dropLast(".ask".count))"
            do {
                let outcome = try await site.run(errand)
                let text = "\(outcome.isDone ? "done" : "refused")\n\(outcome.text)"
                try text.write(toFile: answer + ".partial", atomically: false, encoding: .utf8)
                try files.moveItem(atPath: answer + ".partial", toPath: answer + ".done")
            } catch {
                site.report("what a command asked for failed", error)
            }
        }
    }

    /// Discards notes from before the site started, whose commands have given up. The site creates the folder, so that
    /// it owns it.
    func clear() {
        let files = FileManager.default
        try? files.removeItem(atPath: folder)
        try? files.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
}

/// Checks twice a second for notes.
struct ErrandService: Service {
    let site: Site

    func run() async throws {
        let errands = Errands(site.settings)
        errands.clear()
        // Sleeping fails when the site stops.
        while (try? await cancelWhenGracefulShutdown({ try await Task.sleep(for: .milliseconds(500)) })) != nil {
            await errands.serve(site)
        }
    }
}
