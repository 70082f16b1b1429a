// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ServerSideProfile",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "NovaSDK", path: "../.."),
    // Without its traits: the example is configured by the SDK, and needs no full Foundation.
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1", traits: []),
  ],
  targets: [
    .target(
      name: "ProfileServer",
      dependencies: [
        .product(name: "Hummingbird", package: "hummingbird"), .product(name: "NovaSDK", package: "NovaSDK"),
      ]),
    .executableTarget(
      name: "ServerSideProfile",
      dependencies: [
        "ProfileServer", .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "NovaSDK", package: "NovaSDK"),
      ]),
    .testTarget(
      name: "ProfileServerTests",
      dependencies: [
        "ProfileServer", .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "NovaSDK", package: "NovaSDK"), .product(name: "NovaTesting", package: "NovaSDK"),
      ]),
  ]
)
