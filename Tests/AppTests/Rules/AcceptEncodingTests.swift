import Testing

@testable import App

@Suite struct AcceptEncodingTests {
    @Test(arguments: [
        "gzip", "GZip", "x-gzip", "X-GZIP", " gzip ", "deflate, gzip", "br,gzip", "\tgzip\t,\tbr", "gzip;q=1",
        "gzip;q=1.000",
        "gzip;q=0.001", "gzip ; q=0.5", "gzip;Q=0.5", "gzip;\tq=0.5", "gzip;q=0.", "*", "*;q=0.1", "identity, gzip",
        "identity;q=0.5, gzip;q=0.5", "identity;q=0, gzip;q=0.1", "br;q=0, *", ",,gzip,,", "gzip, compress;q=0",
    ])
    func `gzip is packed for who asks for it`(field: String) {
        // `0.` is a weight of nothing; all others are wishes.
        #expect(AcceptEncoding(field).best(of: [.gzip]) == (field.hasSuffix("=0.") ? .identity : .gzip))
    }

    @Test(arguments: [
        "", " ", ",", "gzip;q=0", "gzip;q=0.0", "gzip; q=0.000", "x-gzip;q=0", "br", "deflate", "identity", "gzipped",
        "my-gzip",
        "*;q=0", "*;q=0, br", "gzip;q=0, *", "*, gzip;q=0", "gzip, gzip;q=0", "gzip;q=0, gzip", "gzip;q=0, x-gzip",
        "identity, gzip;q=0.5", "identity;q=0.6, *;q=0.5", "gzip;q=0;q=1", "gzip;q=1.001", "gzip;q=2", "gzip;q=",
        "gzip;q",
        "gzip;", "gzip;level=9", "gzip;q=0.5x", "gzip;q=0.0001", "gzip;q= 1", "gzip;q =1", "gzip;q=-1", "gzip;q=+1",
        "gzip;q=.5",
        "gzip q=1", "\"gzip\"", "gzip\u{A0}", "gz\u{131}p", "q=1", ";q=1", "gzip;q=１",
    ])
    func `and for nobody else`(field: String) {
        #expect(AcceptEncoding(field).best(of: [.gzip]) == .identity)
    }

    @Test func `who says nothing gets it plain`() {
        #expect(AcceptEncoding(nil).best(of: [.brotli, .gzip]) == .identity)
        #expect(AcceptEncoding("gzip, br").best(of: []) == .identity)
    }

    @Test(arguments: [
        ("gzip, deflate, br, zstd", AcceptEncoding.Coding.brotli), ("br;q=0.5, gzip", .gzip),
        ("gzip;q=0.5, br;q=0.5", .brotli),
        ("br;q=0, gzip;q=0.1", .gzip), ("*", .brotli), ("*, br;q=0", .gzip), ("br;q=0, gzip;q=0, *", .identity),
        ("identity;q=1, br;q=0.9, gzip", .gzip), ("brotli", .identity), ("abr", .identity), ("zebra", .identity),
    ])
    func `of two the one it likes more is sent`(field: String, coding: AcceptEncoding.Coding) {
        #expect(AcceptEncoding(field).best(of: [.brotli, .gzip]) == coding)
    }
}
