// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ConfiguredClient",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "NovaSDK", path: "../.."),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.0.0"),
  ],
  targets: [
    .target(
      name: "NovaSettings",
      dependencies: [
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "NovaSDK", package: "NovaSDK"),
      ]),
    .executableTarget(
      name: "configured-client",
      dependencies: [
        "NovaSettings", .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "NovaSDK", package: "NovaSDK"),
      ]),
    .testTarget(
      name: "NovaSettingsTests",
      dependencies: [
        "NovaSettings", .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "NovaSDK", package: "NovaSDK"),
      ]),
  ]
)
