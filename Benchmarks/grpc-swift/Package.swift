// swift-tools-version: 6.2
import PackageDescription

let grpc: [Target.Dependency] = [
  .product(name: "GRPCCore", package: "grpc-swift-2"),
  .product(name: "GRPCNIOTransportHTTP2", package: "grpc-swift-nio-transport"),
  .product(name: "GRPCProtobuf", package: "grpc-swift-protobuf"),
  .product(name: "SwiftProtobuf", package: "swift-protobuf"),
]

// Calls over gRPC as people would make them without NovaSDK, for measurements and tests only. Apart from the other
// benchmarks, because it resolves and builds many more packages than they do.
let package = Package(
  name: "GRPCSwift",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://github.com/grpc/grpc-swift-2", exact: "2.4.3"),
    .package(url: "https://github.com/grpc/grpc-swift-nio-transport", exact: "2.9.2"),
    .package(url: "https://github.com/grpc/grpc-swift-protobuf", exact: "2.4.1"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
  ],
  targets: [
    // Links to the load and the messages of the other benchmarks.
    .target(name: "CallLoad"),
    .executableTarget(name: "GRPCSwiftCalls", dependencies: ["CallLoad"] + grpc),
    .executableTarget(name: "GRPCSwiftServer", dependencies: grpc),
  ]
)
