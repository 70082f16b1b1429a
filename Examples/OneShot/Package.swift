// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "OneShot",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "NovaSDK", path: "../.."), .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
  ],
  targets: [
    // Everything but the entry point, so that tests can run it in their own process.
    .target(
      name: "DailyReport",
      dependencies: [
        .product(name: "Logging", package: "swift-log"), .product(name: "NovaSDK", package: "NovaSDK"),
      ]),
    .executableTarget(
      name: "OneShot", dependencies: ["DailyReport", .product(name: "NovaSDK", package: "NovaSDK")]),
    .testTarget(
      name: "DailyReportTests",
      dependencies: [
        "DailyReport", .product(name: "Logging", package: "swift-log"),
        .product(name: "NovaSDK", package: "NovaSDK"), .product(name: "NovaTesting", package: "NovaSDK"),
      ]),
  ]
)
