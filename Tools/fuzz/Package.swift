// swift-tools-version: 6.2
import PackageDescription

// A package of its own: SDK consumers neither build it nor need a toolchain with libFuzzer.
let strict: [SwiftSetting] = Context.environment["STRICT_BUILD"] == "1" ? [.treatAllWarnings(as: .error)] : []

let package = Package(
  name: "nova-fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "NovaSDK", path: "../..", traits: ["Server"])
  ],
  targets: [
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .executableTarget(
      name: "nova-fuzz",
      dependencies: [
        "CCurl", .product(name: "FuzzTargets", package: "NovaSDK"),
        .product(name: "NovaCore", package: "NovaSDK"),
      ],
      swiftSettings: strict),
  ]
)
