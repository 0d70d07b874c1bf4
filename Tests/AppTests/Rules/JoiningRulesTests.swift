import Testing

@testable import App

/// The door and the first days, as rules of their own.
@Suite struct JoiningRulesTests {
    @Test func `what somebody may say to strangers grows from day to day, and is free after the third`() {
        let since = Clock.start
        func words(after hours: Int) -> Int? { Newcomer(since: since, at: since + .hours(hours))?.wordsADay }
        #expect([0, 23].map(words) == [10, 10])
        #expect([24, 47].map(words) == [20, 20])
        #expect([48, 71].map(words) == [40, 40])
        #expect([72, 1_000].map(words) == [nil, nil])
    }

    @Test func `links are counted, however they are written`() {
        #expect(Newcomer.countLinks(in: "See HTTPS://a.example and http://b.example, www.c.example") == 3)
        #expect(Newcomer.countLinks(in: "(https://a.example)https://b.example") == 2)
        #expect(Newcomer.countLinks(in: "Nothing: http, www, or https alone") == 0)
    }

    @Test func `each door admits whom it says`() {
        #expect(Joining.allCases.map { $0.admits(invited: false) } == [true, true, false, false])
        #expect(Joining.allCases.map { $0.admits(invited: true) } == [true, true, true, false])
        #expect(Joining.allCases.filter { $0.waits(invitedByStaff: false) } == [.approval])
        #expect(!Joining.approval.waits(invitedByStaff: true))
    }

    @Test func `a form is neither too quick nor too old, and nobody makes its time up`() throws {
        let seal = try #require(Seal(key: Token().text))
        let now = Clock.start
        func problem(_ age: Duration, trap: String = "") -> Bool {
            let time = SignUpTime(SignUpTime(now).text(seal), seal)
            return SignUpTime.problem(time, trap: trap, at: now + age) != nil
        }
        #expect(problem(.seconds(0)) && problem(.seconds(2)))
        #expect(!problem(.seconds(3)) && !problem(.hours(24)))
        #expect(problem(.hours(25)) && problem(.seconds(30), trap: "x"))
        let other = try #require(Seal(key: Token().text))
        for text in [nil, "", "1", SignUpTime(now).text(other), seal.sealed("1", as: "offer")] {
            #expect(SignUpTime(text, seal) == nil)
        }
    }

    @Test func `a mail domain is what stands behind the at, with those it belongs to`() {
        #expect(MailDomain("Ana@Mail.Spam.Example")?.name == "mail.spam.example")
        #expect(MailDomain("a@b@spam.example")?.ancestors == ["spam.example"])
        #expect(MailDomain("mail.spam.example")?.ancestors == ["mail.spam.example", "spam.example"])
        #expect(MailDomain("x@Spam.Example.")?.name == "spam.example", "the root written out is no other domain")
        let wrong = [
            "", "example", "@", "a@", "spam..example", "spam.example..", ".example", "a b", "<script>.example",
        ]
        for text in wrong {
            #expect(MailDomain(text) == nil, "\(text)")
        }
    }

    @Test func `a mail domain is the same in every spelling, and in the one that mail servers write`() {
        let spellings = [
            "xn--bcher-kva.example": [
                "bücher.example", "BÜCHER.Example", "bu\u{308}cher.example", "XN--BCHER-KVA.EXAMPLE",
                "x@bücher.example.",
            ],
            "spam.example": ["ｓｐａｍ.example", "spam。example", "ＳＰＡＭ．ＥＸＡＭＰＬＥ"],
            "xn--d1abbgf6aiiy.xn--p1ai": ["президент.рф", "Президент.РФ"],
            "xn--r8jz45g.jp": ["例え.jp"], "xn--mnchen-3ya.de": ["münchen.de", "MÜNCHEN.DE"],
            "xn--fa-hia.de": ["faß.de"],
        ]
        for (name, typed) in spellings {
            for text in typed { #expect(MailDomain(text)?.name == name, "\(text)") }
        }
        for text in ["b ü@.example", "bü<b>.example", "ü..example", String(repeating: "ü", count: 80) + ".example"] {
            #expect(MailDomain(text) == nil, "\(text)")
        }
    }

    @Test func `however many labels stand in front of a blocked domain, it is asked about`() {
        let ancestors = MailDomain("x@a.b.c.d.e.f.g.h.Spam.example")?.ancestors ?? []
        #expect(ancestors.count == MailDomain.mostAncestors && ancestors.last == "spam.example")
        // Twin: the longest names alone don't hold it.
        let labels = "a.b.c.d.e.f.g.h.spam.example".split(separator: ".")
        let longest = (0..<9).prefix(MailDomain.mostAncestors).map { labels[$0...].joined(separator: ".") }
        #expect(!longest.contains("spam.example"))
    }
}
