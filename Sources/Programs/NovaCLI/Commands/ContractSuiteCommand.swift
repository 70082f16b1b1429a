import ArgumentParser
import NovaContract
import NovaSDK

struct ContractSuiteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "suite",
    abstract: "Run the contract's scenarios against a gateway.",
    usage: "nova contract suite [--base-url <url> | --mock] [--filter <pattern>] [--report <format>] [<options>]",
    discussion: """
      nova contract suite --mock
      nova contract suite --base-url http://localhost:8080
      nova contract suite --base-url http://localhost:8080 --filter 'social.*' --filter graph.follow
      nova contract suite --base-url http://localhost:8080 --report junit=suite.xml --report ctrf=suite.json
      nova contract suite --base-url http://localhost:8081 --seed 1 --concurrency 1
      nova contract suite --base-url http://localhost:8080 --shard 2/4 --out shards/2.json
      nova contract suite --list

      A scenario is a sequence of calls with what the contract requires of each response: what one user writes, \
      another one reads, and what is refused. The scenarios register their own users, run concurrently, and delete \
      their posts and captures; accounts, follows, and uploads remain. `nova contract check` validates the JSON of each \
      response instead.

      For a gateway on this machine, all scenarios run. For others, only those that read do, unless you pass \
      --no-read-only. A token is never used.

      With --shard, several processes or machines each run a part of the scenarios, and write the results to --out; \
      `nova contract merge` makes the report. A shard succeeds (0) if it is complete, whatever it found.

      EXIT CODES:
        0    all scenarios passed
        1    a scenario failed, none was run, or a report cannot be written
        6    no connection
        64   invalid usage
        65   a configuration file is missing or invalid
        130  interrupted (Ctrl-C; 143 for SIGTERM, 129 for SIGHUP, 131 for SIGQUIT)
        141  the reader closed the output, as `| head` does
      """)

  @OptionGroup(title: "Scenarios") var options: ContractSuiteOptions
  @OptionGroup(title: "Scenarios") var part: ContractShardOptions
  @OptionGroup(title: "Report") var format: ContractReportOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func validate() throws {
    for destination in format.destinations where ![.table, .json, .junit, .ctrf].contains(destination.format) {
      throw ValidationError("a suite has no \(destination.format) report; choose table, json, junit, or ctrf")
    }
    if options.list, format.destinations.count > 1 || ![.table, .json].contains(format.destinations[0].format) {
      throw ValidationError("--list is a table or JSON")
    }
    if options.list, part.shard != nil { throw ValidationError("--list and --shard are mutually exclusive") }
    try part.validate(format)
  }

  func run() async throws {
    let chosen = try options.scenarios
    if options.list { return try list(chosen) }
    let scenarios = part.shard.map { Array(chosen[$0.range(of: chosen.count)]) } ?? chosen
    try format.checkFiles()
    try part.removeEarlier(format)
    let configuration = try connection.configuration()
    configuration.warnings.forEach(Diagnostics.warning)
    try await CredentialGuard(configuration).check()
    let target = ContractTarget(configuration)
    let isReadOnly = options.readOnly ?? target.isReadOnlyByDefault
    if !isReadOnly, target.isReadOnlyByDefault {
      Diagnostics.warning(
        "this writes to \(target.name): it registers accounts, which cannot be deleted, and acts as them")
    }
    let isTold = connection.verbose || connection.explain
    let base = NovaClient.transport(configuration)
    let transport: any HTTPTransport = isTold ? VerboseTransport(base: base) : base
    // Each scenario has users of its own: no token of the environment is sent.
    let client = APIClient(configuration: configuration, transport: transport, tokens: StoredToken(nil)) {
      $0.resilience = .none
    }
    Interruption.begin(grace: 10)
    try await requireServer(client)
    let bar = ProgressBar(isShown: !isTold)
    let suite = ContractSuite(client: client, scenarios: scenarios)
    let report = await suite.report(
      target.name, isReadOnly: isReadOnly, concurrency: options.concurrency, seed: options.seed
    ) { count in
      bar.show(ProgressLine(scenarios: count, of: scenarios.count))
    }
    bar.clear()
    await client.shutdown()
    await transport.shutdown()
    if let shard = part.shard {
      // Of an incomplete one, nothing is written.
      if Interruption.happened { throw Interrupted() }
      let found = ContractSuiteShard(shard, of: chosen, isReadOnly: isReadOnly, seed: options.seed, report)
      try part.write(found.jsonUTF8, to: format)
      return Diagnostics.note("shard \(shard): \(report.summary)")
    }
    try ContractReportWriter(options: format).write(report)
    if Interruption.happened { throw Interrupted() }
    if let failure = Self.failure(report) { throw failure }
  }

  /// The error that the program ends with; nil for success.
  static func failure(_ report: ContractSuiteReport) -> Failure? {
    if report.scenarios.isEmpty {
      return Failure(
        "no scenario was run: all of the chosen ones write", hint: "Allow writes with --no-read-only.", .failed)
    }
    let (failed, steps) = (report.failedCount, report.problemCount)
    guard failed > 0 else { return nil }
    return Failure(
      "\(failed) \(failed == 1 ? "scenario" : "scenarios") failed, in \(steps) \(steps == 1 ? "step" : "steps")",
      .failed)
  }

  /// Ends the run with one message, in place of a failure of each step, if nothing responds.
  private func requireServer(_ client: APIClient) async throws {
    do {
      _ = try await AnnouncementsService(client: client).listAnnouncements(.init())
    } catch let error as APIError where [.networkError, .timeout].contains(error.code) {
      await client.shutdown()
      throw Failure(
        "suite failed: \(error.message)",
        hint: "Check --base-url and --environment, or start the mock backend with `nova serve`.", .noConnection)
    } catch is APIError {
      // A server that has no announcements is a server.
    }
  }

  private func list(_ scenarios: [ContractScenario]) throws {
    let rows = scenarios.map { [$0.name, $0.effect == .readOnly ? "reads" : "writes", $0.summary] }
    let json = scenarios.map { scenario -> JSONValue in
      [
        "scenario": .string(scenario.name), "effect": .string(scenario.effect.rawValue),
        "summary": .string(scenario.summary),
      ]
    }
    var table = Table("SCENARIO", "EFFECT", "SHOWS", fit: TableFit(texts: [2], main: 2, wrapsLast: true))
    table.rows = rows
    try table.print(format.destinations[0].format == .json ? .json : .table, json: json)
  }
}

