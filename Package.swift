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
  // HTTP/2 for the gRPC port of `nova serve`. Only with the trait `Server`; it needs only packages that swift-nio needs.
  .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
  // Services that start and end together. Only with the trait `ServiceLifecycle`, for the module NovaLifecycle.
  .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
]

func nio(_ product: String) -> Target.Dependency {
  .product(name: product, package: "swift-nio", condition: .when(traits: ["Server", "WebSocket"]))
}

func http2(_ product: String) -> Target.Dependency {
  .product(name: product, package: "swift-nio-http2", condition: .when(traits: ["Server"]))
}

// Set by Tools/swift, whose builds are debug builds, though for SwiftPM they are not.
let isDebugBuild = Context.environment["NOVA_DEBUG"] == "1"
// They have NovaLifecycle without its trait, because another choice of traits compiles everything again.
let hasLifecycle = isDebugBuild

// `STRICT_BUILD=1` (set in CI) turns warnings into errors. It is not the default, so that a newer compiler's new
// warning never breaks somebody's build.
let strict: [SwiftSetting] = Context.environment["STRICT_BUILD"] == "1" ? [.treatAllWarnings(as: .error)] : []
let debug: [SwiftSetting] = isDebugBuild ? [.define("DEBUG")] : []
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

/// For Tools/fuzz: a package sees another's products and nothing else.
let fuzzed: [Product] =
  Context.environment["NOVA_FUZZ"] == "1" ? [.library(name: "FuzzTargets", targets: ["FuzzTargets"])] : []

/// Empty without the trait `GRPC`.
let dynamic = Target.Dependency.target(name: "NovaDynamic", condition: .when(traits: ["GRPC"]))
let serviceTargets: [Target.Dependency] = services.map { .byName(name: $0) }

/// The tests of a module, with what nearly all of them use.
func tests(_ module: String, _ others: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .testTarget(
    name: "\(module)Tests",
    dependencies: [.byName(name: module), "NovaTestSupport"] + (module == "NovaCore" ? [] : ["NovaCore"]) + others,
    exclude: exclude)
}

