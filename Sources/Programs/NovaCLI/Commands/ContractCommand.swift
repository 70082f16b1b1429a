import ArgumentParser
import NovaContract
import NovaSDK

struct Contract: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contract", abstract: "Check a gateway against the contract, and compare contracts.",
    subcommands: [
      ContractCheckCommand.self, ContractSuiteCommand.self, ContractMergeCommand.self, ContractDiffCommand.self,
    ]
  )
}

struct ContractCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Call every RPC, and list where the responses differ from the contract.",
    usage:
      "nova contract check [--base-url <url> | --mock] [--read-only] [--baseline <file>] [--report <format>] [<options>]",
    discussion: """
      nova contract check --mock
      nova contract check --base-url http://localhost:8080
      nova contract check --base-url grpc://localhost:50051
      nova contract check --environment staging --report junit --out contract.xml
      nova contract check --rpc 'graph.*' --rpc user.SearchUsers
      nova contract check --mock --coverage -o json
      nova contract check --baseline contract-baseline.json --report github --report sarif=contract.sarif
      nova contract check --environment staging --shard 2/4 --out shards/2.json

      Each difference has one of three grades: breaking (the SDK cannot read it, or misunderstands it), tolerated \
      (the SDK reads it correctly), additive (the contract does not define it; the SDK ignores it).

      For a gateway on this machine, the check writes: it registers three accounts, acts as them, and deletes what it \
      can. For other gateways, it is read-only unless you pass --no-read-only, and sends 10 requests per second.

      The check also requests data that only others may see (private posts, drafts, settings, e-mail addresses), as \
      another user and without a token. A response that shows it is a breaking difference: a leak.

      Breaking differences fail the check; with --fail-on tolerated, tolerated ones do, too.

      With --baseline, only differences that are not in the file fail the check. --update-baseline writes the \
      differences found to the file, and keeps the reasons that you added.

      With --shard, several processes or machines each check a part of the RPCs, and write what they found to --out; \
      `nova contract merge` makes the report. A shard succeeds (0) if it is complete, whatever it found.

      EXIT CODES:
        0    no differences that fail the check, or only known ones
        1    differences that fail the check; the check ended early (--max-requests, --max-time); nothing was \
      checked; an RPC responded to all requests with 429 or 503; or the report or the baseline cannot be written
        4    nothing that fails the check, but some RPCs require authentication or another account; or the session has \
      expired
        6    no connection, or three requests in a row had no response
        64   invalid usage
        65   the server is not a Nova gateway, or the baseline or a configuration file is missing or invalid
        74   the check was completed, but the refreshed session could not be saved
        130  interrupted (Ctrl-C; 143 for SIGTERM, 129 for SIGHUP, 131 for SIGQUIT)
        141  the reader closed the output, as `| head` does
      """)

  @OptionGroup(title: "Check") var options: ContractCheckOptions
  @OptionGroup(title: "Check") var part: ContractShardOptions
  @OptionGroup(title: "Baseline") var baseline: ContractBaselineOptions
  @OptionGroup(title: "Report") var format: ContractReportOptions
  @OptionGroup(title: "Report") var extent: ContractCoverageOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func validate() throws {
    try format.validate(baseline: baseline.baseline)
    try part.validate(format)
    guard part.shard != nil else { return }
    if baseline.baseline != nil { throw ValidationError("--baseline belongs to `nova contract merge`, not to a shard") }
    if extent.coverage { throw ValidationError("--coverage belongs to `nova contract merge`, not to a shard") }
    if options.failOn != .breaking {
      throw ValidationError("--fail-on belongs to `nova contract merge`, not to a shard")
    }
  }

  func run() async throws {
    let known = try baseline.read()
    try format.checkFiles()
    try part.removeEarlier(format)
    let configuration = try connection.configuration()
    configuration.warnings.forEach(Diagnostics.warning)
    try await CredentialGuard(configuration).check()
    let target = ContractTarget(configuration)
    let isReadOnly = options.isReadOnly ?? target.isReadOnlyByDefault
    if !isReadOnly, target.isReadOnlyByDefault {
      Diagnostics.warning(
        "this writes to \(target.name): it registers \(options.privacy ? "three" : "two") accounts, which cannot be deleted, and acts as them"
      )
    }
    let session = try await target.session()
    let sessions = try session?.sessions
    let isTold = connection.verbose || connection.explain
    let base = NovaClient.transport(configuration)
    let transport: any HTTPTransport = isTold ? VerboseTransport(base: base) : base
    let check = ContractCheck(
      transport: transport, target: target.name, tokens: sessions ?? target.token,
      options: checkOptions(target, isReadOnly)
    ) { configuration.baseURL(for: $0) }
    // Even then, the check deletes what it created.
    Interruption.begin(grace: 10)
    let bar = ProgressBar(isShown: !isTold)
    let found = await Self.run(check, part.shard) { bar.show(ProgressLine($0)) }
    var report = found.report
    bar.clear()
    report.failsOn = options.failOn.grade
    report.showsCoverage = extent.coverage
    let unsaved = await CommandContext.finish(sessions)
    await session?.client.shutdown(grace: .zero)
    await transport.shutdown()
    if let shard = found.shard { return try finish(shard, unsaved, signIn: configuration.signInCommand()) }
    let written = Result { try baseline.finish(known, &report) }
    try ContractReportWriter(options: format).write(report)
    report.warnAboutStaleEntries()
    try written.get()
    if let failure = Self.failure(report, signIn: configuration.signInCommand()) {
      if let unsaved { Diagnostics.warning(unsaved.message) }
      throw failure
    }
    if let unsaved { throw unsaved }
  }

  private static func run(
    _ check: ContractCheck, _ shard: WorkShard?, progress: @escaping @Sendable (ContractCheck.Progress) -> Void
  ) async -> (report: ContractReport, shard: ContractCheckShard?) {
    guard let shard else { return (await check.run(progress: progress), nil) }
    let found = await check.run(shard: shard, progress: progress)
    return (found.report, found)
  }

  /// Writes a complete shard. Of an incomplete one, nothing is written.
  private func finish(_ shard: ContractCheckShard, _ unsaved: Failure?, signIn: String) throws {
    if shard.report.stop != nil {
      if let unsaved { Diagnostics.warning(unsaved.message) }
      throw Self.failure(shard.report, signIn: signIn, isShard: true) ?? Interrupted()
    }
    try part.write(shard.jsonUTF8, to: format)
    Diagnostics.note("shard \(shard.shard): \(shard.report.summary)")
    if let unsaved { throw unsaved }
  }

  private func checkOptions(_ target: ContractTarget, _ isReadOnly: Bool) -> ContractCheck.Options {
    var result = ContractCheck.Options()
    result.isReadOnly = isReadOnly
    result.sendsInvalidRequests = options.invalid
    result.checksPrivacy = options.privacy
    result.requestsPerSecond = options.rate ?? (target.isLocal ? nil : 10)
    result.maximumRequests = options.maxRequests
    if let time = options.maxTime { result.maximumTime = time.duration }
    result.gatewayURL = target.configuration.grpc.gatewayURL
    result.user = options.user?.text
    result.rpcs = options.rpc.isEmpty ? nil : Set(options.rpc.flatMap(\.ids))
    result.requestNames = target.configuration.services.compactMapValues(\.requestNames)
    if let timeout = connection.timeout?.duration {
      result.limits.totalTimeout = timeout
      // A longer timeout also allows a longer wait for the first byte.
      result.limits.idleTimeout = max(result.limits.idleTimeout, timeout)
    }
    return result
  }

  /// The error that the program ends with; nil for success.
  ///
  /// - Parameters:
  ///   - signIn: the command to sign in.
  ///   - isShard: whether only the reason why the check ended early counts.
  static func failure(_ report: ContractReport, signIn: String, isShard: Bool = false) -> (any Error)? {
    switch report.stop {
    case .interrupted: return Interrupted()
    case .noConnection(let reason):
      let hint = "Check --base-url and --environment, or start the mock backend with `nova serve`."
      return Failure("check failed: \(reason)", hint: hint, .noConnection)
    case .noToken(let reason):
      return Failure(
        "check failed: \(reason)",
        hint: "Sign in with `\(signIn)`, or set NOVA_TOKEN.", .notAllowed)
    case .notAGateway(let reason):
      return Failure(
        "check failed: \(report.target) is not a Nova gateway: \(reason)",
        hint: "Check --base-url and --environment: is it the gateway's address and port?", .badData)
    default: break
    }
    if let stop = report.stop, isShard {
      return Failure("check ended early: \(stop)", hint: "Allow more with --max-requests or --max-time.", .failed)
    }
    let counts = report.failingGrades.map { (grade: $0, count: report.newCount($0)) }.filter { $0.count > 0 }
    if let last = counts.last {
      let new = report.knownCount > 0 ? "new " : ""
      let listed = counts.map { "\($0.count) \(new)\($0.grade)" }.joined(separator: " and ")
      return Failure("\(listed) \(last.count == 1 ? "difference" : "differences")", .failed)
    }
    if let stop = report.stop {
      return Failure("check ended early: \(stop)", hint: "Allow more with --max-requests or --max-time.", .failed)
    }
    if report.checkedCount == 0, report.refused.isEmpty {
      let reason = report.results.lazy.compactMap(\.unchecked).first ?? "no RPC was chosen"
      return Failure("nothing was checked: \(reason)", hint: "Choose other RPCs with --rpc, or allow writes.", .failed)
    }
    if report.refused.isEmpty, !report.overloaded.isEmpty {
      return Failure(
        "\(report.overloaded.count) RPCs could not be checked: the gateway answered all their requests with 429 or 503",
        hint: "Repeat the check, with a lower --rate, when the gateway has less to do.", .failed)
    }
    guard !report.refused.isEmpty else { return nil }
    return Failure(
      "\(report.refused.count) RPCs could not be checked: the gateway requires authentication, or a different account",
      hint: "Sign in with `\(signIn)`, or set NOVA_TOKEN.", .notAllowed)
  }
}

