import Testing

/// Runs all tests.
///
/// SwiftPM takes a file of this name for the program of the tests. Without it, SwiftPM would look for tests of XCTest,
/// of which there are none, in the compiler's index, and to write that takes a tenth of a build.
@main
struct Main {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
