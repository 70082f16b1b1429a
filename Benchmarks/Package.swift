// swift-tools-version: 6.2
import PackageDescription

// A package of its own: what only measurements need never reaches somebody who imports NovaSDK.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "NovaSDK", path: "..")],
  targets: [
    .executableTarget(
      name: "CodecBenchmark",
      dependencies: [
        .product(name: "NovaGraph", package: "NovaSDK"), .product(name: "NovaContent", package: "NovaSDK"),
      ]),
    .executableTarget(
      name: "MockBenchmark",
      dependencies: [
        .product(name: "NovaCore", package: "NovaSDK"), .product(name: "NovaMock", package: "NovaSDK"),
      ]),
  ]
)
