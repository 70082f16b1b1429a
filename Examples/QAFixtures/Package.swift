// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "QAFixtures",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "NovaSDK", path: "../..")],
  targets: [
    .testTarget(
      name: "QAFixturesTests",
      dependencies: [
        .product(name: "NovaSDK", package: "NovaSDK"), .product(name: "NovaFixtures", package: "NovaSDK"),
        .product(name: "NovaFixtureFiles", package: "NovaSDK"), .product(name: "NovaMockWorlds", package: "NovaSDK"),
        .product(name: "NovaTesting", package: "NovaSDK"),
      ])
  ]
)
