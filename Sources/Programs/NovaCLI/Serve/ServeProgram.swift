import ArgumentParser
public import NovaCore
import NovaFixtureFiles
import NovaFixtures
public import NovaMock
import NovaMockWorlds

/// The settings of a server.
public struct ServeSettings: Sendable {
  /// The address to listen on.
  public let host: String
  /// The port; 0 for any free port.
  public let port: UInt16
  /// The port for gRPC; 0 for any free port, nil for none.
  public let grpcPort: UInt16?
  /// The backend to serve.
  public let backend: MockBackend
  /// What responds in its place, except for stubs and faults; nil for the backend itself.
  public let source: Source?
  /// The file that stores the state; nil for none.
  public let statePath: String?
  /// Whether the same requests are to have the same responses as in other runs.
  public let isRepeatable: Bool
  /// Whether to serve the inspector and the admin API.
  public let hasAdmin: Bool
  /// Names allowed in `Host`, besides `localhost` and IP addresses.
  public let allowedHosts: [String]
  /// The origins of web pages that may use everything but the admin API, or patterns for them: `http://localhost:*`.
  public let allowedOrigins: [String]
  /// Logs a request; nil for no log.
  public let log: (@Sendable (String) -> Void)?
  /// Prints a warning.
  public let warn: @Sendable (String) -> Void

  /// What responds in place of a backend.
  public enum Source: Sendable {
    /// A gateway with a base URL.
    case gateway(HTTPURL)
    /// A recording; if it is strict, requests that it does not contain are refused. Otherwise, the backend responds to them.
    case recording(path: String, isStrict: Bool)
  }
}

/// A running server.
public struct RunningServer: Sendable {
  let url: String
  let grpcURL: String?
  let stop: @Sendable () async -> Void

  /// - Parameters:
  ///   - url: the address that it listens on.
  ///   - grpcURL: the address for gRPC; nil for none.
  ///   - stop: stops the server.
  public init(url: String, grpcURL: String?, stop: @escaping @Sendable () async -> Void) {
    (self.url, self.grpcURL) = (url, grpcURL)
    self.stop = stop
  }
}

/// `nova-serve`. It has no subcommands.
struct NovaServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: Serve.program, abstract: Serve.configuration.abstract,
    usage: "nova-serve [<options>]",
    discussion: """
      nova-serve --port 8080
      nova-serve --port 0 --fixtures fixtures
      nova-serve --allow-origin http://localhost:5173
      nova-serve --port 0 --ready-file server.json
      nova-serve --port 8080 --grpc-port 50051
      nova-serve --state nova.state --fault social.CreateLike=503x2

      \(Serve.configuration.discussion) `nova serve` runs this program.

      EXIT CODES:
        0    stopped by Ctrl-C or SIGTERM
        1    failed, for example because the port is in use
        64   invalid usage
      """,
    version: NovaSDKVersion.current)

  @OptionGroup var options: ServeOptions
}

extension Program {
  /// The program `nova-serve`, which `nova serve` runs.
  ///
  /// - Parameters:
  ///   - start: starts the server, and returns once it listens.
  ///   - record: starts the recorder of `nova record`, and returns once it listens.
  public static func serve(
    _ start: @escaping @Sendable (ServeSettings) async throws -> RunningServer,
    record: @escaping @Sendable (RecordSettings) async throws -> RunningRecorder
  ) async -> Never {
    Diagnostics.program = Serve.program
    if ProcessArguments.all.first == recordWord {
      Diagnostics.program = "nova record"
      let arguments = Array(ProcessArguments.all.dropFirst())
      await end(NovaRecordCommand.self) { try await runRecorder(arguments, record) }
    }
    await end(NovaServeCommand.self) {
      let arguments = try ProcessArguments.checked(of: NovaServeCommand.self)
      guard let command = try NovaServeCommand.parseAsRoot(arguments) as? NovaServeCommand else {
        throw CleanExit.helpRequest()
      }
      try await runServer(command.options, start)
    }
  }

