import Foundation
import Testing

@testable import App

/// A thousand strange inputs for everything that reads what strangers wrote, the same in each run.
/// `Tests/Fuzz/run.py` tries millions, and looks where they lead.
@Suite struct FuzzTests {
    private static let count = ProcessInfo.processInfo.environment["VILLAGE_LONG"] == nil ? 1_000 : 20_000

    @Test(arguments: FuzzTarget.all)
    func `what must hold holds for good inputs, and for whatever becomes of them`(target: FuzzTarget) {
        if let (input, broken) = Self.search(target) {
            Issue.record("\(broken), for \(String(decoding: input, as: UTF8.self).debugDescription), which is \(input)")
        }
    }

    @Test func `whatever becomes of a picture, the process that decodes it ends in a picture or in a sentence`()
        async throws
    {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../AppTests/Pictures")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let target = FuzzTarget(
            file: "photo", seeds: try files.sorted { $0.path < $1.path }.map { Array(try Data(contentsOf: $0)) },
            words: ["IDAT", "acTL", "fdAT", "ftypmp42", "mdat", "Exif"]
        ) { _ in }
        let workshop = Workshop()
        var random = SeededGenerator(seed: 2_026)
        for _ in 0..<Self.count / 20 {
            // Every other one with more behind it than a pipe holds.
            let tail = [UInt8](repeating: 0, count: random.number(in: 0...1) * 200_000)
            do {
                let product = try await workshop.make(
                    from: Self.changed(random.pick(target.seeds), &random, target) + tail)
                #expect(try product.sizes.values.allSatisfy { try PictureHeader(of: $0).kind == .webp })
            } catch let problem as PictureProblem {
                #expect(problem != .unavailable && problem != .busy)
            }
        }
    }

    @Test func `a reader with a gap in it is found out`() {
        // The twin: browsers read a backslash as a slash, and this reader doesn't know.
        let gap = FuzzTarget(text: "next", seeds: ["/events?page=2"], words: ["/", "\\", "//"]) { text throws(Broken) in
            guard text.hasPrefix("/"), !text.hasPrefix("//") else { return }
            try hold(!text.hasPrefix("/\\"), "\(text) leads elsewhere")
        }
        #expect(Self.search(gap) != nil)
    }

    @Test func `every target has a name of its own and something to begin with`() {
        #expect(Set(FuzzTarget.all.map(\.name)).count == FuzzTarget.all.count)
        #expect(FuzzTarget.all.allSatisfy { !$0.seeds.isEmpty })
    }

    /// The first input that breaks what must hold; nil when none does.
    private static func search(_ target: FuzzTarget) -> (input: [UInt8], broken: Broken)? {
        var random = SeededGenerator(seed: 2_026)
        for number in 0..<target.seeds.count + count {
            let input =
                number < target.seeds.count ? target.seeds[number] : changed(random.pick(target.seeds), &random, target)
            do throws(Broken) {
                try target.check(input)
            } catch {
                return (input, error)
            }
        }
        return nil
    }

    /// The input with one to four changes.
    private static func changed(_ input: [UInt8], _ random: inout SeededGenerator, _ target: FuzzTarget) -> [UInt8] {
        var input = input
        for _ in 0..<random.number(in: 1...4) {
            let place = random.number(in: 0...input.count)
            let end = min(place + random.number(in: 0...8), input.count)
            switch random.number(in: 0..<7) {
            case 0: input.insert(UInt8(random.number(in: 0...255)), at: place)
            case 1 where place < input.count: input[place] ^= 1 << random.number(in: 0...7)
            case 2: input.removeSubrange(place..<end)
            case 3: input.insert(contentsOf: input[place..<end], at: random.number(in: 0...input.count))
            case 4: input.removeSubrange(place...)
            case 5:
                let other = random.pick(target.seeds)
                input.replaceSubrange(place..., with: other[random.number(in: 0...other.count)...])
            default:
                if !target.words.isEmpty { input.insert(contentsOf: random.pick(target.words).utf8, at: place) }
            }
        }
        return input
    }
}

extension FuzzTarget: CustomTestStringConvertible {
    var testDescription: String { name }
}
