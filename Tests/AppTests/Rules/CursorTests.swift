import Forms
import Templating
import Testing

@testable import App

@Suite struct CursorTests {
    private typealias Near = Cursor<Point.Nearby?, Instant, ID<Event>>
    private typealias Named = Cursor<String, ID<Provider>>

    @Test func `a cursor comes back from the address that it makes`() throws {
        let place = Point.Nearby(id: ID(12), kilometres: 0.1 + 0.2)
        for near in [Near(place, Instant(milliseconds: 0), ID(7)), Near(nil, Instant(milliseconds: 5), ID(1))] {
            #expect(Near(text: near.text) == near)
        }
        for name in ["king library", "a_b", "_", "", "12_3", "%2C&after=1", "\u{1F3AA}"] {
            let link = Link("/organizations?q=x").after(Named(name, ID(3)))
            let query = try FormBody(query: link.string.drop { $0 != "?" }.dropFirst())
            #expect(Cursor(in: query) == Named(name, ID(3)), "\(link.string)")
        }
        #expect(Link("/blocks").after(nil as Cursor<ID<Account>>?).string == "/blocks")
    }

    @Test func `what a list isn't sorted by is left out`() {
        #expect(Near(nil, Instant(milliseconds: 5), ID(1)).text == "5_1")
        #expect(Cursor<Point.Nearby?, ID<Need>>(text: "7")?.keys.1 == ID(7))
        #expect(Cursor<ID<Post>>(ID(9)).text == "9")
    }

    @Test(arguments: [
        "", "_", "1", "1_", "_1", "x_1", "1_x", "1_0", "-1_1", "1_-1", "1_2_3", "1.5_2_3_4_5", "nan_2_3_4", "-1_2_3_4",
        "1_0_3_4", "9999999999999999_1", "1_99999999999999999999", " 1_1", "1_1 ", "1-1",
    ])
    func `what nobody's list gave is none`(text: String) {
        #expect(Near(text: text) == nil)
    }

    @Test func `a page goes on behind its last item, and the last page nowhere`() {
        let page = App.Page([1, 2, 3], of: 2, by: { Cursor(ID<Post>(Int64($0))) })
        #expect(page.items == [1, 2] && !page.isLast)
        #expect(page.more(at: Link("/a?q=x#b"))?.string == "/a?q=x&after=2#b")
        #expect(page.more(at: Link("/a"), .reviews)?.string == "/a?reviews=2")
        #expect(page.changed { $0.map { "\($0)" } }.more(at: Link("/a"))?.string == "/a?after=2")
        let last = App.Page(of: 3, by: \ID<Post>.self) { limit in (1..<Int64(limit)).map { ID($0) } }
        #expect(last.items.count == 3 && last.isLast && last.more(at: Link("/a")) == nil)
    }
}