/// The bounds of a check.
struct ContractCheckOptions: ParsableArguments {
  @Option(
    help: .value(
      "pattern",
      "RPCs to check, such as graph.GetFollowers or 'graph.*'. Can be repeated. Default: all. Others are called only to prepare these."
    ),
    completion: .list(RPCPattern.examples), transform: RPCPattern.init)
  var rpc: [RPCPattern] = []

  @Flag(
    inversion: .prefixedNo,
    help: "Call only RPCs without side effects (default: on, except for --mock and gateways on this machine).")
  var readOnly: Bool?

  @Flag(help: "Same as --no-read-only.")
  var writes = false

  @Flag(inversion: .prefixedNo, help: "Also send requests that the contract refuses.")
  var invalid = true

  @Flag(inversion: .prefixedNo, help: "Also look for data that the gateway shows to callers who must not see it.")
  var privacy = true

  @Option(help: .value("grade", "Least severe grade that fails the check: breaking or tolerated."))
  var failOn = FailingGrade.breaking

  @Option(
    help: .value("id", "User whose data to read (default: the signed-in user, or the first one found by a search)."))
  var user: UserID?

  @Option(help: .value("count", "Maximum number of requests per second (default: 10; unlimited on this machine)."))
  var rate: Double?

  @Option(help: .value("count", "Maximum number of requests."))
  var maxRequests = 2000

