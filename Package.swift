// swift-tools-version: 6.2
import PackageDescription

// Every dependency is cloned by everyone who imports NovaSDK, so each needs a reason, and heavy ones live in the
// packages under Tools/, Benchmarks/ and Examples/ instead. None of these brings another package along.
let dependencies: [Package.Dependency] = [
  // The logging API of server-side Swift: the SDK logs through it and is silent until the program sets it up.
  .package(url: "https://github.com/apple/swift-log", from: "1.6.3"),
  // Counts and times calls in whatever metrics system the program has set up.
  .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
  // Makes spans of calls in whatever tracer the program has set up, and sends the caller's trace on.
  .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
  // Reads the command line of `nova`. Only with the trait `Mock`, which `nova` needs as well.
  .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  // The HTTP server of `nova serve`, and live events over WebSocket. Only with the traits `Server` and `WebSocket`: who
  // imports the SDK neither clones nor builds it.
  .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
  // Services that start and end together. Only with the trait `ServiceLifecycle`, for the module NovaLifecycle.
  .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
]

func nio(_ product: String) -> Target.Dependency {
  .product(name: product, package: "swift-nio", condition: .when(traits: ["Server", "WebSocket"]))
}

// Builds of Tools/swift have NovaLifecycle without its trait, because another choice of traits compiles everything again.
let hasLifecycle = Context.environment["NOVA_DEBUG"] == "1"

// `STRICT_BUILD=1` (set in CI) turns warnings into errors. It is not the default, so that a newer compiler's new
// warning never breaks somebody's build.
let strict: [SwiftSetting] = Context.environment["STRICT_BUILD"] == "1" ? [.treatAllWarnings(as: .error)] : []
// Set by Tools/swift, whose builds are debug builds, though for SwiftPM they are not.
let debug: [SwiftSetting] = Context.environment["NOVA_DEBUG"] == "1" ? [.define("DEBUG")] : []
let settings: [SwiftSetting] =
  strict + debug + [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]

/// The modules of the contract's services: generated messages and calls, plus what is written by hand around them.
let services = [
  "NovaGraph", "NovaSocial", "NovaContent", "NovaMedia", "NovaUsers", "NovaAuth", "NovaFeed", "NovaCapture",
  "NovaAnalytics", "NovaAnnouncements", "NovaEvents",
]

/// The services that compute digests of uploads or encrypt stored sessions.
let encrypting: Set = ["NovaAuth", "NovaMedia"]

/// Products that only Tools/fuzz needs: a package sees another's products and nothing else.
let fuzzed: [Product] =
  Context.environment["NOVA_FUZZ"] == "1" ? [.library(name: "NovaServer", targets: ["NovaServer"])] : []

let serviceTargets: [Target.Dependency] = services.map { .byName(name: $0) }

