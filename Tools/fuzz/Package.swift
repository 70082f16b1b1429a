// swift-tools-version: 6.2
import PackageDescription

// A package of its own: SDK consumers neither build it nor need a toolchain with libFuzzer.
let strict: [SwiftSetting] = Context.environment["STRICT_BUILD"] == "1" ? [.treatAllWarnings(as: .error)] : []

let package = Package(
  name: "nova-fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "NovaSDK", path: "../..", traits: ["Server"]),
    // A connection without a socket, for the server's pipeline.
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
  ],
  targets: [
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .executableTarget(
      name: "nova-fuzz",
      dependencies: [
        "CCurl", .product(name: "NovaAuth", package: "NovaSDK"), .product(name: "NovaCore", package: "NovaSDK"),
        .product(name: "NovaMock", package: "NovaSDK"), .product(name: "NovaServer", package: "NovaSDK"),
        .product(name: "NovaDynamic", package: "NovaSDK"), .product(name: "NovaCache", package: "NovaSDK"),
        .product(name: "NovaMedia", package: "NovaSDK"),
        .product(name: "NovaRecording", package: "NovaSDK"), .product(name: "NovaTesting", package: "NovaSDK"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ],
      swiftSettings: strict),
  ]
)
