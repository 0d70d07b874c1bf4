import CCurl
import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// What became of a letter that was handed over.
public enum Delivery: Sendable, Equatable {
    /// The server answers for it from now on.
    case accepted(String)
    /// The server doesn't want this letter, now or later.
    case refused(String)
    /// The server doesn't want this letter now.
    case postponed(String)
    /// It got lost on the way, or nobody knows whether it arrived.
    case broken(String)
    /// No letter would have got through: no server, no encryption, a wrong password, a wrong sender.
    case unreachable(String)

    /// What the server said last, or what went wrong before it said anything.
    public var answer: String {
        switch self {
        case .accepted(let text), .refused(let text), .postponed(let text), .broken(let text), .unreachable(let text):
            text
        }
    }
}

/// Hands letters to a server, one at a time, on a thread of its own; the connection stays open between two of them.
public final class MailClient: Sendable {
    /// How long things may take, in seconds.
    public struct Patience: Sendable {
        public var connecting = 10
        /// For all of a letter.
        public var sending = 60
        /// How long a letter that was sent whole is waited for when the client is stopped.
        public var stopping = 5

        public init() {}
    }

    private let server: MailServer
    private let name: String
    private let patience: Patience
    /// A file of certificates that are believed besides those of the system's authorities: for tests.
    private let authorities: String?
    private let needsTLS: Bool
    private let queue = DispatchQueue(label: "mail", qos: .utility)
    private let isStopped = Atomic(false)
    private let connection = Mutex(Connection())

    /// The handle of libcurl; only `queue` touches it.
    private struct Connection: @unchecked Sendable {
        var handle: UnsafeMutableRawPointer?
    }

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// - Parameters:
    ///   - server: Where letters go.
    ///   - name: What this machine calls itself.
    public convenience init(_ server: MailServer, name: String, patience: Patience = Patience()) {
        self.init(server, name: name, patience: patience, needsTLS: !server.isLoopback, authorities: nil)
    }

    init(_ server: MailServer, name: String, patience: Patience, needsTLS: Bool, authorities: String?) {
        self.server = server
        self.name = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x2F } ? name : "localhost"
        self.patience = patience
        self.needsTLS = needsTLS
        self.authorities = authorities
    }

    deinit {
        connection.withLock { connection in
            if let handle = connection.handle { curl_easy_cleanup(handle) }
        }
    }

    /// Ends what is under way, so that nothing waits for a server that is silent. A letter that was sent whole is given
    /// a moment to be answered.
    public func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Hands over a letter.
    public func send(_ message: MailMessage) async -> Delivery {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.deliver(message)) }
        }
    }

    /// Connects, encrypts and logs in as for a letter, and hands none over.
    ///
    /// - Returns: What went wrong; nil where the server is ready for letters.
    public func tryOut() async -> String? {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.connectOnly()) }
        }
    }

    private func connectOnly() -> String? {
        guard Self.isReady, let curl = curl_easy_init() else { return "libcurl can't start" }
        defer { Self.hangUp(curl) }
        let transfer = Transfer([], isStopped: { self.isStopped.load(ordering: .relaxed) })
        let context = Unmanaged.passUnretained(transfer).toOpaque()
        configure(curl)
        _ = village_curl_set_number(curl, CURLOPT_CONNECT_ONLY, 1)
        for option in [CURLOPT_HEADERDATA, CURLOPT_DEBUGDATA, CURLOPT_XFERINFODATA] {
            _ = village_curl_set_pointer(curl, option, context)
        }
        let code = curl_easy_perform(curl)
        guard code != CURLE_OK else { return nil }
        return withExtendedLifetime(transfer) {
            transfer.outcome(of: code, String(cString: curl_easy_strerror(code))).answer
        }
    }

    private func deliver(_ message: MailMessage) -> Delivery {
        connection.withLock { connection in
            guard Self.isReady, let curl = connection.handle ?? curl_easy_init() else {
                return .unreachable("libcurl can't start")
            }
            connection.handle = curl
            let transfer = Transfer(message.bytes, isStopped: { self.isStopped.load(ordering: .relaxed) })
            transfer.stopping = patience.stopping
            let context = Unmanaged.passUnretained(transfer).toOpaque()
            let recipients = curl_slist_append(nil, "<\(message.to.address)>")
            let error = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
            error.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
            defer {
                curl_slist_free_all(recipients)
                error.deallocate()
            }
            configure(curl)
            _ = village_curl_set_text(curl, CURLOPT_MAIL_FROM, "<\(message.from.address)>")
            _ = village_curl_set_number(curl, CURLOPT_UPLOAD, 1)
            _ = village_curl_set_pointer(curl, CURLOPT_MAIL_RCPT, recipients)
            _ = village_curl_set_pointer(curl, CURLOPT_ERRORBUFFER, error)
            for option in [CURLOPT_READDATA, CURLOPT_HEADERDATA, CURLOPT_DEBUGDATA, CURLOPT_XFERINFODATA] {
                _ = village_curl_set_pointer(curl, option, context)
            }
            let code = curl_easy_perform(curl)
            let words = String(cString: error)
            if code == CURLE_OK {
                // Nothing of this letter stays behind; the connection does.
                curl_easy_reset(curl)
            } else {
                // A late answer of the server would be taken for its answer to the next letter.
                Self.hangUp(curl)
                connection.handle = nil
            }
            let failure = words.isEmpty ? String(cString: curl_easy_strerror(code)) : words
            return withExtendedLifetime(transfer) { transfer.outcome(of: code, failure) }
        }
    }

    /// Ends a connection without a good-bye, which a silent server would never return.
    private static func hangUp(_ curl: UnsafeMutableRawPointer) {
        var socket: curl_socket_t = -1
        if village_curl_get_socket(curl, &socket) == CURLE_OK, socket >= 0 { shutdown(socket, Int32(SHUT_RDWR)) }
        curl_easy_cleanup(curl)
    }

    private func configure(_ curl: UnsafeMutableRawPointer) {
        func set(_ option: CURLoption, _ value: Int) { _ = village_curl_set_number(curl, option, value) }
        func set(_ option: CURLoption, _ value: String) { _ = village_curl_set_text(curl, option, value) }
        set(CURLOPT_URL, "\(server.name)/\(name)")
        set(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        set(CURLOPT_PROXY, "")
        set(CURLOPT_USE_SSL, needsTLS ? Int(CURLUSESSL_ALL.rawValue) : Int(CURLUSESSL_NONE.rawValue))
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let authorities { set(CURLOPT_CAINFO, authorities) }
        if !server.user.isEmpty {
            set(CURLOPT_USERNAME, server.user)
            set(CURLOPT_PASSWORD, server.password)
        }
        set(CURLOPT_CONNECTTIMEOUT, patience.connecting)
        set(CURLOPT_TIMEOUT, patience.sending)
        set(CURLOPT_SERVER_RESPONSE_TIMEOUT, patience.sending)
        // A signal would go to whichever thread is there.
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_MAXAGE_CONN, 20)
        set(CURLOPT_NOPROGRESS, 0)
        // Without it libcurl doesn't say which command it sent.
        set(CURLOPT_VERBOSE, 1)
        _ = village_curl_set_transfer(curl, CURLOPT_READFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            return Transfer.of(context).read(into: bytes, atMost: size * count)
        }
        _ = village_curl_set_transfer(curl, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            Transfer.of(context).hear(UnsafeRawBufferPointer(start: bytes, count: size * count))
            return size * count
        }
        _ = village_curl_set_debug(curl) { _, type, bytes, count, context in
            guard type == CURLINFO_HEADER_OUT, let bytes, let context else { return 0 }
            // The name of the command only: what follows may be a password.
            Transfer.of(context).say(UnsafeRawBufferPointer(start: bytes, count: min(count, 4)))
            return 0
        }
        _ = village_curl_set_progress(curl) { context, _, _, _, _ in
            guard let context else { return 0 }
            return Transfer.of(context).isOver ? 1 : 0
        }
    }
}

