import Dispatch
import Domains
import Foundation
import Synchronization
import Testing

@testable import Fetching

/// Getting documents from a real host that redirects, exaggerates, breaks off and says nothing.
@Suite struct FetchingTests {
    private let calendar = Array("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n".utf8)

    private func get(
        _ address: String, by fetcher: Fetcher = Fetcher(reach: .loopback), unless known: Validators? = nil,
        mayAsk: @escaping @Sendable (String) -> Bool = { _ in true }
    ) async -> Result<Fetched, FetchProblem> {
        do throws(FetchProblem) {
            return .success(try await fetcher.get(address, unless: known, mayAsk: mayAsk))
        } catch {
            return .failure(error)
        }
    }

    private func text(_ result: Result<Fetched, FetchProblem>) -> String? {
        guard case .success(.new(let bytes, _, _)) = result else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `a document comes whole, and not again while it is the same`() async throws {
        let host = try WebHost()
        let validators = Validators(tag: "\"one\"", modified: "Sun, 29 Nov 2026 12:00:00 GMT")
        let whole = Fetched.new(bytes: calendar, validators: validators, type: "text/calendar; charset=utf-8")
        let address = host.origin + "/calendar"
        #expect(await get(address) == .success(whole))
        #expect(await get(address, unless: validators) == .success(.same))
        #expect(await get(address, unless: Validators(tag: validators.tag)) == .success(.same))
        #expect(await get(address, unless: Validators(modified: validators.modified)) == .success(.same))
        #expect(await get(address, unless: Validators(tag: "\"two\"")) == .success(whole))
        // A host that says nothing of its state; and a “same” that nobody asked for is no document.
        let plain = Fetched.new(bytes: calendar, validators: nil, type: nil)
        #expect(await get(host.origin + "/plain", unless: validators) == .success(plain))
        #expect(await get(host.origin + "/status/304") == .failure(.status(304)))
    }

    @Test func `what isn't the document is none`() async throws {
        let host = try WebHost()
        for status in [204, 206, 300, 401, 404, 410, 429, 500, 503] {
            #expect(await get(host.origin + "/status/\(status)") == .failure(.status(status)), "\(status)")
        }
        #expect(await get(host.origin + "/cut") == .failure(.unreachable))
        #expect(await get("http://127.0.0.1:1/") == .failure(.unreachable))
    }

    @Test func `a host reads what is asked for and by which program, and nothing of a visit before`() async throws {
        let host = try WebHost()
        let address = host.origin + "/to/302?/asked"
        let strange = Validators(tag: "a\r\nX-Other: b", modified: String(repeating: "a", count: 2_000))
        let asked = try #require(
            await text(get(address, by: Fetcher(reach: .loopback, agent: "Village 1 (a.example)"), unless: strange)))
        let lines = Set(asked.split(separator: "\n").map(String.init))
        #expect(
            lines == [
                "Host: \(host.origin.dropFirst("http://".count))",
                "Accept: text/calendar, text/csv;q=0.9, */*;q=0.1", "Accept-Encoding: gzip, deflate",
                "User-Agent: Village 1 (a.example)",
            ])
        let other = try #require(
            await text(get(host.origin + "/asked", by: Fetcher(reach: .loopback, agent: "a\r\nX-Other: b"))))
        #expect(other.contains("User-Agent: Village\n") && !other.contains("X-Other"))
    }

    @Test func `five redirects are followed, a loop is not`() async throws {
        let host = try WebHost()
        #expect(await text(get(host.origin + "/hops/5")) == String(decoding: calendar, as: UTF8.self))
        #expect(await get(host.origin + "/hops/6") == .failure(.tooManyRedirects))
        #expect(await get(host.origin + "/loop") == .failure(.tooManyRedirects))
        for status in [301, 302, 303, 307, 308] {
            #expect(await text(get(host.origin + "/to/\(status)?/plain")) != nil, "\(status)")
        }
    }

    @Test func `each host on the way must be one that may be asked`() async throws {
        let host = try WebHost()
        let port = host.origin.split(separator: ":")[2]
        let asked = Mutex<[String]>([])
        let one: @Sendable (String) -> Bool = { name in name == "127.0.0.1" }
        #expect(await get("http://LOCALHOST.:\(port)/plain", mayAsk: one) == .failure(.notAllowed(host: "localhost")))
        let elsewhere = host.origin + "/to/302?http://localhost:\(port)/plain"
        #expect(await get(elsewhere, mayAsk: one) == .failure(.notAllowed(host: "localhost")))
        #expect(await text(get(host.origin + "/to/302?/plain", mayAsk: one)) != nil)
        // The same way, where both may be asked: each once, in order.
        _ = await get(elsewhere) { name in
            asked.withLock { $0.append(name) }
            return true
        }
        let names = asked.withLock { $0 }
        #expect(names == ["127.0.0.1", "localhost"])
    }

    @Test func `a redirect leads to no other machine, no file and no password`() async throws {
        let host = try WebHost()
        for (target, problem): (String, FetchProblem) in [
            ("http://10.0.0.1/", .privateAddress), ("http://169.254.169.254/latest", .privateAddress),
            ("file:///etc/passwd", .badAddress), ("ftp://127.0.0.1/a", .badAddress),
            ("http://me:secret@127.0.0.1/", .badAddress),
        ] {
            #expect(await get(host.origin + "/to/302?" + target) == .failure(problem), "\(target)")
        }
    }

    @Test func `a host shows a certificate that is believed, and https stays https`() async throws {
        let (host, plain) = (try WebHost(tls: true), try WebHost())
        let believing = Fetcher(reach: .loopback, authorities: host.certificate)
        #expect(await text(get(host.origin + "/plain", by: believing)) != nil)
        #expect(await text(get("webcal:\(host.origin.dropFirst("https:".count))/plain", by: believing)) != nil)
        #expect(await text(get(plain.origin + "/to/302?\(host.origin)/plain", by: believing)) != nil)
        #expect(await get(host.origin + "/plain") == .failure(.badCertificate))
        let down = host.origin + "/to/302?\(plain.origin)/plain"
        #expect(await get(down, by: believing) == .failure(.notSecure))
        // The certificate is another host's.
        let other = host.origin.replacing("127.0.0.1", with: "localhost")
        #expect(await get(other + "/plain", by: believing) == .failure(.badCertificate))
    }

    @Test func `a document has so many bytes and no more, however it is packed`() async throws {
        let host = try WebHost()
        let fetcher = Fetcher(reach: .loopback, limit: 10_000)
        for path in ["/measured/10000", "/packed/10000"] {
            #expect(await text(get(host.origin + path, by: fetcher))?.utf8.count == 10_000, "\(path)")
        }
        for path in ["/measured/10001", "/packed/10001", "/packed/50000000", "/endless", "/heads/100"] {
            #expect(await get(host.origin + path, by: fetcher) == .failure(.tooLarge), "\(path)")
        }
    }

    private func ask(
        _ address: String, form: String? = nil, authorization: String? = nil,
        by fetcher: Fetcher = Fetcher(reach: .loopback)
    ) async -> Result<String, FetchProblem> {
        do throws(FetchProblem) {
            let bytes = try await fetcher.ask(address, form: form, authorization: authorization)
            return .success(String(decoding: bytes, as: UTF8.self))
        } catch {
            return .failure(error)
        }
    }

    @Test func `a host that an operator named is sent a form, and leads nowhere else with it`() async throws {
        let host = try WebHost()
        let said = "POST\napplication/x-www-form-urlencoded\nBasic YTpi\na=b&c=%20"
        #expect(await ask(host.origin + "/form", form: "a=b&c=%20", authorization: "Basic YTpi") == .success(said))
        let asked = try await ask(host.origin + "/asked").get()
        #expect(asked.contains("Accept: application/json") && !asked.contains("Authorization"))
        for status in [301, 302, 303, 307, 308] {
            let address = host.origin + "/to/\(status)?\(host.origin)/plain"
            #expect(await ask(address, form: "a=b") == .failure(.tooManyRedirects), "\(status)")
            #expect(await ask(address) == .failure(.tooManyRedirects), "\(status)")
        }
        // What it says with a no to a form is read; a document that isn't there has nothing to say.
        guard case .failure(.refused) = await ask(host.origin + "/status/400", form: "a=b") else {
            Issue.record("it took the form")
            return
        }
        #expect(await ask(host.origin + "/status/400") == .failure(.status(400)))
        #expect(
            await ask(host.origin + "/measured/10001", by: Fetcher(reach: .loopback, limit: 10_000))
                == .failure(.tooLarge))
        let hasty = Fetcher(reach: .loopback, patience: .milliseconds(200))
        #expect(await ask(host.origin + "/silent", form: "a=b", by: hasty) == .failure(.tooSlow))
    }

    @Test func `a host that an operator named may stand in our own network, and is asked by https alone`()
        async throws
    {
        let (host, plain) = (try WebHost(tls: true), try WebHost())
        let named = Fetcher(reach: .named, authorities: host.certificate)
        #expect((try? await ask(host.origin + "/plain", by: named).get()) != nil)
        #expect(await ask(host.origin + "/plain", by: Fetcher(reach: .named)) == .failure(.badCertificate))
        #expect(await ask(plain.origin + "/plain", by: named) == .failure(.notSecure))
        // The twin: a host of the web is none there.
        let web = Fetcher(reach: .web, authorities: host.certificate)
        #expect(await ask(host.origin + "/plain", by: web) == .failure(.privateAddress))
    }

    @Test func `a host that says a byte now and then, or none, is waited for no longer than there is patience`()
        async throws
    {
        let host = try WebHost()
        let fetcher = Fetcher(reach: .loopback, patience: .milliseconds(200))
        for path in ["/trickle", "/silent"] {
            #expect(await get(host.origin + path, by: fetcher) == .failure(.tooSlow), "\(path)")
        }
    }

    @Test func `a task that is canceled waits for nothing`() async throws {
        let host = try WebHost()
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let address = host.origin + "/silent"
        let task = Task {
            await get(address, by: Fetcher(reach: .loopback, patience: .seconds(600))) { _ in
                begin.yield()
                return true
            }
        }
        for await _ in begun.prefix(1) {}
        task.cancel()
        #expect(await task.value == .failure(.unreachable))
        // One that was canceled before asks nobody.
        let late = Task {
            // Ends with the task.
            for await _ in begun {}
            return await get(host.origin + "/plain")
        }
        late.cancel()
        #expect(await late.value == .failure(.unreachable))
    }

    @Test func `a host that an operator named is asked while all others keep us waiting`() async throws {
        let host = try WebHost()
        let gate = DispatchSemaphore(value: 0)
        let leftEarly = Mutex(0)
        for _ in 0..<4 {
            // If both were on the same threads, the answer would come only after this long. A suite that begins may
            // take minutes to resume a test, so it is long.
            Line.shared.run {
                if gate.wait(timeout: .now() + 600) == .timedOut { leftEarly.withLock { $0 += 1 } }
            }
        }
        let answer = await ask(host.origin + "/form", form: "a=b")
        #expect(leftEarly.withLock(\.self) == 0)
        #expect((try? answer.get()) != nil)
        for _ in 0..<4 { gate.signal() }
    }

    @Test func `four are on their way at a time, and the others have their turn`() async {
        let line = Line(4)
        let gate = DispatchSemaphore(value: 0)
        let counts = Mutex((inside: 0, most: 0))
        let (entries, enter) = AsyncStream.makeStream(of: Void.self)
        for _ in 0..<12 {
            line.run {
                counts.withLock { counts in
                    counts.inside += 1
                    counts.most = max(counts.most, counts.inside)
                }
                enter.yield()
                gate.wait()
                counts.withLock { $0.inside -= 1 }
            }
        }
        for await _ in entries.prefix(4) {}
        #expect(line.waiting == 8)
        for _ in 0..<12 { gate.signal() }
        for await _ in entries.prefix(8) {}
        let most = counts.withLock { $0.most }
        #expect(most == 4 && line.waiting == 0)
    }

    @Test(arguments: [
        "http://127.0.0.1", "http://127.1/", "http://[::1]", "http://169.254.169.254", "http://0.0.0.0", "http://0/",
        "http://2130706433", "http://0x7f.0.0.1/", "http://localhost", "https://localhost:1/",
        "webcal://10.0.0.1/a.ics", "http://192.168.1.1/", "http://[::]/", "http://[::ffff:127.0.0.1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/", "http://[fe80::1]/", "http://[fd00:ec2::254]/", "http://168.63.129.16/",
    ])
    func `no connection is opened to a machine of our own network, whatever it is called`(address: String) async {
        #expect(await get(address, by: Fetcher(reach: .web)) == .failure(.privateAddress))
    }

    @Test func `an address is read once, and is none with a password`() {
        for (typed, host, isSecure): (String, String, Bool) in [
            ("https://library.example/a.ics", "library.example", true),
            ("  HTTP://Library.Example.:8080/a?b=c#d\n", "library.example", false),
            ("WebCal://library.example/a", "library.example", true),
            ("https://Bücher.example/Ä b.ics", "xn--bcher-kva.example", true),
            ("http://2130706433/", "127.0.0.1", false), ("http://[::1]:80/", "[::1]", false),
        ] {
            let address = WebAddress(typed)
            #expect(address?.host == host && address?.isSecure == isSecure, "\(typed)")
        }
        for typed in [
            "", "a.ics", "library.example/a.ics", "http://", "https:///", "ftp://a.example/", "file:///etc/passwd",
            "javascript:alert(1)", "https://me@a.example/", "https://me:secret@a.example/",
            "https://:secret@a.example/", "https://a b.example/", "https://a.example\u{0}.b.example/",
            "https://a.example/\r\nX: y",
            "https://a.example／@b.example/", "https://a.example/" + String(repeating: "a", count: 2_000),
        ] {
            #expect(WebAddress(typed) == nil, "\(typed)")
        }
    }

    @Test func `a number is of the Internet, or of this machine, its network, an example or another number`() {
        func wide(_ start: UInt8..., end: [UInt8] = []) -> [UInt8] {
            start + Array(repeating: 0, count: 16 - start.count - end.count) + end
        }
        let ofInternet: [[UInt8]] = [
            [8, 8, 8, 8], [172, 32, 0, 1], [100, 128, 0, 1], [168, 63, 129, 17], wide(0x26, 0x06, 0x47),
            wide(0x20, 0x01, 0x02), wide(0x2A),
        ]
        for bytes in ofInternet { #expect(NetworkAddress(bytes: bytes).isPublic, "\(bytes)") }
        let others: [[UInt8]] = [
            [127, 0, 0, 1], [10, 1, 2, 3], [172, 31, 0, 1], [192, 168, 1, 1], [169, 254, 169, 254], [100, 64, 0, 1],
            [100, 100, 100, 200], [192, 0, 0, 192], [168, 63, 129, 16], [198, 19, 0, 1], [224, 0, 0, 1],
            [255, 255, 255, 255], [0, 0, 0, 0], [], [8, 8, 8],
            // This machine, the network it stands in, several at once.
            wide(end: [1]), wide(), wide(0xFC), wide(0xFD), wide(0xFE, 0x80), wide(0xFE, 0xC0), wide(0xFF, 0x02),
            // An address of 4 bytes in one of 16: mapped, compatible, by NAT64, 6to4 and Teredo.
            wide(end: [0xFF, 0xFF, 127, 0, 0, 1]), wide(end: [0xFF, 0xFF, 8, 8, 8, 8]), wide(end: [127, 0, 0, 1]),
            wide(0, 0x64, 0xFF, 0x9B, end: [8, 8, 8, 8]), wide(0, 0x64, 0xFF, 0x9B, 0, 1),
            wide(0x20, 0x02, 127, 0, 0, 1), wide(0x20, 0x01), wide(0x20, 0x01, 0, 0x20), wide(0x20, 0x01, 0x0D, 0xB8),
            wide(0x3F, 0xFF),
        ]
        for bytes in others { #expect(!NetworkAddress(bytes: bytes).isPublic, "\(bytes)") }
        let here: [[UInt8]] = [[127, 0, 0, 1], [127, 9, 9, 9], wide(end: [1])]
        for bytes in here { #expect(NetworkAddress(bytes: bytes).isLoopback, "\(bytes)") }
        let elsewhere: [[UInt8]] = [[10, 0, 0, 1], [128, 0, 0, 1], wide(), wide(end: [2]), []]
        for bytes in elsewhere { #expect(!NetworkAddress(bytes: bytes).isLoopback, "\(bytes)") }
    }
}
