// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "OwnServices",
  platforms: [.macOS(.v15)],
  products: [.library(name: "AcmeShop", targets: ["AcmeShop"])],
  dependencies: [.package(name: "NovaSDK", path: "../..")],
  targets: [
    // Messages and typed calls.
    .target(name: "AcmeShop", dependencies: [.product(name: "NovaCore", package: "NovaSDK")]),
    // A fake of each service, and routes of mock backends.
    .target(
      name: "AcmeShopTesting",
      dependencies: [
        "AcmeShop", .product(name: "NovaCore", package: "NovaSDK"), .product(name: "NovaTesting", package: "NovaSDK"),
      ]),
    .testTarget(
      name: "AcmeShopTests",
      dependencies: [
        "AcmeShop", "AcmeShopTesting", .product(name: "NovaCore", package: "NovaSDK"),
        .product(name: "NovaTesting", package: "NovaSDK"),
      ]),
  ]
)
