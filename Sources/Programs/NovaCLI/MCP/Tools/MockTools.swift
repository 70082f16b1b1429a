import NovaSDK

/// The tools for the mock backend: state, stubs, faults, requests, clock.
struct MockTools {
  let admin: MockAdmin

  var all: [MCPTool] {
    [state, reset, clock, listStubs, addStub, removeStubs, faults, setFaults, requests, clearRequests]
  }

  private var state: MCPTool {
    tool("mock_state", title: "Show the mock's state", "Return the mock's seed, data set, clock, and counts.") { _ in
      try await admin.request(.get, "state")
    }
  }

  private var reset: MCPTool {
    tool(
      "mock_reset", title: "Reset the mock",
      "Recreate the mock's data, reset its clock, and remove its faults and stubs. Requests and snapshots are kept.",
      effect: .removes
    ) { _ in try await admin.request(.post, "reset") }
  }

  private var clock: MCPTool {
    tool(
      "mock_advance_clock", title: "Advance the mock's clock", "Advance the mock's clock, and return its state.",
      parameters: [
        MCPParameter(
          "seconds", .integer(1...3_153_600_000), help: "How far to advance it, in seconds.", isRequired: true)
      ], effect: .changes
    ) { try await admin.request(.post, "clock", sending: ["advance_seconds": $0["seconds"]]) }
  }

  private var listStubs: MCPTool {
    tool(
      "mock_stubs", title: "List the mock's stubs", "List the stubs, with the number of calls each has responded to.",
      parameters: [MCPParameter("id", .text, help: "Return only this stub, with its whole body.")]
    ) { try await admin.request(.get, "stubs\(try Self.part($0.text("id")))") }
  }

  private var addStub: MCPTool {
    tool(
      "mock_add_stub", title: "Stub an RPC",
      """
      Let the mock respond to an RPC with a fixed response, until the stub is removed or the mock is reset. Without a body, \
      the response has default values or, with a status from 400 on, is the gateway's error. The last stub that matches \
      responds.
      """,
      parameters: [
        MCPParameter("rpc", .text, help: "The RPC, such as graph.GetFollowers.", isRequired: true),
        MCPParameter("request", .object, help: "Only for requests that have these fields. Default: all requests."),
        MCPParameter("status", .integer(200...599), help: "The status. Default: that of success."),
        MCPParameter("body", .object, help: "The response. It must match the contract, unless allow_invalid is true."),
        MCPParameter("headers", .object, help: "More headers of the response, as texts."),
        MCPParameter("delay_ms", .integer(0...10_000), help: "The time until the response, in milliseconds."),
        MCPParameter("allow_invalid", .flag, help: "Whether the body may differ from the contract."),
      ], effect: .changes
    ) { arguments in
      let rpc = try RPCDescriptor.named(arguments.text("rpc") ?? "", list: FindTool.hint)
      let others = ["request", "status", "body", "headers", "delay_ms", "allow_invalid"]
      let members = others.compactMap { name in arguments[name].map { JSONValue.Member(name: name, value: $0) } }
      return try await admin.request(
        .post, "stubs", sending: .object([.init(name: "rpc", value: .string(rpc.id))] + members))
    }
  }

  private var removeStubs: MCPTool {
    tool(
      "mock_remove_stubs", title: "Remove stubs", "Remove one stub, or all of them, and return the rest.",
      parameters: [MCPParameter("id", .text, help: "The stub to remove. Default: all.")], effect: .removes
    ) { try await admin.request(.delete, "stubs\(try Self.part($0.text("id")))") }
  }

  private var faults: MCPTool {
    tool("mock_faults", title: "List the mock's faults", "List the fault rules, with their hits.") { _ in
      try await admin.request(.get, "faults")
    }
  }

  private var setFaults: MCPTool {
    tool(
      "mock_set_faults", title: "Inject faults",
      """
      Replace the fault rules of the mock. Examples: 503x2 (the next two calls fail with 503), social=503@0.3 (30 % of the \
      calls of a service), graph.GetFollowers=latency 500ms, hang (no response), drop. An empty list removes all faults.
      """,
      parameters: [
        MCPParameter("rules", .texts, help: "The rules.", isRequired: true),
        MCPParameter(
          "seed", .integer(0...Int.max), help: "The seed of faults with a probability. Default: the current one."),
      ], effect: .removes
    ) { try await admin.request(.put, "faults", sending: ["rules": $0["rules"], "seed": $0["seed"]]) }
  }

  private var requests: MCPTool {
    tool(
      "mock_requests", title: "Show the mock's requests",
      """
      List the latest requests that the mock has received, oldest first, without headers and bodies; or return one request with \
      all of it. Secrets are masked.
      """,
      parameters: [
        MCPParameter("number", .integer(1...Int(Int32.max)), help: "Return this request, with its headers and bodies."),
        MCPParameter("rpc", .text, help: "List only requests of this RPC."),
        MCPParameter("limit", .integer(1...500), help: "The maximum number of requests. Default: 20."),
      ]
    ) { arguments in
      if let number = arguments.integer("number") { return try await admin.request(.get, "requests/\(number)") }
      let rpc = try arguments.text("rpc").map { try RPCDescriptor.named($0, list: FindTool.hint).id }
      return try await latestRequests(of: rpc, limit: arguments.integer("limit") ?? 20)
    }
  }

  private var clearRequests: MCPTool {
    tool(
      "mock_clear_requests", title: "Clear the mock's requests", "Remove all requests from the mock's log.",
      effect: .removes
    ) { _ in try await admin.request(.delete, "requests") }
  }

  /// How many of the latest requests are searched for those of one RPC.
  private static let searched = 2000

  private func latestRequests(of rpc: String?, limit: Int) async throws -> JSONValue {
    let last = try await admin.request(.get, "requests?limit=1")["last"]?.integerValue ?? 0
    let count = rpc == nil ? limit : Self.searched
    let page = try await admin.request(.get, "requests?after=\(max(0, last - count))&limit=\(count)")
    let all = (page["requests"]?.elements ?? []).filter { rpc == nil || $0["rpc"]?.stringValue == rpc }
    let details: Set = ["request_body", "response_body"]
    let shown = all.suffix(limit).map { request in
      JSONValue.object((request.memberList ?? []).filter { !details.contains($0.name) })
    }
    return ["requests": .array(shown), "found": .number(all.count), "last": .number(last)]
  }

  private func tool(
    _ name: String, title: String, _ description: String, parameters: [MCPParameter] = [],
    effect: MCPTool.Effect = .reads, run: @escaping @Sendable (MCPArguments) async throws -> JSONValue
  ) -> MCPTool {
    MCPTool(name, title: title, description, parameters: parameters, effect: effect) { arguments, _ in
      DescribeTool.text(of: try await run(arguments))
    }
  }

  /// An ID as the last part of a path; empty without one.
  private static func part(_ id: String?) throws -> String {
    guard let id else { return "" }
    guard !id.isEmpty, id.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }) else {
      throw Failure("not found: stub \(id.quoted)", hint: "List the stubs with mock_stubs.", .notFound)
    }
    return "/\(id)"
  }
}
