import Forms
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// `/me/export` and `/me/delete`: exporting one's data, and leaving.
struct KeepingController {
    let site: Site

    func export(_ context: MemberContext) -> Response {
        context.page(Templates.people.keeping.export(form: Submission()))
    }

    func download(_ context: MemberContext) async throws -> Response {
        var submission = context.submission(AgainForm.self)
        guard try await site.opened(&submission, with: \.current, by: context.member, context.visit) != nil else {
            return context.again(Templates.people.keeping.export(form: submission))
        }
        var response = Response(
            status: .ok, body: try await site.export(of: context.member.account, in: context.language))
        response.headers[.contentType] = "application/zip"
        response.headers[.contentDisposition] = ContentDisposition.attachment(context.member.username, kind: "zip")
        return response
    }

    func leaving(_ context: MemberContext) throws -> Response {
        context.page(Templates.people.keeping.delete(leaving: try leaving(of: context), form: Submission()))
    }

    func leave(_ context: MemberContext) async throws -> Response {
        var submission = context.submission(AgainForm.self)
        guard try await site.opened(&submission, with: \.current, by: context.member, context.visit) != nil else {
            return context.again(
                Templates.people.keeping.delete(leaving: try leaving(of: context), form: submission))
        }
        let account = context.member.account
        // Without a mail server nothing is stored for a letter.
        let hasMail = site.settings.smtp != nil
        do {
            try await site.write(at: context.now) { tx in try Account.leave(account, hasFarewell: hasMail, in: tx) }
        } catch is Role.IsLastAdmin {
            return context.again(
                Templates.people.keeping.delete(leaving: try leaving(of: context), form: submission))
        }
        var response = context.redirect(to: .start, flash: .accountDeleted)
        response.headers.append(Session.endedCookie(site.settings))
        response.headers.forgetSite()
        return response
    }

    private func leaving(of context: MemberContext) throws -> Leaving {
        try site.read(at: context.now) { tx in try Leaving(of: context.member.account, in: tx) }
    }
}

extension Site {
    /// All data about a member, as a ZIP with a JSON file per kind and the pictures, produced piece by piece.
    fileprivate func export(of account: ID<Account>, in language: Language) async throws -> ResponseBody {
        let (lists, hashes) = try await readSlowly { db in
            (
                try RetentionRule.allCases.flatMap { $0.exports(of: account) }.map {
                    ($0.name, try $0.entries(in: db))
                },
                try Picture.hashes(of: account, in: db)
            )
        }
        let about = RetentionRule.allCases.map { "\($0.what.text(in: language)): \($0.howLong.text(in: language))" }
        let media = media
        return ResponseBody { writer in
            var zip = ZIP()
            try await writer.write(ByteBuffer(bytes: zip.entry("about.txt", Array(about.joined(separator: "\n").utf8))))
            for (name, entries) in lists where !entries.isEmpty {
                let list = "[\n\(entries.joined(separator: ",\n"))\n]\n"
                try await writer.write(ByteBuffer(bytes: zip.entry("\(name).json", Array(list.utf8))))
            }
            for hash in hashes {
                guard let picture = try media.bytes(hash, .full) else { continue }
                try await writer.write(ByteBuffer(bytes: zip.entry("pictures/\(hash).webp", picture)))
            }
            try await writer.write(ByteBuffer(bytes: zip.end))
            try await writer.finish(nil)
        }
    }
}
