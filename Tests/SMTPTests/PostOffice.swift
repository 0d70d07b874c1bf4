import Foundation

/// A real mail server for a test: aiosmtpd in a separate process.
final class PostOffice: Sendable {
    let port: Int
    let folder: String
    private let process: Process
    private let input: Pipe

    /// An e-mail as the server received it.
    struct Kept: Decodable {
        struct File: Decodable {
            let name: String
            let type: String
            let text: String
        }
        let from: String
        let to: [String]
        let headers: [[String]]
        let text: String
        let html: String
        let files: [File]
        let longest: Int

        subscript(_ name: String) -> String? { headers.first { $0[0].lowercased() == name.lowercased() }?[1] }
        var subject: String { self["Subject"] ?? "" }
    }

    struct Missing: Error { let description: String }

    /// - Parameters:
    ///   - user: The name and password that it asks for.
    ///   - tls: Whether it accepts e-mail only after STARTTLS, with a certificate in `folder`.
    ///   - port: The port, or 0 for any free one.
    init(user: (String, String)? = nil, tls: Bool = false, port: Int = 0) throws {
        folder = NSTemporaryDirectory() + "/village-post-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var arguments = [URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent().path]
        arguments[0] += "/server.py"
        arguments += [folder]
        if let user { arguments += ["--user", user.0, user.1] }
        if tls { arguments += ["--tls"] + (try Self.certificate(in: folder)) }
        arguments += ["--port", String(port)]
        process = Process()
        let python = ProcessInfo.processInfo.environment["VILLAGE_PYTHON"] ?? "python3"
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [python] + arguments
        input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(said.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw Missing(description: "\(python) has no aiosmtpd (pip install aiosmtpd), or VILLAGE_PYTHON is wrong")
        }
        self.port = port
    }

    deinit { close() }

    var url: String { "smtp://127.0.0.1:\(port)" }

    /// The file with the certificate that the server shows.
    var certificate: String { folder + "/certificate.pem" }

    /// Sets how the server behaves from now on, such as `451-rcpt`, for all e-mail or only for one address.
    func set(_ mode: String, to address: String = "") throws {
        try "\(mode) \(address)".write(toFile: folder + "/mode", atomically: true, encoding: .utf8)
    }

    /// All e-mails so far, in the order in which they arrived.
    var letters: [Kept] {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            return try names.filter { $0.hasSuffix(".eml") }.map { name in
                let path = "\(folder)/\(name.dropLast(4)).json"
                return try JSONDecoder().decode(Kept.self, from: Data(contentsOf: URL(filePath: path)))
            }
        }
    }

    func close() {
        guard process.isRunning else { return }
        // If a process was started on a thread that blocks signals, it may ignore SIGTERM as well.
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