let package = Package(
  name: "NovaSDK",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "NovaSDK", targets: ["NovaSDK"]),
    .library(name: "NovaCore", targets: ["NovaCore"]),
    .library(name: "NovaMock", targets: ["NovaMock"]),
    .library(name: "NovaMockWorlds", targets: ["NovaMockWorlds"]),
    .library(name: "NovaRecording", targets: ["NovaRecording"]),
    .library(name: "NovaTesting", targets: ["NovaTesting"]),
    .library(name: "NovaTestingTraits", targets: ["NovaTestingTraits"]),
    .library(name: "NovaContract", targets: ["NovaContract"]),
    .library(name: "NovaFixtures", targets: ["NovaFixtures"]),
    .library(name: "NovaFixtureFiles", targets: ["NovaFixtureFiles"]),
    .library(name: "NovaViewModels", targets: ["NovaViewModels"]),
    .library(name: "NovaCache", targets: ["NovaCache"]),
    .library(name: "NovaOffline", targets: ["NovaOffline"]),
    .library(name: "NovaTracking", targets: ["NovaTracking"]),
    .library(name: "NovaWebSocket", targets: ["NovaWebSocket"]),
    .library(name: "NovaLifecycle", targets: ["NovaLifecycle"]),
    .executable(name: "nova", targets: ["nova"]),
    .executable(name: "nova-serve", targets: ["nova-serve"]),
  ] + services.map { .library(name: $0, targets: [$0]) } + fuzzed,
  traits: [
    // One trait by default, not two: SwiftPM 6.2 and 6.3 pass several to the compiler in the order of a Set, and a build
    // that finds another order compiles the whole SDK again (swiftlang/swift-package-manager#10525).
    .trait(
      name: "Mock",
      description: "The mock backend in NovaSDK (mock_data, NovaClient.mock()), and what the tool nova needs"),
    .trait(
      name: "Server", description: "nova serve, the mock backend over HTTP; brings swift-nio",
      enabledTraits: ["Mock", "WebSocket"]),
    .trait(name: "WebSocket", description: "Live events over WebSocket, the module NovaWebSocket; brings swift-nio"),
    .trait(
      name: "ServiceLifecycle",
      description: "Shutdown with the services of a server, the module NovaLifecycle; brings swift-service-lifecycle"),
    .default(enabledTraits: ["Mock"]),
  ],
  dependencies: dependencies,
  targets: [
    // Loads shared libraries on first use: nothing but dlopen is linked.
    .target(name: "CNovaLoader", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    // libcurl, for HTTP. Its headers are needed to build, the library only when the first request is sent.
    .target(name: "CNovaCurl", dependencies: ["CNovaLoader"]),
    // OpenSSL's libcrypto, for digests and encryption. Needs no headers.
    .target(name: "CNovaOpenSSL", dependencies: ["CNovaLoader"]),
    // SQLite, for databases. Needs no headers.
    .target(name: "CNovaSQLite", dependencies: ["CNovaLoader"]),
    // What Swift cannot reach of the system's files.
    .target(name: "CNovaFiles"),
    // What `nova` does before the Swift runtime starts.
    .target(name: "CNovaProgram"),
    // The SDK's own base: bytes, times, locks, files. Without C, so that it compiles before everything else.
    .target(name: "NovaSupport", swiftSettings: settings),
    // Messages and their JSON. Apart from NovaHTTP, so that the two compile side by side.
    .target(name: "NovaCoding", dependencies: ["NovaSupport"], swiftSettings: settings),
    // HTTP's types, and the transport over libcurl.
    .target(name: "NovaHTTP", dependencies: ["CNovaCurl", "NovaSupport"], swiftSettings: settings),
    // Digests and encryption, for uploads and stored sessions.
    .target(name: "NovaCrypto", dependencies: ["CNovaOpenSSL"], swiftSettings: settings),
    // SQLite for Swift: the one way of the SDK into databases. Our own, because a package for it would be cloned by
    // everyone, see docs/architecture.md.
    .target(name: "NovaSQLite", dependencies: ["CNovaSQLite", "NovaSupport"], swiftSettings: settings),
    // The client. Reexports NovaSupport, NovaCoding and NovaHTTP, so that one import is enough.
    .target(
      name: "NovaCore",
      dependencies: [
        "NovaCoding", "NovaCrypto", "NovaHTTP", "NovaSupport", .product(name: "Logging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      swiftSettings: settings),
    // Every RPC and message by name.
    .target(
      name: "NovaRegistry",
      dependencies: ["NovaCore"] + serviceTargets,
      swiftSettings: settings),
    // The backend engine: stateful, deterministic, in memory.
    .target(
      name: "NovaMock", dependencies: ["NovaCore", "NovaCrypto", "NovaRegistry"] + serviceTargets,
      // Embedded by Tools/generate.
      exclude: ["Inspector/Page"], swiftSettings: settings),
    // Data made of seeds: a whole network, computed and not stored.
    .target(name: "NovaFixtures", dependencies: ["NovaCore"] + serviceTargets, swiftSettings: settings),
    // Generated networks as data sets of the mock backend: apart, so that neither of the two needs the other.
    .target(
      name: "NovaMockWorlds", dependencies: ["NovaCore", "NovaFixtures", "NovaMedia", "NovaMock", "NovaSocial"],
      swiftSettings: settings),
    // Writes such data into files and as requests with their answers, for other tools, too; checks and compares it.
    .target(
      name: "NovaFixtureFiles",
      dependencies: [
        "CNovaFiles", "NovaContract", "NovaCore", "NovaCrypto", "NovaFixtures", "NovaMock", "NovaMockWorlds",
        "NovaRecording", "NovaRegistry", "NovaSQLite",
      ] + serviceTargets,
      swiftSettings: settings),
    // The contract as scenarios: checks one gateway, compares two, and provides the requests of fixtures.
    .target(
      name: "NovaContract", dependencies: ["NovaCore", "NovaCrypto", "NovaRegistry"] + serviceTargets,
      swiftSettings: settings),
    // Records calls into cassettes and replays them; compares requests and messages as the contract reads them.
    .target(name: "NovaRecording", dependencies: ["NovaCore", "NovaRegistry"], swiftSettings: settings),
    // For tests, the users' and the SDK's own: a manual clock, stubs, fakes, and servers with faults. No product
    // target depends on it.
    .target(
      name: "NovaTesting", dependencies: ["NovaCore", "NovaMock", "NovaRecording", "NovaRegistry"] + serviceTargets,
      swiftSettings: settings),
    // What needs Swift Testing: apart, because that links Foundation, and NovaTesting may be linked into programs.
    .target(
      name: "NovaTestingTraits", dependencies: ["NovaCore", "NovaMock", "NovaTesting"], swiftSettings: settings),
    // What an app holds above the services: Observation only, no UI framework, and nothing of the mock.
    .target(
      name: "NovaViewModels",
      dependencies: [
        "NovaAnnouncements", "NovaAuth", "NovaCapture", "NovaContent", "NovaCore", "NovaEvents", "NovaGraph",
        "NovaMedia", "NovaSocial", "NovaUsers", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    // An HTTP cache in memory and on disk, and images through it. Apart, so that only programs that use it build it.
    .target(name: "NovaCache", dependencies: ["NovaCore", "NovaCrypto", "NovaMedia"], swiftSettings: settings),
    // Reads from a cache, and writes that wait. Apart, so that only programs that use it build it.
    .target(
      name: "NovaOffline", dependencies: ["NovaCore", "NovaCrypto", "NovaRegistry", "NovaSQLite"] + serviceTargets,
      swiftSettings: settings),
    // Events of what users do, kept on the disk and sent in batches. Apart, so that only programs that use it build it.
    .target(
      name: "NovaTracking", dependencies: ["NovaAnalytics", "NovaCore", "NovaSQLite"], swiftSettings: settings),
    // WebSocket connections (RFC 6455). Empty without the trait `WebSocket`.
    .target(
      name: "NovaWebSocket",
      dependencies: [
        "NovaCore", "NovaEvents", nio("NIOCore"), nio("NIOHTTP1"), nio("NIOPosix"), nio("NIOWebSocket"),
      ],
      swiftSettings: settings),
    // The umbrella: NovaClient, the shared client, the services and view models re-exported. The mock backend is left out
    // without the trait `Mock`.
    .target(
      name: "NovaSDK",
      dependencies: [
        "NovaCore", .target(name: "NovaMock", condition: .when(traits: ["Mock"])), "NovaRegistry", "NovaViewModels",
        .product(name: "Logging", package: "swift-log"),
      ] + serviceTargets,
      swiftSettings: settings),
    // The client as a service of swift-service-lifecycle. Empty without the trait `ServiceLifecycle`.
    .target(
      name: "NovaLifecycle",
      dependencies: [
        "NovaSDK",
        .product(
          name: "ServiceLifecycle", package: "swift-service-lifecycle",
          condition: hasLifecycle ? nil : .when(traits: ["ServiceLifecycle"])),
      ],
      swiftSettings: settings + (hasLifecycle ? [.define("ServiceLifecycle")] : [])),
    // The commands of `nova`, in a library so that tests can reach them.
    .target(
      name: "NovaCLI",
      dependencies: [
        "CNovaProgram", "NovaCache", "NovaContract", "NovaCore", "NovaCrypto", "NovaEvents", "NovaFixtureFiles",
        "NovaFixtures", "NovaMedia", "NovaMock", "NovaMockWorlds", "NovaOffline", "NovaSDK", "NovaTracking",
        "NovaViewModels",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Mock"])),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    .executableTarget(name: "nova", dependencies: ["NovaCLI"], swiftSettings: settings),
    // The mock backend behind HTTP, and the program that `nova serve` runs: a library, so that tests can reach it.
    .target(
      name: "NovaServer",
      dependencies: [
        "NovaCore", "NovaMock", "NovaWebSocket", nio("NIOCore"), nio("NIOHTTP1"), nio("NIOPosix"),
        nio("NIOWebSocket"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "nova-serve", dependencies: ["NovaCLI", "NovaMock", "NovaServer"], swiftSettings: settings),
    // What the tests of several targets use: servers of our own (raw sockets with a script, nginx with TLS) and stubs.
    .target(
      name: "NovaTestSupport",
      dependencies: [
        "NovaAuth", "NovaCore", "NovaGraph", "NovaHTTP", "NovaMock", "NovaTesting",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/NovaTestSupport",
      swiftSettings: settings),
    .testTarget(
      name: "NovaTestingTests",
      dependencies: ["NovaCore", "NovaMock", "NovaRegistry", "NovaTestSupport", "NovaTesting", "NovaTestingTraits"]
        + serviceTargets,
      swiftSettings: settings),
    .testTarget(
      name: "NovaRecordingTests",
      dependencies: [
        "NovaAuth", "NovaCore", "NovaGraph", "NovaMock", "NovaRecording", "NovaSocial", "NovaTestSupport",
        "NovaTesting",
        "NovaTestingTraits",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "NovaFixturesTests", dependencies: ["NovaCore", "NovaFixtures"] + serviceTargets, swiftSettings: settings),
    .testTarget(
      name: "NovaFixtureFilesTests",
      dependencies: [
        "NovaContract", "NovaCore", "NovaCrypto", "NovaFixtureFiles", "NovaFixtures", "NovaMock", "NovaMockWorlds",
        "NovaRegistry",
        "NovaTestSupport", "NovaTesting", "nova",
      ] + serviceTargets,
      swiftSettings: settings),
    .testTarget(
      name: "NovaContractTests",
      dependencies: ["NovaContract", "NovaCore", "NovaMock", "NovaRegistry", "NovaTestSupport", "NovaTesting"]
        + serviceTargets,
      swiftSettings: settings),
    .testTarget(
      name: "NovaMockTests",
      dependencies: ["NovaCore", "NovaCrypto", "NovaMock", "NovaRegistry", "NovaTestSupport", "NovaTesting"]
        + serviceTargets,
      swiftSettings: settings),
    .testTarget(
      name: "NovaMockWorldsTests",
      dependencies: ["NovaCore", "NovaFixtures", "NovaMock", "NovaMockWorlds", "NovaTestSupport"] + serviceTargets,
      swiftSettings: settings),
    .testTarget(
      name: "NovaOfflineTests",
      dependencies: [
        "NovaCore", "NovaMock", "NovaOffline", "NovaRegistry", "NovaSQLite", "NovaTestSupport", "NovaTesting",
      ]
        + serviceTargets,
      swiftSettings: settings),
    .testTarget(
      name: "NovaWebSocketTests",
      dependencies: [
        "NovaAuth", "NovaCore", "NovaEvents", "NovaMock", "NovaServer", "NovaTestSupport", "NovaTesting",
        "NovaWebSocket",
        nio("NIOCore"), nio("NIOEmbedded"), nio("NIOHTTP1"), nio("NIOWebSocket"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "NovaTrackingTests",
      dependencies: [
        "NovaAnalytics", "NovaAuth", "NovaCore", "NovaMock", "NovaSDK", "NovaSQLite", "NovaTestSupport", "NovaTesting",
        "NovaTracking", "nova",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "NovaGraphTests",
      dependencies: ["NovaCore", "NovaGraph", "NovaMock", "NovaTestSupport", "NovaTesting"],
      swiftSettings: settings),
    .testTarget(
      name: "NovaSocialTests",
      dependencies: ["NovaCore", "NovaMock", "NovaSocial", "NovaTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "NovaContentTests",
      dependencies: ["NovaContent", "NovaCore", "NovaMock", "NovaTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "NovaMediaTests",
      dependencies: ["NovaCore", "NovaCrypto", "NovaMedia", "NovaMock", "NovaTestSupport", "NovaTesting"],
      swiftSettings: settings),
    .testTarget(
      name: "NovaUsersTests",
      dependencies: ["NovaCore", "NovaMock", "NovaTestSupport", "NovaUsers"],
      swiftSettings: settings),
    .testTarget(
      name: "NovaAuthTests",
      dependencies: ["NovaAuth", "NovaCore", "NovaMock", "NovaTestSupport", "NovaTesting"],
      swiftSettings: settings),
    .testTarget(
      name: "NovaEventsTests",
      dependencies: ["NovaCore", "NovaEvents", "NovaMock", "NovaTestSupport", "NovaTesting"],
      swiftSettings: settings),
    .testTarget(
      name: "NovaFeedTests",
      dependencies: ["NovaCore", "NovaFeed", "NovaMock", "NovaTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "NovaCaptureTests",
      dependencies: ["NovaCapture", "NovaCore", "NovaMock", "NovaTestSupport", "NovaTesting"],
      swiftSettings: settings),
    .testTarget(
      name: "NovaAnnouncementsTests",
      dependencies: ["NovaAnnouncements", "NovaCore", "NovaMock", "NovaTestSupport", "NovaTesting"],
      swiftSettings: settings),
    .testTarget(
      name: "NovaSupportTests", dependencies: ["NovaSupport", "NovaTestSupport"], swiftSettings: settings),
    .testTarget(
      name: "NovaCodingTests", dependencies: ["NovaAuth", "NovaCoding", "NovaCore", "NovaRegistry", "NovaSupport"],
      exclude: ["Proto"],
      swiftSettings: settings),
    .testTarget(
      name: "NovaHTTPTests",
      dependencies: ["NovaHTTP", "NovaSupport", "NovaTestSupport", "NovaTesting"],
      swiftSettings: settings),
    .testTarget(
      name: "NovaCryptoTests", dependencies: ["NovaCoding", "NovaCrypto", "NovaSupport", "NovaTestSupport"],
      swiftSettings: settings),
    .testTarget(name: "NovaSQLiteTests", dependencies: ["NovaSQLite", "NovaTestSupport"], swiftSettings: settings),
    .testTarget(
      name: "NovaCoreTests",
      dependencies: [
        "NovaCore", "NovaRegistry", "NovaTestSupport", .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "NovaCLITests",
      // The programs themselves, too: most tests run them.
      dependencies: [
        "NovaAnnouncements", "NovaAuth", "NovaCLI", "NovaContent", "NovaContract", "NovaCore", "NovaFixtureFiles",
        "NovaFixtures", "NovaMock", "NovaMockWorlds", "NovaOffline", "NovaRecording", "NovaSDK", "NovaSQLite",
        "NovaServer", "NovaTestSupport", "NovaTesting", "NovaTracking", "NovaWebSocket", "nova", "nova-serve",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "NovaServerTests",
      dependencies: [
        "NovaCore", "NovaCrypto", "NovaMock", "NovaServer", "NovaTestSupport", "NovaTesting", nio("NIOCore"),
        nio("NIOEmbedded"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "NovaViewModelsTests",
      dependencies: [
        "NovaCore", "NovaFixtures", "NovaMock", "NovaMockWorlds", "NovaOffline", "NovaSDK", "NovaTestSupport",
        "NovaTesting", "NovaViewModels", .product(name: "Logging", package: "swift-log"),
      ] + serviceTargets,
      swiftSettings: settings),
    .testTarget(
      name: "NovaCacheTests",
      dependencies: ["NovaCache", "NovaCore", "NovaCrypto", "NovaMedia", "NovaTestSupport", "NovaTesting"],
      exclude: ["Suite/tests.json"],
      swiftSettings: settings),
    .testTarget(
      name: "NovaSDKTests",
      dependencies: [
        "NovaCache", "NovaRecording", "NovaSDK", "NovaTestSupport", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    // Every fault against every kind of call, and the table of docs/reliability.md.
    .testTarget(
      name: "ReliabilityTests",
      dependencies: [
        "NovaAuth", "NovaCache", "NovaCore", "NovaEvents", "NovaGraph", "NovaMedia", "NovaMock", "NovaOffline",
        "NovaRegistry", "NovaSDK", "NovaSocial", "NovaTestSupport", "NovaTesting", "NovaTracking", "nova",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
      ],
      swiftSettings: settings),
    // One suite over every backend: in memory, over HTTP in this process, `nova serve`.
    .testTarget(
      name: "ContractSuiteTests",
      dependencies: [
        "NovaContent", "NovaContract", "NovaCore", "NovaMock", "NovaRegistry", "NovaServer", "NovaSocial",
        "NovaTestSupport", "nova", "nova-serve",
      ],
      swiftSettings: settings),
    // The integration guide as programs and promises, and the tables of docs/guide-parity.md.
    .testTarget(
      name: "GuideParityTests",
      dependencies: ["NovaSDK", "NovaTestSupport", "nova"],
      swiftSettings: settings),
  ]
    + services.map {
      .target(
        name: $0,
        dependencies: ["NovaCore"] + (encrypting.contains($0) ? ["NovaCrypto"] : [])
          + ($0 == "NovaMedia" ? ["CNovaFiles"] : []),
        swiftSettings: settings)
    }
)

// The program that Autobahn's suite tests: see Tools/check-websocket. A target, because it uses more than products have.
if Context.environment["NOVA_WEBSOCKET_CHECK"] == "1" {
  package.targets.append(
    .executableTarget(
      name: "websocket-check", dependencies: ["NovaCore", "NovaMock", "NovaServer", "NovaWebSocket"],
      path: "Tools/websocket-check", swiftSettings: settings))
}

// The kernels whose instructions Tools/bench-check counts. A target here, because they use more than products have.
if Context.environment["NOVA_BENCH_KERNELS"] == "1" {
  package.targets.append(
    .executableTarget(
      name: "bench-kernels", dependencies: ["NovaAuth", "NovaContent", "NovaCore", "NovaGraph", "NovaMock", "NovaSDK"],
      path: "Tools/bench-kernels", swiftSettings: settings))
}

// The packages in Examples/ as targets of this one, so that they compile against this package's build of the SDK: a line
// for each, written by Tools/test-examples. Like other packages' targets they see nothing but public declarations.
for line in Context.environment["NOVA_EXAMPLES"]?.split(separator: "\n") ?? [] {
  let fields = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
  func values(_ field: Int) -> [String] { fields[field].split(separator: ",").map(String.init) }
  let dependencies: [Target.Dependency] = values(3).map { dependency in
    let parts = dependency.split(separator: ":").map(String.init)
    return parts.count == 1 ? .byName(name: parts[0]) : .product(name: parts[0], package: parts[1])
  }
  let settings: [SwiftSetting] = [.treatWarning("DeprecatedDeclaration", as: .error)]
  let (name, path) = (fields[1], fields[2])
  switch fields[0] {
  case "package":
    let version = Version(stringLiteral: path)
    package.dependencies.append(
      values(3).isEmpty ? .package(url: name, from: version, traits: []) : .package(url: name, from: version))
  case "executable":
    package.targets.append(
      .executableTarget(
        name: name, dependencies: dependencies, path: path, exclude: values(4), packageAccess: false,
        swiftSettings: settings))
  case "test":
    package.targets.append(
      .testTarget(
        name: name, dependencies: dependencies, path: path, exclude: values(4), packageAccess: false,
        swiftSettings: settings))
  default:
    package.targets.append(
      .target(
        name: name, dependencies: dependencies, path: path, exclude: values(4), packageAccess: false,
        swiftSettings: settings))
  }
}

// `NOVA_TESTS=NovaCoreTests,NovaGraphTests` leaves only those test targets: to run one, SwiftPM builds all there are.
if let names = Context.environment["NOVA_TESTS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.isTest && !names.contains($0.name) }
}
