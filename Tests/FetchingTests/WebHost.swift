import Foundation

/// A host of the web of a test's own, in a process beside.
final class WebHost: Sendable {
    /// The file of the certificate that it shows.
    let certificate: String?
    let origin: String
    private let folder: String
    private let process: Process
    private let input: Pipe

    struct Missing: Error { let description: String }

    init(tls: Bool = false) throws {
        folder = NSTemporaryDirectory() + "/village-web-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let here = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent().path
        let files = tls ? try Self.certificate(in: folder) : []
        certificate = files.first
        process = Process()
        let python = ProcessInfo.processInfo.environment["VILLAGE_PYTHON"] ?? "python3"
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [python, here + "/host.py"] + files
        input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(said.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw Missing(description: "\(python) doesn't run host.py, or VILLAGE_PYTHON is wrong")
        }
        origin = "\(tls ? "https" : "http")://127.0.0.1:\(port)"
    }

    deinit {
        try? input.fileHandleForWriting.close()
        // A process that was started on a thread which listens to no signals may not listen to SIGTERM either.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func certificate(in folder: String) throws -> [String] {
        let (certificate, key) = (folder + "/certificate.pem", folder + "/key.pem")
        let openssl = Process()
        openssl.executableURL = URL(filePath: "/usr/bin/env")
        openssl.arguments =
            [
                "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
            ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        return [certificate, key]
    }
}
