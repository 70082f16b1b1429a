// swift-tools-version: 6.2
import PackageDescription

// The Swift code of README.md and docs/ as tests, which Tools/check-pages writes.
let package = Package(
  name: "Snippets",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "NovaSDK", path: "../..", traits: [.defaults, "ServiceLifecycle", "WebSocket"]),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.3"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
  ],
  targets: [
    .testTarget(
      name: "SnippetsTests",
      dependencies: [
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NovaCache", package: "NovaSDK"),
        .product(name: "NovaOffline", package: "NovaSDK"),
        .product(name: "NovaContract", package: "NovaSDK"),
        .product(name: "NovaFixtureFiles", package: "NovaSDK"),
        .product(name: "NovaFixtures", package: "NovaSDK"),
        .product(name: "NovaFleet", package: "NovaSDK"),
        .product(name: "NovaLifecycle", package: "NovaSDK"),
        .product(name: "NovaMockWorlds", package: "NovaSDK"),
        .product(name: "NovaPostgreSQL", package: "NovaSDK"),
        .product(name: "NovaRedis", package: "NovaSDK"),
        .product(name: "NovaSDK", package: "NovaSDK"),
        .product(name: "NovaTesting", package: "NovaSDK"),
        .product(name: "NovaTestingTraits", package: "NovaSDK"),
        .product(name: "NovaTracking", package: "NovaSDK"),
        .product(name: "NovaViewModels", package: "NovaSDK"),
        .product(name: "NovaWebSocket", package: "NovaSDK"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: [.treatWarning("DeprecatedDeclaration", as: .error)])
  ]
)
