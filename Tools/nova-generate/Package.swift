// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who imports NovaSDK clones or builds what only the generator needs.
let strict: [SwiftSetting] = Context.environment["STRICT_BUILD"] == "1" ? [.treatAllWarnings(as: .error)] : []

let package = Package(
  name: "nova-generate",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Reads protoc's descriptor sets and their comments.
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.30.0"),
    // Reads gateway.yaml.
    .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
    // The command line.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
  ],
  targets: [
    .target(
      name: "NovaGenerate",
      dependencies: [
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
        .product(name: "SwiftProtobufPluginLibrary", package: "swift-protobuf"),
        .product(name: "Yams", package: "Yams"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "nova-generate",
      dependencies: ["NovaGenerate", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: strict),
    .testTarget(
      name: "NovaGenerateTests", dependencies: ["NovaGenerate", .product(name: "Yams", package: "Yams")],
      swiftSettings: strict),
  ]
)
