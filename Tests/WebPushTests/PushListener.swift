import Foundation

/// A push service for a test. It decrypts and checks messages with another implementation, http_ece and cryptography,
/// in a separate process.
final class PushService: Sendable {
    let folder: String
    let browsers: [Browser]
    private let process: Process
    private let input: Pipe

    /// What a browser sends about its subscription.
    struct Browser: Decodable {
        let endpoint: String
        let key: String
        let secret: String
    }

    /// A push message that arrived.
    struct Kept: Decodable {
        struct Text: Decodable {
            let title: String?
            let body: String?
            let path: String?
            let unread: Int?
            let lang: String?
            let tag: String?
        }
        let browser: Int
        let status: Int
        let text: Text
        let lifetime: Int
        let urgency: String
        let topic: String
        let contact: String
        let expires: Int64
        let signer: String
        let size: Int
    }

    struct Missing: Error { let description: String }

    /// - Parameter count: How many browsers it has.
    init(browsers count: Int = 2) throws {
        folder = NSTemporaryDirectory() + "/village-push-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let here = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent().path
        process = Process()
        let python = ProcessInfo.processInfo.environment["VILLAGE_PYTHON"] ?? "python3"
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [python, here + "/service.py", folder, String(count)]
        input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        guard String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).hasPrefix("ready") else {
            throw Missing(
                description: "\(python) lacks http-ece (pip install http-ece cryptography), or VILLAGE_PYTHON is wrong")
        }
        let said = try Data(contentsOf: URL(filePath: folder + "/subscriptions.json"))
        browsers = try JSONDecoder().decode([Browser].self, from: said)
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Sets what the service answers from now on, such as `410`, or `429 120` with a Retry-After.
    func set(_ mode: String) throws {
        try mode.write(toFile: folder + "/mode", atomically: true, encoding: .utf8)
    }

    /// The messages that have arrived so far.
    var pushes: [Kept] {
        get throws {
            guard let lines = try? String(contentsOfFile: folder + "/pushes.jsonl", encoding: .utf8) else { return [] }
            return try lines.split(separator: "\n").map { try JSONDecoder().decode(Kept.self, from: Data($0.utf8)) }
        }
    }
}
