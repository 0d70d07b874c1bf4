import CCurl
import Synchronization

/// Fetches documents from the web, only from hosts that the caller allows, and never from a local network.
///
/// At most four are on their way at a time, on threads of their own, and four more at hosts that an operator named; no
/// connection outlives its answer.
public struct Fetcher: Sendable {
    /// The machines that may be asked.
    public enum Reach: Sendable {
        /// Hosts on the public Internet, by https or http.
        case web
        /// Only this machine: for tests, and for programs that an operator runs beside the site.
        case loopback
        /// Any machine, by https: only for hosts that an operator named.
        case named
    }

    /// The number of redirects to follow.
    static let redirects = 5
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    let reach: Reach
    let limit: Int
    let agent: String
    /// A file of certificates to trust in place of the system's, for tests.
    let authorities: String?
    private let patience: Duration

    /// - Parameters:
    ///   - patience: How long one document may take, with redirects; time in the queue doesn't count.
    ///   - limit: The most bytes it may have, unpacked.
    ///   - agent: The value of the `User-Agent` header.
    public init(
        reach: Reach, patience: Duration = .seconds(20), limit: Int = 5 << 20, agent: String = "Village"
    ) {
        self.init(reach: reach, patience: patience, limit: limit, agent: agent, authorities: nil)
    }

    init(
        reach: Reach, patience: Duration = .seconds(20), limit: Int = 5 << 20, agent: String = "Village",
        authorities: String?
    ) {
        self.reach = reach
        self.patience = patience
        self.limit = limit
        self.agent = agent.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? agent : "Village"
        self.authorities = authorities
    }

    /// Fetches the document at an address. Up to 5 redirects are followed, each only to an allowed host and never from
    /// https to http; `webcal:` is read as `https:`. Canceling the task ends the fetch at once with
    /// ``FetchProblem/unreachable``.
    ///
    /// - Parameters:
    ///   - known: The validators of the copy the caller already has.
    ///   - mayAsk: Whether a host may be asked, given its name in lowercase ASCII (`xn--bcher-kva.example`), without a
    ///     port. It is called on another thread.
    public func get(
        _ address: String, unless known: Validators?, mayAsk: @escaping @Sendable (String) -> Bool
    ) async throws(FetchProblem) -> Fetched {
        try await run { errand throws(FetchProblem) in try self.follow(address, known, mayAsk, errand) }
    }

    /// Runs `work` on a thread that may block.
    private func run(
        in line: Line = .shared, _ work: @escaping @Sendable (Errand) throws(FetchProblem) -> Fetched
    ) async throws(FetchProblem) -> Fetched {
        let errand = Errand()
        let answer: Errand.Answer = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Errand.Answer, Never>) in
                guard errand.begin(continuation) else { return }
                line.run {
                    do throws(FetchProblem) {
                        errand.end(with: .success(try work(errand)))
                    } catch {
                        errand.end(with: .failure(error))
                    }
                }
            }
        } onCancel: {
            errand.end(with: .failure(.unreachable))
        }
        return try answer.get()
    }

    /// Sends a request to a host that the operator named. No redirect is followed.
    ///
    /// - Parameters:
    ///   - form: The body, `application/x-www-form-urlencoded`; nil to read a document.
    ///   - authorization: The value of the `Authorization` header.
    public func ask(
        _ address: String, form: String? = nil, authorization: String? = nil
    ) async throws(FetchProblem) -> [UInt8] {
        let sent = Sent(form: form, authorization: authorization)
        let fetched = try await run(in: .named) { errand throws(FetchProblem) in
            guard Self.isReady, !errand.isOver else { throw FetchProblem.unreachable }
            guard let place = WebAddress(address) else { throw FetchProblem.badAddress }
            guard place.isSecure || self.reach == .loopback else { throw FetchProblem.notSecure }
            let exchange = Exchange(with: place, nil, sending: sent, by: self, within: self.patience)
            switch try exchange.perform(isOver: { errand.isOver }) {
            case .arrived(let fetched): return fetched
            case .leads: throw FetchProblem.tooManyRedirects
            }
        }
        guard case .new(let bytes, _, _) = fetched else { throw FetchProblem.unreachable }
        return bytes
    }

    private func follow(
        _ address: String, _ known: Validators?, _ mayAsk: (String) -> Bool, _ errand: Errand
    ) throws(FetchProblem) -> Fetched {
        guard Self.isReady, !errand.isOver else { throw FetchProblem.unreachable }
        guard var place = WebAddress(address) else { throw FetchProblem.badAddress }
        let end = ContinuousClock.now + patience
        for _ in 0...Self.redirects {
            guard mayAsk(place.host) else { throw FetchProblem.notAllowed(host: place.host) }
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { throw FetchProblem.tooSlow }
            let exchange = Exchange(with: place, known, by: self, within: left)
            switch try exchange.perform(isOver: { errand.isOver }) {
            case .arrived(let fetched): return fetched
            case .leads(let elsewhere):
                guard let next = WebAddress(elsewhere) else { throw FetchProblem.badAddress }
                guard next.isSecure || !place.isSecure else { throw FetchProblem.notSecure }
                place = next
            }
        }
        throw FetchProblem.tooManyRedirects
    }
}

/// One call of `get`. It is answered once: by the thread that fetched the document, or when the caller cancels.
private final class Errand: Sendable {
    typealias Answer = Result<Fetched, FetchProblem>

    private struct State {
        var continuation: CheckedContinuation<Answer, Never>?
        var isOver = false
    }

    private let state = Mutex(State())

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Returns whether the caller still wants the answer.
    func begin(_ continuation: CheckedContinuation<Answer, Never>) -> Bool {
        let begins = state.withLock { state in
            guard !state.isOver else { return false }
            state.continuation = continuation
            return true
        }
        if !begins { continuation.resume(returning: .failure(.unreachable)) }
        return begins
    }

    func end(with answer: Answer) {
        let continuation = state.withLock { state in
            defer { state.continuation = nil }
            state.isOver = true
            return state.continuation
        }
        continuation?.resume(returning: answer)
    }
}
