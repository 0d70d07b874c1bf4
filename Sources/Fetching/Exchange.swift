import CCurl
import Domains

/// The data sent to a host that an operator named.
struct Sent {
    let form: String?
    let authorization: String?
}

/// One request to one host, and its response.
final class Exchange {
    /// The result of a request.
    enum Outcome {
        case arrived(Fetched)
        case leads(to: String)
    }

    /// The longest response head, in bytes.
    private static let longestHead = 64 << 10
    /// The longest validator that is stored or sent, in bytes.
    private static let longestValidator = 1_000

    private let place: WebAddress
    private let reach: Fetcher.Reach
    private let limit: Int
    private let curl = curl_easy_init()
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var isConditional = false
    private let isForm: Bool
    private var body: [UInt8] = []
    private var headCount = 0
    private var isTooLarge = false
    private var isForbidden = false

    init(
        with place: WebAddress, _ known: Validators?, sending sent: Sent? = nil, by fetcher: Fetcher,
        within patience: Duration
    ) {
        self.place = place
        reach = fetcher.reach
        limit = fetcher.limit
        isForm = sent?.form != nil
        guard let curl else { return }
        func set(_ option: CURLoption, _ value: Int) { _ = village_curl_set_number(curl, option, value) }
        func set(_ option: CURLoption, _ value: String) { _ = village_curl_set_text(curl, option, value) }
        _ = village_curl_set_pointer(curl, CURLOPT_CURLU, UnsafeMutableRawPointer(place.handle))
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        // Ignore proxies from the environment.
        set(CURLOPT_PROXY, "")
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let authorities = fetcher.authorities { set(CURLOPT_CAINFO, authorities) }
        set(CURLOPT_TIMEOUT_MS, max(1, Int(patience / .milliseconds(1))))
        // A signal could hit any thread.
        set(CURLOPT_NOSIGNAL, 1)
        // Stops a response that announces a larger size; `take` stops the others.
        set(CURLOPT_MAXFILESIZE, limit)
        set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
        set(CURLOPT_USERAGENT, fetcher.agent)
        if let sent {
            add("Accept: application/json")
            if let authorization = sent.authorization { add("Authorization: \(authorization)") }
            if let form = sent.form {
                // The form is short, so it is sent without asking first.
                add("Expect:")
                set(CURLOPT_COPYPOSTFIELDS, form)
            }
        } else {
            add("Accept: text/calendar, text/csv;q=0.9, */*;q=0.1")
        }
        if let tag = Self.sendable(known?.tag) { addCondition("If-None-Match: \(tag)") }
        if let modified = Self.sendable(known?.modified) { addCondition("If-Modified-Since: \(modified)") }
        _ = village_curl_set_pointer(curl, CURLOPT_HTTPHEADER, headers)
        listen(curl)
    }

    deinit {
        if let curl { curl_easy_cleanup(curl) }
        curl_slist_free_all(headers)
    }

    private func add(_ line: String) { headers = curl_slist_append(headers, line) }

    private func addCondition(_ line: String) {
        add(line)
        isConditional = true
    }

    /// A validator of one line of ASCII, as hosts normally send; nil for any other, or none.
    private static func sendable(_ text: String?) -> String? {
        guard let text, !text.isEmpty, text.utf8.count <= longestValidator,
            text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        return text
    }

    private static func of(_ context: UnsafeMutableRawPointer) -> Exchange {
        Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    }

    private func listen(_ curl: UnsafeMutableRawPointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_OPENSOCKETDATA] {
            _ = village_curl_set_pointer(curl, option, context)
        }
        // Accepting fewer bytes than offered aborts the transfer.
        _ = village_curl_set_transfer(curl, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let isTaken = Exchange.of(context).take(UnsafeRawBufferPointer(start: bytes, count: size * count))
            return isTaken ? size * count : 0
        }
        _ = village_curl_set_transfer(curl, CURLOPT_HEADERFUNCTION) { _, size, count, context in
            guard let context else { return 0 }
            return Exchange.of(context).takeHead(size * count) ? size * count : 0
        }
        // Checks the address of each connection just before it opens, no matter what the name resolved to.
        _ = village_curl_set_opening(curl) { context, _, address in
            guard let context, let address else { return -1 }
            var bytes = [UInt8](repeating: 0, count: 16)
            let count = village_curl_address(address, &bytes)
            guard Exchange.of(context).mayReach(NetworkAddress(bytes: Array(bytes.prefix(Int(count))))) else {
                return -1
            }
            return village_curl_open(address)
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= limit - body.count else {
            isTooLarge = true
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    private func takeHead(_ count: Int) -> Bool {
        headCount += count
        if headCount > Self.longestHead { isTooLarge = true }
        return !isTooLarge
    }

    private func mayReach(_ address: NetworkAddress) -> Bool {
        let isReached =
            switch reach {
            case .web: address.isPublic
            case .loopback: address.isLoopback
            case .named: true
            }
        if !isReached { isForbidden = true }
        return isReached
    }

    /// Sends the request, and waits for the whole response.
    func perform(isOver: () -> Bool) throws(FetchProblem) -> Outcome {
        guard let curl, let code = transfer(isOver: isOver) else { throw FetchProblem.unreachable }
        switch code {
        case CURLE_OK: return try outcome(curl)
        case CURLE_OPERATION_TIMEDOUT: throw FetchProblem.tooSlow
        case CURLE_FILESIZE_EXCEEDED: throw FetchProblem.tooLarge
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR: throw FetchProblem.badCertificate
        default:
            if isTooLarge { throw FetchProblem.tooLarge }
            throw isForbidden ? FetchProblem.privateAddress : FetchProblem.unreachable
        }
    }

    /// The result of the transfer; nil if it was aborted.
    private func transfer(isOver: () -> Bool) -> CURLcode? {
        guard let curl, let multi = curl_multi_init() else { return nil }
        _ = curl_multi_add_handle(multi, curl)
        defer {
            _ = curl_multi_remove_handle(multi, curl)
            _ = curl_multi_cleanup(multi)
        }
        var running: Int32 = 0
        repeat {
            guard curl_multi_perform(multi, &running) == CURLM_OK else { return nil }
            if running > 0 { _ = curl_multi_poll(multi, nil, 0, 100, nil) }
        } while running > 0 && !isOver()
        var left: Int32 = 0
        guard let said = curl_multi_info_read(multi, &left) else { return nil }
        return said.pointee.data.result
    }

    private func outcome(_ curl: UnsafeMutableRawPointer) throws(FetchProblem) -> Outcome {
        var status = 0
        guard village_curl_get_status(curl, &status) == CURLE_OK else { throw FetchProblem.unreachable }
        switch status {
        case 200, 203:
            let tag = Self.sendable(header("ETag"))
            let modified = Self.sendable(header("Last-Modified"))
            let validators = tag == nil && modified == nil ? nil : Validators(tag: tag, modified: modified)
            return .arrived(.new(bytes: body, validators: validators, type: header("Content-Type")))
        case 304 where isConditional: return .arrived(.same)
        case 301, 302, 303, 307, 308:
            guard let elsewhere = village_curl_get_redirect(curl) else { throw FetchProblem.status(status) }
            return .leads(to: String(cString: elsewhere))
        case 400 where isForm: throw FetchProblem.refused(body)
        default: throw FetchProblem.status(status)
        }
    }

    private func header(_ name: String) -> String? {
        village_curl_get_header(curl, name).map { String(cString: $0) }
    }
}
