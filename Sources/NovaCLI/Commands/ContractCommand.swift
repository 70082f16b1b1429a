import ArgumentParser
import NovaContract
import NovaCore
import NovaSDK

struct Contract: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Hold a gateway against the contract.", subcommands: [ContractCheckCommand.self])
}

struct ContractCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Send every RPC's requests, and tell where the answers are not what the contract says.",
    usage: "nova contract check [--base-url <url> | --mock] [--read-only] [--report <format>] [<options>]",
    discussion: """
      nova contract check --mock
      nova contract check --base-url http://localhost:8080
      nova contract check --environment staging --report junit --out contract.xml

      Each difference is one of three: breaking (the SDK cannot read it, or takes it for something else), tolerated \
      (the SDK reads it as it was meant), additive (more than the contract knows; the SDK leaves it out).

      On this machine it writes: it opens two accounts of its own, acts as them, and deletes what can be deleted. \
      Anywhere else it is read-only unless --no-read-only says otherwise, and sends 10 requests a second.

      EXIT CODES:
        0    the whole check, without breaking differences
        1    breaking differences, or it ended early (--max-requests, --max-time)
        4    no breaking differences, but RPCs that need somebody who is signed in; a session that is over
        6    no connection
      """)

  @OptionGroup(title: "Check") var options: ContractCheckOptions
  @OptionGroup(title: "Report") var format: ContractReportOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let configuration = try connection.configuration()
    configuration.warnings.forEach(Diagnostics.warning)
    try await CredentialGuard(configuration).check()
    let target = ContractTarget(configuration)
    let isReadOnly = options.isReadOnly ?? target.isReadOnlyByDefault
    if !isReadOnly, target.isReadOnlyByDefault {
      Diagnostics.warning(
        "this writes to \(target.name): it opens two accounts there, which cannot be closed, and acts as them")
    }
    let session = try target.session()
    let sessions = try session?.sessions
    let isTold = connection.verbose || connection.explain
    let base = NovaClient.transport(configuration)
    let transport: any HTTPTransport = isTold ? TellingTransport(base: base) : base
    let check = ContractCheck(
      transport: transport, target: target.name, tokens: sessions ?? target.token,
      options: checkOptions(target, isReadOnly)
    ) { configuration.baseURL(for: $0) }
    // What was created is deleted even then, which takes its time.
    Interruption.begin(grace: 10)
    let bar = ProgressBar(isShown: !isTold)
    let report = await check.run { bar.show(ProgressLine($0)) }
    bar.clear()
    let unsaved = await CommandContext.finish(sessions)
    await session?.client.shutdown(grace: .zero)
    await transport.shutdown()
    try ContractReportWriter(options: format).write(report)
    if let failure = Self.failure(report) {
      if let unsaved { Diagnostics.warning(unsaved.message) }
      throw failure
    }
    if let unsaved { throw unsaved }
  }

  private func checkOptions(_ target: ContractTarget, _ isReadOnly: Bool) -> ContractCheck.Options {
    var result = ContractCheck.Options()
    result.isReadOnly = isReadOnly
    result.sendsInvalidRequests = options.invalid
    result.requestsPerSecond = options.rate ?? (target.isLocal ? nil : 10)
    result.maximumRequests = options.maxRequests
    if let time = options.maxTime { result.maximumTime = time.duration }
    result.user = options.user?.text
    result.requestNames = target.configuration.services.compactMapValues(\.requestNames)
    if let timeout = connection.timeout?.duration {
      result.limits.totalTimeout = timeout
      // Whoever waits longer for an answer also waits longer for its first byte.
      result.limits.idleTimeout = max(result.limits.idleTimeout, timeout)
    }
    return result
  }

  /// What the program ends with; nil for success.
  static func failure(_ report: ContractReport) -> (any Error)? {
    switch report.stop {
    case .interrupted: return Interrupted()
    case .noConnection(let reason):
      let hint = "Check --base-url and --environment, or start the mock backend with `nova serve`."
      return Failure("the check could not be made: \(reason)", hint: hint, .noConnection)
    case .noToken(let reason):
      return Failure(
        "the check could not be made: \(reason)",
        hint: "Sign in with `nova login`, or put a token into NOVA_TOKEN.", .notAllowed)
    default: break
    }
    let breaking = report.count(.breaking)
    if breaking > 0 {
      return Failure("\(breaking) breaking \(breaking == 1 ? "difference" : "differences")", .failed)
    }
    if let stop = report.stop {
      return Failure("the check ended early: \(stop)", hint: "Allow more with --max-requests or --max-time.", .failed)
    }
    guard !report.refused.isEmpty else { return nil }
    return Failure(
      "\(report.refused.count) RPCs could not be checked: the gateway wants somebody else, or somebody at all",
      hint: "Sign in with `nova login`, or put a token into NOVA_TOKEN.", .notAllowed)
  }
}

