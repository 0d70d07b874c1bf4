import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Synchronization

extension Visit {
    /// Reads a POST's body as it arrives, and stops at the first byte beyond the limit.
    ///
    /// - Parameter slot: What it holds while it is read, if it may be large.
    /// - Throws: `Refusal.tooLarge`, `.unsupportedType` or `.malformed`; `PictureProblem.busy` without its slot.
    func readForm(_ limits: FormLimits, holding slot: UploadSlots.Slot? = nil) async throws -> FormBody {
        // A form without fields may lack a type.
        let type = request.headers[.contentType] ?? "application/x-www-form-urlencoded"
        do {
            var parser = try FormParser(contentType: type, limits: limits)
            if let announced, announced > parser.byteLimit { throw Refusal.tooLarge }
            for try await chunk in request.body {
                if slot?.isLost == true { throw PictureProblem.busy }
                try chunk.withUnsafeReadableBytes { try parser.feed($0) }
            }
            return try parser.finish()
        } catch let problem as FormProblem {
            throw problem.refusal
        }
    }

    /// Reads a form that may contain a picture: only from members, and only a few large ones at once.
    ///
    /// - Throws: The errors of `readForm`; `Refusal.signedOut` for a stranger's file, before it is read;
    ///   `PictureProblem.busy`.
    func readFormWithFiles(_ limits: FormLimits) async throws -> FormBody {
        guard let visitor else {
            do { return try await readForm(.withoutFiles) } catch Refusal.tooLarge { throw Refusal.signedOut }
        }
        guard announced ?? .max > FormLimits.withoutFiles.body else { return try await readForm(limits) }
        guard let slot = site.uploads.take(visitor.account) else { throw PictureProblem.busy }
        defer { site.uploads.giveBack(slot) }
        return try await readForm(limits, holding: slot)
    }

    /// The length of the body according to the head.
    private var announced: Int? { request.headers[.contentLength].flatMap { Int($0) } }

    /// Refuses a POST from another site's page (Fetch Metadata, W3C; Origin, RFC 6454).
    ///
    /// Old clients send neither header; they are accepted only with a loopback Host or a session's token.
    /// - Returns: Whether a header proved that the form is ours.
    func checkOrigin() throws(Refusal) -> Bool {
        if let site = request.headers[.secFetchSite] {
            guard site == "same-origin" || site == "none" else { throw .forged }
            return true
        } else if let origin = request.headers[.origin] {
            let host = request.head.authority ?? ""
            guard origin == self.site.settings.publicURL || (isLoopback(host) && origin == "http://\(host)")
            else { throw .forged }
            return true
        } else if visitor == nil {
            guard isLoopback(request.head.authority ?? "") else { throw .forged }
        }
        return false
    }

    /// Whether a `Host` is one of this machine's own names.
    func isLoopback(_ host: String) -> Bool {
        let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
        return name == "localhost" || IPAddress(name)?.isLoopback == true
    }

    /// Refuses a signed-in visitor's POST that lacks the session's token.
    ///
    /// - Parameter isOptional: Whether a form without a token is accepted: a log-in page has none if it was opened
    ///   before the visitor logged in in another tab.
    func checkToken(isOptional: Bool) throws(Refusal) {
        guard let visitor, cookies.isEmpty, !(isOptional && body["csrf"] == nil) else { return }
        guard CSRF.isValid(body["csrf"] ?? "", for: visitor.csrf) else { throw .forged }
    }
}

extension FormLimits {
    static let withoutFiles = FormLimits(upload: 0)
    /// Files are read to their end and dropped.
    static let passingOverFiles = FormLimits(upload: PictureHeader.byteLimit, kept: 0)
    /// A picture that is too large is read to its end, so that the rest of the form isn't lost.
    static let withPicture = FormLimits(upload: 32 << 20, kept: PictureHeader.byteLimit)
    /// A form with a program of many rows.
    static let long = FormLimits(body: 2 << 20, fields: 4_000, upload: 32 << 20, kept: PictureHeader.byteLimit)
}

/// Limits how many forms with large files are read at once, because each is held in memory.
///
/// A slow sender may take hours for one, so a member with several lends them: a few accounts keep nobody out.
final class UploadSlots: Sendable {
    /// What a form holds while it is read.
    final class Slot: Sendable {
        let account: ID<Account>
        private let lost = Mutex(false)

        fileprivate init(_ account: ID<Account>) { self.account = account }

        /// Whether somebody without a slot got it meanwhile.
        var isLost: Bool { lost.withLock { $0 } }

        fileprivate func lose() { lost.withLock { $0 = true } }
    }

    private let limit: Int
    private let limitOfAccount: Int
    /// The oldest first.
    private let taken = Mutex<[Slot]>([])

    /// - Parameters:
    ///   - limit: The most slots in total.
    ///   - limitOfAccount: The most slots of one account.
    init(limit: Int = 12, ofAccount limitOfAccount: Int = 3) {
        self.limit = limit
        self.limitOfAccount = limitOfAccount
    }

    /// Takes a slot; nil if there is none. The first of an account may be the oldest of those who hold several.
    func take(_ account: ID<Account>) -> Slot? {
        taken.withLock { taken in
            let own = taken.count { $0.account == account }
            guard own < limitOfAccount else { return nil }
            if taken.count >= limit {
                let numbers = Dictionary(grouping: taken, by: \.account).mapValues(\.count)
                guard own == 0, let lent = taken.firstIndex(where: { numbers[$0.account, default: 0] > 1 }) else {
                    return nil
                }
                taken.remove(at: lent).lose()
            }
            let slot = Slot(account)
            taken.append(slot)
            return slot
        }
    }

    func giveBack(_ slot: Slot) { taken.withLock { taken in taken.removeAll { $0 === slot } } }
}

extension FormProblem {
    fileprivate var refusal: Refusal {
        switch self {
        case .tooLarge, .tooManyFields: .tooLarge
        case .unsupportedType: .unsupportedType
        case .malformed: .malformed
        }
    }
}

extension HTTPField.Name {
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
    static let secFetchMode = HTTPField.Name("Sec-Fetch-Mode")!
    static let secFetchDest = HTTPField.Name("Sec-Fetch-Dest")!
    static let secPurpose = HTTPField.Name("Sec-Purpose")!
    static let origin = HTTPField.Name("Origin")!
    static let forwardedFor = HTTPField.Name("X-Forwarded-For")!
}
