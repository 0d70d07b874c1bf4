// swift-tools-version:6.2
import PackageDescription

/// The language features that every target is built with: Swift 6 mode, and upcoming rules that make imports and
/// isolation explicit. Warnings are errors in CI.
let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        // The engines' generic functions are compiled for the site's own types.
        .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
    ] + (Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])

let package = Package(
    name: "village",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "village", targets: ["village"])],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift.git", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration.git", exact: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-log.git", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-http-types.git", exact: "1.8.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", exact: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess.git", exact: "1.0.2", traits: []),
        .package(url: "https://github.com/apple/swift-system.git", exact: "1.8.1"),
    ],
    targets: [
        // Engines: each knows nothing about this site and is tested on its own.
        .executableTarget(name: "TemplateCompiler", exclude: ["README.md"], swiftSettings: settings),
        .plugin(
            name: "TemplatePlugin", capability: .buildTool(), dependencies: ["TemplateCompiler"],
            path: "Sources/TemplatePlugin"),
        .target(name: "Domains", exclude: ["README.md"], swiftSettings: settings),
        .target(name: "Templating", dependencies: ["Domains"], exclude: ["README.md"], swiftSettings: settings),
        .target(name: "Forms", dependencies: ["Domains"], exclude: ["README.md"], swiftSettings: settings),
        .target(
            name: "Database", dependencies: ["CPostgreSQL", .product(name: "GRDB", package: "GRDB.swift")],
            exclude: ["README.md"], swiftSettings: settings),
        .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        .systemLibrary(name: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
        .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(name: "Passwords", dependencies: ["CArgon2"], exclude: ["README.md"], swiftSettings: settings),
        .target(name: "SMTP", dependencies: ["CCurl"], exclude: ["README.md"], swiftSettings: settings),
        .target(
            name: "WebPush",
            dependencies: ["Domains", "CCurl", .product(name: "Crypto", package: "swift-crypto")],
            exclude: ["README.md"], swiftSettings: settings),
        .target(
            name: "Fetching", dependencies: ["Domains", "CCurl"], exclude: ["README.md"], swiftSettings: settings),
        .target(
            name: "OpenID",
            dependencies: [
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            exclude: ["README.md"], swiftSettings: settings),
        .target(
            name: "Wire",
            dependencies: [
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
            ],
            exclude: ["README.md"], swiftSettings: settings),
        // The site.
        .target(
            name: "App",
            dependencies: [
                "Domains", "Templating", "Forms", "Database", "Passwords", "SMTP", "WebPush", "Fetching", "OpenID",
                "Wire", "CDeflate", "CQREncode",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            exclude: ["Languages", "Templates", "Schema/current.sql"], swiftSettings: settings,
            linkerSettings: [
                // Every edit has to wait for linking, and the toolchain's own linker takes half the time.
                .unsafeFlags(
                    ["-use-ld=lld", "-Xlinker", "--build-id=none", "-Xlinker", "-O0"],
                    .when(platforms: [.linux], configuration: .debug))
            ],
            plugins: ["TemplatePlugin"]),
        .executableTarget(
            name: "village",
            dependencies: ["App", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Sources/Server", swiftSettings: settings),
        // Measures only the template engine; deploy/bench runs it.
        .executableTarget(
            name: "TemplateBench", dependencies: ["Templating"], path: "Tests/Bench/Fortunes", exclude: ["Templates"],
            swiftSettings: settings, plugins: ["TemplatePlugin"]),
        // Tests.
        // The pages that the template tests render are compiled like the site's.
        .target(
            name: "TemplatePages", dependencies: ["Templating"], path: "Tests/TemplateTests/Pages",
            exclude: ["Templates"], swiftSettings: settings, plugins: ["TemplatePlugin"]),
        .testTarget(
            name: "TemplateTests", dependencies: ["TemplateCompiler", "Templating", "TemplatePages"],
            exclude: ["Pages"], swiftSettings: settings),
        .testTarget(
            name: "FuzzTests", dependencies: ["App", "Forms", "Templating", "TemplateCompiler"], path: "Tests/Fuzz",
            exclude: ["LibFuzzer.swift", "run.py"], swiftSettings: settings),
        .testTarget(name: "FormsTests", dependencies: ["Domains", "Forms"], swiftSettings: settings),
        .testTarget(name: "DatabaseTests", dependencies: ["Database"], swiftSettings: settings),
        .testTarget(name: "PasswordsTests", dependencies: ["Passwords"], swiftSettings: settings),
        .testTarget(name: "SMTPTests", dependencies: ["SMTP"], exclude: ["server.py"], swiftSettings: settings),
        .testTarget(
            name: "WebPushTests", dependencies: ["WebPush", .product(name: "Crypto", package: "swift-crypto")],
            exclude: ["service.py"], swiftSettings: settings),
        .testTarget(
            name: "FetchingTests", dependencies: ["Domains", "Fetching"], exclude: ["host.py"],
            swiftSettings: settings),
        .testTarget(
            name: "OpenIDTests",
            dependencies: [
                "OpenID", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "WireTests",
            dependencies: [
                "Wire",
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "AppTests",
            dependencies: [
                "App", "Templating", "TemplateCompiler", "Forms", "Database", "Passwords", "SMTP", "WebPush",
                "Fetching", "OpenID", "Wire",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            exclude: ["Fixtures", "Pictures"], swiftSettings: settings),
    ]
)