/// One letter on its way: what of it was read, and what the server said.
private final class Transfer {
    private let bytes: [UInt8]
    private let isStopped: () -> Bool
    private var place = 0
    private var command = ""
    /// The server's last line, and whether it came after the last command.
    private var answer = ""
    private var isAnswered = false
    private var isEnding = false
    private var ticks = 0
    var stopping = 0

    init(_ bytes: [UInt8], isStopped: @escaping () -> Bool) {
        self.bytes = bytes
        self.isStopped = isStopped
    }

    static func of(_ context: UnsafeMutableRawPointer) -> Transfer {
        Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    func read(into buffer: UnsafeMutablePointer<CChar>, atMost limit: Int) -> Int {
        let count = min(limit, bytes.count - place)
        bytes.withUnsafeBytes { bytes in
            UnsafeMutableRawPointer(buffer).copyMemory(from: bytes.baseAddress! + place, byteCount: count)
        }
        place += count
        return count
    }

    func say(_ bytes: UnsafeRawBufferPointer) {
        let said = String(decoding: bytes, as: UTF8.self)
        // The error that led to the good-bye is the one that counts.
        isEnding = said == "QUIT"
        guard !isEnding else { return }
        command = said
        isAnswered = false
    }

    func hear(_ bytes: UnsafeRawBufferPointer) {
        guard !isEnding else { return }
        let line = String(decoding: bytes.prefix(500), as: UTF8.self)
        answer = String(String.UnicodeScalarView(line.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
        isAnswered = true
    }

    /// Whether to give up. libcurl asks about once a second.
    var isOver: Bool {
        guard isStopped() else { return false }
        guard place == bytes.count, command == "DATA" else { return true }
        ticks += 1
        return ticks > stopping
    }

    func outcome(of code: CURLcode, _ failure: String) -> Delivery {
        if code == CURLE_OK { return .accepted(answer) }
        let isAboutLetter = ["RCPT", "DATA"].contains(command)
        let digit = isAnswered ? answer.first : nil
        let said = isAnswered && !answer.isEmpty ? "\(answer) (\(failure))" : failure
        guard isAboutLetter || command == "MAIL" && answer.hasPrefix("552") else { return .unreachable(said) }
        // 421: the server ends the connection, whatever it was about.
        if isAnswered, answer.hasPrefix("421") { return .broken(said) }
        return digit == "5" ? .refused(answer) : digit == "4" ? .postponed(answer) : .broken(said)
    }
}
