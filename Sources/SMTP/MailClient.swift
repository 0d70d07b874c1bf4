import CCurl
import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// The result of sending a message.
public enum Delivery: Sendable, Equatable {
    /// The server has taken responsibility for the message.
    case accepted(String)
    /// The server permanently refuses the message.
    case refused(String)
    /// The server refuses the message for now.
    case postponed(String)
    /// The message was lost on the way, or it is unknown whether it arrived.
    case broken(String)
    /// No message could have been sent: no server, no encryption, a wrong password, a wrong sender.
    case unreachable(String)

    /// The server's last response, or the error if it gave none.
    public var answer: String {
        switch self {
        case .accepted(let text), .refused(let text), .postponed(let text), .broken(let text), .unreachable(let text):
            text
        }
    }
}

/// Sends messages to a server, one at a time, on its own thread; the connection stays open between messages.
public final class MailClient: Sendable {
    /// Time limits, in seconds.
    public struct Patience: Sendable {
        public var connecting = 10
        /// For the whole message.
        public var sending = 60
        /// How long to wait for the response to a completely sent message when the client is stopped.
        public var stopping = 5

        public init() {}
    }

    private let server: MailServer
    private let name: String
    private let patience: Patience
    /// A file of certificates to trust in addition to the system's, for tests.
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
    ///   - server: Where to send messages.
    ///   - name: This machine's name for the greeting.
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

    /// Aborts the current work, so that nothing waits for a silent server. A completely sent message gets a moment to
    /// be answered.
    public func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Sends a message.
    public func send(_ message: MailMessage) async -> Delivery {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.deliver(message)) }
        }
    }

    /// Connects, encrypts and logs in as for a message, but sends none.
    ///
    /// - Returns: The error; nil if the server is ready for messages.
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
                // Resets this message's options but keeps the connection.
                curl_easy_reset(curl)
            } else {
                // Otherwise the server's late response would be taken for the response to the next message.
                Self.hangUp(curl)
                connection.handle = nil
            }
            let failure = words.isEmpty ? String(cString: curl_easy_strerror(code)) : words
            return withExtendedLifetime(transfer) { transfer.outcome(of: code, failure) }
        }
    }

    /// Closes a connection without QUIT, to which a silent server would never respond.
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
        // A signal could hit any thread.
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_MAXAGE_CONN, 20)
        set(CURLOPT_NOPROGRESS, 0)
        // Without it libcurl doesn't report which command it sent.
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
            // Only the command's name: what follows may be a password.
            Transfer.of(context).say(UnsafeRawBufferPointer(start: bytes, count: min(count, 4)))
            return 0
        }
        _ = village_curl_set_progress(curl) { context, _, _, _, _ in
            guard let context else { return 0 }
            return Transfer.of(context).isOver ? 1 : 0
        }
    }
}

/// One message being sent: how much of it was read, and what the server responded.
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
        // The error that led to QUIT is the one to report.
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
        // 421: the server closes the connection, independently of the message.
        if isAnswered, answer.hasPrefix("421") { return .broken(said) }
        return digit == "5" ? .refused(answer) : digit == "4" ? .postponed(answer) : .broken(said)
    }
}