/// What knows nothing of NovaSocial: C libraries, bytes, times, files, JSON, HTTP, digests, SQLite.
let base: [Target] = [
  // Loads shared libraries on first use: nothing but dlopen is linked.
  .target(name: "CNovaLoader", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
  // libcurl, for HTTP. Its headers are needed to build, the library only when the first request is sent.
  .target(name: "CNovaCurl", dependencies: ["CNovaLoader"]),
  // nghttp2, for HTTP/2 under gRPC. Needs no headers.
  .target(name: "CNovaHTTP2", dependencies: ["CNovaLoader"]),
  // OpenSSL's libcrypto, for digests and encryption. Needs no headers.
  .target(name: "CNovaOpenSSL", dependencies: ["CNovaLoader"]),
  // zlib, for compressed messages of gRPC. Needs no headers.
  .target(name: "CNovaZlib", dependencies: ["CNovaLoader"]),
  // SQLite, for databases. Needs no headers.
  .target(name: "CNovaSQLite", dependencies: ["CNovaLoader"]),
  // libpq, for PostgreSQL. Needs no headers.
  .target(name: "CNovaPostgreSQL", dependencies: ["CNovaLoader"]),
  // What Swift cannot reach of the system's files.
  .target(name: "CNovaFiles"),
  // What `nova` does before the Swift runtime starts.
  .target(name: "CNovaProgram"),
  // The system's C library under one name.
  .target(name: "NovaLibc"),
  // The SDK's own base: bytes, times, locks, files. Without C, so that it compiles before everything else.
  .target(name: "NovaSupport"),
  // Messages and their JSON. Apart from NovaHTTP, so that the two compile side by side.
  .target(name: "NovaCoding", dependencies: ["NovaSupport"]),
  // Messages whose types are known only at run time, for calls of any gRPC server. Apart from NovaCoding, because only
  // programs need it.
  .target(name: "NovaDynamic", dependencies: ["NovaCoding", "NovaSupport"]),
  // HTTP's types, and the transport over libcurl.
  .target(
    name: "NovaHTTP",
    dependencies: [
      "CNovaCurl", .target(name: "CNovaHTTP2", condition: .when(traits: ["GRPC"])), "NovaSupport",
    ]),
  // Digests and encryption, for uploads and stored sessions.
  .target(name: "NovaCrypto", dependencies: ["CNovaOpenSSL"]),
  // SQLite for Swift: the one way of the SDK into databases. Our own, because a package for it would be cloned by
  // everyone, see docs/architecture.md.
  .target(name: "NovaSQLite", dependencies: ["CNovaSQLite", "NovaSupport"]),
  // PostgreSQL for Swift, over libpq: for state that machines share.
  .target(name: "NovaPostgreSQL", dependencies: ["CNovaPostgreSQL", "NovaSupport"]),
  // Redis and Valkey: RESP3 over connections that libcurl makes. Apart, so that only programs that use it build it.
  .target(name: "NovaRedis", dependencies: ["CNovaCurl", "NovaHTTP", "NovaSupport"]),
  .testTarget(name: "NovaRedisTests", dependencies: ["NovaRedis", "NovaSupport", "NovaTestSupport"]),
  tests("NovaSupport"),
  .testTarget(
    name: "NovaCodingTests", dependencies: ["NovaAuth", "NovaCoding", "NovaCore", "NovaRegistry", "NovaSupport"],
    exclude: ["Proto"]),
  .testTarget(
    name: "NovaDynamicTests", dependencies: ["NovaCoding", "NovaDynamic", "NovaSupport"],
    exclude: ["Editions", "Proto"]),
  tests(
    "NovaHTTP",
    [.target(name: "CNovaHTTP2", condition: .when(traits: ["GRPC"])), "NovaSupport", "NovaTesting"]),
  tests("NovaCrypto", ["NovaCoding", "NovaSupport"]),
  tests("NovaSQLite"),
  tests("NovaPostgreSQL", ["NovaSupport"]),
]

/// The client, without any service.
let client: [Target] = [
  // The client. Reexports NovaSupport, NovaCoding and NovaHTTP, so that one import is enough.
  .target(
    name: "NovaCore",
    dependencies: [
      "NovaCoding", "NovaCrypto", "NovaHTTP", "NovaSupport", .product(name: "Logging", package: "swift-log"),
      .product(name: "CoreMetrics", package: "swift-metrics"),
      .product(name: "Tracing", package: "swift-distributed-tracing"),
    ]),
  tests(
    "NovaCore",
    [
      "NovaRegistry", .product(name: "CoreMetrics", package: "swift-metrics"),
      .product(name: "MetricsTestKit", package: "swift-metrics"),
      .product(name: "Tracing", package: "swift-distributed-tracing"),
      .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
    ]),
]

/// The contract's services, and the registry of all that they have.
let serviceModules: [Target] =
  services.map {
    .target(
      name: $0,
      dependencies: ["NovaCore"] + (encrypting.contains($0) ? ["NovaCrypto"] : [])
        + ($0 == "NovaMedia" ? ["CNovaFiles"] : []))
  }
  + services.filter { $0 != "NovaAnalytics" }.map { tests($0, ["NovaCrypto", "NovaMock", "NovaTesting"]) }
  + [
    // Every RPC and message by name.
    .target(name: "NovaRegistry", dependencies: ["NovaCore"] + serviceTargets)
  ]

/// Backends and data for tests: the mock backend, recordings, fixtures, the contract's checks.
let testing: [Target] = [
  // How much of the contract was tried. Apart, because the mock backend and the contract's checks count it.
  .target(name: "NovaCoverage", dependencies: ["NovaCore", "NovaRegistry"]),
  // The backend engine: stateful, deterministic, in memory.
  .target(
    name: "NovaMock", dependencies: ["NovaCore", "NovaCoverage", "NovaCrypto", "NovaRegistry"] + serviceTargets,
    // Embedded by Tools/generate.
    exclude: ["Inspector/Page"]),
  // Data made of seeds: a whole network, computed and not stored.
  .target(name: "NovaFixtures", dependencies: ["NovaCore"] + serviceTargets),
  // Generated networks as data sets of the mock backend: apart, so that neither of the two needs the other.
  .target(
    name: "NovaMockWorlds", dependencies: ["NovaCore", "NovaFixtures", "NovaMedia", "NovaMock", "NovaSocial"]),
  // Writes such data into files and as requests with their answers, for other tools, too; checks and compares it.
  .target(
    name: "NovaFixtureFiles",
    dependencies: [
      "CNovaFiles", "NovaContract", "NovaCore", "NovaCrypto", "NovaFixtures", "NovaMock", "NovaMockWorlds",
      "NovaRecording", "NovaRegistry", "NovaSQLite",
    ] + serviceTargets),
  // The contract as scenarios: checks one gateway, compares two, and provides the requests of fixtures.
  .target(
    name: "NovaContract",
    dependencies: ["NovaCore", "NovaCoverage", "NovaCrypto", dynamic, "NovaRegistry"] + serviceTargets),
  // Records calls into cassettes and replays them; compares requests and messages as the contract reads them.
  .target(name: "NovaRecording", dependencies: ["NovaCore", "NovaRegistry"]),
  // For tests, the users' and the SDK's own: a manual clock, stubs, fakes, and servers with faults. No product
  // target depends on it.
  .target(
    name: "NovaTesting", dependencies: ["NovaCore", "NovaMock", "NovaRecording", "NovaRegistry"] + serviceTargets),
  // What needs Swift Testing: apart, because that links Foundation, and NovaTesting may be linked into programs.
  .target(
    name: "NovaTestingTraits", dependencies: ["NovaCore", "NovaMock", "NovaTesting"]),
  // What the tests of several targets use: servers of our own (raw sockets with a script, nginx with TLS) and stubs.
  .target(
    name: "NovaTestSupport",
    dependencies: [
      "NovaAuth", "NovaCore", "NovaGraph", "NovaHTTP", "NovaMock", "NovaTesting",
      .product(name: "Logging", package: "swift-log"),
    ]),
  tests("NovaTesting", ["NovaMock", "NovaRegistry", "NovaTestingTraits"] + serviceTargets),
  tests("NovaRecording", ["NovaAuth", "NovaGraph", "NovaMock", "NovaSocial", "NovaTesting", "NovaTestingTraits"]),
  .testTarget(name: "NovaFixturesTests", dependencies: ["NovaCore", "NovaFixtures"] + serviceTargets),
  tests(
    "NovaFixtureFiles",
    [
      "NovaContract", "NovaCrypto", "NovaFixtures", "NovaMock", "NovaMockWorlds", "NovaRegistry", "NovaTesting",
      "nova",
    ] + serviceTargets),
  tests("NovaCoverage", ["NovaGraph", "NovaRegistry"]),
  tests("NovaContract", ["NovaCoverage", "NovaMock", "NovaRegistry", "NovaTesting"] + serviceTargets),
  tests("NovaMock", ["NovaCoverage", "NovaCrypto", "NovaRegistry", "NovaTesting"] + serviceTargets),
  tests("NovaMockWorlds", ["NovaFixtures", "NovaMock"] + serviceTargets),
]

/// What apps and servers use above the services, and NovaSDK, which has them all in one import.
let apps: [Target] = [
  // What an app holds above the services: Observation only, no UI framework, and nothing of the mock.
  .target(
    name: "NovaViewModels",
    dependencies: [
      "NovaAnnouncements", "NovaAuth", "NovaCapture", "NovaContent", "NovaCore", "NovaEvents", "NovaGraph",
      "NovaMedia", "NovaSocial", "NovaUsers", .product(name: "Logging", package: "swift-log"),
    ]),
  // An HTTP cache in memory and on disk, and images through it. Apart, so that only programs that use it build it.
  .target(name: "NovaCache", dependencies: ["NovaCore", "NovaCrypto", "NovaMedia"]),
  // Reads from a cache, and writes that wait. Apart, so that only programs that use it build it.
  .target(
    name: "NovaOffline", dependencies: ["NovaCore", "NovaCrypto", "NovaRegistry", "NovaSQLite"] + serviceTargets),
  // State that machines share on Redis and PostgreSQL: sessions, limits, caches, an outbox. Apart, so that only programs
  // that use it build it.
  .target(
    name: "NovaFleet",
    dependencies: [
      "NovaAuth", "NovaCache", "NovaCore", "NovaCrypto", "NovaMedia", "NovaOffline", "NovaPostgreSQL", "NovaRedis",
      "NovaRegistry", .product(name: "CoreMetrics", package: "swift-metrics"),
      .product(name: "Logging", package: "swift-log"),
    ]),
  // Events of what users do, kept on the disk and sent in batches. Apart, so that only programs that use it build it.
  .target(
    name: "NovaTracking", dependencies: ["NovaAnalytics", "NovaCore", "NovaSQLite"]),
  // WebSocket connections (RFC 6455). Empty without the trait `WebSocket`.
  .target(
    name: "NovaWebSocket",
    dependencies: [
      "NovaCore", "NovaEvents", nio("NIOCore"), nio("NIOHTTP1"), nio("NIOPosix"), nio("NIOWebSocket"),
    ]),
  // The umbrella: NovaClient, the shared client, the services and view models re-exported. The mock backend is left out
  // without the trait `Mock`.
  .target(
    name: "NovaSDK",
    dependencies: [
      "NovaCore", .target(name: "NovaMock", condition: .when(traits: ["Mock"])), "NovaRegistry", "NovaViewModels",
      .product(name: "Logging", package: "swift-log"),
    ] + serviceTargets),
  // The client as a service of swift-service-lifecycle. Empty without the trait `ServiceLifecycle`.
  .target(
    name: "NovaLifecycle",
    dependencies: [
      "NovaSDK",
      .product(
        name: "ServiceLifecycle", package: "swift-service-lifecycle",
        condition: hasLifecycle ? nil : .when(traits: ["ServiceLifecycle"])),
    ],
    swiftSettings: hasLifecycle ? [.define("ServiceLifecycle")] : []),
  tests("NovaOffline", ["NovaMock", "NovaRegistry", "NovaSQLite", "NovaTesting"] + serviceTargets),
  // One machine of a fleet, for tests that start many of them, and end them at every step.
  .executableTarget(
    name: "FleetMachine",
    dependencies: [
      "NovaAuth", "NovaCache", "NovaContent", "NovaCore", "NovaFleet", "NovaPostgreSQL", "NovaRedis", "NovaSocial",
      "NovaUsers",
    ]),
  tests(
    "NovaFleet",
    [
      "FleetMachine", "NovaAuth", "NovaCache", "NovaContent", "NovaCrypto", "NovaGraph", "NovaMedia", "NovaMock",
      "NovaOffline", "NovaPostgreSQL", "NovaRedis", "NovaSocial", "NovaTesting",
    ]),
  tests(
    "NovaWebSocket",
    [
      "NovaAuth", "NovaEvents", "NovaMock", "NovaServer", "NovaTesting", nio("NIOCore"), nio("NIOEmbedded"),
      nio("NIOHTTP1"), nio("NIOWebSocket"),
    ]),
  tests("NovaTracking", ["NovaAnalytics", "NovaAuth", "NovaMock", "NovaSDK", "NovaSQLite", "NovaTesting", "nova"]),
  tests(
    "NovaViewModels",
    [
      "NovaFixtures", "NovaMock", "NovaMockWorlds", "NovaOffline", "NovaSDK", "NovaTesting",
      .product(name: "Logging", package: "swift-log"),
    ] + serviceTargets),
  tests("NovaCache", ["NovaCrypto", "NovaMedia", "NovaTesting"], exclude: ["Suite/tests.json"]),
  tests("NovaSDK", ["NovaCache", "NovaRecording", .product(name: "Logging", package: "swift-log")]),
]

/// The programs `nova` and `nova-serve`.
let programs: [Target] = [
  // The commands of `nova`, in a library so that tests can reach them.
  .target(
    name: "NovaCLI",
    dependencies: [
      "CNovaProgram", "CNovaZlib", "NovaCache", "NovaContract", "NovaCore", "NovaCoverage", "NovaCrypto", dynamic,
      "NovaEvents", "NovaFixtureFiles", "NovaFixtures", "NovaFleet", "NovaMedia", "NovaMock", "NovaMockWorlds",
      "NovaOffline", "NovaPostgreSQL", "NovaSDK", "NovaSQLite", "NovaTracking", "NovaViewModels",
      .product(name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Mock"])),
      .product(name: "Logging", package: "swift-log"),
    ]),
  .executableTarget(name: "nova", dependencies: ["NovaCLI"]),
  // The mock backend behind HTTP, and the program that `nova serve` runs: a library, so that tests can reach it.
  .target(
    name: "NovaServer",
    dependencies: [
      "CNovaZlib", "NovaCore", "NovaEvents", "NovaMock", "NovaRecording", "NovaRegistry", "NovaWebSocket",
      http2("NIOHPACK"), http2("NIOHTTP2"),
      nio("NIOCore"), nio("NIOHTTP1"), nio("NIOPosix"), nio("NIOWebSocket"),
    ]),
  .executableTarget(
    name: "nova-serve",
    dependencies: ["NovaCLI", "NovaContract", "NovaCoverage", "NovaMock", "NovaRecording", "NovaServer"]),
  // The programs themselves, too: most tests run them.
  tests(
    "NovaCLI",
    [
      "NovaAnnouncements", "NovaAuth", "NovaContent", "NovaContract", "NovaFixtureFiles", "NovaFixtures", "NovaFleet",
      "NovaMock", "NovaMockWorlds", "NovaOffline", "NovaPostgreSQL", "NovaRecording", "NovaRedis", "NovaSDK",
      "NovaSQLite", "NovaServer", "NovaTesting", "NovaTracking", "NovaWebSocket", "nova", "nova-serve",
    ]),
  tests(
    "NovaServer",
    [
      "NovaCrypto", "NovaMock", "NovaRecording", "NovaRegistry", "NovaTesting", http2("NIOHPACK"), http2("NIOHTTP2"),
      nio("NIOCore"), nio("NIOEmbedded"), nio("NIOPosix"),
    ] + serviceTargets),
]

/// Tests of the whole.
let suites: [Target] = [
  // Every fault against every kind of call, and the table of docs/reliability.md.
  .testTarget(
    name: "ReliabilityTests",
    dependencies: [
      "NovaAuth", "NovaCache", "NovaCore", "NovaEvents", "NovaGraph", "NovaMedia", "NovaMock", "NovaOffline",
      "NovaRegistry", "NovaSDK", "NovaSocial", "NovaTestSupport", "NovaTesting", "NovaTracking", "nova",
      .product(name: "CoreMetrics", package: "swift-metrics"),
      .product(name: "MetricsTestKit", package: "swift-metrics"), .product(name: "Logging", package: "swift-log"),
      .product(name: "Tracing", package: "swift-distributed-tracing"),
      .product(name: "InMemoryTracing", package: "swift-distributed-tracing"), http2("NIOHPACK"), http2("NIOHTTP2"),
      nio("NIOCore"), nio("NIOPosix"),
    ]),
  // One suite over every backend: in memory, over HTTP in this process, `nova serve`.
  .testTarget(
    name: "ContractSuiteTests",
    dependencies: [
      "NovaContent", "NovaContract", "NovaCore", "NovaMock", "NovaRecording", "NovaRegistry", "NovaServer",
      "NovaSocial", "NovaTestSupport", "NovaTesting", "nova", "nova-serve",
    ]),
  // What must be true whatever bytes come from outside: for Tools/fuzz, and for a test with the committed inputs.
  .target(
    name: "FuzzTargets",
    dependencies: [
      "NovaAuth", "NovaCache", "NovaCoding", "NovaCore", "NovaCrypto", dynamic, "NovaHTTP", "NovaMedia", "NovaMock",
      "NovaRecording", "NovaRegistry", "NovaServer", "NovaSupport", "NovaTesting", nio("NIOCore"), nio("NIOEmbedded"),
    ]),
  .testTarget(name: "FuzzTargetTests", dependencies: ["FuzzTargets", "NovaSupport", "NovaTestSupport"]),
  // The integration guide as programs and promises, and the tables of docs/guide-parity.md.
  .testTarget(name: "GuideParityTests", dependencies: ["NovaCLI", "NovaSDK", "NovaTestSupport", "nova"]),
]

/// The folders of Sources/ and Tests/, lowest first: a module imports only modules of its own room and of rooms before it.
let rooms = [
  ("Base", base), ("Client", client), ("Services", serviceModules), ("Testing", testing), ("Apps", apps),
  ("Programs", programs), ("Suites", suites),
]

for (room, targets) in rooms {
  for target in targets {
    let isForTests = target.isTest || ["FleetMachine", "FuzzTargets", "NovaTestSupport"].contains(target.name)
    target.path = "\(isForTests ? "Tests" : "Sources")/\(room)/\(target.name)"
    guard !target.name.hasPrefix("CNova") else { continue }
    target.swiftSettings = settings + (target.swiftSettings ?? [])
    // Any module may call the system.
    if target.name != "NovaLibc" { target.dependencies.append("NovaLibc") }
  }
}

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
    .library(name: "NovaRedis", targets: ["NovaRedis"]),
    .library(name: "NovaFleet", targets: ["NovaFleet"]),
    .library(name: "NovaPostgreSQL", targets: ["NovaPostgreSQL"]),
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
      name: "Server", description: "nova serve, the mock backend over HTTP and gRPC; brings swift-nio",
      enabledTraits: ["GRPC", "Mock", "WebSocket"]),
    .trait(
      name: "GRPC", description: "Calls over gRPC: base URLs with grpc:// and grpcs://; brings no other package"),
    .trait(name: "WebSocket", description: "Live events over WebSocket, the module NovaWebSocket; brings swift-nio"),
    .trait(
      name: "ServiceLifecycle",
      description: "Shutdown with the services of a server, the module NovaLifecycle; brings swift-service-lifecycle"),
    .default(enabledTraits: ["Mock"]),
  ],
  dependencies: dependencies,
  targets: rooms.flatMap(\.1)
)