/// Which scenarios to run.
struct ContractSuiteOptions: ParsableArguments {
  @Option(
    help: .value(
      "pattern", "Scenarios to run, such as graph.follow or 'social.*'. Can be repeated. Default: all."),
    completion: .list(ContractScenario.all.map(\.name)))
  var filter: [String] = []

  @Flag(help: "List the scenarios, and run none.")
  var list = false

  @Flag(
    inversion: .prefixedNo,
    help: "Run only scenarios that read (default: on, except for --mock and gateways on this machine).")
  var readOnly: Bool?

  @Option(help: .value("count", "Number of scenarios to run at once, 1 to 64."))
  var concurrency = 8

  @Option(
    help: .value(
      "number",
      """
      Seed of the names of users and records, so that another run sends the same requests: to a recording of this one. \
      A server accepts the same names once. Default: random names.
      """))
  var seed: UInt64?

  /// The chosen scenarios, in the catalog's order.
  var scenarios: [ContractScenario] {
    get throws {
      let all = ContractScenario.all
      for pattern in filter where !all.contains(where: { RPCPattern.isMatch($0.name, of: pattern) }) {
        let hint = Suggestions.sentence(
          for: pattern.filter { $0 != "*" }, among: all.map(\.name),
          otherwise: "List the scenarios with `nova contract suite --list`.")
        throw ValidationError("no scenario matches \"\(pattern.printable(to: 80))\". \(hint)")
      }
      guard !filter.isEmpty else { return all }
      return all.filter { scenario in filter.contains { RPCPattern.isMatch(scenario.name, of: $0) } }
    }
  }

  func validate() throws {
    _ = try scenarios
    guard (1...64).contains(concurrency) else {
      throw ValidationError("invalid --concurrency \(concurrency): must be 1 to 64")
    }
  }
}
