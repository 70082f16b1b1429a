import ArgumentParser
import NovaCore
import NovaLibc
import NovaMock

struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Run the mock backend as an HTTP server.",
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
    let sibling = System.siblingPath(Self.program)
    let candidates = [sibling] + System.searchPath(for: Self.program)
    guard let path = candidates.first(where: System.isProgram) else {
      throw Failure(
        "cannot run \(Self.program): not found at \(sibling), nor on the PATH",
        hint: "Build both programs with `make release`, and install them in one directory.", .failed)
    }
    let error = System.replaceProcess(with: path, options.arguments)
    throw Failure("cannot run \(path): \(error.reason)", .failed)
  }
}

/// The options of `nova serve`.
struct ServeOptions: ParsableArguments {
  @Option(help: "The port; 0 for any free port.")
  var port: UInt16 = 8080

  @Option(help: "The address to listen on: an IPv4 or IPv6 address, or localhost for both loopback addresses.")
  var host = "127.0.0.1"

  @Option(help: "Seed of the random data and faults. Default: 1.")
  var seed: UInt64?

  @Option(
    help: ArgumentHelp(
      "Serve the data of this folder, written by `nova fixtures generate`.",
      valueName: "folder"), completion: .directory)
  var fixtures: String?

  @Option(
    name: .customLong("fault"),
    help: ArgumentHelp(
      "Inject a fault, for example social.CreateLike=503x2. Can be repeated. See docs/faults.md.",
      valueName: "rule"))
  var faults: [String] = []

  @Option(
    help: ArgumentHelp("Delay responses: 50ms, or 50ms±20, or 50ms~20 (normally distributed).", valueName: "time"))
  var latency: String?

  @Option(
    help: ArgumentHelp("Store the state in this file, across restarts and crashes.", valueName: "file"),
    completion: .file())
  var state: String?

  @Option(
    help: ArgumentHelp(
      "Maximum size of uploads, of one file and of all files on the disk: a number of bytes, or with KiB, MiB, GiB or TiB.",
      valueName: "size"))
  var mediaLimit = StorageSize.default

  @Flag(
    inversion: .prefixedNo,
    help: "Serve the inspector and the admin API under /_nova/. Default: only if no other machine can reach the server."
  )
  var admin: Bool?

  @Option(
    name: .customLong("allowed-host"),
    help: ArgumentHelp(
      "Allow this name in the Host header, besides localhost and IP addresses. Can be repeated. Default: none, or any name if other machines can reach the server.",
      valueName: "name"))
  var allowedHosts: [String] = []

  @Flag(
    help: "Require an access token for the calls that require one in the contract. Default: no call requires a token.")
  var requireTokens = false

  @Option(
    help: ArgumentHelp(
      "When the meaning of a new capture is found: never, at its creation, or 2 s later.", valueName: "time"))
  var meanings = MeaningTime.off

  @Flag(help: "Log each request to standard error.")
  var log = false

  func validate() throws {
    guard ListeningAddress(host: host) != nil else {
      throw ValidationError("invalid --host \"\(host)\": expected an IPv4 or IPv6 address, or localhost")
    }
    do throws(FaultRuleError) {
      _ = try activeFaults
    } catch {
      throw ValidationError("\(error)")
    }
    if fixtures?.isEmpty == true {
      throw ValidationError("invalid --fixtures: expected the path of a folder, got an empty text")
    }
    if fixtures != nil, seed != nil {
      throw ValidationError("--fixtures and --seed cannot be combined: the folder's manifest has the seed")
    }
    for name in allowedHosts where !name.isHostName {
      throw ValidationError(
        "invalid --allowed-host \"\(name)\": expected a name without scheme and port, such as nova.test")
    }
    if state?.isEmpty == true {
      throw ValidationError("invalid --state: expected the path of a file, got an empty text")
    }
  }

  /// The faults to inject.
  var activeFaults: Faults {
    get throws(FaultRuleError) { try Faults((latency.map { ["latency=\($0)"] } ?? []) + faults, seed: actualSeed) }
  }

  /// The backend's seed. A fixture folder has its own.
  var actualSeed: UInt64 { seed ?? 1 }

  /// The options as a command line.
  var arguments: [String] {
    var arguments = ["--port", String(port), "--host", host]
    if let seed { arguments += ["--seed", String(seed)] }
    if let fixtures { arguments.append("--fixtures=\(fixtures)") }
    for fault in faults { arguments.append("--fault=\(fault)") }
    if let latency { arguments.append("--latency=\(latency)") }
    if let state { arguments.append("--state=\(state)") }
    if mediaLimit.bytes != StorageSize.default.bytes { arguments.append("--media-limit=\(mediaLimit)") }
    if let admin { arguments.append(admin ? "--admin" : "--no-admin") }
    for name in allowedHosts { arguments.append("--allowed-host=\(name)") }
    if requireTokens { arguments.append("--require-tokens") }
    if meanings != .off { arguments.append("--meanings=\(meanings.rawValue)") }
    if log { arguments.append("--log") }
    return arguments
  }
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

/// The address that a server listens on: IPv4 or IPv6.
struct ListeningAddress: Sendable {
  let host: String

  /// Returns nil if the host is neither an address nor `localhost`.
  init?(host: String) {
    self.host = host
    if host == "localhost" { return }
    var address = in6_addr()
    guard inet_pton(AF_INET, self.host, &address) == 1 || inet_pton(AF_INET6, self.host, &address) == 1 else {
      return nil
    }
  }

  /// Whether only this machine can reach the server.
  var isLoopback: Bool { NetworkHost.isLoopback(host) }
}
