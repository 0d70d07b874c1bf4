import Foundation

/// The target that libFuzzer runs: FUZZ_TARGET names it.
private let target = FuzzTarget.all.first { $0.name == ProcessInfo.processInfo.environment["FUZZ_TARGET"] }

/// Without a target, the program writes what each begins with below FUZZ_SEEDS: a folder of inputs, and a dictionary.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_: UnsafeMutableRawPointer, _: UnsafeMutableRawPointer) -> CInt {
    guard target == nil else { return 0 }
    guard let path = ProcessInfo.processInfo.environment["FUZZ_SEEDS"] else {
        fatalError("FUZZ_TARGET names no target")
    }
    for target in FuzzTarget.all {
        let folder = URL(filePath: path).appending(path: target.name)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (number, seed) in target.seeds.enumerated() {
                try Data(seed).write(to: folder.appending(path: "seed-\(number)"))
            }
            let words = target.words.map { word in
                "\"" + word.utf8.map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\"\n"
            }
            try Data(words.joined().utf8).write(to: folder.appendingPathExtension("words"))
        } catch {
            fatalError("\(error)")
        }
    }
    exit(0)
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    do throws(Broken) {
        try target!.check(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        fatalError("\(error)")
    }
    return 0
}
