import Crypto
import Foundation
import Testing

@testable import WebPush

@Suite struct WebPushTests {
    private func bytes(_ text: String) throws -> Data { try #require(Data(base64URL: text)) }

    private let key = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    private let secret = "BTBZMqHH6r4Tts7J_aSIgg"

    private func recipient(
        at endpoint: String = "https://push.example/a1", _ reach: PushRecipient.Reach = .publicHosts
    ) -> PushRecipient? {
        PushRecipient(endpoint: endpoint, publicKey: key, secret: secret, reach: reach)
    }

    @Test func `a text becomes the bytes of RFC 8291, appendix A`() throws {
        let sender = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
        let body = try PushMessage.encrypted(
            Data("When I grow up, I want to be a watermelon".utf8), filling: 0, to: #require(recipient()), by: sender,
            salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"))
        #expect(
            body.base64URL == """
                DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEq\
                KK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN
                """)
    }

    @Test func `a push service reads who signed, and its browser what it says`() async throws {
        let service = try PushService()
        let identity = try #require(PushIdentity(stored: PushIdentity().stored))
        let client = PushClient(reach: .loopback)
        let now = Int64(1_800_000_000)
        let messages = try service.browsers.enumerated().map { number, browser in
            let recipient = try #require(
                PushRecipient(
                    endpoint: browser.endpoint, publicKey: browser.key, secret: browser.secret, reach: .loopback))
            return try PushMessage(
                Data(#"{"title": "\#(String(repeating: "Ä", count: 300 * number))"}"#.utf8), to: recipient,
                from: identity,
                .init(lifetime: 60, urgency: .high, topic: recipient.topic(of: "one")),
                contact: "mailto:desk@village.example", at: now)
        }
        #expect(await client.send(messages) == [.accepted, .accepted])
        let pushes = try service.pushes.sorted { $0.browser < $1.browser }
        #expect(pushes.map { $0.text.title?.count } == [0, 300])
        #expect(pushes.allSatisfy { $0.signer == identity.publicKey && $0.contact == "mailto:desk@village.example" })
        #expect(pushes.allSatisfy { $0.lifetime == 60 && $0.urgency == "high" && $0.expires == now + 12 * 3_600 })
        // Filled up: 512 or 1,024 bytes, and what stands around them.
        #expect(pushes.map(\.size) == [512 + 102, 1_024 + 102])
        #expect(pushes[0].topic != pushes[1].topic)
        for (mode, outcome): (String, PushOutcome) in [
            ("404", .gone), ("410", .gone), ("429 120", .later(120)), ("503", .later(nil)), ("413", .refused(413)),
            ("307", .refused(307)),
        ] {
            try service.set(mode)
            #expect(await client.send([messages[0]]) == [outcome], "\(mode)")
        }
        // Where nobody answers, and once it is stopped.
        client.stop()
        #expect(await client.send([messages[0]]) == [.later(nil)])
    }

    @Test func `a service can be no machine of ours`() async throws {
        for endpoint in [
            "https://fcm.googleapis.com/fcm/send/dA:b_c-1", "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
            "https://web.push.apple.com/QGu?x=1",
        ] {
            #expect(recipient(at: endpoint)?.endpoint == endpoint)
        }
        for endpoint in [
            "http://push.example/a", "http://127.0.0.1:80/a", "https://localhost/a", "https://127.0.0.1/a",
            "https://0x7f000001/a", "https://127.0.0.0x1/a", "https://[::1]/a", "https://me@push.example/a",
            "https://push.example:22/a", "https://push.example/a b", "https://push..example/a", "https:///a", "",
            "ftp://push.example/a", "https://push.example/\u{E4}", "https://push.example/\r\nX: y",
            "https://push.example/" + String(repeating: "a", count: 2_000),
        ] {
            #expect(recipient(at: endpoint) == nil, "\(endpoint)")
        }
        for (key, secret) in [(key, "AAAA"), ("BA", secret), ("", "")] {
            let none = PushRecipient(
                endpoint: "https://push.example/", publicKey: key, secret: secret, reach: .publicHosts)
            #expect(none == nil)
        }
    }

    @Test func `a key is as long as keys are, however it is written`() {
        func isTaken(_ key: String, _ secret: String) -> Bool {
            let endpoint = "https://push.example/a"
            return PushRecipient(endpoint: endpoint, publicKey: key, secret: secret, reach: .publicHosts) != nil
        }
        #expect(isTaken(key, secret) && isTaken(key + "=", secret + "=="))
        let filling = String(repeating: "=", count: 100)
        #expect(!isTaken(key + filling, secret) && !isTaken(key, secret + filling))
    }

    @Test func `a service that is silent keeps nothing waiting that goes elsewhere, and no more that goes there`()
        async throws
    {
        let (silent, good) = (try PushService(browsers: 20), try PushService(browsers: 1))
        try silent.set("0")
        let messages = try (silent.browsers + good.browsers).map { browser in
            let recipient = try #require(
                PushRecipient(
                    endpoint: browser.endpoint, publicKey: browser.key, secret: browser.secret, reach: .loopback))
            return try PushMessage(
                Data("{}".utf8), to: recipient, from: PushIdentity(), .init(lifetime: 1, urgency: .low, topic: "YQ"),
                contact: "mailto:a@b.example", at: 1)
        }
        let outcomes = await PushClient(reach: .loopback, patience: .seconds(2)).send(messages)
        #expect(outcomes == Array(repeating: .silent, count: 20) + [.accepted])
        // As many as there are connections: the others ended before they began.
        #expect(try silent.pushes.count <= 8)
    }

    @Test func `no connection is opened to this machine, whatever its name`() async throws {
        let service = try PushService(browsers: 1)
        let browser = service.browsers[0]
        let recipient = try #require(
            PushRecipient(endpoint: browser.endpoint, publicKey: browser.key, secret: browser.secret, reach: .loopback))
        var message = try PushMessage(
            Data("{}".utf8), to: recipient, from: PushIdentity(), .init(lifetime: 1, urgency: .low, topic: "a"),
            contact: "mailto:a@b.example", at: 1)
        // As if a name of the Internet led here.
        message.endpoint = "https://localhost:" + browser.endpoint.split(separator: ":")[2]
        #expect(await PushClient(reach: .publicHosts).send([message]) == [.gone])
        #expect(await PushClient(reach: .loopback).send([message]) == [.later(nil)])
    }
}
