import CCurl
import Dispatch
import Domains
import FoundationEssentials
import Synchronization

/// The result of sending a push.
public enum PushOutcome: Sendable, Equatable {
    case accepted
    /// The browser no longer accepts pushes, or the address isn't a service on the Internet.
    case gone
    /// The service permanently refuses this push: its status code.
    case refused(Int)
    /// The service is unreachable or refuses for now; it may say after how many seconds to try again.
    case later(Int?)
    /// The service didn't respond in time, to this push or to another one.
    case silent
}

/// Sends pushes to browser makers' services, many at once, on its own thread; connections stay open.
public final class PushClient: Sendable {
    private let reach: PushRecipient.Reach
    private let patience: Duration
    private let queue = DispatchQueue(label: "push", qos: .utility)
    private let isStopped = Atomic(false)
    private let connections = Mutex(Connections())

    /// The handle of libcurl; only `queue` touches it.
    private struct Connections: @unchecked Sendable {
        var handle: UnsafeMutableRawPointer?
    }

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    /// How many connections to one service are open at once; HTTP/2 needs only one.
    private static let connectionsAHost = 8

    /// - Parameter patience: How long one push may take. When one times out, all pushes to the same service are
    ///   aborted, so that the others don't wait for a silent service.
    public init(reach: PushRecipient.Reach, patience: Duration = .seconds(10)) {
        self.reach = reach
        self.patience = patience
    }

    deinit {
        connections.withLock { connections in
            if let handle = connections.handle { _ = curl_multi_cleanup(handle) }
        }
    }

    /// Aborts the current work, so that nothing waits for a silent service, and starts nothing more.
    public func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Sends pushes.
    ///
    /// - Returns: The result of each, in the same order.
    public func send(_ messages: [PushMessage]) async -> [PushOutcome] {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.deliver(messages)) }
        }
    }

    private func deliver(_ messages: [PushMessage]) -> [PushOutcome] {
        connections.withLock { connections in
            guard Self.isReady, !isStopped.load(ordering: .relaxed),
                let multi = connections.handle ?? curl_multi_init()
            else { return messages.map { _ in .later(nil) } }
            connections.handle = multi
            _ = village_curl_set_multi_number(multi, CURLMOPT_MAX_HOST_CONNECTIONS, Self.connectionsAHost)
            let transfers = messages.map { Transfer($0, reach, patience) }
            for case let curl? in transfers.map(\.curl) { _ = curl_multi_add_handle(multi, curl) }
            var running: Int32 = 0
            repeat {
                guard curl_multi_perform(multi, &running) == CURLM_OK else { break }
                Self.note(transfers, in: multi)
                if running > 0 { _ = curl_multi_poll(multi, nil, 0, 500, nil) }
            } while running > 0 && !isStopped.load(ordering: .relaxed)
            for case let curl? in transfers.map(\.curl) { _ = curl_multi_remove_handle(multi, curl) }
            return transfers.map(\.outcome)
        }
    }

    /// Records the finished transfers, and aborts those to a service that was silent.
    private static func note(_ transfers: [Transfer], in multi: UnsafeMutableRawPointer) {
        var silent: Set<String> = []
        var left: Int32 = 0
        while let said = curl_multi_info_read(multi, &left) {
            guard let one = transfers.first(where: { $0.curl == said.pointee.easy_handle }) else { continue }
            one.result = said.pointee.data.result
            if one.result == CURLE_OPERATION_TIMEDOUT { silent.insert(one.origin) }
        }
        for one in transfers where one.result == nil && silent.contains(one.origin) {
            one.result = CURLE_OPERATION_TIMEDOUT
            _ = curl_multi_remove_handle(multi, one.curl)
        }
    }

    /// One push being sent.
    private final class Transfer {
        let curl = curl_easy_init()
        let origin: String
        var result: CURLcode?
        private var headers: UnsafeMutablePointer<curl_slist>?
        private var isForbidden = false

        init(_ message: PushMessage, _ reach: PushRecipient.Reach, _ patience: Duration) {
            origin = message.origin
            guard let curl else { return }
            func set(_ option: CURLoption, _ value: Int) { _ = village_curl_set_number(curl, option, value) }
            func set(_ option: CURLoption, _ value: String) { _ = village_curl_set_text(curl, option, value) }
            set(CURLOPT_URL, message.endpoint)
            set(CURLOPT_PROTOCOLS_STR, reach == .loopback ? "http,https" : "https")
            set(CURLOPT_PROXY, "")
            set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
            set(CURLOPT_TIMEOUT_MS, Int(patience / .milliseconds(1)))
            // A signal could hit any thread.
            set(CURLOPT_NOSIGNAL, 1)
            // Wait for a connection that can be shared.
            set(CURLOPT_PIPEWAIT, 1)
            set(CURLOPT_POSTFIELDSIZE, message.body.count)
            message.body.withUnsafeBytes { bytes in
                _ = village_curl_set_pointer(
                    curl, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
            }
            for line in message.headers { headers = curl_slist_append(headers, line) }
            _ = village_curl_set_pointer(curl, CURLOPT_HTTPHEADER, headers)
            // Only the status matters; the body is ignored.
            _ = village_curl_set_transfer(curl, CURLOPT_WRITEFUNCTION) { _, size, count, _ in size * count }
            guard reach == .publicHosts else { return }
            let context = Unmanaged.passUnretained(self).toOpaque()
            _ = village_curl_set_pointer(curl, CURLOPT_OPENSOCKETDATA, context)
            _ = village_curl_set_opening(curl) { context, _, address in
                guard let context, let address else { return -1 }
                var bytes = [UInt8](repeating: 0, count: 16)
                let count = village_curl_address(address, &bytes)
                guard NetworkAddress(bytes: Array(bytes.prefix(Int(count)))).isPublic else {
                    Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().isForbidden = true
                    return -1
                }
                return village_curl_open(address)
            }
        }

        deinit {
            curl_slist_free_all(headers)
            if let curl { curl_easy_cleanup(curl) }
        }

        var outcome: PushOutcome {
            guard let curl, let result else { return .later(nil) }
            guard result != CURLE_OPERATION_TIMEDOUT else { return .silent }
            guard result == CURLE_OK else { return isForbidden ? .gone : .later(nil) }
            var status = 0
            var pause: curl_off_t = 0
            guard village_curl_get_status(curl, &status) == CURLE_OK else { return .later(nil) }
            _ = village_curl_get_pause(curl, &pause)
            switch status {
            case 200..<300: return .accepted
            case 404, 410: return .gone
            case 408, 429, 500...: return .later(pause > 0 ? Int(min(pause, 86_400)) : nil)
            default: return .refused(status)
            }
        }
    }
}
