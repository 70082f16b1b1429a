// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Quickstart",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "NovaSDK", path: "../..")],
  targets: [
    .executableTarget(name: "Quickstart", dependencies: [.product(name: "NovaSDK", package: "NovaSDK")])
  ]
)
