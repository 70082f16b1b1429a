import NovaMock
import NovaSDK

/// What the tools of `nova mcp` work with: the gateway, and the user's client.
struct MCPContext: Sendable {
  let configuration: APIConfiguration
  let nova: NovaClient
  /// Carries the requests of the client, of the contract check, and of the admin API.
  let transport: any HTTPTransport
  /// The mock backend in this process; nil with a gateway.
  let backend: MockBackend?
  let allowsWrites: Bool

  init(_ configuration: APIConfiguration, _ connection: ConnectionOptions, allowsWrites: Bool) async throws {
    self.configuration = configuration
    self.allowsWrites = allowsWrites
    let backend = configuration.usesMockData ? MockBackend() : nil
    self.backend = backend
    transport = backend.map { MockTransport($0) } ?? configuration.makeTransport()
    let trace = CallTrace(isComplete: connection.explain, line: nil, made: MadeChange()) { rpc in
      configuration.usesMockData ? configuration.place : configuration.baseURL(for: rpc.service).origin.place
    }
    nova = try await NovaClient.ofUser(configuration, isVerbose: connection.verbose, transport: transport) {
      $0.observer = trace
    }
  }

  /// The gateway's name in results.
  var place: String { configuration.place }

  /// The tokens that calls are sent with.
  var secrets: [String] {
    let session = (try? nova.sessions)?.current
    return [
      configuration.token?.secretValue, session?.accessToken.secretValue, session?.refreshToken.secretValue,
    ].compactMap(\.self)
  }

  /// Runs `body`, and reports the error of a call as a command does.
  func explaining<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let error as APIError {
      try Task.checkCancellation()
      throw Failure(error, baseURL: configuration.baseURL, signIn: configuration.signInAdvice)
    }
  }

  /// Ends the client.
  ///
  /// - Returns: why the session could not be saved; nil if it is.
  func end() async -> Failure? {
    let unsaved = await CommandContext.finish(try? nova.sessions)
    await nova.client.shutdown(grace: .zero)
    await transport.shutdown()
    return unsaved
  }

  /// All tools that make sense with this gateway.
  func tools(_ results: MCPResults) -> [MCPTool] {
    let contract = [
      DescribeTool.tool, FindTool.tool, CallTool(context: self).tool, ContractCheckTool(context: self).tool,
    ]
    let admin = MockAdmin(self).map { MockTools(admin: $0).all } ?? []
    return contract + admin + [ReadRestTool(results: results).tool]
  }

  /// What a model should know before it uses the tools.
  func instructions(_ tools: [MCPTool]) -> String {
    let writes =
      allowsWrites
      ? "Calls may change data."
      : "Only calls that change nothing are allowed; `nova mcp --allow-writes` allows the others."
    let mock = tools.contains { $0.name.hasPrefix("mock_") } ? " The mock_ tools change the mock backend itself." : ""
    return """
      The contract of NovaSocial's gateway, and the gateway at \(place). Look up RPCs with find_rpcs and describe before you \
      write code that calls them, or call them with call: names, types, and limits are exact there. \(writes)\(mock)
      """
  }
}
