import NovaContract
import NovaSDK

/// `contract_check`: checks the gateway against the contract.
struct ContractCheckTool {
  let context: MCPContext

  /// One check at a time: each sends up to 2,000 requests.
  private static let turn = AsyncLock()

  var tool: MCPTool {
    let extent =
      context.allowsWrites
      ? "It writes: it registers accounts, acts as them, and deletes what it can."
      : "It is read-only: it calls only RPCs that change nothing."
    return MCPTool(
      "contract_check", title: "Check the gateway against the contract",
      """
      Call the RPCs of the gateway at \(context.place), and return where the responses differ from the contract, as JSON. \
      \(extent) It can take minutes, and reports its progress. Name RPCs to check only these.
      """,
      parameters: [
        MCPParameter(
          "rpcs", .texts, help: "RPCs such as graph.GetFollowers, or patterns such as graph.*. Default: all."),
        MCPParameter("invalid", .flag, help: "Whether to also send requests that the contract refuses. Default: true."),
        MCPParameter("privacy", .flag, help: "Whether to also look for data that others must not see. Default: true."),
        MCPParameter("max_requests", .integer(1...2000), help: "The maximum number of requests. Default: 2000."),
      ], effect: context.allowsWrites ? .changes : .reads
    ) { arguments, progress in
      let options = try options(arguments)
      let report = try await Self.turn.withLock { try await run(options, progress) }
      try Task.checkCancellation()
      return DescribeTool.text(of: ["summary": .string(report.summary), "report": report.json])
    }
  }

  private func options(_ arguments: MCPArguments) throws -> ContractCheck.Options {
    let target = ContractTarget(context.configuration)
    var options = ContractCheck.Options()
    options.isReadOnly = !context.allowsWrites
    options.sendsInvalidRequests = arguments.flag("invalid") ?? true
    options.checksPrivacy = arguments.flag("privacy") ?? true
    options.maximumRequests = arguments.integer("max_requests") ?? options.maximumRequests
    options.requestsPerSecond = target.isLocal ? nil : options.requestsPerSecond
    options.gatewayURL = context.configuration.grpc.gatewayURL
    options.requestNames = context.configuration.services.compactMapValues(\.requestNames)
    guard let patterns = arguments.texts("rpcs"), !patterns.isEmpty else { return options }
    do { options.rpcs = Set(try patterns.flatMap { try RPCPattern($0).ids }) } catch {
      throw Failure("\(error)", .badData)
    }
    return options
  }

  private func run(_ options: ContractCheck.Options, _ progress: MCPProgress) async throws -> ContractReport {
    let configuration = context.configuration
    let tokens: (any TokenProvider)? =
      (try? context.nova.sessions) ?? configuration.token.map { StoredToken($0) }
    let check = ContractCheck(
      transport: context.transport, target: context.place, tokens: tokens, options: options
    ) { configuration.baseURL(for: $0) }
    return try await progress.during { report in
      await check.run { report($0.requests, options.maximumRequests, "\($0.rpcs) of \($0.total) RPCs, \($0.rpc)") }
    }
  }
}
