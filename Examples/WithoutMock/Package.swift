// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "WithoutMock",
  platforms: [.macOS(.v15)],
  // No traits: the mock backend is neither built nor linked.
  dependencies: [.package(name: "NovaSDK", path: "../..", traits: [])],
  targets: [
    .executableTarget(name: "WithoutMock", dependencies: [.product(name: "NovaSDK", package: "NovaSDK")])
  ]
)
