// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "QASuite",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "NovaSDK", path: "../..")],
  targets: [
    .testTarget(
      name: "QASuiteTests",
      dependencies: [
        .product(name: "NovaContract", package: "NovaSDK"), .product(name: "NovaFixtures", package: "NovaSDK"),
        .product(name: "NovaMockWorlds", package: "NovaSDK"), .product(name: "NovaSDK", package: "NovaSDK"),
        .product(name: "NovaTesting", package: "NovaSDK"), .product(name: "NovaTestingTraits", package: "NovaSDK"),
      ])
  ]
)
