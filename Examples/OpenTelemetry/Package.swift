// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "OpenTelemetry",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "NovaSDK", path: "../.."),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.3"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
  ],
  targets: [
    // The exporter. Of the SDK it uses only the HTTP transport and the JSON type.
    .target(
      name: "OTLP",
      dependencies: [
        .product(name: "CoreMetrics", package: "swift-metrics"), .product(name: "Logging", package: "swift-log"),
        .product(name: "NovaSDK", package: "NovaSDK"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]),
    .executableTarget(
      name: "OpenTelemetry",
      dependencies: [
        "OTLP", .product(name: "NovaSDK", package: "NovaSDK"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]),
    .testTarget(
      name: "OTLPTests",
      dependencies: [
        "OTLP", "OpenTelemetry", .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "NovaSDK", package: "NovaSDK"), .product(name: "NovaTesting", package: "NovaSDK"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]),
  ]
)
