import CCurl
import Synchronization

/// Gets documents from the web, each from a host that the caller allows, and never from a machine of its own network.
///
/// At most four are on their way at a time, on threads of their own, and four more at hosts that an operator named; no
/// connection outlives its answer.
public struct Fetcher: Sendable {
    /// Which machines are asked.
    public enum Reach: Sendable {
        /// Those of the Internet, by https and http.
        case web
        /// This machine alone: for tests, and for what an operator runs beside the site.
        case loopback
        /// Any machine, by https: for hosts that an operator named, and nobody else.
        case named
    }

    /// How many redirects are followed.
    static let redirects = 5
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    let reach: Reach
    let limit: Int
    let agent: String
    /// A file of certificates that are believed in place of those of the system's authorities: for tests.
    let authorities: String?
    private let patience: Duration

    /// - Parameters:
    ///   - patience: How long one document may take, with its redirects; waiting for its turn isn't counted.
    ///   - limit: How many bytes it may have, unpacked.
    ///   - agent: What the program calls itself.
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

    /// Gets what is at an address. Up to 5 redirects are followed, each only where the host may be asked, and none from
    /// https to http; `webcal:` is `https:`. Where the task is canceled, it ends at once, as
    /// ``FetchProblem/unreachable``.
    ///
    /// - Parameters:
    ///   - known: What the host said of the document that is there already.
    ///   - mayAsk: Whether a host may be asked: its name in ASCII and small letters (`xn--bcher-kva.example`), without
    ///     a port. It is called on another thread.
    public func get(
        _ address: String, unless known: Validators?, mayAsk: @escaping @Sendable (String) -> Bool
    ) async throws(FetchProblem) -> Fetched {
        try await run { errand throws(FetchProblem) in try self.follow(address, known, mayAsk, errand) }
    }

    /// Has it done by one of the threads that may wait.
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

    /// Asks one host, which the operator named, and is given no other: no redirect is followed.
    ///
    /// - Parameters:
    ///   - form: What is sent there, `application/x-www-form-urlencoded`; nil where a document is read.
    ///   - authorization: What stands in the field of that name.
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

/// One call of `get`: it is answered once, by a thread that got the document, or because nobody wants it anymore.
private final class Errand: Sendable {
    typealias Answer = Result<Fetched, FetchProblem>

    private struct State {
        var continuation: CheckedContinuation<Answer, Never>?
        var isOver = false
    }

    private let state = Mutex(State())

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Whether somebody still wants it.
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
