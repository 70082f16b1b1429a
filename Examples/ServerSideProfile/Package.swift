// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ServerSideProfile",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "NovaSDK", path: "../..", traits: [.defaults, "ServiceLifecycle"]),
    // Without its traits: the example is configured by the SDK, and needs no full Foundation.
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1", traits: []),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
  ],
  targets: [
    .target(
      name: "ProfileServer",
      dependencies: [
        .product(name: "Hummingbird", package: "hummingbird"), .product(name: "NovaLifecycle", package: "NovaSDK"),
        .product(name: "NovaSDK", package: "NovaSDK"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    .executableTarget(
      name: "ServerSideProfile",
      dependencies: [
        "ProfileServer", .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "NovaSDK", package: "NovaSDK"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    .testTarget(
      name: "ProfileServerTests",
      dependencies: [
        "ProfileServer", .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "NovaSDK", package: "NovaSDK"), .product(name: "NovaTesting", package: "NovaSDK"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]),
  ]
)
