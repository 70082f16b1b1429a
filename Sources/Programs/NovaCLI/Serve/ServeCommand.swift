import ArgumentParser
import NovaCore
import NovaLibc
import NovaMock

struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Run the mock backend as an HTTP and gRPC server.",
    usage: "nova serve [<options>]",
    discussion: """
      The server keeps its state in memory until it stops, or, with --state, in a file. The same seed gives the same \
      data and the same faults; --fixtures serves the data of a fixture folder. The inspector at /_nova/ shows the \
      state and the requests. Prints its address once it is listening; Ctrl-C stops it.
      """)

  /// The server is a separate program, so that `nova` does not link the server's libraries.
  static let program = "nova-serve"

  @OptionGroup var options: ServeOptions

  func run() throws {
    // The program has the same options.
    try Self.becomeServer(Array(try CommandLineOrder.arranged(ProcessArguments.checked()).dropFirst()))
  }

  /// Runs the server's program in place of this one.
  static func becomeServer(_ words: [String]) throws -> Never {
    let sibling = System.siblingPath(Self.program)
    let candidates = [sibling] + System.searchPath(for: Self.program)
    guard let path = candidates.first(where: System.isProgram) else {
      throw Failure(
        "cannot run \(Self.program): not found at \(sibling), nor on the PATH",
        hint: "Build both programs with `make release`, and install them in one directory.", .failed)
    }
    let error = System.replaceProcess(with: path, words)
    throw Failure("cannot run \(path): \(error.reason)", .failed)
  }
}

/// The options of `nova serve`.
struct ServeOptions: ParsableArguments {
  @Option(help: "The port; 0 for any free port.")
  var port: UInt16 = 8080

  @Option(
    help: .value(
      "port",
      "Also serve the same data over gRPC on this port, with health checks and reflection; 0 for any free port. Default: no gRPC."
    ))
  var grpcPort: UInt16?

  @Option(help: "The address to listen on: an IPv4 or IPv6 address, or localhost for both loopback addresses.")
  var host = "127.0.0.1"

  @Option(help: "Seed of the random data and faults. Default: 1.")
  var seed: UInt64?

  @Option(
    help: .value(
      "time",
      "Time of the mock's clock at the start: 2025-01-01T00:00:00Z, 2025-01-01, or Unix seconds. Default: the system's time."
    ))
  var now: String?

  @Flag(
    help:
      "Freeze the mock's clock: only the admin API moves it. The same requests then get the same bytes in each run.")
  var freeze = false

  @Option(
    help: .value("folder", "Serve the data of this folder, written by `nova fixtures generate`."),
    completion: .directory)
  var fixtures: String?

  @Option(
    name: .customLong("fault"),
    help: .value("rule", "Inject a fault, for example social.CreateLike=503x2. Can be repeated. See docs/faults.md."))
  var faults: [String] = []

  @Option(help: .value("time", "Delay responses: 50ms, or 50ms±20, or 50ms~20 (normally distributed)."))
  var latency: String?

  @Option(
    help: .value(
      "file", "Run a scenario of timed faults from this JSON file, from the start of the server. See docs/faults.md."),
    completion: .file())
  var scenario: String?

  @Option(help: .value("file", "Store the state in this file, across restarts and crashes."), completion: .file())
  var state: String?

  @Option(
    help: .value(
      "size",
      "Maximum size of uploads, of one file and of all files on the disk: a number of bytes, or with KiB, MiB, GiB or TiB."
    ))
  var mediaLimit = StorageSize.default

  @Flag(
    inversion: .prefixedNo,
    help: "Serve the inspector and the admin API under /_nova/. Default: only if no other machine can reach the server."
  )
  var admin: Bool?

  @Option(
    name: .customLong("allowed-host"),
    help: .value(
      "name",
      "Allow this name in the Host header, besides localhost and IP addresses. Can be repeated. Default: none, or any name if other machines can reach the server."
    ))
  var allowedHosts: [String] = []

  @Option(
    name: .customLong("allow-origin"),
    help: .value(
      "origin",
      "Let web pages of this origin use the server, except for the admin API: http://localhost:5173, http://localhost:* for every port, or https://*.example.com. Can be repeated. Default: none."
    ))
  var allowedOrigins: [String] = []

