import NovaSDK

/// `call`: calls an RPC of the gateway.
struct CallTool {
  let context: MCPContext

  /// How long to read a stream, unless the call says otherwise.
  private static let streamTime = Duration.seconds(5)
  private static let streamLimit = 20

  var tool: MCPTool {
    let effect =
      context.allowsWrites ? "RPCs that change data are allowed." : "Only RPCs that change nothing are allowed."
    return MCPTool(
      "call", title: "Call an RPC",
      """
      Call an RPC of the gateway at \(context.place), and return the response as JSON, with tokens and passwords masked. \
      \(effect) See describe for the fields of the request; unknown fields are errors. Of an RPC that streams, the responses \
      that arrive in a few seconds are returned.
      """,
      parameters: [
        MCPParameter("rpc", .text, help: "The RPC, such as graph.GetFollowers; ignores case.", isRequired: true),
        MCPParameter("request", .object, help: "The fields of the request. Default: none."),
        MCPParameter(
          "timeout_seconds", .number(1...300), help: "How long the call may take; of a stream, how long to read it."),
        MCPParameter("limit", .integer(1...200), help: "Of a stream, the maximum number of responses. Default: 20."),
      ], effect: context.allowsWrites ? .removes : .reads
    ) { arguments, _ in
      let rpc = try RPCDescriptor.named(arguments.text("rpc") ?? "", list: FindTool.hint)
      try check(rpc)
      let request = try message(rpc, arguments["request"] ?? .object([]))
      let time = arguments.duration("timeout_seconds")
      return try await context.explaining {
        rpc.isServerStreaming
          ? try await stream(rpc, request, for: time ?? Self.streamTime, limit: arguments.integer("limit"))
          : try await respond(rpc, request, timeout: time)
      }
    }
  }

  private func check(_ rpc: RPCDescriptor) throws {
    guard rpc.effect != .noSideEffects, !context.allowsWrites else { return }
    throw Failure(
      "not allowed: \(rpc.id) changes data, and this server is read-only",
      hint: "Only the user can allow it, by starting the server with `nova mcp --allow-writes`.", .notAllowed)
  }

  private func message(_ rpc: RPCDescriptor, _ json: JSONValue) throws -> any ProtoMessage {
    do throws(ProtoJSONError) {
      return try rpc.requestType.init(refusingUnknownFieldsIn: json.jsonUTF8)
    } catch {
      let fields = rpc.requestType.descriptor.fields.map(\.name)
      let known = fields.isEmpty ? "The request has no fields." : "Fields: \(fields.joined(separator: ", "))."
      throw Failure(Failure(error, in: "request").message, hint: known, .badData)
    }
  }

  private func respond(_ rpc: RPCDescriptor, _ request: any ProtoMessage, timeout: Duration?) async throws -> String {
    let response = try await context.nova.client.respond(rpc, request, options: CallOptions(timeout: timeout))
    return DescribeTool.text(of: [
      "rpc": .string(rpc.id), "status": .number(response.status), "response": try Self.json(response.value, of: rpc),
    ])
  }

  private func stream(
    _ rpc: RPCDescriptor, _ request: any ProtoMessage, for time: Duration, limit: Int?
  ) async throws -> String {
    let responses = Locked<[JSONValue]>([])
    let limit = limit ?? Self.streamLimit
    let client = context.nova.client
    let clock = ContinuousClock()
    do {
      try await Race.run(until: clock.now.advanced(by: time), clock, timeUp: TimeUp()) {
        for try await response in try await client.stream(rpc, request) {
          let json = try Self.json(response, of: rpc)
          let count = responses.withLock { responses in
            responses.append(json)
            return responses.count
          }
          if count >= limit { break }
        }
      }
    } catch is TimeUp {}
    let read = responses.withLock { $0 }
    let ending = read.count >= limit ? "the limit of \(limit) responses" : "the end of the stream, or \(time.formatted)"
    return DescribeTool.text(of: [
      "rpc": .string(rpc.id), "responses": .array(read), "ended_by": .string(ending),
    ])
  }

  /// The time to read a stream is over.
  private struct TimeUp: Error {}

  private static func json(_ message: any ProtoMessage, of rpc: RPCDescriptor) throws -> JSONValue {
    Secrets.masked(try message.jsonValue(), rpc.responseType.descriptor)
  }
}