/// What a check may do.
struct ContractCheckOptions: ParsableArguments {
  @Flag(
    inversion: .prefixedNo,
    help: "Call only RPCs without side effects. Default: on, but for --mock and gateways on this machine.")
  var readOnly: Bool?

  @Flag(help: "The same as --no-read-only.")
  var writes = false

  @Flag(inversion: .prefixedNo, help: "Send requests that the contract refuses, too.")
  var invalid = true

  @Option(help: ArgumentHelp("A user to look at. Default: who is signed in, or whom a search finds.", valueName: "id"))
  var user: UserID?

  @Option(
    help: ArgumentHelp(
      "How many requests a second. Default: 10; on this machine as many as it answers.", valueName: "count"))
  var rate: Double?

  @Option(help: ArgumentHelp("How many requests at most.", valueName: "count"))
  var maxRequests = 2000

  @Option(help: ArgumentHelp("How long it may take: 90s, 5m. Default: 10m.", valueName: "time"))
  var maxTime: Seconds?

  /// Nil where nothing was said.
  var isReadOnly: Bool? { writes ? false : readOnly }

  func validate() throws {
    if writes, readOnly == true { throw ValidationError("--read-only and --writes contradict each other") }
    if let rate, !(rate > 0 && rate <= 100_000) { throw ValidationError("--rate is \(rate); it must be more than 0") }
    if maxRequests < 1 { throw ValidationError("--max-requests is \(maxRequests); it must be 1 or more") }
    if let maxTime, maxTime.duration <= .zero { throw ValidationError("--max-time must be more than 0") }
  }
}

/// What is checked, and how carefully.
struct ContractTarget {
  let configuration: APIConfiguration

  init(_ configuration: APIConfiguration) { self.configuration = configuration }

  var name: String { configuration.usesMockData ? "the mock backend" : configuration.baseURL }

  /// Whether everything stays on this machine.
  var isLocal: Bool {
    configuration.usesMockData
      || RPCRegistry.nova.rpcs.allSatisfy {
        (try? HTTPURL(configuration.baseURL(for: $0.service)))?.isLoopback ?? false
      }
  }

  /// Other machines are other people's. An environment that was named is taken at its word: it may be at the other end
  /// of a tunnel.
  var isReadOnlyByDefault: Bool {
    guard !configuration.usesMockData else { return false }
    let isNamed = configuration.entries.contains { $0.key == "environment" && $0.source != .builtIn }
    return !isLocal || isNamed && configuration.environment != .development
  }

  /// The token of NOVA_TOKEN.
  var token: StoredToken? { configuration.token.map { StoredToken($0) } }

  /// Who is signed in; nil where a token was given or nobody is.
  func session() throws -> NovaClient? {
    guard configuration.token == nil, SessionFile.exists(configuration) else { return nil }
    return NovaClient(
      configuration: configuration, sessionStore: try SessionFile.store(configuration),
      refreshing: RefreshPolicy(refreshesInBackground: false))
  }
}
