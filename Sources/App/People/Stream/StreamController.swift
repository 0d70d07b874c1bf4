import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// `/stream`: a member's news, for open pages.
struct StreamController {
    let site: Site

    /// A stream of server-sent events that continues after `Last-Event-ID`, or the same once as JSON for a script that
    /// can't use streams. 204 tells a browser not to try again, because there are too many streams.
    func listen(_ context: MemberContext) throws -> Response {
        let (session, account) = (context.member.session, context.member.account)
        let last = (context.visit.request.headers[.lastEventID] ?? context.query["after"]).flatMap { Int64($0) }
            .map { ID<TalkNews>($0) }
        if context.visit.request.wantsJSON {
            guard let news = try news(for: session, after: last) else { throw Refusal.signInFirst }
            return Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(string: news.json)))
        }
        guard site.listeners.hasRoom(for: account) else { return Response(status: .noContent) }
        // Makes proxies forward each event immediately.
        let headers: HTTPFields = [.contentType: "text/event-stream", .accelBuffering: "no"]
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                if let calls = site.listeners.join(account) {
                    try await tell(session, after: last, whenCalled: calls, to: &writer)
                }
                try await writer.finish(nil)
            })
    }

    /// Writes news at the start and at each call, until the session or connection ends.
    @concurrent private func tell(
        _ session: ID<Session>, after last: ID<TalkNews>?, whenCalled calls: AsyncStream<Listeners.Call>,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        // Read after joining, so that nothing is missed in between.
        guard var told = try news(for: session, after: last) else { return }
        try await writer.write(ByteBuffer(string: "retry: 3000\n\(told.event)"))
        for await call in calls {
            guard let news = try news(for: session, after: told.last) else { return }
            if !news.matches.isEmpty || !news.threads.isEmpty || news.unread != told.unread || news.post != told.post {
                try await writer.write(ByteBuffer(string: news.event))
                told = news
            } else if call == .silence {
                try await writer.write(ByteBuffer(string: ":\n\n"))
            }
        }
    }

    private func news(for session: ID<Session>, after last: ID<TalkNews>?) throws -> News? {
        let opening = site.opening
        return try site.read(at: site.now) { tx in try News.find(for: session, after: last, opening, in: tx) }
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = HTTPField.Name("Last-Event-ID")!
    fileprivate static let accelBuffering = HTTPField.Name("X-Accel-Buffering")!
}
