import NovaContract
import NovaSDK

/// `describe`: services, RPCs, and messages of the contract.
enum DescribeTool {
  static let tool = MCPTool(
    "describe", title: "Describe the contract",
    """
    Describe a part of the contract as JSON: without a name, the services; for a service (graph), its RPCs; for an RPC \
    (graph.GetFollowers), its HTTP binding, effect, fields with types and limits, errors, and an example request; for a \
    message (Post), its fields.
    """,
    parameters: [
      MCPParameter("name", .text, help: "A service, an RPC, or a message; ignores case. Default: all services.")
    ],
    isRemote: false
  ) { arguments, _ in
    guard let name = arguments.text("name") else { return text(of: services) }
    switch try Describe.find(name) {
    case .service(let name, let rpcs): return text(of: service(name, rpcs))
    case let description: return text(of: description.json)
    }
  }

  private static var services: JSONValue {
    .array(
      ContractDescription.services.map { service in
        let comment = ContractDescription.comment(of: service.rpcs.first?.package ?? "").first ?? ""
        return ["service": .string(service.name), "description": .string(comment), "rpcs": .number(service.rpcs.count)]
      })
  }

  /// Without the details of its RPCs, which would be too long.
  private static func service(_ name: String, _ rpcs: [RPCDescriptor]) -> JSONValue {
    let comment = ContractDescription.comment(of: rpcs.first?.package ?? "").joined(separator: " ")
    return [
      "service": .string(name), "description": .string(comment), "rpcs": .array(rpcs.map(FindTool.summary)),
    ]
  }

  static func text(of json: JSONValue) -> String { String(decoding: json.jsonUTF8, as: UTF8.self) }
}

/// `find_rpcs`: RPCs by words.
enum FindTool {
  /// What to do about a name that no RPC has.
  static let hint = "List all with find_rpcs without words."

  static let tool = MCPTool(
    "find_rpcs", title: "Find RPCs",
    """
    Find RPCs of the contract whose name or summary contains all of the words; without words, list all RPCs. Returns their \
    names, what repeating a call does, whether they require a token, and a summary.
    """,
    parameters: [MCPParameter("words", .text, help: "Words, such as \"follow\" or \"delete comment\"; ignores case.")],
    isRemote: false
  ) { arguments, _ in
    let words = (arguments.text("words") ?? "").lowercased().split(separator: " ")
    let found = RPCRegistry.nova.rpcs.filter { rpc in
      let text = "\(rpc.id) \(rpc.summary)".lowercased()
      return words.allSatisfy(text.contains)
    }
    guard !found.isEmpty else {
      let names = RPCRegistry.nova.rpcs.map(\.id)
      throw Failure(
        "not found: an RPC with \(words.joined(separator: " ").quoted)",
        hint: Suggestions.sentence(
          for: String(words.first ?? ""), among: names, otherwise: hint), .notFound)
    }
    return DescribeTool.text(of: .array(found.map(summary)))
  }

  static func summary(_ rpc: RPCDescriptor) -> JSONValue {
    [
      "rpc": .string(rpc.id), "effect": .string(rpc.effect.words), "requires_token": .bool(rpc.requiresAuthentication),
      "summary": .string(rpc.summary),
    ]
  }
}

/// `read_rest`: the rest of a result that was cut.
struct ReadRestTool {
  let results: MCPResults

  var tool: MCPTool {
    MCPTool(
      "read_rest", title: "Read the rest of a result",
      "Read on in a result that was cut because it is long. The result that was cut says which arguments to use.",
      parameters: [
        MCPParameter("result", .integer(1...Int(Int32.max)), help: "The number of the result.", isRequired: true),
        MCPParameter("offset", .integer(0...Int(Int32.max)), help: "The first byte to read.", isRequired: true),
      ], isRemote: false
    ) { arguments, _ in
      try results.rest(of: arguments.integer("result") ?? 0, from: arguments.integer("offset") ?? 0)
    }
  }
}
