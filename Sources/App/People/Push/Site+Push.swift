import Database
import Forms
import Templating
import WebPush

extension Site {
    /// The client for push services.
    func pushClient() -> PushClient { PushClient(reach: settings.pushReach) }

    /// The key with which this site signs pushes on all of its nodes, created when first needed.
    func pushIdentity() async throws -> PushIdentity {
        func kept(_ db: Connection) throws -> PushIdentity? {
            try Note.value("push", in: db).flatMap { PushIdentity(stored: $0) }
        }
        if let identity = try read(kept) { return identity }
        return try await writeQuietly { db in
            if let identity = try Note.value("push", in: db).flatMap({ PushIdentity(stored: $0) }) { return identity }
            let identity = PushIdentity()
            try Note.set("push", identity.stored, in: db)
            return identity
        }
    }

    /// The public key that a browser needs to subscribe.
    func pushKey() async throws -> String { try await pushIdentity().publicKey }

    /// Whether the site can push to a subscription.
    func takesPushes(endpoint: String, publicKey: String, secret: String) -> Bool {
        PushRecipient(endpoint: endpoint, publicKey: publicKey, secret: secret, reach: settings.pushReach) != nil
    }

    /// A push as a message; nil if its browser accepts none.
    func message(of push: Push, from identity: PushIdentity, at now: Instant) throws -> PushMessage? {
        guard
            let recipient = PushRecipient(
                endpoint: push.endpoint, publicKey: push.publicKey, secret: push.secret, reach: settings.pushReach)
        else { return nil }
        let topic = recipient.topic(of: push.sort)
        let text = text(of: push, tag: topic, in: push.language.flatMap { language(named: $0) } ?? languages[0])
        let urgency: PushMessage.Urgency = push.kind.isUrgent ? .high : push.kind.isForNow ? .normal : .low
        let left = (push.endsAt - now).components.seconds
        return try PushMessage(
            text.bytes, to: recipient, from: identity, .init(lifetime: left, urgency: urgency, topic: topic),
            contact: settings.pushContact, at: now.milliseconds / 1_000)
    }

    /// The text for the service worker: only the kind of news. Everything else is on the page that it opens.
    private func text(of push: Push, tag: String, in language: Language) -> JSON {
        let words: Words = "There is something new in your inbox."
        return [
            "title": .string(push.kind.name.text(in: language)), "body": .string(words.text(in: language)),
            "lang": .string(language.name), "dir": language.isRightToLeft ? "rtl" : "ltr",
            "path": .string(Link.notice(push.notice).string), "unread": .integer(push.unread), "tag": .string(tag),
        ]
    }
}
