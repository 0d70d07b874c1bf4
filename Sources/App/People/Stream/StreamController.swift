import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// `/stream`: what is new for a member, told to pages that stay open.
struct StreamController {
    let site: Site

    /// A stream of server-sent events, which goes on behind `Last-Event-ID`; to a script that can't listen the same as
    /// JSON, once. 204 tells a browser not to try again: there are too many already.
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
        // Proxies hand on each event as it comes.
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

    /// Writes what is new at first and whenever it is called for, until the session or the connection has ended.
    @concurrent private func tell(
        _ session: ID<Session>, after last: ID<TalkNews>?, whenCalled calls: AsyncStream<Listeners.Call>,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        // Read once it is called, so that nothing falls between.
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
        let (now, opening) = (site.now, site.opening)
        return try site.read { db in try News.find(for: session, after: last, opening, at: now, in: db) }
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = HTTPField.Name("Last-Event-ID")!
    fileprivate static let accelBuffering = HTTPField.Name("X-Accel-Buffering")!
}
