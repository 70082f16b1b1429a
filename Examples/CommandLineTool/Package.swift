// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "CommandLineTool",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "NovaSDK", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.3"),
  ],
  targets: [
    // Everything but the entry point, so that tests can reach it.
    .target(
      name: "TopFollowers",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"), .product(name: "NovaSDK", package: "NovaSDK"),
      ]),
    .executableTarget(
      name: "top-followers",
      dependencies: ["TopFollowers", .product(name: "ArgumentParser", package: "swift-argument-parser")]),
    .testTarget(
      name: "TopFollowersTests",
      dependencies: [
        "TopFollowers", "top-followers", .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "NovaSDK", package: "NovaSDK"), .product(name: "NovaTesting", package: "NovaSDK"),
      ]),
  ]
)
