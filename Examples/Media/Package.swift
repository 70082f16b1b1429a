// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Media",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "NovaSDK", path: "../..")],
  targets: [
    .executableTarget(
      name: "Media",
      dependencies: [
        .product(name: "NovaCache", package: "NovaSDK"), .product(name: "NovaSDK", package: "NovaSDK"),
      ])
  ]
)
