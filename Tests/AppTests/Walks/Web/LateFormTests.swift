import Database
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Testing

@testable import App

/// A form may take minutes to arrive, with a large picture hours: it counts as of the moment when all of it is there.
@Suite struct LateFormTests {
    /// A body that arrives only once something else has happened.
    private struct LateBody: AsyncSequence, Sendable {
        let text: ByteBuffer
        let meanwhile: @Sendable () async throws -> Void

        struct AsyncIterator: AsyncIteratorProtocol {
            let body: LateBody
            var isOver = false

            mutating func next() async throws -> ByteBuffer? {
                guard !isOver else { return nil }
                isOver = true
                try await body.meanwhile()
                return body.text
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: self) }
    }

    /// The status of a comment whose head is there before `meanwhile`, and its body after it.
    private func comment(
        _ text: String, by browser: Browser, _ site: TestSite, _ meanwhile: @escaping @Sendable () async throws -> Void
    ) async throws -> Int {
        let token = try await browser.visit("/posts/1").value(of: "csrf") ?? ""
        let body = LateBody(
            text: ByteBuffer(string: Browser.encode([("csrf", token), ("text", text)])), meanwhile: meanwhile)
        let cookie = Cookie.name(Session.cookieName, in: site.site.settings)
        let head = HTTPRequest(
            method: .post, scheme: "http", authority: browser.host, path: "/posts/1/comments",
            headerFields: [
                .cookie: "\(cookie)=\(browser.cookie(cookie) ?? "")", .secFetchSite: "same-origin",
                .contentType: "application/x-www-form-urlencoded",
            ])
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: site.port).get()
        let response = try await site.site.routes().router().buildResponder().respond(
            to: Request(head: head, body: RequestBody(asyncSequence: body)),
            context: SiteContext(source: .init(channel: channel, logger: Logger(label: "test"))))
        try await channel.close()
        return response.status.code
    }

    @Test func `a form is judged by the rights that its sender has when all of it is there`() async throws {
        try await withTestSite { site in
            let (ana, ben) = (try await site.signIn(.ana), try await site.signIn(.ben))
            _ = try await ana.visit("/timeline/new").press("Preview", filling: ["text": "Hello."]).press("Post it")
            let (account, clock) = (try await site.account(of: .ben), site.clock)
            let began = clock.now
            // The twin: where nothing happened meanwhile, it is written, as of its end.
            #expect(try await comment("In time", by: ben, site) { clock.advance(by: .minutes(5)) } == 303)
            #expect(
                try site.count(of: "comment WHERE text = 'In time' AND created_at = \(began + .minutes(5))") == 1)
            let suspended = try await comment("Too late", by: ben, site) {
                clock.advance(by: .minutes(5))
                try await site.write(at: clock.now) { tx in try Account.suspend(account, in: tx) }
            }
            #expect(suspended != 303)
            let (cleo, other) = (try await site.signIn(.cleo), try await site.account(of: .cleo))
            let left = try await comment("Too late", by: cleo, site) {
                clock.advance(by: .minutes(5))
                try await site.write(at: clock.now) { tx in try Account.leave(other, in: tx) }
            }
            #expect(left != 303)
            #expect(try site.count(of: "comment") == 1)
        }
    }
}
