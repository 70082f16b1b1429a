// swift-tools-version: 6.2
import PackageDescription

// A package of its own: what only measurements need never reaches somebody who imports NovaSDK.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "NovaSDK", path: "..", traits: [.defaults, "GRPC"]),
    // What people would use instead: the peers of the measurements. Only the products that use them build them.
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    // Only to give a client a logger; NovaSDK brings it along.
    .package(url: "https://github.com/apple/swift-log", from: "1.6.3"),
    // For calls, what people would use instead. Only the product that uses it builds it.
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
  ],
  targets: [
    // The load that every client of calls below is measured with.
    .target(name: "CallLoad"),
    .executableTarget(
      name: "NovaCalls",
      dependencies: [
        "CallLoad", .product(name: "NovaCore", package: "NovaSDK"), .product(name: "NovaGraph", package: "NovaSDK"),
        .product(name: "NovaAuth", package: "NovaSDK"),
      ]),
    .executableTarget(
      name: "AsyncHTTPClientCalls",
      dependencies: [
        "CallLoad", .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOFoundationCompat", package: "swift-nio"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),
    .executableTarget(name: "URLSessionCalls", dependencies: ["CallLoad"]),
    // The same load for clients in C.
    .target(name: "CurlLoad", linkerSettings: [.linkedLibrary("curl")]),
    .executableTarget(name: "CurlCalls", dependencies: ["CurlLoad"]),
    .executableTarget(name: "CurlGRPCCalls", dependencies: ["CurlLoad"]),
    .executableTarget(
      name: "NovaPaging",
      dependencies: [
        "CallLoad", .product(name: "NovaCore", package: "NovaSDK"), .product(name: "NovaGraph", package: "NovaSDK"),
      ]),
    .executableTarget(
      name: "NovaProfile",
      dependencies: [
        "CallLoad", .product(name: "NovaContent", package: "NovaSDK"), .product(name: "NovaCore", package: "NovaSDK"),
        .product(name: "NovaGraph", package: "NovaSDK"), .product(name: "NovaMedia", package: "NovaSDK"),
        .product(name: "NovaSocial", package: "NovaSDK"), .product(name: "NovaUsers", package: "NovaSDK"),
        .product(name: "NovaViewModels", package: "NovaSDK"),
      ]),
    .executableTarget(
      name: "NovaCacheReads",
      dependencies: [
        "CallLoad", .product(name: "NovaCache", package: "NovaSDK"), .product(name: "NovaCore", package: "NovaSDK"),
        .product(name: "NovaGraph", package: "NovaSDK"), .product(name: "NovaOffline", package: "NovaSDK"),
      ]),
    .executableTarget(
      name: "CallBenchmark",
      dependencies: [
        .product(name: "NovaCore", package: "NovaSDK"), .product(name: "NovaGraph", package: "NovaSDK"),
        .product(name: "NovaAuth", package: "NovaSDK"), .product(name: "NovaTesting", package: "NovaSDK"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .executableTarget(
      name: "CodecBenchmark",
      dependencies: [
        .product(name: "NovaContent", package: "NovaSDK"), .product(name: "NovaCore", package: "NovaSDK"),
        .product(name: "NovaGraph", package: "NovaSDK"), .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ]),
    .target(name: "CEpoll"),
    .executableTarget(
      name: "EventBenchmark",
      dependencies: [
        "CEpoll", .product(name: "NovaAuth", package: "NovaSDK"), .product(name: "NovaContent", package: "NovaSDK"),
        .product(name: "NovaCore", package: "NovaSDK"), .product(name: "NovaEvents", package: "NovaSDK"),
      ]),
    .executableTarget(
      name: "FixtureBenchmark",
      dependencies: [
        .product(name: "NovaFixtureFiles", package: "NovaSDK"), .product(name: "NovaFixtures", package: "NovaSDK"),
      ]),
    .executableTarget(
      name: "FleetBenchmark",
      dependencies: [
        .product(name: "NovaAuth", package: "NovaSDK"), .product(name: "NovaCore", package: "NovaSDK"),
        .product(name: "NovaFleet", package: "NovaSDK"), .product(name: "NovaPostgreSQL", package: "NovaSDK"),
        .product(name: "NovaRedis", package: "NovaSDK"),
      ]),
    .executableTarget(name: "HelloEssentials"),
    .executableTarget(name: "HelloWorld"),
    .executableTarget(
      name: "MockBenchmark",
      dependencies: [
        .product(name: "NovaCore", package: "NovaSDK"), .product(name: "NovaGraph", package: "NovaSDK"),
        .product(name: "NovaMock", package: "NovaSDK"), .product(name: "NovaMockWorlds", package: "NovaSDK"),
      ]),
    .executableTarget(
      name: "OfflineBenchmark",
      dependencies: [
        .product(name: "NovaContent", package: "NovaSDK"), .product(name: "NovaCore", package: "NovaSDK"),
        .product(name: "NovaOffline", package: "NovaSDK"),
      ]),
  ]
)
