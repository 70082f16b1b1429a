// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Offline",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "NovaSDK", path: "../..")],
  targets: [
    .executableTarget(
      name: "Offline",
      dependencies: [
        .product(name: "NovaOffline", package: "NovaSDK"), .product(name: "NovaSDK", package: "NovaSDK"),
      ])
  ]
)