  @Option(help: .value("time", "Maximum duration, such as 90s or 5m (default: 10m)."))
  var maxTime: Seconds?

  /// Nil if no option was given.
  var isReadOnly: Bool? { writes ? false : readOnly }

  func validate() throws {
    if writes, readOnly == true { throw ValidationError("--read-only and --writes are mutually exclusive") }
    if let rate, !(rate > 0 && rate <= 100_000) {
      throw ValidationError("invalid --rate \(rate): must be more than 0 and at most 100000")
    }
    if maxRequests < 1 { throw ValidationError("invalid --max-requests \(maxRequests): must be at least 1") }
    if let maxTime, maxTime.duration <= .zero { throw ValidationError("invalid --max-time: must be more than 0") }
  }
}

/// The differences that fail a check.
enum FailingGrade: String, ExpressibleByArgument, CaseIterable {
  case breaking
  /// Tolerated and breaking ones.
  case tolerated

  var grade: ContractDifference.Grade { self == .breaking ? .breaking : .tolerated }
}

/// The gateway to check.
struct ContractTarget {
  let configuration: APIConfiguration

  init(_ configuration: APIConfiguration) { self.configuration = configuration }

  var name: String { configuration.place }

  /// Whether all requests stay on this machine.
  var isLocal: Bool {
    configuration.usesMockData
      || RPCRegistry.nova.rpcs.allSatisfy {
        configuration.baseURL(for: $0.service).origin.isLoopback
      }
  }

  /// Whether the check must not write unless asked to. A named environment may be at the other end of a tunnel, even if
  /// its address is on this machine.
  var isReadOnlyByDefault: Bool {
    !configuration.usesMockData && (!isLocal || isNamedEnvironment)
  }

  /// Whether the user named another environment than `development`.
  var isNamedEnvironment: Bool {
    let isNamed = configuration.entries.contains { $0.key == "environment" && $0.source != .builtIn }
    return isNamed && configuration.environment != .development
  }

  /// The token in NOVA_TOKEN.
  var token: StoredToken? { configuration.token.map { StoredToken($0) } }

  /// A client with the stored session; nil if a token was given or no user is signed in.
  func session() async throws -> NovaClient? {
    guard configuration.token == nil, try await SessionFile.isSignedIn(configuration) else { return nil }
    return NovaClient(
      configuration: configuration, sessionStore: try SessionFile.store(configuration),
      refreshing: RefreshPolicy(refreshesInBackground: false), transport: NovaClient.transport(configuration))
  }
}