// The program that Autobahn's suite tests: see Tools/check-websocket. A target, because it uses more than products have.
if Context.environment["NOVA_WEBSOCKET_CHECK"] == "1" {
  package.targets.append(
    .executableTarget(
      name: "websocket-check", dependencies: ["NovaCore", "NovaMock", "NovaServer", "NovaWebSocket"],
      path: "Tools/websocket-check", swiftSettings: settings))
}

// The program that Google's conformance suite of protobuf tests, and its messages: see Tools/check-conformance.
if Context.environment["NOVA_CONFORMANCE"] == "1" {
  package.targets += [
    .target(
      name: "ConformanceMessages", dependencies: ["NovaCore"],
      path: ".build/conformance/messages/Sources/ConformanceMessages", swiftSettings: settings),
    .executableTarget(
      name: "conformance-check", dependencies: ["ConformanceMessages", "NovaCoding", "NovaCore", "NovaLibc"],
      path: "Tools/conformance-check", exclude: ["expected-failures.txt"], swiftSettings: settings),
  ]
}

// The kernels whose instructions Tools/bench-check counts. A target here, because they use more than products have.
if Context.environment["NOVA_BENCH_KERNELS"] == "1" {
  package.targets.append(
    .executableTarget(
      name: "bench-kernels", dependencies: ["NovaAuth", "NovaContent", "NovaCore", "NovaGraph", "NovaMock", "NovaSDK"],
      path: "Tools/bench-kernels", swiftSettings: settings))
}

// The program that writes files which later versions must read: see Tools/write-compatibility-files. Always in builds for
// the tests, so that it compiles when a release needs it.
if isDebugBuild {
  package.targets.append(
    .executableTarget(
      name: "compatibility-files", dependencies: ["NovaRecording", "NovaSDK", "NovaTracking"],
      path: "Tools/compatibility-files", swiftSettings: settings))
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