  private static func runServer(
    _ options: ServeOptions, _ start: @Sendable (ServeSettings) async throws -> RunningServer
  ) async throws {
    try System.requireDescriptors()
    if !options.isLoopback {
      Diagnostics.warning(
        "other machines can reach \(options.host): everyone who can reach it can use the mock backend")
    }
    let log: @Sendable (String) -> Void = { Diagnostics.write($0) }
    let fixtures = try await FixtureExit.translating { try options.fixtures.map { try FixtureCheck.contents(of: $0) } }
    let world = fixtures?.world
    let scenario = try options.scenario.map(Self.scenario)
    let backend = MockBackend(
      seed: options.actualSeed, dataSet: fixtures.map { .world($0.world, password: $0.password) } ?? .guide,
      faults: try options.activeFaults, requiresTokens: options.requireTokens, meanings: options.meanings.meanings,
      mediaLimit: options.mediaLimit.bytes, clock: options.clockStart)
    let settings = ServeSettings(
      host: options.host, port: options.port, grpcPort: options.grpcPort, backend: backend,
      source: try options.source.source, statePath: options.state,
      isRepeatable: options.now != nil || options.freeze,
      hasAdmin: options.admin ?? options.isLoopback, allowedHosts: options.allowedHosts,
      allowedOrigins: options.allowedOrigins, log: options.log ? log : nil, warn: { Diagnostics.warning($0) })
    if let path = options.readyFile { try ReadyFile.makeRoom(at: path) }
    let server = try await start(settings)
    if let scenario { backend.run(scenario) }
    Interruption.begin(Interruption.ofServer)
    let data = options.source.summary ?? world.map { "fixtures \($0.seed)" } ?? "seed \(options.actualSeed)"
    let facts = ServerFacts(ofThisProcess: reachable(server.url), grpcURL: server.grpcURL.map(reachable), data: data)
    let readyFile = try await readyFile(at: options.readyFile, facts, of: server)
    defer { readyFile?.remove() }
    // Without a directory for it, the server runs all the same.
    let runFile = RunFile.write(facts)
    let clock = options.clockStart == .system ? "" : ", \(clockText(backend))"
    try announce(server, data: data + clock, user: world?.userID(at: 0) ?? "mock-user-id")
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
    // The terminal has echoed Ctrl-C.
    if Interruption.status == .interrupted, System.isTerminal(System.standardError) { Diagnostics.write("") }
    readyFile?.remove()
    runFile?.remove()
    await Task.detached { await server.stop() }.value
    try reportUnmatched(in: backend, options.source)
  }

  /// Lists the requests that nothing was prepared for.
  private static func reportUnmatched(in backend: MockBackend, _ options: ServeSourceOptions) throws {
    let count = backend.unmatchedCount
    guard count > 0, options.failOnUnmatched || options.replay != nil else { return }
    let reports = backend.unmatchedReports
    for report in reports { Diagnostics.write(report) }
    let title = "\(count) unmatched \(count == 1 ? "request" : "requests")"
    let rest = count > reports.count ? ", of which the first \(reports.count) are listed" : ""
    guard options.failOnUnmatched else { return Diagnostics.warning(title + rest) }
    throw Failure(title + rest, hint: nil, .failed)
  }

  /// Writes the ready file, if there is a place for it. Without it, programs would wait for the server, so it stops.
  private static func readyFile(
    at path: String?, _ facts: ServerFacts, of server: RunningServer
  ) async throws -> ReadyFile? {
    do {
      return try path.map { try ReadyFile(facts, at: $0) }
    } catch {
      await server.stop()
      throw error
    }
  }

  /// Reads the whole scenario before the server starts.
  private static func scenario(in path: String) throws -> MockScenario {
    let input = try Input.read(path, what: "the scenario")
    do throws(MockScenarioError) {
      return try MockScenario(jsonUTF8: input.bytes)
    } catch {
      var error = error
      error.file = input.name ?? "standard input"
      throw Failure(error.description, .badData)
    }
  }

  /// The clock at the start: `clock frozen at 2025-01-01T00:00:00Z`.
  private static func clockText(_ backend: MockBackend) -> String {
    "clock \(backend.isClockFrozen ? "frozen at" : "at") \(Timestamp(seconds: backend.currentTime))"
  }

  /// The URL at which programs on this machine reach a server that listens on all addresses.
  private static func reachable(_ url: String) -> String {
    for (any, loopback) in [("//0.0.0.0:", "//127.0.0.1:"), ("//[::]:", "//[::1]:")] where url.contains(any) {
      return url.split(separator: any, maxSplits: 1).joined(separator: loopback)
    }
    return url
  }

  private static func announce(_ server: RunningServer, data: String, user: String) throws {
    let urls = [server.url, server.grpcURL].compactMap(\.self).joined(separator: " and ")
    do {
      try StandardOutput.print("nova serve: listening on \(urls) (\(data))")
    } catch is OutputClosed {
      // The server is useful even if nothing reads the line.
    }
    guard System.isTerminal(System.standardError) else { return }
    Diagnostics.note(
      "Try `nova followers \(user) --base-url \(server.url)` in another terminal; Ctrl-C stops the server.")
  }
}
