// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ContractTesting",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "NovaSDK", path: "../..")],
  targets: [
    .target(name: "Fans", dependencies: [.product(name: "NovaSDK", package: "NovaSDK")]),
    .testTarget(
      name: "FansTests",
      dependencies: [
        "Fans", .product(name: "NovaTesting", package: "NovaSDK"),
        .product(name: "NovaTestingTraits", package: "NovaSDK"),
      ],
      // Read where it is, so that it can be recorded anew.
      exclude: ["Cassettes"]),
  ]
)
