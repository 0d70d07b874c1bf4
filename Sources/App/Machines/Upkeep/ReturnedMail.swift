import Database
import FoundationEssentials
import Logging

/// Reads letters that were returned to the sender: from a mailbox file or folder that this machine's mail server fills
/// (`VILLAGE_BOUNCES`), and from a folder of the data that `village mail returned` fills.
struct ReturnedMail: Sendable {
    /// In the data folder.
    static let folder = "/returned"
    /// The largest mailbox to read.
    static let largest = 64 * 1_024 * 1_024

    let site: Site
    /// The sender's mailbox, if there is one.
    let mailbox: String?

    init(site: Site, mailbox: String? = nil) {
        self.site = site
        self.mailbox = mailbox ?? site.settings.returnedMail
    }

    /// Stores a message for the site to read; the site may be running.
    ///
    /// - Returns: Whether it could be stored.
    package static func keep(_ message: [UInt8], in data: String) -> Bool {
        let files = FileManager.default
        let folder = data + folder
        try? files.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let name = "\(folder)/\(Token().text)"
        let bytes = Data(message.prefix(DeliveryReport.longest))
        // Renamed when it is complete.
        guard files.createFile(atPath: name, contents: bytes, attributes: [.posixPermissions: 0o600]) else {
            return false
        }
        return (try? files.moveItem(atPath: name, toPath: name + ".eml")) != nil
    }

    /// Reads the messages since the last time.
    ///
    /// - Returns: How many of our letters were returned.
    func read(at now: Instant) async throws -> Int {
        var count = try await readFiles(of: site.settings.data + Self.folder, at: now) { $0.hasSuffix(".eml") }
        guard let place = mailbox else { return count }
        var isFolder = false
        guard FileManager.default.fileExists(atPath: place, isDirectory: &isFolder) else { return count }
        if isFolder {
            count += try await readFiles(of: place + "/new", at: now) { !$0.hasPrefix(".") }
        } else {
            count += try await readMailbox(place, at: now)
        }
        return count
    }

    /// Reads and removes each file in a folder.
    private func readFiles(of folder: String, at now: Instant, where isMail: (String) -> Bool) async throws -> Int {
        let files = FileManager.default
        let names = ((try? files.contentsOfDirectory(atPath: folder)) ?? []).filter(isMail).sorted().prefix(200)
        var count = 0
        for name in names {
            let path = "\(folder)/\(name)"
            if let bytes = files.contents(atPath: path) {
                count += try await note(
                    [String(decoding: bytes.prefix(DeliveryReport.longest), as: UTF8.self)], at: now)
            }
            do {
                try files.removeItem(atPath: path)
            } catch {
                site.report("a letter that came back can’t be removed from \(folder)", error)
            }
        }
        return count
    }

    /// Reads what was appended to a mailbox file. The last message is read again next time, because it may not have
    /// been complete.
    private func readMailbox(_ path: String, at now: Instant) async throws -> Int {
        let size = Int(fileSize(at: path) ?? 0)
        let note = note
        let read = try site.read { db in try Note.value(note, in: db) }?.split(separator: " ").compactMap {
            Int($0)
        }
        let (start, end) = read?.count == 2 ? (read?[0] ?? 0, read?[1] ?? 0) : (0, 0)
        if size == end { return 0 }
        guard size <= Self.largest else {
            site.log.warning("the mailbox of VILLAGE_BOUNCES is too large to be read; empty it")
            return 0
        }
        let bytes = [UInt8](FileManager.default.contents(atPath: path) ?? Data())
        // A shorter file was emptied meanwhile.
        let messages = DeliveryReport.messages(of: bytes, from: bytes.count < end ? 0 : start)
        let count = try await self.note(messages.map(\.text), at: now)
        let last = messages.last?.at ?? bytes.count
        try await site.writeQuietly { db in try Note.set(note, "\(last) \(bytes.count)", in: db) }
        return count
    }

    /// The note of the position in the mailbox: each node has its own files.
    private var note: String { site.database.isShared ? "returned_mail \(site.node.name)" : "returned_mail" }

    private func note(_ messages: [String], at now: Instant) async throws -> Int {
        let reports = messages.compactMap { DeliveryReport($0) }
        guard !reports.isEmpty else { return 0 }
        return try await site.writeQuietly(at: now) { tx in try reports.count { try $0.note(in: tx) } }
    }
}

extension Site {
    /// Stores a returned letter for the site to read.
    ///
    /// - Returns: Whether it could be stored.
    package static func keepReturned(_ message: [UInt8], _ settings: Settings) -> Bool {
        ReturnedMail.keep(message, in: settings.data)
    }
}
