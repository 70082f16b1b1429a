import ArgumentParser
import NovaSDK

struct Bench: AsyncParsableCommand, OutputChoice {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Measure how fast a gateway responds to an RPC at a constant rate.",
    usage: "nova bench <rpc> [<json>] [<field>=<value> ...] [--rate <count>] [<options>]",
    discussion: """
      nova bench graph.GetFollowers user_id=mock-user-id --rate 20 --duration 1s --mock
      nova bench user.SearchUsers @requests.ndjson --base-url http://localhost:8080
      nova bench feed.GetFeed @feed.json --rate 200 --duration 30s --max-requests 7000 --out before.json
      nova bench feed.GetFeed @feed.json --rate 200 --duration 30s --max-requests 7000 --compare before.json

      Sends requests at a constant rate, whether or not earlier ones have ended, and counts the latency of each from the \
      time when it was due. So a gateway that stops for a second delays all requests of this second, as it would delay \
      independent users. A request that times out, fails, or cannot be sent in time counts with the time until then.

      Each request is one attempt, on connections that are reused. With several requests in the input, one on each line, \
      they are sent in turn. Fields as name=value are added to each, as in `nova call`. Ctrl-C stops the \
      load, and prints what was measured so far.

      Loads of other machines, and of RPCs that change something, require --yes or an answer on the terminal.

      EXIT CODES:
        0    measured, also if some requests failed
        1    no request succeeded; with --fail-if-worse, something is worse
        64   invalid usage, or no consent to the load
        65   an invalid request, or a file that is not a report
        130  interrupted (Ctrl-C; 143 for SIGTERM, 129 for SIGHUP, 131 for SIGQUIT)
      """)

  @Argument(help: .value("rpc", "The RPC, such as graph.GetFollowers; ignores case."), completion: Completions.rpcs)
  var rpc: String

  @Argument(
    help: .value(
      "request",
      "The request as JSON, @file, or - for standard input, or several, one on each line; and fields as name=value."),
    completion: Completions.request)
  var arguments: [String] = []

  @OptionGroup(title: "Load") var load: BenchOptions
  @OptionGroup(title: "Load") var confirmation: ConfirmationOptions
  @OptionGroup var fields: UnknownFieldOptions
  @OptionGroup var header: HeaderOptions
  @OptionGroup var output: OutputOptions<BenchFormat>
  @OptionGroup var filter: FilterOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func validate() throws {
    try checkOutput()
    _ = try CallRequest(arguments)
    if connection.verbose || connection.explain {
      throw ValidationError(
        "--verbose and --explain cannot be used here: writing about each call would change the result")
    }
  }

  func run() async throws {
    if ServiceAddress(rpc) != nil {
      throw Failure(
        "cannot measure \(rpc.quoted): only RPCs of the contract can be measured",
        hint: "Name the RPC, and pass the server with --base-url.", .usage)
    }
    let rpc = try RPCDescriptor.named(rpc)
    let requests = try BenchRequests(rpc, from: await CallRequest(arguments).resolved(with: connection), fields)
    try requests.check()
    let earlier = try load.earlierRun(of: requests.rpc.id)
    let target = BenchTarget(configuration: try configuration(), rpc: requests.rpc)
    let plan = BenchPlan(
      rpc: requests.rpc.id, target: target.name, schedule: load.schedule, concurrency: load.concurrency,
      requests: requests.messages.count)
    try await prepare(target, for: plan, requests)
    let writer = try BenchWriter(self, plan, comparingWith: earlier)
    let (report, sessionFailure) = try await measure(requests, at: target, plan)
    let comparison = earlier.map { BenchComparison(report, with: $0) }
    try writer.write(report, comparison)
    if report.isInterrupted { throw Interrupted() }
    try Self.check(report, comparison, failIfWorse: load.failIfWorse)
    if let sessionFailure { throw sessionFailure }
  }

  /// The settings, with as many connections as requests in flight.
  private func configuration() throws -> APIConfiguration {
    let limits = ConnectionLimits(maximumTransfers: load.concurrency, maximumKeptConnections: load.concurrency)
    let configuration = try connection.configuration(connections: limits)
    configuration.warnings.forEach(Diagnostics.warning)
    return configuration
  }

  /// Checks everything that can be checked before the first request.
  private func prepare(_ target: BenchTarget, for plan: BenchPlan, _ requests: BenchRequests) async throws {
    if !target.configuration.usesMockData { try System.requireDescriptors(load.concurrency + 12) }
    for message in requests.messages { try await CredentialGuard(target.configuration).check(sending: message) }
    try StandardOutput.require()
    try target.obtainConsent(plan, confirmation)
  }

  private func measure(
    _ requests: BenchRequests, at target: BenchTarget, _ plan: BenchPlan
  ) async throws -> (BenchReport, sessionFailure: Failure?) {
    let nova = try await target.client()
    var options = CallOptions(timeout: connection.timeout?.duration)
    options.headers = try header.fields()
    let (client, callOptions) = (nova.client, options)
    Interruption.begin()
    let clock = ContinuousClock()
    let bar = ProgressBar(isShown: true)
    let generator = LoadGenerator(schedule: plan.schedule, concurrency: plan.concurrency, clock: clock) { index in
      await requests.send(index, with: client, callOptions)
    }
    let started = Int64(clock.unixTime)
    let measurement = await generator.run { bar.show(ProgressLine($0)) }
    bar.clear()
    let isInterrupted = Interruption.happened
    let sessionFailure = await CommandContext.finish(try? nova.sessions)
    await nova.client.shutdown(grace: .zero)
    let report = BenchReport(plan, measurement, started: started, isInterrupted: isInterrupted)
    return (report, sessionFailure)
  }

  private static func check(_ report: BenchReport, _ comparison: BenchComparison?, failIfWorse: Bool) throws {
    if report.requests.succeeded == 0 {
      let reason = report.failures.max { $0.count < $1.count }?.failure.message ?? "none had a response in time"
      throw Failure("no request succeeded: \(reason)", hint: "Try one with `nova call \(report.plan.rpc)`.", .failed)
    }
    if failIfWorse, comparison?.isWorse == true {
      throw Failure("worse than the earlier run", hint: "The differences are in the report.", .failed)
    }
  }
}

extension ProgressLine {
  init(_ progress: LoadProgress) {
    fraction = Double(progress.sent) / Double(max(1, progress.total))
    words = "\(progress.sent)/\(progress.total) requests, \(progress.failed) failed"
  }
}
