// swift-tools-version: 6.2
import PackageDescription

// Every dependency is cloned by everyone who imports NovaSDK, so each needs a reason, and heavy ones live in the
// packages under Tools/, Benchmarks/ and Examples/ instead. None of these brings another package along.
let dependencies: [Package.Dependency] = [
  // The logging API of server-side Swift: the SDK logs through it and is silent until the program sets it up.
  .package(url: "https://github.com/apple/swift-log", from: "1.6.3")
]

// `NOVA_STRICT=1` (set in CI) turns warnings into errors. It is not the default, so that a newer compiler's new
// warning never breaks somebody's build.
let strict: [SwiftSetting] = Context.environment["NOVA_STRICT"] == "1" ? [.treatAllWarnings(as: .error)] : []
let settings: [SwiftSetting] =
  strict + [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]

let package = Package(
  name: "NovaSDK",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "NovaCore", targets: ["NovaCore"])
  ],
  dependencies: dependencies,
  targets: [
    // libcurl's headers at build time, libcurl itself only when the first request is sent: nothing to link but dlopen.
    .target(name: "CNovaCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(
      name: "NovaCore",
      dependencies: ["CNovaCurl", .product(name: "Logging", package: "swift-log")],
      swiftSettings: settings),
    // Servers of our own for tests: raw sockets with a script, and nginx with TLS.
    .target(name: "NovaTestSupport", path: "Tests/NovaTestSupport", swiftSettings: settings),
    .testTarget(name: "NovaCoreTests", dependencies: ["NovaCore", "NovaTestSupport"], swiftSettings: settings),
  ]
)
