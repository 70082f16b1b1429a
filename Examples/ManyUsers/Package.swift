// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ManyUsers",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "NovaSDK", path: "../..")],
  targets: [
    .target(name: "Digests", dependencies: [.product(name: "NovaSDK", package: "NovaSDK")]),
    .executableTarget(name: "ManyUsers", dependencies: ["Digests", .product(name: "NovaSDK", package: "NovaSDK")]),
    .testTarget(
      name: "DigestsTests",
      dependencies: [
        "Digests", .product(name: "NovaSDK", package: "NovaSDK"), .product(name: "NovaTesting", package: "NovaSDK"),
      ]),
  ]
)