  @Option(
    help: .value(
      "file",
      "Write the server's URL, ports, and process ID to this file as JSON once it listens, and remove the file when it ends."
    ), completion: .file())
  var readyFile: String?

  @Flag(
    help: "Require an access token for the calls that require one in the contract. Default: no call requires a token.")
  var requireTokens = false

  @Option(help: .value("time", "When the meaning of a new capture is found: never, at its creation, or 2 s later."))
  var meanings = MeaningTime.off

  @OptionGroup var source: ServeSourceOptions

  @Flag(help: "Log each request to standard error.")
  var log = false

  func validate() throws {
    if port != 0, grpcPort == port {
      throw ValidationError("--port and --grpc-port cannot be the same: expected two ports, got \(port) twice")
    }
    if grpcPort != nil, try source.source != nil {
      throw ValidationError(
        "--grpc-port cannot be combined with --replay or --proxy: only HTTP is replayed and passed on")
    }
    guard isAddress else {
      throw ValidationError("invalid --host \"\(host)\": expected an IPv4 or IPv6 address, or localhost")
    }
    do throws(FaultRuleError) {
      _ = try activeFaults
    } catch {
      throw ValidationError("\(error)")
    }
    if let now, MockClockStart(text: now) == nil {
      throw ValidationError(
        "invalid --now \"\(now.printable(to: 60))\": expected a time from 1970 to 2999 in whole seconds, such as 2025-01-01T00:00:00Z, 2025-01-01, or 1735689600"
      )
    }
    if fixtures?.isEmpty == true {
      throw ValidationError("invalid --fixtures: expected the path of a folder, got an empty text")
    }
    if fixtures != nil, seed != nil {
      throw ValidationError("--fixtures and --seed cannot be combined: the folder's manifest has the seed")
    }
    try allowedHosts.validateAsHostNames()
    try OriginPattern.validate(allowedOrigins)
    if readyFile?.isEmpty == true {
      throw ValidationError("invalid --ready-file: expected the path of a file, got an empty text")
    }
    if scenario?.isEmpty == true {
      throw ValidationError("invalid --scenario: expected the path of a file, got an empty text")
    }
    if state?.isEmpty == true {
      throw ValidationError("invalid --state: expected the path of a file, got an empty text")
    }
  }

  private var isAddress: Bool {
    var address = in6_addr()
    return host == "localhost" || inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1
  }

  /// Whether only this machine can reach the server.
  var isLoopback: Bool { NetworkHost.isLoopback(host) }

  /// The faults to inject.
  var activeFaults: Faults {
    get throws(FaultRuleError) { try Faults((latency.map { ["latency=\($0)"] } ?? []) + faults, seed: actualSeed) }
  }

  /// How the backend's clock starts.
  var clockStart: MockClockStart {
    MockClockStart(at: now.flatMap { MockClockStart(text: $0)?.time }, isFrozen: freeze)
  }

  /// The backend's seed. A fixture folder has its own.
  var actualSeed: UInt64 { seed ?? 1 }
}

/// When the mock backend finds the meaning of a new capture.
enum MeaningTime: String, ExpressibleByArgument, CaseIterable {
  case off, created, later

  var meanings: MockMeanings {
    switch self {
    case .off: .off
    case .created: .created
    case .later: .later()
    }
  }
}

extension String {
  /// Whether this is a valid host name in a `Host` header: nonempty labels, and perhaps a dot at the end.
  fileprivate var isHostName: Bool {
    let labels = split(separator: ".", omittingEmptySubsequences: false)
    guard let first = labels.first, !first.isEmpty, labels.dropLast().allSatisfy({ !$0.isEmpty }) else { return false }
    return utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._".utf8.contains($0) }
  }
}

extension OriginPattern {
  /// Throws if a value of `--allow-origin` is invalid.
  static func validate(_ origins: [String]) throws {
    for origin in origins {
      do throws(Problem) {
        _ = try OriginPattern(origin)
      } catch {
        throw ValidationError("invalid --allow-origin \"\(origin.printable(to: 200))\": \(error)")
      }
    }
  }
}

extension [String] {
  /// Checks the names of `--allowed-host`.
  func validateAsHostNames() throws {
    for name in self where !name.isHostName {
      throw ValidationError(
        "invalid --allowed-host \"\(name)\": expected a name without scheme and port, such as nova.test")
    }
  }
}
