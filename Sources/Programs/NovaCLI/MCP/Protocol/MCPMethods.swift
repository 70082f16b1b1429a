import NovaCore

/// The methods of the protocol.
final class MCPMethods: Sendable {
  static let initialize = "initialize"

  private let tools: [MCPTool]
  private let resources: MCPResources
  private let results: MCPResults
  private let instructions: String
  private let version = Locked<MCPVersion?>(nil)

  /// - Parameters:
  ///   - results: limits the size of results, and keeps the rest.
  ///   - instructions: what the client should know about the server.
  init(_ tools: [MCPTool], results: MCPResults, instructions: String) {
    (self.tools, self.results, self.instructions) = (tools, results, instructions)
    resources = MCPResources()
  }

  /// Why a batch is refused; nil if it is not.
  func problem(withBatchOf count: Int, maximum: Int) -> MCPError? {
    if let version = version.withLock({ $0 }), !version.hasBatches {
      return .invalidRequest(
        "version \(version.rawValue) of the protocol has no batches; send each message on its own line")
    }
    if count == 0 { return .invalidRequest("the batch is empty") }
    return count > maximum ? .invalidRequest("the batch has \(count) messages, and the maximum is \(maximum)") : nil
  }

  /// The result of a request that changes or needs the state of the connection; nil for others, which can run at the same
  /// time.
  func immediateResult(of request: MCPRequest) throws(MCPError) -> JSONValue? {
    switch request.method {
    case "ping": return .object([])
    case Self.initialize: return try begin(request.parameters)
    // Also before initialization: newer clients try their own methods first.
    case let method where !Self.known.contains(method): throw .methodNotFound(method)
    default:
      guard version.withLock({ $0 != nil }) else { throw .invalidRequest("send initialize first") }
      return nil
    }
  }

  /// The methods that need an initialized connection.
  private static let known: Set = [
    "tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read",
  ]

  private func begin(_ parameters: JSONValue) throws(MCPError) -> JSONValue {
    guard let requested = parameters["protocolVersion"]?.stringValue else {
      throw .invalidParams("protocolVersion is missing or not a text")
    }
    let chosen = MCPVersion.negotiated(requested)
    let isFirst = version.withLock { version in
      defer { version = version ?? chosen }
      return version == nil
    }
    guard isFirst else { throw .invalidRequest("the connection is already initialized") }
    return [
      "protocolVersion": .string(chosen.rawValue),
      "capabilities": ["tools": ["listChanged": false], "resources": ["listChanged": false, "subscribe": false]],
      "serverInfo": ["name": "nova", "title": "NovaSocial contract", "version": .string(NovaSDKVersion.current)],
      "instructions": .string(instructions),
    ]
  }

  /// The result of any other request.
  func result(of request: MCPRequest, _ progress: MCPProgress) async -> Result<JSONValue, MCPError> {
    do throws(MCPError) {
      return .success(try await value(of: request, progress))
    } catch {
      return .failure(error)
    }
  }

  private func value(of request: MCPRequest, _ progress: MCPProgress) async throws(MCPError) -> JSONValue {
    let parameters = request.parameters
    switch request.method {
    case "tools/list":
      try Self.requireNoCursor(parameters)
      return ["tools": .array(tools.map(\.json))]
    case "tools/call": return try await call(parameters, progress)
    case "resources/list":
      try Self.requireNoCursor(parameters)
      return ["resources": .array(resources.list)]
    case "resources/templates/list":
      try Self.requireNoCursor(parameters)
      return ["resourceTemplates": .array(resources.templates)]
    case "resources/read":
      guard let uri = parameters["uri"]?.stringValue else { throw .invalidParams("uri is missing or not a text") }
      return try resources.contents(of: uri)
    default: throw .methodNotFound(request.method)
    }
  }

  /// All lists have one page.
  private static func requireNoCursor(_ parameters: JSONValue) throws(MCPError) {
    if let cursor = parameters["cursor"], cursor != .null { throw .invalidParams("unknown cursor") }
  }

  /// Calls a tool. What fails in a tool is a result, which the model sees, and no error of the protocol.
  private func call(_ parameters: JSONValue, _ progress: MCPProgress) async throws(MCPError) -> JSONValue {
    guard let name = parameters["name"]?.stringValue else { throw .invalidParams("name is missing or not a text") }
    guard let tool = tools.first(where: { $0.name == name }) else {
      let guess = Suggestion.closest(to: name, among: tools.map(\.name)).map { "; did you mean \($0)?" } ?? ""
      throw .invalidParams("unknown tool \(name.quoted)\(guess)")
    }
    let arguments = parameters["arguments"] ?? .object([])
    guard arguments.memberList != nil else {
      throw .invalidParams("arguments must be an object, found \(arguments.kindDescription)")
    }
    do {
      let text = try await tool.run(try MCPArguments(arguments, of: tool), progress)
      return results.result(text, isError: false)
    } catch {
      return results.result(Self.sentence(error), isError: true)
    }
  }

  private static func sentence(_ error: any Error) -> String {
    guard let failure = error as? Failure else {
      return error is CancellationError ? "cancelled" : "\(error)"
    }
    return ([failure.message] + [failure.hint].compactMap(\.self)).joined(separator: "\n")
  }
}
